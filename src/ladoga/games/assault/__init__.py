"""Assault on Leningrad and Assault on Stalingrad: one rulebook, two games."""

from ...kernel.game import Loader
from .game import assault_on_leningrad, assault_on_stalingrad

GAMES: dict[str, Loader] = {
    "assault-leningrad": assault_on_leningrad,
    "assault-stalingrad": assault_on_stalingrad,
}
