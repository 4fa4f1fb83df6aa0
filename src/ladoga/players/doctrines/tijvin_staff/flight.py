"""Flight: where a beaten stack can give way to, and what that costs it (5, 13 V)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ....games.tijvin.book import SUPPLY_EDGES, enemy_of
from ....games.tijvin.ground import Ground
from ....hexes import DIRECTIONS, Hex, HexMask, members
from ....kernel.flood import zone

if TYPE_CHECKING:
    from .lie import Lie

FULL = 20
"""Factors that a hex holds (4)."""
BODY = 6
"""Factors that make a stack: it has a zone (5)."""
GONE = 0.3
"""What it costs a factor to be thrown over the edge of the map, from where it comes back a turn later."""


class Cordon(NamedTuple):
    """How a side stands around its enemies: where they cannot go, and where going costs them a factor."""

    stood: HexMask
    zone: HexMask


def cordon_of(lie: Lie, load: Mapping[Hex, int]) -> Cordon:
    """The cordon of stacks of so many factors."""
    stood = sum([1 << h for h, factors in load.items() if factors > 0])
    strong = sum([1 << h for h, factors in load.items() if factors >= BODY])
    return Cordon(stood, zone(lie.grid, strong, lie.ground.zone_sides))


class Ways(NamedTuple):
    """The neighbours of a hex into which a retreat may lead."""

    open: HexMask
    wet: HexMask
    """Over a minor river without a bridge."""
    nearer: dict[str, HexMask]
    """For each side those that are nearer to one of the edges that supply it."""


@lru_cache(maxsize=2048)
def ways_of(ground: Ground, here: Hex) -> Ways:
    """The ways out of a hex as the map has them."""
    open_ = wet = 0
    for d, n in zip(DIRECTIONS, ground.grid.neighbours(here), strict=True):
        bridged = ground.path[d] >> here & 1
        if n < 0 or not ground.ways[d] >> here & 1 or (ground.major[d] >> here & 1 and not bridged):
            continue
        open_ |= 1 << n
        if ground.minor[d] >> here & 1 and not bridged:
            wet |= 1 << n
    nearer = dict.fromkeys(SUPPLY_EDGES, 0)
    for side, edges in SUPPLY_EDGES.items():
        for edge in edges:
            for layer in ground.inland(edge):
                if layer >> here & 1:
                    break
                nearer[side] |= layer & open_
    return Ways(open_, wet, nearer)


def cost_of_flight(lie: Lie, here: Hex, cordon: Cordon, factors: float) -> float:
    """The factors that an enemy stack loses by giving way, if it has so many left when it is beaten: where there is no
    way all, else what does not fit where it goes, and one each for a river and a zone."""
    p, ground, side = lie.p, lie.ground, lie.enemy
    ways = ways_of(ground, here)
    hexes = ways.open & ~cordon.stood & ~(ground.cities & p.own_ground(enemy_of(side)))
    if not hexes:
        return factors * GONE if ground.supply_edge[side] >> here & 1 else factors
    hexes = hexes & ~cordon.zone or hexes
    hexes = hexes & ways.nearer[side] or hexes
    friends = p.field(side).load
    room, least = 0, 2
    for n in members(hexes):
        room += FULL - friends.get(n, 0)
        shut = cordon.zone >> n & 1 and n not in friends
        least = min(least, bool(shut) + bool(ways.wet >> n & 1 and not lie.frozen))
    return min(least + max(factors - least - room, 0.0), factors)
