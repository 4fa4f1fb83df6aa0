"""Drafts: a general plans an activation in many tempers, improves each plan unit by unit, and takes the best."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import NamedTuple

from ....hexes import Hex
from ...cores import side_by_side
from .campaign import Campaign
from .lie import Lie
from .marches import Plan
from .search import Budget
from .stand import Stand

WORDS = ("attack", "safety", "push", "bold", "early", "back")
DOUBLINGS = 1.0
"""How often doubled or halved at most the weights of a draft are."""
MOST, DULL = 400, 40
"""Drafts of one activation at most, and in a row that say nothing new: of hundreds often only two or three differ."""
AT_ONCE = 4
"""Drafts that a core makes in a row where several do."""


class Draft(NamedTuple):
    """A plan and what it is worth at first sight."""

    plan: Plan
    value: float


class Drafts:
    """What a general makes of one activation. All drafts are judged by the same measure, that of the staff."""

    def __init__(
        self, lie: Lie, reading: Callable[[Mapping[str, float]], Lie], budget: Budget, rng: random.Random
    ) -> None:
        self.lie, self.reading, self.budget, self.rng = lie, reading, budget, rng
        self.stand = Stand(Campaign(lie, seek=False))
        self.made = 0

    def best(self, first: Plan) -> list[Plan]:
        """Plans that differ, the staff's own first, then those that look best."""
        found, known, dull = [self._improved(first)], set[tuple[tuple[int, Hex], ...]](), 0
        while self.made < MOST and dull < DULL and not self._spent():
            drafts = side_by_side(self._draft, self._tempers(), self.budget.cores)
            self.made += len(drafts)
            found += drafts
            before = len(known)
            known.update(_places(draft.plan) for draft in drafts)
            dull = 0 if len(known) > before else dull + len(drafts)
        differing = {_places(first): first}
        for draft in sorted(found, key=lambda draft: -draft.value):
            differing.setdefault(_places(draft.plan), draft.plan)
        return list(differing.values())

    def _tempers(self) -> list[dict[str, float]]:
        count = AT_ONCE * self.budget.cores if self.budget.cores > 1 else 1
        return [
            {word: self.lie.temper.get(word, 1.0) * 2.0 ** self.rng.uniform(-DOUBLINGS, DOUBLINGS) for word in WORDS}
            for _ in range(count)
        ]

    def _draft(self, temper: Mapping[str, float]) -> Draft:
        return self._improved(Campaign(self.reading({**self.lie.temper, **temper})).plan())

    def _improved(self, plan: Plan) -> Draft:
        blows = [self.stand.campaign.seen(blow, plan.where) for blow in plan.blows]
        where, value = self.stand.improved(plan.where, blows, self._late)
        return Draft(Plan(where, blows), value)

    def _spent(self) -> bool:
        return self._late() or (self.budget.until is None and self.made >= self.budget.left)

    def _late(self) -> bool:
        return self.budget.told.is_set() or (self.budget.until is not None and self.budget.spent())


def _places(plan: Plan) -> tuple[tuple[int, Hex], ...]:
    """Where a plan puts everybody."""
    return tuple(sorted(plan.where.items()))
