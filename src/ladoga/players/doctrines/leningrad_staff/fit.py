"""Fits the forecast of Leningrad on games between generals of changing tempers.

    python -m ladoga.players.doctrines.leningrad_staff.fit leningrad-1979 --games 150 --keep games.jsonl

What is seen of a position (``forecast.Measures``) is noted when a side's phase of movement begins. What it is worth by
turn, on a line between some turns, is a regression of the final margin with what winning is worth, held to nothing
where games do not tell, and to a smooth course from turn to turn. Prints the lines to put into ``tuning/judgement``.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from functools import partial
from operator import mul
from typing import Any, NamedTuple

from ....games.leningrad.position import LeningradPosition
from ....kernel.chance import Dice
from ....kernel.game import load_game
from ....kernel.position import Position
from ...fitting import Evidence, courses, lines, options, played, variance
from ...general import GeneralPlayer
from ...judgement import on_turn
from ...planner.appraisal import Weights
from ...planner.weights import weights_of as planned
from .forecast import NOTHING, WIN, Measures, measures

TURNS = (1, 4, 7, 10, 12)
"""Turns that weights are given for."""
SPREAD = 1.5
"""What weights of a planner are multiplied or divided by, or neither."""
NODES = 200
"""Stands that they judge in a turn."""
HELD, SMOOTH = 60.0, 200.0
"""How many positions' worth of evidence it takes to leave nothing, and the weights of the turns next to it."""


class Sample(NamedTuple):
    """A position and what became of it."""

    side: str
    turn: int
    seen: Measures
    result: float


def _general(game_id: str, side: str, rng: random.Random) -> GeneralPlayer:
    """A general whose weights are changed at random."""
    general, weights = GeneralPlayer(nodes=NODES), planned(game_id, side)
    general.weights = Weights(*(weight * SPREAD ** rng.choice((-1, 0, 1)) for weight in weights))
    return general


def samples(game_id: str, seed: int) -> list[Sample]:
    """The positions of one game."""
    game, rng = load_game(game_id), random.Random(seed)
    dice, rolls = Dice(hashlib.sha256(f"forecast {seed}".encode()).digest()), 0
    seats = {side: _general(game_id, side, rng) for side in game.sides}
    position: Position = game.start()
    noted, phase = list[tuple[str, int, Measures]](), ""
    while (mover := position.to_move) is not None:
        assert isinstance(position, LeningradPosition)
        if position.phase.id != phase and position.phase.id.endswith("-movement"):
            noted.append((position.phase.side, position.turn, measures(position)))
        phase = position.phase.id
        chance = position.chance
        if chance is not None:
            order = dice.roll(chance, rolls)
            rolls += 1
        else:
            order = seats[position.seats[mover]].choose(position.view(mover), rng)
        position = position.play(order)
    first, standing = game.sides[0], position.standing
    margin = sum(float(e.points) * (1 if e.side == first else -1) for e in standing.ledger)
    result = margin + (WIN if standing.winner == first else -WIN)
    return [Sample(*each, result) for each in noted]


def fitted(found: Sequence[Sample]) -> list[tuple[int, Measures]]:
    """The weights that explain best what positions of one side came to."""
    trust = [variance([each.seen[n] for each in found]) for n in range(len(Measures._fields))]
    trust[0] = 0.0  # the level is free
    before = [(turn, NOTHING) for turn in TURNS]
    solved = courses([Evidence(*each[1:]) for each in found], before, trust, HELD, SMOOTH)
    return [(turn, Measures._make(line)) for turn, line in zip(TURNS, solved, strict=True)]


def explained(found: Sequence[Sample], weights: Sequence[tuple[int, Measures]]) -> float:
    """The part of the results' spread that weights explain."""
    wrong = 0.0
    for each in found:
        wrong += (sum(map(mul, on_turn(weights, each.turn), each.seen)) - each.result) ** 2
    return 1 - wrong / len(found) / variance([each.result for each in found])


def main() -> None:
    """Play, fit and print."""
    parser = options(__doc__, games=150)
    parser.add_argument("game")
    asked = parser.parse_args()
    seeds = range(asked.seed, asked.seed + asked.games)
    found = list(played(seeds, asked.keep, partial(samples, asked.game), _read))
    for side in load_game(asked.game).sides:
        ours = [each for each in found if each.side == side]
        weights = fitted(ours)
        print(f"# explains {explained(ours, weights):.0%} of the spread")
        print(f"{side}:", *(f"  {line}" for line in lines(weights, digits=3)), sep="\n")


def _read(told: list[Any]) -> Sample:
    side, turn, seen, result = told
    return Sample(side, turn, Measures(*seen), result)


if __name__ == "__main__":
    main()
