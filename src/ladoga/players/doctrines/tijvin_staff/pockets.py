"""Pockets: sets of hexes from which stacks with a zone cut enemies off at the next check of supply (5, 10)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ....games.tijvin.supply import line
from ....hexes import Hex, HexMask, members
from ....kernel.flood import connected, zone
from .flight import BODY
from .lie import Lie

TARGETS = 3
"""Enemy stacks, the largest first, whose lines are looked at."""
MOST = 3
"""Hexes in a set at most."""
BEAM = 4
"""Sets that are made larger, on each line."""
NEAR = 2
"""Hexes within which an enemy stack is worth a look."""
LEAST = 3.0
"""What it must be worth."""
CLOSED = 1000.0
"""How long a line is that there is none of."""


class Pocket(NamedTuple):
    """Hexes to stand in, and what is cut off by it."""

    worth: float
    hexes: frozenset[Hex]


class Ring:
    """The search for pockets round the enemies of one side."""

    def __init__(self, lie: Lie, bodies: HexMask, staying: HexMask, strong: HexMask) -> None:
        p = lie.p
        self.lie, self.ground = lie, p.ground
        self.bodies = bodies
        """Hexes in which a stack with a zone can stand."""
        self.enemies = p.occupied(lie.enemy)
        self.zone = zone(self.ground.grid, strong, self.ground.zone_sides)
        self.open = self.ground.land & ~staying
        self.load, self.cities = lie.prey, lie.counted if lie.enemy == "german" else {}
        self._zones: dict[Hex, HexMask] = {}

    def _zone(self, h: Hex) -> HexMask:
        found = self._zones.get(h)
        if found is None:
            found = self._zones[h] = zone(self.ground.grid, 1 << h, self.ground.zone_sides)
        return found

    def allowed(self, hexes: Iterable[Hex]) -> HexMask:
        """Where enemy lines may run with us in some hexes."""
        shut, stood = self.zone, 0
        for h in hexes:
            shut |= self._zone(h)
            stood |= 1 << h
        return self.open & ~stood & ~(shut & ~self.enemies)

    def cut_off(self, hexes: Iterable[Hex]) -> float:
        """What enemies would be out of supply are worth, and cities that would not count."""
        ground = self.ground
        joined = connected(ground.grid, ground.supply_edge[self.lie.enemy], ground.ways, self.allowed(hexes))
        fed = joined | zone(ground.grid, joined, ground.ways) | ground.supply_edge[self.lie.enemy]
        units = sum([worth for h, worth in self.load.items() if not fed >> h & 1])
        return units + sum([worth for h, worth in self.cities.items() if not joined >> h & 1])

    def best(self, most: int = MOST) -> Pocket | None:
        """The best pocket that can be closed by so many stacks at most."""
        before = self.cut_off(())
        if not self.bodies or self.cut_off(members(self.bodies)) < before + LEAST:
            return None
        found: Pocket | None = None
        for target in self._targets():
            sets: list[frozenset[Hex]] = [frozenset()]
            for _ in range(most):
                larger: dict[frozenset[Hex], float] = {}
                for chosen in sets:
                    path = line(self.lie.p, target, self.lie.enemy, self.allowed(chosen))
                    if not path:
                        continue
                    touching = self.ground.grid.within(sum([1 << h for h in path[1:]]), 1) & self.bodies
                    for h in members(touching):
                        trial = chosen | {h}
                        if trial not in larger and len(trial) > len(chosen):
                            larger[trial] = self._stretch(target, trial, len(path))
                for trial, longer in larger.items():
                    if longer >= CLOSED:
                        worth = self.cut_off(trial) - before
                        if worth > 0 and (found is None or (worth, -len(trial)) > (found.worth, -len(found.hexes))):
                            found = Pocket(worth, trial)
                if found is not None and any(longer >= CLOSED for longer in larger.values()):
                    break
                sets = sorted(larger, key=lambda one: (-larger[one], sorted(one)))[:BEAM]
        return found

    def _stretch(self, target: Hex, hexes: frozenset[Hex], before: int) -> float:
        """By how much longer a line becomes; closed if there is none."""
        ground, allowed = self.ground, self.allowed(hexes)
        grid, ways, edge = ground.grid, ground.ways, ground.supply_edge[self.lie.enemy]
        if not (allowed | self.enemies) >> target & 1:
            return CLOSED
        last = seen = 1 << target
        length = 1
        while not last & edge:
            last = zone(grid, last, ways) & allowed & ~seen
            if not last:
                return CLOSED
            seen |= last
            length += 1
        return float(length - before)

    def _targets(self) -> list[Hex]:
        near = self.ground.grid.within(self.bodies, NEAR) if self.bodies else 0
        load = {h: self.load.get(h, 0.0) + self.cities.get(h, 0.0) for h in {*self.load, *self.cities} if near >> h & 1}
        stacks = [h for h in load if load[h] >= LEAST]
        return sorted(stacks, key=lambda h: (-load[h], h))[:TARGETS]


def cut_off(lie: Lie, load: Mapping[Hex, int]) -> float:
    """What enemies are worth that would have no line if our stacks were these."""
    stood = sum([1 << h for h, factors in load.items() if factors > 0])
    strong = sum([1 << h for h, factors in load.items() if factors >= BODY])
    found = lie.cuts.get((stood, strong))
    if found is None:
        found = lie.cuts[stood, strong] = Ring(lie, 0, stood, strong).cut_off(())
    return found
