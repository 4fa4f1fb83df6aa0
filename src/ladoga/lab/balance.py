"""What the judged figures do to the balance: ``python -m ladoga.lab.balance`` plays and rewrites docs/balance.md.

For every game that says how far its figures could be off (``ranges.yaml``) mirrored pairs are played with all of them
varied at once (``together``), and each change that is asked for (``--against GAME OPTION=VALUE``) is compared with the
game as shipped. Only the parts of the page that were measured are rewritten; with ``--keep`` a run that was stopped
goes on, and asking for more pairs adds to those that are there. Nothing imports this module.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from typing import Any, NamedTuple

from ..kernel.errors import LadogaError
from ..kernel.files import write_whole
from ..kernel.game import Game, game_ids, load_game
from .compare import Figure, against, compare
from .reports import tornado
from .sensitivity import Ranges, Together, ranges, together, told
from .simulate import Match
from .tournament import wilson

HEAD = "| judged | from | to | change of the margin | change of {} wins, in points of 100 |"
COMPARED = "| game | change | pairs | margin before, after | difference | wins before, after | difference |"


class Wish(NamedTuple):
    """What is measured: who plays on both sides, how many pairs, and where games are kept."""

    player: str
    pairs: int
    compared: int
    keep: Path
    think: float | None
    seed: int
    executor: Executor | None = None

    def match(self, game: Game) -> Match:
        """A game between two players of this kind."""
        scenario, options = game.settled(None, {})
        return Match(game.id, dict.fromkeys(game.sides, self.player), self.seed, scenario, options, None, self.think)


def judged() -> list[Game]:
    """The games that say how far their figures could be off.

    >>> [game.id for game in judged()]
    ['assault-leningrad', 'assault-stalingrad', 'leningrad41']
    """
    found: list[Game] = []
    for game_id in game_ids():
        game = load_game(game_id)
        try:
            ranges(game)
        except LadogaError:
            continue
        found.append(game)
    return found


def section(game: Game, wish: Wish, found: Ranges) -> str:
    """The table of a game: what each judged figure brings at its high end over its low end."""
    keep = wish.keep / wish.player / game.id
    keep.mkdir(parents=True, exist_ok=True)
    figures = [Figure.parse("margin", game), Figure.parse(f"winner {game.sides[0]}", game)]
    *_, standing = together(wish.match(game), found, figures, wish.pairs, keep, executor=wish.executor)
    if standing.errors:
        raise LadogaError(f"{game.id}: {standing.errors[0]}")
    write_whole(keep / "tornado.html", tornado(standing))
    return summed_up(game, standing)


def summed_up(game: Game, standing: Together) -> str:
    """A run of mirrored pairs in words and as a table."""
    first = game.sides[0].title()
    won = standing.swings[0][2][1]
    games, wins = 2 * won.pairs, sum(won.before) + sum(won.after)
    low, high = wilson(int(wins), games)
    players = " against ".join(standing.match.players.values())
    lines = [
        f"{won.pairs} mirrored pairs ({games} games), {players}. Over all of them, with every figure somewhere in its "
        f"range, the {first} side won {wins:.0f} of {games} ({wins / games:.0%}, interval {low:.0%} to {high:.0%}).",
        "", HEAD.format(first), f"|{' --- |' * 5}",
    ]  # fmt: skip
    by_name = {name: differences for name, _, differences in standing.swings}
    ordered = standing.sorted(0)
    for name, one, margin in ordered:
        words = (one.title, one.low.said, one.high.said, told(margin, 1.0), told(by_name[name][1], 100.0))
        lines.append(f"| {' | '.join(words)} |")
    sure = [one.title for _, one, margin in ordered if margin.decided()]
    lines += ["", f"Sure so far: {'; '.join(sure)}." if sure else "Nothing is sure yet."]
    return "\n".join(lines)


def row(game: Game, words: str, wish: Wish) -> str:
    """A change held against the game as shipped, on the same dice; played once and then remembered."""
    kept = wish.keep / wish.player / f"{game.id} {re.sub(r'[^a-z0-9=-]', '-', words)}.json"
    found: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8")) if kept.is_file() else {}
    if found.get("pairs", 0) < wish.compared:
        before = wish.match(game)
        figures = [Figure.parse("margin", game), Figure.parse(f"winner {game.sides[0]}", game)]
        *_, last = compare(
            before, against(before, game, [words]), figures, wish.compared, executor=wish.executor
        )  # fmt: skip
        found = {"pairs": wish.compared, "differences": [one.as_json() for one in last.differences]}
        kept.parent.mkdir(parents=True, exist_ok=True)
        write_whole(kept, json.dumps(found))
    margin, won = found["differences"]
    name = game.options[words.partition("=")[0]].title
    cells = (
        game.title, f"{name}: {words.partition('=')[2]}", str(margin["pairs"]),
        f"{margin['before']:.1f}, {margin['after']:.1f}", _change(margin, 1.0),
        f"{100 * won['before']:.0f} %, {100 * won['after']:.0f} %", _change(won, 100.0),
    )  # fmt: skip
    return f"| {' | '.join(cells)} |"


def _change(one: dict[str, Any], scale: float) -> str:
    """A difference with its interval.

    >>> _change({"difference": 0.5, "interval": [0.25, 0.75]}, 100.0), _change({"difference": 1, "interval": None}, 1.0)
    ('+50.0 (+25.0 to +75.0)', '+1.0 (too few pairs)')
    """
    between = one["interval"]
    limits = f"{scale * between[0]:+.1f} to {scale * between[1]:+.1f}" if between else "too few pairs"
    return f"{scale * one['difference']:+.1f} ({limits})"


def put(page: str, part: str, text: str) -> str:
    """A page with one of its parts written anew: what stands between its two marks.

    >>> put("a <!-- x -->old<!-- /x --> b", "x", "new").splitlines()
    ['a <!-- x -->', '', 'new', '', '<!-- /x --> b']
    """
    marks = f"<!-- {part} -->", f"<!-- /{part} -->"
    if not all(mark in page for mark in marks):
        raise LadogaError(f"the page has no part called {part!r}")
    before, _, rest = page.partition(marks[0])
    return f"{before}{marks[0]}\n\n{text}\n\n{marks[1]}{rest.partition(marks[1])[2]}"


def measure(wish: Wish, games: Sequence[Game], changes: Sequence[tuple[str, str]], page: Path | None) -> None:
    """Play everything, and put each part into the page as soon as it is there."""

    def tell(part: str, text: str) -> None:
        print(f"{part}\n\n{text}\n", flush=True)
        if page is not None:
            write_whole(page, put(page.read_text(encoding="utf-8"), part, text))

    thinks = "" if wish.think is None else f", with {wish.think:g} s of thought a player-turn"
    for game in games:
        tell(game.id, section(game, wish, ranges(game)))
    if changes:
        rows = [row(load_game(game_id), words, wish) for game_id, words in changes]
        tell("changes", "\n".join([COMPARED, f"|{' --- |' * 7}", *rows]))
    if {game.id for game in games} >= {game.id for game in judged()}:
        tell("players", f"All games here are **{wish.player} against {wish.player}**{thinks}.")


def main(words: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Measure what the judged figures do, and rewrite the balance page.")
    parser.add_argument("games", nargs="*", help="games to measure, all that have ranges without")
    parser.add_argument("--player", default="staff", help="who plays both sides; staff if not given")
    parser.add_argument("--think", type=float, help="seconds a player-turn for players who search")
    parser.add_argument("--pairs", type=int, default=20, help="mirrored pairs a game")
    parser.add_argument("--compared", type=int, default=10, help="pairs for each change")
    parser.add_argument("--against", nargs=2, action="append", default=[], metavar=("GAME", "OPTION=VALUE"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--keep", type=Path, default=Path(".balance"), help="the folder that keeps the games")
    parser.add_argument("--page", type=Path, help="the page to put the tables into; without, they are only printed")
    asked = parser.parse_args(words)
    games = [load_game(game_id) for game_id in asked.games] or judged()
    changes = [(game_id, change) for game_id, change in asked.against if game_id in {game.id for game in games}]
    with ProcessPoolExecutor(asked.workers) if asked.workers > 1 else nullcontext() as executor:
        wish = Wish(asked.player, asked.pairs, asked.compared, asked.keep, asked.think, asked.seed, executor)
        measure(wish, games, changes, asked.page)


if __name__ == "__main__":
    main()
