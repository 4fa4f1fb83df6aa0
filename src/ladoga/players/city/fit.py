"""Fits the forecast of Leningrad '41 on games between generals of changing tempers.

    python -m ladoga.players.city.fit --games 370 --keep games.jsonl

What is seen of a position (``forecast.Measures``) is noted when a side is to march, for each side by itself. What it is
worth on some turns, on a line between them, is a regression of the objectives held at the end, held to what it was
before where games do not tell, and to a smooth course from turn to turn. Prints the lines for ``tuning/judgement``.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

from ...games.leningrad41.counters import GERMAN, SIDES
from ...games.leningrad41.position import CityPosition
from ...kernel.chance import Dice
from ...kernel.game import load_game
from ..doctrines.leningrad41_staff.forecast import Measures, measures, weights_of
from ..doctrines.leningrad41_staff.weights import tempers
from ..fitting import Evidence, courses, lines, options, played, playout, variance
from ..general import GeneralPlayer

GAME = "leningrad41"
FACTORS = (0.4, 1.0, 2.5)
"""What each word of a temper is multiplied by, at random."""
HELD, SMOOTH = 10.0, 5.0
"""How many positions' worth of evidence it takes to leave the weights of before, and the turn's before."""


class Sample(NamedTuple):
    """A position when a side is to march, and what became of it."""

    side: str
    turn: int
    seen: Measures
    held: float


def samples(seed: int) -> list[Sample]:
    """The positions of one game."""
    game, rng = load_game(GAME), random.Random(seed)
    dice = Dice(f"forecast {seed}".encode().ljust(32))
    seats = {side: GeneralPlayer() for side in SIDES}
    for side, seat in seats.items():
        seat.nature = {word: rng.choice(FACTORS) for word in tempers(side)[1]}
    noted, last = list[tuple[str, int, Measures]](), ""
    for position in playout(game.start(), dice, seats, dict.fromkeys(SIDES, rng)):
        assert isinstance(position, CityPosition)
        if position.to_move and position.phase.id != last and position.phase.id.endswith("-movement"):
            noted.append((str(position.phase.side), position.turn, measures(position)))
        last = position.phase.id
    assert isinstance(position, CityPosition)
    held = float(position.objectives(GERMAN).bit_count())
    return [Sample(*each, held) for each in noted]


def fitted(found: Sequence[Sample], side: str) -> list[tuple[int, Measures]]:
    """The weights that explain the objectives at the end best, for positions in which a side is to march."""
    evidence = [Evidence(each.turn, each.seen, each.held) for each in found if each.side == side]
    trust = [variance([each.seen[n] for each in evidence]) for n in range(len(Measures._fields))]
    trust[0] = 0.0  # the level is free
    before = weights_of(side)
    solved = courses(evidence, before, trust, HELD, SMOOTH)
    return list(zip([turn for turn, _ in before], map(Measures._make, solved), strict=True))


def main() -> None:
    """Play, fit and print."""
    asked = options(__doc__, games=300).parse_args()
    found = list(played(range(asked.seed, asked.seed + asked.games), asked.keep, samples, _read))
    for side in SIDES:
        print(f"{side}:", *lines(fitted(found, side), digits=3), sep="\n  ")


def _read(told: list[Any]) -> Sample:
    side, turn, seen, held = told
    return Sample(side, turn, Measures(*seen), held)


if __name__ == "__main__":
    main()
