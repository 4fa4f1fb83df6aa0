"""The map as the rules of Tijvin 1941 see it: edges, paths, rivers, cities, and costs by mover."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from ...hexes import DIRECTIONS, Hex, HexMask, members, opposite, union
from ...kernel.flood import Costs, zone
from ...kernel.map import GameMap, crossing
from ...kernel.memory import Recent, once
from ...kernel.orders import Order
from .book import SUPPLY_EDGES, Tables, UnitType

MOVERS: dict[UnitType, str] = {
    "infantry": "foot",
    "artillery": "foot",
    "antitank": "foot",
    "cavalry": "foot",
    "motorized": "motorized",
    "tank": "tank",
}
"""Which line of the terrain table a type of unit reads."""


class Ground:
    """Masks and costs of one map, worked out once."""

    def __init__(self, game_map: GameMap, tables: Tables) -> None:
        self.map = game_map
        self.grid = game_map.grid
        self.names = {h: self.grid.number(h) for h in members(self.grid.all)}
        self.tables = tables
        self.land = game_map.land
        sides = game_map.sides
        self.path = tuple(sides["road"][d] | sides["rail"][d] for d in DIRECTIONS)
        self.minor = sides["minor-river"]
        self.major = sides["major-river"]
        self.swamp = game_map.terrain["swamp"]
        self.forest = game_map.terrain["forest"]
        self.minor_city = game_map.places["minor-city"]
        self.major_city = game_map.places["major-city"]
        self.cities = self.minor_city | self.major_city
        self.german_side = game_map.places["german-side"]
        self.one_star = game_map.places["one-star"]
        self.two_stars = game_map.places["two-stars"]
        self.ways = crossing(game_map, ("lake",) if tables.coast.open else ("lake", "coast"))
        """For each direction the land hexes with land beyond and no water between."""
        self.zone_sides = tuple(self.ways[d] & ~self.major[d] for d in DIRECTIONS)
        bare_swamp = [self.grid.shift(self.swamp, opposite(d)) & ~self.path[d] for d in DIRECTIONS]
        """For each direction the hexes from which it leads into swamp off road and railway."""
        self.tank_sides = tuple(self.zone_sides[d] & ~bare_swamp[d] for d in DIRECTIONS)
        self.edges = {name: self.grid.edge(name) & self.land for name in ("west", "east", "north", "south")}
        """The land hexes of the four edges of the sheet."""
        self.supply_edge = {side: union(map(self.edges.__getitem__, names)) for side, names in SUPPLY_EDGES.items()}
        self.moves: dict[str, dict[Hex, Order]] = {}
        """Orders that move a unit to a hex, as they have been listed."""
        self.ranges: Recent[Hashable, Any] = Recent(20_000)
        """How far movers get, by everything that it depends on."""

    @once
    def inland(self, edge: str) -> list[HexMask]:
        """The land hexes at every distance from an edge, the edge first."""
        layers = [self.edges[edge]]
        reached = layers[0]
        while new := zone(self.grid, layers[-1], self.ways) & ~reached:
            layers.append(new)
            reached |= new
        return layers

    @once
    def around(self, h: Hex, distance: int) -> HexMask:
        """All hexes within a distance of a hex."""
        return self.grid.within(1 << h, distance)

    def joined(self, a: Hex, b: Hex) -> bool:
        """Whether a road or railway joins two neighbours."""
        return bool(self.path[self.grid.direction(a, b)] >> a & 1)

    def river(self, a: Hex, b: Hex) -> str:
        """The river between two neighbours: ``minor-river``, ``major-river`` or nothing."""
        d = self.grid.direction(a, b)
        if self.major[d] >> a & 1:
            return "major-river"
        return "minor-river" if self.minor[d] >> a & 1 else ""

    def passable(self, a: Hex, b: Hex) -> bool:
        """Whether land joins two neighbours."""
        return bool(self.ways[self.grid.direction(a, b)] >> a & 1)

    def bare_swamp(self, a: Hex, b: Hex) -> bool:
        """Whether going from a hex to its neighbour is going into swamp off road and railway."""
        return bool(self.swamp >> b & 1) and not self.joined(a, b)

    def is_clear(self, h: Hex, frozen: bool) -> bool:
        """Clear ground without a city; frozen swamp is clear (7)."""
        return not (self.cities | self.forest | (0 if frozen else self.swamp)) >> h & 1

    def modifier(self, h: Hex, frozen: bool) -> tuple[int, str]:
        """What the hex adds to its defender's roll, and why (13 II c): a city's figure stands alone."""
        figures = self.tables.terrain_modifiers
        rows = (
            (self.major_city, figures.major_city, "major city"), (self.minor_city, figures.minor_city, "minor city"),
            (self.forest, figures.forest, "forest"), (0 if frozen else self.swamp, figures.swamp, "swamp"),
        )  # fmt: skip
        return next(((amount, word) for hexes, amount, word in rows if hexes >> h & 1), (figures.clear, "clear ground"))

    def costs(self, kind: UnitType, frozen: bool, rain: int) -> Costs:
        """Movement costs of a type of unit (12); ``rain`` is heavy rain's surcharge on rivers."""
        return self._costs(MOVERS[kind], frozen, rain)

    @once
    def _costs(self, mover: str, frozen: bool, rain: int) -> Costs:
        return Costs(self.grid, lambda a, b: self._price(mover, frozen, rain, a, b))

    def _price(self, mover: str, frozen: bool, rain: int, a: Hex, b: Hex) -> int | None:
        if not (self.land >> a & 1 and self.passable(a, b)):
            return None
        table = self.tables.terrain
        if self.joined(a, b):
            return table.path
        terrain = "major-city" if self.major_city >> b & 1 else self.map.terrain_of(b)
        if frozen and terrain == "swamp":
            terrain = "clear"
        price = table.costs[terrain].get(mover)
        river = self.river(a, b)
        if price is not None and river and not (frozen and river == "minor-river"):
            price += table.rivers[river] + rain
        return price
