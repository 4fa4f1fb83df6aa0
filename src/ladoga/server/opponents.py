"""The computer at the table: it sees its side's view and nothing else."""

from __future__ import annotations

from ..players import Player, make, names
from ..players.levels import LEVELS, Level

THINK = 2.0
"""Seconds for a player who is named by its own name and not by a level."""


def levels() -> dict[str, str]:
    """The levels that people choose from, each with a few words about it."""
    return {name: level.words for name, level in LEVELS.items()}


def known() -> list[str]:
    """Every name that a seat may be given to: the levels, and the players by their own names."""
    return [*LEVELS, *names()]


def player(name: str, cores: int = 1) -> Player:
    """A computer player by its level, or by its own name."""
    level = LEVELS.get(name, Level(name, THINK, ""))
    return make(level.player, think=level.think, cores=cores)
