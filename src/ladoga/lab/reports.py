"""Reports: what many games say, as one HTML page that needs nothing else and can be printed.

Tables are made here; figures are drawn on the page by Observable Plot (``report/``, whose built file every report
carries), and the map is the game's own with one layer over it: who held what, attacks, losses, where units stood.
"""

from __future__ import annotations

import html
import json
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any, TypeAlias

from ..analysis.links import table_link
from ..drawing import game_map_svg
from ..drawing.plan import HEX
from ..kernel.game import Game, load_game
from ..kernel.options import typed
from ..kernel.position import won
from .compare import Difference
from .questions import Answer
from .sensitivity import Sensitivity, Swing, Together, mean, told
from .simulate import Match, Played, Snapshot, lead, play_match
from .tournament import wilson

COLOURS = ("#4f6d8a", "#9c3c22")
"""Of the first side and of the second."""
FONTS = Path(__file__).parent.parent / "drawing" / "fonts"
FACES = {"Spectral": "spectral-latin-500-normal", "Inter": "inter-latin-wght-normal"}
NARROW = {"'Barlow Condensed'": "barlow-condensed-latin-600-normal"}
SCRIPT = Path(__file__).with_name("report.js")

STYLE = """
:root{--paper:#fbf8f1;--ink:#26231d;--mute:#6b6354;--line:#e2d9c6;--teal:#1c5a61}
body{font:15px/1.55 Inter,system-ui,sans-serif;color:var(--ink);background:var(--paper);margin:0}
main{max-width:940px;margin:2.5rem auto;padding:0 1.25rem}
h1,h2{font-family:Spectral,Georgia,serif;font-weight:500}h1{font-size:2.4rem;line-height:1.15;margin:0 0 .3rem}
h2{font-size:1.5rem;margin:2.6rem 0 .5rem;border-top:1px solid var(--line);padding-top:1.4rem}
.about{color:var(--mute);margin:0}.dot{display:inline-block;width:.7em;height:.7em;border-radius:2px;margin-right:.4em}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
td,th{padding:.28rem .9rem;text-align:right;border-bottom:1px solid var(--line)}
td:first-child,th:first-child{text-align:left}th{color:var(--mute);font-weight:500}
figure{margin:.6rem 0 1rem}figcaption,.note{color:var(--mute)}.wide{overflow-x:auto;font-size:12px}
.wide td,.wide th{padding:.2rem .35rem}.wide td:first-child{white-space:nowrap}
.tools{display:flex;flex-wrap:wrap;gap:.6rem 1.2rem;align-items:center;margin:.6rem 0}
.tools input[type=range]{width:min(360px,60vw);accent-color:var(--teal)}
select{font:inherit;padding:.25rem .5rem;border:1px solid #c9bd9f;border-radius:6px;background:#fff}
.board{position:relative;margin:.6rem 0}.board svg{display:block;width:100%;height:auto;border-radius:8px}
.board .over{position:absolute;inset:0}.over polygon{stroke:none;transition:fill-opacity .15s}
@media print{.tools{display:none}body{background:#fff}h2{break-after:avoid}figure,.board,table{break-inside:avoid}}
@media (prefers-reduced-motion:reduce){.over polygon{transition:none}}
"""


def report(match: Match, played: Sequence[Played], answers: Sequence[Answer] = ()) -> str:
    """The page for a simulation whose games were watched, with answers to questions if there are any. It carries the
    record of the game in the middle, to be opened at the table, unless games depend on how long players thought.

    >>> from ladoga.lab.simulate import simulate
    >>> match = Match("tijvin-1941", {}, seed=1)
    >>> page = report(match, list(simulate(match, 1, watch=True)))
    >>> page.startswith("<!doctype html>"), "Control of the map" in page
    (True, True)
    """
    game = load_game(match.game, match.data)
    watched = [one for one in played if one.snapshots]
    values = _values(game, played, watched)
    sections = [_outcomes(game, played)]
    if answers:
        sections.append(_answers(answers))
    if watched:
        sections += [_course(match, game, watched), _losses(game), _places(game, watched), _maps(game, values)]
        sections.append(_luck(game, watched))
    title = html.escape(f"{game.title}: {len(played)} games")
    players = ", ".join(f"{side.title()}: {name}" for side, name in match.players.items())
    players = f"{players}; {_played(game, match)}; seed {match.seed}"
    return _page(title, players, sections, values)


def _page(title: str, about: str, sections: Iterable[str], values: Mapping[str, Any]) -> str:
    """A whole page, with what its figures are drawn from and what draws them."""
    carried = json.dumps(values, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    script = f'<script type="application/json" id="values">{carried}</script>'
    script += f"<script>{SCRIPT.read_text(encoding='utf-8')}</script>"
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{title}</title><style>{faces()}{STYLE}</style>"
        f'<main><h1>{title}</h1><p class="about">{html.escape(about)}</p>{"".join(sections)}</main>{script}</html>\n'
    )


EITHER = (
    "Bars show how much each end of a range changes that, lines where the true change lies (at any time in the run, "
    "with a risk of one in twenty that any of them misses); bars without doubt about their sign are full, the others "
    "pale."
)
BOTH = (
    "All figures vary at once, in pairs of games on the same dice in which each is at one end and then at the other. "
    "Bars show what the high end of a range brings over its low end, lines where the true change lies (at any time in "
    "the run, with a risk of one in twenty that any of them misses); bars without doubt about their sign are full, the "
    "others pale."
)


def tornado(found: Sensitivity | Together) -> str:
    """The page for a run of ``sensitivity`` or ``together``: for each figure asked for a tornado, the greatest swing on
    top, and what is behind it as a table.

    >>> from ladoga.kernel.data import shape
    >>> from ladoga.lab.sensitivity import Range
    >>> from ladoga.lab.compare import Figure
    >>> one = shape({"title": "Pace", "at": [], "low": {"by": -1}, "high": {"by": 1}, "why": "a guess"}, Range)
    >>> margin = Figure.parse("margin")
    >>> swing = ("pace", one, (Difference(margin, [0.0] * 12, [5.0] * 12),))
    >>> page = tornado(Together(Match("tijvin-1941", {}), (margin,), (swing,)))
    >>> page.count("<figure"), "Pace" in page
    (1, True)
    """
    game = found.match.load()
    sections, tornados = [], []
    for which, figure in enumerate(found.figures):
        scale, unit = (100.0, " %") if figure.yes_or_no else (1.0, "")
        name = figure.text if figure.yes_or_no else f"{figure.text}, as seen by the {game.sides[0].title()} side"
        rows, table, about = (_at_once if isinstance(found, Together) else _one_by_one)(found, which, scale, unit)
        tornados.append({"figure": figure.text, "unit": unit, "rows": rows})
        sections.append(
            f"<h2>{html.escape(name[0].upper() + name[1:])}</h2><p>{about}</p>"
            f'<figure id="tornado-{which}"></figure><div class="wide"><table>{table}</table></div>'
        )
    players = ", ".join(f"{side.title()}: {name}" for side, name in found.match.players.items())
    about = f"{players}; {_played(game, found.match)}; seed {found.match.seed}"
    title = html.escape(f"{game.title}: which judgements matter")
    return _page(title, about, sections, {"tornados": tornados})


Drawn: TypeAlias = tuple[list[dict[str, Any]], str, str]
"""What a tornado is drawn from, the table below it, and the words above it."""


def _one_by_one(found: Any, which: int, scale: float, unit: str) -> Drawn:
    swings = sorted(found.swings, key=lambda one: -one.size(which))
    usual = f"{scale * mean(found.usual[which]):.1f}{unit} in {len(found.usual[which])} games as shipped. "
    rows = [bar for swing in swings for bar in _bars(swing, which, scale)]
    return rows, _swing_rows(swings, which, scale), usual + EITHER


def _at_once(found: Any, which: int, scale: float, unit: str) -> Drawn:
    rows, cells = [], ["<tr><th>Judged<th>Low end<th>High end<th>Change<th>Pairs</tr>"]
    for _, one, difference in found.sorted(which):
        said = f"from: {one.low.said}; to: {one.high.said}"
        rows.append(_bar(one.title, "high", said, difference, scale))
        words = (one.title, one.low.said, one.high.said, told(difference, scale))
        cells.append(f"<tr>{''.join(f'<td>{html.escape(word)}' for word in words)}<td>{difference.pairs}</tr>")
    return rows, "".join(cells), BOTH


def _bar(title: str, end: str, said: str, difference: Difference, scale: float) -> dict[str, Any]:
    """A change, to be drawn."""
    low, high = difference.interval
    known = isfinite(low)
    return {
        "title": title, "end": end, "said": said,
        "change": round(scale * difference.mean, 2), "sure": difference.decided(), "pairs": difference.pairs,
        "low": round(scale * low, 2) if known else None, "high": round(scale * high, 2) if known else None,
    }  # fmt: skip


def _bars(swing: Swing, which: int, scale: float) -> list[dict[str, Any]]:
    """Both ends of a range, to be drawn."""
    ends = (("low", swing.low[which]), ("high", swing.high[which]))
    return [_bar(swing.range.title, end, getattr(swing.range, end).said, one, scale) for end, one in ends]


def _swing_rows(swings: Iterable[Swing], which: int, scale: float) -> str:
    rows = ["<tr><th>Judged<th>End<th>Change<th>Pairs</tr>"]
    for swing in swings:
        for end, difference in (("low", swing.low[which]), ("high", swing.high[which])):
            words = (swing.range.title if end == "low" else "", f"{end}: {getattr(swing.range, end).said}")
            cells = "".join(f"<td>{html.escape(word)}" for word in (*words, told(difference, scale)))
            rows.append(f"<tr>{cells}<td>{difference.pairs}</tr>")
    return "".join(rows)


def faces(names: Mapping[str, str] = FACES) -> str:
    """The fonts of the table, carried along."""
    files = {family: b64encode((FONTS / f"{name}.woff2").read_bytes()).decode() for family, name in names.items()}
    return "".join(
        f"@font-face{{font-family:{family};src:url(data:font/woff2;base64,{data}) format('woff2')}}"
        for family, data in files.items()
    )


def _values(game: Game, played: Sequence[Played], watched: Sequence[Played]) -> dict[str, Any]:
    """What the figures are drawn from."""
    first = game.sides[0]
    colours = dict(zip(game.sides, COLOURS, strict=True))
    by_turn = _by_turn(watched)
    median = _median_game(watched, first)
    course = {snapshot.turn: snapshot.margin for snapshot in median.snapshots} if median is not None else {}
    return {
        "sides": [
            {"id": side, "title": side.title(), "colour": colours[side], "rgb": _channels(colours[side])}
            for side in game.sides
        ],
        "games": [
            {"margin": lead(one.winner, one.margin, first), "colour": colours.get(one.winner or "", "#a89d84")}
            for one in played
        ],
        "turns": [
            {
                "turn": turn, "low": _quantile(margins, 0.1), "middle": _quantile(margins, 0.5),
                "high": _quantile(margins, 0.9), "game": course.get(turn),
            }
            for turn, margins in by_turn.items()
        ],
        "units": [
            {"turn": turn, "side": side, "title": side.title(), "units": round(_mean_units(watched, side, turn), 2)}
            for turn in by_turn
            for side in game.sides
        ],
        "layers": _layers(game, watched, list(by_turn)),
    }  # fmt: skip


def _channels(colour: str) -> str:
    return ",".join(str(int(colour[at : at + 2], 16)) for at in (1, 3, 5))


def _median_game(watched: Sequence[Played], first: str) -> Played | None:
    """The game whose margin lies in the middle."""
    ordered = sorted(watched, key=lambda one: (lead(one.winner, one.margin, first), one.index))
    return ordered[len(ordered) // 2] if ordered else None


def _mean_units(watched: Sequence[Played], side: str, turn: int) -> float:
    return sum(_at(one, turn).units.get(side, 0) for one in watched) / len(watched)


LAYERS = {
    "fought": "Attacks so far",
    "lost": "Units lost so far",
    "hungry": "Units out of supply",
    "marched": "Marches that ended there so far",
    "stood": "Units standing there",
}


def _layers(game: Game, watched: Sequence[Played], turns: Sequence[int]) -> dict[str, Any]:
    """For every layer and turn the value of each hex: the share of games in which the first side held it, or how often
    something happened there in a game, up to that turn."""
    if not watched:
        return {}
    first = game.sides[0]
    control = {
        turn: {hex_: round(count[first] / sum(count.values()), 3) for hex_, count in _holders(watched, turn).items()}
        for turn in turns
    }
    layers: dict[str, Any] = {"control": {"title": "Who stood there last", "share": True, "turns": control}}
    for name, title in LAYERS.items():
        by_turn: dict[int, dict[str, float]] = {}
        total: Counter[str] = Counter()
        for turn in turns:
            if name in ("stood", "hungry"):
                total = Counter()
            for one in watched:
                for snapshot in one.snapshots:
                    if snapshot.turn == turn:
                        total.update(getattr(snapshot, name))
            by_turn[turn] = {hex_: round(count / len(watched), 3) for hex_, count in total.items()}
        most = max((value for values in by_turn.values() for value in values.values()), default=1.0)
        layers[name] = {"title": title, "share": False, "most": most, "turns": by_turn}
    return layers


def _course(match: Match, game: Game, watched: Sequence[Played]) -> str:
    """Victory points by turn, and the course of the median game."""
    median = _median_game(watched, game.sides[0])
    assert median is not None
    told = (
        f"How far the {game.sides[0].title()} side is ahead by turn: median, and the middle eight games of ten. "
        f"Dashed: game {median.index}, the one in the middle."
    )
    figure = f'<figure id="course"><figcaption>{html.escape(told)}{_link(match, game, median)}</figcaption></figure>'
    return f"<h2>Victory points by turn</h2>{figure}"


def _link(match: Match, game: Game, median: Played) -> str:
    """The record of a game as links, to open it at the table and to save it by; one that is gone is played again,
    which gives the same game."""
    record = median.record
    if not record and match.think is None:
        again = play_match(match, median.index, game=game, keep_record=True)
        record = again.record if again.fingerprint == median.fingerprint else ""
    if not record:
        return ""
    name, data = f"{game.id}-{median.index:06}.ladoga", b64encode(record.encode()).decode()
    table = html.escape(table_link(record))
    return (
        f' <a id="table" href="{table}">Open it at the table</a> while <code>ladoga play</code> runs, or '
        f'<a id="record" download="{name}" href="data:text/plain;base64,{data}">save its record</a> and say '
        f"<code>ladoga play --record {name}</code>."
    )


def _losses(game: Game) -> str:
    marks = " ".join(
        f'<span class="dot" style="background:{colour}"></span>{side.title()}'
        for side, colour in zip(game.sides, COLOURS, strict=True)
    )
    return f'<h2>Strength on the map</h2><p class="note">{marks}</p><figure id="strength"></figure>'


def _maps(game: Game, values: Mapping[str, Any]) -> str:
    """The game's own map, with one layer over it and a turn to choose."""
    last = len(values["turns"])
    options = "".join(f'<option value="{key}">{layer["title"]}</option>' for key, layer in values["layers"].items())
    tools = (
        f'<div class="tools"><label>Layer <select id="layer">{options}</select></label>'
        f'<label>Turn <input type="range" id="turn" min="1" max="{last}" value="{last}"></label>'
        '<output id="when" for="layer turn"></output></div>'
    )
    boards = "".join(_board(game, board.name) for board in game.map.grid.boards)
    return f"<h2>Control of the map</h2>{tools}{boards}"


def _board(game: Game, board: str) -> str:
    """One board as it is drawn everywhere, and its hexes as an empty layer over it."""
    drawn = game_map_svg(game, sheet=False, board=board, prefix=f"{board}-")
    box = drawn.split('viewBox="', 1)[1].split('"', 1)[0]
    grid, cells = game.map.grid, []
    for h in grid.members(grid.masks[board]):
        corners = " ".join(f"{x * HEX:.0f},{y * HEX:.0f}" for x, y in grid.corners(h))
        name = html.escape(game.map.name_of(h))
        which = f'data-hex="{grid.number(h)}" data-name="{name}"'
        cells.append(f'<polygon points="{corners}" fill="none" {which}><title>{name}</title></polygon>')
    over = f'<svg class="over" viewBox="{box}" aria-label="Layer over the map">{"".join(cells)}</svg>'
    return f'<div class="board">{drawn}{over}</div>'


def _played(game: Game, match: Match) -> str:
    """The scenario, and the options that are not as usual."""
    scenario, options = game.settled(match.scenario, match.options)
    unusual = [(game.options[key], value) for key, value in options.items() if value != game.options[key].default]
    words = (f"{option.title}: {typed(value)}" for option, value in unusual)
    return "; ".join([game.scenarios[scenario].title, *words])


def _answers(answers: Iterable[Answer]) -> str:
    rows = []
    for answer in answers:
        low, high = wilson(answer.yes, answer.games)
        share = f"<td>{answer.yes}<td>{answer.share:.1%}<td>{low:.1%} to {high:.1%}"
        rows.append(f"<tr><td>{html.escape(answer.question)}{share}</tr>")
    head = "<tr><th>Question<th>Games<th>Share<th>95 % interval</tr>"
    return f"<h2>Questions</h2><table>{head}{''.join(rows)}</table>"


def _outcomes(game: Game, played: Sequence[Played]) -> str:
    total = max(len(played), 1)
    rows = []
    for side in game.sides:
        wins = sum(one.winner == side for one in played)
        low, high = wilson(wins, len(played))
        rows.append(f"<tr><td>{side.title()} wins<td>{wins}<td>{wins / total:.1%}<td>{low:.1%} to {high:.1%}</tr>")
    levels = Counter(won(one.winner, one.level) for one in played)
    listed = "".join(
        f"<tr><td>{html.escape(level)}<td>{count}<td>{count / total:.1%}</tr>" for level, count in levels.most_common()
    )
    head = "<tr><th>Outcome<th>Games<th>Share<th>95 % interval</tr>"
    picture = '<figure id="histogram"><figcaption>Final margins of all games</figcaption></figure>'
    more = f"<tr><th>Level<th>Games<th>Share</tr>{listed}"
    return f"<h2>Outcomes</h2><table>{head}{''.join(rows)}</table>{picture}<table>{more}</table>"


def _by_turn(played: Sequence[Played]) -> dict[int, list[float]]:
    turns: dict[int, list[float]] = {}
    for one in played:
        for snapshot in one.snapshots:
            turns.setdefault(snapshot.turn, []).append(snapshot.margin)
    return dict(sorted(turns.items()))


def _quantile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def _at(one: Played, turn: int) -> Snapshot:
    """How a game stood at the end of a turn; a game that ended before stays as it ended."""
    until = [snapshot for snapshot in one.snapshots if snapshot.turn <= turn]
    return until[-1] if until else one.snapshots[0]


def _holders(played: Sequence[Played], turn: int) -> dict[str, Counter[str]]:
    """For each hex, in how many games each side held it at the end of a turn."""
    held: dict[str, Counter[str]] = {}
    for one in played:
        for side, numbers in _at(one, turn).held.items():
            for number in numbers:
                held.setdefault(number, Counter())[side] += 1
    return held


MOST_PLACES = 8


def _places(game: Game, played: Sequence[Played]) -> str:
    """How often the first side held the places fought over most, turn by turn."""
    first, grid = game.sides[0], game.map.grid
    turns = sorted({s.turn for one in played for s in one.snapshots})
    by_turn = {turn: _holders(played, turn) for turn in turns}
    shares: dict[str, list[tuple[int, float]]] = {}
    for h, name in game.map.names.items():
        number = grid.number(h)
        line = [(turn, by_turn[turn].get(number, Counter())[first] / len(played)) for turn in turns]
        shares[f"{name} ({number})"] = line

    def change(line: list[tuple[int, float]]) -> float:
        return max(v for _, v in line) - min(v for _, v in line)

    most = sorted(shares, key=lambda name: -change(shares[name]))[:MOST_PLACES]
    rows = []
    for name in most:
        cells = "".join(
            f'<td style="background:{_mixed(share)};color:{_ink(share)}">{100 * share:.0f}' for _, share in shares[name]
        )
        rows.append(f"<tr><td>{html.escape(name)}{cells}</tr>")
    head = "<tr><th>Place" + "".join(f"<th>{turn}" for turn in turns) + "</tr>"
    note = f"<p>Share of games, in per cent, in which the {first.title()} side held a place as each turn ended.</p>"
    return f'<h2>Key places by turn</h2>{note}<div class="wide"><table>{head}{"".join(rows)}</table></div>'


def _mixed(share: float) -> str:
    """The colour of a share: the first side's, straw where both are equal, the other's."""
    pale, full = (222, 205, 150), (79, 109, 138) if share >= 0.5 else (156, 60, 34)
    weight = abs(2 * share - 1)
    return "#" + "".join(f"{round(a * weight + b * (1 - weight)):02x}" for a, b in zip(full, pale, strict=True))


def _ink(share: float) -> str:
    """A colour of letters that can be read on ``_mixed``."""
    return "#fff" if abs(2 * share - 1) > 0.6 else "#26231d"


def _luck(game: Game, played: Iterable[Played]) -> str:
    rows = []
    games = list(played)
    for side in game.sides:
        luck = [one.snapshots[-1].luck.get(side, 0.0) for one in games]
        lucky = [one.winner == side for one in games if one.snapshots[-1].luck.get(side, 0.0) > 0]
        share = f"{sum(lucky) / len(lucky):.1%}" if lucky else "-"
        figures = (sum(luck) / len(luck), min(luck), max(luck))
        cells = "".join(f"<td>{figure:+.1f}" for figure in figures)
        rows.append(f"<tr><td>{side.title()}{cells}<td>{share}</tr>")
    head = "<tr><th>Side<th>Mean<th>Least<th>Most<th>Wins when lucky</tr>"
    note = "<p>Pips above the average of the side's own rolls.</p>"
    return f"<h2>Luck of the dice</h2>{note}<table>{head}{''.join(rows)}</table>"
