"""A position of Tijvin 1941: where units stand and what they have left, whose step it is, the combat in hand.

The chapters of the rules sheet are modules beside this one. Each says what an order needs to be legal and what it does;
``sequence`` puts them in order.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from ...hexes import NOWHERE, HexMask, members
from ...kernel.errors import LadogaError
from ...kernel.orders import Order
from ...kernel.position import Phase, Reachable, Reached, Trace, passed
from ...kernel.sequence import NOBODY, OVER, Answers, Planned, SequencedPosition, Side
from . import combat, display, documents, movement, operations, secrecy, sequence, supply, victory
from .battle import NOBODY_ACTIVE, Activation, Battle, Purse
from .book import SIDES, UnitMask
from .derived import Derived
from .state import CampaignSheet, Sight, TurnSheet

if TYPE_CHECKING:
    from .book import TijvinOptions
    from .game import Tijvin


class TijvinPosition(Derived, TurnSheet, CampaignSheet, Sight, SequencedPosition):
    """A position of Tijvin 1941."""

    sequence = sequence.SEQUENCE
    answers = Answers(display.table, documents.document, victory.standing, combat.explain)
    end_case = "14"

    game: Tijvin
    if TYPE_CHECKING:  # a field of every position
        options: TijvinOptions

    # What is due ------------------------------------------------------------------------------

    @property
    def stage(self) -> str:
        """The moment in hand."""
        return self.agenda[0].at if self.agenda else OVER.id

    @property
    def side(self) -> str:
        """The side whose step or activation it is."""
        return SIDES[self.agenda[-1].side]

    @property
    def phasing(self) -> Side:
        """The same by its number."""
        return self.agenda[-1].side

    @property
    def mover(self) -> str:
        """The side that decides now."""
        return SIDES[self.agenda[0].side]

    @property
    def activation(self) -> Activation:
        """Who is activated (11)."""
        matter = self.agenda[-1].matter if self.agenda else None
        return matter if type(matter) is Activation else NOBODY_ACTIVE

    @property
    def active(self) -> UnitMask:
        """The activated units."""
        matter = self.agenda[-1].matter if self.agenda else None
        return matter.units if type(matter) is Activation else 0

    @property
    def active_hq(self) -> int:
        """The activated headquarters, or -1."""
        return self.activation.hq

    @property
    def battle(self) -> Battle | None:
        """The combat in hand."""
        matter = self.agenda[0].matter if self.agenda else None
        return matter if type(matter) is Battle else None

    @property
    def purse(self) -> Purse:
        """Replacement points that can be spent now (8)."""
        matter = self.agenda[0].matter if self.agenda else None
        return matter if type(matter) is Purse else Purse(0, 0)

    def pass_by(self, at: str, side: Side = NOBODY) -> None:
        """A phase of the side in hand, or of another, in which nothing can be done goes by, and it is told."""
        phase = sequence.phase(self, at, self.agenda[-1].side if side == NOBODY else side)
        self.events = (*self.events, passed(phase))

    def zone(self, side: str, silent: UnitMask | None = None) -> HexMask:
        """The zones of control of a side (5), if need be with other units out of supply; in a view under fog those that
        have been shown."""
        if self.shown is not None and side != self.mover:
            return self.shown
        return self.whole_zone(side) if silent is None else self.zone_without(side, silent)

    # The contract -----------------------------------------------------------------------------

    @property
    def phase(self) -> Phase:
        """The phase of the sequence of play (6)."""
        if not self.agenda:
            return OVER._replace(case=self.end_case)
        return sequence.phase(self, self.agenda[0].at, self.agenda[-1].side)

    def reach(self, units: Iterable[str] | str) -> Mapping[str, Reached]:
        """Where an activated unit or stack, or the headquarters at the end of its activation, can go."""
        names = [units] if isinstance(units, str) else list(units)
        for name in names:
            if name not in self.roster:
                raise LadogaError(f"there is no unit {name!r}")
        if any(name in self.roster.hq_index for name in names):
            return operations.reach(self, names)
        return movement.reach(self, names)

    def zoc(self, side: str) -> frozenset[str]:
        """The zones of control of a side (5); in a view under fog those one reckons with."""
        self.game.check_side(side)
        return frozenset(self.ground.grid.number(h) for h in members(self.whole_zone(side)))

    def supply(self, unit: str) -> Trace:
        """A unit's state of supply for the turn, and its line as the map stands (10)."""
        if unit not in self.roster.index and unit not in self.roster.hq_index:
            raise LadogaError(f"there is no unit {unit!r}")
        return supply.trace(self, unit)

    def extent(self, unit: str) -> Reachable | None:
        """The command range of a headquarters on the map (11)."""
        q = self.roster.hq_index.get(unit, -1)
        h = self.hq_hex[q] if q >= 0 else NOWHERE
        if h < 0:
            return None
        grid, radius = self.ground.grid, self.tables.command.of(self.roster.hqs[q].side)
        near = (number for number in grid.numbers if grid.distance(h, grid.hex(number)) <= radius)
        return Reachable("command", "11", frozenset(near))

    # Hooks ------------------------------------------------------------------------------------

    def _orders_of(self, unit: str) -> Iterable[Order]:
        u = self.roster.index.get(unit, -1)
        if self.stage == "movement" and u >= 0:
            return movement.orders_of(self, u) if u in movement.movers(self) else ()
        return self._orders()

    def _cost(self, order: Order) -> Fraction:
        planned = self.plan(order)
        if isinstance(planned, Planned) and isinstance(planned.plan, movement.March):
            return Fraction(planned.plan.way.cost)
        return super()._cost(order)

    def _seen_by(self, side: str) -> TijvinPosition:
        return secrecy.seen_by(self, side)

    def _imagined(self, side: str, rng: random.Random) -> TijvinPosition:
        return secrecy.imagined(self, side, rng)
