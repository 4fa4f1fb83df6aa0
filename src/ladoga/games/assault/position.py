"""A position of an Assault game: its state in nouns, and what the contract asks.

The chapters of the rulebook are modules beside this one; ``sequence.py`` puts them in order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from ...kernel.errors import LadogaError
from ...kernel.orders import Order
from ...kernel.position import Phase, Reachable, Reached, Trace
from ...kernel.sequence import Answers, Planned
from . import arrivals, attack, display, documents, listing, supply, victory
from .figures import SIDES, SIXTHS
from .lays import Lay
from .movement import cost_of
from .sequence import COMBAT_PHASES as COMBAT_PHASES
from .sequence import MOVEMENT_PHASES as MOVEMENT_PHASES
from .sequence import OVER, SEQUENCE
from .state import State


class AssaultPosition(State):
    """Where every unit is and what has happened so far in the phase."""

    sequence = SEQUENCE
    answers = Answers(display.table, documents.document, victory.outcome, attack.explain)

    # The contract -----------------------------------------------------------------------------

    @property
    def phase(self) -> Phase:
        """The phase of the sequence of play (4.0)."""
        return self.game.phase_at[self.agenda[-1][:2] if self.agenda else OVER]

    @property
    def choice(self) -> str | None:
        """The choice in hand, or nothing while the phase itself is open."""
        title = self.moment.title if len(self.agenda) > 1 else ""
        return f"the {title[0].lower()}{title[1:]}" if title else None

    def reach(self, units: Iterable[str] | str) -> Mapping[str, Reached]:
        """Where a unit can go in this phase."""
        names = [units] if isinstance(units, str) else list(units)
        slots = [self._unit(name) for name in names]
        moving = len(self.agenda) == 1 and self.phase.id in MOVEMENT_PHASES
        if len(slots) != 1 or not moving or self.roster[slots[0]].side != self.side:
            return {}
        return arrivals.reached(self, slots[0])

    def _unit(self, name: str) -> int:
        if name not in self.index:
            raise LadogaError(f"there is no unit {name!r}")
        return self.index[name]

    def zoc(self, side: str) -> frozenset[str]:
        """Hexes in the zones of control of a side, rigid and fluid, and those its units stand in (9.0)."""
        return frozenset(self.ground.unsorted(self._lay_of(side).zone))

    def rigid_zone(self, side: str) -> frozenset[str]:
        """Hexes in a rigid zone of a side (9.2, 9.6)."""
        return frozenset(self.ground.unsorted(self._lay_of(side).rigid))

    def zones(self, side: str) -> Mapping[str, frozenset[str]]:
        """Rigid zones (9.2, 9.6) and fluid ones (9.3)."""
        return {"rigid": self.rigid_zone(side), "fluid": frozenset(self.ground.unsorted(self._lay_of(side).fluid))}

    def _lay_of(self, side: str) -> Lay:
        self.game.check_side(side)
        return self.lays[SIDES.index(side)]

    def supply(self, unit: str) -> Trace:
        """A unit's supply: its status since the last check, and the line as it runs now."""
        return supply.trace(self, self._unit(unit))

    def extent(self, unit: str) -> Reachable | None:
        """From where the units of its corps can trace supply to a headquarters that has it itself (11.13, 11.34)."""
        index = self.index.get(unit, -1)
        if index not in self.headquarters or self.where[index] < 0:
            return None
        mask = supply.lines(self).german.get(self.roster[index].corps, 0)
        return Reachable("command", "11.13", frozenset(self.ground.numbers(mask)))

    def _orders_of(self, unit: str) -> Iterable[Order]:
        index = self.index.get(unit, -1)
        if index < 0 or self.to_move != SIDES[self.roster[index].side]:
            return ()
        moving = len(self.agenda) == 1 and self.phase.id in MOVEMENT_PHASES
        return listing.orders_of(self, index) if moving else self._orders()

    def _cost(self, order: Order) -> Fraction:
        planned = self.plan(order)
        assert isinstance(planned, Planned)
        return super()._cost(order) if len(order.hexes) == 1 else Fraction(cost_of(self, planned.plan), SIXTHS)
