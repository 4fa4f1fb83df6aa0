"""Chapter 17: surprise. Soviet marches on turn 1 (17.1, 17.2), and the counterattack if the army comes in time (17.4);
the attacks they must make (17.3) stand with all others in ``combat.py``."""

from __future__ import annotations

from collections.abc import Callable

from ...hexes import HexMask
from ...kernel.flood import Flood, flood, zone
from ...kernel.position import Refusal
from .edition import GERMAN, SOVIET
from .pieces import Slot
from .position import LeningradPosition
from .reach import Group

NEAR, FAR = 60, 400
"""Half points of ways to the front that most units have, and more than any way across the map costs."""


def bonus(pos: LeningradPosition, overrun: bool) -> int:
    """Columns the Soviet counterattack gives to a Soviet attack now (17.4)."""
    figures = pos.game.edition.tables.bonus
    if pos.turn != figures.turn or (overrun and not figures.overruns):
        return 0
    army = sum(a.infantry + a.armor for a in pos.game.edition.scenario.arrivals if a.bonus)
    if pos.on_time < army:
        return 0
    return figures.shift if pos.options.bonus_direction == "right" else -figures.shift


def next_to_germans(pos: LeningradPosition) -> HexMask:
    """Hexes next to a German unit (17.2)."""
    return pos.zone(GERMAN) & pos.ground.land


def forced_destinations(pos: LeningradPosition, group: Group) -> HexMask:
    """Where a Soviet group may go on turn 1: next to a German, or else towards the nearest (17.2).

    The march never ends in a hex that would hold too many units, whenever the edition counts them (4.6).
    """
    mask = group.going.reachable & ~pos.crowd[SOVIET][3 - len(group.slots)]
    for slot in group.slots:
        mask &= _forced(pos, slot)
        if not mask:
            return 0
    return mask


def _forced(pos: LeningradPosition, slot: Slot) -> HexMask:
    """Where a Soviet unit may go on turn 1, worked out once a position."""
    known: dict[Slot, HexMask] = pos.scratch.setdefault("forced", {})
    if slot not in known:
        known[slot] = _forced_alone(pos, Group(pos, (slot,)))
    return known[slot]


def _forced_alone(pos: LeningradPosition, alone: Group) -> HexMask:
    if pos.ground.frozen >> alone.start & 1 and alone.at_origin and not alone.continuing:
        return 0
    reachable = alone.going.reachable & ~pos.crowd[SOVIET][2]
    adjacent = reachable & next_to_germans(pos)
    if adjacent or not reachable:
        return adjacent
    if next_to_germans(pos) >> alone.start & 1:
        return 0
    return _towards(pos, alone, reachable)


def _towards(pos: LeningradPosition, group: Group, reachable: HexMask) -> HexMask:
    """Hexes that spend the allowance along a cheapest way to the nearest German unit, in points."""
    distances = _distances(pos, group.mobile, NEAR)
    if not distances.reached >> group.start & 1:
        distances = _distances(pos, group.mobile, FAR)
    here = distances.cost(group.start)
    if here is None:
        return 0
    layers, on_the_way = distances.layers, 0
    for spent, hexes in enumerate(group.costing[: here + 1]):
        ends = hexes & reachable & layers[here - spent]
        if ends:
            on_the_way |= ends & ~_can_go_on(distances, group, group.budget - spent, here - spent)
    if on_the_way:
        return on_the_way
    return next((hexes & reachable for hexes in layers[:here] if hexes & reachable), 0)


def _distances(pos: LeningradPosition, mobile: bool, within: int) -> Flood:
    """How far the hexes are from the nearest hex next to a German unit: a flood from there, backwards."""
    targets = next_to_germans(pos) & ~pos.crowd[GERMAN][0]
    barred = pos.crowd[GERMAN][0] | ~pos.ground.land
    costs = pos.ground.costs(SOVIET, mobile, pos.forts, pos.interdicted)
    return pos.ground.remembered(
        ("march", mobile, within, targets, barred, pos.interdicted),
        lambda: flood(costs.reversed(), targets, within, barred=barred),
    )


def _can_go_on(distances: Flood, group: Group, left: int, distance: int) -> HexMask:
    """Hexes so far from the Germans from which a further affordable step along a cheapest way is open."""
    back, layers, found = distances.costs, distances.layers, 0
    for price, _, sides in back.plan:
        if price <= left and price <= distance:
            found |= zone(back.grid, layers[distance - price] & ~group.barred, sides)
    return found


def bound_to_move(pos: LeningradPosition, slot: Slot) -> bool:
    """Whether a Soviet unit still owes its turn-1 march (17.2)."""
    if next_to_germans(pos) >> pos.hexes[slot] & 1:
        return False
    if slot not in pos.active and pos.moved >> slot & 1:
        return False
    return bool(_forced(pos, slot))


def unfinished(pos: LeningradPosition) -> Refusal | None:
    """A group that has begun its turn-1 march must finish it before another starts (17.2)."""
    if not pos.active or pos.turn > 1 or not pos.surprised(pos.mover):
        return None
    for slot in pos.active:
        if pos.hexes[slot] >= 0 and bound_to_move(pos, slot):
            return Refusal("17.2", f"{pos.name(slot)} must first move on towards the Germans")
    return None


def first_of_whom(pos: LeningradPosition, question: Callable[[Slot], bool]) -> Slot | None:
    """On turn 1 the first unit of the surprised side of which something is true (17.2, 17.3)."""
    units = pos.on_map(SOVIET) if pos.surprised(pos.mover) else ()
    return next(filter(question, units), None)


def why_not_end_movement(pos: LeningradPosition) -> Refusal | None:
    """All Soviet units close with the Germans before the phase ends (17.2)."""
    slot = first_of_whom(pos, lambda slot: bound_to_move(pos, slot))
    if slot is None:
        return None
    unit = f"{pos.name(slot)} in {pos.ground.names[pos.hexes[slot]]}"
    return Refusal("17.2", f"{unit} must move next to a German unit or towards the nearest")
