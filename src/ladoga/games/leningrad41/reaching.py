"""Where units can go and what it costs, as the contract asks (8.0)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import chain

from ...hexes import NOWHERE, HexMask, members, union
from ...kernel.flood import Flood, flood
from ...kernel.position import Reach, Reached
from . import ways
from .movement import (
    FOOT,
    MOTORIZED,
    March,
    allowance,
    block,
    closed_to,
    costs_for,
    costs_plain,
    destinations,
    entry_hexes,
    entry_price,
    left,
    may_motor,
    motor_entries,
    waiting,
)
from .state import WAITING, State


def reach(pos: State, piece: int) -> Mapping[str, Reached]:
    """Where a unit can go in this phase, by hex number; one waiting to enter from the edge on."""
    if block(pos, piece) is not None:
        return {}
    if pos.where[piece] == WAITING and piece in waiting(pos):
        return _reach_from_edge(pos, piece)
    if pos.where[piece] < 0:
        return {}
    found = list(destinations(pos, piece))
    cheapest = {mode: ways.Cheapest(pos, piece, reached) for mode, reached, _ in found}

    def detail(number: str) -> Reached:
        h = pos.map.grid.hex(number)
        mode, reached, _ = next(way for way in found if way[2] >> h & 1)
        cost = reached.cost(h) or 0
        path = tuple(map(pos.number, cheapest[mode].to(h)))
        return Reached(Fraction(left(pos, piece, mode) - cost), path, Fraction(cost))

    return Reach(chain.from_iterable(pos.ground.numbers(new) for _, _, new in found), detail)


def _reach_from_edge(pos: State, piece: int) -> Mapping[str, Reached]:
    """Where a unit can go that enters in this phase: the first hex of the way costs what it costs (7.1, 19.1)."""
    floods: list[tuple[int, int, Flood]] = []
    for mode in (FOOT, MOTORIZED) if may_motor(pos, piece) else (FOOT,):
        hexes = entry_hexes(pos, piece) & (motor_entries(pos) if mode == MOTORIZED else -1)
        points, costs = allowance(pos, piece, mode), costs_plain(pos, piece, mode)
        edge: dict[int, HexMask] = {}
        for h in members(hexes):
            price = entry_price(pos, h)
            edge[price] = edge.get(price, 0) | 1 << h
        for price, mask in edge.items():
            floods.append((points, price, flood(costs, mask, points - price, barred=closed_to(pos, piece, mode))))
    due = ways.tolls(pos, piece)
    cheapest = [ways.Cheapest(pos, piece, way) for _, _, way in floods]

    def detail(number: str) -> Reached:
        h = pos.map.grid.hex(number)
        found = [
            (points, price + (way.cost(h) or 0), n)
            for n, (points, price, way) in enumerate(floods) if way.reached >> h & 1
        ]  # fmt: skip
        points, cost, _ = min(found)
        paths = (cheapest[n].to(h) for *paid, n in found if paid == [points, cost])
        path = min(paths, key=lambda path: due.along([NOWHERE, *path]))
        return Reached(Fraction(points - cost), tuple(map(pos.number, path)), Fraction(cost))

    return Reach(pos.ground.numbers(union(way.reached for _, _, way in floods)), detail)


def cost_along(pos: State, march: March) -> int:
    """What a way costs (8.3)."""
    piece, mode, way, _ = march
    first, plain, here, spent = costs_for(pos, piece, mode), costs_plain(pos, piece, mode), pos.where[piece], 0
    for number, there in enumerate(way):
        spent += (first if number == 0 else plain).price(here, there) or 0
        here = there
    return spent
