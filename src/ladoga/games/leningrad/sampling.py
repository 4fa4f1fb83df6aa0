"""Some legal order, quickly: what chance draws at each decision. No rule stands here.

Everything drawn is legal by the way it was found, so most of it comes with its plan and is not judged again. Moves are
mostly short ways; now and then the kernel draws from the list instead (``LISTED``), in movement from that of one unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ...hexes import nth, pick
from ...kernel.orders import END, Order
from ...kernel.position import CANCEL, allows
from ...kernel.sequence import Passage, Placement, Planned
from . import air, combat, forts, movement, overrun, reinforcements, results, set_up, stacking, surprise
from .edition import GERMAN
from .fight import Fight
from .ground import hindered_hexes
from .listing import moves, orders_of
from .movement import March, Movement
from .pieces import Slot
from .position import LeningradPosition

TRIES = 8
"""Short ways that chance tries before it looks at all hexes a group can reach."""
OVERRUNS = 0.25
"""How often it looks for overruns of units next to an enemy."""
POOR = 5
"""Half points with which it tries single steps only."""
FURTHER = 0.5
"""How often it then goes on by another."""
ALONE = 0.75
"""How often it lets a reinforcement enter alone without looking at stacks."""
NEARBY = 0.75
"""How often it looks only at sites of forts close to a source of supply."""

COMMIT = Order("commit")


# Before the movement --------------------------------------------------------------------------------


def placement(pos: LeningradPosition, rng: Random) -> Planned | Order:
    """Some unit somewhere (1.0)."""
    waiting = set_up.unplaced(pos)
    if not waiting:
        return END
    slot = waiting[int(rng.random() * len(waiting))]
    h = pick(set_up.open_hexes(pos, slot), rng)
    order = Order("place", (pos.name(slot),), (pos.ground.names[h],))
    return Planned(order, set_up.place, Placement(slot, h))


def interdiction(pos: LeningradPosition, rng: Random) -> Planned | Order:
    """Some hex, or the end of it (13.3)."""
    order = pos.ground.draw_at("interdict", pos.ground.land if air.ready(pos) else 0, rng)
    return order if order is END else Planned(order, air.interdict, pos.ground.grid.hex(order.hexes[0]))


def fort(pos: LeningradPosition, rng: Random) -> Planned | Order:
    """Some site, more often one near a source of supply, or the end of it (15.0)."""
    near = forts.near_sites(pos) if rng.random() < NEARBY else 0
    sites = (near or forts.sites(pos)) if forts.at_hand(pos) > 0 else 0
    order = pos.ground.draw_at("fort", sites, rng)
    return order if order is END else Planned(order, forts.build, pos.ground.grid.hex(order.hexes[0]))


# Movement (4.0) -------------------------------------------------------------------------------------


def move(pos: LeningradPosition, rng: Random) -> Planned | Order:
    """Some order of a movement phase: a piece first, then what it can do."""
    draw, hexes = rng.random, pos.hexes
    if pos.reserve and draw() < 0.2:
        entering = _entry(pos, rng)
        if entering is not None:
            return entering
    surprised = pos.turn == 1 and pos.surprised(pos.mover)
    left = pos.may_still_move()
    while left:
        first = int(draw() * left.bit_length())
        beyond = left >> first << first
        slot = (beyond & -beyond).bit_length() - 1
        found = _move_of(pos, slot, surprised, rng) if hexes[slot] >= 0 else None
        if found is not None:
            return found
        left ^= 1 << slot
    if stacking.why_not_end(pos) is None:
        return END
    every = [*moves(pos), *reinforcements.entries(pos)]
    return every[int(draw() * len(every))]


def orders_of_one(pos: LeningradPosition, rng: Random) -> Sequence[Order]:
    """Everything that some unit can be ordered to do in a movement phase, all who may enter, or the end of it."""
    units = pos.may_still_move()
    number = int(rng.random() * (units.bit_count() + 2))
    if number < units.bit_count():
        orders = list(orders_of(pos, nth(units, number)))
    else:
        orders = list(reinforcements.entries(pos)) if number == units.bit_count() else []
    return orders or ([END] if stacking.why_not_end(pos) is None else list(pos._orders()))


def _entry(pos: LeningradPosition, rng: Random) -> Planned | Order | None:
    """Some unit or stack that enters: mostly a unit alone (16.0)."""
    ready, draw = reinforcements.due(pos), rng.random
    if not ready.slots:
        return None
    if draw() < ALONE and surprise.unfinished(pos) is None:
        slot = ready.slots[int(draw() * len(ready.slots))]
        full = pos.crowd[pos.mover][2] if pos.game.stacking_always else 0
        mask = reinforcements.entry_hexes(pos, slot) & ~pos.crowd[1 - pos.mover][0] & ~full
        if mask:
            h = pick(mask, rng)
            order = Order("enter", (pos.labels[slot],), (pos.ground.names[h],))
            return Planned(order, reinforcements.enter, reinforcements.Entry((slot,), h, order.units))
    every = reinforcements.entries(pos)
    return every[int(draw() * len(every))] if every else None


def _move_of(pos: LeningradPosition, slot: Slot, surprised: bool, rng: Random) -> Planned | None:
    """A move or overrun of a piece that may move, alone or with others of its hex."""
    active, stack, draw = pos.active, pos.at[pos.hexes[slot]], rng.random
    slots: tuple[Slot, ...] = (slot,)
    if len(stack) > 1 and draw() < 0.4:
        moving = slot in active
        others = [s for s in stack if s != slot and (s in active if moving else not pos.moved >> s & 1)]
        slots = tuple(sorted([slot, *others[: int(draw() * 3)]]))
    if surprised and (pos.zone(GERMAN) >> pos.hexes[slot] & 1 or movement.why_no_group(pos, slots) is not None):
        return None
    group = Movement(pos, slots)
    if group.in_zone:
        if draw() < OVERRUNS:
            overruns = overrun.orders_for(pos, slots, overrun.payable(pos, slots, group.left), {})
            if overruns:
                order = overruns[int(draw() * len(overruns))]
                target, planes = pos.ground.grid.hex(order.hexes[0]), int(order.words[1]) if order.words else 0
                return Planned(order, overrun.overrun, Fight(True, pos.mover, (target,), slots, planes))
        if group.stuck:
            return None
    march = None if surprised else _short_way(group, rng)
    if march is None:
        destinations = group.destinations
        if not destinations:
            return None
        h = pick(destinations, rng)
        cost = group.cost_to(h)
        assert cost is not None
        march = group.march(Order("move", pos.called(slots), (pos.ground.names[h],)), group.way_to(h), cost)
    return Planned(march.order, movement.move, march)


def _short_way(group: Movement, rng: Random) -> March | None:
    """Some legal way of one to four hexes of a group that is not stuck, found without a flood; nothing if chance
    found none."""
    pos, draw, start = group.pos, rng.random, group.start
    barred, zone, budget = group.barred, group.enemy_zone, group.budget
    hindered = hindered_hexes(group.side, pos.forts, pos.interdicted) if group.start_factor == 1 else -1
    strolls = pos.ground.strolls[group.mobile]
    around = strolls[start]
    leaving = group.disengagement if group.in_zone else 0
    choices = len(around) if budget > POOR else pos.ground.around[start].bit_count()
    for _ in range(TRIES if around else 0):
        cost, inner, hexes, way, names = around[int(draw() * choices)]
        if hexes & barred or inner & zone:
            continue
        if group.in_zone and zone >> way[0] & 1:
            continue
        cost = group.toll(way, group.mobile) if hexes & hindered else cost + leaving
        if cost > budget or (group.fast >= 0 and group.toll(way) > group.fast):
            continue
        if draw() < FURTHER and not zone >> way[-1] & 1 and group.fast < 0:
            around = strolls[way[-1]]
            more, inner, further, onward, onward_names = around[int(draw() * len(around))]
            open_way = not (further & (barred | hindered | hexes | 1 << start) or inner & zone)
            if open_way and cost + more <= budget:
                cost, way, names = cost + more, way + onward, names + onward_names[1:]
        return group.march(Order("move", pos.called(group.slots), names), way, cost)
    if group.fast >= 0 or not group.guaranteed:
        return None
    h = pick(group.guaranteed, rng)  # one of the steps that it can always make (4.3)
    order = Order("move", pos.called(group.slots), (pos.ground.names[start], pos.ground.names[h]))
    return group.march(order, (h,), min(group.toll((h,), group.mobile), group.budget))


# Combat (8.0, 10.0) ---------------------------------------------------------------------------------


def attack(pos: LeningradPosition, rng: Random) -> Planned | Order:
    """Some target, or the end of the phase."""
    draw, targets = rng.random, combat.worth_targeting(pos)
    while targets:
        number = int(draw() * (targets.bit_count() + 1))
        if number == targets.bit_count():
            if combat.why_not_end(pos) is None:
                return END
            continue
        h = nth(targets, number)
        if allows(combat.check_target, pos, None, h):
            return Planned(Order("target", (), (pos.ground.names[h],)), combat.compose, Fight(False, pos.mover, (h,)))
        targets ^= 1 << h
    return any_order(pos, rng)


def composition(pos: LeningradPosition, rng: Random) -> Planned | Order:
    """A unit at a time until the attack is made."""
    fight, draw = combat.in_hand(pos), rng.random
    if draw() < 0.8:
        if fight.attackers and draw() < 0.5 and combat.why_no_commit(pos, fight) is None:
            return Planned(COMMIT, combat.announce, fight)
        joining = combat.joining(pos)
        if joining:
            slot = joining[int(draw() * len(joining))]
            return Planned(Order("add", (pos.name(slot),)), combat.compose, combat.with_unit(fight, slot))
    return any_order(pos, rng)


def payment(pos: LeningradPosition, rng: Random) -> Planned:
    """Of losses and retreats a unit first, then what becomes of it."""
    units = results.affected(pos)
    slot = units[int(rng.random() * len(units))]
    if not combat.in_hand(pos).retreat and (rng.random() < 0.5 or not results.may_retreat(pos)):
        return Planned(Order("lose", (pos.name(slot),)), results.lose, slot)
    ways = results.ways_back(pos, slot)
    path = ways[int(rng.random() * len(ways))]
    return Planned(results.retreat_order(pos, slot, path), results.retreat, Passage(slot, path))


def advance(pos: LeningradPosition, rng: Random) -> Planned | Order:
    """Some advance, or none more."""
    ways = results.open_advances(pos)
    number = int(rng.random() * (len(ways) + (results.why_no_end(pos) is None)))
    if number == len(ways):
        return END
    return Planned(results.advance_order(pos, ways[number]), results.advance, ways[number])


def any_order(pos: LeningradPosition, rng: Random) -> Order:
    """Any order of the list but to cancel."""
    every = [order for order in pos._orders() if order.verb != CANCEL]
    return every[int(rng.random() * len(every))]
