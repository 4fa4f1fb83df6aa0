"""Movement of activated units (section 12), with weather (7), supply (10) and zones of control (5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from ...hexes import Hex, HexMask, members
from ...kernel.errors import Illegal
from ...kernel.events import Asked, Moved
from ...kernel.flood import Costs, Flood, flood
from ...kernel.orders import Order
from ...kernel.position import Reach, Reached, Refusal, allows, forbid
from ...kernel.sequence import Action
from . import sinyavino
from .book import UnitMask, enemy_of
from .derived import remembered
from .ground import Ground
from .position import TijvinPosition
from .steps import TOO_FULL, Actions, path_of, whenever, wrong_verb


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

    hexes: tuple[Hex, ...]
    cost: int


class March(NamedTuple):
    """Units that move together, and their way."""

    units: list[int]
    way: Way

    @property
    def points(self) -> Fraction:
        """What it costs."""
        return Fraction(self.way.cost)


class Range(NamedTuple):
    """How far a unit gets: in plain movement, and in extended movement away from the enemy."""

    plain: Flood
    extended: Flood
    near: HexMask
    """What plain movement reaches."""
    reached: HexMask
    points: int
    ways: dict[Hex, Way]
    """Ways that have been asked for."""

    def way(self, h: Hex) -> Way:
        """The cheapest way to a hex."""
        found = self.ways.get(h)
        if found is None:
            reaching = self.plain if self.near >> h & 1 else self.extended
            found = self.ways[h] = Way(tuple(reaching.path(h)[1:]), reaching.cost(h) or 0)
        return found


def range_of(p: TijvinPosition, u: int) -> Range:
    """All hexes a unit can move to or through. It depends on the unit's costs and points, and on enemies,
    their zones and their ground within its farthest march."""
    side, ground = p.roster.units[u].side, p.ground
    costs, points, here = costs_of(p, u), allowance(p, u), p.hexes[u]
    around = ground.around(here, 2 * points)
    enemy = enemy_of(side)
    occupied, foreign = p.occupied(enemy) & around, ground.land & ~p.own_ground(side) & around
    zone, barred, stops = (p.possible_zone(enemy) if p.fog else p.zone(enemy)) & around, occupied, not p.fog
    if p.fog:
        barred |= sum(1 << h for h in members(zone & p.occupied(side)) if p.room(h, side) < p.cf[u])
    return remembered(ground, (costs, here, points, occupied, zone, foreign, barred, stops), _range)


def _range(
    ground: Ground, costs: Costs, here: Hex, points: int, occupied: HexMask, zone: HexMask, foreign: HexMask,
    barred: HexMask, stops: bool,
) -> Range:  # fmt: skip
    """Up to twice the points away from enemy zones and ground, else up to the points, as far as zones do not end the
    move (5, 12); where they are not known a unit must not be stopped in a full hex (17.1)."""
    extended = flood(costs, 1 << here, 2 * points, barred=occupied | zone | foreign)
    if (zone | foreign | barred ^ occupied) & ground.around(here, points):
        plain = flood(costs, 1 << here, points, barred=barred, stops=zone if stops else 0)
    else:
        plain = extended.within(points)
    near = plain.reached
    return Range(plain, extended, near, (near | extended.reached) & ~(1 << here), points, {})


def overfull(p: TijvinPosition) -> Hex:
    """The hex that holds more than the limit for the moment, or -1 (4)."""
    limit, load = p.game.book.tables.stacking.limit, p.field(p.side).load
    if max(load.values(), default=0) <= limit:
        return -1
    return next(h for h, factors in load.items() if factors > limit)


Leaving = dict[Hex, tuple[int, list[int]]]
"""For a hex the factors of the largest unit that can leave it for an empty one, and the units that may only
find room with friends; worked out once for all orders of a position."""


def destinations(p: TijvinPosition, u: int, reached: HexMask, leaving: Leaving | None = None) -> HexMask:
    """Where a unit may end its move: with room for it, or where a friend can still make room (4)."""
    cf, (occupied, load) = p.cf[u], p.field(p.side)
    shared = reached & occupied
    if not shared:
        return reached
    most = p.tables.stacking.limit - cf
    full = sum([1 << h for h in members(shared) if load[h] > most])
    if not full or overfull(p) >= 0:
        return reached & ~full
    known: Leaving = {} if leaving is None else leaving
    return reached & ~sum([1 << h for h in members(full) if not relief(p, u, h, known)])


def relief(p: TijvinPosition, u: int, h: Hex, leaving: Leaving) -> bool:
    """Whether one unit of a full hex has yet to move, is large enough, and has somewhere to go
    once ``u`` has left its own hex (4)."""
    occupied, load = p.field(p.side)
    limit = p.tables.stacking.limit
    excess = p.cf[u] + load[h] - limit
    if h not in leaving:
        units = list(members(p.at(h, p.side) & may_move(p)))
        free = [v for v in units if range_of(p, v).reached & ~occupied]
        leaving[h] = max((p.cf[v] for v in free), default=0), [v for v in units if v not in free]
    largest, others = leaving[h]
    if largest >= excess:
        return True
    for v in others:
        for dest in members(range_of(p, v).reached & ~(1 << h)) if p.cf[v] >= excess else ():
            freed = p.cf[u] if dest == p.hexes[u] else 0
            if limit - load.get(dest, 0) + freed >= p.cf[v]:
                return True
    return False


def may_move(p: TijvinPosition) -> UnitMask:
    """Activated units that have not moved."""
    return p.active & ~p.moved & ~sinyavino.bound(p)


def movers(p: TijvinPosition) -> list[int]:
    """Units to choose from; while a hex is overfull only those that cure it."""
    return curers(p, overfull(p))


def curers(p: TijvinPosition, full: Hex) -> list[int]:
    """Units to choose from: all that may move, or of an overfull hex those whose leaving cures it (4)."""
    units = may_move(p)
    if full < 0:
        return list(members(units))
    excess = -p.room(full, p.side)
    return [u for u in members(units & p.at(full, p.side)) if p.cf[u] >= excess]


def begin(p: TijvinPosition) -> None:
    """The movement segment (6.2.1); it goes by if no activated unit may move. Under fog it never does, for whom a
    headquarters activates is hidden (17.1)."""
    p.open("movement", p.active & ~sinyavino.bound(p) or p.fog, end)


def moves(p: TijvinPosition) -> Iterator[Order]:
    """``move UNIT HEX``."""
    leaving: Leaving = {}
    for u in movers(p):
        yield from orders_of(p, u, leaving)


def orders_of(p: TijvinPosition, u: int, leaving: Leaving | None = None) -> Iterator[Order]:
    """The moves of one unit by destination."""
    name = p.roster.units[u].id
    known = p.ground.moves.setdefault(name, {})
    for h in members(destinations(p, u, range_of(p, u).reached, leaving)):
        order = known.get(h)
        if order is None:
            order = known[h] = Order("move", (name,), (p.ground.names[h],))
        yield order


def find_way(p: TijvinPosition, u: int, hexes: tuple[Hex, ...]) -> Way:
    """The way of a unit to a single hex, or along given hexes. One to a neighbour that costs a single point cannot be
    undercut."""
    here, h = p.hexes[u], hexes[0]
    if len(hexes) > 1:
        return check_way(p, u, hexes[1:] if h == here else hexes)
    beside = not p.fog and p.ground.grid.adjacent(here, h) and not p.occupied(enemy_of(p.side)) >> h & 1
    if beside and costs_of(p, u).price(here, h) == 1:
        return Way(hexes, 1)
    reach = range_of(p, u)
    if not reach.reached >> h & 1:
        forbid(h == here, "12", "{} stands there already", p.roster.units[u].name)
        raise _unreachable(p, u, h)
    return reach.way(h)


def _unreachable(p: TijvinPosition, u: int, h: Hex) -> Illegal:
    """Why a unit cannot go to a hex."""
    enemy, costs, points = p.occupied(enemy_of(p.side)), costs_of(p, u), allowance(p, u)
    forbid(not p.ground.land >> h & 1, "5", "that hex is water")
    forbid(enemy >> h & 1, "12", "an enemy unit stands in that hex")
    shut = all(n < 0 or costs.price(n, h) is None for n in p.ground.grid.neighbours(h))
    forbid(p.ground.swamp >> h & 1 and shut, "12", "{} enters swamp only along a road or railway",
           p.roster.units[u].name)  # fmt: skip
    free, far = (flood(costs, 1 << p.hexes[u], most, barred=enemy) for most in (points, 2 * points))
    forbid(free.reached >> h & 1, "5", "enemy zones of control stop the move on the way there")
    forbid(far.reached >> h & 1, "12", "{} movement points do not reach that far, and twice as many may only be used "
           "away from enemy zones of control and enemy ground", points)  # fmt: skip
    return Illegal("12", f"{points} movement points do not reach that far")


def check_way(p: TijvinPosition, u: int, hexes: tuple[Hex, ...]) -> Way:
    """A move along given hexes."""
    side, points, price_of, names = p.side, allowance(p, u), costs_of(p, u).price, p.ground.names
    enemy = enemy_of(side)
    zone, occupied, own = p.possible_zone(enemy) if p.fog else p.zone(enemy), p.occupied(enemy), p.own_ground(side)
    extended, spent, here = True, 0, p.hexes[u]
    for index, h in enumerate(hexes, 1):
        forbid(not p.ground.grid.adjacent(here, h), "12", "{} and {} are not next to each other", names[here], names[h])
        forbid(occupied >> h & 1, "12", "an enemy unit stands on the way")
        price = price_of(here, h)
        if price is None:
            raise Illegal("12", f"{p.roster.units[u].name} cannot enter {names[h]} from there")
        spent, here = spent + price, h
        zoned = zone >> h & 1
        forbid(
            zoned and index < len(hexes) and not p.fog, "5", "the enemy zone of control in {} ends the move", names[h]
        )
        forbid(zoned and index < len(hexes) and p.room(h, side) < p.cf[u], "4",
               "the unit might be stopped in a hex that is full")  # fmt: skip
        extended = extended and not zoned and bool(own >> h & 1)
    forbid(spent > (2 * points if extended else points), "12", "that way costs {} movement points, the unit has {}{}",
           spent, points, ", doubled" if extended else "")  # fmt: skip
    return Way(hexes, spent)


def march(p: TijvinPosition, order: Order) -> March:
    """Activated units of one hex, along a way that all of them can take, to a hex with room for them."""
    forbid(not order.units or not order.hexes, *NOT_MOVING)
    for number in order.hexes:
        forbid(number not in p.ground.grid, "12", "the map has no hex {}", number)
    units, full = _units(p, order), overfull(p)
    forbid(full >= 0 and not set(units) <= set(movers(p)), "4", "first a unit has to leave {}, which is too full",
           p.ground.names.get(full))  # fmt: skip
    way = shared_way(p, units, path_of(p, order))
    dest = way.hexes[-1]
    if len(units) == 1:
        fits = bool(destinations(p, units[0], 1 << dest))
    else:
        total, halts = sum(p.cf[u] for u in units), p.possible_zone(enemy_of(p.side)) if p.fog else 0
        fits = all(p.room(h, p.side) >= total for h in way.hexes if h == dest or halts >> h & 1)
    forbid(not fits, "4", TOO_FULL, p.tables.stacking.limit)
    return March(units, way)


NOT_MOVING = wrong_verb("12", "move activated units: move UNITS HEX, or end")


def otherwise(_: TijvinPosition, order: Order) -> Refusal:
    """Combat comes after movement (6.2.1)."""
    if order.verb in ("attack", "target"):
        return Refusal("6.2.1", "all units move before any combat: end movement first")
    return NOT_MOVING


def why_not_end(p: TijvinPosition) -> Refusal | None:
    """Movement does not end while a hex is too full (4)."""
    full = overfull(p)
    limit = p.tables.stacking.limit
    return None if full < 0 else Refusal("4", f"more than {limit} factors stand in {p.ground.names[full]}")


def end(p: TijvinPosition) -> None:
    """All have moved: the activated units fight (6.2.1)."""
    p.go("combats", matter=p.agenda[0].matter)


def _units(p: TijvinPosition, order: Order) -> list[int]:
    units, side, active, bound = [], p.side, p.active, sinyavino.bound(p)
    for name in order.units:
        forbid(name in p.roster.hq_index, "11.H", "a headquarters moves at the end of its activation, after combat")
        u = p.roster.index.get(name, -1)
        forbid(u < 0 or p.roster.units[u].side != side or p.hexes[u] < 0, "12", "{} is not a unit of yours on the map",
               name)  # fmt: skip
        forbid(not active >> u & 1, "11.A", "{} is not activated", name)
        forbid(p.moved >> u & 1, "12", "{} has moved already", name)
        forbid(bound >> u & 1, "15.1", "{} may not move: it has to attack Sinyavino", name)
        units.append(u)
    forbid(len({p.hexes[u] for u in units}) > 1, "12", "only units of one hex move together")
    return units


def slowest_of(p: TijvinPosition, units: list[int]) -> int:
    """The unit of a party that gets least far."""
    if len(units) == 1:
        return units[0]
    return min(units, key=lambda u: (allowance(p, u), range_of(p, u).reached.bit_count()))


def shared_way(p: TijvinPosition, units: list[int], hexes: tuple[Hex, ...]) -> Way:
    """One way for units that move together: every one of them must be able to take it."""
    slowest = slowest_of(p, units)
    way = find_way(p, slowest, hexes)
    for u in units:
        if u != slowest:
            check_way(p, u, way.hexes)
    return way


def move(p: TijvinPosition, march: March) -> None:
    """Units move; ground passed through changes hands, and an unseen zone stops them (17.1)."""
    units, (way, cost) = march
    side = p.side
    enemy = enemy_of(side)
    asked, zone = (p.possible_zone(enemy), p.zone(enemy)) if p.fog else (0, 0)
    here = p.hexes[units[0]]
    for h in way:
        here = h
        p.take(h, side)
        if asked >> h & 1 and h != way[-1]:
            stopped = bool(zone >> h & 1)
            text = "An enemy zone of control stops the move in {}" if stopped else "No enemy zone of control in {}"
            asking = Asked(p.ground.names[h])
            p.tell("stopped" if stopped else "asked", "17.1", text, p.place_name(h), side=p.phasing, fact=asking)
            if stopped:
                gone, step = (p.hexes[units[0]], *way[: way.index(h) + 1]), costs_of(p, slowest_of(p, units)).price
                cost = sum(step(a, b) or 0 for a, b in pairwise(gone))
                break
    group = sum([1 << u for u in units])
    for u in units:
        p.stand(u, here)
    p.moved |= group
    p.shaken &= ~group
    text = p.do(group, "{} moves to {}", "{} move to {}")
    fact = Moved(tuple([p.roster.units[u].id for u in units]), p.ground.names[here], cost)
    p.tell("moves", "12", text, p.name(group), p.place_name(here), side=p.phasing, fact=fact)


def orders_naming(p: TijvinPosition, unit: str) -> Iterable[Order]:
    """The orders that concern a unit: while units move its own, else all."""
    u = p.roster.index.get(unit, -1)
    if p.stage != "movement" or u < 0:
        return p._orders()
    return orders_of(p, u) if u in movers(p) else ()


def reach(p: TijvinPosition, names: list[str]) -> Mapping[str, Reached]:
    """Where units that may still move now can go together, by hex number; enemy zones of control take whatever points
    are left (5)."""
    units = [p.roster.index.get(name, -1) for name in names]
    if p.stage != "movement" or not set(units) <= set(movers(p)) or len({p.hexes[u] for u in units}) != 1:
        return {}
    slowest = slowest_of(p, units)
    ranges = range_of(p, slowest)
    if len(units) == 1:
        hexes = destinations(p, slowest, ranges.reached)
    else:
        together = tuple(names)
        hexes = sum([1 << h for h in members(ranges.reached)
                     if allows(march, p, Order("move", together, (p.ground.names[h],)))])  # fmt: skip
    stops = 0 if p.fog else p.zone(enemy_of(p.side))
    here, number_of = p.hexes[slowest], p.ground.names

    def detail(number: str) -> Reached:
        h = p.ground.grid.hex(number)
        way, points = ranges.way(h), ranges.points * (1 if ranges.near >> h & 1 else 2)
        left = 0 if stops >> h & 1 else points - way.cost
        return Reached(Fraction(left), tuple(number_of[x] for x in (here, *way.hexes)), Fraction(way.cost))

    return Reach(map(number_of.__getitem__, members(hexes)), detail, count=hexes.bit_count())


MOVEMENT: Actions = {"move": Action(march, move, moves), "end": whenever("end", why_not_end, end)}
