"""Fits the forecast of Leningrad on games between generals of changing tempers.

    python -m ladoga.players.doctrines.leningrad_staff.fit leningrad-1979 --games 150 --keep games.jsonl

What is seen of a position (``forecast.Measures``) is noted when a side's phase of movement begins. What it is worth by
turn, on a line between some turns, is a regression of what is forecast a little later in the game, and in the end of
the final margin with what winning is worth: a forecast has less luck in it than a result. It is held to what is usual
where games do not tell, to a smooth course from turn to turn, and to the sign that it must have: games in which those
who lose more also march better would say that losses are good. Prints the lines to put into ``tuning/judgement``.
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
from ...fitting import lines, options, played, playout, variance
from ...general import GeneralPlayer
from ...judgement import on_turn
from ...planner.appraisal import Weights
from ...planner.weights import weights_of as planned
from .forecast import WIN, Measures, measures

TURNS = (1, 4, 7, 10, 12)
"""Turns that weights are given for."""


class Shares(NamedTuple):
    """How near a turn is to each of these."""

    first: float
    second: float
    third: float
    fourth: float
    last: float


KNOTS = [(turn, Shares(*(float(other == turn) for other in TURNS))) for turn in TURNS]
SPREAD = 1.5
"""What weights of a planner are multiplied or divided by, or neither."""
NODES = 200
"""Stands that they judge in a turn."""
HELD, SMOOTH, FREE = 30.0, 100.0, 0.5
"""How many positions' worth of evidence it takes to leave what is usual, and the weights of the turns next to it; the
same for the level."""
LATER = 0.6
"""How much of what is aimed at lies one player-turn further on."""
ROUNDS, SWEEPS, STILL = 6, 200, 1e-4
"""How often all is fitted to what is forecast, weight by weight, until nothing changes by more."""
USUAL: dict[str, tuple[float, ...]] = {
    "infantry": (1.0, 1.0, 0.8, 0.4, 0.1), "panzers": (2.5, 2.5, 2.0, 1.5, 0.8), "lost": (-1.0,) * 5,
    "held": (0.2, 0.2, 0.3, 0.5, 0.8), "rifles": (-1.0, -1.0, -0.7, -0.4, -0.2),
    "armored": (-1.5, -1.5, -1.0, -0.5, -0.2), "defence": (-0.1, -0.1, -0.1, -0.05, 0.0),
    "hungry_infantry": (-0.2, -0.2, -0.2, -0.15, -0.1), "hungry_panzers": (-0.5, -0.5, -0.5, -0.5, -0.3),
    "starving": (0.4, 0.4, 0.3, 0.2, 0.1),
}  # fmt: skip
"""What is usual, on the turns above, where it is not nothing."""
BAD = frozenset(
    (
        "lost", "hungry_infantry", "hungry_panzers", "rifles", "armored", "defence", "inside", "near", "around",
        "behind", "garrison", "walls", "armor", "fortified", "forts",
    )
)  # fmt: skip
"""What cannot be good for the Germans; the rest cannot be bad for them ..."""
MOVER = frozenset(("blows", "worst", "march", "cut"))
"""... but for what the side can do whose player-turn begins."""


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
    dice = Dice(hashlib.sha256(f"forecast {seed}".encode()).digest())
    seats = {side: _general(game_id, side, rng) for side in game.sides}
    noted, phase = list[tuple[str, int, Measures]](), ""
    for position in playout(game.start(), dice, seats, dict.fromkeys(game.sides, rng)):
        assert isinstance(position, LeningradPosition)
        if position.to_move and position.phase.id != phase and position.phase.id.endswith("-movement"):
            noted.append((position.phase.side, position.turn, measures(position)))
        phase = position.phase.id
    first, standing = game.sides[0], position.standing
    margin = sum(float(e.points) * (1 if e.side == first else -1) for e in standing.ledger)
    result = margin + (WIN if standing.winner == first else -WIN)
    return [Sample(*each, result) for each in noted]


class Course:
    """The weights of positions in which one side's player-turn begins."""

    def __init__(self, found: Sequence[Sample], *, german: bool) -> None:
        wide = len(Measures._fields)
        self.mean = [sum(each.seen[n] for each in found) / len(found) for n in range(wide)]
        self.mean[0] = 0.0
        self.rows = [
            [
                (wide * knot + n, share * (value - self.mean[n]))
                for knot, share in enumerate(on_turn(KNOTS, each.turn)) if share
                for n, value in enumerate(each.seen) if value != self.mean[n]
            ]
            for each in found
        ]  # fmt: skip
        trust = [variance([each.seen[n] for each in found]) for n in range(wide)]
        size = wide * len(TURNS)
        self.left = [[0.0] * size for _ in range(size)]
        self.weights = [
            USUAL.get(name, (0.0,) * len(TURNS))[knot] for knot in range(len(TURNS)) for name in Measures._fields
        ]
        self.signs = [_sign(name, german=german) for _ in TURNS for name in Measures._fields]
        for at in range(size):
            free = at % wide == 0
            self.left[at][at] += FREE if free else HELD * trust[at % wide]
            if at >= wide:
                smooth = 1.0 if free else SMOOTH * trust[at % wide]
                for a, b, sign in ((at, at, 1), (at - wide, at - wide, 1), (at, at - wide, -1), (at - wide, at, -1)):
                    self.left[a][b] += sign * smooth
        self.usual = [sum(map(mul, line, self.weights)) for line in self.left]
        for row in self.rows:
            for a, x in row:
                line = self.left[a]
                for b, y in row:
                    line[b] += x * y

    def solve(self, aims: Sequence[float]) -> list[float]:
        """Fit the weights to what is aimed at; what they come to then."""
        right = self.usual.copy()
        for row, aim in zip(self.rows, aims, strict=True):
            for a, x in row:
                right[a] += x * aim
        for _ in range(SWEEPS):
            if self._sweep(right) < STILL:
                break
        return [sum(x * self.weights[a] for a, x in row) for row in self.rows]

    def _sweep(self, right: Sequence[float]) -> float:
        """Set each weight to what is best as the others are, with its sign; how far the one went that went furthest."""
        most, weights = 0.0, self.weights
        for a, line in enumerate(self.left):
            new = weights[a] - (sum(map(mul, line, weights)) - right[a]) / line[a]
            if new * self.signs[a] < 0:
                new = 0.0
            most, weights[a] = max(most, abs(new - weights[a])), new
        return most

    def lines(self) -> list[tuple[int, Measures]]:
        """The weights by turn."""
        found, wide = [], len(Measures._fields)
        for knot, turn in enumerate(TURNS):
            line = self.weights[wide * knot : wide * (knot + 1)]
            found.append((turn, Measures(line[0] - sum(map(mul, line, self.mean)), *line[1:])))
        return found


def _sign(name: str, *, german: bool) -> int:
    """The sign that a weight must have, if any."""
    if name == "level":
        return 0
    return -1 if name in BAD or (name in MOVER and not german) else 1


def fitted(found: Sequence[Sample], first: str) -> dict[str, list[tuple[int, Measures]]]:
    """The weights for each side whose player-turn begins; ``first`` is the side that gains by what is good."""
    sides = sorted({each.side for each in found})
    of = {side: [n for n, each in enumerate(found) if each.side == side] for side in sides}
    course = {side: Course([found[n] for n in of[side]], german=side == first) for side in sides}
    aims = [each.result for each in found]
    for _ in range(ROUNDS):
        told = [0.0] * len(found)
        for side in sides:
            for n, value in zip(of[side], course[side].solve([aims[n] for n in of[side]]), strict=True):
                told[n] = value
        aims = [each.result for each in found]
        for n in range(len(found) - 2, -1, -1):
            if found[n + 1].turn >= found[n].turn and found[n + 1].result == found[n].result:
                aims[n] = LATER * aims[n + 1] + (1.0 - LATER) * told[n + 1]
    return {side: course[side].lines() for side in sides}


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
    for side, weights in fitted(found, load_game(asked.game).sides[0]).items():
        ours = [each for each in found if each.side == side]
        print(f"# explains {explained(ours, weights):.0%} of the spread")
        print(f"{side}:", *(f"  {line}" for line in lines(weights, digits=3)), sep="\n")


def _read(told: list[Any]) -> Sample:
    side, turn, seen, result = told
    return Sample(side, turn, Measures(*seen), result)


if __name__ == "__main__":
    main()
