"""Chapter 7: overrun, combat in the movement phase."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...hexes import Hex, members
from ...kernel.orders import Order
from ...kernel.position import Refusal
from . import air, combat, movement, surprise
from .edition import GERMAN, halves
from .fight import Fight
from .orders import air_word, named_hex, named_slots
from .pieces import Slot, points

if TYPE_CHECKING:
    from .position import LeningradPosition


def price(pos: LeningradPosition, side: int, mobile: bool, start: Hex, target: Hex) -> int:
    """Half points an overrun costs each unit (7.3)."""
    figures = pos.game.edition.tables.overrun
    if figures.flat is not None:
        return halves(figures.flat)
    step = pos.ground.costs(side, mobile, 0, pos.interdicted).price(start, target)
    assert step is not None
    extra = figures.plus_german_turn_1 if side == GERMAN and pos.turn == 1 else figures.plus
    return step + 2 * extra


def why_not(pos: LeningradPosition, slots: tuple[Slot, ...], target: Hex, air_units: int) -> Refusal | None:
    """Why a group may not overrun a hex (7.0 to 7.5, 17.1)."""
    refused = movement.why_no_group(pos, slots)
    if refused is not None:
        return Refusal("7.4", refused.message) if refused.case == "4.5" else refused
    if len({pos.stacks.get(slot, 0) for slot in slots if slot in pos.active}) > 1:
        return Refusal("7.4", "units that overrun together have moved together all the way")
    group = movement.movement_of(pos, slots)
    name = pos.ground.names[target]
    if surprise.soviets_surprised(pos, group.side):
        return Refusal("17.1", "Soviet units may not overrun on turn 1")
    if not pos.ground.zone(1 << group.start) >> target & 1:
        return Refusal("7.0", f"{name} is not adjacent, or lies across water")
    if pos.side_at(target) != 1 - group.side:
        return Refusal("7.5", f"there is no enemy unit in {name}")
    for mobile, left in group.purses:
        cost = price(pos, group.side, mobile, group.start, target)
        if left < cost:
            return Refusal("7.3", f"an overrun takes {points(cost)} points from each unit; {points(left)} are left")
    return combat.why_no_air(pos, group.side, air_units)


def orders_for(pos: LeningradPosition, slots: tuple[Slot, ...]) -> Iterator[Order]:
    """The overruns a group can make from where it stands, with and without air units."""
    side = pos.mover
    near = pos.ground.zone(1 << pos.hexes[slots[0]]) & pos.crowd[1 - side][0]
    if not near:
        return
    names = tuple(pos.name(slot) for slot in slots)
    most_air = air.ready(pos) if side == GERMAN else 0
    for target in members(near):
        if why_not(pos, slots, target, 0) is None:
            for n in range(most_air + 1):
                words = ("air", str(n)) if n else ()
                yield Order("overrun", names, (pos.ground.names[target],), words)


def refusal(pos: LeningradPosition, order: Order) -> Refusal | None:
    """Why an overrun is refused."""
    slots = named_slots(pos, order)
    if isinstance(slots, Refusal):
        return slots
    if len(order.hexes) != 1:
        return Refusal("7.5", "an overrun is made against one hex")
    target = named_hex(pos, order)
    if isinstance(target, Refusal):
        return target
    air_units = air_word(order)
    if isinstance(air_units, Refusal):
        return air_units
    return why_not(pos, slots, target, air_units)


def as_fight(pos: LeningradPosition, order: Order) -> Fight:
    """The fight an overrun order begins."""
    slots = tuple(sorted(pos.slot(name) for name in order.units))
    air_units = air_word(order)
    assert isinstance(air_units, int)
    targets = (pos.ground.grid.hex(order.hexes[0]),)
    return Fight(True, pos.mover, targets, "compose", slots, air_units)


def apply(pos: LeningradPosition, order: Order) -> None:
    """Spend the points and fight."""
    fight = as_fight(pos, order)
    group = movement.movement_of(pos, fight.attackers)
    cost, toll = (price(pos, group.side, mobile, group.start, fight.targets[0]) for mobile in (group.mobile, True))
    movement.spend(pos, group, cost, toll)
    movement.part(pos, fight.attackers)
    verb = "overruns" if len(order.units) == 1 else "overrun"
    pos.tell("overrun", "7.0", "{0} {1} {2}", "+".join(order.units), verb, order.hexes[0])
    combat.announce(pos, fight)
