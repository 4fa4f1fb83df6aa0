"""Assault on Leningrad and Assault on Stalingrad: one rulebook, two games."""

from functools import partial

from ...kernel.game import Game, Loader, Overlay

TITLES = {"assault-leningrad": "Assault on Leningrad", "assault-stalingrad": "Assault on Stalingrad"}


def _load(game_id: str, overlay: Overlay | None) -> Game:
    """The game, and with it the rules: nobody waits for them who only wants to know what there is."""
    from .game import AssaultGame

    return AssaultGame(game_id, TITLES[game_id], overlay)


GAMES: dict[str, Loader] = {game_id: partial(_load, game_id) for game_id in TITLES}
