"""Fits the forecast of Tijvin 1941 on games between staffs of changing tempers.

    python -m ladoga.players.doctrines.tijvin_staff.fit --games 200 --keep games.jsonl

What is seen of a position (``forecast.Measures``) is noted when the first headquarters of a turn may act. What it is
worth on some turns, on a line between them, is a regression of the final points, held to what it was before where games
do not tell, and to a smooth course from turn to turn. What stands exposed shows in the next turn or never, so that its
worth is a regression of the next turn's forecast. Prints the lines to put into ``tuning/judgement``.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise
from operator import mul
from typing import Any, NamedTuple

from ....games.tijvin.position import TijvinPosition
from ....kernel.chance import Dice
from ....kernel.game import load_game
from ...fitting import Evidence, courses, lines, options, played, variance
from ...judgement import on_turn
from ...staff import StaffPlayer
from .forecast import Measures, measures, weights_of

GAME = "tijvin-1941"
WORDS = {"attack": 0.7, "safety": 0.7, "push": 0.7, "hunt": 1.2}
"""Words of a temper, and how often doubled or halved at most their weights are."""
USUAL = 0.25
"""How often a side has the usual temper."""
HELD, SMOOTH = 30.0, 60.0
"""How many positions' worth of evidence it takes to leave the weights of before, and the turn's before."""
AROUND = 1
"""Turns before and after a turn whose positions tell what stands exposed then."""


class Sample(NamedTuple):
    """A position and what became of it."""

    turn: int
    seen: Measures
    points: float


def _temper(rng: random.Random) -> dict[str, float]:
    if rng.random() < USUAL:
        return {}
    return {word: 2.0 ** rng.uniform(-most, most) for word, most in WORDS.items()}


def samples(seed: int) -> list[Sample]:
    """The positions of one game."""
    game, rng = load_game(GAME), random.Random(seed)
    dice, rolls = Dice(f"forecast {seed}".encode().ljust(32)), 0
    seats = {side: StaffPlayer() for side in game.sides}
    for seat in seats.values():
        seat.bias = _temper(rng)
    position, noted, turn = game.start(), list[tuple[int, Measures]](), 0
    while (mover := position.to_move) is not None:
        assert isinstance(position, TijvinPosition)
        if position.turn > turn and position.phase.id.endswith("-activation"):
            turn = position.turn
            noted.append((turn, measures(position)))
        chance = position.chance
        if chance is not None:
            order = dice.roll(chance, rolls)
            rolls += 1
        else:
            order = seats[mover].choose(position.view(mover), rng)
        position = position.play(order)
    result = float(sum(entry.points for entry in position.standing.ledger))
    return [Sample(*each, result) for each in noted]


def fitted(found: Sequence[Sample], before: Sequence[tuple[int, Measures]]) -> list[tuple[int, Measures]]:
    """The weights that explain the final points best."""
    trust = [variance([each.seen[n] for each in found]) for n in range(len(Measures._fields))]
    trust[0] = 0.0  # the level is free
    solved = courses([Evidence(*each) for each in found], before, trust, HELD, SMOOTH)
    weights = zip([turn for turn, _ in before], map(Measures._make, solved), strict=True)
    return [(turn, line._replace(exposed=_exposure(found, before, turn))) for turn, line in weights]


def _exposure(found: Sequence[Sample], weights: Sequence[tuple[int, Measures]], turn: int) -> float:
    """By how much the forecast of those around a turn changes until the next, for what stands exposed."""
    plain = [(at, line._replace(exposed=0.0)) for at, line in weights]
    above = below = 0.0
    for at in range(turn - AROUND, turn + AROUND + 1):
        pairs = [
            (now.seen.exposed, _forecast(then, plain) - _forecast(now, plain))
            for now, then in pairwise(found) if now.turn == at and then.turn == at + 1
        ]  # fmt: skip
        if pairs:
            mean, usual = (sum(values) / len(pairs) for values in zip(*pairs, strict=True))
            above += sum((seen - mean) * (change - usual) for seen, change in pairs)
            below += sum((seen - mean) ** 2 for seen, _ in pairs)
    return above / below if below else 0.0


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
    turn, seen, points = told
    return Sample(turn, Measures(*seen), points)


if __name__ == "__main__":
    main()
