"""Foresight: plans judged by what the enemy would plan against them, not by his blows alone."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple

from ...hexes import Hex
from ...kernel.prospect import Prospect, Stand
from .appraisal import Appraiser, Weights
from .search import Plan, Search

LOOKS = 70
"""Stands that the enemy judges before he replies in the mind."""


class Foreseen(NamedTuple):
    """A plan, and what it is worth after the enemy's whole turn."""

    value: float
    plan: Plan


class Foresight:
    """Looks past the own turn: the enemy plans a reply to each plan, with the same method and little time."""

    def __init__(self, prospect: Prospect, appraiser: Appraiser, weights: Weights, enemy: Weights) -> None:
        self.prospect = prospect
        self.appraiser = appraiser
        self.weights = weights
        self.enemy = enemy
        self.looks = 0
        self._habit: dict[int, Hex] = {}
        """Where the enemy's units went in his last reply."""

    def judge(self, stand: Stand, stop: Callable[[], bool]) -> float:
        """What a stand is worth after own blows and the enemy's turn."""
        appraiser = self.appraiser
        found = appraiser.appraise(stand)
        after = appraiser.aftermath(stand, found.strikes)
        gained, post = found.parts[0], appraiser.posted(after)
        turned = self.prospect.turned(after)
        search = Search(
            turned, random.Random(0), lambda looks: looks >= LOOKS or stop(), self.enemy, blows=appraiser.blows
        )  # fmt: skip
        search.follow(self._habit)
        reply = search.plan()
        self.looks += search.appraiser.looks
        self._habit = {u: h for u, h in enumerate(reply.stand.where) if h >= 0 and h != after.where[u]}
        return self.weights.blows * gained + self.weights.post * post - reply.appraisal.value
