"""Face-down units (6.6): when they are turned over, and what they turn out to be."""

from __future__ import annotations

from collections.abc import Iterator

from ...kernel.chance import Chance, uniform, weighted
from ...kernel.orders import Order
from ...kernel.position import Refusal, first_case
from . import pontoons
from .arrivals import possible
from .counters import SOVIET
from .state import NOBODY, S_ARRIVE, S_FIRE, State, Step, unknown


def flips(pos: State) -> Iterator[Order]:
    """``flip UNIT`` for the face-down units on the map, unless a fire is being composed."""
    open_now = pos.phase_number in (S_ARRIVE, S_FIRE) and pos.attack is None
    for piece in pos.on_map(SOVIET) if open_now else ():
        if piece in pos.roster.backs:
            yield Order("flip", (pos.unit(piece).id,))


def flip_of(pos: State, order: Order) -> int | Refusal:
    """One unit that lies face down (6.6)."""
    if pos.attack is not None:
        return unknown(order, pos)
    piece = pos.piece(order.units[0]) if len(order.units) == 1 else None
    if piece is None:
        return Refusal("6.6", "flip one unit at a time")
    return why_not_flipped(pos, piece) or piece


def why_not_flipped(pos: State, piece: int) -> Refusal | None:
    """Why a unit is not flipped: the Soviet player may do so during his own player turns (6.6)."""
    unit = pos.unit(piece)
    return first_case(
        (pos.side != SOVIET, "6.6", "units are flipped by choice only in the Soviet player turn"),
        (not unit.back and pos.where[piece] < 0, "6.6", "{}", pos.absent(piece)),
        (not unit.back or pos.where[piece] < 0, "6.6", "{} is not a face-down unit on the map", unit.id),
    )


def flip(pos: State, back: int) -> None:
    """A unit is turned face up (6.6)."""
    pos.push(Step("reveal", back))


def reveal_chance(pos: State, step: Step) -> Chance:
    """What a unit unknown to both players turns out to be; in the German's view, also what only the Soviet player
    knows (6.6)."""
    known = pos.hidden(step.piece)
    weights = [(Order("draw", (pos.unit(p).id,)), weight) for p, weight in possible(pos, known)]
    title = f"what {pos.unit(step.piece).id} turns out to be"
    if known == NOBODY:
        return uniform(title, (order for order, _ in weights), "6.6")
    return weighted(title, weights, "6.6")


def revealed(pos: State, step: Step, piece: int) -> None:
    """A back is turned over (6.6)."""
    back, h = step.piece, pos.where[step.piece]
    pos.unmask(back, piece)
    pontoons.stand(pos, piece)
    place = pos.number(h) if h >= 0 else "hand"
    was, unit = pos.unit(back).id, pos.unit(piece)
    pos.tell("reveal", "6.6", "{} in {} is {} ({})", was, place, unit.id, unit.figures, side=SOVIET)
