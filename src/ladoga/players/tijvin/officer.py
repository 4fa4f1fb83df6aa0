"""The officer: the general's method for each decision of Tijvin 1941, quick enough to be played out in the mind.

An activation is one plan: who strikes whom from where, who closes a pocket, who guards which city, who keeps a
headquarters company. What remains of the staff's doctrine are the small decisions.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

import msgspec

from ...games.tijvin.position import TijvinPosition
from ...hexes import Hex
from ...kernel.orders import Order
from ...kernel.position import Position, View
from ..doctrines.tijvin import ACTIVATIONS, TijvinDoctrine
from ..doctrines.tijvin_staff import command, search
from ..doctrines.tijvin_staff.lie import Lie
from ..staff import StaffPlayer
from ..tuning import Side, tuning
from . import seats
from .marches import CUT, Campaign
from .pockets import cut_off
from .reading import Reading

STRIKING_BACK = 9
"""The turn from which the Soviets go for the cities they have lost."""


class OfficerDoctrine(TijvinDoctrine):
    """Germans attack as long as there is a city to take; the Soviets strike back in winter."""

    def style(self, seen: View | Position, side: str, tuned: Side) -> Side:
        """Cities count on the last turn only, so the season does not stop the stronger side."""
        posture = "attack" if side == "german" or seen.turn >= STRIKING_BACK else "defend"
        return tuned if posture == tuned.posture else msgspec.structs.replace(tuned, posture=posture)

    def _reading(self, p: TijvinPosition, side: str, temper: Mapping[str, float]) -> Reading:
        return Reading(p, side, self.style(p, side, tuning(p.game.id).side(side)), temper)

    def advice(self, staff: StaffPlayer, view: View, orders: Sequence[Order], rng: random.Random) -> Order | None:
        """Headquarters by the general's own method; the rest as the staff's steps are led."""
        lie = self._lie(staff, view, rng)
        if lie.p.stage in ("hq-movement", "hq-return"):
            assert isinstance(lie, Reading)
            returning = lie.p.stage == "hq-return"
            best = seats.returning(lie, orders) if returning else seats.headquarters_move(lie, orders)
            staff.reason = f"{best}: in company, with most units in command from there"
            return best
        return super().advice(staff, view, orders, rng)

    def marches(self, lie: Lie, staff: StaffPlayer) -> Order | None:
        """A plan for the whole activation."""
        assert isinstance(lie, Reading)
        plan = Campaign(lie).plan()
        orders = plan.orders(lie)
        while orders and lie.p.why_not(orders[0]) is not None:
            del orders[0]
        staff.reason = plan.reason(lie)
        staff.planned = orders[1:]
        return orders[0] if orders else None

    def _advance(self, lie: Lie, u: int, h: Hex, party: int) -> float:
        """As the staff, and what it opens or closes of a pocket."""
        assert isinstance(lie, Reading)
        p, here = lie.p, lie.p.hexes[u]
        load = dict(p.field(lie.side).load)
        before = cut_off(lie, load)
        load[here] -= p.cf[u]
        load[h] = load.get(h, 0) + p.cf[u]
        return super()._advance(lie, u, h, party) + CUT * (cut_off(lie, load) - before)

    def search(self, staff: StaffPlayer, view: View, nodes: int, rng: random.Random) -> Order | None:
        """Plays on in the mind, officers on both sides, before a headquarters is activated."""
        staff.bias = dict(staff.nature)
        lie = self._lie(staff, view, rng)
        urgent = command.by_urgency(lie, [order for order in view.legal if order.verb == "activate"])
        found = search.choices(urgent, lambda order: order.units[0] in lie.p.roster.hq_index)
        if not found or staff.think == 0:
            return None
        budget = search.Budget(nodes // 2, None if staff.think is None else staff.think / ACTIVATIONS)

        def judge(p: TijvinPosition) -> float:
            return search.judged(self._reading(p, view.side, {}))

        best = search.best(view, found, _seat, judge, budget, rng, staff.nature)
        if best is None:
            return None
        choice, value = best
        staff.bias = {**staff.nature, **choice.temper}
        staff.reason = f"{choice.order} {choice.name}".rstrip() + f": best of {len(found)} ways tried, {value:+.1f}"
        return choice.order


DOCTRINE = OfficerDoctrine()


class Officer(StaffPlayer):
    """Plays Tijvin 1941 by the general's method; with ``nodes`` it thinks ahead."""

    name = "officer"

    def __init__(self, *, seed: int = 0, think: float | None = None, nodes: int = 0) -> None:
        super().__init__(seed=seed, think=think)
        self.nodes = nodes

    def choose(self, view: View, rng: random.Random) -> Order:
        """What was planned, or what the officers' doctrine says."""
        while self.planned:
            order = self.planned.pop(0)
            if view.why_not(order) is None:
                return order
            self.planned = []
        known = DOCTRINE.order(self, view, rng)
        if known is not None:
            return known
        orders = list(view.legal)
        if len(orders) == 1:
            return orders[0]
        return DOCTRINE.advice(self, view, orders, rng) or super().decide(view, orders, rng)


def _seat(temper: Mapping[str, float]) -> Callable[[View, random.Random], Order]:
    """An officer of some temper, for thinking ahead."""
    officer = Officer()
    officer.bias = dict(temper)
    return officer.choose
