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
from .words import Once, Reason, Saying, Words


class Sentence:
    """What a player says of itself: a sentence, made when it is read of what was noted down."""

    def __get__(self, player: Player | None, kind: type[Player] | None = None) -> str:
        """The sentence."""
        noted: Reason = vars(player).get("reason", "") if player is not None else ""
        if player is None or isinstance(noted, str):
            return str(noted)
        assert player.seen is not None
        told = vars(player)["reason"] = noted(Words(player.seen))
        return told

    def __set__(self, player: Player, noted: Reason) -> None:
        """Note down what would be said."""
        vars(player)["reason"] = noted


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
    """A computer player. ``reason`` says in one line why it last did what it did; nothing if there is nothing to say.

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
    reason = Sentence()

    def __init__(self, *, seed: int = 0, think: float | None = None) -> None:
        self.seed = seed
        self.think = think
        self.cores = 1
        """On how many cores it may think, if it is given a time and knows how."""
        self.seen: View | None = None
        """What the last order was given on."""
        self.told = Told()
        """What is set once it is told to make up its mind; who minds it clears it."""

    def stop(self) -> None:
        """Make up the mind at once, with what has been found so far; may be told from another thread, or by what
        interrupts it."""
        self.told.set()

    def look(self, view: View) -> None:
        """Turn to a view: what was said of an earlier order is said no more."""
        self.seen, self.reason = view, ""

    def intend(self, saying: Saying) -> Reason:
        """What is said of an order, and of others by which the same is carried out; made of what is seen now."""
        assert self.seen is not None
        self.reason = once = Once(self.seen, saying)
        return once

    @property
    def at_once(self) -> int:
        """On how many cores it thinks: a fixed amount of work is always done on one."""
        return 1 if self.think is None else self.cores

    @abstractmethod
    def choose(self, view: View, rng: random.Random) -> Order:
        """The order to give; called whenever it is this side's turn to order."""


# A list of moves is long: these look through one without a loop of their own.

AS_PLANNED = "Everybody stands where the plan wants him"
"""Why a movement is ended."""
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
        self.reason = "Any legal order will do"
        return view.legal.random(rng)
