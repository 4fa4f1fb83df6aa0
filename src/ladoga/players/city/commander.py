"""The general's orders in Leningrad '41: storms planned together on both sides, the rest as the staff does."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from ...games.leningrad41 import fire, set_up
from ...games.leningrad41.counters import GERMAN, SIDES, SOVIET
from ...games.leningrad41.position import CityPosition
from ...hexes import Hex, HexMask, members
from ...kernel.orders import END, Order
from ...kernel.position import View
from ..doctrines.leningrad41 import CityDoctrine
from ..doctrines.leningrad41_staff.lie import Lie
from ..doctrines.leningrad41_staff.marches import Marches
from ..lay import FAR
from .air import strike
from .edge import edge
from .scheme import scheme
from .sight import Sight

if TYPE_CHECKING:
    from ..staff import StaffPlayer

SPAN = 0.6
"""The part of a turn's time in which storms and lines are planned."""
ALONE, FIRST, LAST = 21.0, 20.0, 50.0
"""What it costs a leader to stand alone, in the first line, and both."""


class CityMarches(Marches):
    """A movement phase in which those with a part in a storm go to their posts first."""

    def __init__(self, lie: Lie, notes: dict[str, Any], seconds: float | None, cores: int) -> None:
        moment = (lie.p.turn, lie.p.phase_number)
        if notes.get("march") != moment:
            assert isinstance(lie, Sight)
            self.lie, self.p = lie, lie.p
            storms, line, gaps, wards = scheme(lie, seconds, cores)
            notes.clear()
            self._begin(notes, storms)
            notes.update(line=line, posts=gaps, wards=wards)
        super().__init__(lie, notes)

    def _place(self, piece: int, h: Hex, line: HexMask) -> float:
        """With troops, where most of those who can fight are in reach of his voice; else on the way to them."""
        lie = self.lie
        covered = self.p.ground.within(h, lie.units[piece].radius) & line
        force = sum(lie.fire(q) for there in members(covered) for q in lie.stack(there, lie.side))
        alone = not lie.stack(h, lie.side)
        beside = lie.watched >> h & 1
        distance = min(60.0, self._far_from(line).get(h, FAR))
        return force - 0.5 * distance - ALONE * alone - (LAST * alone + FIRST) * beside

    def _far_from(self, line: HexMask) -> dict[Hex, float]:
        return self.lie.march(line) if line else {}


class Commander(CityDoctrine):
    """What the general orders."""

    def order(self, staff: StaffPlayer, view: View, rng: random.Random) -> Order | None:
        """The order for the kind of decision at hand; whatever is not legal after all is left to the common method."""
        p = view.imagine(rng)
        assert isinstance(p, CityPosition)
        sight = Sight(p, SIDES.index(view.side), staff.bias)
        order = self._pending(sight, p.pending[0], staff) if p.pending else self._phase(sight, staff)
        return order if order is not None and view.why_not(order) is None else None

    def set_up(self, lie: Lie, staff: StaffPlayer) -> Order | None:
        """A closed line before every objective, the others in the objectives behind it."""
        p = lie.p
        hand = set_up.in_hand(p)
        if not hand or not lie.line or not lie.units[hand[0]].back:
            return super().set_up(lie, staff)
        if "edge" not in staff.notes:
            staff.notes["edge"] = edge(lie)
        hexes, south = set_up.hexes_for(p, hand[0]), lie.march(p.ground.entry[GERMAN])
        gaps = staff.notes["edge"] & ~p.occupied[SOVIET] & hexes
        free = gaps or hexes & p.ground.objective or hexes
        best = min(members(free), key=lambda h: (len(lie.stack(h, SOVIET)), south.get(h, FAR), h))
        staff.reason = f"a unit for the line before the city, in {p.number(best)}"
        return Order("place", (lie.units[hand[0]].id,), (p.number(best),))

    def bomb(self, lie: Lie, staff: StaffPlayer) -> Order | None:
        """Air strikes where they bring most, the ways that they open counted (12.3)."""
        if lie.p.attack is not None:
            return None
        assert isinstance(lie, Sight)
        volley = strike(lie, fire.markers(lie.p, GERMAN))
        if volley is None:
            staff.reason = "no target is worth the bombs"
            return END
        staff.reason = volley.reason(lie)
        return volley.order(lie)

    def march(self, lie: Lie, staff: StaffPlayer) -> Order | None:
        """Unit after unit to its post, or to where it is worth most."""
        drop = self._drop(lie, staff)
        if drop is not None:
            return drop
        marches = CityMarches(lie, staff.notes, staff.think and SPAN * staff.think, staff.at_once)
        order = marches.order()
        staff.reason = marches.reason if order is not None else "everybody stands where he should"
        return order if order is not None else END


COMMANDER = Commander()
