"""Fits the forecast of Tijvin 1941 on games between staffs of changing tempers.

    python -m ladoga.players.doctrines.tijvin_staff.fit --games 200 --keep games.jsonl

What is seen of a position (``forecast.Measures``) is noted when a turn's first headquarters may act, and now and then
when another may. What it is worth on each turn is a regression of the final points, and of what the forecast of some
turns later makes of the same game, held to what it was before where games do not tell, and to a smooth course from turn
to turn. Prints the lines to put into ``tuning/judgement``.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from operator import mul
from typing import Any, NamedTuple

from ....games.tijvin.position import TijvinPosition
from ....kernel.chance import Dice
from ....kernel.game import load_game
from ...fitting import Evidence, courses, lines, options, played, playout, variance
from ...judgement import on_turn
from ...staff import StaffPlayer
from .forecast import Measures, measures, weights_of

GAME = "tijvin-1941"
WORDS = {
    "attack": 0.8, "safety": 1.5, "push": 1.0, "hunt": 1.2, "bold": 0.8, "early": 2.0, "late": 1.2, "major": 0.6,
    "minor": 1.0, "back": 1.2, "leash": 1.2, "unfed": 1.2, "cut": 1.2, "lines": 1.2, "least": 1.2, "giving": 1.5,
    "guns": 1.2, "effort": 1.5,
}  # fmt: skip
"""Words of a temper, and how often doubled or halved at most their weights are."""
USUAL = 0.25
"""How often a side has the usual temper."""
HELD, SMOOTH = 30.0, 60.0
"""How many positions' worth of evidence it takes to leave the weights of before, and the turn's before."""
NOTED = 0.35
"""How often a position is noted when another headquarters may act."""
AHEAD = {1: 0.5, 3: 0.3}
"""After how many turns the forecast is looked at, and how much it counts beside the final points."""


class Sample(NamedTuple):
    """A position and what became of it."""

    turn: int
    seen: Measures
    points: float
    first: bool = True
    """Whether it was the first of its turn."""


def _temper(rng: random.Random) -> dict[str, float]:
    if rng.random() < USUAL:
        return {}
    return {word: 2.0 ** rng.uniform(-most, most) for word, most in WORDS.items()}


def samples(seed: int) -> list[Sample]:
    """The positions of one game."""
    game, rng = load_game(GAME), random.Random(seed)
    dice = Dice(f"forecast {seed}".encode().ljust(32))
    seats = {side: StaffPlayer() for side in game.sides}
    for seat in seats.values():
        seat.bias = _temper(rng)
    noted, turn = list[tuple[int, Measures, bool]](), 0
    for position in playout(game.start(), dice, seats, dict.fromkeys(game.sides, rng)):
        assert isinstance(position, TijvinPosition)
        first = position.turn > turn
        if position.to_move and position.stage == "activation" and (first or rng.random() < NOTED):
            turn = position.turn
            noted.append((turn, measures(position), first))
    result = float(sum(entry.points for entry in position.standing.ledger))
    return [Sample(turn, seen, result, first) for turn, seen, first in noted]


def fitted(found: Sequence[Sample], before: Sequence[tuple[int, Measures]]) -> list[tuple[int, Measures]]:
    """The weights that explain best what becomes of positions: first the final points alone, then with them what these
    weights make of the same game some turns later."""
    trust = [variance([each.seen[n] for each in found]) for n in range(len(Measures._fields))]
    trust[0] = 0.0  # the level is free
    turns, weights = [turn for turn, _ in before], list(before)
    for results in ([each.points for each in found], None):
        aims = results or _aims(found, weights)
        evidence = [Evidence(each.turn, each.seen, aim) for each, aim in zip(found, aims, strict=True)]
        weights = list(zip(turns, map(Measures._make, courses(evidence, before, trust, HELD, SMOOTH)), strict=True))
    return weights


def _aims(found: Sequence[Sample], weights: Sequence[tuple[int, Measures]]) -> list[float]:
    """For each position the final points and the forecast some turns later, if the game went on so long."""
    aims, later = list[float](), dict[int, float]()
    for each, after in zip(reversed(found), [None, *reversed(found)], strict=False):
        if after is None or after.turn < each.turn or after.points != each.points:
            later = {}  # another game
        told = [(later.get(each.turn + turns, each.points), share) for turns, share in AHEAD.items()]
        aims.append(each.points + sum(share * (value - each.points) for value, share in told))
        if each.first:
            later[each.turn] = _forecast(each, weights)
    return aims[::-1]


def _forecast(sample: Sample, weights: Sequence[tuple[int, Measures]]) -> float:
    return float(sum(map(mul, on_turn(weights, sample.turn), sample.seen)))


def explained(found: Sequence[Sample], weights: Sequence[tuple[int, Measures]]) -> float:
    """The part of the final points' spread that weights explain."""
    wrong = sum((_forecast(each, weights) - each.points) ** 2 for each in found)
    return 1 - wrong / len(found) / variance([each.points for each in found])


def main() -> None:
    """Play, fit and print."""
    asked = options(__doc__, games=200).parse_args()
    found = list(played(range(asked.seed, asked.seed + asked.games), asked.keep, samples, _read))
    before = weights_of(GAME)
    weights = fitted(found, before)
    print(f"# explains {explained(found, weights):.0%} of the spread of points, {explained(found, before):.0%} before")
    print(*lines(weights, digits=3), sep="\n")


def _read(told: list[Any]) -> Sample:
    turn, seen, points, first = told
    return Sample(turn, Measures(*seen), points, first)


if __name__ == "__main__":
    main()
