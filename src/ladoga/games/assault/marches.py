"""Marches nobody is in the way of: how far every place is from every other, and the way of each corps."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from ...hexes import Hex, HexMask, members
from ...kernel.flood import zone
from .figures import SIXTHS, SOVIET
from .reach import anywhere

if TYPE_CHECKING:
    from .ground import Ground

AXES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "assault-leningrad": {
        "41": ("1133", "0821", "0622", "0420", "city"),
        "38": ("1133", "0326", "0622", "0420", "city"),
        "56": ("2823", "1120", "0619", "0419", "city"),
        "28": ("2823", "0916", "0611", "0312", "0419", "city"),
        "2": ("3113", "2107", "1202", "0401"),
        "39": ("2823", "0916", "0611", "0312", "0419", "city"),
    },
    "assault-stalingrad": {
        "8": ("0517", "0120"),
        "11": ("1413", "1205", "city"),
        "14": ("1413", "1205", "city"),
        "24": ("1413", "1306", "city"),
        "51": ("1413", "1306", "city"),
        "48": ("2211", "1406", "city"),
        "4": ("2211", "1506", "city"),
        "R6": ("2211", "1506", "city"),
    },
}
"""For each corps the places on its way; ``city`` stands for the key points not yet taken."""

FORD = 5 * SIXTHS
"""What a crossing of the great river costs: a whole turn's march (6.33)."""


@lru_cache(maxsize=8)
def fords(ground: Ground, side: int) -> tuple[HexMask, ...]:
    """Where a side crosses the great river (6.33)."""
    return ground.soviet_fords if side == SOVIET else (0,) * 6


@lru_cache(maxsize=20_000)
def free_reach(ground: Ground, side: int, column: str, budget: int, start: Hex) -> HexMask:
    """A hex, those in reach of it with nobody in the way, and those around."""
    found = anywhere(ground, ground.ways(side, column), budget, start)
    return found | ground.grid.ring(found)


def shortest(ground: Ground, start: Hex, goals: HexMask, sides: tuple[HexMask, ...], free: HexMask) -> HexMask:
    """The hexes of a shortest way over free hexes; none if there is no way."""
    layers, reached = [1 << start], 1 << start
    while not layers[-1] & goals:
        new = zone(ground.grid, layers[-1], sides) & (free | goals) & ~reached
        if not new:
            return 0
        reached |= new
        layers.append(new)
    here = (layers[-1] & goals).bit_length() - 1
    way = 1 << here
    for layer in reversed(layers[:-1]):
        near = zone(ground.grid, 1 << here, sides) & layer
        here = (near or layer).bit_length() - 1
        way |= 1 << here
    return way


@lru_cache(maxsize=50)
def backwards(ground: Ground, side: int, column: str) -> dict[Hex, list[tuple[Hex, int]]]:
    """For a side and kind of mover the steps that lead into each hex, with their prices in sixths."""
    back: dict[Hex, list[tuple[Hex, int]]] = {h: [] for h in members(ground.grid.all)}
    for a, ways in ground.ways(side, column).prices.items():
        for b, price in ways.items():
            back[b].append((a, price))
    for a, others in ground.links.items():
        for b in members(others):
            back[b].append((a, 0))
    for d, fords in enumerate(ground.soviet_fords if side == SOVIET else ()):
        for a in members(fords):
            back[ground.grid.neighbours(a)[d]].append((a, FORD))
    return back


@lru_cache(maxsize=1000)
def distances(ground: Ground, side: int, column: str, goal: HexMask) -> dict[Hex, float]:
    """Movement points from every hex to the nearest of some hexes, over both maps, nobody in the way: cheapest
    first, by prices in sixths (6.13)."""
    back = backwards(ground, side, column)
    found: dict[Hex, float] = {}
    layers: dict[int, list[Hex]] = {0: list(members(goal))}
    spent = 0
    while layers:
        layer = layers.pop(spent, None)
        if layer is None:
            spent += 1
            continue
        for h in layer:  # a link adds to the layer it is read from
            if h in found:
                continue
            found[h] = spent / SIXTHS
            for a, price in back[h]:
                if a not in found:
                    if price:
                        layers.setdefault(spent + price, []).append(a)
                    else:
                        layer.append(a)
        spent += 1
    return found
