"""The computer at the table: it sees its side's view and nothing else."""

from __future__ import annotations

from ..players import Player, make, names

_WORDS = {
    "random": "any legal order; to see the rules at work",
    "greedy": "takes the best odds it sees; a first game",
    "staff": "fronts, supply, sound odds; a fair match",
    "general": "plays several plans out against your reply; slower",
}

THINK = 2.0
"""Seconds that a player who searches may take over one order."""


def levels() -> dict[str, str]:
    """The computer players by name, weakest first, each with a few words about it."""
    return {name: _WORDS.get(name, "") for name in names()}


def player(name: str) -> Player:
    """A computer player by its level."""
    return make(name, think=THINK)
