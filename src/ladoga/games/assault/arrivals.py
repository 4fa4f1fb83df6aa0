"""Starting the game (5.0), reinforcements and withdrawals (16.0), the cup (19.7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from ...hexes import Hex, HexMask, mask_of, members, union
from ...kernel.chance import Chance, uniform
from ...kernel.orders import Order
from ...kernel.position import Reach, Reached, Refusal, first_case, forbid, refuse
from . import movement
from .figures import GERMAN, SIXTHS, SOVIET
from .movement import (
    March,
    along,
    destinations,
    gets_away,
    gets_away_by_transfer,
    mover_of,
    out_of_reach,
    reach_of,
    standstill,
    waters,
    way_to,
)
from .orders import Placement, named_hexes, one_unit, out_of_place, own_unit
from .pending import Draw
from .state import State
from .zones import no_room

# Set-up (5.1, Appendix I; 19.82) ------------------------------------------------------------------


def set_up_hexes(pos: State, index: int) -> HexMask:
    """City hexes of either map where a unit may be placed at the start."""
    ground = pos.ground
    inset_only = pos.roster[index].type in ground.book.inset_only
    return (ground.interior if inset_only else ground.city) & ~no_room(pos, index)


def unplaced(pos: State) -> list[int]:
    """Units that start in the city and have not been placed."""
    return [pos.index[u] for u in pos.game.scenario.in_city if u in pos.index and pos.where[pos.index[u]] < 0]


def placements(pos: State) -> Iterator[Order]:
    """Every place for each of the units that start in the city."""
    for index in unplaced(pos):
        yield from pos.ground.sorted_orders("place", pos.roster[index].id, set_up_hexes(pos, index))


def placement_of(pos: State, order: Order) -> Placement | Refusal:
    """The placement of an order, or why the unit may not be placed there."""
    if len(order.hexes) != 1:
        return out_of_place(pos, order)
    index = one_unit(pos, order)
    forbid(index not in unplaced(pos), "5.1", "{} is not a unit to be placed", order.units[0])
    found = named_hexes(pos, order)
    forbid(
        not set_up_hexes(pos, index) >> found[0] & 1, "APP1", "{} may not start in {}", order.units[0], order.hexes[0]
    )
    return Placement(index, found[0])


def place(pos: State, placement: Placement) -> None:
    """Place a unit."""
    pos.put(*placement)
    unit, number = pos.roster[placement.unit].id, pos.ground.number(placement.hex)
    pos.tell("place", "5.1", "{0} is placed in {1}", unit, number)


def why_not_ready(pos: State) -> Refusal | None:
    """The first turn begins when all are placed and the player is content (5.2)."""
    waiting = unplaced(pos)
    return Refusal("5.1", f"{pos.roster[waiting[0]].id} has not been placed") if waiting else None


# Who is due ---------------------------------------------------------------------------------------


def areas_of(pos: State, index: int) -> list[str]:
    """Entry areas a unit may come in by; ``city`` for Soviet units of the first game (16.13, 16.14)."""
    unit = pos.roster[index]
    if unit.id in pos.drawn:
        return [pos.drawn[unit.id]]
    if unit.id in pos.game.scenario.hq_areas and pos.returning >> index & 1:
        return pos.game.scenario.hq_areas[unit.id]
    due = pos.game.due.get(unit.id)
    return [due.area or "city"] if due is not None else []


def waiting(pos: State, side: int) -> list[int]:
    """Units that may come in now: due on this turn or earlier (16.12, 16.19)."""
    due = pos.due[pos.turn] | pos.returning | mask_of(pos.index[unit] for unit in pos.drawn)
    due &= pos.teams[side] & ~pos.placed & ~pos.withdrawn
    return [index for index in members(due) if pos.steps[index] > 0 and pos.where[index] < 0]


def city_entry(pos: State, index: int) -> HexMask:
    """Where a Soviet reinforcement may appear (16.13)."""
    ground = pos.ground
    if not pos.germans_on_inset:
        return ground.city & ~no_room(pos, index)
    german = pos.lays[GERMAN].occupied
    open_hexes = union(district for district in ground.district_of.values() if not district & german)
    if not open_hexes and ground.book.blocked_refuge:
        open_hexes = ground.grid.mask([ground.book.blocked_refuge]) & ~german
    return open_hexes & ~no_room(pos, index)


def entry_hexes(pos: State, index: int) -> HexMask:
    """Map-edge hexes of a unit's entry areas."""
    return union(map(pos.ground.place, areas_of(pos, index)))


def by_city(pos: State, index: int) -> bool:
    """Whether a reinforcement appears in the city instead of at the edge of the map (16.13)."""
    return "city" in areas_of(pos, index)


def entry_of(pos: State, order: Order) -> March | Refusal:
    """The entry of an order, or why the unit may not come in, or not there (16.12 to 16.19)."""
    forbid(pos.agenda[-1].at == "mechanized-movement", "16.16", "reinforcements come in the movement phase")
    forbid(len(order.units) != 1, "6.12", "units move one at a time")
    found = own_unit(pos, order.units[0])
    refuse(_not_waiting(pos, found))
    path = named_hexes(pos, order)
    if by_city(pos, found):
        if len(path) == 1 and city_entry(pos, found) >> path[0] & 1:
            return March(found, path)
        return Refusal("16.13", f"{order.units[0]} may not appear in {order.hexes[-1]}")
    entries = entry_hexes(pos, found)
    if len(path) > 1:
        return along(pos, found, mover_of(pos, found, entries), path)
    reach = reach_of(pos, found, entries)
    if reach.hexes >> path[0] & 1:
        return March(found, path, reach.mover, reach)
    return _blocked(pos, found, entries, path[0])


def _not_waiting(pos: State, index: int) -> Refusal | None:
    """Why a unit does not come in at all: it is not off the map, or not due (16.11, 16.19; 19.72)."""
    unit_id, due = pos.roster[index].id, pos.game.due.get(pos.roster[index].id)
    gone = pos.where[index] >= 0 or pos.steps[index] == 0 or pos.withdrawn >> index & 1
    return first_case(
        (gone, "16.11", "{} is not waiting to come in", unit_id),
        (pos.cup >> index & 1, "19.72", "{} is still in the cup", unit_id),
        (index not in waiting(pos, pos.side), "16.19", "{} may not come in{}", unit_id,
         f" before turn {due.turn}" if due else ""),
    )  # fmt: skip


def _blocked(pos: State, index: int, entries: HexMask, h: Hex) -> Refusal:
    """Why a unit that comes in at some hexes does not get to another (16.14, 16.15)."""
    number, unit_id, mover = pos.ground.number(h), pos.roster[index].id, mover_of(pos, index, entries)
    return first_case(
        (entries >> h & 1 and pos.lays[1 - pos.side].occupied >> h & 1, "16.15", "{} is held by the enemy", number),
        (not mover.entries, "16.15", "every entry hex of {} is blocked", unit_id),
        (pos.ground.entries & ~entries & 1 << h, "16.14", "{} is not in the entry area of {}", number, unit_id),
    ) or out_of_reach(pos, index, h, mover)


def enter(pos: State, march: March) -> None:
    """Bring a unit in: at the edge with its move, in the city free to move on (16.13, 16.14)."""
    if march.mover is not None:
        pos.forget_arrival(march.unit)
        movement.move(pos, march)
        return
    pos.shift(march.unit, march.path[0], "enter", "16.13", "{0} appears in {1}")


def reached(pos: State, index: int) -> Mapping[str, Reached]:
    """Where a unit of the side that moves can go, on the map or from off it."""
    unit, ground, here = pos.roster[index], pos.ground, pos.where[index]
    if here >= 0:
        if standstill(pos, index) is not None:
            return {}
        if unit.is_naval:
            return waters(pos, index)
        found = reach_of(pos, index)
    elif index not in waiting(pos, unit.side) or pos.agenda[-1].at == "mechanized-movement":
        return {}
    elif by_city(pos, index):
        free = Fraction(unit.movement, SIXTHS)
        hexes = ground.unsorted(city_entry(pos, index))
        return {number: Reached(free, (number,), Fraction(0)) for number in hexes}
    else:
        found = reach_of(pos, index, entry_hexes(pos, index))
    start = (ground.number(here),) if here >= 0 else ()

    def detail(number: str) -> Reached:
        h = ground.grid.hex(number)
        cost = found.cost(h) or 0
        path = start + tuple(map(ground.number, way_to(pos, index, found, h)))
        left = 0 if found.mover.only_one else found.mover.budget - cost
        return Reached(Fraction(left, SIXTHS), path, Fraction(cost, SIXTHS))

    return Reach(ground.unsorted(destinations(pos, index, found)), detail)


# Withdrawals and returning HQs --------------------------------------------------------------------


def withdraw(pos: State) -> None:
    """Take off the units that leave this turn (16.22, 16.23, 16.26)."""
    for leave in (each for each in pos.game.scenario.withdrawals if each.turn == pos.turn):
        if leave.unless_inset and pos.germans_on_inset:
            pos.tell("withdrawal", "16.26", "There are German units in the city: the panzer corps stays")
            continue
        for index in (pos.index[unit_id] for unit_id in leave.units if unit_id in pos.index):
            if pos.steps[index] and not pos.withdrawn >> index & 1:
                pos.tell("withdrawal", "16.22", "{0} is withdrawn", pos.roster[index].id)
            pos.lift(index)
            pos.forget(index)
            pos.withdrawn |= 1 << index


def return_headquarters(pos: State) -> None:
    """Eliminated HQs wait to come back by their entry area (11.36; 19.74)."""
    for index in pos.headquarters:
        if pos.steps[index] == 0 and not pos.withdrawn >> index & 1:
            pos.renew_unit(index, "returning")
            pos.tell("return", "11.36", "{0} may come back", pos.roster[index].id)


# The cup (19.72, 19.73) ---------------------------------------------------------------------------


def in_cup(pos: State) -> list[int]:
    """Units still in the cup."""
    return [index for index in pos.order_of_battle[SOVIET] if pos.cup >> index & 1]


def begin_draws(pos: State) -> None:
    """Draw reinforcements from the cup as the turn box says (19.72)."""
    box = next((b for b in pos.game.scenario.cup_boxes if b.turn == pos.turn), None)
    _next_draw(pos, tuple(box.draws.items()) if box is not None else ())


def _next_draw(pos: State, left: tuple[tuple[str, int], ...]) -> None:
    while left and not left[0][1]:
        left = left[1:]
    if left and in_cup(pos):
        pos.interrupt("draw", SOVIET, Draw(*left[0], left[1:]))


def cup(pos: State) -> Chance:
    """Every unit in the cup is as likely as any other (19.72)."""
    orders = [Order("draw", (pos.roster[index].id,)) for index in in_cup(pos)]
    return uniform("a unit from the cup", orders, "19.72")


def draw(pos: State, drawn: Order) -> None:
    """A unit is drawn and waits at its entry area (19.72)."""
    now: Draw = pos.agenda[0].matter
    pos.cup &= ~(1 << pos.index[drawn.units[0]])
    pos.drawn = {**pos.drawn, drawn.units[0]: now.area}
    area = now.area.removeprefix("entry-").upper()
    pos.tell("draw", "19.72", "{0} is drawn for entry area {1}", drawn.units[0], area)
    pos.done()
    _next_draw(pos, ((now.area, now.left - 1), *now.then))


def refill_cup(pos: State) -> None:
    """Lost rifle and guards rifle divisions go back into the cup (19.73)."""
    for index in pos.order_of_battle[SOVIET] if pos.turn == pos.game.scenario.cup_refill else ():
        if pos.roster[index].type in ("rifle", "guards") and pos.steps[index] == 0:
            pos.renew_unit(index, "cup")
            pos.tell("cup", "19.73", "{0} goes back into the cup", pos.roster[index].id)


def guerrillas_due(pos: State) -> list[int]:
    """Guerrillas that still have to get away from the city on turn 1 and can (18.21)."""
    if not pos.options.guerrillas_away or pos.turn != 1 or pos.agenda[-1][:2] != ("movement", SOVIET):
        return []
    return [
        index
        for index in pos.order_of_battle[SOVIET]
        if pos.roster[index].is_guerrilla and (gets_away(pos, index) or gets_away_by_transfer(pos, index))
    ]


def why_not_end(pos: State) -> Refusal | None:
    """Why a movement phase may not end: guerrillas get away from the city first (18.21)."""
    due = guerrillas_due(pos)
    return Refusal("18.21", f"{pos.roster[due[0]].id} must get away from the city first") if due else None
