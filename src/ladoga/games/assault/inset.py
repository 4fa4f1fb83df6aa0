"""The inset (8.0): transfers between the maps, the summons to the city, the fringe at the end of a turn."""

from __future__ import annotations

from ...hexes import Hex, HexMask, mask_of, members
from ...kernel.orders import Order
from ...kernel.position import Refusal, forbid
from . import derived
from .figures import GERMAN, SIDES, SOVIET
from .movement import gets_away, gets_away_by_transfer, must_get_away
from .orders import Placement, but, named_hexes, one_unit
from .pending import Crowd
from .state import State
from .zones import excess, no_room

# Free transfers (8.32) and the summons (8.33) -----------------------------------------------------


def transfer_hexes(pos: State, index: int) -> HexMask:
    """Where a Soviet unit in the city may be transferred: within its district, on either map (8.12, 8.32).

    One order goes anywhere in the district, so each unit comes to rest on the inset once before its move and once
    after. Who is taken to the main map may go back again: two units that change places need that.
    """
    goal = 0 if pos.transferred >> index & 1 else _district(pos, index, _is_summoned(pos))
    if not goal:
        return 0
    if (
        must_get_away(pos, index)
        and pos.agenda[-1][:2] == ("movement", SOVIET)
        and not pos.is_moved(index)
        and (gets_away(pos, index) or gets_away_by_transfer(pos, index))
    ):
        # Before it moves it goes only to where it can still get away (18.21).
        goal = mask_of(h for h in members(goal) if gets_away(pos, index, h))
    return goal & ~no_room(pos, index)


@derived.through_phase
def _district(pos: State, index: int, summoned: bool) -> HexMask:
    """The other hexes of a unit's district, if it may leave its own."""
    ground, here = pos.ground, pos.where[index]
    capital = ground.capital_of.get(here, here)
    if capital not in ground.district_of or pos.roster[index].type in ground.book.inset_only:
        return 0
    if here != capital if summoned else pos.germans_on_inset:
        return 0
    if pos.is_disrupted(index):
        return 0 if here != capital else ground.district_of[capital]
    return (ground.district_of[capital] if summoned else ground.district_of[capital] | 1 << capital) & ~(1 << here)


def _is_summoned(pos: State) -> bool:
    """Whether the city is being manned (8.33)."""
    return bool(pos.agenda) and pos.agenda[0].at == "summons"


def in_time(pos: State) -> bool:
    """Whether units are transferred now: in Soviet phases, before German ones, when the city is manned (8.32, 8.33)."""
    return pos.side == SOVIET or pos.agenda[0].at in ("summons", "transfers")


def city_units(pos: State) -> list[int]:
    """Soviet ground units in the city, on either map."""
    city = pos.ground.city
    return sorted(index for h in members(pos.lays[SOVIET].occupied & city) for index in pos.stacks[h])


def each_phase(pos: State) -> bool:
    """Whether units may be transferred at the beginning of every German phase, as the option has it (8.32)."""
    return pos.options.free_transfers == "each-phase"


def can_transfer(pos: State) -> bool:
    """Whether any Soviet unit may be transferred (8.32)."""
    return not pos.germans_on_inset and any(transfer_hexes(pos, index) for index in city_units(pos))


def end_transfers(pos: State, _: object) -> None:
    """No more transfers: the phase begins, or the German goes on (8.32, 8.33)."""
    pos.transferred = 0
    pos.done()


def transfer_of(pos: State, order: Order) -> Placement | Refusal:
    """The transfer of an order, or why the unit may not be transferred (8.12, 8.32, 8.33)."""
    forbid(len(order.units) != 1 or len(order.hexes) != 1, "8.32", "transfer one unit to one hex")
    index = pos.index.get(order.units[0], -1)
    forbid(index >= 0 and pos.roster[index].side == GERMAN, "8.34", "German units go from map to map by moving")
    forbid(index < 0 or pos.roster[index].is_naval, "8.32",
           "only Soviet ground units are transferred between city and inset")  # fmt: skip
    forbid(not in_time(pos), "8.32", "in a German player-turn units are transferred {}",
           "at the beginning of each phase" if each_phase(pos) else "when the city is manned")  # fmt: skip
    found = named_hexes(pos, order)
    if transfer_hexes(pos, index) >> found[0] & 1:
        return Placement(index, found[0])
    here, ground, summoned = pos.where[index], pos.ground, _is_summoned(pos)
    forbid(here >= 0 and ground.linked >> here & 1, "8.36", "{} goes from map to map by moving, not being in the city",
           order.units[0])  # fmt: skip
    forbid(pos.germans_on_inset and not summoned, "8.33", "there are German units on the inset")
    forbid(here >= 0 and ground.interior >> here & 1 and pos.is_disrupted(index), "12.45",
           "{} is disrupted and may not leave the inset", order.units[0])  # fmt: skip
    forbid(summoned and here >= 0 and not ground.capital >> here & 1, "8.33", "{} is not on a city hex of the main map",
           order.units[0])  # fmt: skip
    forbid(
        must_get_away(pos, index) and ground.capital_of.get(here, here) in (found[0], ground.capital_of.get(found[0])),
        "18.21",
        "{} must get seven hexes away from the city on turn 1",
        order.units[0],
    )
    forbid(pos.roster[index].type in ground.book.inset_only, "19.43", "{} stays on the inset", order.units[0])
    if pos.transferred >> index & 1:
        when = "since it moved" if pos.is_moved(index) else "already"
        return Refusal("8.32", f"{order.units[0]} has been transferred {when}: one order goes anywhere in the district")
    forbid(no_room(pos, index) >> found[0] & 1, "8.26", "there is no room for {} in {}", order.units[0], order.hexes[0])
    return Refusal("8.12", f"{order.units[0]} may not be transferred to {order.hexes[0]}")


def transfer(pos: State, shift: Placement) -> None:
    """Transfer a unit at no cost (8.32)."""
    pos.shift(*shift, "transfer", "8.32", "{0} is transferred to {1}")
    if pos.ground.inset >> shift.hex & 1:
        pos.transferred |= 1 << shift.unit


def why_not_manned(pos: State) -> Refusal | None:
    """Why the city does not count as manned yet (8.33)."""
    capital = pos.ground.capital
    if any(capital >> pos.where[i] & 1 and transfer_hexes(pos, i) for i in city_units(pos)):
        return Refusal("8.33", "every unit on the main-map city hexes goes to the inset first")
    return None


def man(pos: State, _: object) -> None:
    """The city is manned: who found no room is lost, and the German goes on (8.33)."""
    for index in city_units(pos):
        if pos.ground.capital >> pos.where[index] & 1:
            pos.eliminate(index, "8.33")
    end_transfers(pos, None)


# The fringe at the end of a player-turn (8.37) ----------------------------------------------------


def clear_fringe(pos: State) -> None:
    """Bring the phasing side's units back from the fringe of the inset, those for which there is room; the owner
    chooses among too many first (8.37)."""
    ground, side = pos.ground, pos.side
    for main in ground.grid.members(ground.fringe_main if pos.lays[side].occupied & ground.fringe_inset else 0):
        coming = [index for h in members(ground.links[main] & pos.lays[side].occupied) for index in pos.stacks[h]]
        if pos.lays[1 - side].occupied >> main & 1:
            for index in coming:
                pos.eliminate(index, "8.37")
            continue
        if coming and excess(pos.roster[index] for index in (*coming, *pos.stacks.get(main, ()))):
            pos.interrupt("crowd", side, Crowd(SIDES[side], ground.number(main)))
            return
        for index in coming:
            pos.shift(index, main, "transfer", "8.37", "{0} goes back to {1}")
    pos.go("player-turn over")


def crowd(pos: State) -> list[int]:
    """Units among which one must be given up for want of room (8.37)."""
    now: Crowd = pos.agenda[0].matter
    main: Hex = pos.ground.grid.hex(now.hex)
    there = (pos.roster[i] for h in (main, *members(pos.ground.links[main])) for i in pos.stacks.get(h, ()))
    return [pos.index[unit.id] for unit in excess(unit for unit in there if SIDES[unit.side] == now.side)]


def removal_of(pos: State, order: Order) -> int | Refusal:
    """The unit an order gives up, or why that would not help (8.37)."""
    index = one_unit(pos, order)
    return index if index in crowd(pos) else Refusal("8.37", f"giving up {order.units[0]} would not make room")


MAKE_ROOM_FIRST = but({"end": Refusal("8.37", "the units that find no room are given up first")})


def remove(pos: State, index: int) -> None:
    """Eliminate a unit for want of room, even an HQ for good; then the rest is looked at again (8.37)."""
    pos.eliminate(index, "8.37")
    if pos.roster[index].is_hq:
        pos.withdrawn |= 1 << index
    pos.done()
