"""Every order of a movement phase, and every transfer: lists carried on from position to position. No rule stands here.

A list keeps for each unit what was listed, with what that depends on: its hex, and the hexes that are shut to its sort
of unit. The next one lists anew only the units for which that has changed where they would notice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from ...hexes import Hex, HexMask, members
from ...kernel.orders import Order
from . import arrivals, derived, inset
from . import movement as moving
from .figures import SOVIET
from .kept import Kept
from .state import UnitMask
from .zones import room

if TYPE_CHECKING:
    from .position import AssaultPosition


class Listing(NamedTuple):
    """What was listed last along a line of play."""

    lore: derived.Lore
    shut: dict[tuple[str, str], HexMask]
    """By sort of unit the hexes for which the reaches hold."""
    reaches: dict[int, Kept]
    transfers: dict[int, tuple[Hex, HexMask, Sequence[Order]]]
    """By unit its hex and the full hexes of its district, and what was listed for them."""


def unmoved(pos: AssaultPosition) -> UnitMask:
    """Units of the phasing side on the map that have not ended their move."""
    units = pos.placed & pos.teams[pos.side]
    fleet = pos.fleet_index
    if fleet is not None and pos.where[fleet] >= 0:
        units |= 1 << fleet & pos.teams[pos.side]
    units &= ~pos.moved
    return units if pos.marching is None else units | 1 << pos.marching.unit


def has_move(pos: AssaultPosition) -> bool:
    """Whether a unit on the map may enter some hex, which is soon said."""
    units = members(unmoved(pos) & pos.placed)
    return any(moving.standstill(pos, index) is None and moving.has_step(pos, index) for index in units)


# Unit by unit -------------------------------------------------------------------------------------


def moves_of(pos: AssaultPosition, index: int) -> Sequence[Order]:
    """Every move of one unit, by its destination."""
    unit, ground = pos.roster[index], pos.ground
    if unit.is_naval:
        return [Order("move", (unit.id,), (n,)) for n in ground.numbers(ground.fleet & ~(1 << pos.where[index]))]
    reach = moving.reach_of(pos, index)
    if isinstance(reach, Kept) and not moving.must_get_away(pos, index):
        if reach.listed is None:
            reach.listed = ground.orders("move", unit.id, reach.hexes)
        return reach.listed
    return ground.orders("move", unit.id, moving.destinations(pos, index, reach))


def entries_of(pos: AssaultPosition, index: int) -> Sequence[Order]:
    """Every way for a waiting unit to come onto the map, by the hex it ends in."""
    if arrivals.by_city(pos, index):
        return _enter(pos, index, arrivals.city_entry(pos, index))
    reach = moving.reach_of(pos, index, arrivals.entry_hexes(pos, index))
    if not isinstance(reach, Kept):
        return _enter(pos, index, reach.hexes)
    if reach.listed is None:
        reach.listed = _enter(pos, index, reach.hexes)
    return reach.listed


def _enter(pos: AssaultPosition, index: int, hexes: HexMask) -> list[Order]:
    return [Order("enter", (pos.roster[index].id,), (number,)) for number in pos.ground.numbers(hexes)]


def transfers_of(pos: AssaultPosition, index: int) -> tuple[Order, ...]:
    """Every transfer of a unit."""
    return pos.ground.transfers(pos.roster[index].id, inset.transfer_hexes(pos, index))


def orders_of(pos: AssaultPosition, index: int) -> Iterator[Order]:
    """The orders of a movement phase for one unit."""
    return chain.from_iterable(_lists_of(pos, index))


def _lists_of(pos: AssaultPosition, index: int) -> Iterator[Sequence[Order]]:
    if pos.where[index] < 0:
        if pos.agenda[-1].at != "mechanized-movement" and index in arrivals.waiting(pos, pos.side):
            yield entries_of(pos, index)
        return
    if moving.standstill(pos, index) is None:
        yield moves_of(pos, index)
    if pos.side == SOVIET and not pos.roster[index].is_naval:
        yield transfers_of(pos, index)


# The whole list -----------------------------------------------------------------------------------


def movement(pos: AssaultPosition) -> Sequence[Order]:
    """The orders of a movement phase: of units on the map, of those waiting to come in, of those that cannot
    move but may be transferred (12.45)."""
    old, new = _begun(pos, pos.side)
    city = pos.ground.city if pos.side == SOVIET and not pos.germans_on_inset else 0
    found: list[Order] = []
    bound = _on_the_map(pos, old, new, city, found)
    if pos.agenda[-1].at != "mechanized-movement":
        for index in arrivals.waiting(pos, pos.side):
            found += entries_of(pos, index)
    for index in inset.city_units(pos) if city else ():
        if (pos.moved | bound) >> index & 1:
            found += _transfers(pos, index, old, new)
    pos.listing = new
    return found


def _begun(pos: AssaultPosition, side: int) -> tuple[Listing, Listing]:
    """What was listed last, if it tells anything of this list, and a new one."""
    lore = derived.lore_of(pos, side)
    old = pos.listing
    return old if old is not None and old.lore is lore else Listing(lore, {}, {}, {}), Listing(lore, {}, {}, {})


def _on_the_map(pos: AssaultPosition, old: Listing, new: Listing, city: HexMask, found: list[Order]) -> UnitMask:
    """Add the moves of units on the map, and their transfers; who is bound to its hex is told."""
    where, roster, fleet = pos.where, pos.roster, pos.fleet_index
    carried_on = pos.marching is None and not (pos.turn == 1 and pos.options.get("guerrillas-away"))
    reaches = old.reaches if carried_on else {}
    changed: dict[tuple[str, str], HexMask] = {}
    bound = 0
    for index in members(unmoved(pos)):
        sort, here = roster[index].sort, where[index]
        if sort not in changed:
            changed[sort] = _changed(pos, index, old, new)
        known = reaches.get(index)
        if known is None or known.start != here or changed[sort] & known.touched:
            if moving.standstill(pos, index) is not None:
                bound |= 1 << index
                continue
            found += moves_of(pos, index)
            known = new.lore.reaches.get(index)
        else:
            found += known.listed  # type: ignore[arg-type]
        if known is not None and known.listed is not None:
            new.reaches[index] = known
        if city >> here & 1 and index != fleet:
            found += _transfers(pos, index, old, new)
    return bound


def _changed(pos: AssaultPosition, index: int, old: Listing, new: Listing) -> HexMask:
    """Hexes that were opened or shut to a unit's sort since the last list: all of them if that was not said, or if
    it matters in which city the unit itself is (8.26)."""
    unit = pos.roster[index]
    if unit.is_naval or room(pos, unit).crowded:
        return -1
    new.shut[unit.sort] = shut = moving.shut(pos, index, new.lore)
    return shut ^ old.shut[unit.sort] if unit.sort in old.shut else -1


def _transfers(pos: AssaultPosition, index: int, old: Listing, new: Listing) -> Sequence[Order]:
    """The transfers of a unit, carried on if nothing has changed in its district."""
    if pos.transferred >> index & 1:
        return ()
    full, crowded = room(pos, pos.roster[index])
    here = pos.where[index]
    full &= pos.ground.whole_district[here]
    known = old.transfers.get(index)
    if known is None or known[0] != here or known[1] != full:
        known = (here, full, transfers_of(pos, index))
    if not crowded and not moving.must_get_away(pos, index):
        new.transfers[index] = known
    return known[2]


def transfers(pos: AssaultPosition) -> Sequence[Order]:
    """Every transfer there is."""
    found: list[Order] = []
    if inset.in_time(pos):
        old, new = _begun(pos, SOVIET)
        for index in inset.city_units(pos):
            found += _transfers(pos, index, old, new)
        pos.listing = new
    return found
