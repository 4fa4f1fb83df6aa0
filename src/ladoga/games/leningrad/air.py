"""Chapter 13: German air power in combat and over the roads."""

from __future__ import annotations

import random as _random
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...kernel.orders import END, Order
from ...kernel.position import Refusal
from . import sequence
from .orders import named_hex, wrong_phase

if TYPE_CHECKING:
    from .position import LeningradPosition


def at_hand(pos: LeningradPosition) -> int:
    """Air units that have arrived (13.0, schedule)."""
    return pos.game.edition.air_units[pos.turn]


def ready(pos: LeningradPosition) -> int:
    """Air units not yet used this turn (13.5)."""
    units = at_hand(pos) - pos.air_used
    return max(0, units - sum(pos.air_on.values())) if pos.air_on else max(0, units)


def orders(pos: LeningradPosition) -> Iterable[Order]:
    """``interdict HEX`` for every hex of the map, and ``end`` (13.3)."""
    return [*pos.ground.orders_at("interdict", pos.ground.land if ready(pos) else 0), END]


def orders_of(pos: LeningradPosition, unit: str) -> Iterable[Order]:
    """No unit is concerned."""
    return ()


def random(pos: LeningradPosition, rng: _random.Random) -> Order:
    """Some legal order."""
    return pos.ground.draw_at("interdict", pos.ground.land if ready(pos) else 0, rng)


def refusal(pos: LeningradPosition, order: Order) -> Refusal | None:
    """Why an air unit may not be placed so."""
    if order.verb == "end":
        return None
    if order.verb != "interdict":
        return wrong_phase(pos, order)
    h = named_hex(pos, order)
    if isinstance(h, Refusal):
        return h
    if not ready(pos):
        return Refusal("13.5", "no air unit is left this turn")
    if not pos.ground.land >> h & 1:
        return Refusal("13.3", f"{pos.ground.names[h]} is all water")
    return None


def apply(pos: LeningradPosition, order: Order) -> None:
    """Place an interdicting air unit, or end the phase."""
    if order.verb == "end":
        sequence.next_phase(pos)
        return
    h = pos.ground.grid.hex(order.hexes[0])
    pos.place_air({**pos.air_on, h: pos.air_on.get(h, 0) + 1})
    pos.tell("interdicted", "13.3", "An air unit interdicts {0}", order.hexes[0])
