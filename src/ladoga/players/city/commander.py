"""The general's orders in Leningrad '41: storms planned together on both sides, the rest as the staff does."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from threading import Event
from typing import Any
from weakref import WeakKeyDictionary

from ...games.leningrad41 import fire, set_up
from ...games.leningrad41.counters import GERMAN, SIDES, SOVIET
from ...games.leningrad41.position import CityPosition
from ...hexes import Hex, HexMask, members
from ...kernel.orders import END, Order
from ...kernel.position import View
from ..doctrines.leningrad41 import CityDoctrine
from ..doctrines.leningrad41_staff.lie import Lie
from ..doctrines.leningrad41_staff.marches import Marches
from ..doctrines.leningrad41_staff.storms import ASKED, Storms
from ..doctrines.leningrad41_staff.weights import tempers
from ..lay import FAR
from ..race import RacingPlayer
from ..staff import StaffPlayer, Temper
from .air import strike
from .edge import edge
from .rehearsal import Rehearsal, search
from .scheme import scheme
from .sight import Sight

SPAN = 0.85
"""The part of a turn's time in which ways to fight it are tried."""
FACTORS = (0.4, 0.6, 1.6, 2.5)
"""What a weight, or the zeal for a hex, is changed by."""
ALONE, FIRST, LAST = 21.0, 20.0, 50.0
"""What it costs a leader to stand alone, in the first line, and both ..."""
STORMED, BESIDE, PEER = (90.0, 75.0, 60.0), 40.0, 15.0
"""... and a Soviet one where the enemy can come next to him, by how many units stand with him; where he has come; and a
second leader in one hex."""
SAFE, REMOTE = 48.0, 0.1
"""A march from the enemy at which that counts no more than so much: he finds others on his way."""
HEARD = 0.4
"""What fire in reach of a Soviet leader's voice counts."""


class CityMarches(Marches):
    """A movement phase in which those with a part in a storm go to their posts first."""

    def __init__(self, lie: Lie, notes: dict[str, Any]) -> None:
        moment = (lie.p.turn, lie.p.phase_number)
        if notes.get("march") != moment:
            assert isinstance(lie, Sight)
            self.lie, self.p = lie, lie.p
            storms, line, gaps, wards = scheme(lie)
            notes.clear()
            self._begin(notes, storms)
            notes.update(line=line, posts=gaps, wards=wards)
        super().__init__(lie, notes)

    def _place(self, piece: int, h: Hex, line: HexMask) -> float:
        """With troops, where most of those who can fight are in reach of his voice; else on the way to them. Soviets
        keep theirs, who do less for them, where no storm can come."""
        lie = self.lie
        assert isinstance(lie, Sight)
        covered = self.p.ground.within(h, lie.units[piece].radius) & line
        force = sum(lie.fire(q) for there in members(covered) for q in lie.stack(there, lie.side))
        company = len(lie.stack(h, lie.side))
        beside = lie.watched >> h & 1
        march = 0.5 * min(60.0, self._far_from(line).get(h, FAR))
        if lie.side == GERMAN or lie.closing:
            return force - march - ALONE * (not company) - (LAST * (not company) + FIRST) * beside
        peers = sum(lie.units[q].leader for q in self.p.stacks.get(h, ()) if q != piece)
        far = lie.from_enemy.get(h, FAR)
        risk = STORMED[min(2, company)] * max(REMOTE, 1.0 - far / SAFE) if lie.walked >> h & 1 else 0.0
        return HEARD * force - march - BESIDE * beside - risk - PEER * peers

    @property
    def refuge(self) -> HexMask:
        """Any hex, for Soviets."""
        return 0 if self.lie.side == GERMAN or self.lie.closing else self.lie.ground.land

    def _far_from(self, line: HexMask) -> dict[Hex, float]:
        return self.lie.march(line) if line else {}


class Commander(CityDoctrine):
    """What the general orders."""

    marches = CityMarches

    def __init__(self) -> None:
        self._ways: WeakKeyDictionary[StaffPlayer, tuple[tuple[int, str], Temper]] = WeakKeyDictionary()
        """The way in which each general fights who had time to think, and when he thought of it."""

    def temper(self, staff: StaffPlayer, view: View, own: Temper, rng: random.Random) -> Temper:
        """The way in which to fight: the own one, or what came out better in the mind before anybody marched."""
        if staff.think is None or staff.imagined:
            return own
        moment, way = self._ways.get(staff, (None, own))
        marching = view.phase.side == view.side and view.phase.id.endswith("movement")
        if marching and not view.choice and moment != (view.turn, view.phase.id):
            way = self._tried(staff, view, own, rng)
            self._ways[staff] = (view.turn, view.phase.id), way
        return way

    def _tried(self, staff: StaffPlayer, view: View, own: Temper, rng: random.Random) -> Temper:
        assert staff.think is not None
        until = time.monotonic() + SPAN * staff.think
        first, words, enemies = tempers(view.side)
        told = staff.told if isinstance(staff, RacingPlayer) else Event()
        rehearsal = Rehearsal(self, view, until, told.is_set, rng)
        found = search(rehearsal, own, self._rivals(view, first, words, rng), enemies, staff.at_once)
        told.clear()
        return found.way

    def _rivals(
        self, view: View, first: Sequence[Temper], words: Sequence[str], rng: random.Random
    ) -> Iterator[Temper]:
        """Changes of a way: those that are known, then of weights and of what is stormed first."""
        yield from first
        p = view.imagine(rng)
        assert isinstance(p, CityPosition)
        hexes = [ASKED + p.number(h) for h in Storms(Sight(p, SIDES.index(view.side), {})).targets]
        while True:
            some = hexes if hexes and rng.random() < 0.5 else words
            yield {word: rng.choice(FACTORS) for word in rng.sample(some, min(len(some), rng.randint(1, 3)))}

    def order(self, staff: StaffPlayer, view: View, rng: random.Random) -> Order | None:
        """The order for the kind of decision at hand; whatever is not legal after all is left to the common method."""
        p = view.imagine(rng)
        assert isinstance(p, CityPosition)
        order = self._read(p, view.side, staff)
        return order if order is not None and view.why_not(order) is None else None

    def known(self, p: CityPosition, side: str, staff: StaffPlayer) -> Order | None:
        """The order in a position that is played in the mind."""
        order = self._read(p, side, staff)
        return order if order is not None and p.why_not(order) is None else None

    def _read(self, p: CityPosition, side: str, staff: StaffPlayer) -> Order | None:
        sight = Sight(p, SIDES.index(side), staff.bias)
        return self._pending(sight, p.pending[0], staff) if p.pending else self._phase(sight, staff)

    def set_up(self, lie: Lie, staff: StaffPlayer) -> Order | None:
        """A closed line before every objective, the others in the objectives behind it."""
        p = lie.p
        hand = set_up.in_hand(p)
        if not hand or lie.w.edge <= 0.5 or not lie.units[hand[0]].back:
            return super().set_up(lie, staff)
        if "edge" not in staff.notes:
            staff.notes["edge"] = edge(lie)
        hexes, south = set_up.hexes_for(p, hand[0]), lie.march(p.ground.entry[GERMAN])
        gaps = staff.notes["edge"] & ~p.occupied[SOVIET] & hexes
        free = gaps or hexes & p.ground.objective or hexes
        best = min(members(free), key=lambda h: (len(lie.stack(h, SOVIET)), south.get(h, FAR), h))
        staff.reason = lambda say: f"Closes the line before the city at {say.place(best)}"
        return Order("place", (lie.units[hand[0]].id,), (p.number(best),))

    def bomb(self, lie: Lie, staff: StaffPlayer) -> Order | None:
        """Air strikes where they bring most, the ways that they open counted (12.3)."""
        if lie.p.attack is not None:
            return None
        assert isinstance(lie, Sight)
        volley = strike(lie, fire.markers(lie.p, GERMAN))
        if volley is None:
            staff.reason = "No target is worth the bombs"
            return END
        staff.reason = volley.reason(lie)
        return volley.order(lie)


COMMANDER = Commander()
