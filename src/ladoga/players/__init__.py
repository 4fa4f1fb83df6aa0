"""Computer players. ``make(name)`` gives one; a player sees a view and names one order at a time.

The levels that people choose on the front page (``recruit``, ``officer``) and the sparring partners can be named too.
A player of your own is named by where it lies: ``my_bots:Cossack`` (a module that Python finds) or
``bots/cossack.py:Cossack`` (a file). A server never takes such names from its guests.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

from ..kernel.errors import UnknownGame
from .general import GeneralPlayer
from .greedy import GreedyPlayer
from .levels import LEVELS
from .partners import PARTNERS
from .player import Player, RandomPlayer
from .staff import StaffPlayer

__all__ = ["Player", "check", "make", "names"]

_LADDER: tuple[type[Player], ...] = (RandomPlayer, GreedyPlayer, StaffPlayer, GeneralPlayer)
_PLAYERS = {kind.name: kind for kind in _LADDER}
_LEVELS = {name: level for name, level in LEVELS.items() if name not in _PLAYERS}
"""Levels that are not the name of a player."""


def names() -> list[str]:
    """The players there are, weakest first.

    >>> names()
    ['random', 'greedy', 'staff', 'general']
    """
    return list(_PLAYERS)


def check(name: str, *others: str) -> None:
    """Refuse a player that there is not; ``others`` are names that would do as well.

    >>> check("staff")
    >>> check("napoleon")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ladoga.kernel.errors.UnknownGame: there is no player 'napoleon'; players: random, greedy, staff, general; ...
    """
    if ":" in name:
        _found(name)
        return
    known = [*others, *_PLAYERS]
    if name not in (*known, *_LEVELS, *PARTNERS):
        there = {"players": known, "levels": _LEVELS, "partners": PARTNERS}
        told = "; ".join(f"{kind}: {', '.join(some)}" for kind, some in there.items())
        raise UnknownGame(f"there is no player {name!r}; {told}")


def make(name: str, *, seed: int = 0, think: float | None = None, cores: int = 1) -> Player:
    """A player by name. ``think`` is a time budget in seconds for those who search, on as many ``cores``; without it
    they search a fixed number of positions on one core and always choose the same for the same seed. A level brings
    its own time.

    >>> import ladoga, random
    >>> view = ladoga.load("tijvin-1941").start().view("german")
    >>> player = make("random", seed=3)
    >>> player.choose(view, random.Random(3)) in view.legal, player.reason
    (True, 'Any legal order will do')
    """
    check(name)
    if name in _LEVELS:
        name, think = _LEVELS[name].player, _LEVELS[name].think if think is None else think
    kind = _found(name) if ":" in name else _PLAYERS.get(name) or PARTNERS[name]
    player = kind(seed=seed, think=think)
    player.cores = cores
    return player


@cache
def _found(name: str) -> type[Player]:
    """The player that somebody else wrote: ``module:Class`` or ``file.py:Class``."""
    place, _, noun = name.rpartition(":")
    try:
        module = _file(Path(place)) if place.endswith(".py") else importlib.import_module(place)
    except (ImportError, OSError, SyntaxError) as problem:
        raise UnknownGame(f"there is no player {name!r}: {problem}") from None
    kind = getattr(module, noun, None)
    if not (isinstance(kind, type) and issubclass(kind, Player)):
        raise UnknownGame(f"there is no player {name!r}: {place} has no Player called {noun!r}")
    return kind


def _file(path: Path) -> ModuleType:
    """A file as a module."""
    spec = importlib.util.spec_from_file_location(f"ladoga_player_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} cannot be read as Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
