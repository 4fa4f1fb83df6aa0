"""What every computer player is: it sees a view, and names one order at a time."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from itertools import compress
from operator import attrgetter
from threading import Event

from ..kernel.game import Game
from ..kernel.orders import Order, Role
from ..kernel.position import View


class Told(Event):
    """That a player is to make up its mind. Unlike other events it has no lock, so that what interrupts the player
    itself, at whatever moment, can say so."""

    def __init__(self) -> None:
        super().__init__()
        self._now = False

    def is_set(self) -> bool:
        """Whether it was told."""
        return self._now

    def set(self) -> None:
        """Tell it."""
        self._now = True

    def clear(self) -> None:
        """It has heard."""
        self._now = False


class Player(ABC):
    """A computer player. ``reason`` says in one line why it last did what it did.

    >>> import ladoga
    >>> class Lazy(Player):
    ...     name = "lazy"
    ...     def choose(self, view, rng):
    ...         self.reason = "it comes first"
    ...         return next(iter(view.legal))
    >>> view = ladoga.load("tijvin-1941").start().view("german")
    >>> Lazy().choose(view, random.Random(1)) in view.legal
    True
    """

    name: str

    def __init__(self, *, seed: int = 0, think: float | None = None) -> None:
        self.seed = seed
        self.think = think
        self.cores = 1
        """On how many cores it may think, if it is given a time and knows how."""
        self.reason = ""
        self.told = Told()
        """What is set once it is told to make up its mind; who minds it clears it."""

    def stop(self) -> None:
        """Make up the mind at once, with what has been found so far; may be told from another thread, or by what
        interrupts it."""
        self.told.set()

    @property
    def at_once(self) -> int:
        """On how many cores it thinks: a fixed amount of work is always done on one."""
        return 1 if self.think is None else self.cores

    @abstractmethod
    def choose(self, view: View, rng: random.Random) -> Order:
        """The order to give; called whenever it is this side's turn to order."""


# A list of moves is long: these look through one without a loop of their own.

_VERB, _UNITS = attrgetter("verb"), attrgetter("units")


def verbs_of(orders: Iterable[Order]) -> set[str]:
    """The kinds of orders among some."""
    return set(map(_VERB, orders))


def with_role(game: Game, orders: Sequence[Order], *roles: Role) -> list[Order]:
    """The orders among some that are for something, however the game spells them."""
    return list(compress(orders, map(game.grammar.spelled(*roles).__contains__, map(_VERB, orders))))


def of_units(orders: Sequence[Order], units: Iterable[str]) -> list[Order]:
    """The orders that concern some of these units, and no others."""
    among = compress(orders, map(frozenset(units).issuperset, map(_UNITS, orders)))
    return [order for order in among if order.units]


class RandomPlayer(Player):
    """Gives any legal order."""

    name = "random"

    def choose(self, view: View, rng: random.Random) -> Order:
        """Some legal order."""
        self.reason = "any legal order will do"
        return view.legal.random(rng)
