"""Rehearsals: plans played out by the rules, to the enemy's next answer, and the best of them kept.

What a plan is worth at first sight is found in a moment, and more time finds the same again. What it leads to shows
when it is played: own moves and blows as ordered, the enemy's whole turn as he would plan it, once with care and once
as a raider, and what our side could do then. All plans meet the same dice in the same places, and of what the dice gave
in blows only a part counts: the rest is taken by exact odds.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING

from ...hexes import Hex
from ...kernel.orders import Order, Role
from ...kernel.position import CHANCE, Position, View
from ...kernel.prospect import Memory, Prospect, Stand, prospect_of
from .appraisal import Appraiser, Weights
from .foresight import Clock, until
from .search import Plan, Search

if TYPE_CHECKING:
    from .actor import Actor

TEMPERS: tuple[dict[str, float], ...] = (
    {"reply": 0.5, "cut": 0.5},
    {"reply": 1.6, "cut": 1.6},
    {"post": 1.5},
    {"post": 0.6, "onward": 1.5},
)
"""How weights are changed to find other plans: boldly, carefully, fast, firmly."""
MODELS: tuple[dict[str, float], ...] = ({}, {"reply": 0.6, "cut": 0.6})
"""How the enemy plays, luck by luck: with care, as a raider."""
OWN, ENEMY = 150, 200
"""Work of our own side and of the enemy in a rehearsal."""
WHOLE, STEP, PATIENCE = 500, 120, 1
"""Stands judged to make another whole plan and to change one, and shakes without gain after which it is good enough."""
COST = 350
"""Stands that a rehearsal costs as much as."""
LUCK = 0.3
"""How much of what the dice gave in blows counts."""
LUCKS, MOST = 2, 6
"""Lucks on which every plan is tried, and at most those that come out better."""
AHEAD, DOUBT = 0.3, 2.0
"""How far a plan must be ahead for that, and by how much on one luck to be the best; less on more of them."""
FAITH = 3
"""Lucks that the first sight is worth."""
PROMISING, STRUCK = 3.0, 0.5
"""How much worse than the best a change may be at first sight; how often it is made where the enemy may strike."""
LONGEST = 600
"""Orders in a rehearsal at most."""


class Tried:
    """A plan, its orders, and what it came to on each luck."""

    def __init__(self, plan: Plan, orders: Sequence[Order]) -> None:
        self.plan, self.orders = plan, orders
        self.values: list[float] = list(plan.played)

    def mean(self, lucks: int) -> float:
        """What it came to on the first of the lucks."""
        return sum(self.values[:lucks]) / lucks

    def ahead(self, other: Tried, lucks: int) -> float:
        """By how much it is better than another: the more lucks both were tried on, the less counts what they seemed to
        be worth at first sight."""
        trust = lucks / (lucks + FAITH)
        seemed = self.plan.appraisal.value - other.plan.appraisal.value
        return trust * (self.mean(lucks) - other.mean(lucks)) + (1.0 - trust) * seemed


class Rehearsal:
    """Plays plans of one movement phase out."""

    def __init__(
        self, view: View, search: Search, enemy: Weights, clock: Clock, ordered: Callable[[Plan], Sequence[Order]]
    ) -> None:
        self.view, self.search, self.clock = view, search, clock
        self.weights, self.enemy = search.appraiser.weights, enemy
        self.ordered = ordered
        """The orders that carry a plan out."""
        self.played = self.tried = 0
        prospect = search.prospect
        where = prospect.stand.where
        self._posts = {prospect.piece(u): (posts, where[u]) for u, posts in enumerate(search.appraiser.posts)}
        """What posts are worth to each unit, and where it was."""
        self._habits: dict[int, Mapping[Hashable, Hex]] = {}
        """Where the enemy's units went last, by luck."""
        self._memories: dict[str, Memory] = {name: {} for name in view.game.sides}
        """What each side has worked out about the boards that came up."""

    def held(self, plan: Plan, rng: random.Random, first: int = 0) -> Plan:
        """The best of this plan and others, beginning with the ``first`` of the tempers: new ones as long as there is
        time, and more lucks for the two that are ahead."""
        field = [Tried(plan, self.ordered(plan))]
        if not self._rehearse(field[0], LUCKS):
            return plan
        seen = [plan.stand.where]
        while self.clock.used() < 1.0:
            self.clock.spend(1)
            best = leading(field)
            stand = self._other(best.plan, rng, first)
            if stand is None or stand.where in seen:
                continue
            seen.append(stand.where)
            other = Plan(stand, self.search.appraiser.appraise(stand), plan.before)
            rival = Tried(other, self.ordered(other))
            if self._rehearse(rival, LUCKS):
                field.append(rival)
                self._held_on(best, rival)
        best = leading(field)
        return best.plan._replace(played=tuple(best.values))

    def _held_on(self, best: Tried, rival: Tried) -> None:
        """Try a rival that is ahead on as many lucks as the best, and both on some more."""
        lucks = LUCKS
        while lucks < MOST and rival.ahead(best, lucks) > AHEAD:
            lucks += 1
            if not self._rehearse(rival, lucks) or not self._rehearse(best, lucks):
                return

    def _other(self, best: Plan, rng: random.Random, first: int = 0) -> Stand | None:
        """Another plan: a whole one in each temper first, then changes of the best."""
        search, appraiser, number = self.search, self.search.appraiser, self.tried
        self.tried += 1
        if number < len(TEMPERS):
            appraiser.weights = _changed(self.weights, TEMPERS[(first + number) % len(TEMPERS)])
            search.begin()
            search.enough = until(self.clock, 1.0, appraiser.looks, appraiser.looks + WHOLE)
            search.plan(PATIENCE)
            appraiser.weights = self.weights
            return search.stand.copy()
        search.adopt(best.stand)
        search.enough = until(self.clock, 1.0, appraiser.looks, appraiser.looks + STEP)
        struck = [raid.target for raid in best.appraisal.raids]
        if struck and rng.random() < STRUCK:
            search.shake(struck[int(rng.random() * len(struck))])
        else:
            search.shake()
        return search.stand.copy() if search.best.value >= best.appraisal.value - PROMISING else None

    def _rehearse(self, plan: Tried, lucks: int) -> bool:
        """Play a plan on so many lucks; whether there was time for it."""
        while len(plan.values) < lucks:
            value = self.play(plan.orders, len(plan.values))
            if value is None:
                return False
            plan.values.append(value)
        return True

    def play(self, orders: Sequence[Order], luck: int, turns: int = 1) -> float | None:
        """What the orders of a plan lead to on a luck by the end of the enemy's next march, or a later one; nothing if
        there was no time to see it."""
        view, role = self.view, self.view.game.role
        position: Position = view.imagine(random.Random(luck))
        seats, rng = self._seats(orders, luck), random.Random(luck)
        expected, occasion, marching = 0.0, "", ""
        self.played += 1
        self.clock.spend(COST)
        for _ in range(LONGEST):
            mover = position.to_move
            if marching and position.phase.id != marching:
                turns, marching = turns - 1, ""
            if mover is None or turns == 0:
                break
            if self.clock.used() >= 1.0:
                return None
            if mover == CHANCE:
                position = position.play(position.legal.random(random.Random(f"{luck} {position.turn} {occasion}")))
                continue
            if position.phase.side != view.side and Role.GO in position.game.opens(position.phase):
                marching = position.phase.id
            seat, seen = seats[mover], position.view(mover)
            order = seat.choose(seen, rng)
            if role(order) in (Role.AIM, Role.STRIKE):
                occasion = f"{mover} {order.hexes[0]}"
                expected += seat.expected(seen, order) * (1.0 if mover == view.side else -1.0)
            position = position.play(order)
        self._habits[luck] = next(seat.hasty.went for side, seat in seats.items() if side != view.side)
        return self._value(position, expected)

    def _seats(self, orders: Sequence[Order], luck: int) -> dict[str, Actor]:
        """Who plays: our side with the plan in hand, and the enemy, who begins with what he did before."""
        from .actor import Actor

        ours = Actor(self.weights, self.enemy, OWN)
        ours.take_up(self.view, orders)
        model = _changed(self.enemy, MODELS[luck % len(MODELS)])
        theirs = Actor(model, self.weights, ENEMY, self._habits.get(luck))
        seats = {side: ours if side == self.view.side else theirs for side in self.view.game.sides}
        for side, seat in seats.items():
            seat.hasty.memory = self._memories[side]
        return seats

    def _value(self, position: Position, expected: float) -> float:
        """How our side stands before the blows of the enemy's turn: what is left of both, how far both have come, and
        what he would make of it."""
        side, game = self.view.side, self.view.game
        if position.to_move is None:
            entries = position.standing.ledger
            return float(sum(e.points if e.side == side else -e.points for e in entries))
        enemy = next(name for name in game.sides if name != side)
        prospect = prospect_of(position.view(enemy))
        prospect.recall(self._memories[enemy])
        appraiser, ours = Appraiser(prospect, self.enemy), 1 - prospect.side
        stand, theirs = prospect.stand.copy(), prospect.side
        his = appraiser.appraise(stand).value - self.enemy.post * (
            appraiser.posted(stand) - self._gone(prospect, theirs)
        )
        real = self._material(prospect, ours) - self._material(prospect, theirs)
        return self.weights.post * self._gone(prospect, ours) - his + (1.0 - LUCK) * expected + LUCK * real

    def _material(self, prospect: Prospect, side: int) -> float:
        """What the units of a side on the map are worth."""
        where = prospect.stand.where
        return sum(sum(prospect.prices(u)) for u in prospect.of(side) if where[u] >= 0)

    def _gone(self, prospect: Prospect, side: int) -> float:
        """How far those who are left of a side have come; who is gone is in the prices."""
        total, where = 0.0, prospect.stand.where
        for unit in prospect.of(side):
            posts, before = self._posts.get(prospect.piece(unit), ({}, -1))
            if where[unit] >= 0 <= before:
                total += posts.get(where[unit], 0.0) - posts.get(before, 0.0)
        return total


def leading(field: Sequence[Tried]) -> Tried:
    """Who is ahead, by so much more the fewer lucks both have been tried on; in doubt who came first."""
    best = field[0]
    for rival in field[1:]:
        lucks = min(len(rival.values), len(best.values))
        if rival.ahead(best, lucks) > DOUBT / lucks:
            best = rival
    return best


def _changed(weights: Weights, temper: Mapping[str, float]) -> Weights:
    """Weights, some of them multiplied."""
    return weights._replace(**{name: getattr(weights, name) * times for name, times in temper.items()})
