"""The two maps as the rules use them: who may go where at what price, and how the maps are joined.

The main map and the inset lie in one bit space (8.0). A *district* of the inset is one city hex of the
main map seen closer; the *fringe* hexes of the inset are the main-map hexes around the city.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from math import gcd

from ...hexes import DIRECTIONS, NOWHERE, Hex, HexMask, chosen, mask_of, members, opposite, union
from ...kernel.flood import Costs
from ...kernel.map import GameMap, crossing
from ...kernel.memory import Recent, lately, once
from ...kernel.orders import Order, OrdersTo
from .figures import GERMAN, SIDES, SIXTHS, SOVIET, Tables

NO_SIDES: tuple[HexMask, ...] = (0,) * 6

EDGES = ("north", "south", "west", "east")


class Ways:
    """What every step costs one kind of unit: by hexes, and laid out as sets of hexes for floods."""

    __slots__ = ("costs", "grain", "next_to", "prices", "side")

    def __init__(self, ground: Ground, side: int, column: str, price: Callable[[Hex, Hex], int | None]) -> None:
        grid = ground.grid
        self.side = side
        self.prices: dict[Hex, dict[Hex, int]] = {}
        """Prices in sixths, by the hex left and the hex entered."""
        self.next_to: dict[Hex, HexMask] = {}
        """Hexes that can be entered from a hex at all, fords included (6.33)."""
        for a in members(grid.all):
            neighbours = [(d, b) for d, b in enumerate(grid.neighbours(a)) if b != NOWHERE]
            steps = {b: cost for _, b in neighbours if (cost := price(a, b)) is not None}
            self.prices[a] = steps
            self.next_to[a] = mask_of(steps)
            if side == SOVIET:
                self.next_to[a] |= mask_of(b for d, b in neighbours if ground.soviet_fords[d] >> a & 1)
        self.grain = gcd(SIXTHS, *(line.sixths(column) for line in ground.tables.movement.values()))
        """The part of which every price is a multiple: fewer and fuller layers for a flood."""
        grains = {a: {b: price // self.grain for b, price in steps.items()} for a, steps in self.prices.items()}
        self.costs = Costs(grid, lambda a, b: grains[a].get(b))


class Ground:
    """A map read once for the rules."""

    def __init__(self, game_map: GameMap, tables: Tables) -> None:
        self.map = game_map
        self.tables = tables
        self.grid = game_map.grid
        self.book = tables.book
        self.land = game_map.land
        boards = list(self.grid.masks)
        self.main: HexMask = self.grid.masks[boards[0]]
        self.inset: HexMask = self.grid.all & ~self.main
        self.capital = self.place(self.book.capital) & self.main
        self.interior = self.place("interior")
        self.city: HexMask = self.capital | self.interior
        """The city on both maps."""
        self.fort = self.place("fortification") | self.place("fortified-city")
        self.key_points = self.place("key-point")
        self.fleet = self.place("fleet")
        self.harbour = self.place("harbour")
        self.garrison = self.place("garrison")
        self.district_of: dict[Hex, HexMask] = {}
        """The interior hexes of each main-map city hex (8.12)."""
        self.capital_of: dict[Hex, Hex] = {}
        """The main-map city hex of each interior hex."""
        for word in self.book.districts:
            whole = self.place(word)
            for h in members(whole & self.capital):
                self.district_of[h] = whole & self.interior
                self.capital_of.update(dict.fromkeys(members(whole & self.interior), h))
        self.links: dict[Hex, HexMask] = {}
        """Main fringe hex to its inset hexes and each of these back (8.13)."""
        self.fringe_of: dict[Hex, Hex] = {}
        """The main-map hex of each fringe hex of the inset."""
        self._join_fringe()
        self.fringe_main: HexMask = mask_of(set(self.fringe_of.values()))
        self.fringe_inset: HexMask = mask_of(self.fringe_of)
        self.linked: HexMask = self.fringe_main | self.fringe_inset
        self.closed = self.side(self.book.closed_river)
        """Hexsides no unit crosses from one enemy zone into another (19.33)."""
        self.entries = union(hexes for word, hexes in self.map.places.items() if word.startswith("entry-"))
        """All hexes of all entry areas."""
        self.german_exits = self._sources(self.book.german_exits)
        """Hexes from which a German path leaves the map towards Germany (11.13; 19.51)."""
        self.soviet_sources = self._sources(self.book.soviet_sources)
        """Hexes from which a Soviet path leaves the map towards the interior (11.14; 19.52)."""
        self.line_sides = self.side(self.book.german_line)
        """Hexsides of the lines that carry German supply: rails, or roads in the second game (11.16; 19.51)."""
        self.line_hexes = union(self.line_sides)
        self.line_exits = _ends(self.german_exits, self.line_sides)
        """Where such a line runs off the map (11.13; 19.51): it ends there, and does not just pass along the edge."""
        self._orders = OrdersTo(self.grid)
        self._transfers: Recent[tuple[str, HexMask], list[Order]] = Recent(5_000)

    def _join_fringe(self) -> None:
        for word, mask in self.map.places.items():
            inset = mask & self.inset
            if not word.startswith("fringe-") or not inset:
                continue
            main = self.grid.hex(word.removeprefix("fringe-"))
            self.links[main] = inset
            for h in members(inset):
                self.links[h] = 1 << main
                self.fringe_of[h] = main

    @cached_property
    def whole_district(self) -> dict[Hex, HexMask]:
        """For each city hex of either map its district with the main-map hex it belongs to (8.12)."""
        whole = {h: district | 1 << h for h, district in self.district_of.items()}
        return {h: whole.get(self.capital_of.get(h, h), 0) for h in members(self.city)}

    @cached_property
    def doors(self) -> dict[Hex, tuple[Hex, ...]]:
        """The links between the maps as lists of hexes."""
        return {h: tuple(members(mask)) for h, mask in self.links.items()}

    def through(self, hexes: HexMask) -> HexMask:
        """The hexes of the other map that are one place with some of these (8.13)."""
        return self._linked_to(hexes & self.linked)

    @lately
    def _linked_to(self, hexes: HexMask) -> HexMask:
        return union([self.links[h] for h in members(hexes)])

    def transfers(self, unit_id: str, hexes: HexMask) -> list[Order]:
        """A transfer to each of some hexes; the same few lists are asked for again and again."""
        return self._transfers.find((unit_id, hexes), self.orders, "transfer", unit_id, hexes)

    def orders(self, verb: str, unit_id: str, hexes: HexMask) -> list[Order]:
        """An order for each of some hexes; map by map, since their bits lie far apart."""
        every = self.every_order(verb, unit_id, hexes)
        return [*chosen(every, hexes & self.main), *chosen(every, hexes & self.inset)]

    def sorted_orders(self, verb: str, unit_id: str, hexes: HexMask) -> list[Order]:
        """The same in the order of the printed numbers."""
        every = self.every_order(verb, unit_id, hexes)
        return [every[h] for h in self.grid.members(hexes)]

    def every_order(self, verb: str, unit_id: str, hexes: HexMask) -> Sequence[Order]:
        """By the numbers of their bits the orders to some hexes at least."""
        return self._orders.row(verb, unit_id, hexes)

    def place(self, word: str) -> HexMask:
        """The hexes marked with a place word; none if the map does not know it."""
        return self.map.places.get(word, 0)

    def side(self, word: str) -> tuple[HexMask, ...]:
        """For each direction the hexes with this hexside; none if the map does not know it."""
        return self.map.sides.get(word, NO_SIDES)

    def number(self, h: Hex) -> str:
        """Printed number of a hex."""
        return self.grid.number(h)

    def unsorted(self, mask: HexMask) -> list[str]:
        """Printed numbers of a set, in the order of its bits."""
        named = self._orders.named
        return [number for hexes in (mask & self.main, mask & self.inset) for (number,) in chosen(named, hexes)]

    def numbers(self, mask: HexMask) -> list[str]:
        """Printed numbers of a set, in order."""
        return [self.grid.number(h) for h in self.grid.members(mask)]

    # The great river and the water ----------------------------------------------------------------

    @cached_property
    def _water(self) -> tuple[HexMask, ...]:
        return _either(self.side("lake"), self.side("sea"))

    @cached_property
    def barrier(self) -> tuple[HexMask, ...]:
        """Hexsides of the great river, on both maps."""
        return self.side(self.book.barrier.hexside)

    @cached_property
    def crossing(self) -> tuple[HexMask, ...]:
        """Hexsides of the great river with a bridge or ferry on the inset."""
        found = self.side(self.book.barrier.crossing)
        return tuple(side & self.inset & river for side, river in zip(found, self.barrier, strict=True))

    @cached_property
    def _within_city(self) -> tuple[HexMask, ...]:
        """Hexsides between two city hexes of the main map, where the river is ignored (8.21)."""
        return self._between(self.capital, self.capital)

    @cached_property
    def soviet_fords(self) -> tuple[HexMask, ...]:
        """River hexsides a Soviet unit may cross for its whole allowance (6.33; 19.31, 19.34), not into water."""
        rivers = zip(self.barrier, self.ashore, self._within_city, strict=True)
        fords = tuple(side & ashore & self.main & ~city for side, ashore, city in rivers)
        if self.book.barrier.soviet_on_main == "city":
            at_city = _either(
                self._between(self.capital, self.fringe_main), self._between(self.fringe_main, self.capital)
            )
            fords = tuple(f & c for f, c in zip(fords, at_city, strict=True))
        return _either(fords, self.crossing) if self.book.barrier.soviet_pays == "allowance" else fords

    def _between(self, a: HexMask, b: HexMask) -> tuple[HexMask, ...]:
        grid = self.grid
        return tuple(a & grid.shift(b, opposite(d)) for d in DIRECTIONS)

    @cached_property
    def _neighbouring(self) -> tuple[HexMask, ...]:
        """For each direction the land hexes with a land hex of the same map beyond."""
        return crossing(self.map, ())

    @cached_property
    def ashore(self) -> tuple[HexMask, ...]:
        """Hexsides with land on both sides and neither lake nor sea between (6.17)."""
        return tuple(near & ~water for near, water in zip(self._neighbouring, self._water, strict=True))

    @cached_property
    def dry(self) -> tuple[HexMask, ...]:
        """Hexsides without lake, sea or the great river."""
        return tuple(ashore & ~river for ashore, river in zip(self.ashore, self.barrier, strict=True))

    # Zones, attacks, retreats ---------------------------------------------------------------------

    @cached_property
    def zone_sides(self) -> tuple[HexMask, ...]:
        """Hexsides a zone of control extends over (9.7, 8.43; 19.32)."""
        sides = _either(self.dry, self.crossing) if self.book.barrier.zones_over_crossing else self.dry
        inward = self._between(self.grid.all, self.capital)
        return tuple(s & ~self.capital & ~i for s, i in zip(sides, inward, strict=True))

    @cached_property
    def attack_sides(self) -> tuple[HexMask, ...]:
        """Hexsides over which units may attack, from the attacker's side (10.37, 10.38, 8.43, 8.45).

        Nobody attacks into the main-map city hexes or from the interior of the inset onto its fringe.
        """
        sides = _either(self.dry, self.crossing) if self.book.barrier.attacks_over_crossing else self.dry
        into_city = self._between(self.grid.all, self.capital)
        onto_fringe = self._between(self.interior, self.fringe_inset)
        return tuple(s & ~c & ~f for s, c, f in zip(sides, into_city, onto_fringe, strict=True))

    @cached_property
    def attacked_from(self) -> dict[Hex, HexMask]:
        """For each hex those from which it may be attacked (10.13, 10.37, 10.38, 8.45)."""
        sides = self.attack_sides
        return {
            h: mask_of(a for d, a in enumerate(self.grid.neighbours(h)) if a != NOWHERE and sides[opposite(d)] >> a & 1)
            for h in members(self.grid.all)
        }

    @cached_property
    def retreat_sides(self) -> tuple[tuple[HexMask, ...], tuple[HexMask, ...]]:
        """Hexsides a German and a Soviet unit may retreat or advance over (10.27, 10.28)."""
        german = _either(self.dry, self.crossing) if self.book.barrier.german_over_crossing else self.dry
        into_city = self._between(self.grid.all, self.capital)
        german = tuple(s & ~c for s, c in zip(german, into_city, strict=True))
        city = tuple(s & n for s, n in zip(self._within_city, self._neighbouring, strict=True))
        soviet = _either(_either(self.dry, self.crossing), _either(self.soviet_fords, city))
        return german, soviet

    @once
    def ways_back(self, side: int, h: Hex) -> HexMask:
        """Hexes next to one into which a unit of a side may retreat, nobody in the way (10.27)."""
        sides = self.retreat_sides[side]
        mask = mask_of(n for d, n in enumerate(self.grid.neighbours(h)) if n != NOWHERE and sides[d] >> h & 1)
        return (mask | self.links[h] if self.fringe_inset >> h & 1 else mask) & self.land

    @cached_property
    def rivers(self) -> dict[str, tuple[HexMask, ...]]:
        """River hexsides that double the defender (10.33, 10.38), by kind; bridges count as rivers."""
        rivers = {word: self.side(word) for word in self.book.rivers}
        if self.book.barrier.attacks_over_crossing:
            rivers[self.book.barrier.crossing] = self.crossing
        return rivers

    @cached_property
    def across(self) -> dict[Hex, dict[Hex, int]]:
        """What a river makes of a defender, by his hex and that of an attacker (10.33, 10.38)."""
        chart, rivers = self.tables.combat, self.rivers.items()
        return {
            h: {
                a: max((chart[word].times for word, sides in rivers if sides[d] >> h & 1), default=1)
                for d, a in enumerate(self.grid.neighbours(h))
                if a != NOWHERE
            }
            for h in members(self.grid.all)
        }

    @cached_property
    def defence(self) -> tuple[dict[Hex, tuple[int, str]], dict[Hex, tuple[int, str]]]:
        """For each side what terrain makes of a defender in a hex, and the word for it (10.32 to 10.35; 19.35)."""
        german, soviet = ({h: self._multiple(h, side) for h in members(self.grid.all)} for side in (GERMAN, SOVIET))
        return german, soviet

    def _multiple(self, h: Hex, side: int) -> tuple[int, str]:
        chart = self.tables.combat
        for word in ("interior", "fortified-city", "fortification", "city", "town"):
            line = chart.get(word)
            if line is None or not self.place(word) >> h & 1:
                continue
            times = line.german if side == GERMAN and line.german is not None else line.times
            if times:
                return times, word
        word = self.terrain(h)
        return chart[word].times if word in chart else 1, word

    # Movement -------------------------------------------------------------------------------------

    @cached_property
    def _terrain(self) -> Mapping[Hex, str]:
        ground = self.map.vocabulary.ground
        found = dict.fromkeys(members(self.grid.all), ground)
        for word, mask in self.map.terrain.items():
            found.update(dict.fromkeys(members(mask), word))
        return found

    def terrain(self, h: Hex) -> str:
        """Terrain word of a hex."""
        return self._terrain[h]

    @once
    def ways(self, side: int, column: str) -> Ways:
        """The price of every step for one side and column of the terrain effects chart."""
        return Ways(self, side, column, self._pricing(side, column))

    def bars(self, zones: HexMask) -> tuple[HexMask, ...] | None:
        """The closed hexsides that lead from zone to zone, if any."""
        if self.closed is NO_SIDES:
            return None
        bars = tuple(side & zones & self.grid.shift(zones, opposite(d)) for d, side in enumerate(self.closed))
        return bars if any(bars) else None

    def _pricing(self, side: int, column: str) -> Callable[[Hex, Hex], int | None]:
        chart = {word: line.sixths(column) for word, line in self.tables.movement.items()}
        grid, land, interior, capital = self.grid, self.land, self.interior, self.capital
        road, barrier, crossing, water = self.side("road"), self.barrier, self.crossing, self._water
        within = self._within_city
        rivers = [(chart[word], self.side(word)) for word in self.book.rivers]
        inside = chart[f"interior-{SIDES[side]}"]
        bridge = chart.get(self.book.barrier.crossing)
        bridged = bridge is not None and (side == SOVIET or self.book.barrier.german_over_crossing)

        def price(a: Hex, b: Hex) -> int | None:
            """Cost of entering ``b`` from ``a`` (6.13 to 6.17, 8.21 to 8.23)."""
            if not (land >> a & 1 and land >> b & 1) or (side == GERMAN and capital >> b & 1):
                return None
            d = grid.direction(a, b)
            if water[d] >> a & 1:
                return None
            extra = 0
            if barrier[d] >> a & 1 and not within[d] >> a & 1:
                if not (crossing[d] >> a & 1 and bridged):
                    return None
                assert bridge is not None
                extra = bridge
            elif road[d] >> a & 1:
                return chart["road"]
            extra += sum([cost for cost, sides in rivers if sides[d] >> a & 1])
            if interior >> b & 1:
                return inside + extra
            if capital >> b & 1:
                return chart["capital"] + extra
            return chart[self._terrain[b]] + extra

        return price

    @once
    def entry_price(self, h: Hex, column: str) -> int:
        """Cost of coming onto the map at an edge hex: along the road where one leaves it (16.14, 16.17)."""
        return self.tables.movement["road" if self.road_exits >> h & 1 else self._terrain[h]].sixths(column)

    @cached_property
    def road_exits(self) -> HexMask:
        """Edge hexes of the entry areas at which a road runs off the map (16.17): a road ends there."""
        return _ends(self.entries & union(map(self.edge, EDGES)), self.side("road"))

    @cached_property
    def near_city(self) -> HexMask:
        """Hexes within six of the main-map city, and the inset (18.21)."""
        return self.grid.within(self.capital, 6) | self.inset

    # Supply ---------------------------------------------------------------------------------------

    def edge(self, name: str) -> HexMask:
        """The hexes along one edge of the main map."""
        return self.grid.edge(name) & self.land

    def _sources(self, words: Iterable[str]) -> HexMask:
        return union(self.edge(word) if word in EDGES else self.place(word) for word in words)

    @property
    def german_supply_sides(self) -> tuple[HexMask, ...]:
        """Hexsides a German path of supply may cross: never the great river, save by a bridge (11.13; 19.34)."""
        return self.retreat_sides[GERMAN]

    @property
    def soviet_supply_sides(self) -> tuple[HexMask, ...]:
        """Hexsides a Soviet path of supply may cross (11.14; 19.34)."""
        return self.retreat_sides[SOVIET]


def _ends(hexes: HexMask, sides: Sequence[HexMask]) -> HexMask:
    """Those of some hexes in which a line of hexsides ends."""
    return mask_of(h for h in members(hexes) if sum(side >> h & 1 for side in sides) == 1)


def _either(first: Iterable[HexMask], second: Iterable[HexMask]) -> tuple[HexMask, ...]:
    return tuple(a | b for a, b in zip(first, second, strict=True))
