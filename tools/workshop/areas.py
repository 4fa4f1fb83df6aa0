"""Areas on a sheet: how much of a hex or of a hexside they cover, and shore lines for drawing."""

from __future__ import annotations

import math
from collections.abc import Iterable

from fit import Point

from ladoga.hexes import Direction, Grid, Hex, HexMask, members

FINENESS = 32
"""Raster cells to a hex height."""


class Raster:
    """Which cells of a fine raster over a board lie in an area (even-odd rule)."""

    def __init__(self, grid: Grid, board: HexMask) -> None:
        corners = [c for h in members(board) for c in grid.corners(h)]
        self.left = min(x for x, _ in corners)
        self.top = min(y for _, y in corners)
        self.width = math.ceil((max(x for x, _ in corners) - self.left) * FINENESS)
        self.height = math.ceil((max(y for _, y in corners) - self.top) * FINENESS)
        self.rows = [bytearray(self.width) for _ in range(self.height)]

    def add(self, polygons: Iterable[list[list[Point]]]) -> None:
        """Marks the inside of these polygons."""
        for rings in polygons:
            crossings: list[list[float]] = [[] for _ in range(self.height)]
            for ring in rings:
                for (x1, y1), (x2, y2) in zip(ring, ring[1:] + ring[:1], strict=True):
                    self._cross(crossings, x1, y1, x2, y2)
            for row, xs in zip(self.rows, crossings, strict=True):
                xs.sort()
                for start, end in zip(xs[::2], xs[1::2], strict=True):
                    first = max(0, math.ceil((start - self.left) * FINENESS - 0.5))
                    last = min(self.width, math.ceil((end - self.left) * FINENESS - 0.5))
                    if last > first:
                        row[first:last] = b"\1" * (last - first)

    def _cross(self, crossings: list[list[float]], x1: float, y1: float, x2: float, y2: float) -> None:
        if y1 > y2:
            x1, y1, x2, y2 = x2, y2, x1, y1
        first = max(0, math.ceil((y1 - self.top) * FINENESS - 0.5))
        last = min(self.height, math.ceil((y2 - self.top) * FINENESS - 0.5))
        for k in range(first, last):
            y = self.top + (k + 0.5) / FINENESS
            crossings[k].append(x1 + (x2 - x1) * (y - y1) / (y2 - y1))

    def __contains__(self, point: Point) -> bool:
        column = int((point[0] - self.left) * FINENESS)
        row = int((point[1] - self.top) * FINENESS)
        return 0 <= row < self.height and 0 <= column < self.width and bool(self.rows[row][column])

    def share(self, grid: Grid, h: Hex) -> float:
        """How much of a hex lies in the area, 0 to 1."""
        points = list(_inside(grid, h))
        return sum(p in self for p in points) / len(points)

    def side_share(self, grid: Grid, h: Hex, d: Direction) -> float:
        """How much of a hexside lies in the area, 0 to 1 (the very corners left out)."""
        corners = grid.corners(h)
        (x1, y1), (x2, y2) = corners[d], corners[(d + 1) % 6]
        steps = [0.06 + 0.88 * k / 20 for k in range(21)]
        return sum((x1 + (x2 - x1) * t, y1 + (y2 - y1) * t) in self for t in steps) / len(steps)


def _inside(grid: Grid, h: Hex) -> Iterable[Point]:
    """Evenly spread points inside a hex."""
    cx, cy = grid.centre(h)
    corners = grid.corners(h)
    for (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1], strict=True):
        for i in range(8):
            for j in range(8 - i):
                a, b = (i + 1 / 3) / 8, (j + 1 / 3) / 8
                yield cx + a * (x1 - cx) + b * (x2 - cx), cy + a * (y1 - cy) + b * (y2 - cy)


def clipped(ring: list[Point], left: float, top: float, right: float, bottom: float) -> list[Point]:
    """The part of a ring inside a rectangle (cut along one edge after the other)."""
    for axis, limit, keep_below in ((0, left, False), (0, right, True), (1, top, False), (1, bottom, True)):
        cut: list[Point] = []
        for k, point in enumerate(ring):
            before = ring[k - 1]
            inside = (point[axis] <= limit) if keep_below else (point[axis] >= limit)
            was_inside = (before[axis] <= limit) if keep_below else (before[axis] >= limit)
            if inside != was_inside:
                t = (limit - before[axis]) / (point[axis] - before[axis])
                cut.append((before[0] + t * (point[0] - before[0]), before[1] + t * (point[1] - before[1])))
            if inside:
                cut.append(point)
        ring = cut
        if not ring:
            break
    return ring


def simplified(ring: list[Point], tolerance: float) -> list[Point]:
    """A closed ring with fewer points, never further than the tolerance from the old one."""
    if len(ring) < 5:
        return ring
    far = max(range(len(ring)), key=lambda k: math.dist(ring[0], ring[k]))
    first = _thinned(ring[: far + 1], tolerance)
    second = _thinned([*ring[far:], ring[0]], tolerance)
    return first[:-1] + second[:-1]


def _thinned(line: list[Point], tolerance: float) -> list[Point]:
    keep = {0, len(line) - 1}
    stack = [(0, len(line) - 1)]
    while stack:
        start, end = stack.pop()
        worst, where = tolerance, 0
        for k in range(start + 1, end):
            off = to_segment(line[k], line[start], line[end])
            if off > worst:
                worst, where = off, k
        if where:
            keep.add(where)
            stack += [(start, where), (where, end)]
    return [line[k] for k in sorted(keep)]


def to_segment(p: Point, a: Point, b: Point) -> float:
    """Distance from a point to a straight piece of line."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    t = 0.0 if square == 0 else max(0.0, min(1.0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / square))
    return math.hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy)


def size(ring: list[Point]) -> float:
    """Area inside a ring."""
    pairs = zip(ring, ring[1:] + ring[:1], strict=True)
    return abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairs)) / 2
