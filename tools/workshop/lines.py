"""Rivers along hexsides and roads through hexes: the cheapest way that hugs the real line."""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Callable, Iterable
from typing import TypeAlias, TypeVar

from areas import to_segment
from fit import Point

from ladoga.hexes import DIRECTIONS, NOWHERE, Grid, Hex, HexMask, members

Side: TypeAlias = tuple[Hex, Hex]
Corner: TypeAlias = tuple[int, int]
N = TypeVar("N")

LENGTH_COST = 0.08
"""What a hex height of way costs when it lies right on the line; straying costs by the square."""


def corner_key(point: Point) -> Corner:
    """A corner shared by up to three hexes, by its place."""
    return round(point[0] * 1000), round(point[1] * 1000)


class Chains:
    """Finds ways over one board's corners (rivers) and hexes (roads)."""

    def __init__(self, grid: Grid, board: HexMask, blocked: HexMask, blocked_sides: set[Side]) -> None:
        self.grid = grid
        self.board = board
        self.blocked = blocked
        self.blocked_sides = blocked_sides
        self.corners: dict[Corner, Point] = {}
        self.ways: dict[Corner, list[tuple[Corner, Side]]] = {}
        self.wet: set[Corner] = set()
        """Corners that touch all-water hexes or hexsides: where a river may end."""
        for h in members(board):
            points = grid.corners(h)
            for d in DIRECTIONS:
                other = grid.neighbours(h)[d]
                a, b = points[d], points[(d + 1) % 6]
                if blocked >> h & 1 or (other != NOWHERE and (h, other) in blocked_sides):
                    self.wet |= {corner_key(a), corner_key(b)}
                if other == NOWHERE or other < h:
                    continue
                side = (h, other)
                for start, end in ((a, b), (b, a)):
                    self.corners[corner_key(start)] = start
                    self.ways.setdefault(corner_key(start), []).append((corner_key(end), side))

    def inside(self, line: list[Point]) -> list[list[Point]]:
        """The pieces of a line that lie on the board, in small steps."""
        pieces: list[list[Point]] = [[]]
        for (x1, y1), (x2, y2) in itertools.pairwise(line):
            steps = max(1, math.ceil(math.hypot(x2 - x1, y2 - y1) / 0.1))
            for k in range(steps):
                t = k / steps
                point = (x1 + (x2 - x1) * t, y1 + (y2 - y1) * t)
                if self.hex_at(point) is not None:
                    pieces[-1].append(point)
                elif pieces[-1]:
                    pieces.append([])
        if self.hex_at(line[-1]) is not None:
            pieces[-1].append(line[-1])
        return [piece for piece in pieces if _length(piece) > 0.4]

    def hex_at(self, point: Point) -> Hex | None:
        """The hex of the board a point lies in."""
        h = min(members(self.board), key=lambda h: math.dist(self.grid.centre(h), point))
        return h if _in_hex(self.grid, h, point) else None

    def river(self, line: list[Point], ends: Callable[[Corner], bool] | None = None) -> list[Side]:
        """Hexsides along a line, from its start to its end (or to a corner that ``ends`` accepts)."""
        start = self.nearest_corner(line[0])
        goals = {c for c in self.ways if ends(c)} if ends else {self.nearest_corner(line[-1])}
        close = _Distance(line)

        def steps(corner: Corner) -> Iterable[tuple[Corner, float, Side]]:
            for other, side in self.ways[corner]:
                if not self.drowned(side):
                    yield other, close.cost(self.corners[corner], self.corners[other]), side

        finish = {goal: 0.3 * math.dist(self.corners[goal], line[-1]) ** 2 for goal in goals}
        return _cheapest(start, finish, steps)

    def drowned(self, side: Side) -> bool:
        """Whether a hexside is all water, or one of its hexes is."""
        return side in self.blocked_sides or bool((self.blocked >> side[0] | self.blocked >> side[1]) & 1)

    def nearest_corner(self, point: Point) -> Corner:
        """The corner closest to a point that a river can reach."""
        dry = (c for c, ways in self.ways.items() if not all(self.drowned(side) for _, side in ways))
        return min(dry, key=lambda c: math.dist(self.corners[c], point))

    def road(self, line: list[Point], start: Hex, end: Hex) -> list[Hex]:
        """Hexes along a line; never over water. Neighbours are joined directly."""
        if end in self.grid.neighbours(start) and (start, end) not in self.blocked_sides:
            return [start, end]
        close = _Distance(line)

        def steps(h: Hex) -> Iterable[tuple[Hex, float, Hex]]:
            for other in self.grid.neighbours(h):
                if other == NOWHERE or self.blocked >> other & 1 or (h, other) in self.blocked_sides:
                    continue
                yield other, close.cost(self.grid.centre(h), self.grid.centre(other)), other

        return [start, *_cheapest(start, {end: 0.0}, steps)]


class _Distance:
    """How far from a line a straight step strays."""

    def __init__(self, line: list[Point]) -> None:
        self.segments = list(itertools.pairwise(line))

    def cost(self, a: Point, b: Point) -> float:
        total = 0.0
        for t in (0.1, 0.3, 0.5, 0.7, 0.9):
            p = (a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t)
            total += min(to_segment(p, *segment) for segment in self.segments) ** 2
        return math.dist(a, b) * (LENGTH_COST + total / 5)


S = TypeVar("S")


def _cheapest(start: N, finish: dict[N, float], steps: Callable[[N], Iterable[tuple[N, float, S]]]) -> list[S]:
    """The steps of the cheapest way from the start to one of the finishes (each with its own last cost)."""
    best: dict[N, float] = {start: 0.0}
    came: dict[N, tuple[N, S]] = {}
    queue: list[tuple[float, int, N, bool]] = [(0.0, 0, start, False)]
    count = 0
    while queue:
        cost, _, node, done = heapq.heappop(queue)
        if done:
            way: list[S] = []
            while node != start:
                node, step = came[node]
                way.append(step)
            return way[::-1]
        if cost > best[node]:
            continue
        if node in finish:
            count += 1
            heapq.heappush(queue, (cost + finish[node], count, node, True))
        for other, price, step in steps(node):
            if cost + price < best.get(other, math.inf):
                best[other] = cost + price
                came[other] = (node, step)
                count += 1
                heapq.heappush(queue, (cost + price, count, other, False))
    raise ValueError("no way leads there")


def _length(line: list[Point]) -> float:
    return sum(math.dist(a, b) for a, b in itertools.pairwise(line))


def _in_hex(grid: Grid, h: Hex, point: Point) -> bool:
    cx, cy = grid.centre(h)
    for (x1, y1), (x2, y2) in zip(grid.corners(h), grid.corners(h)[1:] + grid.corners(h)[:1], strict=True):
        mx, my = (x1 + x2) / 2 - cx, (y1 + y2) / 2 - cy
        if (point[0] - cx) * mx + (point[1] - cy) * my > mx * mx + my * my + 1e-9:
            return False
    return True
