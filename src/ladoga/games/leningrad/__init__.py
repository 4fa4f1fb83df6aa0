"""Leningrad (1979) and its second edition (2010): one engine, each edition a folder of data."""

from functools import partial

from ...kernel.game import Game, Loader, Overlay

TITLES = {
    "leningrad-1979": "Leningrad: The Advance of Army Group North, Summer 1941 (1979)",
    "leningrad-2010": "Leningrad: The Advance of Army Group North, Summer 1941 (second edition, 2010)",
}


def _load(game_id: str, overlay: Overlay | None) -> Game:
    """The game, and with it the rules: nobody waits for them who only wants to know what there is."""
    from .game import Leningrad

    return Leningrad(game_id, overlay)


GAMES: dict[str, Loader] = {game_id: partial(_load, game_id) for game_id in TITLES}
