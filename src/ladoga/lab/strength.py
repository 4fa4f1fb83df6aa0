"""How strong the players are: ``python -m ladoga.lab.strength`` measures and rewrites docs/strength.md.

Games are unfair to one side, so the unit of measure is a pair: two games on the same dice with the
sides swapped. A pair goes to the player who won more of its two games, or, one each, to the one with
the better margins over both. Shares come with Wilson 95 % intervals. Only the rows of what was measured
are rewritten, so that games can be measured one by one, also at the same time. The laboratory plays the
games; nothing imports this module.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from ..kernel.errors import LadogaError
from ..kernel.files import write_whole
from ..kernel.game import game_ids, load_game
from ..players.tuning import tuning
from .keep import keeping, kept
from .simulate import Match, Played, simulate
from .tournament import pair_point, point, share

LADDER = (("greedy", "random"), ("staff", "greedy"), ("general", "staff"))
MARK = "<!-- measured -->"
PLAYERS = ("| Game | Players | Pairs | Pairs won (95 %) | Games won |", "| --- | --- | --- | --- | --- |")
GAMES = ("| Game | Staff against staff | Figure |", "| --- | --- | --- |")


class Lab(NamedTuple):
    """Where the games are played, and kept so that a stopped run can go on."""

    seed: int = 1
    executor: Executor | None = None
    folder: Path | None = None

    def play(self, game_id: str, players: Mapping[str, str], games: int, *, watch: bool = False) -> list[Played]:
        """So many games between two players, in order; a game that broke ends the measurement."""
        match = Match(game_id, players, self.seed)
        path = self.folder / f"{game_id}-{'-'.join(players.values())}.jsonl" if self.folder else None
        done = kept(path, match, watched=watch) if path else []
        before = {one.index for one in done}
        with keeping(path, match, done) as keep:
            for one in simulate(match, games, executor=self.executor, chunk=1, skip=before, watch=watch):
                if one.error:
                    raise LadogaError(f"{game_id}, {dict(players)}, game {one.index}: {one.error}")
                keep(one)
                done.append(one)
        return sorted((one for one in done if one.index < games), key=lambda one: one.index)


class Rung(NamedTuple):
    """One player against the one below, over side-swapped pairs."""

    game: str
    better: str
    worse: str
    pairs: int
    won: float
    games_won: float
    by_side: dict[str, float]

    @property
    def row(self) -> str:
        """A line of the table."""
        sides = ", ".join(f"{wins:g} as {side}" for side, wins in self.by_side.items())
        games = f"{self.games_won:g} of {2 * self.pairs} ({sides})"
        won = share(self.won, self.pairs)
        return f"| {self.game} | {self.better} over {self.worse} | {self.pairs} | {won} | {games} |"


def rung(lab: Lab, game_id: str, better: str, worse: str, pairs: int) -> Rung:
    """Play so many pairs."""
    first, second = load_game(game_id).sides
    ahead = lab.play(game_id, {first: better, second: worse}, pairs)
    behind = lab.play(game_id, {first: worse, second: better}, pairs)
    won = sum(pair_point(one, other, first) for one, other in zip(ahead, behind, strict=True))
    by_side = {first: _wins(ahead, first), second: _wins(behind, second)}
    return Rung(game_id, better, worse, pairs, won, sum(by_side.values()), by_side)


def _wins(games: Iterable[Played], side: str) -> float:
    return sum(point(one.winner, side) for one in games)


def plausibility(lab: Lab, game_id: str, games: int) -> list[str]:
    """Staff against staff: who wins, how long a player-turn takes, and what the notes lead one to expect."""
    sides = load_game(game_id).sides
    played = lab.play(game_id, dict.fromkeys(sides, "staff"), games, watch=True)
    figures = [(f"{side} wins", share(_wins(played, side), games)) for side in sides]
    turns = [spent for one in played for shot in one.snapshots for spent in shot.seconds.values()]
    figures.append(("median thinking a player-turn", f"{statistics.median(turns):.2f} s"))
    whole = statistics.median(sum(sum(shot.seconds.values()) for shot in one.snapshots) for one in played)
    figures.append(("median thinking a game", f"{whole:.1f} s"))
    for expected in tuning(game_id).expect:
        hexes = set(expected.hexes)
        met = sum(
            any(hexes & set(shot.held.get(expected.side, ())) for shot in one.snapshots if shot.turn <= expected.by)
            for one in played
        )
        figures.append((expected.text, f"{met} of {games} games"))
    return [f"| {game_id} | {text} | {figure} |" for text, figure in figures]


def measure(lab: Lab, games: Sequence[str], pairs: int, searched: int, page: Path | None) -> None:
    """Measure each game, and put its rows into the page as soon as they are there."""
    for game_id in games:
        players = []
        for better, worse in LADDER:
            count = searched if better == "general" else pairs
            if count:
                players.append(rung(lab, game_id, better, worse, count).row)
                print(players[-1], flush=True)
        figures = plausibility(lab, game_id, pairs) if pairs else []
        print("\n".join(figures), flush=True)
        if page is not None:
            with _alone(page):
                write_whole(page, updated(page.read_text(encoding="utf-8"), players, figures))


def updated(text: str, players: Sequence[str], games: Sequence[str]) -> str:
    """The page with new rows in the place of those they replace; all other rows stay.

    A row about players replaces the one about the same two in the same game; the rows of a game on its
    staff are replaced together."""
    head, _, rest = text.partition(MARK)
    old, _, tail = rest.partition(MARK)
    rows = [line for line in old.splitlines() if line.startswith("| ") and line not in (*PLAYERS, *GAMES)]
    pairs = {_cells(row)[:2]: row for row in (*rows, *players) if len(_cells(row)) == 5}
    known = [row for row in rows if len(_cells(row)) == 3]
    notes = {game: list(lines) for game, lines in groupby(known, key=_game)} | {
        game: list(lines) for game, lines in groupby(games, key=_game)
    }
    order = game_ids()
    rungs = [f"{better} over {worse}" for better, worse in LADDER]
    ladder = [pairs[game, players] for game in order for players in rungs if (game, players) in pairs]
    staff = [row for game in order for row in notes.get(game, ())]
    return "\n".join((f"{head}{MARK}", *PLAYERS, *ladder, "", *GAMES, *staff, f"{MARK}{tail}"))


def _cells(row: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in row.strip("| ").split(" | "))


def _game(row: str) -> str:
    return _cells(row)[0]


@contextmanager
def _alone(page: Path) -> Iterator[None]:
    """Nobody else rewrites a page in the same folder meanwhile."""
    folder = os.open(page.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Measure the players and rewrite the strength page.")
    parser.add_argument("games", nargs="*", help="games to measure, all without")
    parser.add_argument("--pairs", type=int, default=20, help="pairs a rung, and games of staff against staff")
    parser.add_argument("--searched", type=int, default=12, help="pairs for the general, who is slow")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="a folder that keeps the games, so that a stopped run goes on")
    parser.add_argument("--page", type=Path, help="the page to put the rows into; without, they are only printed")
    asked = parser.parse_args()
    games = asked.games or game_ids()
    if asked.workers < 2:
        measure(Lab(asked.seed, None, asked.keep), games, asked.pairs, asked.searched, asked.page)
        return
    with ProcessPoolExecutor(asked.workers) as executor:
        measure(Lab(asked.seed, executor, asked.keep), games, asked.pairs, asked.searched, asked.page)


if __name__ == "__main__":
    main()
