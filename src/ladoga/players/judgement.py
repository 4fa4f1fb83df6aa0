"""Judging whole positions: a figure for how well a side stands, chance weighed exactly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from operator import mul
from typing import NamedTuple, TypeVar

from ..kernel.data import load
from ..kernel.orders import Order
from ..kernel.position import CHANCE, Position
from .lay import FAR
from .situation import Situation
from .tuning import FOLDER, tuned

MANY = 48
"""Most chance outcomes that are weighed one by one; what follows beyond is judged as it stands."""
WIN = 50.0
"""What the game itself is worth beyond its points."""
CUT_OFF = 0.25
"""Part of its worth that a unit out of supply is taken to have lost."""
MARCH = 0.02
"""What a movement point nearer to the goal is worth for each point of worth that is nearer."""


Weights = TypeVar("Weights", bound=NamedTuple)
Known = TypeVar("Known")
Line = Mapping[str, float]
"""Of what is measured, by name, what each is worth; what is not named is worth nothing."""


def judged(game_id: str, shape: type[Known]) -> Known:
    """What was found of a game by playing it: its file in ``tuning/judgement``, which says how."""
    found: Known = load(FOLDER / "judgement" / f"{game_id}.yaml", shape)
    return found


def figures(measures: type[Weights], **named: float) -> Weights:
    """Measures of a position, or what they are worth: those that are named, nothing for all others.

    >>> class Seen(NamedTuple):
    ...     steps: float
    ...     cities: float
    >>> figures(Seen, cities=2.0)
    Seen(steps=0.0, cities=2.0)
    """
    return measures._make(repeat(0.0, len(measures._fields)))._replace(**named)


def table(measures: type[Weights], lines: Mapping[str, Line]) -> tuple[tuple[int, Weights], ...]:
    """What measures are worth on some turns, as a file tells it."""
    return tuple((int(turn), figures(measures, **named)) for turn, named in lines.items())


def weighed(weights: Iterable[float], measures: Iterable[float]) -> float:
    """What measures come to by their weights."""
    return float(sum(map(mul, weights, measures)))


def on_turn(table: Sequence[tuple[int, Weights]], turn: int) -> Weights:
    """The weights of a turn, where a table gives those of some turns: on a line between the two next to it."""
    after = next((n for n, (at, _) in enumerate(table) if at >= turn), len(table) - 1)
    (left, low), (right, high) = table[max(0, after - 1)], table[after]
    share = min(1.0, max(0.0, (turn - left) / (right - left))) if right > left else 1.0
    return low._make(a + share * (b - a) for a, b in zip(low, high, strict=True))


def evaluate(position: Position, side: str) -> float:
    """How well a side stands: points, steps in play and in supply, and how far the attackers have come."""
    situation = Situation(position, side)
    outcome = position.outcome or position.standing
    total = situation.style.points * float(sum(e.points if e.side == side else -e.points for e in outcome.ledger))
    for piece in situation.pieces.values():
        worth = piece.worth * piece.steps
        if piece.id in situation.cut_off:
            worth *= 1 - CUT_OFF
        total += worth if piece.side == side else -situation.style.boldness * worth
    # Where nothing is known but the enemy, both march against one another: only one's own way counts.
    for mover in position.game.sides if tuned(position.game.id) else (side,):
        if situation.tuned.side(mover).posture == "attack":
            gained = -_march(situation, mover)
            total += gained if mover == side else -gained
    if position.outcome is not None and outcome.winner is not None:
        total += WIN if outcome.winner == side else -WIN
    return total


def _march(situation: Situation, side: str) -> float:
    """How far the units of an attacking side still are from their goal."""
    far = situation.goal_of(side)
    push = situation.tuned.side(side).push
    return push * MARCH * sum(p.worth * p.steps * min(far.get(p.hex, FAR), FAR) for p in situation.of(side))


def expected(position: Position, side: str, room: int = MANY) -> float:
    """What a position is worth, chance averaged exactly over as many outcomes as there is room for."""
    chance = position.chance if position.to_move == CHANCE else None
    if chance is None or len(chance.outcomes) > room:
        return evaluate(position, side)
    left = room // len(chance.outcomes)
    return sum(float(p) * expected(position.play(o), side, left) for o, p in chance.outcomes)


def after(position: Position, order: Order, side: str, room: int = MANY) -> float:
    """What an order leads to, on average."""
    return expected(position.play(order), side, room)
