"""Computer players. ``make(name)`` gives one; a player sees a view and names one order at a time."""

from __future__ import annotations

from ..kernel.errors import UnknownGame
from .general import GeneralPlayer
from .greedy import GreedyPlayer
from .player import Player, RandomPlayer
from .staff import StaffPlayer

__all__ = ["Player", "check", "make", "names"]

_LADDER: tuple[type[Player], ...] = (RandomPlayer, GreedyPlayer, StaffPlayer, GeneralPlayer)
_PLAYERS = {kind.name: kind for kind in _LADDER}


def names() -> list[str]:
    """The players there are, weakest first."""
    return list(_PLAYERS)


def check(name: str, *others: str) -> None:
    """Refuse a player that there is not; ``others`` are names that would do as well."""
    known = [*others, *_PLAYERS]
    if name not in known:
        raise UnknownGame(f"there is no player {name!r}; players: {', '.join(known)}")


def make(name: str, *, seed: int = 0, think: float | None = None) -> Player:
    """A player by name. ``think`` is a time budget in seconds for those who search; without it they
    search a fixed number of positions and always choose the same for the same seed."""
    check(name)
    return _PLAYERS[name](seed=seed, think=think)
