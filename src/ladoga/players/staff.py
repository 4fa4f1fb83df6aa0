"""The staff: plays by operational rules of thumb, a plan a phase."""

from __future__ import annotations

import random
from collections.abc import Sequence

from ..hexes import Hex
from ..kernel.orders import END, Order
from ..kernel.position import View
from .front import Front
from .greedy import GreedyPlayer, assault, promising
from .situation import FAR, Situation


AFTER_COMBAT = ("lose", "retreat", "advance", "end")
GIVING_WAY = 0.7
"""What it costs each unit to give up its hex."""


class StaffPlayer(GreedyPlayer):
    """Plans whole movement phases: a front, supply, good odds, the objectives."""

    name = "staff"

    def __init__(self, *, seed: int = 0, think: float | None = None) -> None:
        super().__init__(seed=seed, think=think)
        self.bias: dict[str, float] = {}
        self._phase: tuple[int, str] | None = None
        self._orders: list[Order] = []
        self._replans = 0

    # Movement -----------------------------------------------------------------------------------

    def march(self, view: View, orders: Sequence[Order], rng: random.Random) -> Order:
        """The next order of the phase's plan; overruns first, reinforcements as they can."""
        phase = (view.turn, view.phase.id)
        if phase != self._phase:
            self._phase, self._replans, self._orders = phase, 0, self._planned(view, orders)
        entering = [order for order in orders if order.verb == "enter"]
        if entering:
            return self._entry(view, entering)
        order = self._next(view)
        if order is None:
            order = self._overrun(view, orders)
            if order is None and self._replans < 2:
                self._replans += 1
                self._orders = self._planned(view, orders)
                order = self._next(view)
        if order is not None:
            return order
        if END in orders:
            self.reason = "everybody stands where the plan wants them"
            return END
        return super().march(view, orders, rng)

    def _planned(self, view: View, orders: Sequence[Order]) -> list[Order]:
        situation = Situation(view, view.side)
        reach: dict[str, list[Hex]] = {}
        hexes = situation.grid.hex
        for order in orders:
            if order.verb == "move" and len(order.units) == 1 and order.units[0] in situation.pieces:
                reach.setdefault(order.units[0], []).append(hexes(order.hexes[-1]))
        front = Front(situation, self.bias)
        plan = front.plan(reach)
        number = situation.grid.number
        self.reason = f"{len(plan)} of {len(reach)} units move: {_intent(situation)}"
        return [Order("move", (unit,), (number(h),)) for unit, h in plan.items()]

    def _next(self, view: View) -> Order | None:
        for order in self._orders:
            if view.why_not(order) is None:
                self._orders.remove(order)
                return order
        return None

    def _overrun(self, view: View, orders: Sequence[Order]) -> Order | None:
        situation = Situation(view, view.side)
        assaults = promising(situation, [order for order in orders if order.verb == "overrun"])
        rated = [
            (assault(view, situation, order) + self._relief(situation, order), str(order), order) for order in assaults
        ]
        if not rated:
            return None
        value, _, order = max(rated)
        if value <= 1.0 + situation.style.least:
            return None
        self.reason = f"{order}: worth {value:.1f}"
        self._replans = 0
        return order

    def _relief(self, situation: Situation, order: Order) -> float:
        """What it is worth to break out of a hex that holds more units than it may."""
        stack = [p for p in situation.at[situation.pieces[order.units[0]].hex] if p.side == situation.side]
        if len(stack) <= situation.tuned.stack:
            return 0.0
        return sum(situation.pieces[unit].worth for unit in order.units)

    def _entry(self, view: View, orders: Sequence[Order]) -> Order:
        situation = Situation(view, view.side)
        enemies = situation.lay.distances(situation.occupied[situation.enemy])

        def rate(order: Order) -> tuple[float, int, str]:
            h = situation.grid.hex(order.hexes[-1])
            far = situation.far(h) if situation.style.posture == "attack" else enemies.get(h, FAR)
            return far, -len(order.units), str(order)

        best = min(orders, key=rate)
        self.reason = f"{best}: reinforcements where they are nearest to their work"
        return best

    # After combat -------------------------------------------------------------------------------

    def settle(self, view: View, orders: Sequence[Order], rng: random.Random) -> Order:
        """Losses, retreats and advances by where units would stand; anything else one order ahead."""
        if not all(order.verb in AFTER_COMBAT for order in orders):
            return super().settle(view, orders, rng)
        situation = Situation(view, view.side)
        front = Front(situation, self.bias)
        here: dict[str, float] = {}
        rated = [(self._aftermath(front, order, here), str(order), order) for order in orders]
        value, _, best = max(rated)
        self.reason = f"{best}: the best of {len(orders)} ({value:.1f})"
        return best

    def _aftermath(self, front: Front, order: Order, here: dict[str, float]) -> float:
        piece = front.situation.pieces.get(order.units[0]) if order.units else None
        if piece is None:
            return 0.0
        if order.verb == "lose":
            return -piece.worth - (0.5 * piece.worth if piece.steps == 1 else 0.0)
        if not order.hexes:
            return -1.2 * piece.worth * piece.steps
        if piece.id not in here:
            here[piece.id] = front.standing(piece, piece.hex)
        change = front.standing(piece, front.situation.grid.hex(order.hexes[-1])) - here[piece.id]
        if order.verb == "advance":
            return change
        stack = [p for p in front.situation.at[piece.hex] if p.side == piece.side]
        return (change - GIVING_WAY) * len(stack)

    # Set-up -------------------------------------------------------------------------------------

    def set_up(self, view: View, orders: Sequence[Order], rng: random.Random) -> Order:
        """The hexes the tuning names, then good ground on the way to the objectives."""
        situation = Situation(view, view.side)
        wanted = {number: rank for rank, number in enumerate(situation.style.set_up)}
        taken = {situation.grid.number(piece.hex) for piece in situation.of(view.side)}

        def rate(order: Order) -> tuple[float, float, str]:
            number = order.hexes[-1]
            h = situation.grid.hex(number)
            rank = wanted.get(number, len(wanted)) + (len(wanted) if number in taken else 0)
            return rank, situation.to_objectives.get(h, FAR) - 4 * situation.lay.shelter.get(h, 1.0), str(order)

        best = min(orders, key=rate)
        self.reason = f"{best}: set up to cover what matters"
        return best


def _intent(situation: Situation) -> str:
    if situation.style.posture == "attack":
        goals = [situation.seen.map.name_of(h) for h in situation.grid.members(situation.goal)][:2]
        return f"towards {', '.join(goals)}" if goals else "towards the enemy"
    return "a front between the enemy and what he wants"
