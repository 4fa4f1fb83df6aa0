"""How strong the players are: ``python -m ladoga.lab.strength`` measures and rewrites docs/strength.md.

Games are unfair to one side, so the unit of measure is a pair: two games on the same dice with the
sides swapped. A pair goes to the player who won more of its two games, or, one each, to the one with
the better margins over both. Shares come with Wilson 95 % intervals. The laboratory plays the games;
nothing imports this module.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from ..kernel.game import game_ids, load_game
from ..players.tuning import tuning
from .simulate import Match, Played, lead, simulate
from .tournament import wilson

LADDER = (("greedy", "random"), ("staff", "greedy"), ("general", "staff"))
MARK = "<!-- measured -->"


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
        low, high = wilson(self.won, self.pairs)
        sides = ", ".join(f"{wins:g} as {side}" for side, wins in self.by_side.items())
        share = f"{self.won / self.pairs:.0%} ({low:.0%} to {high:.0%})"
        games = f"{self.games_won:g} of {2 * self.pairs} ({sides})"
        return f"| {self.game} | {self.better} over {self.worse} | {self.pairs} | {share} | {games} |"


def rung(game_id: str, better: str, worse: str, pairs: int, seed: int, executor: Executor | None) -> Rung:
    """Play so many pairs."""
    sides = load_game(game_id).sides
    first, second = sides
    ahead = list(simulate(Match(game_id, {first: better, second: worse}, seed), pairs, executor=executor, chunk=1))
    behind = list(simulate(Match(game_id, {first: worse, second: better}, seed), pairs, executor=executor, chunk=1))
    by_index = {one.index: one for one in behind}
    won = sum(_pair(one, by_index[one.index], first) for one in ahead)
    by_side = {first: _wins(ahead, first), second: _wins(behind, second)}
    return Rung(game_id, better, worse, pairs, won, sum(by_side.values()), by_side)


def _pair(ahead: Played, behind: Played, first: str) -> float:
    """The better player's point of a pair: it played the first side in one game, the second in the other."""
    score = _point(ahead, first) - _point(behind, first)
    if not score:
        score = lead(ahead.winner, ahead.margin, first) - lead(behind.winner, behind.margin, first)
    return 1.0 if score > 0 else 0.5 if score == 0 else 0.0


def _point(one: Played, side: str) -> float:
    return 0.5 if one.winner is None else float(one.winner == side)


def _wins(games: Iterable[Played], side: str) -> float:
    return sum(_point(one, side) for one in games)


def plausibility(game_id: str, games: int, seed: int, executor: Executor | None) -> list[str]:
    """Staff against staff: who wins, how long a player-turn takes, and what the notes lead one to expect."""
    sides = load_game(game_id).sides
    match = Match(game_id, dict.fromkeys(sides, "staff"), seed)
    played = list(simulate(match, games, executor=executor, chunk=1, watch=True))
    wins = ", ".join(f"{side} {_wins(played, side):g}" for side in sides)
    pace = statistics.median(one.seconds / (2 * max(one.turns, 1)) for one in played)
    lines = [f"| {game_id} | wins of {games}: {wins} | {pace:.2f} s a player-turn |"]
    for expected in tuning(game_id).expect:
        hexes = set(expected.hexes)
        met = sum(
            any(hexes & set(shot.held.get(expected.side, ())) for shot in one.snapshots if shot.turn <= expected.by)
            for one in played
        )
        lines.append(f"| {game_id} | {expected.text} | {met} of {games} games |")
    return lines


def report(games: Sequence[str], pairs: int, searched: int, seed: int, executor: Executor | None) -> str:
    """The measured part of the page."""
    ladder = ["| Game | Players | Pairs | Pairs won (95 %) | Games won |", "| --- | --- | --- | --- | --- |"]
    notes = ["| Game | Staff against staff | Figure |", "| --- | --- | --- |"]
    for game_id in games:
        for better, worse in LADDER:
            count = searched if better == "general" else pairs
            if count:
                ladder.append(rung(game_id, better, worse, count, seed, executor).row)
                print(ladder[-1], flush=True)
        notes += plausibility(game_id, pairs, seed, executor)
        print(notes[-1], flush=True)
    return "\n".join([*ladder, "", *notes])


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Measure the players and rewrite the strength page.")
    parser.add_argument("games", nargs="*", help="games to measure, all without")
    parser.add_argument("--pairs", type=int, default=20, help="pairs a rung, and games of staff against staff")
    parser.add_argument("--searched", type=int, default=6, help="pairs for the general, who is slow")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--page", type=Path, default=Path("docs/strength.md"))
    asked = parser.parse_args()
    with ProcessPoolExecutor(asked.workers) as executor:
        text = report(asked.games or game_ids(), asked.pairs, asked.searched, asked.seed, executor)
    if asked.page.exists():
        head, _, rest = asked.page.read_text(encoding="utf-8").partition(MARK)
        tail = rest.partition(MARK)[2]
        asked.page.write_text(f"{head}{MARK}\n{text}\n{MARK}{tail}", encoding="utf-8")


if __name__ == "__main__":
    main()
