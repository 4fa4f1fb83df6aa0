"""The city as the rules see it: terrain costs (8.5-8.13), water ways (8.11, 15.2), rails and views.

A ``Ground`` belongs to one map and keeps what it has worked out; rubble, demolished bridges and
pontoons come and go, so costs are kept by them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from ...hexes import DIRECTIONS, NOWHERE, Hex, HexMask, chosen, mask_of, members, union
from ...kernel.errors import BadData
from ...kernel.flood import Costs
from ...kernel.map import GameMap
from ...kernel.memory import lately, once
from ...kernel.orders import Order, OrdersTo
from .figures import MovementCosts
from .lines import Lines

Hexside = tuple[Hex, Hex]
"""Two neighbouring hexes, the lower one first."""

TERRAIN = ("urban", "objective", "sea")
HEXSIDES = ("major-river", "minor-river", "bridge", "prospekt", "rail", "sea")
PLACES = ("fortified", "german-entry", "soviet-entry")


def hexside(a: Hex, b: Hex) -> Hexside:
    """The hexside between two neighbours."""
    return (a, b) if a < b else (b, a)


class Ground:
    """Terrain, water, rails and lines of fire of one map."""

    def __init__(self, game_map: GameMap, figures: MovementCosts) -> None:
        for section, known, words in (
            ("terrain", game_map.terrain, TERRAIN),
            ("hexsides", game_map.sides, HEXSIDES),
            ("places", game_map.places, PLACES),
        ):
            missing = [word for word in words if word not in known]
            if missing:
                raise BadData(f"the game needs {', '.join(missing)}", path=f"vocabulary.{section}")
        self.map = game_map
        self.grid = grid = game_map.grid
        self.figures = figures
        self.urban: HexMask = game_map.terrain["urban"]
        self.objective: HexMask = game_map.terrain["objective"]
        self.sea: HexMask = game_map.terrain["sea"]
        self.land: HexMask = grid.all & ~self.sea
        self.built: HexMask = self.urban | self.objective
        self.clear: HexMask = self.land & ~self.built
        self.fortified: HexMask = game_map.places["fortified"]
        self.entry: tuple[HexMask, HexMask] = (
            game_map.places["german-entry"] & self.land,
            game_map.places["soviet-entry"] & self.land,
        )
        self.major, self.minor = game_map.sides["major-river"], game_map.sides["minor-river"]
        self.bridge, self.rail = game_map.sides["bridge"], game_map.sides["rail"]
        self.sea_side = game_map.sides["sea"]
        self.links = tuple(p | r for p, r in zip(game_map.sides["prospekt"], self.rail, strict=True))
        self.rail_hexes: HexMask = union(self.rail)
        self.river_hexes: HexMask = union(self.major) & self.land
        self.coastal: HexMask = grid.ring(self.sea) & self.land
        self.water: HexMask = self.sea | self.river_hexes | self.coastal
        self.lines = Lines(grid, self.built, self.links)
        self.orders = OrdersTo(grid)
        self._targets = [Order("target", hexes=named) for named in self.orders.named]
        self._rivers = dict.fromkeys(self._hexsides(self.minor), "minor")
        self._rivers |= dict.fromkeys(self._hexsides(self.major), "major")
        self._bridged = set(self._hexsides(self.bridge))

    def _hexsides(self, sides: Sequence[HexMask]) -> Iterator[Hexside]:
        """The hexsides of a kind that lie between two hexes."""
        for d in DIRECTIONS:
            ends = ((h, self.grid.neighbours(h)[d]) for h in members(sides[d]))
            yield from (hexside(h, there) for h, there in ends if there != NOWHERE)

    def numbers(self, mask: HexMask) -> Iterator[str]:
        """The hexes of a set by number; quick for large sets."""
        return (number for (number,) in chosen(self.orders.named, mask))

    def targets(self, mask: HexMask) -> Iterator[Order]:
        """The orders that aim at each hex of a set."""
        return chosen(self._targets, mask)

    # Hexsides ---------------------------------------------------------------------------------

    def river(self, a: Hex, b: Hex) -> str:
        """``major``, ``minor`` or nothing between two neighbours."""
        return self._rivers.get(hexside(a, b), "")

    def has_bridge(self, a: Hex, b: Hex) -> bool:
        """Whether a bridge is printed between two neighbours."""
        return hexside(a, b) in self._bridged

    def sea_between(self, a: Hex, b: Hex) -> bool:
        """Whether nothing but sea lies between two neighbours (8.13)."""
        return bool((self.sea_side[self.grid.direction(a, b)] >> a | self.sea >> a | self.sea >> b) & 1)

    @cached_property
    def bridges(self) -> tuple[tuple[Hexside, Hex, Order], ...]:
        """Every printed bridge over water from either end: the hex to fire at, and the order that aims there."""
        found: list[tuple[Hexside, Hex, Order]] = []
        for d in (0, 1, 2):
            for h in members(self.bridge[d] & (self.major[d] | self.minor[d])):
                a, b = edge = hexside(h, self.grid.neighbours(h)[d])
                for target, beyond in ((a, b), (b, a)):
                    numbers = (self.grid.number(target), self.grid.number(beyond))
                    found.append((edge, target, Order("target", hexes=numbers)))
        return tuple(found)

    @cached_property
    def bridge_ends(self) -> HexMask:
        """The hexes with a bridge over water."""
        return mask_of(h for _, h, _ in self.bridges)

    # Movement costs ---------------------------------------------------------------------------

    def entry_cost(self, h: Hex) -> int:
        """Cost of the terrain in a hex (8.5, 8.6), rubble apart."""
        figures = self.figures
        if (self.objective | self.fortified) >> h & 1:
            return figures.objective if self.objective >> h & 1 else figures.fortified
        return figures.urban if self.urban >> h & 1 else figures.clear

    def step_cost(self, a: Hex, b: Hex, bridged: bool) -> int | None:
        """Cost for a ground unit to go from a hex to its neighbour (8.7, 8.9, 8.13), rubble apart."""
        if self.sea_between(a, b):
            return None
        cost = self.entry_cost(b)
        river = self.river(a, b)
        if river == "major":
            return cost + self.figures.bridged_major_river if bridged else None
        return cost + self.figures.minor_river if river and not bridged else cost

    def road_step(self, a: Hex, b: Hex, barred: bool) -> bool:
        """Whether motorized movement may go this way (8.8): into a clear hex, or along a prospekt or railroad. Where
        these are barricaded it may be used in none of their hexes, clear ones too (16.2)."""
        if barred:
            return bool((self.clear & ~self.lines.roads) >> b & 1)
        return bool(self.clear >> b & 1 or self.links[self.grid.direction(a, b)] >> a & 1)

    @lately
    def costs(
        self, mode: str, rubble: HexMask, broken: frozenset[Hexside], pontoons: frozenset[Hexside], barred: bool
    ) -> Costs:
        """Costs of ``foot`` or ``motorized`` movement as things stand."""
        costs = self.printed_costs(mode, barred, False)
        changed = [
            (a, b, self._price(mode, a, b, (a, b) in pontoons or (b, a) in pontoons, barred))
            for first, second in broken | pontoons
            for a, b in ((first, second), (second, first))
        ]
        return self.rubbled(costs.altered(changed) if changed else costs, rubble)

    def rubbled(self, costs: Costs, rubble: HexMask) -> Costs:
        """The same costs where some hexes are rubble (8.7)."""
        return costs.added(rubble, self.figures.rubble) if rubble else costs

    @lately
    def alone(self, costs: Costs, steps: tuple[tuple[Hex, Hex, int], ...]) -> Costs:
        """The costs of an engineer that may cross an unbridged major river by itself (8.10)."""
        return costs.altered(steps) if steps else costs

    def _price(self, mode: str, a: Hex, b: Hex, bridged: bool, barred: bool) -> int | None:
        if mode == "motorized" and not self.road_step(a, b, barred):
            return None
        return self.step_cost(a, b, bridged)

    @once
    def printed_costs(self, mode: str, barred: bool, bridged: bool) -> Costs:
        """The costs on the map as it is printed, or with bridges over every river: what a unit could reach but for the
        water (8.9)."""
        return Costs(self.grid, lambda a, b: self._price(mode, a, b, bridged or self.has_bridge(a, b), barred))

    # Water and rails ----------------------------------------------------------------------------

    def water_step(self, a: Hex, b: Hex, *, coasting: bool) -> bool:
        """Whether a vessel may go from a hex to its neighbour: over sea, along one major river, and,
        for the gunboat, along a coast (8.11, 15.2)."""
        sea = self.sea
        if sea >> a & 1 or sea >> b & 1:
            return True
        d = self.grid.direction(a, b)
        if self.major[d] >> a & 1:
            return True
        corners = {*self.grid.neighbours(a)} & {*self.grid.neighbours(b)} - {NOWHERE}
        return any(
            (self.river(a, c) == "major" and self.river(b, c) == "major") or (coasting and sea >> c & 1)
            for c in corners
        )

    @once
    def vessel_costs(self, mode: str) -> Costs:
        """Steps of the ``gunboat`` or of marines that ``sail``, one point a hex."""

        def price(a: Hex, b: Hex) -> int | None:
            afloat = self.water >> a & self.water >> b & 1
            return self.figures.gunboat_hex if afloat and self.water_step(a, b, coasting=mode == "gunboat") else None

        return Costs(self.grid, price)

    @lately
    def rail_costs(self, broken: frozenset[Hexside]) -> Costs:
        """Steps of the rail gun (15.1), one point a hex of an allowance that outlasts the net."""

        def price(a: Hex, b: Hex) -> int | None:
            if not self.rail[self.grid.direction(a, b)] >> a & 1 or hexside(a, b) in broken:
                return None
            return None if self.river(a, b) and not self.has_bridge(a, b) else 1

        return Costs(self.grid, price)

    # Range --------------------------------------------------------------------------------------

    @once
    def within(self, h: Hex, distance: int) -> HexMask:
        """Every hex within a distance (10.6, 14.3)."""
        return self.grid.all if distance > 80 else self.grid.within(1 << h, distance)

    @once
    def river_sides(self, h: Hex) -> list[Hex]:
        """The neighbours beyond river hexsides with land on both sides, which a pontoon can reach (8.10)."""
        if self.sea >> h & 1:
            return []
        around = enumerate(self.grid.neighbours(h))
        beyond = [there for d, there in around if there != NOWHERE and (self.major[d] | self.minor[d]) >> h & 1]
        return [there for there in beyond if self.land >> there & 1]
