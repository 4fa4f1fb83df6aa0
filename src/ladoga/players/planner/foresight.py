"""Foresight: plans judged by what the enemy would plan against them, not by his blows alone.

The enemy plans his whole turn in the mind, with the same method and little time, on the board as it probably is after
our blows; what he makes of it counts against the plan. He begins each time with what was good for him before, so that
plans are compared before the same enemy.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Protocol

from ...hexes import Hex
from ...kernel.prospect import Prospect, Stand
from .appraisal import Appraiser, Weights
from .blows import Blows
from .search import Search

FIRST, LOOKS = 250, 100
"""Stands that the enemy judges before his first reply, and before every other."""


class Clock(Protocol):
    """Tells how much of the time, or of the work, is used up."""

    def spend(self, looks: int) -> None:
        """So many stands have been judged."""

    def used(self) -> float:
        """The part that is used up; one and more at the end."""


class Unhurried:
    """A clock that does not run: what is looked at is looked at whole."""

    def spend(self, looks: int) -> None:
        """It does not matter how many stands are judged."""

    def used(self) -> float:
        """Nothing is ever used up."""
        return 0.0


def until(clock: Clock, share: float = 1.0, known: int = 0, most: float = 1e9) -> Callable[[int], bool]:
    """When a search has done enough, by the clock or ``most``; ``known`` are the looks that it has had before."""

    def enough(looks: int) -> bool:
        nonlocal known
        clock.spend(looks - known)
        known = looks
        return clock.used() >= share or looks >= most

    return enough


class Foresight:
    """Looks past the own turn."""

    def __init__(self, prospect: Prospect, appraiser: Appraiser, enemy: Weights, clock: Clock) -> None:
        self.prospect = prospect
        self.appraiser = appraiser
        self.enemy = enemy
        self.clock = clock
        self.replies = 0
        self._blows: Blows | None = None
        self._habit: dict[int, Hex] = {}
        """Where the enemy's units went in his last reply."""

    def judge(self, stand: Stand) -> float:
        """What a stand is worth after own blows and the enemy's turn."""
        appraiser, weights = self.appraiser, self.appraiser.weights
        found = appraiser.appraise(stand)
        after = appraiser.aftermath(stand, found.strikes)
        gained, post = found.parts[0], appraiser.posted(after)
        turned = self.prospect.turned(after)
        if self._blows is None:
            self._blows = Blows(turned)
        most = LOOKS if self.replies else FIRST
        search = Search(
            turned, random.Random(0), lambda looks: looks >= most or self.clock.used() >= 1.0, self.enemy,
            blows=self._blows,
        )  # fmt: skip
        search.march()
        if self._habit:
            marched, best = search.stand.copy(), search.best
            search.follow(self._habit)
            if search.best.value < best.value:
                search.stand, search.best = marched, best
        search.improve()
        self.replies += 1
        self.clock.spend(1 + search.appraiser.looks)
        self._habit = {u: h for u, h in enumerate(search.stand.where) if h >= 0 and h != after.where[u]}
        return weights.blows * gained + weights.post * post - search.best.value
