"""Rehearsals: plans played out by the rules, to the enemy's next answer, and the best of them kept.

What a plan is worth at first sight is found in a moment, and more time finds the same again. What it leads to shows
when it is played: own moves and blows as ordered, the enemy's whole turn as he would plan it, once with care and once
as a raider, and how the game's doctrine judges what stands then. All plans meet the same dice in the same places, and
of what the dice gave in blows only a part counts: the rest is taken by exact odds.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING

from ...hexes import Hex, members
from ...kernel.orders import Order, Role
from ...kernel.position import CHANCE, Position, View
from ...kernel.prospect import Memory, Prospect, Stand, prospect_of
from ..doctrine import doctrine_of
from ..judgement import evaluate
from .appraisal import Weights
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
OWN, ENEMY = 100, 150
"""Work of our own side and of the enemy in a rehearsal."""
WHOLE, STEP, PATIENCE = 300, 120, 1
"""Stands judged to make another whole plan and to change one, and shakes without gain after which it is good enough."""
COST = 250
"""Stands that a rehearsal costs as much as."""
LUCK = 0.3
"""How much of what the dice gave in blows counts."""
MOST, MOST_LAST = 3, 12
"""Lucks on which a plan that is ahead is tried: many plans on few lucks gain more than few on many; on the last turn
more, for there it is soon played out, and all is told by a blow or two."""
FAITH = 3.0
"""Lucks that it is worth that plans are usually alike."""
SEEMED, CLIPPED = 0.3, 5.0
"""How much of what a plan seemed to be worth more at first sight it is taken to be worth, up to some points."""
PULL, WIDE = 1.5, 6
"""How much more, or less, a post is worth where an army is drawn, and how far from there."""
PROMISING, STRUCK = 3.0, 0.5
"""How much worse than the best a change may be at first sight; how often it is made where the enemy may strike."""
LONGEST = 600
"""Orders in a rehearsal at most."""


class Tried:
    """A plan, its orders, and what it came to on each luck."""

    def __init__(self, plan: Plan, orders: Sequence[Order], seemed: float = 0.0) -> None:
        self.plan, self.orders, self.seemed = plan, orders, seemed
        self.values: list[float] = list(plan.played)

    def ahead(self, other: Tried) -> float:
        """By how much it is taken to be better than the first plan: the more lucks both were tried on, the less counts
        what is usually so."""
        lucks = min(len(self.values), len(other.values))
        usual = SEEMED * max(-CLIPPED, min(CLIPPED, self.seemed - other.seemed))
        gained = sum(self.values[:lucks]) - sum(other.values[:lucks])
        return 0.0 if self is other else (gained + FAITH * usual) / (lucks + FAITH)


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
        self._prices = {prospect.piece(u): prospect.prices(u) for u, h in enumerate(where) if h >= 0}
        """What the steps of each unit are worth."""
        self._whole = self._material(prospect)
        self._habits: dict[int, Mapping[Hashable, Hex]] = {}
        """Where the enemy's units went last, by luck."""
        self._memories: dict[str, Memory] = {name: {} for name in view.game.sides}
        """What each side has worked out about the boards that came up."""

    def held(self, plan: Plan, rng: random.Random, first: int = 0) -> Plan:
        """The best of this plan and others, beginning with the ``first`` of the tempers: new ones as long as there is
        time, and more lucks for those that are ahead."""
        base = Tried(plan, self.ordered(plan), plan.appraisal.value)
        if not self._rehearse(base, 1):
            return plan
        field, seen = [base], [plan.stand.where]
        most = MOST_LAST if self.view.turn >= self.search.prospect.last else MOST
        while self.clock.used() < 1.0:
            self.clock.spend(1)
            best = leading(field)
            if best is not base and len(best.values) < most:
                if not self._rehearse(best, len(best.values) + 1) or not self._rehearse(base, len(best.values)):
                    break
                continue
            stand = self.other(best.plan, rng, first)
            if stand is None or stand.where in seen:
                continue
            seen.append(stand.where)
            other = Plan(stand, self.search.appraiser.appraise(stand), plan.before)
            rival = Tried(other, self.ordered(other), other.appraisal.value)
            if self._rehearse(rival, 1):
                field.append(rival)
        best = leading(field)
        return best.plan._replace(played=tuple(best.values))

    def other(self, best: Plan, rng: random.Random, first: int = 0) -> Stand | None:
        """Another plan: a whole one in each temper first, then in turns one of an army that is drawn somewhere else and
        a change of the best."""
        search, appraiser, number = self.search, self.search.appraiser, self.tried
        self.tried += 1
        if number < len(TEMPERS) or number % 2:
            posts = appraiser.posts
            if number < len(TEMPERS):
                appraiser.weights = _changed(self.weights, TEMPERS[(first + number) % len(TEMPERS)])
            else:
                appraiser.posts = self._drawn(posts, rng)
            search.begin()
            search.enough = until(self.clock, 1.0, appraiser.looks, appraiser.looks + WHOLE)
            search.plan(PATIENCE)
            appraiser.weights, appraiser.posts = self.weights, posts
            return search.stand.copy()
        search.adopt(best.stand)
        search.enough = until(self.clock, 1.0, appraiser.looks, appraiser.looks + STEP)
        struck = [raid.target for raid in best.appraisal.raids]
        if struck and rng.random() < STRUCK:
            search.shake(struck[int(rng.random() * len(struck))])
        else:
            search.shake()
        return search.stand.copy() if search.best.value >= best.appraisal.value - PROMISING else None

    def _drawn(self, posts: Sequence[Mapping[Hex, float]], rng: random.Random) -> list[Mapping[Hex, float]]:
        """Posts of our units that are worth more, or less, the nearer they are to a hex where one of them stands."""
        prospect = self.search.prospect
        ours = [u for u in self.search.reach if prospect.stand.where[u] >= 0]
        if not ours:
            return list(posts)
        centre, pull = prospect.stand.where[ours[int(rng.random() * len(ours))]], PULL * rng.choice((-1.0, 1.0))
        within = prospect.grid.within(1 << centre, WIDE)
        near = {h: pull * (1.0 - prospect.grid.distance(h, centre) / WIDE) for h in members(within)}
        drawn: dict[int, Mapping[Hex, float]] = {}
        for unit in prospect.of(prospect.side):
            plain = posts[unit]
            if id(plain) not in drawn:
                drawn[id(plain)] = {h: worth + near.get(h, 0.0) for h, worth in plain.items()}
        return [drawn.get(id(plain), plain) for plain in posts]

    def _rehearse(self, plan: Tried, lucks: int) -> bool:
        """Play a plan on so many lucks; whether there was time for it."""
        while len(plan.values) < lucks:
            value = self.play(plan.orders, len(plan.values))
            if value is None:
                return False
            plan.values.append(value)
        return True

    def play(self, orders: Sequence[Order], luck: int) -> float | None:
        """What the orders of a plan lead to on a luck by the end of the enemy's whole answer; nothing if there was no
        time to see it."""
        view, role = self.view, self.view.game.role
        position: Position = view.imagine(random.Random(luck))
        seats, rng = self._seats(orders, luck), random.Random(luck)
        expected, occasion, stormed = 0.0, "", dict[tuple[str, str], tuple[float, float]]()
        self.played += 1
        self.clock.spend(COST)
        for _ in range(LONGEST):
            mover = position.to_move
            if mover is None or (position.turn > view.turn and position.phase.id == view.phase.id):
                break
            if self.clock.used() >= 1.0:
                return None
            if mover == CHANCE:
                position = position.play(position.legal.random(random.Random(f"{luck} {position.turn} {occasion}")))
                continue
            seat, seen = seats[mover], position.view(mover)
            order = seat.choose(seen, rng)
            if role(order) in (Role.AIM, Role.STRIKE):
                occasion = f"{mover} {order.hexes[0]}"
                hoped, ground = seat.expected(seen, order)
                expected += hoped * (1.0 if mover == view.side else -1.0)
                if ground:
                    stormed[mover, order.hexes[0]] = ground
            position = position.play(order)
        self._habits[luck] = next(seat.hasty.went for side, seat in seats.items() if side != view.side)
        after = prospect_of(position.view(view.side))
        lucky = self._material(after) - self._whole - expected
        for (mover, number), (falls, worth) in stormed.items():
            ours = mover == view.side
            taken = after.stand.held[after.side if ours else 1 - after.side] >> after.grid.hex(number) & 1
            lucky += (taken - falls) * worth * (1.0 if ours else -1.0)
        judged = doctrine_of(view.game.id).judge(position, view.side)
        return (evaluate(position, view.side) if judged is None else judged) - (1.0 - LUCK) * lucky

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

    def _material(self, prospect: Prospect) -> float:
        """What is left of the units that there were, ours against the enemy's."""
        total, where = 0.0, prospect.stand.where
        for unit in prospect.units:
            prices = self._prices.get(prospect.piece(unit.number), ())
            if where[unit.number] >= 0:
                total += sum(prices[-unit.steps :]) * (1.0 if unit.side == prospect.side else -1.0)
        return total


def leading(field: Sequence[Tried]) -> Tried:
    """Who is ahead of the first; in doubt the first."""
    return max(field, key=lambda one: one.ahead(field[0]))


def _changed(weights: Weights, temper: Mapping[str, float]) -> Weights:
    """Weights, some of them multiplied."""
    return weights._replace(**{name: getattr(weights, name) * times for name, times in temper.items()})
