"""Set-up: the instructions on the map sheet, with random untried units (14.0)."""

from __future__ import annotations

from ...hexes import NOWHERE, HexMask, members
from ...kernel.orders import Order
from ...kernel.position import Refusal, forbid
from ...kernel.sequence import Placement
from .edition import GERMAN, SOVIET
from .orders import named_hex, named_unit
from .pieces import Slot
from .position import LeningradPosition


def unplaced(pos: LeningradPosition) -> list[Slot]:
    """Units of the side to move that it still has to set up (1.0)."""
    return [slot for slot in pos.game.to_place[pos.mover] if pos.hexes[slot] == NOWHERE]


def open_hexes(pos: LeningradPosition, slot: Slot) -> HexMask:
    """Where a unit may be set up: one Soviet infantry unit in any hex of each of the hexrows."""
    if pos.pieces[slot].side == GERMAN:
        return _german_hexes(pos, slot)
    mask = 0
    for row in pos.game.rows(pos.ground):
        there = [s for h in members(row & pos.crowd[SOVIET][0]) for s in pos.at[h]]
        if not any(s in pos.game.to_place[SOVIET] for s in there):
            mask |= row
    return mask & pos.ground.land & ~pos.crowd[GERMAN][0]


def _german_hexes(pos: LeningradPosition, slot: Slot) -> HexMask:
    """West of the border; only a few infantry units north of the river."""
    free = pos.game.edition.scenario.free_german
    assert free is not None
    north = pos.ground.hexes(free.north)
    mask = pos.ground.hexes(free.hexes)
    there = sum(len(pos.at[h]) for h in members(north & pos.crowd[GERMAN][0]))
    if pos.pieces[slot].mobile or there >= free.most_north:
        mask &= ~north
    return mask


def placement(pos: LeningradPosition, order: Order) -> Placement:
    """A unit set up in a hex that is open to it (1.0)."""
    slot, h = named_unit(pos, order), named_hex(pos, order)
    where, free = pos.ground.names[h], pos.game.edition.scenario.free_german
    forbid(slot not in unplaced(pos), "1.0", "{} is not to be set up now", pos.name(slot))
    forbid(not pos.ground.land >> h & 1, "1.0", "{} is all water", where)
    shut = not open_hexes(pos, slot) >> h & 1
    if free is not None:
        forbid(shut and pos.mover == GERMAN, "1.0",
               "{} may not start in {}: German units start west of the border, at most {} infantry units in {}",
               pos.name(slot), where, free.most_north, ", ".join(free.north.split()))  # fmt: skip
    forbid(shut and any(row >> h & 1 for row in pos.game.rows(pos.ground)), "1.0",
           "{} may not start in {}: its row has a unit already", pos.name(slot), where)  # fmt: skip
    forbid(shut, "1.0", "{} may not start in {}: one unit starts in each row 13 to 19", pos.name(slot), where)
    return Placement(slot, h)


def place(pos: LeningradPosition, planned: Placement) -> None:
    """Set a unit up."""
    pos.put(*planned)
    pos.tell("placed", "1.0", "{0} in {1}", pos.name(planned.unit), pos.ground.names[planned.hex])


def placements(pos: LeningradPosition) -> list[Order]:
    """``place UNIT HEX``; any hex that is open to one Soviet unit is open to all."""
    waiting = unplaced(pos)
    rows = open_hexes(pos, waiting[0]) if waiting and pos.mover == SOVIET else None
    hexes = [open_hexes(pos, slot) if rows is None else rows for slot in waiting]
    return [order for slot, mask in zip(waiting, hexes, strict=True)
            for order in pos.ground.orders_to("place", (pos.name(slot),), mask)]  # fmt: skip


def why_not_ready(pos: LeningradPosition) -> Refusal | None:
    """All units stand before the set-up ends (1.0)."""
    waiting = len(unplaced(pos))
    units = "a unit is" if waiting == 1 else f"{waiting} units are"
    return Refusal("1.0", f"{units} still to be set up") if waiting else None
