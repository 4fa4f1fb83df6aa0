"""The general: plans whole turns on the reading of the board that the game's family publishes.

Who moves where and who strikes whom is planned together (``planner``), judged after the enemy's best reply and the next
look at supply, and improved as long as there is time. Games whose family publishes no prospect yet are played by the
race of tempers (``race``), or by what their doctrine plays out in the mind.
"""

from __future__ import annotations

import random
import time
from collections.abc import Hashable, Sequence
from threading import Event

from ..kernel.orders import END, Order, Role
from ..kernel.position import View
from ..kernel.prospect import UnitMask, published
from .city import command, commanded
from .doctrine import doctrine_of
from .planner.appraisal import Weights
from .planner.conduct import Conduct
from .planner.weights import weights_of
from .player import AS_PLANNED, of_units, verbs_of, with_role
from .race import NODES, RacingPlayer

ONWARD = 0.04
"""Part of it in which those who overran think where to go on to."""
REST = 0.12
"""Seconds of a turn that other decisions take."""
DEEP = 0.3
"""Plans with so much of the time look past the own turn."""
PLANS = 2
"""How often a phase is planned anew, unless overruns change the board."""
RACE = 0.55
"""Part of the time that the race of tempers takes where its winner is a draft for a plan."""
MENDING, AGAIN = ((0.27, 0.04, 0.0, 0.0), (0.1, 0.02, 0.0, 0.0)), 4
"""Parts of the time that the plans of a phase of movement take then, and those of a second one; how often a phase is
drafted anew, for units in front must be gone before those behind find room."""
SHARES = (0.6, 0.1)
"""Parts of the time of a turn that the plans of a phase take."""
GOING = (Role.GO, Role.ENTER)


def _marched_before(view: View) -> bool:
    """Whether the side has had another phase of movement in this turn."""
    game = view.game
    phases = [phase.id for phase in game.phases if phase.side == view.side and Role.GO in game.opens(phase)]
    return view.phase.id in phases[1:]


class Work:
    """A fixed amount of work: stands judged."""

    def __init__(self, most: float) -> None:
        self.most, self.done = max(1.0, most), 0

    def spend(self, looks: int) -> None:
        """So many stands have been judged."""
        self.done += looks

    def used(self) -> float:
        """The part that is done."""
        return self.done / self.most


class Watch:
    """A span of time, which the player can be told to cut short."""

    def __init__(self, seconds: float, told: Event | None = None) -> None:
        self.begun, self.seconds, self.told = time.monotonic(), max(1e-3, seconds), told or Event()

    def spend(self, looks: int) -> None:
        """Only time counts."""

    def used(self) -> float:
        """The part that has passed; all of it once the player was told to stop."""
        return 1.0 if self.told.is_set() else (time.monotonic() - self.begun) / self.seconds


class GeneralPlayer(RacingPlayer):
    """Plans each turn as a whole."""

    name = "general"

    def __init__(self, *, seed: int = 0, think: float | None = None, nodes: int = NODES) -> None:
        super().__init__(seed=seed, think=think, nodes=nodes)
        self.weights: Weights | None = None
        """Weights of its own, in place of those of the game and side."""
        self._conduct: Conduct | None = None
        self._clock: Work | Watch | None = None
        self._moment: tuple[int, str] | None = None
        self._made = 0
        self._rushing = True
        """Whether anybody may overrun, not only those who have just moved."""
        self._last: tuple[str, ...] = ()
        self._rest: list[Order] = []
        """Orders of a draft for units that the plan leaves out."""

    def _directed(self, view: View, rng: random.Random) -> Order | None:
        """By plan where the game's doctrine, which knows every decision, leaves room for one."""
        doctrine = doctrine_of(view.game.id)
        if self.planned or not doctrine.drafted(view):
            return None
        moment = doctrine.moment(view)
        if moment is not None:
            self.ponder(view, moment, rng)
        return self._manoeuvre(view, rng)

    def ponder(self, view: View, moment: Hashable, rng: random.Random) -> None:
        """Where there is a plan to come, the race has only a part of the time; where a commander orders, none."""
        if commanded(view):
            return
        think, nodes = self.think, self.nodes
        if published(view.game) and doctrine_of(view.game.id).drafted(view):
            self.think, self.nodes = think and RACE * think, round(RACE * nodes)
        super().ponder(view, moment, rng)
        self.think, self.nodes = think, nodes

    def _manoeuvre(self, view: View, rng: random.Random) -> Order | None:
        """The next order of a phase that is planned on the staff's drafts; whom the plan leaves out go as drafted."""
        moment = (view.turn, view.phase.id)
        if moment != self._moment:
            self._moment, self._made, self._rest = moment, 0, []
        order = self._next_of_rest(view, Role.CHOOSE) if self._made else None
        order = order or self.conduct.next(view)
        while order is None and self._made < AGAIN:
            drafts = doctrine_of(view.game.id).drafts(view, self.bias)
            self._clock = clock = self._span(MENDING[_marched_before(view)][self._made])
            prospect = self.conduct.prospect(view)
            self.conduct.plan(view, rng, clock, drafts=drafts, cores=self.at_once)
            self.told.clear()
            self._rest = [
                order for draft in drafts[:1] for order in draft
                if view.game.role(order) not in GOING or order.units[0] not in prospect.names
                or not prospect.reach(prospect.names[order.units[0]])
            ]  # fmt: skip
            self._made += 1
            order = self._next_of_rest(view, Role.CHOOSE) or self.conduct.next(view)
        order = order or self._next_of_rest(view)
        self.reason = self.conduct.intent
        if order is None and view.why_not(END) is None:
            self.reason = AS_PLANNED
            return END
        return order

    def _next_of_rest(self, view: View, role: Role | None = None) -> Order | None:
        for order in self._rest:
            if (role is None or view.game.role(order) is role) and view.why_not(order) is None:
                self._rest.remove(order)
                return order
        return None

    @property
    def conduct(self) -> Conduct:
        """The plan in hand."""
        assert self._conduct is not None
        return self._conduct

    def choose(self, view: View, rng: random.Random) -> Order:
        """As the plan of the turn has it, where the game's family publishes a prospect, or as its commander orders."""
        self.look(view)
        if not self.planned and commanded(view):
            order = command(self, view, rng)
            if order is not None:
                return order
        if self._conduct is None and published(view.game):
            enemy = next(side for side in view.game.sides if side != view.side)
            weights = self.weights or weights_of(view.game.id, view.side)
            self._conduct = Conduct(weights, weights_of(view.game.id, enemy))
        directed = self._directed(view, rng) if published(view.game) else None
        return directed or super().choose(view, rng)

    def march(self, view: View, orders: Sequence[Order], rng: random.Random) -> Order:
        """The next order of the plan; reinforcements when the others have moved."""
        if not published(view.game):
            return super().march(view, orders, rng)
        moment = (view.turn, view.phase.id)
        if moment != self._moment:
            self._moment, self._made, self._rushing, self._last = moment, 0, True, ()
        order = self._rush(view, orders, rng) or self.conduct.next(view)
        while order is None and self._made < PLANS:
            self._plan(view, rng, SHARES[self._made])
            self._made += 1
            order = self.conduct.next(view)
        if order is None and self.conduct.crowded(view):
            order = self.conduct.overrun(view, with_role(view.game, orders, Role.STRIKE), pressed=True)
            if order is not None:
                self._made, self._rushing = min(self._made, 1), True
        if order is None and self.conduct.crowded(view):
            order = self.conduct.disperse(view, rng)
        if order is None:
            entering = with_role(view.game, orders, Role.ENTER)
            if entering:
                order = self.conduct.enter(view, entering)
            elif END not in orders:  # somebody may not stay where he is
                self._plan(view, rng, ONWARD)
                order = self.conduct.next(view)
        if order is not None:
            self._last, self.reason = order.units, self.conduct.reason
            return order
        self.reason = AS_PLANNED
        return END if END in orders else super().march(view, orders, rng)

    def _rush(self, view: View, orders: Sequence[Order], rng: random.Random) -> Order | None:
        """An overrun that pays: of those who have just moved, and once nothing else is planned, of anybody."""
        ready = with_role(view.game, orders, Role.STRIKE)
        if not ready:
            self._rushing = False
            return None
        order = self.conduct.overrun(view, of_units(ready, self._last)) if self._last else None
        if order is None and self._rushing:
            if self._last:
                self._plan(view, rng, ONWARD, self.conduct.prospect(view).under_way())
                order, self._last = self.conduct.next(view), ()
            if order is None:
                order = self.conduct.overrun(view, ready)
            self._rushing = order is not None
        if order is not None and view.game.role(order) is Role.STRIKE:
            self._made, self._rushing = min(self._made, 1), True
        return order

    @property
    def progress(self) -> float:
        """The part of the plan's time that is used up, where there is a plan, else of the race's."""
        return super().progress if self._clock is None else min(1.0, self._clock.used())

    def _plan(self, view: View, rng: random.Random, share: float, only: UnitMask = -1) -> None:
        self._clock = clock = self._span(share)
        self.conduct.plan(view, rng, clock, only, deep=share >= DEEP, cores=self.at_once)
        self.told.clear()

    def _span(self, share: float) -> Work | Watch:
        """The part of the turn's work or time for a plan; the longer the time, the more of it is for the first one."""
        if self.think is None:
            return Work(self.nodes * share)
        seconds = self.think * share
        if share >= DEEP:
            seconds = max(0.6 * seconds, 0.85 * (self.think - REST))
        return Watch(seconds, self.told)

    def fight(self, view: View, orders: Sequence[Order], rng: random.Random) -> Order:
        """The best attack that is left."""
        if not published(view.game) or not with_role(view.game, orders, Role.AIM):
            return super().fight(view, orders, rng)
        planned = self.conduct.attack(view)
        if planned:
            self.planned, self.reason, self.intent = planned, self.conduct.reason, self.conduct.reason
            return self.planned.pop(0)
        if END in orders:
            self.reason = "No attack is worth its losses"
            return END
        return super().fight(view, orders, rng)

    def settle(self, view: View, orders: Sequence[Order], rng: random.Random) -> Order:
        """Losses, retreats and advances by how the whole stands afterwards."""
        if published(view.game):
            if with_role(view.game, orders, Role.ADVANCE):
                order = self.conduct.advance(view, orders)
                self.reason = self.conduct.reason
                return order
            if with_role(view.game, orders, Role.LOSE, Role.RETREAT):
                order = self.conduct.suffer(view, orders)
                self.reason = self.conduct.reason
                return order
        return super().settle(view, orders, rng)

    def decide(self, view: View, orders: Sequence[Order], rng: random.Random) -> Order:
        """As the staff, but for what the plan decides."""
        if published(view.game):
            roles = {view.game.grammar.verbs[verb].role for verb in verbs_of(orders)}
            if roles & {Role.ADVANCE, Role.LOSE, Role.RETREAT}:
                return self.settle(view, orders, rng)
            if roles == {Role.SUPPORT}:
                order = self.conduct.guard(view, orders)
                self.reason = self.conduct.reason
                return order
            if roles == {Role.SUPPORT, Role.END} and self.conduct.withhold(view):
                self.reason = self.conduct.reason
                return END
        return super().decide(view, orders, rng)
