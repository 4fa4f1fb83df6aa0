"""The greedy player: always the order that looks best at once, on exact odds."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial

from ..kernel.errors import LadogaError
from ..kernel.orders import END, Order, Role
from ..kernel.position import Position, View
from .attacks import best_attack, composed, outlook
from .judgement import after
from .lay import FAR
from .player import AS_PLANNED, Player, verbs_of, with_role
from .situation import Situation
from .tuning import tuned, tuning
from .words import Reason, Saying, Words, because, counted

PROMISING = 4
"""Most overruns of one hex whose exact odds are worked out."""
WEIGHED = 24
"""Most orders that are weighed one by one in a small decision."""
LOOKS = 60
"""Most positions that are judged in a small decision."""
BACK = 20.0
"""What it gains to lead a unit back to its line of supply."""
TRIED = 60
"""Most moves whose supply is looked at."""
URGENT = 1.0
"""What a kind of order must be worth in itself to be given without a second thought."""


class GreedyPlayer(Player):
    """One order ahead: best attack, shortest way to the goal, smallest loss."""

    name = "greedy"

    def __init__(self, *, seed: int = 0, think: float | None = None) -> None:
        super().__init__(seed=seed, think=think)
        self.planned: list[Order] = []
        self.begun: tuple[View, tuple[str, ...]] | None = None
        self.aimed: tuple[View, tuple[str, ...]] | None = None
        """Where an attack is begun, and on whom, and where one was with the last order."""
        self.intent: Reason = ""
        """What the orders that are planned are for."""

    def look(self, view: View) -> None:
        """Turn to a view, and remember what was aimed at with the last order."""
        if view is not self.seen:
            self.aimed, self.begun = self.begun, None
        super().look(view)

    def choose(self, view: View, rng: random.Random) -> Order:
        """What was planned, or what the kind of decision asks for."""
        self.look(view)
        while self.planned:
            order = self.planned.pop(0)
            if view.why_not(order) is None:
                self.reason = AS_PLANNED if order == END else self.intent
                return order
            self.planned = []
        orders = list(view.legal)
        if len(orders) == 1:
            if view.game.role(orders[0]) is Role.AIM:
                self.begun = view, orders[0].hexes
            return orders[0]
        return self.decide(view, orders, rng)

    def situation(self, view: View) -> Situation:
        """The view as this side reads it."""
        return Situation(view, view.side)

    def decide(self, view: View, orders: Sequence[Order], rng: random.Random) -> Order:
        """Lead a decision to the method for its kind; of a game that nobody has tuned, only the points are known."""
        if not tuned(view.game.id):
            return self.settle(view, orders, rng)
        verbs, spelled = verbs_of(orders), view.game.grammar.spelled
        if verbs & spelled(Role.BID):
            return self.bid(view, orders, rng)
        if verbs & spelled(Role.PLACE):
            return self.set_up(view, orders, rng)
        composing = verbs & spelled(Role.AIM, Role.JOIN, Role.COMMIT)
        if verbs & spelled(Role.GO, Role.ENTER) or (verbs & spelled(Role.STRIKE) and not composing):
            return self.march(view, orders, rng)
        if composing:
            return self.fight(view, orders, rng)
        return self.settle(view, orders, rng)

    # Before the game ------------------------------------------------------------------------------

    def bid(self, view: View, orders: Sequence[Order], rng: random.Random) -> Order:
        """About what the side bid for is worth, so that either side is as good; never quite the same."""
        worth = tuning(view.game.id).bid
        wanted = max(0.0, rng.gauss(worth, 0.4 * worth))
        self.reason = f"The side is worth about {counted(round(worth), 'point')}"
        return min(with_role(view.game, orders, Role.BID), key=lambda o: abs(int(o.words[0]) - wanted))

    # Set-up -------------------------------------------------------------------------------------

    def set_up(self, view: View, orders: Sequence[Order], rng: random.Random) -> Order:
        """As near to the goal as may be."""
        situation = Situation(view, view.side)
        self.reason = "Sets up close to what matters"
        grid = situation.grid
        places = [order for order in with_role(view.game, orders, Role.PLACE) if order.hexes]
        return min(places, key=lambda o: (situation.far(grid.hex(o.hexes[-1])), str(o)))

    # Movement -----------------------------------------------------------------------------------

    def march(self, view: View, orders: Sequence[Order], rng: random.Random) -> Order:
        """The move or overrun that gains most."""
        situation = Situation(view, view.side)
        best, gain = None, 0.05
        if situation.style.leashed:
            best, gain = self._leashed(view, situation, orders, rng)
        else:
            for order in orders:
                value = self.gain(situation, order)
                if value > gain:
                    best, gain = order, value
        for order in promising(situation, with_role(view.game, orders, Role.STRIKE)):
            value, _ = assault(view, situation, order)
            if value > max(gain, 1.0):
                best, gain = order, value
        if best is None:
            best = END if END in orders else rng.choice(list(orders))
        self.reason = partial(_marching, view, situation, best)
        return best

    def _leashed(
        self, view: View, situation: Situation, orders: Sequence[Order], rng: random.Random
    ) -> tuple[Order | None, float]:
        """The order that gains most and leaves its units a line of supply; a way back to one comes first."""
        position = view.imagine(rng)
        cut_off = {piece.id for piece in situation.of(view.side) if not position.supply(piece.id).path}
        rated = [
            (self.gain(situation, order) + (BACK if not cut_off.isdisjoint(order.units) else 0.0), str(order), order)
            for order in orders
        ]
        for gain, _, order in sorted(rated, reverse=True)[:TRIED]:
            if gain <= 0.05:
                break
            moved = position.play(order)
            if all(unit not in situation.pieces or moved.supply(unit).path for unit in order.units):
                return order, gain
        return None, 0.05

    def gain(self, situation: Situation, order: Order) -> float:
        """What a move or an entry gains."""
        role = situation.game.role(order)
        if role is Role.ENTER:
            return 100.0
        if role is not Role.GO:
            return 0.0 if role in (Role.END, Role.STRIKE) else situation.style.prefer.get(order.verb, 0.0)
        end = situation.far(situation.grid.hex(order.hexes[-1]))
        pieces = [situation.pieces[unit] for unit in order.units if unit in situation.pieces]
        return sum(situation.far(piece.hex) - end for piece in pieces)

    # Combat -------------------------------------------------------------------------------------

    def fight(self, view: View, orders: Sequence[Order], rng: random.Random) -> Order:
        """The attack with the best expected result, if it gains anything."""
        position = view.imagine(rng)
        situation = self.situation(view)
        if with_role(view.game, orders, Role.JOIN, Role.COMMIT):
            attack = composed(position, situation, (), ())
            if attack is None:
                return self.settle(view, orders, rng)
            began, targets = self.aimed or (view, ())
            reason: Saying = partial(attack.reason, targets=targets, began=began)
        else:
            attack = best_attack(position, situation)
            if attack is None or (attack.value <= 0 and END in orders):
                if END not in orders:
                    return self.settle(view, orders, rng)
                self.reason = "No attack is worth its losses"
                return END
            self.begun = view, attack.orders[0].hexes
            reason = attack.reason
        self.intent = self.intend(reason)
        self.planned = list(attack.orders)
        return self.planned.pop(0)

    # Everything else ----------------------------------------------------------------------------

    def settle(self, view: View, orders: Sequence[Order], rng: random.Random) -> Order:
        """The order after which the position looks best; what is always worth doing is done unasked."""
        prefer = tuning(view.game.id).side(view.side).prefer
        urgent = [order for order in orders if prefer.get(order.verb, 0.0) >= URGENT]
        if urgent:
            situation = Situation(view, view.side)
            best = max(urgent, key=lambda o: (prefer[o.verb], site(situation, o), -len(o.words), str(o)))
            self.reason = because(best, "that is always worth doing")
            return best
        some = list(orders) if len(orders) <= WEIGHED else rng.sample(list(orders), WEIGHED)
        if END in orders and END not in some:
            some.append(END)
        position = view.imagine(rng)
        room = max(1, LOOKS // len(some))
        best = max(some, key=lambda o: after(position, o, view.side, room) + prefer.get(o.verb, 0.0))
        self.reason = because(best, "the side stands best so, one order ahead")
        return best


def _marching(view: View, situation: Situation, order: Order, say: Words) -> str:
    """Why a move, an overrun or an entry is made, or none any more."""
    role = view.game.role(order)
    if role is Role.END:
        return "No move brings anybody nearer to what matters"
    if role is Role.STRIKE:
        return say.overrun(order.hexes[-1], order.units, assault(view, situation, order)[1])
    if role is Role.ENTER:
        return f"{say.doing(order)}: reinforcements are wanted at once"
    if role is Role.GO:
        goals = list(situation.grid.members(situation.goal))
        h = situation.grid.hex(order.hexes[-1])
        near = min(goals, key=lambda goal: (situation.grid.distance(h, goal) or 0, goal), default=None)
        return say.doing(order) + (f": nearer to {say.enemy_at(near)}" if near not in (None, h) else "")
    return say.doing(order)


def site(situation: Situation, order: Order) -> float:
    """How good a hex is to strengthen: our own in it, the enemy near, the objectives not far behind."""
    if order.units or not order.hexes or order.hexes[0] not in situation.grid:
        return 0.0
    h = situation.grid.hex(order.hexes[0])
    ours = sum(piece.side == situation.side for piece in situation.at.get(h, ()))
    enemy = situation.lay.distances(situation.occupied[situation.enemy]).get(h, FAR)
    return 2.0 * ours - 0.5 * enemy - 0.2 * situation.to_objectives.get(h, FAR)


def promising(situation: Situation, orders: Sequence[Order]) -> list[Order]:
    """The assaults with most strength on their side at first sight, a few for each hex."""
    rated = sorted(((ratio(situation, order), str(order), order) for order in orders), reverse=True)
    aimed: dict[str, int] = {}
    found = []
    for rate, _, order in rated:
        count = aimed.get(order.hexes[-1], 0)
        if rate >= 1.5 and count < PROMISING:
            aimed[order.hexes[-1]] = count + 1
            found.append(order)
    return found


def ratio(situation: Situation, order: Order) -> float:
    """Strength of the units of an order against those in the hex it aims at."""
    pieces = [situation.pieces[unit] for unit in order.units if unit in situation.pieces]
    ours = sum(piece.attack for piece in pieces)
    if len(pieces) > 1 and len({piece.formation for piece in pieces}) == 1 and pieces[0].formation:
        ours *= 1.2
    h = situation.grid.hex(order.hexes[-1])
    theirs = sum(piece.defence for piece in situation.at.get(h, ()) if piece.side == situation.enemy)
    return ours / (max(theirs, 0.5) * situation.lay.shelter.get(h, 1.0))


def assault(view: View | Position, situation: Situation, order: Order) -> tuple[float, float]:
    """What an overrun is worth by its exact odds, and how likely it clears the hex."""
    try:
        explanation = view.explain(order)
    except LadogaError:
        return 0.0, 0.0
    ours = [situation.pieces[unit] for unit in order.units if unit in situation.pieces]
    return outlook(situation, explanation, ours, order.hexes, busy=False)
