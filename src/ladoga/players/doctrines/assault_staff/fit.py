"""Fits how positions of the Assaults are judged, on games between staffs whose tempers change from turn to turn.

    python -m ladoga.players.doctrines.assault_staff.fit assault-stalingrad --games 120 --keep games.jsonl

What is seen of a position (``prospects.Measures``) is noted whenever a side begins to move. What it is worth on some
turns, on a line between them, is a regression of the final margins, held to what it was before where games do not tell,
and to a smooth course from turn to turn. Prints the lines to put into ``tuning/judgement``.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from ....games.assault.position import AssaultPosition
from ....kernel.chance import Dice
from ....kernel.game import Game, load_game
from ...doctrine import doctrine_of
from ...fitting import Evidence, courses, lines, options, played, playout, variance
from ...judgement import on_turn
from ...staff import StaffPlayer
from .prospects import Measures, margin, measures, weights_of

SEEN = ("german-movement", "soviet-movement")
"""Phases at whose beginning a position is judged when a playout ends."""
OTHERWISE = 0.5
"""How often a side fights a turn in another way than the staff's."""
HELD, SMOOTH = 300.0, 300.0
"""How many positions' worth of evidence it takes to leave the weights of before, and the turn's before."""
LEVEL = 0.01
"""How much less that holds for the level of a phase."""


class Sample(NamedTuple):
    """A position of a game and what became of it."""

    turn: int
    phase: int
    seen: Measures
    margin: float


def samples(game: Game, seed: int) -> list[Sample]:
    """The positions of one game."""
    dice = Dice(hashlib.sha256(f"judgement {seed}".encode()).digest())
    rng = random.Random(seed)
    seats = {side: StaffPlayer() for side in game.sides}
    noted, at = list[tuple[int, int, Measures]](), (0, "")
    for position in playout(game.start(), dice, seats, dict.fromkeys(game.sides, rng)):
        assert isinstance(position, AssaultPosition)
        phase = position.phase
        if not position.to_move or position.pending is not None:
            continue
        if at != (position.turn, phase.id) and phase.id in SEEN:
            at = (position.turn, phase.id)
            noted.append((position.turn, SEEN.index(phase.id), measures(position)))
            ways = list(doctrine_of(game.id).scripts(phase.side).values())
            seats[phase.side].bias = dict(rng.choice(ways)) if rng.random() < OTHERWISE else {}
    assert isinstance(position, AssaultPosition)
    result = margin(position)
    return [Sample(*each, result) for each in noted]


def fitted(found: Sequence[Sample], before: Sequence[tuple[int, Measures]]) -> list[tuple[int, Measures]]:
    """The weights that explain the final margins best, with a level of its own for each phase."""
    names = len(Measures._fields)
    trust = [variance([each.seen[n] for each in found]) for n in range(names)] + [LEVEL] * len(SEEN)
    levels = [[float(n == phase) for n in range(len(SEEN))] for phase in range(len(SEEN))]
    evidence = [Evidence(each.turn, (*each.seen, *levels[each.phase]), each.margin) for each in found]
    was = [(turn, (*line, *[0.0] * len(SEEN))) for turn, line in before]
    solved = courses(evidence, was, trust, HELD, SMOOTH)
    return [(turn, Measures(*line[:names])) for (turn, _), line in zip(before, solved, strict=True)]


def explained(found: Sequence[Sample], weights: Sequence[tuple[int, Measures]]) -> float:
    """The part of the final margins' spread that weights explain, turn by turn and phase by phase."""
    parts: dict[tuple[int, int], list[tuple[float, float]]] = {}
    for each in found:
        judged = sum(a * b for a, b in zip(on_turn(weights, each.turn), each.seen, strict=True))
        parts.setdefault((each.turn, each.phase), []).append((judged, each.margin))
    wrong = whole = 0.0
    for pairs in parts.values():
        level = sum(judged - real for judged, real in pairs) / len(pairs)
        mean = sum(real for _, real in pairs) / len(pairs)
        wrong += sum((judged - level - real) ** 2 for judged, real in pairs)
        whole += sum((real - mean) ** 2 for _, real in pairs)
    return 1 - wrong / whole


def main() -> None:
    """Play, fit and print."""
    parser = options(__doc__, games=120)
    parser.add_argument("game")
    asked = parser.parse_args()
    game, seeds = load_game(asked.game), range(asked.seed, asked.seed + asked.games)
    found = list(played(seeds, asked.keep, partial(samples, game), _read))
    before = weights_of(asked.game)
    weights = fitted(found, before)
    print(f"# explains {explained(found, weights):.0%} of the spread of margins, {explained(found, before):.0%} before")
    print(*lines(weights, digits=2), sep="\n")


def _read(told: list[Any]) -> Sample:
    turn, phase, seen, margin = told
    return Sample(turn, phase, Measures(*seen), margin)


if __name__ == "__main__":
    main()
