"""Leningrad '41: the city itself at half a kilometre a hex, fire combat, fog of war."""

from __future__ import annotations

from ...kernel.game import Loader
from .game import CityGame

GAMES: dict[str, Loader] = {CityGame.id: CityGame}

__all__ = ["GAMES", "CityGame"]
