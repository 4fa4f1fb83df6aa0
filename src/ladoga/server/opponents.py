"""The computer at the table: it sees its side's view and nothing else."""

from __future__ import annotations

import random
from typing import Protocol

from ..kernel.orders import Order
from ..kernel.position import View


class Player(Protocol):
    """Chooses one order at a time from a view."""

    def choose(self, view: View, rng: random.Random) -> Order:
        """The order to give."""
        ...


class _Random:
    """Any legal order."""

    def choose(self, view: View, rng: random.Random) -> Order:
        return view.legal.random(rng)  # type: ignore[attr-defined, no-any-return]


LEVELS: dict[str, str] = {
    "random": "any legal order; to see the rules at work",
    "greedy": "takes the best odds it sees; a first game",
    "staff": "fronts, supply, sound odds; a fair match",
    "general": "searches with exact chance; slower",
}


def player(name: str) -> Player:
    """A computer player by its level."""
    return _Random()
