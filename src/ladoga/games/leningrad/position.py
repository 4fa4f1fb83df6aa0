"""A position of Leningrad: its state in three nouns, what is derived of it, and what the contract asks.

The chapters of the rulebook are modules beside this one; ``sequence.py`` puts them in order.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from ...hexes import members
from ...kernel.errors import LadogaError
from ...kernel.orders import Order
from ...kernel.position import Phase, Reached, Trace
from ...kernel.sequence import NOBODY, Answers, Item, Planned, SequencedPosition
from . import bidding, combat, display, documents, listing, victory
from .derived import Derived
from .edition import SIDES
from .fight import Fight
from .movement import Movement
from .pieces import points
from .sequence import OVER, SEQUENCE
from .state import CampaignSheet, PhaseSheet
from .supply import trace

if TYPE_CHECKING:
    from .edition import LeningradOptions
    from .game import Leningrad


class LeningradPosition(SequencedPosition, Derived, PhaseSheet, CampaignSheet):
    """A position of either edition."""

    game: Leningrad
    if TYPE_CHECKING:  # a field of every position
        options: LeningradOptions
    sequence = SEQUENCE
    answers = Answers(display.table, documents.document, victory.standing, combat.explain)

    @property
    def mover(self) -> int:
        """The side whose phase it is."""
        return self.agenda[-1].side if self.agenda else NOBODY

    @property
    def fight(self) -> Fight | None:
        """The fight in hand."""
        matter = self.agenda[0].matter if self.agenda else None
        return matter if isinstance(matter, Fight) else None

    def enter(self, at: str, side: int) -> None:
        """Stand at the beginning of a phase."""
        self.agenda = (Item(at, side),) if at != OVER[0] else ()

    def case(self, case: str) -> str:
        """A case of the first edition as this one numbers it."""
        return self.game.renumbered.get(case, case)

    # The contract -----------------------------------------------------------------------------

    @property
    def phase(self) -> Phase:
        """The phase of the sequence of play (3.0)."""
        bottom = self.agenda[-1] if self.agenda else OVER
        return self.game.phase_at[bottom[0], bottom[1]]

    def zoc(self, side: str) -> frozenset[str]:
        """Hex numbers in the zones of control of a side."""
        names = self.ground.names
        return frozenset(names[h] for h in members(self.zone(self._side(side))))

    def supply(self, unit: str) -> Trace:
        """A unit's line of supply (11.0)."""
        return trace(self, self.slot(unit))

    def reach(self, units: Iterable[str] | str) -> Mapping[str, Reached]:
        """Where a unit or stack can move in its phase."""
        names = units.split("+") if isinstance(units, str) else units
        slots = tuple(sorted(self.slot(name) for name in names))
        if not 1 <= len(slots) <= 3 or len({self.hexes[slot] for slot in slots}) != 1 or self.hexes[slots[0]] < 0:
            raise LadogaError("reach is asked for one to three units in one hex")
        ended = [slot for slot in slots if self.moved >> slot & 1 and slot not in self.active]
        return {} if ended else Movement(self, slots).by_number()

    def _side(self, side: str) -> int:
        if side not in SIDES:
            raise LadogaError(f"there is no side {side!r}; sides: {', '.join(SIDES)}")
        return SIDES.index(side)

    @property
    def seats(self) -> Mapping[str, str]:
        """Who plays each side; the players change seats when the bid of the Soviet seat wins (18.4)."""
        return bidding.seats(self)

    @property
    def sides_open(self) -> bool:
        """Whether the players still bid for the German side (18.4)."""
        return bool(self.agenda) and self.agenda[-1].at in ("bid", "lot")

    def _seen_by(self, side: str) -> LeningradPosition:
        return self if self.auction is None else bidding.seen_by(self, side)

    def _imagined(self, side: str, rng: random.Random) -> LeningradPosition:
        return bidding.imagined(self, rng)

    def _orders_of(self, unit: str) -> Iterable[Order]:
        if unit not in self.by_name:
            return ()
        return listing.orders_of(self, self.slot(unit)) if self.agenda[0].at == "movement" else self._orders()

    def _reaches(self, unit: str, target: Order) -> bool:
        targets = (*(self.fight.targets if self.fight else ()), self.ground.grid.hex(target.hexes[0]))
        return combat.why_no_attacker(self, targets, self.slot(unit)) is None

    def _cost(self, order: Order) -> Fraction:
        planned = self.plan(order)
        assert isinstance(planned, Planned)
        return points(planned.plan.cost)
