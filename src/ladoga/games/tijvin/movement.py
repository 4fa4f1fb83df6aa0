"""Movement of activated units (section 12), with weather (7), supply (10) and zones of control (5)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from ...hexes import Hex, HexMask, members
from ...kernel.flood import Costs, Flood, flood
from ...kernel.orders import END, Order
from ...kernel.position import Reach, Reached, Refusal
from . import sinyavino
from .book import UnitMask, enemy_of
from .steps import Step, wrong_verb

if TYPE_CHECKING:
    from .position import TijvinPosition


def allowance(p: TijvinPosition, u: int) -> int:
    """Movement points of a unit now: weather (7), then supply (10), then the halving of the extra
    activation of turn 1 (15.1)."""
    unit = p.roster.units[u]
    effect = p.tables.weather.effects[p.weather]
    mobile = bool(p.roster.mobile >> u & 1)
    points = unit.movement
    if mobile:
        points = effect.mobile_is or points + effect.mobile
    else:
        points = min(points, effect.foot_is) if effect.foot_is else points
    if p.unsupplied >> u & 1:
        points = points // 2 if mobile else points - 1
    if p.bonus == "now":
        points //= 2
    return max(points, 1)


def costs_of(p: TijvinPosition, u: int) -> Costs:
    """What terrain and rivers cost a unit now."""
    return p.ground.costs(p.roster.units[u].type, p.frozen, p.tables.weather.effects[p.weather].river)


class Way(NamedTuple):
    """The way a move takes, start left out."""

    hexes: list[Hex]
    cost: int


class Range(NamedTuple):
    """How far a unit gets: in plain movement, and in extended movement away from the enemy."""

    plain: Flood
    extended: Flood
    reached: HexMask
    points: int
    ways: dict[Hex, Way]
    """Ways that have been asked for."""

    def by(self, h: Hex) -> Flood:
        """The flood that reaches a hex."""
        return self.plain if self.plain.reached >> h & 1 else self.extended

    def way(self, h: Hex) -> Way:
        """The cheapest way to a hex."""
        found = self.ways.get(h)
        if found is None:
            reaching = self.by(h)
            found = self.ways[h] = Way(reaching.path(h)[1:], reaching.cost(h) or 0)
        return found


def range_of(p: TijvinPosition, u: int) -> Range:
    """All hexes a unit can move to or through."""
    found = p._ranges.get(u)
    if found is None:
        found = p._ranges[u] = _range(p, u)
    return found


def _range(p: TijvinPosition, u: int) -> Range:
    side = p.roster.units[u].side
    enemy = enemy_of(side)
    costs, points, start = costs_of(p, u), allowance(p, u), 1 << p.hexes[u]
    occupied = p.occupied(enemy)
    if p.fog:
        zone, stops = p.possible_zone(enemy), 0
        barred = occupied | sum(1 << h for h in members(zone & p.occupied(side)) if p.room(h, side) < p.cf[u])
    else:
        zone = stops = p.zone(enemy)
        barred = occupied
    plain = flood(costs, start, points, barred=barred, stops=stops)
    foreign = p.ground.land & ~p.own_ground(side)
    extended = flood(costs, start, 2 * points, barred=occupied | zone | foreign)
    return Range(plain, extended, (plain.reached | extended.reached) & ~start, points, {})


def overfull(p: TijvinPosition) -> Hex:
    """The hex that holds more than the limit for the moment, or -1 (4)."""
    limit = p.tables.stacking.limit
    return next((h for h, factors in p.field(p.side).load.items() if factors > limit), -1)


def destinations(p: TijvinPosition, u: int, reached: HexMask) -> HexMask:
    """Where a unit may end its move: with room for it, or where a friend can still make room (4)."""
    result, cf, side = reached, p.cf[u], p.side
    for h in members(reached & p.occupied(side)):
        if p.room(h, side) < cf and not (overfull(p) < 0 and relief(p, u, h)):
            result &= ~(1 << h)
    return result


def relief(p: TijvinPosition, u: int, h: Hex) -> bool:
    """Whether one unit of a full hex has yet to move, is large enough, and has somewhere to go
    once ``u`` has left its own hex (4)."""
    excess = p.cf[u] - p.room(h, p.side)
    for v in members(p.at(h, p.side) & may_move(p)):
        if p.cf[v] < excess:
            continue
        for dest in members(range_of(p, v).reached & ~(1 << h)):
            freed = p.cf[u] if dest == p.hexes[u] else 0
            if p.room(dest, p.side) + freed >= p.cf[v]:
                return True
    return False


def may_move(p: TijvinPosition) -> UnitMask:
    """Activated units that have not moved."""
    units = p.active & ~p.moved & ~sinyavino.bound(p)
    return sum(1 << u for u in members(units) if p.hexes[u] >= 0)


def movers(p: TijvinPosition) -> list[int]:
    """Units to choose from; while a hex is overfull only those that cure it."""
    units, full = may_move(p), overfull(p)
    if full < 0:
        return list(members(units))
    excess = -p.room(full, p.side)
    return [u for u in members(units & p.at(full, p.side)) if p.cf[u] >= excess]


def orders(p: TijvinPosition) -> Iterator[Order]:
    """``move UNIT HEX``."""
    for u in movers(p):
        yield from orders_of(p, u)
    if overfull(p) < 0:
        yield END


def orders_of(p: TijvinPosition, u: int) -> Iterator[Order]:
    """The moves of one unit by destination."""
    name = p.roster.units[u].id
    known = p.ground.moves.setdefault(name, {})
    for h in members(destinations(p, u, range_of(p, u).reached)):
        order = known.get(h)
        if order is None:
            order = known[h] = Order("move", (name,), (p.ground.names[h],))
        yield order


def pick(p: TijvinPosition, rng: random.Random) -> Order:
    """Some move, or the end of movement."""
    units = movers(p)
    cured = overfull(p) < 0
    while units:
        if cured and rng.random() < 0.15:
            return END
        u = units.pop(int(rng.random() * len(units)))
        path = wander(p, u, rng) if cured and not p.fog and rng.random() < 0.8 else []
        if path:
            return Order("move", (p.roster.units[u].id,), tuple(p.ground.names[h] for h in path))
        hexes = list(members(destinations(p, u, range_of(p, u).reached)))
        if hexes:
            return Order("move", (p.roster.units[u].id,), (p.ground.names[rng.choice(hexes)],))
    return END


def wander(p: TijvinPosition, u: int, rng: random.Random) -> list[Hex]:
    """Some way a unit can take, found step by step; empty if chance found none."""
    enemy = enemy_of(p.side)
    occupied, zone, _ = p.field(enemy)
    price, left, here = costs_of(p, u).price, allowance(p, u), p.hexes[u]
    path: list[Hex] = []
    seen = occupied | 1 << here
    for _ in range(1 + int(rng.random() * 6)):
        h = p.ground.grid.neighbours(here)[int(rng.random() * 6)]
        if h < 0 or seen >> h & 1:
            continue
        cost = price(here, h)
        if cost is None or cost > left:
            continue
        seen |= 1 << h
        left -= cost
        here = h
        path.append(h)
        if zone >> h & 1:
            break
    return path if path and p.room(here, p.side) >= p.cf[u] else []


def find_way(p: TijvinPosition, u: int, hexes: list[Hex]) -> Way | Refusal:
    """The way of a unit to a single hex, or along given hexes; or why there is none."""
    if len(hexes) > 1:
        return check_way(p, u, hexes[1:] if hexes[0] == p.hexes[u] else hexes)
    h = hexes[0]
    near = _next_door(p, u, h)
    if near is not None:
        return near
    reach = range_of(p, u)
    if reach.reached >> h & 1:
        return reach.way(h)
    if h == p.hexes[u]:
        return Refusal("12", f"{p.roster.units[u].name} stands there already")
    return _unreachable(p, u, h)


def _next_door(p: TijvinPosition, u: int, h: Hex) -> Way | None:
    """The way to a neighbour that costs a single point, which nothing can undercut."""
    if p.fog or not p.ground.grid.adjacent(p.hexes[u], h) or p.occupied(enemy_of(p.side)) >> h & 1:
        return None
    return Way([h], 1) if costs_of(p, u).price(p.hexes[u], h) == 1 else None


def _unreachable(p: TijvinPosition, u: int, h: Hex) -> Refusal:
    enemy = enemy_of(p.side)
    if not p.ground.land >> h & 1:
        return Refusal("5", "that hex is water")
    if p.occupied(enemy) >> h & 1:
        return Refusal("12", "an enemy unit stands in that hex")
    points = allowance(p, u)
    free = flood(costs_of(p, u), 1 << p.hexes[u], points, barred=p.occupied(enemy))
    if free.reached >> h & 1:
        return Refusal("5", "enemy zones of control stop the move on the way there")
    far = flood(costs_of(p, u), 1 << p.hexes[u], 2 * points, barred=p.occupied(enemy))
    if far.reached >> h & 1:
        return Refusal("12", f"{points} movement points do not reach that far, and twice as many may only be used "
                             "away from enemy zones of control and enemy ground")  # fmt: skip
    return Refusal("12", f"{points} movement points do not reach that far")


def check_way(p: TijvinPosition, u: int, hexes: list[Hex]) -> Way | Refusal:
    """A move along given hexes."""
    enemy, costs, points = enemy_of(p.side), costs_of(p, u), allowance(p, u)
    zone = p.possible_zone(enemy) if p.fog else p.zone(enemy)
    extended, spent, here = True, 0, p.hexes[u]
    for index, h in enumerate(hexes):
        if not p.ground.grid.adjacent(here, h):
            number = p.ground.grid.number
            return Refusal("12", f"{number(here)} and {number(h)} are not next to each other")
        if p.occupied(enemy) >> h & 1:
            return Refusal("12", "an enemy unit stands on the way")
        price = costs.price(here, h)
        if price is None:
            return Refusal("12", f"{p.roster.units[u].name} cannot enter {p.ground.grid.number(h)} from there")
        spent, here = spent + price, h
        if zone >> h & 1:
            extended = False
            last = index == len(hexes) - 1
            if not p.fog and not last:
                return Refusal("5", f"the enemy zone of control in {p.ground.grid.number(h)} ends the move")
            if p.fog and not last and p.room(h, p.side) < p.cf[u]:
                return Refusal("4", "the unit might be stopped in a hex that is full")
        if not p.own_ground(p.side) >> h & 1:
            extended = False
    if spent > (2 * points if extended else points):
        return Refusal("12", f"that way costs {spent} movement points, the unit has {points}"
                             + (", doubled" if extended else ""))  # fmt: skip
    return Way(hexes, spent)


def refusal(p: TijvinPosition, order: Order) -> Refusal | None:
    """Why a move is refused."""
    full = overfull(p)
    if order == END:
        if full < 0:
            return None
        return Refusal("4", f"more than {p.tables.stacking.limit} factors stand in {p.ground.grid.number(full)}")
    if order.verb == "attack" or order.verb == "target":
        return Refusal("6.2.1", "all units move before any combat: end movement first")
    if order.verb != "move" or not order.units or not order.hexes:
        return wrong_verb("12", "move activated units: move UNITS HEX, or end")
    for number in order.hexes:
        if number not in p.ground.grid:
            return Refusal("12", f"the map has no hex {number}")
    units = _units(p, order)
    if isinstance(units, Refusal):
        return units
    if full >= 0 and not all(u in movers(p) for u in units):
        return Refusal("4", f"first a unit has to leave {p.ground.grid.number(full)}, which is too full")
    way = shared_way(p, units, [p.ground.grid.hex(n) for n in order.hexes])
    if isinstance(way, Refusal):
        return way
    dest = way.hexes[-1]
    if len(units) == 1:
        fits = bool(destinations(p, units[0], 1 << dest))
    else:
        total = sum(p.cf[u] for u in units)
        halts = p.possible_zone(enemy_of(p.side)) if p.fog else 0
        fits = all(p.room(h, p.side) >= total for h in way.hexes if h == dest or halts >> h & 1)
    return None if fits else Refusal("4", f"more than {p.tables.stacking.limit} factors would stand there")


def _units(p: TijvinPosition, order: Order) -> list[int] | Refusal:
    units = []
    for name in order.units:
        if name in p.roster.hq_index:
            return Refusal("11.H", "a headquarters moves at the end of its activation, after combat")
        u = p.roster.index.get(name, -1)
        if u < 0 or p.roster.units[u].side != p.side or p.hexes[u] < 0:
            return Refusal("12", f"{name} is not a unit of yours on the map")
        if not p.active >> u & 1:
            return Refusal("11.A", f"{name} is not activated")
        if p.moved >> u & 1:
            return Refusal("12", f"{name} has moved already")
        if sinyavino.bound(p) >> u & 1:
            return Refusal("15.1", f"{name} may not move: it has to attack Sinyavino")
        units.append(u)
    if len({p.hexes[u] for u in units}) > 1:
        return Refusal("12", "only units of one hex move together")
    return units


def shared_way(p: TijvinPosition, units: list[int], hexes: list[Hex]) -> Way | Refusal:
    """One way for units that move together: every one of them must be able to take it."""
    slowest = units[0]
    if len(units) > 1:
        slowest = min(units, key=lambda u: (allowance(p, u), range_of(p, u).reached.bit_count()))
    way = find_way(p, slowest, hexes)
    if isinstance(way, Refusal):
        return way
    for u in units:
        if u != slowest:
            other = check_way(p, u, way.hexes)
            if isinstance(other, Refusal):
                return other
    return way


def apply(p: TijvinPosition, order: Order) -> None:
    """Units move; ground passed through changes hands, and an unseen zone stops them (17.1)."""
    if order == END:
        p.stage = "combats"
        return
    units = [p.roster.index[name] for name in order.units]
    way = shared_way(p, units, [p.ground.grid.hex(n) for n in order.hexes])
    assert isinstance(way, Way)
    zone = p.zone(enemy_of(p.side)) if p.fog else 0
    here = p.hexes[units[0]]
    for h in way.hexes:
        here = h
        p.take(h, p.side)
        if zone >> h & 1 and h != way.hexes[-1]:
            p.note("stopped", "17.1", "An enemy zone of control stops the move in {}.", p.place_name(h), side=p.side)
            break
    for u in units:
        p.stand(u, here)
        p.moved |= 1 << u
        p.shaken &= ~(1 << u)
    group = sum(1 << u for u in units)
    p.note("moves", "12", "{} moves to {}.", p.name(group), p.place_name(here), side=p.side)
    if not may_move(p):
        p.stage = "combats"


def reach(p: TijvinPosition, names: list[str]) -> Mapping[str, Reached]:
    """Where units can go together, by hex number."""
    units = [p.roster.index[name] for name in names if name in p.roster.index]
    units = [u for u in units if p.hexes[u] >= 0]
    if not units or len({p.hexes[u] for u in units}) > 1:
        return {}
    slowest = min(units, key=lambda u: (allowance(p, u), range_of(p, u).reached.bit_count()))
    ranges, numbers = range_of(p, slowest), p.ground.names
    hexes = [h for h in members(ranges.reached) if len(units) == 1 or isinstance(shared_way(p, units, [h]), Way)]

    def detail(number: str) -> Reached:
        h = p.ground.grid.hex(number)
        way = ranges.way(h)
        points = ranges.points if ranges.by(h) is ranges.plain else 2 * ranges.points
        path = (numbers[p.hexes[slowest]], *(numbers[x] for x in way.hexes))
        return Reached(Fraction(points - way.cost), path, Fraction(way.cost))

    return Reach((numbers[h] for h in hexes), detail)


STEP = Step(orders, refusal, apply, "Move activated units, then end movement", pick)
