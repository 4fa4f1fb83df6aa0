"""The lay of the land: marching distances and shelter on a map, worked out once."""

from __future__ import annotations

from functools import lru_cache
from heapq import heappop, heappush

from ..hexes import DIRECTIONS, NOWHERE, Hex, HexMask, members
from ..kernel.flood import zone
from ..kernel.map import GameMap
from .tuning import Ground, tuning

FAR = 999.0
"""Further than any march."""
SLOW = 2.0
"""Movement points that make a step a slow one."""


class Lay:
    """A map as a marching unit sees it."""

    def __init__(self, game_map: GameMap, ground: Ground) -> None:
        self.map = game_map
        self.grid = game_map.grid
        self.land = game_map.land
        self.shelter = self._shelter(ground)
        self.ways = self._ways(ground)
        self.near = {a: sum(1 << b for b, _ in ways) for a, ways in self.ways.items()}
        self.linked = sum(1 << a for pair in self._linked(ground) for a in pair)
        self._quick, self._slow = self._leaving(0.0, SLOW), self._leaving(SLOW, FAR)
        self._any = tuple(quick | slow for quick, slow in zip(self._quick, self._slow, strict=True))
        self._distances: dict[HexMask, dict[Hex, float]] = {}
        self._roads: dict[HexMask, dict[Hex, Hex]] = {}

    def _shelter(self, ground: Ground) -> dict[Hex, float]:
        found: dict[Hex, float] = {}
        for kind, factor in ground.shelter.items():
            for h in members(self.map.terrain.get(kind, 0) | self.map.places.get(kind, 0)):
                found[h] = max(found.get(h, 1.0), factor)
        return found

    def _ways(self, ground: Ground) -> dict[Hex, list[tuple[Hex, float]]]:
        ways: dict[Hex, list[tuple[Hex, float]]] = {}
        for a in members(self.land):
            ways[a] = []
            for d in DIRECTIONS:
                b = self.grid.neighbours(a)[d]
                if b == NOWHERE or not self.land >> b & 1:
                    continue
                if any(self.map.sides[kind][d] >> a & 1 for kind in ground.barred if kind in self.map.sides):
                    continue
                ways[a].append((b, self._step(ground, a, b, d)))
        for a, b in self._linked(ground):
            ways[a].append((b, 1.0))
            ways[b].append((a, 1.0))
        return ways

    def _step(self, ground: Ground, a: Hex, b: Hex, d: int) -> float:
        roads = [price for kind, price in ground.roads.items() if self.map.sides[kind][d] >> a & 1]
        if roads:
            return min(roads)
        price = ground.terrain.get(self.map.terrain_of(b), 1.0)
        return price + sum(extra for kind, extra in ground.rivers.items() if self.map.sides[kind][d] >> a & 1)

    def _linked(self, ground: Ground) -> list[tuple[Hex, Hex]]:
        if not ground.links:
            return []
        pairs = []
        for kind, mask in self.map.places.items():
            number = kind.removeprefix(ground.links)
            if number != kind and number in self.grid:
                pairs += [(self.grid.hex(number), h) for h in members(mask & self.land)]
        return [(a, b) for a, b in pairs if self.land >> a & 1]

    def _leaving(self, low: float, high: float) -> tuple[HexMask, ...]:
        """For each direction the hexes that can be left that way in a step at some price."""
        found = []
        for d in DIRECTIONS:
            leaving = 0
            for a, ways in self.ways.items():
                price = dict(ways).get(self.grid.neighbours(a)[d])
                if price is not None and low <= price < high:
                    leaving |= 1 << a
            found.append(leaving)
        return tuple(found)

    def _links_of(self, hexes: HexMask) -> HexMask:
        found = 0
        for h in members(hexes & self.linked):
            found |= self.near[h]
        return found

    def zone(self, occupied: HexMask) -> HexMask:
        """The hexes next to some hexes, across hexsides that can be crossed."""
        found = self._links_of(occupied) if occupied & self.linked else 0
        return found | zone(self.grid, occupied, self._any)

    def spread(self, start: HexMask, steps: int, barred: HexMask, stops: HexMask) -> HexMask:
        """How far units get in some steps, stopped by enemy zones; a slow step counts two."""
        reached = frontier = start
        late = 0
        for _ in range(steps):
            quick = late | zone(self.grid, frontier, self._quick)
            late = zone(self.grid, frontier, self._slow)
            if frontier & self.linked:
                quick |= self._links_of(frontier)
            new = quick & ~barred & ~reached
            reached |= new
            frontier = new & ~stops
            if not frontier and not late:
                break
        return reached

    def road_back(self, sources: HexMask) -> dict[Hex, Hex]:
        """For every hex that a road joins to some hexes the one before it on the way from there."""
        before = self._roads.get(sources)
        if before is None:
            before = self._roads[sources] = dict.fromkeys(members(sources), NOWHERE)
            queue = list(before)
            for h in queue:
                for d in DIRECTIONS:
                    beyond = self.grid.neighbours(h)[d]
                    if self.map.sides["road"][d] >> h & 1 and beyond != NOWHERE and beyond not in before:
                        before[beyond] = h
                        queue.append(beyond)
        return before

    def distances(self, targets: HexMask) -> dict[Hex, float]:
        """Movement points from every hex to the nearest of some hexes."""
        found = self._distances.get(targets)
        if found is None:
            if len(self._distances) > 500:
                self._distances.clear()
            found = self._distances[targets] = self._march(targets)
        return found

    def _march(self, targets: HexMask) -> dict[Hex, float]:
        found: dict[Hex, float] = {}
        heap = [(0.0, h) for h in members(targets & self.land)]
        least = {h: 0.0 for _, h in heap}
        while heap:
            far, h = heappop(heap)
            if h in found:
                continue
            found[h] = far
            for beyond, price in self.ways[h]:
                there = far + price
                if there < least.get(beyond, there + 1.0):
                    least[beyond] = there
                    heappush(heap, (there, beyond))
        return found


@lru_cache(maxsize=32)
def lay_of(game_map: GameMap, game_id: str) -> Lay:
    """The lay of a map, remembered."""
    return Lay(game_map, tuning(game_id).ground)
