"""The way of a unit that is only told where to go (8.1): of the cheapest ones that on which its player loses least.

To enter a hex next to enemies lets them fire (9.1), to cross a pontoon keeps its engineer where it is (8.10). An
order that names its hexes goes as it says; one that names the end alone takes no such way if an equally cheap one is
free of it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from ...hexes import NOWHERE, Hex, HexMask, mask_of
from ...kernel.flood import Flood, Paths
from .derived import remembered
from .ground import Hexside, hexside
from .pontoons import in_time
from .state import State

Toll = tuple[int, int]
"""How often a way lets the enemy fire, and how many engineers it keeps in place."""


@remembered
def watched(pos: State, side: int) -> HexMask:
    """The hexes in which units of a side may be fired at when they enter (9.1)."""
    places = map(pos.where.__getitem__, pos.roster.gunners[1 - side])
    return pos.map.grid.ring(mask_of(h for h in places if h >= 0))


class Tolls(NamedTuple):
    """What steps of a unit cost its player besides points."""

    watched: HexMask
    pinning: frozenset[Hexside]

    def along(self, path: list[Hex]) -> Toll:
        """The toll of a way from its first hex on."""
        fires = sum(self.watched >> h & 1 for h in path[1:])
        return fires, sum(hexside(a, b) in self.pinning for a, b in pairwise(path))


def tolls(pos: State, piece: int) -> Tolls:
    """What a unit may have to pay on its way; leaders draw no fire (14.6)."""
    side = pos.roster.side[piece]
    danger = 0 if pos.unit(piece).leader else watched(pos, side)
    return Tolls(danger, frozenset(_pinning(pos, piece)) if pos.pontoons else frozenset())


def _pinning(pos: State, mover: int) -> set[Hexside]:
    """The hexsides over which every bridge would hold an engineer that could still move (8.10)."""
    pinned: set[Hexside] = set()
    free: set[Hexside] = set()
    for p, beyond in pos.pontoons:
        if p != mover and pos.roster.side[p] == pos.side:
            lost = pos.bridging >> p & 1 or pos.finished >> pos.roster.command[p] & 1
            (pinned if in_time(pos, p) and not lost else free).add(hexside(pos.where[p], beyond))
    return pinned - free


class Cheapest:
    """The cheapest ways of a unit to the hexes it reaches, from where it starts, or enters: for each the first of those
    with the least toll. What is found out for one serves for the next."""

    def __init__(self, pos: State, piece: int, reached: Flood) -> None:
        self._reached, self._plain = reached, Paths(reached)
        self._near = -1 if pos.pontoons else pos.map.grid.ring(pos.occupied[1 - pos.roster.side[piece]])
        """Where a toll may be due."""
        self._due = tolls(pos, piece)
        self._entering = pos.where[piece] < 0
        self._before: dict[Hex, list[Hex]] = {}
        self._costs: dict[Hex, int] = {}
        self._paid: dict[Hex, Toll] = {}
        self._came: dict[Hex, Hex] = {}

    def to(self, there: Hex) -> list[Hex]:
        """The way to a hex."""
        path = self._plain.to(there)
        if not any(self._near >> h & 1 for h in path):
            return path
        due = self._due
        toll = due.along([NOWHERE, *path] if self._entering else path)
        if toll <= (due.watched >> there & 1, 0):
            return path
        self._pay(self._look(there))
        path = [there]
        while path[-1] in self._came:
            path.append(self._came[path[-1]])
        return path[::-1]

    def _look(self, there: Hex) -> list[Hex]:
        """Find the hexes of all cheapest ways to a hex; those that were not known."""
        new, queue = [], [there]
        self._costs[there] = self._reached.cost(there) or 0
        for h in queue:
            if h not in self._before:
                ways = [] if self._reached.start >> h & 1 else list(self._reached.before(h, self._costs[h]))
                self._costs.update(ways)
                self._before[h] = [previous for previous, _ in ways]
                queue += self._before[h]
                new.append(h)
        return new

    def _pay(self, hexes: list[Hex]) -> None:
        """Find out the least toll of each of these, the nearest first."""
        due, paid = self._due, self._paid
        for h in sorted(hexes, key=self._costs.__getitem__):
            if not self._before[h]:
                paid[h] = due.watched >> h & 1, 0  # of one that enters; where it already stands it makes no difference
                continue
            for previous in self._before[h]:
                fires, pins = due.along([previous, h])
                toll = paid[previous][0] + fires, paid[previous][1] + pins
                if h not in paid or toll < paid[h]:
                    paid[h], self._came[h] = toll, previous
