"""Set-up: the instructions on the map sheet, with random untried units (14.0)."""

from __future__ import annotations

from typing import NamedTuple

from ...hexes import NOWHERE, Hex, HexMask, members
from ...kernel.orders import Order
from ...kernel.position import Refusal, forbid
from .edition import GERMAN, SOVIET
from .orders import named_hex, named_unit
from .pieces import Slot
from .position import LeningradPosition


class Placement(NamedTuple):
    """A unit and the hex where it starts."""

    slot: Slot
    hex: Hex


def unplaced(pos: LeningradPosition) -> list[Slot]:
    """Units of the side to move that it still has to set up."""
    return [slot for slot in pos.game.to_place[pos.mover] if pos.hexes[slot] == NOWHERE]


def open_hexes(pos: LeningradPosition, slot: Slot) -> HexMask:
    """Where a unit may be set up."""
    return _german_hexes(pos, slot) if pos.pieces[slot].side == GERMAN else _open_rows(pos)


def _open_rows(pos: LeningradPosition) -> HexMask:
    """One Soviet infantry unit in any hex of each of the hexrows."""
    mask = 0
    for row in pos.game.rows(pos.ground):
        there = [slot for h in members(row & pos.crowd[SOVIET][0]) for slot in pos.at[h]]
        if not any(slot in pos.game.to_place[SOVIET] for slot in there):
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


def placement(pos: LeningradPosition, order: Order) -> Placement | Refusal:
    """A unit set up in a hex that is open to it (1.0)."""
    slot = named_unit(pos, order)
    h = named_hex(pos, order)
    forbid(slot not in unplaced(pos), "1.0", "{} is not to be set up now", pos.name(slot))
    forbid(not pos.ground.land >> h & 1, "1.0", "{} is all water", pos.ground.names[h])
    if not open_hexes(pos, slot) >> h & 1:
        rule = _german_rule(pos) if pos.mover == GERMAN else _soviet_rule(pos, h)
        return Refusal("1.0", f"{pos.name(slot)} may not start in {pos.ground.names[h]}: {rule}")
    return Placement(slot, h)


def _soviet_rule(pos: LeningradPosition, h: Hex) -> str:
    in_row = any(row >> h & 1 for row in pos.game.rows(pos.ground))
    return "its row has a unit already" if in_row else "one unit starts in each row 13 to 19"


def _german_rule(pos: LeningradPosition) -> str:
    free = pos.game.edition.scenario.free_german
    assert free is not None
    north = ", ".join(free.north.split())
    return f"German units start west of the border, at most {free.most_north} infantry units in {north}"


def place(pos: LeningradPosition, planned: Placement) -> None:
    """Set a unit up."""
    pos.put(*planned)
    pos.tell("placed", "1.0", "{0} in {1}", pos.name(planned.slot), pos.ground.names[planned.hex])


def placements(pos: LeningradPosition) -> list[Order]:
    """``place UNIT HEX``."""
    found: list[Order] = []
    rows = _open_rows(pos) if pos.mover == SOVIET else None
    for slot in unplaced(pos):
        hexes = open_hexes(pos, slot) if rows is None else rows
        found += pos.ground.orders_to("place", (pos.name(slot),), hexes)
    return found


def why_not_ready(pos: LeningradPosition) -> Refusal | None:
    """All units stand before the set-up ends (1.0)."""
    waiting = len(unplaced(pos))
    units = "a unit is" if waiting == 1 else f"{waiting} units are"
    return Refusal("1.0", f"{units} still to be set up") if waiting else None
