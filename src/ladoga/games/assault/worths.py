"""What things are worth to a planner of the Assaults, in points of the final score, turn by turn."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple


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


FIGURES: Mapping[str, tuple[tuple[int, Figures], ...]] = {
    "decisive-and-points": (
        (1, Figures(0.2, 0.8, 2.0, 8.0, 0.4, 0.8, 0.7, 4.0)),
        (8, Figures(0.2, 1.0, 1.5, 8.0, 0.4, 1.0, 0.7, 3.0)),
        (12, Figures(0.3, 1.0, 1.2, 7.0, 0.4, 1.0, 0.7, 2.3)),
        (16, Figures(0.2, 1.0, 0.8, 6.0, 0.35, 1.0, 0.6, 1.0)),
        (20, Figures(0.1, 1.0, 0.7, 4.0, 0.3, 1.0, 0.4, 0.3)),
        (25, Figures(0.0, 1.0, 0.4, 1.0, 0.1, 1.0, 0.1, 0.0)),
    ),
    "points-only": (
        (1, Figures(0.65, 0.0, 0.8, 8.0, 0.25, 0.5, 0.6, 0.5)),
        (6, Figures(0.75, 0.0, 0.55, 8.0, 0.25, 0.5, 0.6, 0.5)),
        (12, Figures(0.6, 0.0, 0.45, 6.0, 0.2, 0.7, 0.5, 0.5)),
        (15, Figures(0.45, 0.0, 0.4, 5.0, 0.15, 0.8, 0.4, 0.5)),
        (19, Figures(0.1, 0.0, 0.15, 1.0, 0.05, 1.0, 0.2, 0.0)),
    ),
}
"""For each rule of victory worths at some turns, from the regression of final margins by which positions are judged in
playouts (``players.doctrines.assault_staff.prospects``)."""


def figures_of(rule: str, turn: int) -> Figures:
    """The figures of a turn: on a line between those next to it."""
    known = FIGURES[rule]
    for (left, low), (right, high) in pairwise(known):
        if left <= turn <= right:
            share = (turn - left) / (right - left)
            return Figures(*[a + share * (b - a) for a, b in zip(low, high, strict=True)])
    return known[-1][1]
