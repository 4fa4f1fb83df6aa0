"""What every computer player is: it sees a view, and names one order at a time."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod

from ..kernel.orders import Order
from ..kernel.position import Legal, View


class Player(ABC):
    """A computer player. ``reason`` says in one line why it last did what it did."""

    name: str

    def __init__(self, *, seed: int = 0, think: float | None = None) -> None:
        self.seed = seed
        self.think = think
        self.reason = ""

    @abstractmethod
    def choose(self, view: View, rng: random.Random) -> Order:
        """The order to give; called whenever it is this side's turn to order."""


def legal(view: View) -> Legal:
    """The legal orders of the side that the view belongs to, which is to move."""
    return view.legal


class RandomPlayer(Player):
    """Gives any legal order."""

    name = "random"

    def choose(self, view: View, rng: random.Random) -> Order:
        """Some legal order."""
        self.reason = "any legal order will do"
        return legal(view).random(rng)
