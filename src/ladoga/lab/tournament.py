"""Tournaments: side-swapped pairs, intervals that say how sure we are, and ratings.

Games are unfair to one side, so players are compared in pairs: the same dice, sides swapped.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Protocol

from ..kernel.game import load_game
from .simulate import Match, Played, Shown, lead, simulate, unseen


def wilson(wins: float, games: int, z: float = 1.96) -> tuple[float, float]:
    """The Wilson interval of a share: where the true one lies, 95 times of 100.

    >>> low, high = wilson(90, 100)
    >>> round(low, 3), round(high, 3)
    (0.826, 0.945)
    """
    if games == 0:
        return 0.0, 1.0
    share = wins / games
    spread = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    middle, scale = share + z * z / (2 * games), 1 + z * z / games
    return (middle - spread) / scale, (middle + spread) / scale


def share(won: float, of: int) -> str:
    """A share with its interval.

    >>> share(19, 20)
    '95% (76% to 99%)'
    """
    low, high = wilson(won, of)
    return f"{won / of:.0%} ({low:.0%} to {high:.0%})"


class Ended(Protocol):
    """A game that is over."""

    @property
    def winner(self) -> str | None:
        """The side that won, none after a draw."""

    @property
    def margin(self) -> float:
        """By how much, as the game counts it."""


def point(winner: str | None, side: str) -> float:
    """A side's point of a game.

    >>> point("german", "german"), point(None, "german"), point("soviet", "german")
    (1.0, 0.5, 0.0)
    """
    return 0.5 if winner is None else float(winner == side)


def pair_point(ahead: Ended, behind: Ended, first: str) -> float:
    """A player's point of a pair: it played the first side in one game, the second in the other. A pair goes to who won
    more of its games or, one each, to who has the better margins over both."""
    score = point(ahead.winner, first) - point(behind.winner, first)
    if not score:
        score = lead(ahead.winner, ahead.margin, first) - lead(behind.winner, behind.margin, first)
    return 1.0 if score > 0 else 0.5 if score == 0 else 0.0


@dataclass(frozen=True)
class Pairing:
    """One player against another over both sides."""

    first: str
    second: str
    wins: float
    games: int
    by_side: dict[str, float]
    """Wins of the first player for each side it played."""
    margin: float
    """Mean margin in favour of the first player."""

    @property
    def interval(self) -> tuple[float, float]:
        """Where the first player's true share of wins lies."""
        return wilson(self.wins, self.games)


@dataclass(frozen=True)
class Standings:
    """A tournament played: every pairing and a rating for each player.

    >>> pairing = Pairing("staff", "greedy", 15, 20, {"german": 8, "soviet": 7}, 12.0)
    >>> print(Standings("tijvin-1941", (pairing,), ratings([pairing])).as_text().splitlines()[3])
      staff against greedy: 15 of 20, 75.0% (53.1% to 88.8%); 8 as german, 7 as soviet
    """

    game: str
    pairings: tuple[Pairing, ...]
    ratings: dict[str, float]

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "game": self.game,
            "ratings": self.ratings,
            "pairings": [
                {
                    "first": p.first, "second": p.second, "wins": p.wins, "games": p.games,
                    "share": p.wins / p.games, "interval": list(p.interval), "by_side": p.by_side, "margin": p.margin,
                }
                for p in self.pairings
            ],
        }  # fmt: skip

    def as_text(self) -> str:
        """A table for people."""
        lines = [f"{self.game}: ratings"]
        for name, rating in sorted(self.ratings.items(), key=lambda item: -item[1]):
            lines.append(f"  {name:10} {rating:+7.0f}")
        for p in self.pairings:
            low, high = p.interval
            sides = ", ".join(f"{wins:g} as {side}" for side, wins in p.by_side.items())
            share = f"{p.wins / p.games:.1%} ({low:.1%} to {high:.1%})"
            lines.append(f"  {p.first} against {p.second}: {p.wins:g} of {p.games}, {share}; {sides}")
        return "\n".join(lines)


def tournament(
    game_id: str,
    players: Sequence[str],
    pairs: int,
    *,
    seed: int = 0,
    executor: Executor | None = None,
    think: float | None = None,
    scenario: str | None = None,
    options: Mapping[str, Any] | None = None,
    data: str | None = None,
    shown: Shown = unseen,
) -> Standings:
    """Every player against every other, so many side-swapped pairs of games each. The games go through ``shown``
    as they are played, with their number and what they are called.

    >>> players = ["random", "ladoga.players.player:RandomPlayer"]
    >>> [pairing.games for pairing in tournament("tijvin-1941", players, pairs=1, seed=4).pairings]
    [2]
    """
    sides = load_game(game_id).sides
    pairings = []
    chunk = max(1, min(10, pairs // 8))
    for first, second in combinations(dict.fromkeys(players), 2):
        played: list[tuple[str, Played]] = []
        for side in sides:
            other = next(s for s in sides if s != side)
            match = Match(game_id, {side: first, other: second}, seed, scenario, options or {}, data, think)
            games = simulate(match, pairs, executor=executor, chunk=chunk)
            played += [(side, one) for one in shown(games, pairs, f"{first} as {side}, {second}")]
        pairings.append(_pairing(first, second, played, sides))
    return Standings(game_id, tuple(pairings), ratings(pairings))


def _pairing(first: str, second: str, played: Iterable[tuple[str, Played]], sides: Sequence[str]) -> Pairing:
    by_side = dict.fromkeys(sides, 0.0)
    margin, games = 0.0, 0
    for side, one in played:
        games += 1
        by_side[side] += 1.0 if one.winner == side else 0.5 if one.winner is None else 0.0
        margin += lead(one.winner, one.margin, sides[0]) * (1 if side == sides[0] else -1)
    return Pairing(first, second, sum(by_side.values()), games, by_side, margin / max(games, 1))


def ratings(pairings: Iterable[Pairing]) -> dict[str, float]:
    """Bradley-Terry strengths on the Elo scale, mean zero; half a win is added to both sides of every
    pairing, so that a player who never lost still has a number."""
    every = list(pairings)
    names = sorted({name for p in every for name in (p.first, p.second)})
    strength = dict.fromkeys(names, 1.0)
    for _ in range(200):
        for name in names:
            won = met = 0.0
            for p in every:
                if name in (p.first, p.second):
                    other = p.second if name == p.first else p.first
                    won += (p.wins if name == p.first else p.games - p.wins) + 0.5
                    met += (p.games + 1) / (strength[name] + strength[other])
            strength[name] = won / met
    mean = sum(math.log10(s) for s in strength.values()) / max(len(names), 1)
    return {name: round(400 * (math.log10(s) - mean), 1) for name, s in strength.items()}
