"""Raiders: against which roads of the enemy it is best to go, and who goes.

An army that no blow stops starves when somebody stands across its roads. Where several lead to it, nothing is gained
until the last one is cut: so the hexes by which it lives are looked for as pairs, and units that have nothing nearer to
do are on their way to both before anybody of the enemy is hungry.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ...hexes import Hex, HexMask, members
from ...kernel.prospect import Prospect, Stand, UnitMask

RAIDERS, MARCH, NEAREST = 6, 12, 2
"""Units that go, how many hexes they are away at most, and by how many of the nearest our hopes are measured."""
ENTERING = 4
"""Hexes that those are taken to be further away who have still to enter."""
WATCH, GUARDED = 2, 12.0
"""Hexes around in which the enemy watches a road, and how much of his strength there halves our hopes."""
SURE = 0.4
"""Hopes with which it is worth while to go as fast as one can: a turn away, and hardly anybody watches; with half of
them a quarter as much."""
BRANCHES = 14
"""Hexes of his roads that are looked at."""
LEAST = 3.0
"""Points of hunger from which it is worth while."""


class Arteries(NamedTuple):
    """One or two hexes by which the enemy lives, and the hunger that follows if we stand there."""

    hexes: tuple[Hex, ...] = ()
    hunger: float = 0.0
    hope: float = 0.0
    """How much of the pull to these hexes is left, by the least of our hopes to get there."""


def arteries(prospect: Prospect) -> Arteries:
    """The hexes by which most of the enemy lives, where we are soon and he is not."""
    return _Map(prospect).best()


def raiders(prospect: Prospect, goals: Arteries, busy: HexMask) -> dict[int, Hex]:
    """Who goes where: the nearest to each goal, without those who stand where they are needed."""
    stand, found = prospect.stand, dict[int, Hex]()
    idle = {u for u in prospect.of(prospect.side) if stand.where[u] < 0 or not busy >> stand.where[u] & 1}
    for goal in goals.hexes:
        away = {unit: _away(prospect, unit, goal) for unit in idle}
        for unit in sorted(idle, key=lambda u: (away[u], u))[: RAIDERS // len(goals.hexes)]:
            if away[unit] <= MARCH:
                idle.discard(unit)
                found[unit] = goal
    return found


def _away(prospect: Prospect, unit: int, goal: Hex) -> int:
    """How many hexes a unit, on the map or about to enter, is from a goal."""
    here, distance = prospect.stand.where[unit], prospect.grid.distance
    if here >= 0:
        return distance(here, goal)
    return min((distance(h, goal) for h in members(prospect.reach(unit))), default=MARCH) + ENTERING


class _Map:
    """The enemy's roads as all stand."""

    def __init__(self, prospect: Prospect) -> None:
        self.prospect, self.stand = prospect, prospect.stand
        self.side, self.enemy = prospect.side, 1 - prospect.side
        where = self.stand.where
        self.ours = [u for u in prospect.of(self.side) if where[u] >= 0]
        self.theirs = [u for u in prospect.of(self.enemy) if where[u] >= 0]
        self.known = prospect.unfed(self.enemy, self.stand)
        self._hopes: dict[Hex, float] = {}

    def best(self) -> Arteries:
        """What promises most of single hexes and pairs of them."""
        if not self.ours:
            return Arteries()
        found = [(0.0, Arteries())]
        for first in _spread(self.roads(self.stand), BRANCHES):
            there = self.standing(first)
            found.append(self.promise((first,), there))
            found += [self.promise((first, second), there) for second in _spread(self.roads(there), BRANCHES)]
        return max(found, key=lambda pair: pair[0])[1]

    def roads(self, stand: Stand) -> list[Hex]:
        """The hexes on the enemy's lines of supply where nobody stands."""
        lines: HexMask = 0
        for h in members(stand.held[self.enemy]):
            lines |= self.prospect.lines(stand.at[h][0], stand)
        return list(members(lines & ~stand.held[0] & ~stand.held[1]))

    def standing(self, h: Hex) -> Stand:
        """The stand with one of us in a hex: one who leaves others behind if it can be, else the nearest."""
        stand, distance = self.stand, self.prospect.grid.distance
        unit = min(self.ours, key=lambda u: (len(stand.at[stand.where[u]]) == 1, distance(stand.where[u], h), u))
        there = stand.copy()
        there.put(unit, self.side, h)
        return there

    def promise(self, hexes: tuple[Hex, ...], there: Stand) -> tuple[float, Arteries]:
        """What would starve if we stood in some hexes, the last of them besides those in which we stand, and the least
        of our hopes to get there."""
        unfed: UnitMask = self.prospect.unfed(self.enemy, there, 1 << hexes[-1]) & ~self.known
        hunger = sum([self.prospect.hunger(u) for u in self.theirs if unfed >> u & 1])
        if hunger < LEAST:
            return 0.0, Arteries()
        hope = min([self.hope(h) for h in hexes])
        return hunger * hope, Arteries(hexes, hunger, min(1.0, hope / SURE) ** 2)

    def hope(self, h: Hex) -> float:
        """How soon some of us are in a hex, and how few of the enemy."""
        found = self._hopes.get(h)
        if found is None:
            units, where, distance = self.prospect.units, self.stand.where, self.prospect.grid.distance
            away = sorted([distance(h, where[u]) / max(1.0, units[u].speed) for u in self.ours])[:NEAREST]
            guards = sum([units[u].attack for u in self.theirs if distance(where[u], h) <= WATCH])
            found = 1.0 / (1.0 + (sum(away) / len(away)) ** 2) / (1.0 + guards / GUARDED)
            self._hopes[h] = found
        return found


def _spread(hexes: Iterable[Hex], most: int) -> list[Hex]:
    """So many of some hexes at most, spread over all of them."""
    every = list(hexes)
    return every[:: max(1, -(-len(every) // most))]
