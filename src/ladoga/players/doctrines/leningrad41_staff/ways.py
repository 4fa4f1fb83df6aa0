"""Ways of a unit in a movement phase: of one on the map from where it stands, of one that waits from the edge on.

First the ways on which nobody fires before the last hex, for who is fired at on a motorized march goes no further
(8.8) and others may die on theirs; then those through the enemy's fire, on foot.
"""

from __future__ import annotations

from collections.abc import Iterator

from ....games.leningrad41 import movement
from ....games.leningrad41.position import CityPosition
from ....games.leningrad41.state import WAITING
from ....games.leningrad41.ways import watched
from ....hexes import Hex, HexMask, members
from ....kernel.flood import Flood, flood
from ....kernel.orders import Order

Way = tuple[str, Flood, HexMask]
"""How a unit goes, how far, and the hexes that it reaches so and not by an earlier way."""


def ways(p: CityPosition, piece: int) -> list[Way]:
    """Where a unit can go now."""
    here = p.where[piece]
    done = 1 << here if here >= 0 else 0
    found: list[Way] = []
    for mode, reached in _from_edge(p, piece) if here == WAITING else _from_hex(p, piece):
        new = reached.reached & ~done
        if new:
            done |= new
            found.append((mode, reached, new))
    return found


def _from_hex(p: CityPosition, piece: int) -> Iterator[tuple[str, Flood]]:
    """How far a unit on the map gets by each mode."""
    danger = 0 if p.roster.units[piece].leader else watched(p, p.roster.side[piece])
    modes = movement.modes(p, piece)
    for mode in modes:
        open_way = movement.spread(p, piece, mode)
        yield mode, shy(p, piece, mode, danger) if open_way.reached & danger else open_way
    for mode in modes:
        if mode != movement.MOTORIZED:
            yield mode, movement.spread(p, piece, mode)


def safe(p: CityPosition, piece: int) -> HexMask:
    """Where a unit on the map gets without being fired at before it is there."""
    danger, field = watched(p, p.roster.side[piece]), 0
    for mode in movement.modes(p, piece):
        open_way = movement.spread(p, piece, mode)
        field |= (shy(p, piece, mode, danger) if open_way.reached & danger else open_way).reached
    return field & ~(1 << p.where[piece])


def shy(p: CityPosition, piece: int, mode: str, danger: HexMask) -> Flood:
    """How far a unit gets that goes no further once it may be fired at."""
    key = "shy", piece, mode
    known: Flood | None = p.cache.get(key)
    if known is None:
        costs, barred = movement.costs_for(p, piece, mode), movement.closed_to(p, piece, mode)
        budget = movement.left(p, piece, mode)
        known = p.cache[key] = flood(costs, 1 << p.where[piece], budget, barred=barred, stops=danger)
    return known


def _from_edge(p: CityPosition, piece: int) -> Iterator[tuple[str, Flood]]:
    """How far a unit gets that enters now: the first hex of its way costs what it costs (7.1, 19.1)."""
    side = p.roster.side[piece]
    danger = 0 if p.roster.units[piece].leader else watched(p, side)
    hexes = movement.entry_hexes(p, piece)
    modes = (movement.FOOT, movement.MOTORIZED) if movement.may_motor(p, piece) else (movement.FOOT,)
    for mode in modes:
        motor = mode == movement.MOTORIZED
        for reached in from_edge(p, piece, mode, hexes & (movement.motor_entries(p) if motor else -1), danger):
            yield mode, reached
    if danger:
        for reached in from_edge(p, piece, movement.FOOT, hexes, 0):
            yield movement.FOOT, reached


def from_edge(p: CityPosition, piece: int, mode: str, hexes: HexMask, danger: HexMask) -> list[Flood]:
    """How far a unit gets from some hexes of the edge; where it may be fired at, it goes no further."""
    closed = movement.closed_to(p, piece, mode)
    key = "from the edge", mode, p.roster.side[piece], hexes, closed, danger
    known: list[Flood] | None = p.cache.get(key)
    if known is None:
        points, costs = movement.allowance(p, piece, mode), movement.costs_plain(p, piece, mode)
        edge: dict[int, HexMask] = {}
        for h in members(hexes & ~danger):
            price = movement.entry_price(p, h)
            edge[price] = edge.get(price, 0) | 1 << h
        reached = (flood(costs, mask, points - price, barred=closed, stops=danger) for price, mask in edge.items())
        known = list(reached)
        if hexes & danger:
            known.append(flood(costs, hexes & danger, 0, barred=closed))
        p.cache[key] = known
    return known


def march(p: CityPosition, piece: int, way: Way, h: Hex) -> Order:
    """The order that brings a unit to a hex by one of its ways."""
    mode, reached, _ = way
    name, words = (p.roster.units[piece].id,), movement.suffix(mode)
    if p.where[piece] == WAITING:
        return Order("enter", name, tuple(map(p.number, steps(p, piece, reached, h))), words)
    if movement.spread(p, piece, mode).cost(h) == reached.cost(h):
        return Order("move", name, (p.number(h),), words)
    return Order("move", name, tuple(map(p.number, steps(p, piece, reached, h))), words)


def gauntlet(p: CityPosition, piece: int, reached: Flood, h: Hex, danger: HexMask) -> list[Hex]:
    """The hexes of a unit's way in which it may be fired at: on ways without fire the last one at most."""
    if reached.stops or not reached.reached & danger:
        return [h] if danger >> h & 1 else []
    return [step for step in steps(p, piece, reached, h) if danger >> step & 1]


def steps(p: CityPosition, piece: int, reached: Flood, h: Hex) -> list[Hex]:
    """The hexes that a unit enters on its way to a hex."""
    path = reached.path(h)
    return path if p.where[piece] == WAITING else path[1:]
