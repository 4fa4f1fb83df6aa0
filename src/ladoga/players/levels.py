"""The levels that people choose from: which player each is, how long it thinks, and how strong it has proved to be.

Ratings are data (``ratings.yaml``), made from games of the levels against one another by
``python -m ladoga.lab.strength --part levels --ratings src/ladoga/players/ratings.yaml``.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from ..kernel.data import Strict, load

__all__ = ["LEVELS", "PAR", "RATINGS", "Level", "Rating", "ratings_of"]

RATINGS = Path(__file__).with_name("ratings.yaml")
PAR = ("staff", 1000)
"""The level that the others are measured from, and its rating in every game."""


class Level(NamedTuple):
    """A computer player as people choose it, with a few honest words."""

    player: str
    think: float | None
    words: str


LEVELS = {
    "recruit": Level("greedy", None, "takes the best odds it sees and looks no further; for a first game"),
    "staff": Level("staff", None, "keeps fronts and supply, attacks at sound odds; answers at once"),
    "officer": Level("general", 1.0, "plans whole turns for about a second"),
    "general": Level("general", 10.0, "plans for about ten seconds a turn; not unbeatable"),
}
"""Weakest first."""


class Rating(Strict):
    """How strong a level is in a game, on the Elo scale, and how sure that is."""

    rating: int
    within: int
    """The true rating lies so near, 95 times of 100."""
    games: int
    """Played against the next level towards the one that all are measured from."""


@cache
def ratings_of(game_id: str) -> dict[str, Rating]:
    """The ratings of the levels in a game, as far as they have been measured.

    >>> ratings_of("no-such-game")
    {}
    """
    return load(RATINGS, dict[str, dict[str, Rating]]).get(game_id, {})
