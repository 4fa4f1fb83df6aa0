"""Starting the game (5.0), reinforcements and withdrawals (16.0), the cup (19.7)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ...hexes import Hex, HexMask, mask_of, members, pick
from ...kernel.chance import Chance, uniform
from ...kernel.orders import END, Order
from ...kernel.position import Refusal
from .figures import GERMAN, SOVIET
from .movement import (
    gets_away,
    gets_away_by_transfer,
    march,
    march_to,
    mover_of,
    out_of_reach,
    path_refusal,
    reach_of,
    stroll,
)
from .pending import Draw
from .zones import no_room

if TYPE_CHECKING:
    from .position import AssaultPosition


# Set-up (5.1, Appendix I; 19.82) ------------------------------------------------------------------


def set_up_hexes(pos: AssaultPosition, index: int) -> HexMask:
    """City hexes of either map where a unit may be placed at the start."""
    ground = pos.ground
    city = ground.interior
    if pos.roster[index].type not in ground.book.inset_only:
        city |= ground.capital
    return city & ~no_room(pos, index)


def _unplaced(pos: AssaultPosition) -> list[int]:
    return [pos.index[u] for u in pos.game.scenario.in_city if u in pos.index and pos.where[pos.index[u]] < 0]


def set_up_orders(pos: AssaultPosition) -> Iterator[Order]:
    """Place one of the units that start in the city."""
    waiting = _unplaced(pos)
    for index in waiting:
        for h in pos.ground.grid.members(set_up_hexes(pos, index)):
            yield Order("place", (pos.roster[index].id,), (pos.ground.number(h),))
    if not waiting:
        yield END


def random_set_up(pos: AssaultPosition, rng: random.Random) -> Order:
    """Some unit in some hex."""
    waiting = _unplaced(pos)
    if not waiting:
        return END
    index = rng.choice(waiting)
    h = pick(set_up_hexes(pos, index), rng)
    return Order("place", (pos.roster[index].id,), (pos.ground.number(h),))


def set_up_refusal(pos: AssaultPosition, order: Order) -> Refusal | None:
    """Why a unit may not be placed there."""
    waiting = _unplaced(pos)
    if order == END:
        return Refusal("5.1", f"{pos.roster[waiting[0]].id} has not been placed") if waiting else None
    if order.verb != "place" or len(order.units) != 1 or len(order.hexes) != 1:
        return pos.out_of_place(order)
    index = pos.index.get(order.units[0], -1)
    if index not in waiting:
        return Refusal("5.1", f"{order.units[0]} is not a unit to be placed")
    found = pos.hex_path(order.hexes)
    if isinstance(found, Refusal):
        return found
    if not set_up_hexes(pos, index) >> found[0] & 1:
        return Refusal("APP1", f"{order.units[0]} may not start in {order.hexes[0]}")
    return None


def set_up_apply(pos: AssaultPosition, order: Order) -> None:
    """Place a unit; when all are placed and the player is content the first turn begins (5.2)."""
    if order == END:
        pos.next_phase()
        return
    pos.put(pos.index[order.units[0]], pos.ground.grid.hex(order.hexes[0]))
    pos.event("place", "5.1", "{0} is placed in {1}", *order.units, *order.hexes)


# Who is due ---------------------------------------------------------------------------------------


def areas_of(pos: AssaultPosition, index: int) -> list[str]:
    """Entry areas a unit may come in by; ``city`` for Soviet units of the first game (16.13, 16.14)."""
    unit = pos.roster[index]
    if unit.id in pos.drawn:
        return [pos.drawn[unit.id]]
    if unit.id in pos.game.scenario.hq_areas and pos.is_returning(index):
        return pos.game.scenario.hq_areas[unit.id]
    due = pos.game.due.get(unit.id)
    if due is None:
        return []
    return [due.area or "city"]


def waiting(pos: AssaultPosition, side: int) -> list[int]:
    """Units that may come in now: due on this turn or earlier (16.12, 16.19)."""
    due = pos.due[pos.turn] | pos.returning | mask_of(pos.index[unit] for unit in pos.drawn)
    due &= pos.teams[side] & ~pos.placed & ~pos.withdrawn
    return [index for index in members(due) if pos.steps[index] > 0 and pos.where[index] < 0]


def _is_due(pos: AssaultPosition, index: int) -> bool:
    if pos.is_withdrawn(index):
        return False
    unit = pos.roster[index]
    if unit.id in pos.drawn or pos.is_returning(index):
        return True
    due = pos.game.due.get(unit.id)
    return due is not None and due.turn <= pos.turn


def city_entry(pos: AssaultPosition, index: int) -> HexMask:
    """Where a Soviet reinforcement may appear (16.13)."""
    ground = pos.ground
    if not pos.germans_on_inset:
        return (ground.capital | ground.interior) & ~no_room(pos, index)
    german = pos.lay(GERMAN).occupied
    open_hexes = 0
    for district in ground.district_of.values():
        if not district & german:
            open_hexes |= district
    if not open_hexes and ground.book.blocked_refuge:
        open_hexes = ground.grid.mask([ground.book.blocked_refuge]) & ~german
    return open_hexes & ~no_room(pos, index)


def entry_hexes(pos: AssaultPosition, index: int) -> HexMask:
    """Map-edge hexes of a unit's entry areas."""
    mask = 0
    for area in areas_of(pos, index):
        mask |= pos.ground.place(area)
    return mask


def by_city(pos: AssaultPosition, index: int) -> bool:
    """Whether a reinforcement appears in the city instead of at the edge of the map (16.13)."""
    return "city" in areas_of(pos, index)


def wander_in(pos: AssaultPosition, index: int, rng: random.Random) -> list[Hex]:
    """Some legal way for a waiting unit to come onto the map; nothing if there is none."""
    if by_city(pos, index):
        hexes = city_entry(pos, index)
        return [pick(hexes, rng)] if hexes else []
    mover = mover_of(pos, index, entry_hexes(pos, index))
    if not mover.entries:
        return []
    first = rng.choice(list(mover.entries))
    return stroll(mover, [first], 1 << first, mover.budget - mover.entries[first], rng)


def enter_orders(pos: AssaultPosition, index: int) -> Sequence[Order]:
    """Every way for a waiting unit to come onto the map, by the hex it ends in."""
    if by_city(pos, index):
        return _enter(pos, index, city_entry(pos, index))
    reach = reach_of(pos, index, entry_hexes(pos, index))
    if reach.listed is None:
        reach.listed = _enter(pos, index, reach.hexes)
    return reach.listed


def _enter(pos: AssaultPosition, index: int, hexes: HexMask) -> list[Order]:
    return [Order("enter", (pos.roster[index].id,), (number,)) for number in pos.ground.numbers(hexes)]


def enter_refusal(pos: AssaultPosition, order: Order) -> Refusal | None:
    """Why a unit may not come in, or not there (16.12 to 16.19)."""
    if len(order.units) != 1:
        return Refusal("6.12", "units move one at a time")
    found = pos.own_unit(order.units[0])
    if isinstance(found, Refusal):
        return found
    unit_id = order.units[0]
    if pos.where[found] >= 0 or pos.steps[found] == 0 or pos.is_withdrawn(found):
        return Refusal("16.11", f"{unit_id} is not waiting to come in")
    if pos.is_in_cup(found):
        return Refusal("19.72", f"{unit_id} is still in the cup")
    if not _is_due(pos, found):
        due = pos.game.due.get(unit_id)
        when = f" before turn {due.turn}" if due else ""
        return Refusal("16.19", f"{unit_id} may not come in{when}")
    path = pos.hex_path(order.hexes)
    if isinstance(path, Refusal):
        return path
    if by_city(pos, found):
        return _city_refusal(pos, found, path)
    entries = entry_hexes(pos, found)
    mover = mover_of(pos, found, entries)
    if len(path) == 1:
        if reach_of(pos, found, entries).hexes >> path[0] & 1:
            return None
        if entries >> path[0] & 1 and pos.lay(1 - pos.side).occupied >> path[0] & 1:
            return Refusal("16.15", f"{order.hexes[0]} is held by the enemy")
        if not mover.entries:
            return Refusal("16.15", f"every entry hex of {unit_id} is blocked")
        if pos.ground.entries & ~entries & 1 << path[0]:
            return Refusal("16.14", f"{order.hexes[0]} is not in the entry area of {unit_id}")
        return out_of_reach(pos, found, path[0], mover)
    return path_refusal(pos, found, mover, path)


def _city_refusal(pos: AssaultPosition, index: int, path: list[Hex]) -> Refusal | None:
    if len(path) == 1 and city_entry(pos, index) >> path[0] & 1:
        return None
    return Refusal("16.13", f"{pos.roster[index].id} may not appear in {pos.ground.number(path[-1])}")


def enter_apply(pos: AssaultPosition, order: Order) -> None:
    """Bring a unit in: at the edge with its move, in the city free to move on (16.13, 16.14)."""
    index = pos.index[order.units[0]]
    path = [pos.ground.grid.hex(n) for n in order.hexes]
    if by_city(pos, index):
        pos.put(index, path[0])
        pos.pass_through(SOVIET, path)
        pos.event("enter", "16.13", "{0} appears in {1}", *order.units, *order.hexes)
        return
    entries = entry_hexes(pos, index)
    if len(path) == 1:
        reach = reach_of(pos, index, entries)
        pos.forget_arrival(index)
        march_to(pos, index, reach, path[0])
        return
    mover = mover_of(pos, index, entries)
    pos.forget_arrival(index)
    march(pos, index, mover, path)


# Withdrawals and returning HQs --------------------------------------------------------------------


def withdraw(pos: AssaultPosition) -> None:
    """Take off the units that leave this turn (16.22, 16.23, 16.26)."""
    for leave in pos.game.scenario.withdrawals:
        if leave.turn != pos.turn:
            continue
        if leave.unless_inset and pos.germans_on_inset:
            pos.event("withdrawal", "16.26", "There are German units in the city: the panzer corps stays")
            continue
        for unit_id in leave.units:
            index = pos.index.get(unit_id)
            if index is None:
                continue
            if pos.steps[index] and not pos.is_withdrawn(index):
                pos.event("withdrawal", "16.22", "{0} is withdrawn", unit_id)
            pos.mark_withdrawn(index)


def return_headquarters(pos: AssaultPosition) -> None:
    """Eliminated HQs wait to come back by their entry area (11.36; 19.74)."""
    for index in pos.headquarters:
        if pos.steps[index] == 0 and not pos.is_withdrawn(index):
            pos.bring_back(index)
            pos.event("return", "11.36", "{0} may come back", pos.roster[index].id)


# The cup (19.72, 19.73) ---------------------------------------------------------------------------


def in_cup(pos: AssaultPosition) -> list[int]:
    """Units still in the cup."""
    return [index for index in pos.order_of_battle[SOVIET] if pos.is_in_cup(index)]


def begin_draws(pos: AssaultPosition) -> None:
    """Draw reinforcements from the cup as the turn box says (19.72)."""
    box = next((b for b in pos.game.scenario.cup_boxes if b.turn == pos.turn), None)
    if box is None:
        return
    _draw_next(pos, tuple(box.draws.items()))


def _draw_next(pos: AssaultPosition, left: tuple[tuple[str, int], ...]) -> None:
    while left and not left[0][1]:
        left = left[1:]
    if not left or not in_cup(pos):
        pos.pending = None
        return
    pos.pending = Draw(left[0][0], left[0][1], left[1:])


def draw_chance(pos: AssaultPosition) -> Chance:
    """Every unit in the cup is as likely as any other."""
    orders = [Order("draw", (pos.roster[index].id,)) for index in in_cup(pos)]
    return uniform("a unit from the cup", orders, "19.72")


def draw_apply(pos: AssaultPosition, order: Order) -> None:
    """A unit is drawn and waits at its entry area."""
    draw = pos.pending
    assert isinstance(draw, Draw)
    index = pos.index[order.units[0]]
    pos.take_from_cup(index, draw.area)
    area = draw.area.removeprefix("entry-").upper()
    pos.event("draw", "19.72", "{0} is drawn for entry area {1}", order.units[0], area)
    _draw_next(pos, ((draw.area, draw.left - 1), *draw.then))
    if pos.pending is None:
        pos.settle()


def refill_cup(pos: AssaultPosition) -> None:
    """Lost rifle and guards rifle divisions go back into the cup (19.73)."""
    if not pos.game.scenario.cup_refill or pos.turn != pos.game.scenario.cup_refill:
        return
    for index in pos.order_of_battle[SOVIET]:
        if pos.roster[index].type in ("rifle", "guards") and pos.steps[index] == 0:
            pos.put_in_cup(index)
            pos.event("cup", "19.73", "{0} goes back into the cup", pos.roster[index].id)


def guerrillas_due(pos: AssaultPosition) -> list[int]:
    """Guerrillas that still have to get away from the city on turn 1 and can (18.21)."""
    if not pos.options.get("guerrillas-away") or pos.turn != 1 or pos.phase.id != "soviet-movement":
        return []
    return [
        index
        for index in pos.order_of_battle[SOVIET]
        if pos.roster[index].is_guerrilla and (gets_away(pos, index) or gets_away_by_transfer(pos, index))
    ]
