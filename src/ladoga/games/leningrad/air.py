"""Chapter 13: German air power in combat and over the roads."""

from __future__ import annotations

from ...hexes import Hex
from ...kernel.orders import Order
from ...kernel.position import Refusal, forbid
from .edition import GERMAN
from .orders import named_hex
from .position import LeningradPosition


def at_hand(pos: LeningradPosition) -> int:
    """Air units that have arrived (13.0, schedule)."""
    return pos.game.edition.air_units[pos.turn]


def ready(pos: LeningradPosition) -> int:
    """Air units not yet used this turn (13.5)."""
    units = at_hand(pos) - pos.air_used
    return max(0, units - sum(pos.air_on.values())) if pos.air_on else max(0, units)


def why_no_air(pos: LeningradPosition, side: int, units: int) -> Refusal | None:
    """Why so many air units may not join a combat (13.1, 13.5)."""
    if units and side != GERMAN:
        return Refusal("13.0", "only the Germans have air units")
    if units > ready(pos):
        left = {0: "no air unit is", 1: "one air unit is"}.get(ready(pos), f"{ready(pos)} air units are")
        return Refusal("13.5", f"{left} left this turn")
    return None


def join(pos: LeningradPosition, units: int, part: str) -> None:
    """Air units join a fight (13.1); they are used for this turn (13.5)."""
    pos.air_used += units
    if units:
        noun = "air unit joins" if units == 1 else "air units join"
        pos.tell("air", "13.1", "{0} {1} the {2}", units, noun, part)


def interdiction(pos: LeningradPosition, order: Order) -> Hex:
    """Where an air unit interdicts: any hex of the map with land in it (13.3)."""
    h = named_hex(pos, order)
    forbid(not ready(pos), "13.5", "no air unit is left this turn")
    forbid(not pos.ground.land >> h & 1, "13.3", "{} is all water", pos.ground.names[h])
    return h


def interdict(pos: LeningradPosition, h: Hex) -> None:
    """Place an interdicting air unit."""
    pos.place_air({**pos.air_on, h: pos.air_on.get(h, 0) + 1})
    pos.tell("interdicted", "13.3", "An air unit interdicts {0}", pos.ground.names[h])
