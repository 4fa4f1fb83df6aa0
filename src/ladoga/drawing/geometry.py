"""Plane geometry for drawing: outlines, offsets, smoothing, noise and even scattering.

Everything is deterministic: noise and scattering come from fixed integer hashes, never from the
process's own randomness or the order of a set.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import ceil, cos, floor, hypot, pi, sin
from typing import TypeAlias

Point: TypeAlias = tuple[float, float]
Ring: TypeAlias = list[Point]
Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom."""


def between(a: Point, b: Point, share: float = 0.5) -> Point:
    """The point that lies a share of the way from one to the other."""
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def distance(a: Point, b: Point) -> float:
    """Distance of two points."""
    return hypot(a[0] - b[0], a[1] - b[1])


def length(line: Sequence[Point]) -> float:
    """Length of a line."""
    return sum(distance(a, b) for a, b in pairwise(line))


def area(ring: Sequence[Point]) -> float:
    """Signed area of a ring: above zero when it runs clockwise on the sheet."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in edges(ring)) / 2


def edges(ring: Sequence[Point]) -> Iterator[tuple[Point, Point]]:
    """The sides of a closed ring."""
    return zip(ring, [*ring[1:], ring[0]], strict=True)


def bounds(points: Iterable[Point]) -> Box:
    """The smallest box around some points."""
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def overlap(a: Box, b: Box) -> bool:
    """Whether two boxes share more than an edge."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def key(point: Point) -> tuple[int, int]:
    """A point as whole hundredths, the same for a corner seen from each of its hexes."""
    return round(point[0] * 100), round(point[1] * 100)


def inset(ring: Ring, by: float) -> Ring:
    """The ring moved inwards; inwards is to the right of its sides (clockwise outer rings)."""
    result: Ring = []
    count = len(ring)
    for index, corner in enumerate(ring):
        before, after = ring[index - 1], ring[(index + 1) % count]
        n1, n2 = _normal(before, corner), _normal(corner, after)
        nx, ny = n1[0] + n2[0], n1[1] + n2[1]
        dot = 1 + n1[0] * n2[0] + n1[1] * n2[1]
        scale = by / dot if dot > 0.2 else by
        result.append((corner[0] + nx * scale, corner[1] + ny * scale))
    return result


def _normal(a: Point, b: Point) -> Point:
    size = distance(a, b) or 1.0
    return -(b[1] - a[1]) / size, (b[0] - a[0]) / size


def rounded(ring: Ring, radius: float, steps: int = 4) -> Ring:
    """The ring with every corner turned into a curve of about this radius."""
    result: Ring = []
    count = len(ring)
    for index, corner in enumerate(ring):
        before, after = ring[index - 1], ring[(index + 1) % count]
        into = between(corner, before, min(0.5, radius / max(distance(corner, before), 1e-9)))
        out = between(corner, after, min(0.5, radius / max(distance(corner, after), 1e-9)))
        for step in range(steps + 1):
            t = step / steps
            result.append(between(between(into, corner, t), between(corner, out, t), t))
    return result


def chaikin(line: Sequence[Point], times: int = 3, *, closed: bool = False) -> list[Point]:
    """The line with its corners cut; it still touches the middle of every side.

    >>> chaikin([(0, 0), (4, 0), (4, 4)], 1)
    [(0, 0), (3.0, 0.0), (4.0, 1.0), (4, 4)]
    """
    points = list(line)
    for _ in range(times):
        if len(points) < 3:
            return points
        cut: list[Point] = [] if closed else [points[0]]
        sides = list(edges(points)) if closed else list(pairwise(points))
        for index, (a, b) in enumerate(sides):
            if closed or index > 0:
                cut.append(between(a, b, 0.25))
            if closed or index < len(sides) - 1:
                cut.append(between(a, b, 0.75))
        if not closed:
            cut.append(points[-1])
        points = cut
    return points


def dense(line: Sequence[Point], step: float, *, closed: bool = False) -> list[Point]:
    """The same line with a point at least every ``step``."""
    result: list[Point] = []
    sides = edges(line) if closed else pairwise(line)
    for a, b in sides:
        pieces = max(1, ceil(distance(a, b) / step))
        result.extend(between(a, b, i / pieces) for i in range(pieces))
    if not closed and line:
        result.append(line[-1])
    return result


def thinned(line: Sequence[Point], tolerance: float) -> list[Point]:
    """The line without the points that lie within a tolerance of it (Douglas and Peucker)."""
    if len(line) < 3:
        return list(line)
    keep = {0, len(line) - 1}
    spans = [(0, len(line) - 1)]
    while spans:
        first, last = spans.pop()
        worst, at = tolerance, -1
        for index in range(first + 1, last):
            off = distance_to(line[index], line[first], line[last])
            if off > worst:
                worst, at = off, index
        if at >= 0:
            keep.add(at)
            spans += [(first, at), (at, last)]
    return [line[index] for index in sorted(keep)]


def thinned_ring(ring: Sequence[Point], tolerance: float) -> Ring:
    """A closed ring without the points that hardly matter."""
    return thinned([*ring, ring[0]], tolerance)[:-1]


def distance_to(point: Point, a: Point, b: Point) -> float:
    """Distance of a point from a straight piece."""
    return distance(point, nearest(point, a, b))


def nearest(point: Point, a: Point, b: Point) -> Point:
    """The point of a straight piece that is nearest to a point."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    size = dx * dx + dy * dy
    t = ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / size if size else 0.0
    return between(a, b, min(1.0, max(0.0, t)))


def crossing(a: Point, b: Point, c: Point, d: Point) -> float | None:
    """How far along a-b the piece c-d crosses it, from 0 to 1; None if it does not."""
    rx, ry, sx, sy = b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]
    cross = rx * sy - ry * sx
    if abs(cross) < 1e-12:
        return None
    t = ((c[0] - a[0]) * sy - (c[1] - a[1]) * sx) / cross
    u = ((c[0] - a[0]) * ry - (c[1] - a[1]) * rx) / cross
    return t if 0 <= t <= 1 and 0 <= u <= 1 else None


def inside(point: Point, rings: Iterable[Sequence[Point]]) -> bool:
    """Whether a point lies in a shape of rings, holes counted out."""
    x, y = point
    odd = False
    for ring in rings:
        for (ax, ay), (bx, by) in edges(ring):
            if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
                odd = not odd
    return odd


def capsule(a: Point, b: Point, radius: float, steps: int = 5) -> Ring:
    """A band around a straight piece with round ends."""
    n = _normal(a, b)
    start = 0.0
    result: Ring = []
    for end, sign in ((b, 1.0), (a, -1.0)):
        for step in range(steps + 1):
            turn = start + pi * step / steps
            c, s = cos(turn), sin(turn)
            # from one flank over the tip to the other: the flank turned by 0 to 180 degrees
            x = -n[0] * sign * c + n[1] * sign * s
            y = -n[1] * sign * c - n[0] * sign * s
            result.append((end[0] + x * radius, end[1] + y * radius))
    return result


def ribbon(line: Sequence[Point], widths: Sequence[float]) -> Ring:
    """A band along a line whose half width changes from point to point, with a round end."""
    left: Ring = []
    right: Ring = []
    last = len(line) - 1
    for index, (point, half) in enumerate(zip(line, widths, strict=True)):
        n = _normal(line[max(0, index - 1)], line[min(last, index + 1)])
        left.append((point[0] + n[0] * half, point[1] + n[1] * half))
        right.append((point[0] - n[0] * half, point[1] - n[1] * half))
    return left + _cap(line[-2], line[-1], widths[-1]) + right[::-1] + _cap(line[1], line[0], widths[0])


def _cap(before: Point, end: Point, half: float) -> list[Point]:
    """The points that round off the end of a band, from its right flank to its left."""
    if half < 1.5:
        return []
    n = _normal(before, end)
    turns = (pi * step / 6 for step in range(1, 6))
    return [
        (end[0] + half * (n[0] * cos(t) + n[1] * sin(t)), end[1] + half * (n[1] * cos(t) - n[0] * sin(t)))
        for t in turns
    ]


def hashed(x: int, y: int, seed: int) -> float:
    """An even figure from 0 to 1 that depends on two whole numbers and a seed alone."""
    n = (x * 374761393 + y * 668265263 + seed * 1442695041) & 0xFFFFFFFF
    n = ((n ^ (n >> 13)) * 1274126177) & 0xFFFFFFFF
    n = ((n ^ (n >> 16)) * 2246822519) & 0xFFFFFFFF
    return (n ^ (n >> 15)) / 0xFFFFFFFF


def noise(x: float, y: float, seed: int) -> float:
    """Smooth noise from -1 to 1 with features of size one."""
    fx, fy = floor(x), floor(y)
    tx, ty = x - fx, y - fy
    tx, ty = tx * tx * (3 - 2 * tx), ty * ty * (3 - 2 * ty)
    top = hashed(fx, fy, seed) * (1 - tx) + hashed(fx + 1, fy, seed) * tx
    low = hashed(fx, fy + 1, seed) * (1 - tx) + hashed(fx + 1, fy + 1, seed) * tx
    return 2 * (top * (1 - ty) + low * ty) - 1


def wobbled(line: Sequence[Point], by: float, size: float, seed: int) -> list[Point]:
    """The line with every point moved a little, neighbours alike."""
    return [(x + by * noise(x / size, y / size, seed), y + by * noise(x / size, y / size, seed + 7)) for x, y in line]


class Scatter:
    """Points no two of which lie nearer to one another than a distance (Poisson sampling)."""

    def __init__(self, apart: float) -> None:
        self._apart = apart
        self._cell = apart / 2**0.5
        self._filled: dict[tuple[int, int], Point] = {}

    def take(self, point: Point) -> bool:
        """Adds a point, unless another is too near."""
        x, y = point
        column, row = floor(x / self._cell), floor(y / self._cell)
        filled, least = self._filled, self._apart**2
        if (column, row) in filled:
            return False
        for i in (-2, -1, 0, 1, 2):
            for j in (-2, -1, 0, 1, 2):
                other = filled.get((column + i, row + j))
                if other is not None and (other[0] - x) ** 2 + (other[1] - y) ** 2 < least:
                    return False
        filled[column, row] = point
        return True


def in_a_row(sides: Sequence[tuple[Point, Point]]) -> list[list[Point]]:
    """Hexsides as few long lines: the longest way through them first, then the side arms."""
    where: dict[tuple[int, int], Point] = {}
    links: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for a, b in sides:
        for start, end in ((a, b), (b, a)):
            where.setdefault(key(start), start)
            if key(end) not in links.setdefault(key(start), []):
                links[key(start)].append(key(end))
    lines: list[list[Point]] = []
    while any(links.values()):
        start = next(corner for corner, ends in links.items() if ends)
        far = _farthest(links, start)[-1]
        way = _farthest(links, far)
        for a, b in pairwise(way):
            links[a].remove(b)
            links[b].remove(a)
        lines.append([where[corner] for corner in way])
    return lines


def _farthest(links: Mapping[tuple[int, int], list[tuple[int, int]]], start: tuple[int, int]) -> list[tuple[int, int]]:
    """The way to the corner that is the most hexsides away."""
    came: dict[tuple[int, int], tuple[int, int] | None] = {start: None}
    row = [start]
    last = start
    while row:
        last = row[-1]
        ahead = []
        for corner in row:
            for end in links[corner]:
                if end not in came:
                    came[end] = corner
                    ahead.append(end)
        row = ahead
    way: list[tuple[int, int]] = []
    at: tuple[int, int] | None = last
    while at is not None:
        way.append(at)
        at = came[at]
    way.reverse()
    return way
