"""The inset (8.0): transfers between the maps, the summons to the city, the fringe at the end of a turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...hexes import Hex, HexMask, mask_of, members
from ...kernel.orders import END, Order
from ...kernel.position import Refusal
from .figures import GERMAN, SIDES, SOVIET
from .movement import gets_away, gets_away_by_transfer, must_get_away
from .pending import Crowd, Summons, Transfers
from .zones import excess, no_room

if TYPE_CHECKING:
    from .position import AssaultPosition


# Free transfers (8.32) and the summons (8.33) -----------------------------------------------------


def transfer_hexes(pos: AssaultPosition, index: int) -> HexMask:
    """Where a Soviet unit in the city may be transferred: within its district, on either map (8.12, 8.32).

    One order goes anywhere in the district, so each unit comes to rest on the inset once before its move and once
    after. Who is taken to the main map may go back again: two units that change places need that.
    """
    ground, here = pos.ground, pos.where[index]
    summoned = isinstance(pos.pending, Summons)
    if summoned and here >= 0 and not ground.capital >> here & 1:
        return 0
    if here < 0 or pos.is_transferred(index) or (pos.germans_on_inset and not summoned):
        return 0
    unit = pos.roster[index]
    if unit.type in ground.book.inset_only:
        return 0
    capital = ground.capital_of.get(here, here)
    if capital not in ground.district_of:
        return 0
    if ground.interior >> here & 1 and pos.is_disrupted(index):
        return 0
    goal = ground.district_of[capital]
    if not summoned and not pos.is_disrupted(index):
        goal |= 1 << capital
    if must_get_away(pos, index) and pos.phase.id == "soviet-movement" and not pos.is_moved(index):
        goal = _ways_out(pos, index, goal)
    return goal & ~(1 << here) & ~no_room(pos, index)


def _ways_out(pos: AssaultPosition, index: int, goal: HexMask) -> HexMask:
    """A guerrilla that can get away from the city is transferred only to where it still can (18.21)."""
    if gets_away(pos, index) or gets_away_by_transfer(pos, index):
        return mask_of(h for h in members(goal) if gets_away(pos, index, h))
    return goal


def city_units(pos: AssaultPosition) -> list[int]:
    """Soviet ground units in the city, on either map."""
    city = pos.ground.city
    return sorted(index for h in members(pos.lays[SOVIET].occupied & city) for index in pos.stacks[h])


def each_phase(pos: AssaultPosition) -> bool:
    """Whether units may be transferred at the beginning of every German phase, as the option has it (8.32)."""
    return bool(pos.options["free-transfers"] == "each-phase")


def can_transfer(pos: AssaultPosition) -> bool:
    """Whether any Soviet unit may be transferred."""
    return not pos.germans_on_inset and any(transfer_hexes(pos, index) for index in city_units(pos))


def offer_transfers(pos: AssaultPosition) -> bool:
    """Let the Soviet side transfer units before a German phase begins, where that is played (8.32)."""
    if pos.side != GERMAN or not each_phase(pos) or not can_transfer(pos):
        return False
    pos.pending = Transfers()
    return True


def offer_orders(pos: AssaultPosition) -> Iterator[Order]:
    """Transfer a unit, or let the phase begin."""
    for index in city_units(pos):
        yield from transfer_orders(pos, index)
    yield END


def offer_refusal(pos: AssaultPosition, order: Order) -> Refusal | None:
    """Why an order is illegal before a German phase begins."""
    if order == END:
        return None
    return transfer_refusal(pos, order) if order.verb == "transfer" else pos.out_of_place(order)


def offer_apply(pos: AssaultPosition, order: Order) -> None:
    """Transfer a unit, or let the phase begin."""
    if order != END:
        transfer_apply(pos, order)
        return
    pos.pending = None
    pos.clear_transfers()
    pos.open_phase()


def transfer_orders(pos: AssaultPosition, index: int) -> tuple[Order, ...]:
    """Every transfer of a unit."""
    return pos.ground.transfers(pos.roster[index].id, transfer_hexes(pos, index))


def transfer_refusal(pos: AssaultPosition, order: Order) -> Refusal | None:
    """Why a unit may not be transferred."""
    if len(order.units) != 1 or len(order.hexes) != 1:
        return Refusal("8.32", "transfer one unit to one hex")
    index = pos.index.get(order.units[0], -1)
    if index >= 0 and pos.roster[index].side == GERMAN:
        return Refusal("8.34", "German units go from map to map by moving")
    if index < 0 or pos.roster[index].is_naval:
        return Refusal("8.32", "only Soviet ground units are transferred between city and inset")
    if pos.side == GERMAN and not isinstance(pos.pending, Summons | Transfers):
        when = "at the beginning of each phase" if each_phase(pos) else "when the city is manned"
        return Refusal("8.32", f"in a German player-turn units are transferred {when}")
    found = pos.hex_path(order.hexes)
    if isinstance(found, Refusal):
        return found
    if transfer_hexes(pos, index) >> found[0] & 1:
        return None
    here, ground = pos.where[index], pos.ground
    if here >= 0 and ground.linked >> here & 1:
        return Refusal("8.36", f"{order.units[0]} goes from map to map by moving, not being in the city")
    if pos.germans_on_inset and not isinstance(pos.pending, Summons):
        return Refusal("8.33", "there are German units on the inset")
    if here >= 0 and ground.interior >> here & 1 and pos.is_disrupted(index):
        return Refusal("12.45", f"{order.units[0]} is disrupted and may not leave the inset")
    if isinstance(pos.pending, Summons) and here >= 0 and not ground.capital >> here & 1:
        return Refusal("8.33", f"{order.units[0]} is not on a city hex of the main map")
    if must_get_away(pos, index) and ground.capital_of.get(here, here) in (found[0], ground.capital_of.get(found[0])):
        return Refusal("18.21", f"{order.units[0]} must get seven hexes away from the city on turn 1")
    if pos.roster[index].type in ground.book.inset_only:
        return Refusal("19.43", f"{order.units[0]} stays on the inset")
    if pos.is_transferred(index):
        when = "since it moved" if pos.is_moved(index) else "already"
        return Refusal("8.32", f"{order.units[0]} has been transferred {when}: one order goes anywhere in the district")
    if no_room(pos, index) >> found[0] & 1:
        return Refusal("8.26", f"there is no room for {order.units[0]} in {order.hexes[0]}")
    return Refusal("8.12", f"{order.units[0]} may not be transferred to {order.hexes[0]}")


def transfer_apply(pos: AssaultPosition, order: Order) -> None:
    """Transfer a unit at no cost."""
    index = pos.index[order.units[0]]
    h = pos.ground.grid.hex(order.hexes[0])
    pos.put(index, h)
    pos.pass_through(SOVIET, [h])
    if pos.ground.inset >> h & 1:
        pos.mark_transferred(index)
    pos.event("transfer", "8.32", "{0} is transferred to {1}", *order.units, *order.hexes)


def summons_orders(pos: AssaultPosition) -> Iterator[Order]:
    """Take the units off the main-map city hexes."""
    for index in city_units(pos):
        yield from transfer_orders(pos, index)
    if not _left_to_transfer(pos):
        yield END


def _left_to_transfer(pos: AssaultPosition) -> list[int]:
    """Units on the main-map city hexes that find room on the inset."""
    capital = pos.ground.capital
    return [i for i in city_units(pos) if capital >> pos.where[i] & 1 and transfer_hexes(pos, i)]


def summons_refusal(pos: AssaultPosition, order: Order) -> Refusal | None:
    """Why an order is illegal while the city is being manned."""
    if order == END:
        if _left_to_transfer(pos):
            return Refusal("8.33", "every unit on the main-map city hexes goes to the inset first")
        return None
    if order.verb == "transfer":
        return transfer_refusal(pos, order)
    return pos.out_of_place(order)


def summons_apply(pos: AssaultPosition, order: Order) -> None:
    """Transfer a unit, or let the German go on."""
    if order == END:
        for index in city_units(pos):
            if pos.ground.capital >> pos.where[index] & 1:
                pos.eliminate(index, "8.33")
        pos.pending = None
        pos.clear_transfers()
        return
    transfer_apply(pos, order)


# The fringe at the end of a player-turn (8.37) ----------------------------------------------------


def clear_fringe(pos: AssaultPosition) -> bool:
    """Bring the phasing side's units back from the fringe of the inset; false if a choice is needed."""
    ground, side = pos.ground, pos.side
    lay = pos.lay(side)
    if not lay.occupied & ground.fringe_inset:
        return True
    for main in ground.grid.members(ground.fringe_main):
        inset = ground.links[main] & lay.occupied
        if not inset:
            continue
        coming = [index for h in members(inset) for index in pos.stacks[h]]
        if pos.lay(1 - side).occupied >> main & 1:
            for index in coming:
                pos.eliminate(index, "8.37")
            continue
        if excess(pos.roster[index] for index in (*coming, *pos.stacks.get(main, ()))):
            pos.pending = Crowd(SIDES[side], ground.number(main))
            return False
        for index in coming:
            pos.put(index, main)
            pos.pass_through(side, [main])
            pos.event("transfer", "8.37", "{0} goes back to {1}", pos.roster[index].id, ground.number(main))
    return True


def _crowd(pos: AssaultPosition) -> list[int]:
    """Units among which one must be given up."""
    crowd = pos.pending
    assert isinstance(crowd, Crowd)
    main: Hex = pos.ground.grid.hex(crowd.hex)
    together = [
        index
        for h in (main, *members(pos.ground.links[main]))
        for index in pos.stacks.get(h, ())
        if SIDES[pos.roster[index].side] == crowd.side
    ]
    return [pos.index[unit.id] for unit in excess(pos.roster[index] for index in together)]


def crowd_orders(pos: AssaultPosition) -> Iterator[Order]:
    """Give up a unit."""
    for index in _crowd(pos):
        yield Order("remove", (pos.roster[index].id,))


def crowd_refusal(pos: AssaultPosition, order: Order) -> Refusal | None:
    """Why a unit cannot be the one that is given up."""
    if order == END:
        return Refusal("8.37", "the units that find no room are given up first")
    if order.verb != "remove" or len(order.units) != 1:
        return pos.out_of_place(order)
    if pos.index.get(order.units[0], -1) in _crowd(pos):
        return None
    return Refusal("8.37", f"giving up {order.units[0]} would not make room")


def crowd_apply(pos: AssaultPosition, order: Order) -> None:
    """Eliminate a unit for want of room, even an HQ for good, then see whether the rest fits."""
    pos.pending = None
    index = pos.index[order.units[0]]
    pos.eliminate(index, "8.37")
    if pos.roster[index].is_hq:
        pos.withdrawn |= 1 << index
    pos.next_phase()
