"""The state of Leningrad as nouns: the board, the sheet of a phase, the sheet of the campaign.

Every field is declared once, with what it usually is; copying and renewing follow from that (``kernel/state.py``). What
is remembered of all this lies in ``derived.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ...hexes import NOWHERE, Hex, HexMask, members
from ...kernel.errors import LadogaError
from ...kernel.events import Loss
from ...kernel.state import Own, Part
from .edition import GERMAN, SOVIET, LeningradOptions, UnitSpec
from .fight import Auction
from .ground import Ground, Interdicted, hindrances
from .pieces import DEAD, Piece, Slot, SlotMask

if TYPE_CHECKING:
    from .game import Leningrad


class PhaseSheet(Part):
    """What is forgotten when a phase ends."""

    moved: SlotMask = 0
    """Pieces that have begun their move, or been rebuilt."""
    active: dict[Slot, int] = {}
    """Pieces of the group now moving, with the half points they have left."""
    stacks: dict[Slot, int] = {}
    """Which of the pieces now moving have moved together all the way (7.4): those with the same number, or none."""
    stepped: SlotMask = 0
    """Pieces that have entered a hex (13.4)."""
    origin: Hex = NOWHERE
    """The hex where the group now moving began the phase."""
    attacked: SlotMask = 0
    """Pieces that have attacked (8.2)."""
    defended: SlotMask = 0
    """Pieces that have been attacked (8.2)."""
    displaced: SlotMask = 0
    """Pieces that retreated in a combat phase (8.4)."""


class CampaignSheet(Part):
    """What outlasts the phase."""

    reserve: tuple[Slot, ...] = ()
    """Pieces still to arrive, in the order of the schedule."""
    air_used: int = 0
    """Air units used this turn in combat (13.5)."""
    forts_used: int = 0
    """Forts that have entered play so far."""
    forts_placed: int = 0
    """Forts placed this turn (15.4)."""
    on_time: int = 0
    """Units of the counterattack army that entered on its turn (17.4)."""
    rebuilt: int = 0
    """Units rebuilt so far, where that has a price in points."""
    auction: Auction | None = None
    """The bids for the German side while they are made, and what came of them (18.4)."""


class Board(Part):
    """What lies on the map, and where."""

    if TYPE_CHECKING:  # what the position it is part of has besides
        game: Leningrad
        options: LeningradOptions
        turn: int
        active: dict[Slot, int]

        def tell(self, kind: str, case: str, template: str, *facts: Any, side: int = -1, fact: Any = None) -> None:
            """Note what happened."""

    ground: Ground
    pieces: tuple[Piece, ...]
    hexes: Own[list[Hex]]
    """Where each piece stands; ``NOWHERE`` before it arrives, ``DEAD`` after."""
    steps: bytearray
    faces: list[int]
    """Printed counter a revealed Soviet piece turned out to be, -1 while untried."""
    labels: list[str]
    """What each piece is called now."""
    by_name: dict[str, Slot]
    """The way back from a name to a piece."""
    since: bytearray
    """Turn in which a German piece last entered its hex or was reduced: the replacement clock (16.6)."""
    fought: SlotMask = 0
    """German pieces whose clock a fight in their hex started anew (14.9 of the second edition)."""
    at: Own[dict[Hex, tuple[Slot, ...]]] = {}
    crowd: Own[list[tuple[HexMask, HexMask, HexMask]]] = [(0, 0, 0), (0, 0, 0)]
    """For each side the hexes with at least one, two and three of its units."""
    forts: HexMask = 0
    air_on: dict[Hex, int] = {}
    """Interdicting air units by hex."""
    interdicted: Interdicted = ()
    """The same as factors on the cost of hexes."""

    def surprised(self, side: int) -> bool:
        """Whether the limits of turn 1 hold for a side (17.0)."""
        return side == SOVIET and self.turn == 1

    # Who is who -------------------------------------------------------------------------------

    def name(self, slot: Slot) -> str:
        """What a piece is called: a printed unit's id, or an untried piece's."""
        return self.labels[slot]

    def called(self, slots: tuple[Slot, ...]) -> tuple[str, ...]:
        """What some pieces are called, as orders write it."""
        labels = self.labels
        return (labels[slots[0]],) if len(slots) == 1 else tuple([labels[slot] for slot in slots])

    def names(self, slots: Iterable[Slot]) -> str:
        """Several pieces in a line for people."""
        return ", ".join(self.name(slot) for slot in slots)

    def slot(self, name: str) -> Slot:
        """The piece of a name; raises ``LadogaError`` for a name nobody has."""
        slot = self.by_name.get(name)
        if slot is None:
            if name in self.game.counter_numbers:
                raise LadogaError(f"{name} has not been revealed")
            raise LadogaError(f"there is no unit {name!r}")
        return slot

    def spec(self, slot: Slot) -> UnitSpec | None:
        """The printed unit, or ``None`` while it is untried."""
        spec = self.pieces[slot].spec
        if spec is None and self.faces[slot] >= 0:
            return self.game.edition.units[self.game.counters[self.faces[slot]]]
        return spec

    def corps(self, slot: Slot) -> str:
        """The panzer corps that a unit belongs to, if any (12.1)."""
        spec = self.pieces[slot].spec
        return spec.corps if spec is not None else ""

    def untried(self, slot: Slot) -> bool:
        """Whether nobody knows the strengths yet (14.0)."""
        return self.pieces[slot].spec is None and self.faces[slot] < 0

    def turn_over(self, slot: Slot, face: int) -> None:
        """A Soviet piece shows a printed counter (14.1), or none again (-1)."""
        self.faces = self.faces.copy()
        self.labels = self.labels.copy()
        self.by_name = self.by_name.copy()
        self.faces[slot] = face
        del self.by_name[self.labels[slot]]
        name = self.labels[slot] = self.game.counters[face] if face >= 0 else self.pieces[slot].name
        self.by_name[name] = slot
        self.recounted()

    # Who is where -----------------------------------------------------------------------------

    def stack(self, h: Hex) -> tuple[Slot, ...]:
        """The combat units in a hex."""
        return self.at.get(h, ())

    def side_at(self, h: Hex) -> int | None:
        """Whose units are in a hex."""
        stack = self.at.get(h)
        return self.pieces[stack[0]].side if stack else None

    def occupied(self, side: int) -> HexMask:
        """The hexes with units of a side."""
        return self.crowd[side][0]

    def on_map(self, side: int) -> Iterator[Slot]:
        """All combat units of a side on the map, hex by hex."""
        for h in members(self.crowd[side][0]):
            yield from self.at[h]

    def put(self, slot: Slot, h: Hex) -> None:
        """Set a piece on a hex, or take it off the map (``NOWHERE``, ``DEAD``)."""
        old = self.hexes[slot]
        self.recounted()
        side = self.pieces[slot].side
        if old >= 0:
            self._restack(old, tuple([s for s in self.at[old] if s != slot]), side)
        self.hexes[slot] = h
        self.fought &= ~(1 << slot)
        if h >= 0:
            self._restack(h, tuple(sorted((*self.at.get(h, ()), slot))), side)
            if side == GERMAN and self.forts >> h & 1:
                self.destroy_fort(h)

    def lead(self, slots: tuple[Slot, ...], start: Hex, end: Hex) -> None:
        """Move units of one hex to another."""
        self.changed()
        side, hexes, at = self.pieces[slots[0]].side, self.hexes, self.at
        for slot in slots:
            hexes[slot] = end
            if self.fought:
                self.fought &= ~(1 << slot)
        left, there = at[start], at.get(end)
        if there is None and len(left) == 1:
            del at[start]
            at[end] = slots
            one, two, three = self.crowd[side]
            self.crowd[side] = (one ^ 1 << start ^ 1 << end, two, three)
        else:
            self._restack(start, tuple([s for s in left if s not in slots]) if len(left) > len(slots) else (), side)
            self._restack(end, tuple(sorted((*there, *slots))) if there else slots, side)
        if side == GERMAN and self.forts >> end & 1:
            self.destroy_fort(end)

    def _restack(self, h: Hex, stack: tuple[Slot, ...], side: int) -> None:
        if stack:
            self.at[h] = stack
        else:
            del self.at[h]
        one, two, three = self.crowd[side]
        bit, count = 1 << h, len(stack)
        one = one | bit if count else one & ~bit
        two = two | bit if count > 1 else two & ~bit
        three = three | bit if count > 2 else three & ~bit
        self.crowd[side] = (one, two, three)

    # What becomes of it -----------------------------------------------------------------------

    def changed(self) -> None:
        """Something lies elsewhere: what was worked out before goes (``derived.py``)."""

    def recounted(self) -> None:
        """Pieces came, went or were turned over."""

    def place_air(self, air_on: dict[Hex, int]) -> None:
        """Set the interdicting air units."""
        self.air_on = air_on
        self.interdicted = hindrances(air_on)
        self.changed()

    def destroy_fort(self, h: Hex) -> None:
        """A fort is eliminated when a German unit occupies it (15.2)."""
        self.forts &= ~(1 << h)
        self.changed()
        self.tell("fort destroyed", "15.2", "The fort in {0} is destroyed", self.ground.names[h])

    def eliminate(self, slot: Slot, case: str = "10.5") -> None:
        """Remove a piece from play, by a case of the rules."""
        where = self.ground.names[self.hexes[slot]]
        name, fact = self.name(slot), Loss(self.name(slot), self.steps[slot])
        self.tell("eliminated", case, "{0} is eliminated in {1}", name, where, fact=fact)
        self.put(slot, DEAD)
        if slot in self.active:
            self.active = {s: left for s, left in self.active.items() if s != slot}

    def lose_step(self, slot: Slot) -> None:
        """A German unit is flipped, a reduced or Soviet one eliminated (10.5)."""
        if self.steps[slot] == 1:
            self.eliminate(slot)
            return
        self.set_steps(slot, self.steps[slot] - 1)
        self.disturb((slot,))
        self.tell("step lost", "10.5", "{0} loses a step", self.name(slot), fact=Loss(self.name(slot), 1))

    def set_steps(self, slot: Slot, steps: int) -> None:
        """A unit has so many steps now."""
        self.steps = self.steps.copy()
        self.steps[slot] = steps

    def disturb(self, slots: tuple[Slot, ...]) -> None:
        """The replacement clock of German units starts anew (16.6)."""
        german = [slot for slot in slots if self.pieces[slot].side == GERMAN]
        if german:
            self.since = self.since.copy()
        for slot in german:
            self.since[slot] = self.turn
