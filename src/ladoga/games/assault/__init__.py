"""Assault on Leningrad and Assault on Stalingrad: one rulebook, two games."""

from ...kernel.game import Loader

GAMES: dict[str, Loader] = {}
