"""A position of Leningrad '41: the sequence of play (5.0), and which chapter answers for what."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from ...kernel.chance import Chance
from ...kernel.errors import LadogaError
from ...kernel.orders import END, Order
from ...kernel.position import CHANCE, Explanation, Outcome, Reachable, Reached, Refusal, Trace, passed
from ...kernel.table import Table
from . import arrivals, display, documents, fire, movement, odds, pontoons, set_up, victory, waits
from .counters import SIDES, SOVIET
from .fog import imagined, seen_by
from .state import (
    G_AIR,
    G_ARRIVE,
    G_FIRE,
    G_MOVE,
    PHASES,
    S_ARRIVE,
    S_FIRE,
    S_MOVE,
    SET_UP,
    State,
    Step,
)

if TYPE_CHECKING:
    from typing import Self

CONCEDE = Order("concede")


class Die(NamedTuple):
    """A kind of die: what is rolled, and what a face brings."""

    chance: Callable[[State, Step], Chance]
    rolled: Callable[[State, Step, int], None]


class Choice(NamedTuple):
    """A step at which a side has to choose."""

    orders: Callable[[State, Step], Iterator[Order]]
    refusal: Callable[[State, Step, Order], Refusal | None]
    apply: Callable[[State, Step, Order], None]
    prompt: str
    name: str


class Chapter(NamedTuple):
    """The rules of a phase while no step is pending; ``some`` gives an order at random, ``busy`` says whether anything
    can be done in the phase at all."""

    orders: Callable[[State], Iterable[Order]]
    refusal: Callable[[State, Order], Refusal | None]
    apply: Callable[[State, Order], None]
    some: Callable[[State, random.Random], Order]
    busy: Callable[[State], bool]


_SCHEDULE = Die(arrivals.die_chance, arrivals.die_rolled)
_LANDING = Die(movement.landing_die, movement.landing_rolled)
_FIRE_DIE = Die(fire.fire_die, fire.fire_rolled)

_DICE = {
    "states": Die(set_up.states_die, set_up.set_states),
    **dict.fromkeys(("corps", "first-division", "third-division", "later", "tie", "lfr"), _SCHEDULE),
    "metro": Die(movement.metro_die, movement.metro_rolled),
    **dict.fromkeys(("landing", "drift"), _LANDING),
    **dict.fromkeys(("fire", "bridge", "structure", "rubble", "fleet"), _FIRE_DIE),
}

_AUTOMATIC: dict[str, Callable[[State, Step], None]] = {
    "walk": movement.walk,
    "settle-stacks": movement.settle_stacks,
    "strike": fire.strike,
    "aftermath": fire.aftermath,
    "finish": fire.finish,
    "join": fire.join,
    "shoot": fire.shoot,
    "after-defensive": fire.after_defensive,
}
OPEN = Step("open")
"""The moment when the dice that open a phase have fallen, and it shows whether anything can be done in it."""

_CHOICES = {
    "host": Choice(
        arrivals.host_orders, arrivals.host_refusal, arrivals.host_apply,
        "Place the replacement on a unit of its sub-command", "the place of the replacement",
    ),
    "offer": Choice(
        fire.offer_orders, fire.offer_refusal, fire.offer_apply,
        "Fire at the moving unit, or let it pass", "the defensive fire that is offered",
    ),
    "lose": Choice(
        fire.lose_orders, fire.lose_refusal, fire.lose_apply,
        "Choose the assaulting unit that is lost", "the loss for a fanatical assault",
    ),
    "advance": Choice(
        fire.advance_orders, fire.advance_refusal, fire.advance_apply,
        "Advance into the vacated hex, or end", "the advance after combat",
    ),
    "repair": Choice(
        movement.repair_orders, movement.repair_refusal, movement.repair_apply,
        "Settle the over-stack", "the over-stack that is to be settled",
    ),
}  # fmt: skip

_MOVEMENT = Chapter(movement.orders, movement.refusal, movement.apply, movement.some_order, movement.busy)
_FIRE = Chapter(fire.orders, fire.refusal, fire.apply, fire.some_order, fire.busy)

_CHAPTERS = {
    SET_UP: Chapter(set_up.orders, set_up.refusal, set_up.apply, set_up.some_order, set_up.busy),
    G_ARRIVE: Chapter(
        arrivals.german_orders, arrivals.german_refusal, arrivals.german_apply, arrivals.german_some,
        arrivals.german_busy,
    ),
    G_AIR: _FIRE,
    G_MOVE: _MOVEMENT,
    G_FIRE: _FIRE,
    S_ARRIVE: Chapter(
        arrivals.soviet_orders, arrivals.soviet_refusal, arrivals.soviet_apply, arrivals.soviet_some,
        arrivals.soviet_busy,
    ),
    S_MOVE: _MOVEMENT,
    S_FIRE: _FIRE,
}  # fmt: skip


class CityPosition(State):
    """A position of Leningrad '41."""

    __slots__ = ()

    # Reading ------------------------------------------------------------------------------------------

    @property
    def to_move(self) -> str | None:
        """The side to order next, ``chance``, or nobody."""
        if self.result:
            return None
        if not self.pending:
            return PHASES[self.phase_number].side
        kind = self.pending[0].kind
        if kind in ("die", "draw", "reveal"):
            return CHANCE
        side = self.side
        return SIDES[1 - side] if kind in ("offer", "repair") else SIDES[side]

    @property
    def prompt(self) -> str:
        """What the side to move is asked to do."""
        if self.pending:
            step = self.pending[0]
            if step.kind in _CHOICES:
                about = f": {self.unit(step.piece).id}" if step.piece >= 0 else ""
                return _CHOICES[step.kind].prompt + about
            chance = self.chance
            return f"Waiting for {chance.title}" if chance is not None else self.phase.title
        if self.attack is not None:
            return f"Compose the fire at {self.number(self.attack.target)}"
        return self.phase.title

    @property
    def choice(self) -> str | None:
        """The choice in hand: one that play waits for, or the fire being composed (10.2)."""
        if self.pending:
            step = self.pending[0]
            return _CHOICES[step.kind].name if step.kind in _CHOICES else None
        return "the fire being composed" if self.attack is not None else None

    @property
    def outcome(self) -> Outcome | None:
        """The result, once there is one (4.0)."""
        return victory.outcome(self, self.result) if self.result else None

    @property
    def standing(self) -> Outcome:
        """The result if the game ended now."""
        return self.outcome or victory.standing(self)

    def reach(self, units: Iterable[str] | str) -> Mapping[str, Reached]:
        """Where a unit can go in this phase; units move one at a time (8.4)."""
        names = [units] if isinstance(units, str) else list(units)
        pieces = [self._known(name) for name in names]
        if len(pieces) != 1 or self.phase_number not in (G_MOVE, S_MOVE) or self.result:
            return {}
        return movement.reach(self, pieces[0])

    def _known(self, name: str) -> int:
        piece = self.piece(name)
        if piece is None:
            raise LadogaError(f"there is no unit {name!r}")
        return piece

    def zoc(self, side: str) -> frozenset[str]:
        """There are no zones of control; these are the hexes in which a side may fire at moving
        enemies (9.1)."""
        self.game.check_side(side)
        known: frozenset[str] | None = self.cache.get(("zoc", side))
        if known is None:
            mask = 0
            for piece in self.on_map(SIDES.index(side)):
                if self.unit(piece).fires_defensively:
                    mask |= 1 << self.where[piece]
            known = self.cache["zoc", side] = frozenset(self.ground.numbers(self.map.grid.ring(mask)))
        return known

    def supply(self, unit: str) -> Trace:
        """There is no supply in this game: every unit always has it."""
        self._known(unit)
        return Trace(True, message="this game has no supply rules")

    def extent(self, unit: str) -> Reachable | None:
        """The hexes a unit may fire at from where it stands, and those in range that it does not see (10.6, 10.7)."""
        piece = self.roster.index.get(unit, -1)
        known = next((mask for side in range(len(SIDES)) for gun, mask in fire.guns(self, side) if gun == piece), None)
        if known is None:
            return None
        h = self.where[piece]
        near = self.ground.within(h, self.roster.units[piece].range) & ~(1 << h)
        numbers = self.ground.numbers
        return Reachable("fire", "10.6", frozenset(numbers(known)), frozenset(numbers(near & ~known)))

    def explain(self, order: Order | str) -> Explanation:
        """A fire in numbers, before it is made."""
        return odds.explain(self, order if isinstance(order, Order) else self.game.parse(order))

    def table(self) -> Table:
        """Everything there is to draw."""
        return display.table(self)

    def document(self) -> dict[str, Any]:
        """The position as a document."""
        return documents.document(self)

    # Orders ---------------------------------------------------------------------------------------------

    def _flips(self) -> Iterator[Order]:
        if self.phase_number in (S_ARRIVE, S_FIRE) and self.attack is None:
            units, backs = self.roster.units, self.roster.backs.start
            for piece in self.on_map(SOVIET):
                if piece >= backs:
                    yield Order("flip", (units[piece].id,))

    def _orders(self) -> Iterable[Order]:
        if self.pending:
            step = self.pending[0]
            return _CHOICES[step.kind].orders(self, step)
        orders = _CHAPTERS[self.phase_number].orders(self)
        return chain(self._flips(), orders) if self.phase_number in (S_ARRIVE, S_FIRE) else orders

    def _orders_of(self, unit: str) -> Iterable[Order]:
        piece = self.piece(unit)
        if piece is None:
            return []
        if not self.pending and self.phase_number in (G_MOVE, S_MOVE):
            return movement.orders_of(self, piece) if self.roster.side[piece] == self.side else []
        return self._orders()

    def _random(self, rng: random.Random) -> Order:
        if self.pending:
            step = self.pending[0]
            if step.kind == "offer":
                return fire.offer_some(self, step, rng)
            return rng.choice(list(_CHOICES[step.kind].orders(self, step)))
        if self.phase_number == S_FIRE and self.attack is None and rng.random() < 0.5:
            flips = list(self._flips())
            if flips:
                return rng.choice(flips)
        return _CHAPTERS[self.phase_number].some(self, rng)

    def _cost(self, order: Order) -> Fraction:
        if order.verb != "move":
            raise LadogaError(f"{order} spends no movement points")
        return Fraction(movement.cost_along(self, order))

    def _refusal(self, order: Order) -> Refusal | None:
        if order == CONCEDE:
            return None
        if self.pending:
            step = self.pending[0]
            return _CHOICES[step.kind].refusal(self, step, order)
        if order.verb == "flip" and self.phase_number in (S_ARRIVE, S_FIRE) and self.attack is None:
            piece = self.piece(order.units[0]) if len(order.units) == 1 else None
            return Refusal("6.6", "flip one unit at a time") if piece is None else movement.flip_refusal(self, piece)
        return _CHAPTERS[self.phase_number].refusal(self, order)

    # Playing ----------------------------------------------------------------------------------------------

    def _chance(self) -> Chance:
        step = self.pending[0]
        if step.kind == "draw":
            return arrivals.draw_chance(self, step)
        if step.kind == "reveal":
            return arrivals.reveal_chance(self, step)
        return _DICE[step.words[0]].chance(self, step)

    def _apply(self, order: Order) -> None:
        if self.pending:
            self._apply_step(self.pending[0], order)
        elif order == CONCEDE:
            self._concede()
        elif order.verb == "flip":
            self.push(Step("reveal", self.roster.index[order.units[0]]))
        else:
            _CHAPTERS[self.phase_number].apply(self, order)
        self._settle()

    def _apply_step(self, step: Step, order: Order) -> None:
        if step.kind == "draw":
            arrivals.drawn(self, step, self.roster.index[order.units[0]])
        elif step.kind == "reveal":
            arrivals.revealed(self, step, self.roster.index[order.units[0]])
        elif step.kind == "die":
            face = order.words[0]
            chance = self._chance()
            self.say("die", chance.case, "Rolled {} for {}", face, chance.title)
            _DICE[step.words[0]].rolled(self, step, int(face))
        elif order == CONCEDE:
            self._concede()
        else:
            _CHOICES[step.kind].apply(self, step, order)

    def _concede(self) -> None:
        side = self.to_move
        self.result = f"{side}-concedes"
        self.say("end", "5.4", "The {} player concedes", str(side).capitalize())

    def _settle(self) -> None:
        """Do everything that needs no choice and no chance: walk on, resolve, go to the next phase. A phase lasts
        until its player ends it, even if nothing is left to do in it (5.1); one in which nothing can be done from the
        first passes."""
        while self.pending and not self.result:
            step = self.pending[0]
            if step.kind in _AUTOMATIC:
                _AUTOMATIC[step.kind](self, step)
            elif step.kind == "next-phase":
                self.pop()
                self._next_phase()
            elif step.kind == OPEN.kind:
                self.pop()
                if not self._anything_to_do():
                    self.events += (passed(self.phase),)
                    _CHAPTERS[self.phase_number].apply(self, END)
            elif step.kind == "draw":
                if step.number > 0 and arrivals.left_in_pool(self, step.words[0]):
                    return
                self.pop()
            elif step.kind == "reveal":
                if not arrivals.uncover(self, step):
                    return
            elif step.kind == "advance" and not fire.advancers(self, step):
                self.pop()
            elif step.kind == "offer" and not fire.firers(self, step):
                self.pop()
                self.attack = None
            else:
                return

    def _next_phase(self) -> None:
        """Go on in the sequence of play (5.2); the Soviet reinforcement phase is skipped on turn 1."""
        self.clear_phase()
        if self.phase_number == S_FIRE:
            self._end_turn()
            return
        self.phase_number += 1
        if self.phase_number == S_ARRIVE and self.turn < self.tables.soviet_arrivals.from_turn:
            self.phase_number += 1
        self._begin_phase()

    def _end_turn(self) -> None:
        """The end of a complete game turn (4.3-4.5, 5.2)."""
        self.result = victory.check(self)
        if self.result:
            winner, level, case = victory.CASES[self.result]
            self.say("end", case, "The game ends: {} {}", winner.capitalize(), level)
            return
        self.turn += 1
        self.phase_number = G_ARRIVE
        self.say("turn", "5.2", "Turn {}", self.turn)
        arrivals.fleet_returns(self)
        self._begin_phase()

    def begin(self) -> None:
        """Open the phase of a document that says nothing of what was done in it."""
        self._begin_phase()
        self._settle()

    def _anything_to_do(self) -> bool:
        """Whether the phase that opens has an order but its end."""
        return next(self._flips(), None) is not None or _CHAPTERS[self.phase_number].busy(self)

    def _begin_phase(self) -> None:
        phase = self.phase_number
        self.say("phase", self.phase.case, "{}", self.phase.title, side=self.phase.side)
        self.push(OPEN)
        if phase == G_ARRIVE:
            arrivals.begin_german(self)
        elif phase == S_ARRIVE:
            arrivals.begin_soviet(self)
        elif phase in (G_MOVE, S_MOVE):
            pontoons.stand_all(self)

    def knows(self, step: Step) -> bool:
        """Whether a step is one that can be pending."""
        if step.kind == "die":
            return len(step.words) == 1 and step.words[0] in _DICE
        if step.kind == "draw":
            return len(step.words) == 1
        return step.kind in _AUTOMATIC or step.kind in _CHOICES or step.kind in ("reveal", "next-phase", OPEN.kind)

    def cannot_wait(self, step: Step, *, first: bool) -> str:
        """What is wrong with a pending step of a document, or nothing."""
        wrong = waits.problem(self, step)
        if wrong or not first or self.masked:
            return wrong
        if step.kind in _AUTOMATIC or step.kind in ("next-phase", OPEN.kind):
            return f"{step.kind!r} happens by itself and cannot be what the game waits for"
        return waits.first_problem(self, step)

    # What a side may know (6.5, 6.6) --------------------------------------------------------------------------

    def _seen_by(self, side: str) -> Self:
        return seen_by(self, side)

    def _imagined(self, side: str, rng: random.Random) -> Self:
        return imagined(self, rng)
