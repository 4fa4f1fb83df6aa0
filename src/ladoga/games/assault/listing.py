"""Every order of a movement phase, and every transfer: lists carried on from position to position. No rule stands here.

A list keeps for each unit what was listed, with what that depends on: its hex, the friends that may be in its way, in
the city everybody there. The next one lists anew only the units for which that has changed where they would notice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from operator import xor
from typing import TYPE_CHECKING, NamedTuple

from ...hexes import Hex, HexMask, members
from ...kernel.orders import Order
from . import arrivals, derived, inset
from . import movement as moving
from .figures import SOVIET
from .kept import Kept
from .state import UnitMask
from .zones import packed, room

if TYPE_CHECKING:
    from .position import AssaultPosition


class Listing(NamedTuple):
    """What was listed last along a line of play."""

    lore: derived.Lore
    friends: tuple[HexMask, HexMask, HexMask] | None
    """Where units of each group stood; nothing if it mattered in which city a unit itself is (8.26)."""
    reaches: dict[int, tuple[Kept, int]]
    """By unit its reach and its group."""
    bound: dict[int, Hex]
    """Units that may not move from their hexes."""
    city: tuple[UnitMask, HexMask, tuple[tuple[int, ...], ...]]
    """Who had been transferred, the hexes held in the city, and who held them."""
    transfers: dict[int, tuple[Hex, HexMask, Sequence[Order]]]
    """By unit in the city its hex, the hexes of its district without room for it, and its transfers."""


def unmoved(pos: AssaultPosition) -> UnitMask:
    """Units of the phasing side on the map that have not ended their move."""
    own, fleet, marching = pos.teams[pos.side], pos.fleet_index, pos.marching
    units = pos.placed if fleet is None or pos.where[fleet] < 0 else pos.placed | 1 << fleet
    units &= own & ~pos.moved
    return units if marching is None else units | 1 << marching.unit


def has_move(pos: AssaultPosition) -> bool:
    """Whether a unit on the map may enter some hex, which is soon said."""
    units = members(unmoved(pos) & pos.placed)
    return any(moving.standstill(pos, index) is None and moving.has_step(pos, index) for index in units)


# Unit by unit -------------------------------------------------------------------------------------


def moves_of(pos: AssaultPosition, index: int) -> Sequence[Order]:
    """Every move of one unit, by its destination."""
    unit, ground = pos.roster[index], pos.ground
    if unit.is_naval:
        return _sailings(pos, index)
    reach = moving.reach_of(pos, index)
    if isinstance(reach, Kept) and not moving.must_get_away(pos, index):
        if reach.listed is None:
            reach.listed = ground.orders("move", unit.id, reach.hexes)
        return reach.listed
    return ground.orders("move", unit.id, moving.destinations(pos, index, reach))


@derived.through_phase
def _sailings(pos: AssaultPosition, index: int) -> Sequence[Order]:
    hexes = pos.ground.fleet & ~(1 << pos.where[index])
    return [Order("move", (pos.roster[index].id,), (number,)) for number in pos.ground.numbers(hexes)]


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
    every = pos.ground.every_order("enter", pos.roster[index].id)
    return [every[h] for h in pos.ground.grid.members(hexes)]


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
    city = pos.side == SOVIET and not pos.germans_on_inset
    old, new = _begun(pos, pos.side, city)
    found: list[Order] = []
    _on_the_map(pos, old, new, pos.ground.city if city else 0, found)
    if pos.agenda[-1].at != "mechanized-movement":
        for index in arrivals.waiting(pos, pos.side):
            found += entries_of(pos, index)
    for index in sorted(chain.from_iterable(new.city[2])):
        if pos.moved >> index & 1 or index in new.bound:
            found += _transfers(pos, index, old, new)
    pos.listing = new
    return found


def transfers(pos: AssaultPosition) -> Sequence[Order]:
    """Every transfer there is."""
    found: list[Order] = []
    if inset.in_time(pos):
        old, new = _begun(pos, SOVIET, city=True)
        for index in inset.city_units(pos):
            found += _transfers(pos, index, old, new)
        pos.listing = new
    return found


def _begun(pos: AssaultPosition, side: int, city: bool) -> tuple[Listing, Listing]:
    """What was listed last, as far as it tells anything of this list, and a new one."""
    lore, lay = derived.lore_of(pos, side), pos.lays[side]
    crowded = side == SOVIET and packed(pos)
    held = lay.occupied & pos.ground.city if city else 0
    stacks = tuple(map(pos.stacks.__getitem__, members(held)))
    friends = None if crowded else (lay.body, lay.helpers, lay.guerrillas)
    new = Listing(lore, friends, {}, {}, (pos.transferred, held, stacks), {})
    old = pos.listing
    if old is None or old.lore is not lore:
        old = new._replace(friends=None)
    elif old.city == new.city:
        new = new._replace(city=old.city)
    return old, new


def _on_the_map(pos: AssaultPosition, old: Listing, new: Listing, city: HexMask, found: list[Order]) -> None:
    """Add the moves of units on the map, and their transfers."""
    where, fleet = pos.where, pos.fleet_index
    changed = (0, 0, 0)
    reaches = {}
    if pos.marching is None and old.friends and new.friends and not (pos.turn == 1 and pos.options.guerrillas_away):
        a, b, c = map(xor, old.friends, new.friends)
        changed, reaches = (a, b, c), old.reaches
    for index in members(unmoved(pos)):
        here = where[index]
        known = reaches.get(index)
        if known is not None and known[0].start == here and not changed[known[1]] & known[0].touched:
            found += known[0].listed or ()
            new.reaches[index] = known
        elif old.bound.get(index) == here or moving.standstill(pos, index) is not None:
            new.bound[index] = here
            continue
        else:
            found += moves_of(pos, index)
            reach = new.lore.reaches.get(index)
            if reach is not None and reach.listed is not None:
                new.reaches[index] = (reach, _group(pos, index))
        if city >> here & 1 and index != fleet:
            found += _transfers(pos, index, old, new)


def _group(pos: AssaultPosition, index: int) -> int:
    """With whom a unit competes for room: with others like it, with HQs or workers, with guerrillas (7.3, 7.4)."""
    unit = pos.roster[index]
    return 1 if unit.is_hq or unit.is_worker else 2 if unit.is_guerrilla else 0


def _transfers(pos: AssaultPosition, index: int, old: Listing, new: Listing) -> Sequence[Order]:
    """The transfers of a unit, carried on if nothing has changed in the city, or in its district."""
    known, here = old.transfers.get(index), pos.where[index]
    if known is None or known[0] != here or old.city is not new.city:
        full = room(pos, pos.roster[index]).full & pos.ground.whole_district[here]
        stays = known is not None and known[:2] == (here, full) and old.friends and new.friends
        if known is None or not stays or (old.city[0] ^ new.city[0]) >> index & 1 or moving.must_get_away(pos, index):
            known = (here, full, transfers_of(pos, index))
    new.transfers[index] = known
    return known[2]
