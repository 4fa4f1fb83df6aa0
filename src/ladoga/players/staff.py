"""The staff: plays by operational rules of thumb, a plan a phase."""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from ..hexes import Hex, HexMask, members
from ..kernel.names import listed
from ..kernel.orders import END, Order, Role
from ..kernel.position import View
from .doctrine import doctrine_of
from .front import Front
from .greedy import GreedyPlayer, assault, promising
from .lay import FAR
from .player import AS_PLANNED, of_units, with_role
from .situation import Situation, cheapest
from .words import Once, Reason, Words, because

PLANS = 2
"""How often the moves of a phase are planned anew between overruns."""
AFTER_COMBAT = (Role.LOSE, Role.RETREAT, Role.ADVANCE, Role.END)
GIVING_WAY = 0.7
"""What it costs each unit to give up its hex."""


Temper = dict[str, float]
"""What to multiply weights of the tuning by: push, safety, cover, attack (who stands where), boldness (how the
enemy's losses count), and what a game's doctrine adds."""


class StaffPlayer(GreedyPlayer):
    """Plans whole movement phases: a front, supply, good odds, the objectives."""

    name = "staff"

    def __init__(self, *, seed: int = 0, think: float | None = None) -> None:
        super().__init__(seed=seed, think=think)
        self.nature: Temper = {}
        """The temper that a player of another kind never loses."""
        self.bias: Temper = {}
        self.tempers: dict[str, Temper] = {}
        """Tempers of single formations."""
        self._phase: tuple[int, str] | None = None
        self._orders: list[Order] | None = None
        self._active: tuple[str, ...] = ()
        """Units that moved last and may have points left."""
        self._ended = ""
        """Where they ended."""
        self._survey = True
        """Whether units that have not moved may find an overrun that pays."""
        self._plans = 0
        self.imagined = False
        """Whether it plays in somebody's mind, where it is enough that most units stand as they would."""
        self.notes: dict[str, Any] = {}
        """What the game's doctrine remembers between orders."""
        self._enemies: HexMask = 0
        """Where the enemy stood when the plan was made."""
        self._read: tuple[View, Situation] | None = None
        self._aim: Reason = ""
        """What the plan of the phase is for."""

    def choose(self, view: View, rng: random.Random) -> Order:
        """As the game's doctrine knows at once; else go on with the phase's plan, where no overrun can interfere."""
        self.look(view)
        if not self.planned:
            doctrine = doctrine_of(view.game.id)
            moment = doctrine.moment(view)
            if moment is not None:
                self.ponder(view, moment, rng)
            known = doctrine.order(self, view, rng)
            if known is not None:
                return known
        if not self.planned and self._orders and self._phase == (view.turn, view.phase.id):
            order = self._orders[0]
            if self._undisturbed(view) and view.why_not(order) is None:
                del self._orders[0]
                self._active, self._ended, self.reason = order.units, order.hexes[-1], self._aim
                return order
        return super().choose(view, rng)

    def _undisturbed(self, view: View) -> bool:
        """Whether those who moved last stand clear of the enemy, so that nothing but the plan is to be thought of."""
        if not view.game.overrun:
            return True
        if self._survey or not self._ended:
            return False
        grid = view.map.grid
        return not grid.ring(1 << grid.hex(self._ended)) & self._enemies

    def situation(self, view: View) -> Situation:
        """The view as this side reads it, once for each decision."""
        if self._read is None or self._read[0] is not view:
            situation = Situation(view, view.side)
            bold = self.bias.get("boldness", 1.0) * situation.doctrine.boldness(view)
            if bold != 1.0:
                bold *= situation.style.boldness
                situation.style = msgspec.structs.replace(situation.style, boldness=bold)
            self._read = (view, situation)
        return self._read[1]

    def front(self, view: View) -> Front:
        """The front in the mind, of the kind that the game's doctrine asks for."""
        kind = doctrine_of(view.game.id).front or Front
        return kind(self.situation(view), self.bias, self.tempers)

    def ponder(self, view: View, moment: Hashable, rng: random.Random) -> None:
        """Think ahead before a decision that deserves it: the staff does not."""

    def decide(self, view: View, orders: Sequence[Order], rng: random.Random) -> Order:
        """As the game's doctrine advises; else by the common method."""
        advised = doctrine_of(view.game.id).advice(self, view, orders, rng)
        return advised if advised is not None else super().decide(view, orders, rng)

    # Movement -----------------------------------------------------------------------------------

    def march(self, view: View, orders: Sequence[Order], rng: random.Random) -> Order:
        """The next order of the phase's plan; overruns where they pay, reinforcements as they come."""
        phase = (view.turn, view.phase.id)
        if phase != self._phase:
            self._phase, self._plans, self._orders = phase, 0, None
            self._active, self._ended, self._survey = (), "", True
        entering = with_role(view.game, orders, Role.ENTER)
        if entering:
            return self._entry(view, entering)
        order = self._onward(view, orders)
        if order is None and self._survey:
            order = self._overrun(view, orders)
            self._survey = order is not None
        order = order or self._next(view, orders)
        if order is not None:
            self._active, self._ended = order.units, order.hexes[-1] if order.hexes else ""
            return order
        if END in orders:
            self.reason = AS_PLANNED
            return END
        return super().march(view, orders, rng)

    def _onward(self, view: View, orders: Sequence[Order]) -> Order | None:
        """What those who moved or overran last should do with the rest of their march."""
        mine = of_units(orders, self._active)
        if not mine:
            return None
        order = self._overrun(view, mine)
        if order is None and self._orders is None:
            plan = self._planned(view, mine)
            order = next((order for order in plan if view.why_not(order) is None), None)
            self.reason = self._aim
        return order

    def _next(self, view: View, orders: Sequence[Order]) -> Order | None:
        """The next order of the plan that can be carried out; the plan is made anew when it runs dry."""
        while True:
            for order in self._orders or ():
                if view.why_not(order) is None:
                    assert self._orders is not None
                    self._orders.remove(order)
                    self.reason = self._aim
                    return order
            if self._plans >= PLANS:
                return None
            self._plans += 1
            self._orders = self._planned(view, orders)

    def _planned(self, view: View, orders: Sequence[Order]) -> list[Order]:
        situation = self.situation(view)
        self._enemies = situation.occupied[situation.enemy]
        reach: dict[str, list[Hex]] = {}
        hexes = situation.grid.hex
        verb = ""
        for order in with_role(view.game, orders, Role.GO):
            if len(order.units) == 1 and order.units[0] in situation.pieces:
                reach.setdefault(order.units[0], []).append(hexes(order.hexes[-1]))
                verb = verb or order.verb
        if not reach:
            return []
        plan = self.front(view).plan(reach)
        self._aim = Once(view, partial(_intent, situation, plan))
        return list(self._together(situation, verb, plan))

    def _together(self, situation: Situation, verb: str, plan: Mapping[str, Hex]) -> Iterator[Order]:
        """The moves of a plan, units on the same way together, one by one if they may not."""
        number = situation.grid.number
        parties: dict[tuple[Hex, Hex], list[str]] = {}
        for unit, h in plan.items():
            parties.setdefault((situation.pieces[unit].hex, h), []).append(unit)
        for (_, h), units in parties.items():
            if len(units) > 1:
                yield Order(verb, tuple(sorted(units)), (number(h),))
            yield from (Order(verb, (unit,), (number(h),)) for unit in units)

    def _overrun(self, view: View, orders: Sequence[Order]) -> Order | None:
        """An overrun that pays."""
        ready = with_role(view.game, orders, Role.STRIKE)
        if not ready:
            return None
        situation = self.situation(view)
        rated = [(self._worth(view, situation, order), str(order), order) for order in promising(situation, ready)]
        value, _, order = max(rated, default=(0.0, "", END))
        if value <= 1.0 + situation.style.least:
            return None
        self.reason = lambda say: say.overrun(order.hexes[-1], order.units, assault(view, situation, order)[1])
        self._plans, self._orders, self._survey = 0, None, True
        return order

    def _worth(self, view: View, situation: Situation, order: Order) -> float:
        """What an overrun is worth, and that it lets units out of a crowded hex whose ways out the enemy bars."""
        value, cleared = assault(view, situation, order)
        most = situation.style.stack
        stack = situation.at.get(situation.pieces[order.units[0]].hex, ())
        if len(stack) > most:
            value += cleared * sum(sorted(p.worth * p.steps for p in stack)[most:])
        return value

    def _entry(self, view: View, orders: Sequence[Order]) -> Order:
        situation = self.situation(view)
        enemies = situation.lay.distances(situation.occupied[situation.enemy])

        def rate(order: Order) -> tuple[float, int, str]:
            h = situation.grid.hex(order.hexes[-1])
            far = situation.far(h) if situation.style.posture == "attack" else enemies.get(h, FAR)
            return far, -len(order.units), str(order)

        best = min(orders, key=rate)
        self.reason = because(best, "that is nearest to their work")
        return best

    # After combat -------------------------------------------------------------------------------

    def settle(self, view: View, orders: Sequence[Order], rng: random.Random) -> Order:
        """Losses, retreats and advances by where units would stand; anything else one order ahead."""
        game = view.game
        if not all(game.role(order) in AFTER_COMBAT for order in orders):
            return super().settle(view, orders, rng)
        front = self.front(view)
        giving_way = {order: self._giving_way(front, order) for order in with_role(game, orders, Role.RETREAT)}
        advances = {order: self._change(front, order) for order in with_role(game, orders, Role.ADVANCE)}
        retreats = _best_of(giving_way)
        losses = {front.situation.pieces[order.units[0]]: order for order in with_role(game, orders, Role.LOSE)}
        if losses:
            toll = max((len(order.hexes) for order in (*giving_way, *advances)), default=1) or 1
            price = cheapest(losses, toll) + 0.5 * min(p.worth for p in losses) * any(p.steps == 1 for p in losses)
            if not retreats or -sum(giving_way[order] for order in retreats) >= price:
                unit = min(losses, key=lambda p: (p.worth + (0.5 * p.worth if p.steps == 1 else 0.0), p.id))
                why = "to give way would cost more" if retreats else "it is missed least"
                self.reason = because(losses[unit], why)
                return losses[unit]
        if retreats:
            best = max(retreats, key=lambda order: (giving_way[order], str(order)))
            self.reason = because(best, "of all ways back the best" if best.hexes else "there is no way back")
            return best
        advances = self._advances(front, advances)
        best = max(advances, key=lambda order: (advances[order], str(order)))
        if advances[best] <= 0 and END in orders:
            self.reason = "No advance: nobody would stand better there"
            return END
        going, gain = best, advances[best]
        self.reason = because(going, "it stands better there" if gain > 0 else "")
        return best

    def _advances(self, front: Front, advances: dict[Order, float]) -> dict[Order, float]:
        """Advances into the same hex are judged together: a stack holds where one unit would not."""
        parties: dict[str, list[Order]] = {}
        for order in advances:
            parties.setdefault(order.hexes[-1], []).append(order)
        most = front.style.stack
        for number, orders in parties.items():
            party = [front.situation.pieces[order.units[0]] for order in orders][:most]
            gain = front.standing_together(party, front.situation.grid.hex(number)) / len(party)
            for order in orders:
                advances[order] = max(advances[order], gain)
        return advances

    def _change(self, front: Front, order: Order) -> float:
        """How much better or worse a unit stands after a retreat or an advance."""
        piece = front.situation.pieces[order.units[0]]
        if not order.hexes:
            return -piece.worth * piece.steps
        return front.standing(piece, front.situation.grid.hex(order.hexes[-1])) - front.standing(piece, piece.hex)

    def _giving_way(self, front: Front, order: Order) -> float:
        """How much worse a unit stands after a retreat."""
        change = self._change(front, order)
        return min(0.0, change) - GIVING_WAY if order.hexes else change

    # Set-up -------------------------------------------------------------------------------------

    def set_up(self, view: View, orders: Sequence[Order], rng: random.Random) -> Order:
        """The hexes the tuning names, then good ground on the way to the objectives."""
        situation = self.situation(view)
        wanted = {number: rank for rank, number in enumerate(situation.style.set_up)}
        taken = {situation.grid.number(piece.hex) for piece in situation.of(view.side)}

        def rate(order: Order) -> tuple[float, float, str]:
            number = order.hexes[-1]
            h = situation.grid.hex(number)
            rank = wanted.get(number, len(wanted)) + (len(wanted) if number in taken else 0)
            return rank, situation.to_objectives.get(h, FAR) - 4 * situation.lay.shelter.get(h, 1.0), str(order)

        best = min((order for order in with_role(view.game, orders, Role.PLACE) if order.hexes), key=rate)
        self.reason = because(best, "to cover what matters")
        return best


def _best_of(change: Mapping[Order, float]) -> list[Order]:
    """The best order for each unit."""
    best: dict[str, Order] = {}
    for order, value in change.items():
        known = best.get(order.units[0])
        if known is None or value > change[known]:
            best[order.units[0]] = order
    return list(best.values())


def _intent(situation: Situation, plan: Mapping[str, Hex], say: Words) -> str:
    """What a plan is about: where it leads to, and against whom."""
    ends, near = set(plan.values()), situation.lay.near
    enemy = situation.occupied[situation.enemy]
    beside = sorted({h for end in ends for h in members(near.get(end, 0) & enemy)}, key=situation.grid.number)
    attacking = situation.style.posture == "attack"
    goals = situation.grid.members(situation.goal)[:2]
    taken = [h for h in situation.grid.members(situation.goal) if h in ends and not enemy >> h & 1][:3]
    told = []
    if attacking and goals:
        told.append(f"Marches towards {say.places(goals)}")
    else:
        told.append(
            "Marches towards the enemy" if attacking else "Closes the front between the enemy and what he wants"
        )
    if taken:
        told.append(f"to stand in {say.places(taken)}")
    if beside and attacking:
        told.append("against " + listed(say.enemy_at(h) for h in beside[:2]))
    return ", ".join(told)
