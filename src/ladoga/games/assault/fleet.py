"""The naval unit's firepower (13.0)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...hexes import NOWHERE, HexMask
from ...kernel.orders import END, Order
from ...kernel.position import Refusal
from .figures import GERMAN, SOVIET

if TYPE_CHECKING:
    from .position import AssaultPosition


def silent(pos: AssaultPosition) -> Refusal | None:
    """Why the fleet cannot fire at all, or ``None`` (13.7, 13.10)."""
    index = pos.fleet_index
    if index is None or pos.where[index] < 0:
        return Refusal("13.1", "there is no fleet")
    if pos.is_disrupted(index):
        return Refusal("13.10", "the fleet is disrupted and cannot fire")
    if pos.ground.harbour >> pos.where[index] & 1:
        return Refusal("13.7", "the fleet does not fire from the harbour")
    return None


def in_range(pos: AssaultPosition) -> HexMask:
    """Main-map hexes the marker may lie on: in range of the fleet, outside the city (13.3, 13.8)."""
    assert pos.fleet_index is not None
    ground = pos.ground
    around = ground.grid.within(1 << pos.where[pos.fleet_index], ground.tables.fleet_range)
    return around & ground.main & ~ground.capital


def _marks(pos: AssaultPosition) -> HexMask:
    """German hexes before Soviet combat, Soviet hexes after it (13.4, 13.5)."""
    if silent(pos) is not None or pos.fire_on != NOWHERE:
        return 0
    target = GERMAN if pos.phase.id == "soviet-naval-fire" else SOVIET
    return in_range(pos) & pos.lay(target).occupied


def phase_orders(pos: AssaultPosition) -> Iterator[Order]:
    """Place the firepower marker, or not."""
    for h in pos.ground.grid.members(_marks(pos)):
        yield Order("fire", (), (pos.ground.number(h),))
    yield END


def phase_refusal(pos: AssaultPosition, order: Order) -> Refusal | None:
    """Why the marker may not lie there."""
    if order == END:
        return None
    if order.verb != "fire":
        return pos.out_of_place(order)
    refusal = silent(pos)
    if refusal is not None:
        return refusal
    found = pos.hex_path(order.hexes)
    if isinstance(found, Refusal):
        return found
    if len(found) != 1:
        return Refusal("13.6", "the firepower is never split")
    if pos.fire_on != NOWHERE:
        return Refusal("13.6", f"the guns are laid on {pos.ground.number(pos.fire_on)} already")
    h = found[0]
    ground = pos.ground
    if (ground.capital | ground.inset) >> h & 1:
        return Refusal("13.8", f"the marker is never placed in {ground.book.capital_name}")
    if not in_range(pos) >> h & 1:
        return Refusal("13.3", f"{order.hexes[0]} is more than {ground.tables.fleet_range} hexes from the fleet")
    if not _marks(pos) >> h & 1:
        attack = pos.phase.id == "soviet-naval-fire"
        whose, case = ("German", "13.4") if attack else ("Soviet", "13.5")
        return Refusal(case, f"there is no {whose} unit in {order.hexes[0]}")
    return None


def phase_apply(pos: AssaultPosition, order: Order) -> None:
    """Place the marker, or go on."""
    if order.verb == "fire":
        pos.fire_on = pos.ground.grid.hex(order.hexes[0])
        pos.event("fire", "13.3", "The fleet's guns are laid on {0}", order.hexes[0])
    else:
        pos.next_phase()
