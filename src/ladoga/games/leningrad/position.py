"""A position of Leningrad: who is who, who is where, and what becomes of it.

The chapters of the rulebook are modules above this one; ``sequence.py`` puts them in order, and ``game.py`` says who
answers what the contract asks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ...hexes import NOWHERE, Hex, HexMask, members
from ...kernel.errors import LadogaError
from ...kernel.events import Loss
from ...kernel.position import Phase
from ...kernel.sequence import NOBODY, Item
from .derived import Derived
from .edition import GERMAN, SIDES, SOVIET, UnitSpec
from .fight import Fight
from .ground import hindrances
from .pieces import DEAD, Slot

OVER = ("over", NOBODY)
"""Where the game stands when it is over."""


class LeningradPosition(Derived):
    """A position of either edition."""

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

    def pool(self, slot: Slot) -> list[str]:
        """The printed units an untried piece may still turn out to be (14.0, 14.2).

        A division raised from the eliminated ones is one of those; any other is one that has not been
        seen yet. Armor and mechanized units share the armored class.
        """
        pieces, counters, faces = self.pieces, self.game.counters, self.faces
        if pieces[slot].recycled:
            revealed = [s for s, face in enumerate(faces) if face >= 0 and not pieces[s].mobile]
            return [counters[faces[s]] for s in revealed if self.hexes[s] < NOWHERE]
        shown = set(faces)
        return [counters[number] for number in self.game.drawn[pieces[slot].mobile] if number not in shown]

    def hidden(self, fight: Fight) -> list[Slot]:
        """Participants of a fight not yet revealed (14.1)."""
        return [slot for slot in (*fight.attackers, *fight.defenders) if self.untried(slot)]

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

    # The contract -----------------------------------------------------------------------------

    @property
    def phase(self) -> Phase:
        """The phase of the sequence of play (3.0)."""
        bottom = self.agenda[-1] if self.agenda else OVER
        return self.game.phase_at[bottom[0], bottom[1]]

    def zoc(self, side: str) -> frozenset[str]:
        """Hex numbers in the zones of control of a side."""
        self.game.check_side(side)
        names = self.ground.names
        return frozenset(names[h] for h in members(self.zone(SIDES.index(side))))

    @property
    def seats(self) -> Mapping[str, str]:
        """Who plays each side; the players change seats when the bid of the Soviet seat wins (18.4)."""
        swapped = self.auction is not None and self.auction.swapped
        return dict(zip(SIDES, reversed(SIDES) if swapped else SIDES, strict=True))

    @property
    def sides_open(self) -> bool:
        """Whether the players still bid for the German side (18.4)."""
        return bool(self.agenda) and self.agenda[-1].at in ("bid", "lot")
