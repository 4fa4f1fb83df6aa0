"""Tijvin 1941: alternating activations of headquarters, strengths kept off the map, opposed rolls."""

from collections.abc import Mapping

from ...kernel.game import Loader
from .game import Tijvin

GAMES: Mapping[str, Loader] = {"tijvin-1941": Tijvin}
