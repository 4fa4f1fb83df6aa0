"""What things are worth to a planner of the Assaults, in points of the final score, turn by turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from ...hexes import Grid, Hex, HexMask
from ...kernel.data import load

RINGS = ((3, 1.0), (6, 0.9), (10, 0.7), (16, 0.45))
"""How pressing a post is so many hexes from the enemy ..."""
REST = 0.25
"""... and beyond."""


class Figures(NamedTuple):
    """What things are worth on a turn."""

    german: float
    """A factor of German strength besides the points that its loss scores."""
    points: float
    """A point scored for German losses."""
    soviet: float
    """A factor of Soviet strength."""
    headquarters: float
    stride: float
    """A movement point nearer to the goal, to a division."""
    held: float
    """A point of a scoring hex that is held."""
    hunger: float
    """Part of its price that a unit out of supply is taken to have lost."""
    works: float
    """Works that the Soviets man."""


@cache
def figures() -> Mapping[str, Mapping[int, Figures]]:
    """For each rule of victory what things are worth at some turns."""
    told = load(Path(__file__).with_name("worths.yaml"), dict[str, dict[str, dict[str, float]]])
    return {rule: {int(turn): Figures(**line) for turn, line in lines.items()} for rule, lines in told.items()}


def figures_of(rule: str, turn: int) -> Figures:
    """The figures of a turn: on a line between those next to it."""
    known = list(figures()[rule].items())
    for (left, low), (right, high) in pairwise(known):
        if left <= turn <= right:
            share = (turn - left) / (right - left)
            return Figures(*[a + share * (b - a) for a, b in zip(low, high, strict=True)])
    return known[-1][1]


def rings(grid: Grid, spots: HexMask) -> list[tuple[HexMask, float]]:
    """Rings round the enemy, and how pressing a post in each is."""
    found, inner = [], 0
    for distance, weight in RINGS:
        ring = grid.within(spots, distance) if spots else 0
        found.append((ring & ~inner, weight))
        inner |= ring
    return found


def pressing(around: Sequence[tuple[HexMask, float]], h: Hex) -> float:
    """How near the enemy is to a post."""
    return next((weight for ring, weight in around if ring >> h & 1), REST)
