"""The counters of a game in play, and the small words all chapters share."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache, lru_cache

import msgspec

from ...hexes import Hex
from .edition import UnitSpec

Slot = int
"""Number of a piece in the roster."""

SlotMask = int
"""A set of pieces, as bits."""

DEAD: Hex = -2
"""Where eliminated pieces are."""


class Piece(msgspec.Struct, frozen=True):
    """A counter of the roster. A Soviet one is a slot for an untried unit until it is revealed."""

    name: str
    side: int
    mobile: bool
    """Armor or mechanized, or the untried class of both (14.2)."""
    movement: int
    spec: UnitSpec | None
    arrival: int
    """Line of the reinforcement schedule, or -1."""
    recycled: bool = False
    """Raised from eliminated divisions (option ``recycle``)."""


@cache
def points(half_points: int) -> Fraction:
    """Half points as points."""
    return Fraction(half_points, 2)


def figure(half_points: int) -> str:
    """Half points as people write them: 2½, not 5/2."""
    whole, half = divmod(half_points, 2)
    return f"{whole or ''}½" if half else str(whole)


class HalfPoints(int):
    """Half points that read as points.

    >>> f"{HalfPoints(5)}, {HalfPoints(2)}, {HalfPoints(1)}"
    '2½ points, 1 point, ½ point'
    """

    def __str__(self) -> str:
        return f"{figure(int(self))} point{'' if 0 < self <= 2 else 's'}"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


worded: Callable[[int], HalfPoints] = lru_cache(maxsize=None)(HalfPoints)
"""Half points as people read them, made once for each number."""
