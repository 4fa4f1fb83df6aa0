"""One function a command. Each loads what it needs, so that a short command starts at once."""

from __future__ import annotations

import json
import signal
import sys
from argparse import Namespace
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from functools import cache
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from .. import __version__
from ..kernel.data import document_values
from ..kernel.errors import BadData, BadDocument, BadRecord, Illegal, LadogaError, UnknownGame
from ..kernel.files import check_writable, write_whole
from ..kernel.game import Game, game_ids, load_game, titles
from ..kernel.names import Names
from ..kernel.options import Value, read_options, typed
from ..kernel.position import OBSERVER, Explanation, Outcome, Position, won
from ..kernel.record import Record, located

if TYPE_CHECKING:
    from ..lab import Answer, Match, Played, Sensitivity, Together
    from ..lab.compare import Comparison
    from ..lab.tournament import Standings

T = TypeVar("T")


def _print_json(value: Any) -> None:
    print(json.dumps(value, indent=2, ensure_ascii=False))


def _tell(result: Comparison | Standings, to: str | None) -> None:
    """A result in words, and as JSON in a file; as JSON alone where it goes to standard output (``-``)."""
    if to == "-":
        _print_json(result.as_json())
        return
    if to:
        write_whole(Path(to), json.dumps(result.as_json(), indent=1) + "\n")
    print(result.as_text())


def progress(items: Iterable[T], total: int, what: str) -> Iterator[T]:
    """A progress bar when a person is watching, nothing otherwise."""
    if not sys.stderr.isatty():
        yield from items
        return
    from tqdm import tqdm

    yield from tqdm(items, total=total, desc=what, unit="game")


def named_players(game: Game, arguments: Namespace, usual: str) -> dict[str, str]:
    """Who plays each side of a game: whom the command line names, else the usual one."""
    for side in arguments.seats:
        if side not in game.sides:
            sides = " and ".join(f"--{each}" for each in game.sides)
            raise LadogaError(f"unrecognized argument --{side}; the sides of {game.id} are {sides}")
    return {side: arguments.seats.get(side, usual) for side in game.sides}


def settled(game: Game, arguments: Namespace) -> tuple[str, dict[str, Value]]:
    """The scenario and the options that the command line names, else the usual ones."""
    return game.settled(arguments.scenario, read_options(arguments.option, game.options))


# Playing --------------------------------------------------------------------------------------------


TERMINAL = ("scenario", "option", "think")
"""What is said beforehand of a game in the terminal; in the browser it is chosen on the page."""


def play(arguments: Namespace) -> int:
    """Play in the browser, or in the terminal."""
    if arguments.terminal:
        from .terminal import play_in_terminal

        return play_in_terminal(arguments)
    from .. import server

    _check_data(arguments.data, arguments.game)
    told = [f"--{word}" for word in (*arguments.seats, *(name for name in TERMINAL if vars(arguments)[name]))]
    if told:
        print(f"ladoga: chosen in the browser, so without effect here: {', '.join(told)}", file=sys.stderr)
    record = ""
    if arguments.record is not None:
        Record.read(arguments.record)
        record = arguments.record.read_text(encoding="utf-8")
    server.play(
        arguments.game, open_browser=not arguments.no_browser, data=arguments.data, db=arguments.db,
        port=arguments.port, record=record, cores=arguments.cores,
    )  # fmt: skip
    return 0


def _check_data(data: Path | None, game: str | None) -> None:
    """Corrections are read before anybody plays: those of one game, or a folder for each game with its id as name."""
    if game is not None:
        load_game(game)
    if data is None:
        return
    folders = [game_id for game_id in game_ids() if (data / game_id).is_dir()]
    for game_id in folders:
        load_game(game_id, data / game_id)
    if game is not None and game not in folders:
        load_game(game, data)
    elif not folders:
        raise BadData(f"no folder there has the id of a game: {', '.join(game_ids())}", source=str(data))


def serve(arguments: Namespace) -> int:
    """Serve several people."""
    from .. import server

    _check_data(arguments.data, None)
    server.serve(
        arguments.host, arguments.port, arguments.store, data=arguments.data, editor=arguments.editor,
        names=arguments.host_name, proxies=arguments.trusted_proxy, secure=arguments.secure, metrics=arguments.metrics,
        json_logs=arguments.json_logs, thinkers=arguments.thinkers, cores=arguments.cores or 1,
        delay=arguments.spectator_delay, webhook=arguments.webhook, inside=arguments.webhooks_inside,
        wait=arguments.wait,
    )  # fmt: skip
    return 0


def store(arguments: Namespace) -> int:
    """Copy, check, back up or restore what a server keeps."""
    from ..server import data_home
    from ..server.store import moving

    if arguments.deed == "copy":
        return _moved(moving.copy(arguments.source, arguments.target), "copied")
    where = arguments.store or ("ladoga.db" if Path("ladoga.db").exists() else data_home() / "matches.db")
    if arguments.deed == "check":
        problems = 0
        for problem in moving.check(where):
            print(problem, flush=True)
            problems += 1
        print(f"{problems} problems" if problems else "all is well")
        return 1 if problems else 0
    if arguments.deed == "backup":
        return _moved(moving.backup(where, arguments.file), "backed up")
    return _moved(moving.restore(arguments.file, where), "restored")


def _moved(counts: dict[str, int], done: str) -> int:
    print(f"{done}: {counts['matches']} matches, {counts['events']} events, {counts['people']} people")
    return 0


# Knowing --------------------------------------------------------------------------------------------


def games(arguments: Namespace) -> int:
    """List the games, or the words of one: phases, verbs, terrain, hexsides, places."""
    if arguments.game is not None:
        return _words_of(load_game(arguments.game), arguments)
    if arguments.json:
        _print_json([_described(load_game(game_id)) for game_id in game_ids()])
    else:
        for game_id, title in titles().items():
            print(f"{game_id:20} {title}")
    return 0


def _described(game: Game) -> dict[str, Any]:
    return {
        "id": game.id,
        "title": game.title,
        "sides": list(game.sides),
        "scenarios": {key: s.title for key, s in game.scenarios.items()},
        "options": {
            key: {
                "title": o.title,
                "case": o.case,
                "kind": o.kind,
                "default": o.default,
                "choices": list(o.choices),
                "text": o.text,
            }
            for key, o in game.options.items()
        },
        "turns": game.turns,
    }


def _words_of(game: Game, arguments: Namespace) -> int:
    """What can be said in orders and position documents of a game."""
    words = {
        "phases": {phase.id: phase.title for phase in game.phases},
        "verbs": {verb.name: verb.help for verb in game.grammar.verbs.values()},
        "terrain": sorted({game.map.vocabulary.ground, *game.map.terrain}),
        "hexsides": sorted(game.map.sides),
        "places": sorted(game.map.places),
        **game.document_words,
    }
    if arguments.json:
        _print_json({**_described(game), **words})
        return 0
    print(f"{game.title}: turns 1 to {game.turns}")
    for key, scenario in game.scenarios.items():
        print(f"{'scenario ' + key:32} {scenario.title}")
    for key, option in game.options.items():
        print(f"{'option ' + key:32} {option.title} ({option.allowed}; usually {typed(option.default)})")
        print(f"{'':32} {option.text}" if option.text else "", end="\n" if option.text else "")
    for title, said in words.items():
        if isinstance(said, dict):
            print(f"\n{title}")
            for key, text in said.items():
                print(f"  {key:30} {text}")
        else:
            print(f"\n{title}: {', '.join(said)}")
    print(f"\na blank map is all {game.map.vocabulary.ground}: it has none of these hexsides and places")
    return 0


def rules(arguments: Namespace) -> int:
    """Show the cases of a game, or how many of them the tests hold."""
    game = load_game(arguments.game)
    if arguments.coverage:
        return _coverage(game, arguments)
    cases = dict(game.cases)
    if arguments.case is not None:
        cases = game.cases_of(arguments.case)
        if not cases:
            raise UnknownGame(f"{game.id} has no case {arguments.case!r}; ladoga rules {game.id} lists them")
    if arguments.json:
        _print_json({"game": game.id, "cases": {n: {"title": c.title, "text": c.text} for n, c in cases.items()}})
    else:
        for number, case in cases.items():
            print(f"{number:6} {case.title}\n       {case.text}")
    return 0


def _coverage(game: Game, arguments: Namespace) -> int:
    from .coverage import covered_cases

    held = covered_cases(arguments.tests).get(game.id, set())
    uncovered = [number for number in game.cases if number not in held]
    covered = len(game.cases) - len(uncovered)
    if arguments.json:
        _print_json({"game": game.id, "cases": len(game.cases), "covered": covered, "uncovered": uncovered})
    else:
        print(f"{game.id}: {covered} of {len(game.cases)} cases are held by tests")
        if uncovered:
            print("without a test: " + ", ".join(uncovered))
    return 1 if uncovered else 0


# Positions ------------------------------------------------------------------------------------------


def _input() -> bytes:
    if sys.stdin is None:
        raise BadDocument("standard input is closed", source="-")
    return sys.stdin.buffer.read()


def _load_position(game: Game, file: str, dice: Sequence[str] = ()) -> Position:
    """The position of a document; results of chance that are given take the place of the document's own."""
    try:
        text = (_input() if file == "-" else Path(file).read_bytes()).decode()
    except UnicodeDecodeError:
        raise BadDocument("not UTF-8 text", source=file) from None
    try:
        values = document_values(text, game.id)
        return game.position({**values, "dice": list(dice)} if dice else values)
    except BadDocument as problem:
        raise problem.within(file) from None


def position(arguments: Namespace) -> int:
    """Load a position; list and play orders."""
    game = load_game(arguments.game, arguments.data)
    dice = [word.strip() for given in arguments.dice for word in given.split(",")]
    if not all(dice):
        raise LadogaError(f"results are written 3,5 and not {','.join(arguments.dice)!r}")
    now = _load_position(game, arguments.file, dice)
    results: list[dict[str, Any]] = []
    names = Names()
    names.look((now.view(arguments.side) if arguments.side else now).table().counters)
    for text in arguments.play:
        entry: dict[str, Any] = {"order": text, "ok": True, "case": "", "message": "", "events": []}
        results.append(entry)
        try:
            now = now.play(text)
        except LadogaError as problem:
            case = problem.case if isinstance(problem, Illegal) else ""
            message = problem.message if isinstance(problem, Illegal) else str(problem)
            entry |= {"ok": False, "case": case, "message": message}
            break
        seen = now.view(arguments.side) if arguments.side else now
        names.look(seen.table().counters)
        entry["events"] = [{"kind": e.kind, "case": e.case, "text": names.tell(e)} for e in seen.events]
    refused = any(not entry["ok"] for entry in results)
    side = arguments.side or (now.to_move if now.to_move in game.sides else OBSERVER)
    view = now.view(side)
    if arguments.save is not None and not refused:
        import yaml

        write_whole(arguments.save, yaml.safe_dump(now.document(), sort_keys=False, allow_unicode=True))
    if arguments.json:
        shown: dict[str, Any] = {"to_move": now.to_move, "phase": now.phase.id}
        shown["legal"] = [str(order) for order in now.legal]
        shown["view"] = view.document()
        if arguments.play:
            shown["results"] = results
        if now.outcome is not None:
            shown["outcome"] = now.outcome.as_json()
        _print_json(shown)
        return 1 if refused else 0
    for entry in results:
        case = f" [{entry['case']}]" if entry["case"] else ""
        print(f"{entry['order']}: " + ("played" if entry["ok"] else f"refused, {entry['message']}{case}"))
        for event in entry["events"]:
            print(f"  {event['text']} [{event['case']}]")
    print(f"Turn {now.turn}, {now.phase.title}; to move: {now.to_move or 'nobody'} ({now.prompt})")
    if now.outcome is not None:
        print(reckoning(now.outcome))
    if arguments.legal:
        for order in now.legal:
            print(order)
    return 1 if refused else 0


def odds(arguments: Namespace) -> int:
    """Exact odds of an attack."""
    game = load_game(arguments.game, arguments.data)
    explanation = _load_position(game, arguments.file).explain(arguments.order)
    if arguments.json:
        _print_json(explanation.as_json())
    else:
        print(in_words(explanation))
    return 0


def in_words(explanation: Explanation) -> str:
    """An explanation as lines for a terminal."""

    def spread(pairs: Iterable[tuple[Any, Any]]) -> str:
        values = list(pairs)
        if len(values) == 1:
            return str(values[0][0])
        return ", ".join(f"{value} ({100 * float(p):.1f} %)" for value, p in values)

    lines = [explanation.title]
    if explanation.attack:
        lines.append(f"  attack  {spread(explanation.attack)}")
    if explanation.defence:
        lines.append(f"  defence {spread(explanation.defence)}")
    for modifier in explanation.modifiers:
        sign = f"{modifier.amount:+}" if modifier.counts else " 0"
        lines.append(f"  {sign:>4}  {modifier.label} [{modifier.case}]")
    if explanation.initial:
        what = "die" if explanation.to_die else "net shift"
        ratio = f"ratio   {spread(explanation.initial)}, " if explanation.defence else ""
        lines.append(f"  {ratio}{what} {explanation.net:+}")
    if explanation.columns:
        lines.append(f"  column  {spread(explanation.columns)}")
    for code, probability in explanation.results:
        meaning = explanation.meaning.get(str(code), "")
        lines.append(f"  {100 * float(probability):5.1f} %  {code:6} {meaning} ({probability})")
    lines += [f"  {note}" for note in explanation.notes]
    return "\n".join(lines)


def reckoning(outcome: Outcome) -> str:
    """How a game ended or stands as lines for a terminal: every point with its case, and who is ahead."""
    lines = [f"  {entry.side:8} {entry.points:>4}  {entry.label} [{entry.case}]" for entry in outcome.ledger]
    return "\n".join([*lines, f"  {outcome.words}, margin {outcome.margin}"])


# Records --------------------------------------------------------------------------------------------


def replay(arguments: Namespace) -> int:
    """Print a record as a log, or one of its positions."""
    record = Record.read(arguments.file)
    shown = []
    names = Names()
    heading = printed = ""
    outcome: Outcome | None = None
    try:
        game = record.game(arguments.data)
        for number, (order, now) in enumerate(record.positions(game)):
            if arguments.at is not None:
                if number == arguments.at:
                    _print_json(now.document())
                    return 0
                continue
            if order is not None:
                names.look(now.table().counters)
                told = [(names.tell(event), event.case) for event in now.events]
                shown.append({"event": number, "order": str(order), "text": [text for text, _ in told]})
                if not arguments.json:
                    if heading != printed:
                        print(f"\n{heading}")
                        printed = heading
                    print(f"  {number:5} {order}" + "".join(f"\n          {text} [{case}]" for text, case in told))
            else:
                names.look(now.table().counters)
            heading, outcome = f"Turn {now.turn}, {now.phase.title}", now.outcome
    except LadogaError as problem:
        raise _unplayable(arguments.file, record, problem) from None
    if arguments.at is not None:
        raise BadRecord(f"there is no event {arguments.at}", source=str(arguments.file))
    if arguments.json:
        _print_json({"game": game.id, "events": shown, "outcome": outcome.as_json() if outcome else None})
    elif outcome is not None:
        print(f"\nThe game is over [{outcome.case}]\n{reckoning(outcome)}")
    return 0


def _unplayable(file: Path, record: Record, problem: LadogaError) -> BadRecord:
    """Why a record does not replay; one of another version may have been right under its rules."""
    found, engine = located(file, problem), record.header.engine
    if engine == __version__:
        return found
    return BadRecord(f"{found.message} (played with version {engine}, this is {__version__})", path=found.path,
                     source=found.source)  # fmt: skip


def debrief(arguments: Namespace) -> int:
    """How a recorded game went: in text, as a page, as a picture."""
    from ..analysis.debrief import debriefed
    from ..analysis.links import TABLE, fragment
    from ..analysis.report import as_html, as_text, picture
    from ..lab.reports import FACES, NARROW, faces

    record = Record.read(arguments.file)
    try:
        game = record.game(arguments.data)
        told = debriefed(record, game, arguments.think)
    except LadogaError as problem:
        raise _unplayable(arguments.file, record, problem) from None
    fonts = faces({**FACES, **NARROW})
    if arguments.html is not None:
        keys = resources.files("ladoga.web") / "debrief.js"
        scenes = _scenes(record, game)
        page = as_html(
            told, lambda n: f"{TABLE}#at={n}&record=", _opening(record),
            f'<meta name="record" content="{fragment(record.text()).removeprefix("record=")}"><style>{fonts}</style>',
            scene=lambda n, number: f"data:image/svg+xml;base64,{b64encode(scenes(n, number, WIDE).encode()).decode()}",
            script=f"<script>{keys.read_text(encoding='utf-8')}</script>",
        )  # fmt: skip
        write_whole(arguments.html, page)
    if arguments.picture is not None:
        from ..server.pictures import BESIDE, beside

        number = next((pin.hex for pin in reversed(told.pins) if pin.hex), "")
        scene = _scenes(record, game)(len(record.orders), number, BESIDE)
        drawn = picture(told, beside(scene))
        write_whole(arguments.picture, drawn.replace("<style>", f"<style>{fonts} ", 1))
    if arguments.text or (arguments.html is None and arguments.picture is None):
        print(as_text(told), end="")
    return 0


WIDE = (720.0, 300.0)
"""What of the map a moment of a debrief shows, in drawing units."""


def _opening(record: Record) -> str:
    """Links of a debrief that is no page of a server."""
    from ..analysis.links import table_link

    return (
        f'<a class="btn teal" href="{table_link(record.text())}">Open at the table</a> '
        '<span class="note">while ladoga play runs on this machine</span>'
    )


def _scenes(record: Record, game: Game) -> Callable[[int, str, tuple[float, float]], str]:
    """Pieces of the map as everybody could see it after so many events."""
    from ..drawing import shores_of
    from ..server import pictures

    @cache
    def at(n: int) -> Position:
        return next(islice(record.positions(game), n, None))[1]

    @cache
    def land(board: str) -> str:
        return pictures.drawn_here(at(0).map, shores_of(game.id), board)

    @cache
    def scene(n: int, number: str, size: tuple[float, float]) -> str:
        board = pictures.board_of(at(0).map, number)
        return pictures.scene(at(0).map, land(board), board, at(n).view(OBSERVER).table().counters, number, size)

    return scene


def export(arguments: Namespace) -> int:
    """Write records as tables."""
    from ..lab.dataset import read_all, write

    counts = write(read_all(arguments.file), arguments.to, arguments.format)
    for table, count in counts.items():
        print(f"{arguments.to / table}.{arguments.format}: {_counted(count, 'row')}")
    return 0


def check(arguments: Namespace) -> int:
    """Verify records."""
    for file in arguments.file:
        record = Record.read(file)
        try:
            last = record.check(record.game(arguments.data))
        except LadogaError as problem:
            raise _unplayable(file, record, problem) from None
        dice = "dice as committed" if record.header.seed else "dice not verifiable: no seed"
        state = last.outcome.words if last.outcome else f"turn {last.turn}, {last.phase.title}"
        print(f"{file}: {len(record.orders)} events, all legal; {dice}; {state}")
    return 0


# Pictures -------------------------------------------------------------------------------------------


def draw_map(arguments: Namespace) -> int:
    """Write a map as SVG."""
    from ..drawing import game_map_svg

    game = load_game(arguments.game, arguments.data)
    if arguments.board is not None and arguments.board not in game.map.file.boards:
        raise UnknownGame(f"{game.id} has no board {arguments.board!r}; boards: {', '.join(game.map.file.boards)}")
    svg = game_map_svg(game, palette=arguments.palette, sheet=not arguments.plain, board=arguments.board)
    if str(arguments.svg) == "-":
        print(svg, end="")
    else:
        write_whole(arguments.svg, svg)
    return 0


def print_game(arguments: Namespace) -> int:
    """Write sheets to print."""
    from ..drawing import print_sheets

    game = load_game(arguments.game, arguments.data)
    for file in print_sheets(game, arguments.out, paper=arguments.paper):
        print(file)
    return 0


# The laboratory -------------------------------------------------------------------------------------


@contextmanager
def _pool(workers: int, cluster: str = "") -> Iterator[Executor | None]:
    """Processes to share the work, here or on a cluster; when it is broken off they are stopped at once, not after
    their games."""
    if workers == 1 and not cluster:
        yield None
        return
    before = signal.signal(signal.SIGTERM, _stop)
    crew = _clustered(cluster) if cluster else _crew(workers)
    try:
        yield crew
    except BaseException:
        crew.shutdown(cancel_futures=True)
        raise
    finally:
        signal.signal(signal.SIGTERM, before)
    crew.shutdown()


def _stop(*_: object) -> None:
    """Being told to end is as good as being broken off by hand."""
    raise KeyboardInterrupt


def _file(name: str | None) -> Path | None:
    """The file of a ``--json``, unless it is none or standard output."""
    return None if name in (None, "", "-") else Path(str(name))


def _crew(workers: int) -> Executor:
    from ..lab.crew import Crew

    return Crew(workers)


def _clustered(address: str) -> Executor:
    """The workers of a Dask scheduler; who waits for the first of them is told so."""
    from ..lab.cluster import Cluster

    cluster = Cluster(address)
    if not cluster.workers:
        print(f"no worker yet at {address}; games begin when one comes: dask worker {address}", file=sys.stderr)
    return cluster


def simulate(arguments: Namespace) -> int:
    """Play many games."""
    from ..lab import Match, ask
    from ..lab.keep import check_parquet, kept
    from ..lab.questions import parse
    from ..players import check as check_player

    game = load_game(arguments.game, arguments.data)
    questions = [parse(text, game) for text in arguments.ask]
    players = named_players(game, arguments, "random")
    for name in players.values():
        check_player(name)
    scenario, options = settled(game, arguments)
    match = Match(
        game.id, players, arguments.seed, scenario, options,
        str(arguments.data) if arguments.data else None, arguments.think,
    )  # fmt: skip
    for path in (_file(arguments.json), arguments.csv, arguments.parquet, arguments.plot):
        check_writable(path)
    if arguments.parquet is not None:
        check_parquet()
    watch = bool(arguments.ask or arguments.plot)
    before = kept(arguments.resume, match, watched=watch, audited=arguments.audit) if arguments.resume else []
    played = _played(match, before, watch, arguments)
    answers = [ask(question, played) for question in questions]
    result = _result(match, played, answers, arguments.games)
    _write_results(match, played, answers, result, arguments)
    if arguments.json != "-":
        _summary(game, result)
        if arguments.audit:
            _audit(game, played)
    return 1 if result["errors"] else 0


def _audit(game: Game, played: Sequence[Played]) -> None:
    """What each side left undone, a game on average."""
    from ..lab.audit import Ledger

    audited = [one for one in played if one.audit]
    for side in game.sides:
        total = Ledger()
        for one in audited:
            total.add(Ledger.from_json(one.audit[side]))
        print(f"{side}, a game:")
        print("\n".join(f"  {line}" for line in total.lines(max(1, len(audited)))))


def _played(match: Match, before: list[Played], watch: bool, arguments: Namespace) -> list[Played]:
    """All games of a simulation in order, those of an earlier run not played again."""
    from ..lab import simulate as run
    from ..lab.keep import keeping

    with _pool(arguments.workers, arguments.cluster) as pool, keeping(arguments.resume, match, before) as keep:
        games_played = run(
            match, arguments.games, executor=pool, records=arguments.records,
            skip={p.index for p in before}, watch=watch, audit=arguments.audit,
        )  # fmt: skip
        played = [p for p in before if p.index < arguments.games]
        for one in progress(games_played, arguments.games - len(played), match.game):
            keep(one)
            played.append(one)
    return sorted(played, key=lambda one: one.index)


def _result(match: Match, played: Sequence[Played], answers: Sequence[Answer], games: int) -> dict[str, Any]:
    """A simulation as plain values."""
    from ..lab import digest

    return {
        "game": match.game,
        "games": games,
        "seed": match.seed,
        "players": dict(match.players),
        "scenario": match.scenario,
        "options": dict(match.options),
        "errors": [{"game": p.index, "error": p.error} for p in played if p.error],
        "outcomes": [p.as_json() for p in played],
        "digest": digest(played),
        "answers": [answer.as_json() for answer in answers],
        **({"audit": [{"game": p.index, **p.audit} for p in played]} if any(p.audit for p in played) else {}),
    }


def _write_results(
    match: Match, played: Sequence[Played], answers: Sequence[Answer], result: dict[str, Any], arguments: Namespace
) -> None:
    """A simulation to every file that was asked for."""
    from ..lab import report
    from ..lab.keep import as_csv, as_parquet

    if arguments.json == "-":
        _print_json(result)
    elif arguments.json:
        write_whole(Path(arguments.json), json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    if arguments.csv is not None:
        write_whole(arguments.csv, as_csv(played))
    if arguments.parquet is not None:
        as_parquet(played, arguments.parquet)
    if arguments.plot is not None:
        write_whole(arguments.plot, report(match, played, answers))


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _summary(game: Game, result: dict[str, Any]) -> None:
    outcomes = result["outcomes"]
    print(f"{game.title}: {_counted(len(outcomes), 'game')}, seed {result['seed']}")
    for side in game.sides:
        wins = sum(o["winner"] == side for o in outcomes)
        print(f"  {side:8} ({result['players'][side]}): {_counted(wins, 'win')}, {100 * wins / len(outcomes):.1f} %")
    levels: dict[str, int] = {}
    for outcome in outcomes:
        level = won(outcome["winner"], outcome["level"])
        levels[level] = levels.get(level, 0) + 1
    for level, count in sorted(levels.items(), key=lambda item: -item[1]):
        print(f"    {count:5}  {level}")
    for answer in result["answers"]:
        low, high = answer["interval"]
        share = f"{answer['share']:.1%} ({low:.0%} to {high:.0%})"
        print(f"  {answer['question']}: {answer['yes']} of {answer['games']} games, {share}")
    if result["errors"]:
        print(f"  {_counted(len(result['errors']), 'game')} broke off: {result['errors'][0]['error']}")
    print(f"  digest {result['digest']}")


def compare(arguments: Namespace) -> int:
    """What a change does: two versions of a game on the same dice."""
    from ..lab import Figure, Match
    from ..lab.compare import against
    from ..lab.compare import compare as run
    from ..players import check as check_player

    game = load_game(arguments.game, arguments.data)
    asked = arguments.ask or ["margin", f"winner {game.sides[0]}"]
    figures = [Figure.parse(text, game) for text in asked]
    players = named_players(game, arguments, "staff")
    scenario, options = settled(game, arguments)
    data = str(arguments.data) if arguments.data else None
    before = Match(game.id, players, arguments.seed, scenario, options, data, arguments.think)
    after = against(before, game, arguments.against)
    load_game(after.game, after.data).settled(after.scenario, after.options)
    for match in (before, after):
        for name in match.players.values():
            check_player(name)
    check_writable(_file(arguments.json))
    with _pool(arguments.workers) as pool:
        played = run(before, after, figures, arguments.games, least=arguments.least or 0.0, executor=pool)
        for standing in progress(played, arguments.games, game.id):
            result = standing
    _tell(result, arguments.json)
    return 1 if result.errors else 0


def sensitivity(arguments: Namespace) -> int:
    """Which judged figures matter: each at both ends of what is plausible."""
    from tempfile import TemporaryDirectory

    from ..lab import Figure, Match, together, tornado
    from ..lab.sensitivity import ranges
    from ..lab.sensitivity import sensitivity as one_by_one
    from ..players import check as check_player

    game = load_game(arguments.game)
    figures = [Figure.parse(text, game) for text in arguments.ask or ["margin", f"winner {game.sides[0]}"]]
    players = named_players(game, arguments, "staff")
    for name in players.values():
        check_player(name)
    scenario, options = settled(game, arguments)
    match = Match(game.id, players, arguments.seed, scenario, options, None, arguments.think)
    found = ranges(game, arguments.ranges).only(arguments.only)
    for path in (_file(arguments.json), arguments.plot):
        check_writable(path)
    with TemporaryDirectory(prefix="ladoga-") as folder, _pool(arguments.workers) as pool:
        keep = arguments.keep or Path(folder)
        keep.mkdir(parents=True, exist_ok=True)
        run: Callable[..., Iterator[Sensitivity | Together]] = together if arguments.together else one_by_one
        rounds = arguments.games if arguments.together else -(-arguments.games // 10) * (1 + 2 * len(found.figures))
        played = run(match, found, figures, arguments.games, keep, least=arguments.least or 0.0, executor=pool)
        for standing in progress(played, rounds, f"{game.id}, rounds"):
            result = standing
    if arguments.plot:
        write_whole(arguments.plot, tornado(result))
    if arguments.json:
        text = json.dumps(result.as_json(), indent=1, ensure_ascii=False) + "\n"
        print(text, end="") if arguments.json == "-" else write_whole(Path(arguments.json), text)
    if arguments.json != "-":
        print(result.as_text())
    return 1 if result.errors else 0


def tournament(arguments: Namespace) -> int:
    """Rank computer players."""
    from ..lab.tournament import tournament as run
    from ..players import check as check_player

    game = load_game(arguments.game, arguments.data)
    scenario, options = settled(game, arguments)
    names = [name.strip() for name in arguments.players.split(",") if name.strip()]
    for name in names:
        check_player(name)
    if len(set(names)) < 2:
        raise LadogaError("a tournament needs at least two different players")
    check_writable(_file(arguments.json))
    with _pool(arguments.workers) as pool:
        result = run(
            game.id, names, arguments.games, seed=arguments.seed, executor=pool, think=arguments.think,
            scenario=scenario, options=options, data=str(arguments.data) if arguments.data else None, shown=progress,
        )  # fmt: skip
    _tell(result, arguments.json)
    return 0


def problems(arguments: Namespace) -> int:
    """Let a player try the problems of the book, and report both halves of them."""
    from ..lab.problems import attempt, book, halves
    from ..players import check as check_player

    check_player(arguments.player)
    games = [load_game(arguments.game).id] if arguments.game is not None else game_ids()
    tried = []
    for name, problem in book(games):
        one = attempt(
            name, problem, arguments.player, think=arguments.think, cores=arguments.cores or 1, seeds=arguments.dice
        )
        tried.append(one)
        if not arguments.json:
            failed = one.error or f"not solved, it asks for {' and '.join(one.failed)}"
            verdict = "solved" if one.solved else failed
            came = ", ".join(f"{c.measure} {one.values[c.measure]:.1f}" for c in problem.accept if one.values)
            reached = f" and came to {came}" if came else ""
            print(f"{name}{' (held out)' if one.held_out else ''}, {one.title}")
            print(f"    {verdict}{reached}; {one.seconds:.2f} s", flush=True)
    parts = halves(tried)
    if arguments.json:
        counts = {word: {"solved": solved, "tried": count} for word, (solved, count) in parts.items()}
        _print_json({"player": arguments.player, "halves": counts, "problems": [one.as_json() for one in tried]})
    else:
        print("; ".join(f"{word}: {solved} of {count} solved" for word, (solved, count) in parts.items()))
    return 0


def bench(arguments: Namespace) -> int:
    """Measure speed."""
    from ..lab.bench import bench as run

    result = run(arguments.game or game_ids(), arguments.seconds, shown=progress)
    if arguments.json:
        _print_json(result)
    else:
        from ..lab.bench import in_words as table

        print(table(result))
    return 0
