"""What a sparring partner is: the staff, with a temper that holds from the first turn to the last."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

from ...kernel.data import Strict, load
from ...kernel.orders import Order
from ...kernel.position import View
from ..staff import StaffPlayer, Temper

Idea = dict[str, dict[str, Temper]]
"""For each game and side what an idea multiplies the staff's weights by."""


class _Ideas(Strict):
    raider: Idea
    rusher: Idea
    hedgehog: Idea


@cache
def _ideas() -> _Ideas:
    found: _Ideas = load(Path(__file__).with_name("ideas.yaml"), _Ideas)
    return found


class Partner(StaffPlayer):
    """Plays one idea."""

    @property
    def idea(self) -> Idea:
        """What it does otherwise than the staff."""
        found: Idea = getattr(_ideas(), self.name)
        return found

    def choose(self, view: View, rng: random.Random) -> Order:
        """As the staff does in the temper of the idea."""
        if not self.bias:
            self.bias = dict(self.idea.get(view.game.id, {}).get(view.side, {}))
        return super().choose(view, rng)


class Raider(Partner):
    """Goes for roads, rails and headquarters, with whoever can get there."""

    name = "raider"


class Rusher(Partner):
    """Goes for the hexes that win the game, whatever happens on the way."""

    name = "rusher"


class Hedgehog(Partner):
    """Sits in the cities and lets the enemy come."""

    name = "hedgehog"
