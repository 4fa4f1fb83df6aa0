"""Line of fire (10.7, 10.9): which hexes a straight line from centre to centre runs through, exactly.

Everything depends only on where the target lies as seen from the firer, so a line is worked out once
for each such displacement, in whole numbers, and then laid over the map as a mask.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from ...hexes import DIRECTIONS, Grid, Hex, HexMask, members, union
from ...kernel.memory import once

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
    turns = 0
    x, y = across, along
    while x < 0 or y < 0:
        x, y = -y, x + y
        turns += 1
    stages = _first_line(max(x, y), min(x, y))
    return Line(tuple(tuple(sorted(_turned(offset, y > x, turns) for offset in stage)) for stage in stages))


def _turned(offset: Offset, mirrored: bool, turns: int) -> Offset:
    """An offset of a line in the first twelfth of the circle, turned to where the line really runs."""
    x, y = offset
    if mirrored:
        x, y = y, x
    for _ in range(turns):
        x, y = x + y, -x
    return x, y


@cache
def _first_line(across: int, along: int) -> tuple[tuple[Offset, ...], ...]:
    """The stages of a line in the first twelfth of the circle, worked out."""
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
    return tuple(stages)


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
        self.blocking = blocking << grid.size
        self.roads: HexMask = union(links)
        self._next: dict[Hex, set[Hex]] = {}
        """The hexes that a road leads to from each."""
        for d in DIRECTIONS:
            for h in members(links[d]):
                self._next.setdefault(h, set()).add(h + grid.steps[d])
        self._shapes: dict[Offset, tuple[HexMask, tuple[HexMask, ...]]] = {}

    def _offset(self, a: Hex, b: Hex) -> Offset:
        (line_a, along_a), (line_b, along_b) = self.grid.axes[a], self.grid.axes[b]
        return line_b - line_a, along_b - along_a

    def _shape(self, a: Hex, b: Hex) -> tuple[HexMask, tuple[HexMask, ...]]:
        """The hexes a line crosses, and the pairs it runs between, as masks around the firer."""
        offset = self._offset(a, b)
        shape = self._shapes.get(offset)
        if shape is None:
            crossed, beside = 0, []
            for stage in line(*offset).stages:
                mask = 0
                for across, along in stage:
                    mask |= 1 << self.grid.size + across * self.grid.stride + along
                if len(stage) == 1:
                    crossed |= mask
                else:
                    beside.append(mask)
            shape = self._shapes[offset] = crossed, tuple(beside)
        return shape

    def _along_road(self, a: Hex, b: Hex) -> bool:
        """Whether the whole line follows prospekts and railroads through their hexsides (10.9)."""
        stride, following = self.grid.stride, self._next
        here = {a}
        for stage in line(*self._offset(a, b)).stages:
            onward = {a + across * stride + along for across, along in stage}
            here = {there for h in here for there in following.get(h, ()) if there in onward}
            if not here:
                return False
        return any(b in following.get(h, ()) for h in here)

    @once
    def field(self, h: Hex, reach: int) -> HexMask:
        """Every hex within a range that a unit has an open line of fire to (10.7-10.9)."""
        found = self.grid.ring(1 << h)
        beyond = self.grid.within(1 << h, reach) & ~found & ~(1 << h) if reach > 1 else 0
        axes, shapes, around = self.grid.axes, self._shapes, self.blocking >> h
        line_here, along_here = axes[h]
        roads = self.roads if self.roads >> h & 1 else 0
        for there in members(beyond):
            line_there, along_there = axes[there]
            shape = shapes.get((line_there - line_here, along_there - along_here)) or self._shape(h, there)
            clear = not around & shape[0] and not any(around & pair == pair for pair in shape[1])
            if clear or (roads >> there & 1 and self._along_road(h, there)):
                found |= 1 << there
        return found
