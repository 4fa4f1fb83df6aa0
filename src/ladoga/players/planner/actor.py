"""Who plays a side in a rehearsal: the general with little work, and a plan in hand."""

from __future__ import annotations

import random
from collections.abc import Hashable, Mapping, Sequence

from ...hexes import Hex
from ...kernel.orders import Order, Role
from ...kernel.position import View
from ...kernel.prospect import UnitMask
from ..general import GeneralPlayer
from .appraisal import Weights
from .conduct import Conduct
from .foresight import Clock
from .search import Plan, Search


class Hasty(Conduct):
    """The conduct of a plan in the mind: nobody looks for cuts of supply, and who comes in does so anywhere.

    Plans begin with a ``habit``, where units went in a plan that was good elsewhere, if that is better than to begin
    anew."""

    def __init__(self, weights: Weights, enemy: Weights, habit: Mapping[Hashable, Hex] | None = None) -> None:
        super().__init__(weights._replace(cut=0.0), enemy)
        self.habit = habit or {}
        self.went: dict[Hashable, Hex] = {}
        """Where units go in the first plan."""

    def begin(self, search: Search) -> None:
        """With the habit, or on the march."""
        if not self.habit:
            return
        prospect, standing, best = search.prospect, search.stand.copy(), search.best
        search.follow({u: self.habit[key] for u in search.reach if (key := prospect.piece(u)) in self.habit})
        habitual, value = search.stand, search.best
        search.stand = standing.copy()
        search.march()
        if value.value > max(best.value, search.best.value):
            search.stand, search.best = habitual, value
        elif best.value > search.best.value:
            search.stand, search.best = standing, best

    def plan(
        self, view: View, rng: random.Random, clock: Clock, only: UnitMask = -1, *, deep: bool = False,
        drafts: Sequence[Sequence[Order]] = (), cores: int = 1,
    ) -> Plan:  # fmt: skip
        """As always; where the units of the first plan go is noted down."""
        plan = super().plan(view, rng, clock, only, deep=deep, drafts=drafts, cores=cores)
        self.habit = {}
        if not self.went:
            prospect = self.prospect(view)
            before = prospect.stand.where
            self.went = {prospect.piece(u): h for u, h in enumerate(plan.stand.where) if h >= 0 and h != before[u]}
        return plan

    def enter(self, view: View, orders: Sequence[Order]) -> Order:
        """Whoever is first, where he may."""
        return orders[0]


class Actor(GeneralPlayer):
    """Plays a side in the mind."""

    def __init__(
        self, weights: Weights, enemy: Weights, nodes: int, habit: Mapping[Hashable, Hex] | None = None
    ) -> None:  # fmt: skip
        super().__init__(nodes=nodes)
        self._conduct = self.hasty = Hasty(weights, enemy, habit)

    def take_up(self, view: View, orders: Sequence[Order]) -> None:
        """Begin a phase of movement with the orders of a plan."""
        self._moment, self._made, self._rushing = (view.turn, view.phase.id), 1, False
        self.conduct.take_up(orders)

    def expected(self, view: View, order: Order) -> tuple[float, tuple[float, float] | None]:
        """What a blow that was just ordered destroys by exact odds, less what it costs; on the last turn, against an
        objective, also how likely it falls, and what that is worth."""
        prospect, role = self.conduct.prospect(view), view.game.role
        target, stand = prospect.grid.hex(order.hexes[0]), prospect.stand
        if role(order) is Role.STRIKE:
            units = [prospect.names[name] for name in order.units]
            blow = prospect.overrun(units, target, stand, int(order.words[1]) if len(order.words) > 1 else 0)
        else:
            names = [name for joining in self.planned if role(joining) is Role.JOIN for name in joining.units]
            units = [prospect.names[name] for name in names if name in prospect.names]
            support = sum(int(adding.words[0]) for adding in self.planned if role(adding) is Role.SUPPORT)
            blow = prospect.blow(units, target, stand, support)
        there = sum(sum(prospect.prices(unit)) for unit in stand.at.get(target, ()))
        last = prospect.turn >= prospect.last
        worth = prospect.objectives(prospect.side, prospect.turn).get(target, 0.0) if last else 0.0
        return blow.dead * there - blow.loss, (blow.falls, worth) if worth else None
