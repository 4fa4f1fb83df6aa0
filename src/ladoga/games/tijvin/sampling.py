"""Some legal order, quickly: what ``legal.random`` draws at each moment, with its plan where it was found anyway."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

from ...hexes import NOWHERE, Hex, members
from ...kernel.orders import END, Order
from ...kernel.position import allows
from ...kernel.sequence import Placement, Planned
from . import administration, combat, deployment, movement, operations
from .administration import Assignment
from .battle import Activation, in_hand
from .book import enemy_of
from .deployment import Placing
from .movement import March, Way
from .operations import PASS
from .position import TijvinPosition

Sampler = Callable[["TijvinPosition", random.Random], "Order | Planned"]

COMMIT = Order("commit")
PASSES = Planned(PASS, lambda p, _: operations.pass_on(p), None)
COMBAT_ENDS = Planned(END, lambda p, _: combat.end(p), None)
ACTIVATION_ENDS = (Planned(END, lambda p, _: operations.end_activation(p), None),)
REINFORCEMENTS_END = (Planned(END, lambda p, _: administration.close_entries(p), None),)
MOVEMENT_ENDS = Planned(END, lambda p, _: movement.end(p), None)

ENDS_MOVEMENT = 0.15
WANDERS = 0.9
"""How often a unit is sent along a way found step by step."""
STEPS = 6
"""Most steps tried on such a way."""


def ending(orders: Callable[[TijvinPosition], Iterable[Order]], share: float) -> Sampler:
    """One of the orders of a moment, or its end with a given probability; the end alone where nothing else is left."""

    def draw(p: TijvinPosition, rng: random.Random) -> Order:
        others = list(orders(p))
        return END if not others or rng.random() < share else rng.choice([*others, END])

    return draw


def set_up(p: TijvinPosition, rng: random.Random) -> Order | Planned:
    """Some unit or headquarters, and some hex for it; or the end of the last changes."""
    units, hqs = deployment.waiting(p)
    last = deployment.is_last_change(p)
    if (last and rng.random() < 0.3) or (not last and not units and not hqs):
        return END
    names = [p.roster.units[u].id for u in members(deployment.movable(p) if last else units)]
    names += [p.roster.hqs[q].id for q in hqs]
    while names:
        name = names.pop(int(rng.random() * len(names)))
        u = p.roster.index.get(name, -1)
        hexes = list(members(deployment.ground_of(p) if u < 0 else deployment.unit_hexes(p, u)))
        if hexes:
            h = rng.choice(hexes)
            placing = Placing(u, p.roster.hq_index.get(name, -1), h)
            return Planned(Order("place", (name,), (p.ground.names[h],)), deployment.place, placing)
    return END


def assignment(p: TijvinPosition, rng: random.Random) -> Order | Planned:
    """Some change, or the end of the step."""
    if rng.random() < 0.6:
        units, hqs = p.roster.of[p.side], p.roster.hqs_of[p.side]
        u, q = units[int(rng.random() * len(units))], hqs[int(rng.random() * len(hqs))]
        if allows(administration.check_assignment, p, u, q):
            order = Order("assign", (p.roster.units[u].id,), (), (p.roster.hqs[q].id,))
            return Planned(order, administration.assign, Assignment(u, q))
    return END


def activation(p: TijvinPosition, rng: random.Random) -> Order | Planned:
    """Some activation; rarely a pass."""
    if rng.random() < 0.05 and operations.may_pass(p) is None:
        return PASSES
    if rng.random() < 0.1:
        return rng.choice(list(p._orders()))
    hqs = [*operations.ready_hqs(p), *operations.bonus_hqs(p)]
    units = [] if hqs and rng.random() < 0.5 else list(members(operations.independent(p)))
    if not hqs and not units:
        return PASSES
    index = int(rng.random() * (len(hqs) + len(units)))
    if index < len(hqs):
        name, called = p.roster.hqs[hqs[index]].id, Activation(operations.units_called(p, hqs[index]), hqs[index])
    else:
        u = units[index - len(hqs)]
        name, called = p.roster.units[u].id, Activation(1 << u)
    return Planned(Order("activate", (name,)), operations.activate, called)


def move(p: TijvinPosition, rng: random.Random) -> Order | Planned:
    """Some move, or the end of movement."""
    full = movement.overfull(p)
    units, cured = movement.curers(p, full), full < 0
    names, roster = p.ground.names, p.roster
    while units:
        if cured and rng.random() < ENDS_MOVEMENT:
            return MOVEMENT_ENDS
        u = units.pop(int(rng.random() * len(units)))
        walked = cured and not p.fog and rng.random() < WANDERS
        way = (wander(p, u, rng) or wander(p, u, rng)) if walked else None
        if way is None:
            hexes = list(members(movement.destinations(p, u, movement.range_of(p, u).reached)))
            to: tuple[Hex, ...] = (rng.choice(hexes),) if hexes else ()
        else:
            to = way.hexes
        if len(to) == 1:
            way = movement.find_way(p, u, to)
        if way is not None:
            return Planned(Order("move", (roster.units[u].id,), tuple([names[h] for h in to])), movement.move,
                           March([u], way))  # fmt: skip
    return MOVEMENT_ENDS


def orders_of_one(p: TijvinPosition, rng: random.Random) -> list[Order]:
    """Every move of some unit, or the end of movement."""
    units = movement.movers(p)
    number = int(rng.random() * (len(units) + 1))
    orders = list(movement.orders_of(p, units[number])) if number < len(units) else []
    return orders or ([END] if movement.why_not_end(p) is None else list(p._orders()))


def wander(p: TijvinPosition, u: int, rng: random.Random) -> Way | None:
    """Some way a unit can take, found step by step, if chance found one."""
    side = p.side
    enemy = enemy_of(side)
    occupied, zone = p.occupied(enemy), p.whole_zone(enemy)
    layers, points, here = movement.costs_of(p, u).by_direction, movement.allowance(p, u), p.hexes[u]
    left, path = points, list[Hex]()
    seen = occupied | 1 << here
    neighbours = p.ground.grid.neighbours
    for _ in range(1 + int(rng.random() * STEPS)):
        d = int(rng.random() * 6)
        h = neighbours(here)[d]
        if h < 0 or seen >> h & 1:
            continue
        cost = next((price for price, mask in layers[d].items() if mask >> h & 1), left + 1)
        if cost > left:
            continue
        seen |= 1 << h
        left -= cost
        here = h
        path.append(h)
        if zone >> h & 1:
            break
    return Way(tuple(path), points - left) if path and p.room(here, side) >= p.cf[u] else None


def headquarters_move(p: TijvinPosition, rng: random.Random) -> Order | Planned:
    """Some hex for the headquarters, or none."""
    hexes = list(members(operations.hq_hexes(p)))
    if not hexes or rng.random() < 0.2:
        return END
    h = rng.choice(hexes)
    order = Order("move", (p.roster.hqs[p.active_hq].id,), (p.ground.names[h],))
    return Planned(order, operations.move_hq, h)


def arrival(p: TijvinPosition, rng: random.Random) -> Order | Planned:
    """Some reinforcement by one of its hexes; the end when nobody can come in."""
    orders = list(administration.arrivals(p))
    if not orders:
        return rng.choice(REINFORCEMENTS_END)
    order = rng.choice(orders)
    arrival = Placement(p.roster.index[order.units[0]], p.ground.grid.hex(order.hexes[0]))
    return Planned(order, administration.arrive, arrival)


def attack(p: TijvinPosition, rng: random.Random) -> Order | Planned:
    """Some hex to attack, or the end."""
    hexes = p.ground.grid.members(combat.targets(p))
    h = rng.choice([*hexes, NOWHERE] if combat.why_not_end(p) is None else hexes)
    if h == NOWHERE:
        return COMBAT_ENDS if p.stage == "combat" else END
    return Planned(Order("target", hexes=(p.ground.names[h],)), combat.open_attack, combat.opened(p, h))


def composition(p: TijvinPosition, rng: random.Random) -> Order:
    """Mostly add, at last commit."""
    every = list(combat.additions(p))
    if not every or (in_hand(p).attackers and rng.random() < 0.25):
        return COMMIT
    return rng.choice(every)
