"""What a sparring partner is: the staff, with a temper that holds from the first turn to the last.

Without a time to think it plays its idea at once. With one it tries in its mind, like the race of tempers, in which
way of those the doctrine knows the idea is to be played this turn.
"""

from __future__ import annotations

import random
import time
from functools import cache
from pathlib import Path

from ...kernel.data import Strict, load
from ...kernel.orders import Order
from ...kernel.position import View
from ..doctrine import doctrine_of
from ..race import AS_STAFF, SCRIPTS, RacingPlayer
from ..staff import Temper

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


class Partner(RacingPlayer):
    """Plays one idea."""

    def __init__(self, *, seed: int = 0, think: float | None = None) -> None:
        super().__init__(seed=seed, think=think, nodes=0 if think is None else 1)

    @property
    def idea(self) -> Idea:
        """What it does otherwise than the staff."""
        found: Idea = getattr(_ideas(), self.name)
        return found

    def choose(self, view: View, rng: random.Random) -> Order:
        """As the staff does in the temper of the idea."""
        if not self.nature:
            self.nature = self.idea.get(view.game.id, {}).get(view.side, {})
            self.bias, self.choice = dict(self.nature), f"plays the {self.name}"
        return super().choose(view, rng)

    def _think(self, view: View, rng: random.Random) -> None:
        """Which way to play the idea does best this turn; as it is if there is no time to think."""
        if self.think is None:
            return
        self._until = time.monotonic() + self.think
        self.bias, self.tempers, self._read = dict(self.nature), {}, None
        known = doctrine_of(view.game.id).scripts(view.side) or SCRIPTS
        ways = {AS_STAFF: self.nature, **{name: {**temper, **self.nature} for name, temper in known.items()}}
        best, value = self._race(view, ways, rng)
        self.choice = f"plays the {self.name}: {value:+.1f}"
        self.bias = dict(ways[best]) if best else dict(self.nature)
        self._read = None


class Raider(Partner):
    """Goes for roads, rails and headquarters, with whoever can get there."""

    name = "raider"


class Rusher(Partner):
    """Goes for the hexes that win the game, whatever happens on the way."""

    name = "rusher"


class Hedgehog(Partner):
    """Sits in the cities and lets the enemy come."""

    name = "hedgehog"
