"""Every order of a movement phase, and every transfer: lists carried on from position to position. No rule stands here.

A list keeps for each unit what was listed, with what that depends on: its hex, the friends that may be in its way, in
the city everybody there. The next one lists anew only the units for which that has changed where they would notice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from operator import xor

from ...hexes import Hex, HexMask, mask_of, members
from ...kernel.orders import Order
from . import arrivals, derived, inset
from . import movement as moving
from .figures import SOVIET
from .kept import Kept
from .state import State, UnitMask
from .zones import packed


@dataclass(slots=True)
class Listing:
    """What was listed last along a line of play; it does not change once the list is made."""

    lore: derived.Lore
    friends: tuple[HexMask, ...] | None
    """Where units of each group stood; nothing where there is more to it than their hexes: a city so full that it
    matters in which one a unit is (8.26), a march interrupted (8.33), guerrillas that must get away (18.21)."""
    transferred: UnitMask
    reaches: dict[int, Kept] = field(default_factory=dict)
    bound: dict[int, Hex] = field(default_factory=dict)
    """Units that may not move from their hexes."""
    held: UnitMask = 0
    """The same as a set."""
    transfers: dict[int, tuple[Hex, Sequence[Order]]] = field(default_factory=dict)
    """By unit in the city its hex and its transfers."""


def unmoved(pos: State) -> UnitMask:
    """Units of the phasing side on the map that have not ended their move."""
    own, fleet, marching = pos.teams[pos.side], pos.fleet_index, pos.marching
    units = pos.placed if fleet is None or pos.where[fleet] < 0 else pos.placed | 1 << fleet
    units &= own & ~pos.moved
    return units if marching is None else units | 1 << marching.unit


def has_move(pos: State) -> bool:
    """Whether a unit on the map may enter some hex, which is soon said."""
    units = members(unmoved(pos) & pos.placed)
    return any(moving.standstill(pos, index) is None and moving.has_step(pos, index) for index in units)


# Unit by unit -------------------------------------------------------------------------------------


def moves_of(pos: State, index: int) -> Sequence[Order]:
    """Every move of one unit, by its destination."""
    unit, ground = pos.roster[index], pos.ground
    if unit.is_naval:
        return ground.sorted_orders("move", unit.id, ground.fleet & ~(1 << pos.where[index]))
    reach = moving.reach_of(pos, index)
    if not isinstance(reach, Kept) or moving.must_get_away(pos, index):
        return ground.orders("move", unit.id, moving.destinations(pos, index, reach))
    if reach.listed is None:
        reach.listed = ground.orders("move", unit.id, reach.hexes)
    return reach.listed


def entries_of(pos: State, index: int) -> Sequence[Order]:
    """Every way for a waiting unit to come onto the map, by the hex it ends in."""
    name = pos.roster[index].id
    if arrivals.by_city(pos, index):
        return pos.ground.sorted_orders("enter", name, arrivals.city_entry(pos, index))
    reach = moving.reach_of(pos, index, arrivals.entry_hexes(pos, index))
    if not isinstance(reach, Kept):
        return pos.ground.sorted_orders("enter", name, reach.hexes)
    if reach.listed is None:
        reach.listed = pos.ground.sorted_orders("enter", name, reach.hexes)
    return reach.listed


def transfers_of(pos: State, index: int) -> Sequence[Order]:
    """Every transfer of a unit."""
    return pos.ground.transfers(pos.roster[index].id, inset.transfer_hexes(pos, index))


def orders_of(pos: State, index: int) -> Iterator[Order]:
    """The orders of a movement phase for one unit."""
    if pos.where[index] < 0:
        if pos.agenda[-1].at != "mechanized-movement" and index in arrivals.waiting(pos, pos.side):
            yield from entries_of(pos, index)
        return
    if moving.standstill(pos, index) is None:
        yield from moves_of(pos, index)
    if pos.side == SOVIET and not pos.roster[index].is_naval:
        yield from transfers_of(pos, index)


# The whole list -----------------------------------------------------------------------------------


def movement(pos: State) -> Sequence[Order]:
    """The orders of a movement phase: of units on the map, of those waiting to come in, of those that cannot
    move but may be transferred (12.45)."""
    carried = Carried(pos, pos.side)
    found: list[Order] = []
    city = pos.ground.city if pos.side == SOVIET and not pos.germans_on_inset else 0
    for index, moves in carried.moves(unmoved(pos)):
        found += moves
        if city >> pos.where[index] & 1 and index != pos.fleet_index:
            found += carried.transfers_of(index)
    if pos.agenda[-1].at != "mechanized-movement":
        for index in arrivals.waiting(pos, pos.side):
            found += entries_of(pos, index)
    for index in inset.city_units(pos) if city else ():
        if (pos.moved | carried.new.held) >> index & 1:
            found += carried.transfers_of(index)
    pos.listing = carried.new
    return found


def transfers(pos: State) -> Sequence[Order]:
    """Every transfer there is."""
    if not inset.in_time(pos):
        return ()
    carried = Carried(pos, SOVIET)
    pos.listing = carried.new
    return list(chain.from_iterable(map(carried.transfers_of, inset.city_units(pos))))


class Carried:
    """What was listed last, as far as it tells anything of the list now made, and that list."""

    def __init__(self, pos: State, side: int) -> None:
        self._pos = pos
        lore, lay, old = derived.lore_of(pos, side), pos.lays[side], pos.listing
        plain = not (side == SOVIET and packed(pos)) and pos.marching is None
        friends = lay.groups if plain and not moving.getting_away(pos) else None
        self.new = Listing(lore, friends, pos.transferred)
        self._old = old if old is not None and old.lore is lore else self.new
        self._changed = EVERYWHERE
        """By group the hexes to which units have come, or which they have left; all if all is to be listed anew."""
        if self._old.friends and friends:
            self._changed = tuple(map(xor, self._old.friends, friends))

    def moves(self, units: UnitMask) -> Iterator[tuple[int, Sequence[Order]]]:
        """The moves of each of some units on the map that may move; few have to be listed anew."""
        pos, old, new, changed = self._pos, self._old, self.new, self._changed
        roster, where = pos.roster, pos.where
        new.bound, new.held = old.bound.copy(), old.held
        if [*map(where.__getitem__, new.bound)] != [*new.bound.values()]:
            new.bound = {index: h for index, h in old.bound.items() if where[index] == h}
            new.held = mask_of(new.bound)
        for index in members(units & ~new.held):
            known = old.reaches.get(index)
            if (
                known is not None
                and known.start == where[index]
                and not changed[roster[index].group] & known.touched
                and known.listed is not None
            ):
                new.reaches[index] = known
                yield index, known.listed
                continue
            if moving.standstill(pos, index) is not None:
                new.bound[index] = where[index]
                new.held |= 1 << index
                continue
            yield index, moves_of(pos, index)
            reach = new.lore.reaches.get(index)
            if reach is not None and reach.listed is not None:
                new.reaches[index] = reach

    def transfers_of(self, index: int) -> Sequence[Order]:
        """The transfers of a unit, the same if nothing has changed in its district."""
        pos, old, new, here = self._pos, self._old, self.new, self._pos.where[index]
        known = old.transfers.get(index)
        if (
            known is None
            or known[0] != here
            or self._changed[pos.roster[index].group] & pos.ground.whole_district[here]
            or (old.transferred ^ new.transferred) >> index & 1
        ):
            known = here, transfers_of(pos, index)
        new.transfers[index] = known
        return known[1]


EVERYWHERE: tuple[HexMask, ...] = (-1, -1, -1)
