"""Lines: which stacks of a side the next check of supply would find cut off, and where a unit opens the line again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ....hexes import Hex, HexMask, members
from ....kernel.flood import connected, zone

if TYPE_CHECKING:
    from .lie import Lie


class Lines:
    """The lines of supply of one side as the enemy stands: a unit of one's own in his zone lets a line pass (5, 10)."""

    def __init__(self, lie: Lie) -> None:
        p = lie.p
        self.lie, self.ground = lie, p.ground
        self.land = self.ground.land & ~p.occupied(lie.enemy)
        self.shut = p.zone(lie.enemy)
        self.edge = self.ground.supply_edge[lie.side]

    def fed(self, stood: HexMask) -> HexMask:
        """The hexes in supply with units of the side in some hexes."""
        ground = self.ground
        reached = connected(ground.grid, self.edge, ground.ways, self.land & (~self.shut | stood))
        return reached | zone(ground.grid, reached, ground.ways) | self.edge

    def cut_off(self, load: Mapping[Hex, int]) -> dict[Hex, int]:
        """The stacks without a line, and their factors."""
        fed = self.fed(sum([1 << h for h, factors in load.items() if factors > 0]))
        return {h: factors for h, factors in load.items() if factors > 0 and not fed >> h & 1}

    def opening(self, load: Mapping[Hex, int], reach: HexMask) -> tuple[Hex, ...]:
        """The hexes, of those in reach, from which units would open a line to most factors that are cut off."""
        cut = self.cut_off(load)
        if not cut:
            return ()
        stood = sum([1 << h for h, factors in load.items() if factors > 0])
        largest = max(cut, key=lambda h: (cut[h], h))
        best: tuple[Hex, ...] = ()
        before, top = sum(cut.values()), 0
        for hexes in self._sets(largest, stood, reach):
            after = self.cut_off({**load, **{h: load.get(h, 0) + 1 for h in hexes}})
            opened = before - sum(after.values()) - 2 * len(hexes)
            if opened > top:
                best, top = hexes, opened
        return best

    def _sets(self, start: Hex, stood: HexMask, reach: HexMask) -> list[tuple[Hex, ...]]:
        """Single hexes and pairs in reach that lie between what is cut off and what is fed."""
        ground = self.ground
        grid, ways = ground.grid, ground.ways
        fed = connected(grid, self.edge, ways, self.land & (~self.shut | stood))
        pocket = connected(grid, 1 << start, ways, self.land & (~self.shut | stood) | 1 << start)
        inner = zone(grid, pocket, ways) & self.land & reach & ~pocket
        outer = zone(grid, fed, ways) & self.land & reach & ~fed
        found: list[tuple[Hex, ...]] = [(h,) for h in members(inner & outer)]
        for h in members(inner & ~outer):
            found += [(h, n) for n in members(zone(grid, 1 << h, ways) & outer)]
        return found
