"""Judging whole positions: a figure for how well a side stands, chance weighed exactly."""

from __future__ import annotations

from ..kernel.orders import Order
from ..kernel.position import CHANCE, Position
from .situation import FAR, Situation

MANY = 48
"""Most chance outcomes that are weighed one by one; what follows beyond is judged as it stands."""


def evaluate(position: Position, side: str) -> float:
    """How well a side stands: points, steps in play, and ground towards what matters."""
    situation = Situation(position, side)
    style = situation.style
    standing = position.standing
    margin = float(sum((e.points if e.side == side else -e.points for e in standing.ledger), 0))
    total = style.points * margin
    for piece in situation.pieces.values():
        worth = piece.worth * piece.steps
        total += worth if piece.side == side else -style.boldness * worth
        if piece.side == side:
            total -= style.push * 0.02 * worth * min(situation.far(piece.hex), FAR)
    if position.outcome is not None and position.outcome.winner is not None:
        total += 50.0 if position.outcome.winner == side else -50.0
    return total


def expected(position: Position, side: str, room: int = MANY) -> float:
    """What a position is worth, chance averaged exactly over as many outcomes as there is room for."""
    chance = position.chance if position.to_move == CHANCE else None
    if chance is None or len(chance.outcomes) > room:
        return evaluate(position, side)
    left = room // len(chance.outcomes)
    return sum(float(p) * expected(position.play(o), side, left) for o, p in chance.outcomes)


def after(position: Position, order: Order, side: str) -> float:
    """What an order leads to, on average."""
    return expected(position.play(order), side)
