"""The counters of a game in play, and the small words all chapters share."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from ...hexes import Hex
from .edition import UnitSpec

Slot = int
"""Number of a piece in the roster."""

SlotMask = int
"""A set of pieces, as bits."""

DEAD: Hex = -2
"""Where eliminated pieces are."""


class Piece(NamedTuple):
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


def points(half_points: int) -> Fraction:
    """Half points as points."""
    return Fraction(half_points, 2)
