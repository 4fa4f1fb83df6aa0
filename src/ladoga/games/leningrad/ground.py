"""The map as the rules see it: costs, zones and supply floods, worked out once and remembered.

A ``Ground`` belongs to one map and one edition and is shared by all positions on it. What depends on
the pieces is remembered under exactly the sets of hexes it depends on.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from itertools import repeat
from typing import Any, TypeVar

from ...hexes import NOWHERE, Hex, HexMask, chosen, mask_of, members, nth, union
from ...kernel.flood import Costs, Sides, connected, flood, zone
from ...kernel.map import GameMap, crossing
from ...kernel.memory import Made, Memory, Recent, once, side_by_side
from ...kernel.orders import END, Order, OrdersTo
from .edition import GERMAN, SOVIET, Edition

T = TypeVar("T")

SINGLES, ZONES, ENEMIES, HINDERED, FED, WHOLE = 2, 3, 4, 5, 7, 9
"""Where the sets of a situation stand side by side: hexes with three, two and (2) one friends, (3) enemy zones,
(4) enemies, (5) hexes that cost more to enter, two sets of them, and (7) those in which units on foot and armored
ones are fed: nine in all. What changes most comes first, for then a difference takes few bits."""

Interdicted = tuple[tuple[HexMask, int], ...]
"""Interdicted hexes with the factor on their cost (13.3): two, or four under two air units."""

Stroll = tuple[int, HexMask, HexMask, tuple[Hex, ...], tuple[str, ...]]
"""A short way: half points, the hexes it leaves again, all it enters, the same one by one, and how orders write it."""


class Ground:
    """One map under one edition's terrain chart."""

    def __init__(self, edition: Edition, game_map: GameMap, *, river_on_road: bool) -> None:
        self.edition = edition
        self.map = game_map
        self.grid = game_map.grid
        self.land = game_map.land
        self.river_on_road = river_on_road
        self.open = crossing(game_map, ("sea", "lake"))
        """Hexsides that can be crossed at all: not all-sea, not all-lake (4.9, 5.0)."""
        self.road = game_map.sides["road"]
        self.river = game_map.sides["river"]
        places = game_map.places
        self.cities = places["city"] | places["soviet-city"]
        self.soviet_cities = places["soviet-city"]
        self._terrain = {h: self._terrain_at(h) for h in members(self.grid.all)}
        self.sources = (places["german-supply"], places["soviet-supply"])
        self.frozen = self.hexes(edition.scenario.frozen)
        sites = edition.scenario.fort_sites
        self.fort_sources = self.hexes(sites.fed_from) if sites.fed_from else self.sources[SOVIET]
        """From where the sites of forts are fed (15.0)."""
        self.fort_sites = self.grid.within(self.hexes(sites.of), sites.within) & self.land
        self.leningrad = places["leningrad"]
        self.rebuild_hexes = union(places[word] for word in edition.scenario.rebuild)
        self.names = {h: self.grid.number(h) for h in members(self.grid.all)}
        self.road_hexes = union(self.road)
        lines = edition.tables.terrain.values()
        self.dearest_for_armor = max(Fraction(line.halves(True), line.halves(False)) for line in lines)
        """The most an armored unit pays for a hex, measured by what infantry pays."""
        self._memory: Recent[Hashable, Any] = Recent(12_000)
        self._shortest_home = [Made(partial(self._way_home, side)) for side in (GERMAN, SOVIET)]
        self.lines_home = [Made(partial(self._lines_home, side)) for side in (GERMAN, SOVIET)]
        """For each side and hex lines of supply as they are without enemies and hindrances, fit for any unit (11.0):
        the shortest, and one by each of the hexes next to it; each is the set of hexes it enters."""
        self._last_net: dict[HexMask, HexMask] = {}
        """The net worked out last, for each set of sources."""
        self.width = self.grid.size
        """Bits a set of hexes takes in a situation."""
        self.own_care = {h: side_by_side(self.width, *[1 << h] * WHOLE) for h in members(self.grid.all)}
        """All that a situation says of a single hex."""
        friends = side_by_side(self.width, self.grid.all, self.grid.all, self.grid.all)
        self.enemy_care = {h: care & ~friends for h, care in self.own_care.items()}
        """The same without how many friends are there."""
        self.goings: Memory[Any] = Memory()
        """How far groups get."""
        self.around = {h: zone(self.grid, 1 << h, self.open) for h in members(self.grid.all)}
        """The hexes next to a hex, across hexsides that can be crossed."""
        self._orders = OrdersTo(self.grid)
        self._orders_at: Made[str, list[Order]] = Made(
            lambda verb: [Order(verb, (), named) for named in self._orders.named]
        )
        pairs = [(a, b) for a in members(self.land) for b in self.grid.neighbours(a) if b != NOWHERE]
        self._steps = {mobile: {pair: price for pair in pairs if (price := self._step(*pair, mobile)) is not None}
                       for mobile in (False, True)}  # fmt: skip
        """The price of every step between neighbours that can be made at all."""
        self.strolls = {mobile: Made(partial(self._strolls, mobile)) for mobile in (False, True)}
        """For each kind of unit and each hex all the ways of one step from there, then all of two."""
        self.cheapest = min((price for steps in self._steps.values() for price in steps.values()), default=1)
        """Half points of the cheapest step there is."""
        self._plain = {mobile: Costs(self.grid, partial(self._step, mobile=mobile)) for mobile in (False, True)}
        self._strides = self._all_strides()

    def _strolls(self, mobile: bool, a: Hex) -> list[Stroll]:
        around, steps, names = self.around, self._steps[mobile], self.names
        found: list[Stroll] = [(steps[a, b], 0, 1 << b, (b,), (names[a], names[b])) for b in members(around[a])]
        for b in members(around[a]):
            for c in members(around[b] & ~(1 << a)):
                hexes = names[a], names[b], names[c]
                found.append((steps[a, b] + steps[b, c], 1 << b, 1 << b | 1 << c, (b, c), hexes))
        return found

    def entry(self, arrival: int, turn: int) -> HexMask:
        """The hexes where a line of the schedule enters on a turn (16.2)."""
        return self.remembered(
            ("entry", arrival, turn), lambda: self.hexes(self.edition.scenario.arrivals[arrival].entry_on(turn))
        )

    def entries(self, arrivals: tuple[int, ...], turn: int) -> HexMask:
        """All the hexes where some lines of the schedule enter on a turn (16.2)."""
        return union(self.entry(arrival, turn) for arrival in set(arrivals))

    def hexes(self, words: str) -> HexMask:
        """Hexes named by number or by place ("leningrad"); numbers this map lacks are left out."""
        places, numbers = self.map.places, self.grid.by_number
        return union(places[word] if word in places else 1 << numbers[word]
                     for word in words.split() if word in places or word in numbers)  # fmt: skip

    def remembered(self, key: Hashable, make: Callable[[], T]) -> T:
        """The value for a key, made on first demand."""
        found: T = self._memory.find(key, make)
        return found

    @once
    def hexrow(self, prefix: str) -> HexMask:
        """The hexes whose numbers begin so."""
        return self.grid.mask(number for number in self.grid.numbers if number.startswith(prefix))

    # Costs (4.2, 4.9) -------------------------------------------------------------------------

    def terrain_at(self, h: Hex) -> str:
        """The line of the terrain chart for a hex: city, Soviet city, or the land itself."""
        return self._terrain[h]

    def _terrain_at(self, h: Hex) -> str:
        if self.soviet_cities >> h & 1:
            return "soviet-city"
        return "city" if self.cities >> h & 1 else self.map.terrain_of(h)

    def hex_cost(self, h: Hex, mobile: bool) -> int:
        """Half points to enter a hex across country, without hexsides (4.9)."""
        return self.edition.tables.terrain[self.terrain_at(h)].halves(mobile)

    def road_cost(self, mobile: bool) -> int:
        """Half points to enter a hex along a road (4.2)."""
        return self.edition.tables.terrain["road"].halves(mobile)

    def _step(self, a: Hex, b: Hex, mobile: bool) -> int | None:
        """Half points from a hex to its neighbour; ``None`` across all-sea and all-lake hexsides (4.9)."""
        d = self.grid.direction(a, b)
        if not self.open[d] >> a & 1:
            return None
        if self.road[d] >> a & 1:
            cost = self.road_cost(mobile)
            if self.river_on_road:
                return cost
        else:
            cost = self.hex_cost(b, mobile)
        if self.river[d] >> a & 1:
            return cost * 2 if self.edition.tables.river == "double" else cost + 2
        return cost

    def costs(self, side: int, mobile: bool, forts: HexMask, interdicted: Interdicted) -> Costs:
        """Movement costs of a kind of unit: empty forts hinder Germans (15.2), interdiction Soviets (13.3)."""
        if not (forts if side == GERMAN else interdicted):
            return self._plain[mobile]
        key = ("costs", mobile, forts if side == GERMAN else interdicted, side)
        return self.remembered(key, lambda: self._hindered(self._plain[mobile], side, forts, interdicted))

    def _hindered(self, plain: Costs, side: int, forts: HexMask, interdicted: Interdicted) -> Costs:
        if side != GERMAN:
            return plain.multiplied(interdicted)
        return plain.multiplied([(forts, 2)]) if self.edition.tables.fort == "double" else plain.added(forts, 4)

    def entry_cost(self, h: Hex, mobile: bool) -> int:
        """Half points a reinforcement pays for a scheduled entry hex (16.1), by road where one leads there."""
        cost = self.hex_cost(h, mobile)
        return min(cost, self.road_cost(mobile)) if self.road_hexes >> h & 1 else cost

    # Zones (5.0) ------------------------------------------------------------------------------

    def zone(self, occupied: HexMask) -> HexMask:
        """Zones of control of the units standing on these hexes (5.0)."""
        return zone(self.grid, occupied, self.open)

    # Reach ------------------------------------------------------------------------------------

    def step(self, side: int, mobile: bool, a: Hex, b: Hex, forts: HexMask, interdicted: Interdicted) -> int | None:
        """Half points of a single step; ``None`` where there is no way."""
        price = self._steps[mobile].get((a, b))
        return None if price is None else self.hindered_price(side, price, b, forts, interdicted)

    def hindered_price(self, side: int, price: int, b: Hex, forts: HexMask, interdicted: Interdicted) -> int:
        """What a step costs where empty forts hinder Germans (15.2) and interdiction Soviets (13.3)."""
        if side == GERMAN:
            if forts >> b & 1:
                return price * 2 if self.edition.tables.fort == "double" else price + 4
        else:
            for mask, factor in interdicted:
                if mask >> b & 1:
                    price *= factor
        return price

    def orders_to(self, verb: str, names: tuple[str, ...], mask: HexMask) -> list[Order]:
        """The orders for a group to go to each hex of a set, in the order of the grid.

        Those of a single unit are made once for all hexes.
        """
        if len(names) > 1:
            return list(map(Order, repeat(verb), repeat(names), chosen(self._orders.named, mask)))
        return self._orders.each(verb, names[0], mask)

    def orders_at(self, verb: str, mask: HexMask) -> Iterator[Order]:
        """The orders to do something in each hex of a set, in the order of the grid."""
        return chosen(self._orders_at[verb], mask)

    def draw_at(self, verb: str, mask: HexMask, rng: random.Random) -> Order:
        """One of these orders by chance, or the end of the phase."""
        number = int(rng.random() * (mask.bit_count() + 1))
        return END if number == mask.bit_count() else self._orders_at[verb][nth(mask, number)]

    # Supply (11.0) ----------------------------------------------------------------------------

    def supply_net(self, sources: HexMask, blocked: HexMask) -> HexMask:
        """Sources, and road hexes joined to one by an uninterrupted road (11.0, 11.3)."""
        free = (self.road_hexes | sources) & self.land & ~blocked
        return self.remembered(("net", sources, free), lambda: self._joined(sources, free))

    def _joined(self, sources: HexMask, free: HexMask) -> HexMask:
        """The net on free hexes; where nothing cuts the last one, it only grows from there."""
        last = self._last_net.get(sources, 0)
        net = connected(self.grid, sources if last & ~free else sources | last, self.road, free)
        self._last_net[sources] = net
        return net

    def supply_costs(self, side: int, mobile: bool, forts: HexMask, interdicted: Interdicted) -> Costs:
        """Costs of a line of supply of a kind of unit (11.0)."""
        factors = self._hindered_line(side, forts, interdicted)
        plain = self._plain_line(mobile)
        return self.remembered(("line", mobile, factors), lambda: plain.multiplied(factors)) if factors else plain

    def _plain_line(self, mobile: bool | None) -> Costs:
        """Armor rate into cities, and on all roads where the edition says so (11.0).

        Without a kind of unit, what the one pays that pays more.
        """
        on_roads = self.edition.tables.supply.road_at_armor_rate

        def step(a: Hex, b: Hex) -> int | None:
            at_armor_rate = bool(self.cities >> b & 1) or (on_roads and self.map.has_side("road", a, b))
            armored = self._step(a, b, True)
            if armored is None or at_armor_rate or mobile:
                return armored
            on_foot = self._step(a, b, False)
            return on_foot if mobile is False or on_foot is None else max(on_foot, armored)

        return self.remembered(("plain line", mobile), lambda: Costs(self.grid, step))

    def _hindered_line(self, side: int, forts: HexMask, interdicted: Interdicted) -> Interdicted:
        """Lines of supply: empty forts always double for Germans (15.2), interdiction for Soviets (13.3)."""
        if side == GERMAN:
            return ((forts, 2),) if forts else ()
        return interdicted

    def _lines_home(self, side: int, h: Hex) -> tuple[HexMask, ...]:
        costs, limit, bit = self._plain_line(None), 2 * self.edition.tables.supply.range, 1 << h
        found: dict[HexMask, None] = {}
        for first in (h, *members(self.around[h])):
            spent = 0 if first == h else costs.price(h, first)
            assert spent is not None
            left, line = self._shortest_home[side][first]
            if spent + left <= limit and (first == h or not line & bit):
                found[line & ~bit] = None
        return tuple(found)

    def _way_home(self, side: int, h: Hex) -> tuple[int, HexMask]:
        """What the shortest line costs as far as the net, and its hexes; more than it may where there is none."""
        roads = self._roads_home(side)
        backwards, limit = self._supply_backwards(side, None, 0, ()), 2 * self.edition.tables.supply.range
        reach = self.remembered(("ways home", side), lambda: flood(backwards, mask_of(roads), limit, barred=~self.land))
        cost = reach.cost(h)
        if cost is None:
            return limit + 1, 0
        way = reach.path(h)
        return cost, mask_of(way) | roads[way[0]]

    def _roads_home(self, side: int) -> dict[Hex, HexMask]:
        """For each hex of the whole net the road from there to a source."""

        def make() -> dict[Hex, HexMask]:
            sources = self.sources[side] & self.land
            found = {h: 1 << h for h in members(sources)}
            queue = list(found)
            for h in queue:
                for d, beyond in enumerate(self.grid.neighbours(h)):
                    if beyond != NOWHERE and self.road[d] >> h & 1 and self.land >> beyond & 1 and beyond not in found:
                        found[beyond] = found[h] | 1 << beyond
                        queue.append(beyond)
            return found

        return self.remembered(("roads home", side), make)

    def surely_fed(self, side: int, enemy: HexMask, forts: HexMask, interdicted: Interdicted) -> HexMask:
        """Hexes in which any unit is fed even if no friend of its lifts an enemy zone (11.3); it lifts its own.

        Not all of them, but those that are soon found: from the net by two steps of at most half the range each, or by
        five of at most a fifth, nowhere into a hindered hex.
        """
        hindered = hindered_hexes(side, forts, interdicted)

        def make() -> HexMask:
            zones = self.zone(enemy)
            net = self.supply_net(self.sources[side], enemy | zones)
            through = self.land & ~(enemy | zones | hindered)
            found = net | zone(self.grid, net, self.road)
            for steps, sides in self._strides:
                go = net
                for _ in range(steps):
                    go = zone(self.grid, go & through, sides)
                    found |= go
            return found & self.land & ~enemy

        return self.remembered(("surely fed", side, enemy, hindered), make)

    def close_to(self, hexes: HexMask) -> HexMask:
        """Some hexes and those from which any unit traces a line into them by a single step, nothing hindering it."""
        return hexes | zone(self.grid, hexes, self._strides[0][1])

    def _all_strides(self) -> list[tuple[int, Sides]]:
        """Numbers of steps, and from where they can be taken backwards so that any unit can pay for them (11.0)."""
        line, limit = self._plain_line(None).reversed(), 2 * self.edition.tables.supply.range
        strides = []
        for steps in (2, 5):
            sides = [0] * 6
            for price, _, some in line.plan:
                if price * steps <= limit:
                    sides = [a | b for a, b in zip(sides, some, strict=True)]
            a, b, c, d, e, f = sides
            strides.append((steps, (a, b, c, d, e, f)))
        return strides

    def _supply_backwards(self, side: int, mobile: bool | None, forts: HexMask, interdicted: Interdicted) -> Costs:
        """The costs of lines of supply, walked from their end."""
        factors = self._hindered_line(side, forts, interdicted)
        plain = self.remembered(("line back", mobile), lambda: self._plain_line(mobile).reversed())
        if not factors:
            return plain
        return self.remembered(("line back", mobile, factors), lambda: plain.multiplied(factors, leaving=True))

    def fed(
        self, side: int, mobile: bool, sources: HexMask, blocked: HexMask, forts: HexMask, interdicted: Interdicted
    ) -> HexMask:
        """Every hex from which a line of supply can be traced (11.0): the net, flooded backwards."""
        hindrance: Hashable = forts if side == GERMAN else interdicted

        def make() -> HexMask:
            backwards = self._supply_backwards(side, mobile, forts, interdicted)
            net = self.supply_net(sources, blocked)
            return flood(backwards, net, 2 * self.edition.tables.supply.range, barred=blocked | ~self.land).reached

        return self.remembered(("fed", side, mobile, sources, blocked, hindrance), make)


def hindered_hexes(side: int, forts: HexMask, interdicted: Interdicted) -> HexMask:
    """The hexes that forts (15.2) or interdiction (13.3) make dearer to enter for a side."""
    if side == GERMAN:
        return forts
    hexes = 0
    for mask, _ in interdicted:
        hexes |= mask
    return hexes


def hindrances(places: Mapping[Hex, int]) -> Interdicted:
    """Interdicting air units by hex as factors on the cost: two for one, four for two (13.3)."""
    factors: dict[int, HexMask] = {}
    for h, units in places.items():
        factors[2**units] = factors.get(2**units, 0) | 1 << h
    return tuple(sorted((mask, factor) for factor, mask in factors.items()))
