"""One board laid out for drawing: a hex is 100 units high from side to side."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from ..hexes import DIRECTIONS, NOWHERE, Board, Direction, Hex, HexMask
from ..kernel.map import BoardSpec, GameMap
from .geometry import Box, Point, Ring, area, between, bounds, dense, edges, inset, key, rounded, thinned_ring, wobbled
from .style import place_family, terrain_family

HEX = 100.0
"""Height of a hex in drawing units. Hex centres lie at ``Grid.centre`` times this."""

MARGIN = 0.5 * HEX
"""How far the land is drawn beyond the outermost hexes."""


class Plan:
    """A board of a map in drawing units, with the outlines that every layer needs."""

    def __init__(self, game_map: GameMap, board: Board) -> None:
        self.map = game_map
        self.grid = game_map.grid
        self.board = board
        self.mask: HexMask = self.grid.masks[board.name]
        self.hexes: list[Hex] = self.grid.members(self.mask)
        self._corners = {h: [(x * HEX, y * HEX) for x, y in self.grid.corners(h)] for h in self.hexes}
        self._centres = {h: (x * HEX, y * HEX) for h in self.hexes for x, y in (self.grid.centre(h),)}
        self.field: Box = bounds(p for h in self.hexes for p in self._corners[h])
        left, top, right, bottom = self.field
        self.frame: Box = (left - MARGIN, top - MARGIN, right + MARGIN, bottom + MARGIN)

    @property
    def spec(self) -> BoardSpec:
        """The board as the map file describes it."""
        return self.map.file.boards.get(self.board.name) or BoardSpec(columns=self.board.columns, rows=self.board.rows)

    @property
    def flat(self) -> bool:
        """Whether hexes stand on a side (and columns run down the sheet)."""
        return self.board.shape == "flat"

    def centre(self, h: Hex) -> Point:
        """Middle of a hex."""
        return self._centres[h]

    def corners(self, h: Hex) -> list[Point]:
        """The six corners; ``d`` and ``d + 1`` bound the hexside in direction ``d``."""
        return self._corners[h]

    def side(self, h: Hex, d: Direction) -> tuple[Point, Point]:
        """The two ends of a hexside."""
        corners = self._corners[h]
        return corners[d], corners[(d + 1) % 6]

    def middle(self, h: Hex, d: Direction) -> Point:
        """The middle of a hexside."""
        return between(*self.side(h, d))

    def on_board(self, mask: HexMask) -> list[Hex]:
        """The hexes of a set that lie on this board, by number."""
        return self.grid.members(mask & self.mask)

    def sides_with(self, kind: str) -> list[tuple[Hex, Direction]]:
        """Every hexside of a kind on this board, once each."""
        masks = self.map.sides.get(kind)
        if masks is None:
            return []
        return [(h, d) for h in self.hexes for d in (0, 1, 2) if masks[d] >> h & 1]

    def outline(self, mask: HexMask) -> list[Ring]:
        """The edge of a set of hexes as closed rings, the set on the right hand."""
        steps: dict[tuple[int, int], list[tuple[Point, Point]]] = {}
        clockwise = area(self._corners[self.hexes[0]]) > 0
        for h in self.on_board(mask):
            around = self.grid.neighbours(h)
            for d in DIRECTIONS:
                if around[d] != NOWHERE and mask >> around[d] & 1:
                    continue
                a, b = self.side(h, d)
                if not clockwise:
                    a, b = b, a
                steps.setdefault(key(a), []).append((a, b))
        rings: list[Ring] = []
        while steps:
            start = next(iter(steps))
            ring: Ring = []
            at = start
            while at in steps:
                a, b = steps[at].pop()
                if not steps[at]:
                    del steps[at]
                ring.append(a)
                at = key(b)
            rings.append(ring)
        return rings

    def blob(self, mask: HexMask, by: float = 4.0, radius: float = 14.0, seed: int = 1) -> list[Ring]:
        """The edge of a set of hexes drawn in, rounded and a little uneven, as land lies."""
        return [
            thinned_ring(wobbled(dense(rounded(inset(ring, by), radius), 12, closed=True), 1.8, 38, seed), 0.22)
            for ring in self.outline(mask)
        ]

    @cached_property
    def play(self) -> HexMask:
        """The hexes in play: some sheets carry hexes that are not."""
        mask = self.mask
        for kind, hexes in self.map.terrain.items():
            if terrain_family(kind) == "outside":
                mask &= ~hexes
        return mask

    @cached_property
    def built(self) -> HexMask:
        """The hexes covered by houses."""
        mask = 0
        for kind, hexes in self.map.terrain.items():
            if terrain_family(kind) in ("urban", "dense", "works", "rubble"):
                mask |= hexes
        for kind, hexes in self.map.places.items():
            if place_family(kind) == "metropolis":
                mask |= hexes
        return mask & self.mask

    @cached_property
    def edge_corners(self) -> set[tuple[int, int]]:
        """The corners that lie on the outer edge of the hexes."""
        return {key(p) for ring in self.outline(self.mask) for p in ring}

    @cached_property
    def edge_middles(self) -> set[tuple[int, int]]:
        """The middles of the hexsides on the outer edge of the hexes in play."""
        return {key(between(a, b)) for ring in self.outline(self.play) for a, b in edges(ring)}


def plans(game_map: GameMap, boards: Iterable[str] | None = None) -> list[Plan]:
    """A plan for each board asked for, or for all."""
    wanted = None if boards is None else set(boards)
    return [Plan(game_map, b) for b in game_map.grid.boards if wanted is None or b.name in wanted]
