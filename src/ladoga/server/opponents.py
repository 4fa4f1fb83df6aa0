"""The computer at the table: it sees its side's view and nothing else."""

from __future__ import annotations

from typing import NamedTuple

from ..players import Player, make, names


class Level(NamedTuple):
    """A computer player as people choose it: which player it is, how long it thinks, and a few honest words."""

    player: str
    think: float | None
    words: str


THINK = 2.0
"""Seconds for a player who is named by its own name and not by a level."""
LEVELS = {
    "recruit": Level("greedy", None, "takes the best odds it sees and looks no further; for a first game"),
    "staff": Level("staff", None, "keeps fronts and supply, attacks at sound odds; answers at once"),
    "officer": Level("general", 1.0, "plans whole turns for about a second; where it has no planner, a bolder staff"),
    "general": Level("general", 10.0, "plans for about ten seconds a turn; the strongest we have, not unbeatable"),
}
"""Weakest first."""


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
