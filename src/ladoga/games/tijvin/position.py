"""A position of Tijvin 1941: where units stand and what they have left, whose step it is, the combat in hand.

The chapters of the rules sheet are modules above this one. Each says what an order needs to be legal and what it does;
``sequence.py`` puts them in order, and ``game.py`` says who answers what the contract asks.
"""

from __future__ import annotations

from collections.abc import Callable

from ...hexes import NOWHERE, HexMask, members
from ...kernel.position import Phase, Reachable, passed
from ...kernel.sequence import NOBODY, OVER, Side
from .battle import NOBODY_ACTIVE, Activation, Battle, Purse
from .book import SIDES, UnitMask
from .derived import Derived


class TijvinPosition(Derived):
    """A position of Tijvin 1941."""

    end_case = "14"

    # What is due ------------------------------------------------------------------------------

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
        phase = self.game.phase_at(self, at, self.agenda[-1].side if side == NOBODY else side)
        self.events = (*self.events, passed(phase))

    def open(self, at: str, to_do: object, otherwise: Callable[[TijvinPosition], None]) -> None:
        """A phase begins if there is anything to do in it; else it goes by."""
        if to_do:
            self.go(at, matter=self.agenda[0].matter)
        else:
            self.pass_by(at)
            otherwise(self)

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
        return self.game.phase_at(self, self.agenda[0].at, self.agenda[-1].side)

    def zoc(self, side: str) -> frozenset[str]:
        """The zones of control of a side (5); in a view under fog those one reckons with."""
        self.game.check_side(side)
        return frozenset(self.ground.grid.number(h) for h in members(self.whole_zone(side)))

    def extent(self, unit: str) -> Reachable | None:
        """The command range of a headquarters on the map (11)."""
        q = self.roster.hq_index.get(unit, -1)
        h = self.hq_hex[q] if q >= 0 else NOWHERE
        if h < 0:
            return None
        grid, radius = self.ground.grid, self.tables.command.of(self.roster.hqs[q].side)
        near = (number for number in grid.numbers if grid.distance(h, grid.hex(number)) <= radius)
        return Reachable("command", "11", frozenset(near))
