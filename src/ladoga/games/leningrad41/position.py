"""A position of Leningrad '41: what the contract asks, and which chapter answers."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from ...kernel.errors import LadogaError
from ...kernel.orders import Order
from ...kernel.position import CHANCE, Outcome, Position, Reachable, Reached, Trace
from ...kernel.sequence import Answers, Planned
from . import display, documents, fire, listing, odds, reaching, sequence, victory, waits, ways
from .counters import SIDES
from .derived import remembered
from .fog import imagined, seen_by
from .state import G_MOVE, S_MOVE, State, Step

if TYPE_CHECKING:
    from typing import Self

_DICE = frozenset(moment.id for moment in sequence.DICE)
_ROLLS = sequence.SEQUENCE.rolls
_STEPS = frozenset(moment.id for moment in (*sequence.AUTOMATIC, *sequence.CHOICES, *sequence.DRAWS))
"""The kinds of steps that can be pending."""


class CityPosition(State):
    """A position of Leningrad '41."""

    sequence = sequence.SEQUENCE
    answers = Answers(display.table, documents.document, victory.standing, odds.explain)

    # Reading ------------------------------------------------------------------------------------------

    @property
    def to_move(self) -> str | None:
        """The side to order next, ``chance``, or nobody."""
        if self.result:
            return None
        at, side, _ = self.agenda[0]
        return CHANCE if at in _ROLLS else SIDES[side]

    @property
    def prompt(self) -> str:
        """What the side to move is asked to do."""
        if self.agenda[0].at in self.sequence.rolls:
            chance = self.chance
            return f"Waiting for {chance.title}" if chance is not None else self.phase.title
        if len(self.agenda) == 1 and self.attack is not None:
            return f"Compose the fire at {self.number(self.attack.target)}"
        return super().prompt

    @property
    def choice(self) -> str | None:
        """The choice in hand: one that play waits for, or the fire being composed (10.2)."""
        if len(self.agenda) == 1:
            return "the fire being composed" if self.attack is not None else None
        return super().choice

    @property
    def stage(self) -> str:
        """The moment in hand; a fire that is being composed is within that of its phase (10.2)."""
        return "compose" if len(self.agenda) == 1 and self.attack is not None else super().stage

    @property
    def outcome(self) -> Outcome | None:
        """The result, once there is one (4.0)."""
        return victory.outcome(self, self.result) if self.result else None

    @property
    def standing(self) -> Outcome:
        """The result if the game ended now."""
        return self.outcome or super().standing

    def reach(self, units: Iterable[str] | str) -> Mapping[str, Reached]:
        """Where a unit can go in this phase; units move one at a time (8.4)."""
        names = [units] if isinstance(units, str) else list(units)
        pieces = [self._known(name) for name in names]
        if len(pieces) != 1 or self.phase_number not in (G_MOVE, S_MOVE) or self.result:
            return {}
        return reaching.reach(self, pieces[0])

    def _known(self, name: str) -> int:
        piece = self.piece(name)
        if piece is None:
            raise LadogaError(f"there is no unit {name!r}")
        return piece

    def zoc(self, side: str) -> frozenset[str]:
        """There are no zones of control; these are the hexes in which a side may fire at moving
        enemies (9.1)."""
        self.game.check_side(side)
        return self._zone(1 - SIDES.index(side))

    @remembered
    def _zone(self, enemy: int) -> frozenset[str]:
        return frozenset(self.ground.numbers(ways.watched(self, enemy)))

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

    # Orders ---------------------------------------------------------------------------------------------

    def _orders_of(self, unit: str) -> Iterable[Order]:
        piece = self.piece(unit)
        if piece is None:
            return []
        if len(self.agenda) == 1 and self.phase_number in (G_MOVE, S_MOVE):
            return listing.orders_of(self, piece) if self.roster.side[piece] == self.side else []
        return self._orders()

    def _some(self, rng: random.Random) -> Order:
        roll = _ROLLS.get(self.agenda[0].at)
        if self.result or roll is None:
            return super()._some(rng) if not self.result else Position._some(self, rng)
        return roll.chance(self).sample(rng)

    def _cost(self, order: Order) -> Fraction:
        if order.verb != "move":
            raise LadogaError(f"{order} spends no movement points")
        planned = self.plan(order)
        assert isinstance(planned, Planned)
        return Fraction(reaching.cost_along(self, planned.plan))

    # Playing ----------------------------------------------------------------------------------------------

    def _apply(self, order: Order) -> None:
        before = self.agenda
        super()._apply(order)
        if self.agenda is before:  # nobody may be left to go on with what is in hand
            self.settle()

    def settle(self) -> None:
        """Do everything that needs no choice and no chance: walk on, resolve, go to the next phase."""
        automatic = self.sequence.automatic
        while len(self.agenda) > 1 and not self.result:
            at, _, step = self.agenda[0]
            if at in automatic:
                automatic[at].carry_out(self)
            elif at in sequence.PASSES and sequence.PASSES[at][0](self, step):
                sequence.PASSES[at][1](self, self.pop())
            else:
                return

    def begin(self) -> None:
        """Open the phase of a document that says nothing of what was done in it."""
        sequence.begin_phase(self)
        self.settle()

    def knows(self, step: Step) -> bool:
        """Whether a step is one that can be pending."""
        if step.kind == "die":
            return len(step.words) == 1 and step.words[0] in _DICE
        if step.kind == "draw":
            return len(step.words) == 1
        return step.kind in _STEPS

    def cannot_wait(self, step: Step, *, first: bool) -> str:
        """What is wrong with a pending step of a document, or nothing."""
        wrong = waits.problem(self, step)
        if wrong or not first or self.masked:
            return wrong
        if step.kind in self.sequence.automatic:
            return f"{step.kind!r} happens by itself and cannot be what the game waits for"
        return waits.first_problem(self, step)

    # What a side may know (6.5, 6.6) --------------------------------------------------------------------------

    def _seen_by(self, side: str) -> Self:
        return seen_by(self, side)

    def _imagined(self, side: str, rng: random.Random) -> Self:
        return imagined(self, rng)
