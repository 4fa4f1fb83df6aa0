"""Leningrad '41: the city itself at half a kilometre a hex, fire combat, fog of war."""

from ...kernel.game import Game, Loader, Overlay

TITLES = {"leningrad41": "Leningrad '41: What if Manstein had attacked?"}


def _load(overlay: Overlay | None) -> Game:
    """The game, and with it the rules: nobody waits for them who only wants to know what there is."""
    from .game import CityGame

    return CityGame(overlay)


GAMES: dict[str, Loader] = {"leningrad41": _load}
