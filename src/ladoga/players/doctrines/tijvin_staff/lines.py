"""Lines: which stacks of a side the next check of supply would find cut off, and where a unit opens the line again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ....games.tijvin.supply import line
from ....hexes import Hex, HexMask, members
from ....kernel.flood import connected, zone

if TYPE_CHECKING:
    from .lie import Lie

GREAT = 12
"""Factors in one hex whose line is watched before it is cut."""
WATCHED = 2
"""Most of such stacks that are watched."""


class Lines:
    """The lines of supply of one side as the enemy stands: a unit of one's own in his zone lets a line pass (5, 10)."""

    def __init__(self, lie: Lie) -> None:
        p = lie.p
        self.lie, self.ground = lie, p.ground
        self.land = self.ground.land & ~p.occupied(lie.enemy)
        self.shut = p.zone(lie.enemy)
        self.edge = self.ground.supply_edge[lie.side]
        self.cities = {h: round(worth) for h, worth in lie.counted.items()} if lie.side == "german" else {}
        self._severed: dict[Hex, int] | None = None
        """What is cut off as things stand."""
        self._barred: dict[Hex, int] = {}
        self._cutters: dict[tuple[HexMask, Hex], list[Hex]] = {}

    def _joined(self, stood: HexMask) -> HexMask:
        """The hexes through which lines run with units of the side in some hexes."""
        return connected(self.ground.grid, self.edge, self.ground.ways, self.land & (~self.shut | stood))

    def fed(self, stood: HexMask) -> HexMask:
        """The hexes in supply with units of the side in some hexes."""
        reached = self._joined(stood)
        return reached | zone(self.ground.grid, reached, self.ground.ways) | self.edge

    def cut_off(self, load: Mapping[Hex, int]) -> dict[Hex, int]:
        """The stacks without a line, and their factors; on the last turn also the cities that would not count, as if
        they were stacks."""
        joined = self._joined(sum([1 << h for h, factors in load.items() if factors > 0]))
        fed = joined | zone(self.ground.grid, joined, self.ground.ways) | self.edge
        found = {h: factors for h, factors in load.items() if factors > 0 and not fed >> h & 1}
        for h, worth in self.cities.items():
            if not joined >> h & 1:
                found[h] = found.get(h, 0) + worth
        return found

    def barred_by(self, target: Hex) -> int:
        """The factors of ours that would have a line again if an enemy stack were gone and we stood in its hex."""
        known = self._barred.get(target)
        if known is None:
            known = self._barred[target] = self._barred_by(target)
        return known

    def _barred_by(self, target: Hex) -> int:
        p, ground, load = self.lie.p, self.ground, self.lie.p.field(self.lie.side).load
        if self._severed is None:
            self._severed = self.cut_off(load)
        if not self._severed:
            return 0
        stood = sum([1 << h for h in load]) | 1 << target
        shut = p.zone_without(self.lie.enemy, p.unsupplied, p.at(target, self.lie.enemy))
        reached = connected(ground.grid, self.edge, ground.ways, (self.land | 1 << target) & (~shut | stood))
        fed = reached | zone(ground.grid, reached, ground.ways) | self.edge
        return sum(factors for h, factors in self._severed.items() if (reached if h in self.cities else fed) >> h & 1)

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

    # Before it is cut --------------------------------------------------------------------------

    def watched(self, load: Mapping[Hex, int]) -> list[Hex]:
        """The largest stacks that have a line now."""
        fed = self.fed(sum([1 << h for h, factors in load.items() if factors > 0]))
        great = [h for h, factors in load.items() if factors >= GREAT and fed >> h & 1]
        return sorted(great, key=lambda h: (-load[h], h))[:WATCHED]

    def cutters(self, load: Mapping[Hex, int], stack: Hex) -> list[Hex]:
        """The hexes from which one enemy stack that can come there would cut the line of a stack."""
        stood = sum([1 << h for h, factors in load.items() if factors > 0])
        found = self._cutters.get((stood, stack))
        if found is None:
            path = line(self.lie.p, stack, self.lie.side, self.land & (~self.shut | stood))
            near = self.ground.grid.within(sum([1 << h for h in path]), 1) & self.lie.bodies & ~stood
            found = self._cutters[stood, stack] = [h for h in members(near) if self._cuts(h, stood, stack)]
        return found

    def _cuts(self, h: Hex, stood: HexMask, stack: Hex) -> bool:
        ground = self.ground
        shut = self.shut | zone(ground.grid, 1 << h, ground.zone_sides)
        reached = connected(ground.grid, self.edge, ground.ways, self.land & ~(1 << h) & (~shut | stood))
        return not (reached | zone(ground.grid, reached, ground.ways) | self.edge) >> stack & 1

    def guard(self, load: Mapping[Hex, int], reach: HexMask) -> tuple[Hex, ...]:
        """A hex in reach from which a unit keeps the line of a great stack open whatever single stack comes."""
        for stack in self.watched(load):
            cutters = self.cutters(load, stack)
            if not cutters:
                continue
            around = self.ground.grid.within(sum([1 << h for h in cutters]), 1) & self.land & reach
            stood = sum([1 << h for h, factors in load.items() if factors > 0])
            best: tuple[Hex, ...] = ()
            fewest = len(cutters)
            for h in members(around & ~stood):
                left = sum(1 for c in cutters if c != h and self._cuts(c, stood | 1 << h, stack))
                if left < fewest:
                    best, fewest = (h,), left
            if best:
                return best
        return ()

    def _sets(self, start: Hex, stood: HexMask, reach: HexMask) -> list[tuple[Hex, ...]]:
        """Single hexes and pairs in reach that lie between what is cut off and what is fed."""
        ground = self.ground
        grid, ways = ground.grid, ground.ways
        fed = connected(grid, self.edge, ways, self.land & (~self.shut | stood))
        pocket = connected(grid, 1 << start, ways, self.land & (~self.shut | stood) | 1 << start)
        inner = zone(grid, pocket, ways) & self.land & reach & ~pocket
        outer = zone(grid, fed, ways) & self.land & reach & ~fed
        found: list[tuple[Hex, ...]] = [(h,) for h in members(inner & outer)]
        if (reach & ~stood & outer) >> start & 1:
            found.append((start,))
        for h in members(inner & ~outer):
            found += [(h, n) for n in members(zone(grid, 1 << h, ways) & outer)]
        return found
