"""Line of fire (10.7, 10.9): which hexes a straight line from centre to centre runs through, exactly.

Everything depends only on where the target lies as seen from the firer, so a line is worked out once
for each such displacement, in whole numbers, and then laid over the map as a mask.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from ...hexes import DIRECTIONS, Grid, Hex, HexMask

Offset = tuple[int, int]
"""A displacement in the grid's two bit axes: lines, and places along a line."""


class Line(NamedTuple):
    """The hexes of a line between its two ends, nearest first; a stage of two hexes means that the
    line runs along the hexside between them."""

    stages: tuple[tuple[Offset, ...], ...]


@cache
def line(across: int, along: int) -> Line:
    """The line from the origin to a displacement.

    >>> line(0, 3).stages
    (((0, 1),), ((0, 2),))
    >>> line(1, 1).stages
    (((0, 1), (1, 0)),)
    """
    steps = max(abs(across), abs(along), abs(across + along))
    near: set[Offset] = set()
    for step in range(steps + 1):
        x, y = across * step // steps, along * step // steps
        near |= {(x + i, y + j) for i in range(-1, 3) for j in range(-1, 3)}
    crossed = []
    for offset in near - {(0, 0), (across, along)}:
        part = _inside(across, along, offset)
        if part is not None:
            crossed.append((*part, offset))
    crossed.sort()
    stages: list[tuple[Offset, ...]] = []
    last: tuple[int, int] | None = None
    for start, end, offset in crossed:
        if (start, end) == last:
            stages[-1] = (*stages[-1], offset)
        else:
            stages.append((offset,))
        last = (start, end)
    return Line(tuple(stages))


def _inside(across: int, along: int, offset: Offset) -> tuple[int, int] | None:
    """The part of the line inside a hex or on its edge, in a fraction of its length that makes every
    crossing a whole number; ``None`` if the line misses the hex or only touches a corner.

    With coordinates ``x + y + z = 0`` the inside of the hex at the origin is where each two of them
    differ by less than one.
    """
    dx, dy, dz = across, along, -across - along
    cx, cy, cz = offset[0], offset[1], -offset[0] - offset[1]
    slopes = dx - dy, dy - dz, dz - dx
    whole = abs((slopes[0] or 1) * (slopes[1] or 1) * (slopes[2] or 1))
    low, high = 0, whole
    for slope, at in zip(slopes, (cx - cy, cy - cz, cz - cx), strict=True):
        if slope == 0:
            if abs(at) > 1:
                return None
            continue
        scale = whole // slope
        first, second = (at - 1) * scale, (at + 1) * scale
        if first > second:
            first, second = second, first
        low, high = max(low, first), min(high, second)
        if low >= high:
            return None
    return low, high


class Lines:
    """Lines of fire over one map. Blocking terrain never changes (rubble blocks as what it was), so
    whatever has been looked at once stays known."""

    def __init__(self, grid: Grid, blocking: HexMask, links: Sequence[HexMask]) -> None:
        self.grid = grid
        self.blocking = blocking
        self.links = links
        self._seen: dict[tuple[Hex, Hex], bool] = {}
        self._fields: dict[tuple[Hex, int], HexMask] = {}

    def open(self, a: Hex, b: Hex) -> bool:
        """Whether a unit may fire from one hex straight at another (10.7-10.9)."""
        known = self._seen.get((a, b))
        if known is None:
            known = self._seen[a, b] = self._seen[b, a] = self._traced(a, b)
        return known

    def _traced(self, a: Hex, b: Hex) -> bool:
        grid = self.grid
        if a == b or grid.adjacent(a, b):
            return True
        stride = grid.stride
        (line_a, along_a), (line_b, along_b) = divmod(a, stride), divmod(b, stride)
        blocking = self.blocking
        stages = [
            [a + across * stride + along for across, along in stage]
            for stage in line(line_b - line_a, along_b - along_a).stages
        ]
        if not any(all(blocking >> h & 1 for h in stage) for stage in stages):
            return True
        return self._along_road(a, b, stages)

    def _along_road(self, a: Hex, b: Hex, stages: Sequence[Sequence[Hex]]) -> bool:
        """Whether the whole line follows prospekts and railroads through their hexsides (10.9)."""
        here = {a}
        for stage in (*stages, [b]):
            here = {there for there in stage if any(self._linked(h, there) for h in here)}
            if not here:
                return False
        return True

    def _linked(self, a: Hex, b: Hex) -> bool:
        return any(b - a == self.grid.steps[d] and self.links[d] >> a & 1 for d in DIRECTIONS)

    def field(self, h: Hex, reach: int) -> HexMask:
        """Every hex within a range that a unit has an open line of fire to."""
        known = self._fields.get((h, reach))
        if known is None:
            ring = self.grid.ring(1 << h)
            known = ring
            for there in self.grid.members(self.grid.within(1 << h, reach) & ~ring & ~(1 << h)):
                if self.open(h, there):
                    known |= 1 << there
            self._fields[h, reach] = known
        return known
