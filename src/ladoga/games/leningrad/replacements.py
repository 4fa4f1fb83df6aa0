"""Chapter 16, second half: German replacements (16.6 to 16.9)."""

from __future__ import annotations

from collections.abc import Iterator

from ...hexes import HexMask
from ...kernel.orders import Order
from ...kernel.position import Refusal
from .edition import GERMAN, SOVIET
from .orders import named_unit
from .pieces import Slot
from .position import LeningradPosition


def places(pos: LeningradPosition) -> HexMask:
    """Cities and East Prussia, where units are rebuilt; Soviet cities unless an option says no (16.6)."""
    hexes = pos.ground.rebuild_hexes
    return hexes if pos.options.rebuild_in_soviet_cities else hexes & ~pos.ground.soviet_cities


def why_not_rebuilt(pos: LeningradPosition, slot: Slot) -> Refusal | None:
    """Why a unit gets no replacements now (16.6 to 16.8)."""
    if pos.pieces[slot].side != GERMAN:
        return Refusal("16.10", "only German units receive replacements")
    h = pos.hexes[slot]
    if h < 0:
        return Refusal("16.10", f"{pos.name(slot)} is not on the map")
    if pos.steps[slot] != 1 or pos.pieces[slot].spec is None:
        return Refusal("16.6", f"{pos.name(slot)} is at full strength")
    if not places(pos) >> h & 1:
        shut = "a Soviet city" if pos.ground.rebuild_hexes >> h & 1 else "neither a city nor East Prussia"
        return Refusal("16.6", f"{pos.ground.names[h]} is {shut}, and nobody is rebuilt there")
    if pos.turn - pos.since[slot] < 2:
        if pos.fought >> slot & 1:
            fought = f"{pos.name(slot)} fought in {pos.ground.names[h]} on turn {pos.since[slot]}"
            return Refusal("16.9", f"{fought}: a whole turn without a fight is needed")
        return Refusal("16.6", f"{pos.name(slot)} has not spent a whole turn in {pos.ground.names[h]}")
    if pos.zone(SOVIET) >> h & 1:
        return Refusal("16.7", f"{pos.ground.names[h]} is in a Soviet zone of control")
    if not pos.supplied(slot):
        return Refusal("16.6", f"{pos.name(slot)} is out of supply")
    figures = pos.game.edition.tables.rebuilding
    done = [s for s in range(len(pos.pieces)) if pos.moved >> s & 1]
    if figures.of == "hex":
        done = [s for s in done if pos.hexes[s] == h]
    if len(done) >= figures.most:
        return _enough(pos)
    return None


def _enough(pos: LeningradPosition) -> Refusal:
    figures = pos.game.edition.tables.rebuilding
    return Refusal("16.8", f"no more than {figures.most} units are rebuilt in a {figures.of}")


def eligible(pos: LeningradPosition) -> list[Slot]:
    """German units that may be rebuilt now."""
    return [slot for slot in pos.on_map(GERMAN) if pos.steps[slot] == 1 and why_not_rebuilt(pos, slot) is None]


def rebuilding(pos: LeningradPosition, order: Order) -> Slot | Refusal:
    """The unit that gets replacements (16.6)."""
    slot = named_unit(pos, order)
    return why_not_rebuilt(pos, slot) or slot


def rebuild(pos: LeningradPosition, slot: Slot) -> None:
    """Turn a unit to its full side."""
    pos.set_steps(slot, 2)
    pos.disturb((slot,))
    pos.moved |= 1 << slot
    pos.rebuilt += 1
    pos.tell("rebuilt", "16.6", "{0} is rebuilt in {1}", pos.name(slot), pos.ground.names[pos.hexes[slot]])


def rebuildings(pos: LeningradPosition) -> Iterator[Order]:
    """``rebuild UNIT``."""
    return (Order("rebuild", (pos.name(slot),)) for slot in eligible(pos))
