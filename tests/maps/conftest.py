"""A surveyor: asks a game's map the questions that every map must answer well."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

import ladoga
from ladoga.hexes import DIRECTIONS, NOWHERE, Hex, HexMask, members
from ladoga.kernel.map import Feature, GameMap

GAMES = Path(ladoga.__file__).parent / "games"
Corner = tuple[int, int]


class Survey:
    """One game's map with the checks that are the same for all."""

    def __init__(self, family: str, game: str) -> None:
        self.folder = GAMES / family / "data" / game
        self.map = GameMap.read(self.folder / "map.yaml")
        self.grid = self.map.grid

    def numbers(self, mask: HexMask) -> set[str]:
        return {self.grid.number(h) for h in members(mask)}

    def terrain(self, number: str) -> str:
        return self.map.terrain_of(self.grid.hex(number))

    def places(self, number: str) -> list[str]:
        return self.map.places_of(self.grid.hex(number))

    def place_hexes(self, kind: str) -> set[str]:
        return self.numbers(self.map.places[kind])

    def where(self, name: str) -> set[str]:
        """The hexes that bear a name."""
        return {self.grid.number(h) for h, n in self.map.names.items() if n == name}

    def side(self, pair: str) -> list[str]:
        first, _, second = pair.partition("/")
        return self.map.sides_of(self.grid.hex(first), self.grid.hex(second))

    def adjacent(self, first: str, second: str) -> bool:
        return self.grid.adjacent(self.grid.hex(first), self.grid.hex(second))

    def around(self, number: str) -> set[str]:
        """The hexes next to one."""
        return {self.grid.number(h) for h in self.grid.neighbours(self.grid.hex(number)) if h != NOWHERE}

    def along(self, kind: str, start: str) -> set[str]:
        """The hexes that roads (or railways) of a kind join to a hex, itself included."""
        found = front = 1 << self.grid.hex(start)
        masks = self.map.sides[kind]
        while front:
            beyond = 0
            for d in DIRECTIONS:
                beyond |= self.grid.shift(front & masks[d], d)
            front = beyond & ~found
            found |= beyond
        return self.numbers(found)

    def with_side(self, kind: str) -> set[str]:
        """The hexes that have a hexside of the kind."""
        mask = 0
        for side in self.map.sides[kind]:
            mask |= side
        return self.numbers(mask)

    def walk(self, start: str, *barred: str, among: HexMask | None = None) -> set[str]:
        """The land hexes a walker reaches from a hex without crossing these kinds of hexsides."""
        land = self.map.land if among is None else among
        found = front = 1 << self.grid.hex(start)
        while front:
            beyond = 0
            for d in DIRECTIONS:
                free = front
                for kind in barred:
                    free &= ~self.map.sides[kind][d]
                beyond |= self.grid.shift(free, d) & land
            front = beyond & ~found
            found |= beyond
        return self.numbers(found)

    def corners(self, a: Hex, b: Hex) -> set[Corner]:
        d = self.grid.direction(a, b)
        points = self.grid.corners(a)
        return {(round(x * 100), round(y * 100)) for x, y in (points[d], points[(d + 1) % 6])}

    def pieces(self, features: Iterable[Feature]) -> int:
        """In how many pieces hexsides that should touch one another fall."""
        sides = []
        for feature in features:
            for pair in feature.at.split():
                first, _, second = pair.partition("/")
                sides.append(self.corners(self.grid.hex(first), self.grid.hex(second)))
        groups: list[set[Corner]] = []
        for side in sides:
            touching = [group for group in groups if group & side]
            groups = [group for group in groups if not group & side]
            groups.append(side.union(*touching))
        return len(groups)

    def named(self, *kinds: str) -> dict[str, list[Feature]]:
        """Hexside features of these kinds by name."""
        result: dict[str, list[Feature]] = {}
        for feature in self.map.file.hexsides:
            if feature.kind in kinds:
                result.setdefault(feature.name, []).append(feature)
        return result

    def water_corners(self) -> set[Corner]:
        """Corners of all-water hexes and all-water hexsides."""
        found: set[Corner] = set()
        water = self.grid.all & ~self.map.land
        for h in members(self.grid.all):
            for d in DIRECTIONS:
                other = self.grid.neighbours(h)[d]
                if other == NOWHERE:
                    continue
                wet = (water >> h & 1) or any(
                    self.map.sides[k][d] >> h & 1 for k in (*self.map.vocabulary.water, "coast") if k in self.map.sides
                )
                if wet:
                    found |= self.corners(h, other)
        return found

    def edge_corners(self) -> set[Corner]:
        """Corners on the rim of a board."""
        found: set[Corner] = set()
        for h in members(self.grid.all):
            points = [(round(x * 100), round(y * 100)) for x, y in self.grid.corners(h)]
            for d in DIRECTIONS:
                if self.grid.neighbours(h)[d] == NOWHERE:
                    found |= {points[d], points[(d + 1) % 6]}
        return found

    def river_corners(self, features: Iterable[Feature]) -> set[Corner]:
        found: set[Corner] = set()
        for feature in features:
            for pair in feature.at.split():
                first, _, second = pair.partition("/")
                found |= self.corners(self.grid.hex(first), self.grid.hex(second))
        return found

    def loose_rivers(self, *kinds: str) -> set[str]:
        """Rivers that are in more than one piece, or end nowhere: not in water, another river or the edge."""
        rivers = self.named(*kinds)
        wet, edge = self.water_corners(), self.edge_corners()
        loose = set()
        for name, features in rivers.items():
            mine = self.river_corners(features)
            others = self.river_corners(f for n, fs in rivers.items() if n != name for f in fs)
            if self.pieces(features) != 1 or not mine & (wet | edge | others):
                loose.add(name)
        return loose

    def count(self, kind: str) -> int:
        return self.map.terrain[kind].bit_count()


@pytest.fixture(scope="session")
def survey() -> Callable[[str, str], Survey]:
    """Opens the map of a game, by family and id."""
    opened: dict[str, Survey] = {}

    def open_map(family: str, game: str) -> Survey:
        if game not in opened:
            opened[game] = Survey(family, game)
        return opened[game]

    return open_map
