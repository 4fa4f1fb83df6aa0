"""A small position to try things on."""

from __future__ import annotations

from ..kernel.game import load_game
from ..kernel.position import Position

__all__ = ["skirmish"]


def skirmish() -> Position:
    """One division before another in the open, at a combat phase: what the examples of this package look at.

    >>> skirmish().to_move, skirmish().hex("1/41"), skirmish().hex("x1")
    ('german', '0303', '0403')
    """
    return load_game("leningrad-1979").position(
        {
            "game": "leningrad-1979", "turn": 4, "phase": "german-combat", "map": {"blank": [8, 6]},
            "units": {
                "1/41": {"hex": "0303"},
                "x1": {"side": "soviet", "type": "infantry", "attack": 4, "defence": 3, "movement": 5, "hex": "0403"},
            },
        }
    )  # fmt: skip
