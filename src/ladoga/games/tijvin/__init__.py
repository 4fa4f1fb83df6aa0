"""Tijvin 1941: alternating activations of headquarters, strengths kept off the map, opposed rolls."""

from ...kernel.game import Game, Loader, Overlay

TITLES = {"tijvin-1941": "Tijvin 1941"}


def _load(overlay: Overlay | None) -> Game:
    """The game, and with it the rules: nobody waits for them who only wants to know what there is."""
    from .game import Tijvin

    return Tijvin(overlay)


GAMES: dict[str, Loader] = {"tijvin-1941": _load}
