"""Chapter 7: overrun, combat in the movement phase."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import repeat

from ...hexes import NOWHERE, Hex, HexMask, members
from ...kernel.orders import Order
from ...kernel.position import forbid, refuse
from . import air, combat, movement
from .edition import GERMAN, halves
from .fight import Fight
from .orders import air_word, named_hex, named_slots, why_all_water
from .pieces import Slot, figure
from .position import LeningradPosition
from .reach import Group

Ways = tuple[list[tuple[str]], list[tuple[str, ...]]]
"""Targets as orders write them, and for each of them the words for the air units."""


def price(pos: LeningradPosition, side: int, mobile: bool, start: Hex, target: Hex) -> int:
    """Half points an overrun costs each unit (7.3)."""
    figures = pos.game.edition.tables.overrun
    if figures.flat is not None:
        return halves(figures.flat)
    step = pos.ground.costs(side, mobile, 0, pos.interdicted).price(start, target)
    assert step is not None
    extra = figures.plus_german_turn_1 if side == GERMAN and pos.turn == 1 else figures.plus
    return step + 2 * extra


def affordable(pos: LeningradPosition, mobile: bool, left: int, start: Hex, target: Hex) -> bool:
    """Whether a unit of a kind has the points for an overrun (7.3)."""
    return left >= price(pos, pos.mover, mobile, start, target)


def check(pos: LeningradPosition, slots: tuple[Slot, ...], target: Hex, air_units: int) -> None:
    """Refuse an overrun that a group may not make (7.0 to 7.5, 17.1)."""
    refused = movement.why_no_group(pos, slots)
    refuse(refused and refused._replace(case="7.4" if refused.case == "4.5" else refused.case))
    apart = not _together(pos, slots)
    forbid(apart and _entered(pos, slots), "7.4",
           "units that overrun together began the phase in one hex; these have just entered")  # fmt: skip
    forbid(apart, "7.4", "units that overrun together have moved together all the way")
    group, name = Group(pos, slots), pos.ground.names[target]
    forbid(pos.surprised(group.side), "17.1", "Soviet units may not overrun on turn 1")
    beside = pos.ground.around[group.start] >> target & 1
    refuse(None if beside else why_all_water(pos, group.start, target))
    forbid(not beside, "7.0", "{} is not adjacent", name)
    forbid(pos.side_at(target) != 1 - group.side, "7.5", "there is no enemy unit in {}", name)
    for mobile, left in group.purses:
        forbid(not affordable(pos, mobile, left, group.start, target), "7.3",
               "an overrun takes {} points from each unit; left: {}",
               figure(price(pos, group.side, mobile, group.start, target)), figure(left))  # fmt: skip
    refuse(air.why_no_air(pos, group.side, air_units))


def payable(pos: LeningradPosition, units: Iterable[Slot], left: Mapping[Slot, int]) -> dict[Slot, HexMask]:
    """For each of some units of a hex the enemy hexes that it has the points to overrun (7.0, 7.3)."""
    side, found = pos.mover, dict.fromkeys(units, 0)
    if pos.surprised(side):
        return found
    start = pos.hexes[next(iter(found))]
    for target in members(pos.ground.around[start] & pos.crowd[1 - side][0]):
        for slot in found:
            if affordable(pos, pos.pieces[slot].mobile, left[slot], start, target):
                found[slot] |= 1 << target
    return found


def orders_for(
    pos: LeningradPosition, slots: tuple[Slot, ...], payable: Mapping[Slot, HexMask], known: dict[HexMask, Ways]
) -> list[Order]:
    """The overruns a group can make from where it stands, with and without air units.

    ``known`` are the ways to name sets of targets that were worked out for other groups.
    """
    targets = -1
    for slot in slots:
        targets &= payable[slot]
    if not targets or (len(slots) > 1 and not _together(pos, slots)):
        return []
    ways = known.get(targets)
    if ways is None:
        ways = known[targets] = _ways(pos, targets)
    return list(map(Order, repeat("overrun"), repeat(pos.called(slots)), *ways))


def _ways(pos: LeningradPosition, targets: HexMask) -> Ways:
    """Each of some hexes as orders write it, with each number of air units that may join in (13.1)."""
    most_air = air.ready(pos) if pos.mover == GERMAN else 0
    support: list[tuple[str, ...]] = [("air", str(n)) if n else () for n in range(most_air + 1)]
    hexes = [(pos.ground.names[h],) for h in members(targets)]
    return [place for place in hexes for _ in support], support * len(hexes)


def _together(pos: LeningradPosition, slots: tuple[Slot, ...]) -> bool:
    """Whether units began the phase in one hex and have moved together all the way (7.4)."""
    if len(slots) == 1 or slots[0] not in pos.active:
        return True
    if _entered(pos, slots) and pos.options.arrivals_overrun == "singly":
        return False
    return len({pos.stacks.get(slot, 0) for slot in slots if slot in pos.active}) <= 1


def _entered(pos: LeningradPosition, slots: tuple[Slot, ...]) -> bool:
    """Whether units on the march have come onto the map in this phase (16.1)."""
    return slots[0] in pos.active and pos.origin == NOWHERE


def overrun_of(pos: LeningradPosition, order: Order) -> Fight:
    """The fight that an overrun of the next hex begins (7.0)."""
    slots = named_slots(pos, order)
    forbid(len(order.hexes) != 1, "7.5", "an overrun is made against one hex")
    target, air_units = named_hex(pos, order), air_word(order)
    check(pos, slots, target, air_units)
    return Fight(True, pos.mover, (target,), slots, air_units)


def overrun(pos: LeningradPosition, fight: Fight) -> None:
    """Spend the points and fight (7.3)."""
    group = Group(pos, fight.attackers)
    foot, armored = (price(pos, group.side, mobile, group.start, fight.targets[0]) for mobile in (False, True))
    left = {slot: group.left[slot] - (armored if pos.pieces[slot].mobile else foot) for slot in group.slots}
    movement.spend(pos, group.slots, group.start, left)
    movement.part(pos, fight.attackers)
    verb = "overruns" if len(fight.attackers) == 1 else "overrun"
    pos.tell("overrun", "7.0", "{0} {1} {2}", "+".join(pos.called(fight.attackers)), verb,
             pos.ground.names[fight.targets[0]])  # fmt: skip
    combat.announce(pos, fight)
