"""A position of Leningrad: where the counters stand, whose phase it is, and the fight in hand.

The chapters of the rulebook are modules beside this one; each offers the orders it makes legal, the
refusals it speaks and what its orders do. This class holds the state and leads an order to its chapter.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ...hexes import Hex, HexMask, members
from ...kernel.chance import Chance
from ...kernel.errors import LadogaError
from ...kernel.orders import Order
from ...kernel.position import Event, Explanation, Outcome, Phase, Position, Reached, Refusal, Trace
from ...kernel.table import Table
from . import bidding, combat, display, documents, results, victory
from .bidding import Auction
from .edition import GERMAN, SIDES, UnitSpec
from .fight import CHOICES, Fight
from .ground import Ground, Interdicted, hindered_hexes, hindrances
from .listing import Listing
from .movement import March, Movement, march_of
from .pieces import DEAD, Piece, Slot, SlotMask, points
from .reinforcements import Due
from .supply import trace

if TYPE_CHECKING:
    from typing import Self

    from .game import Leningrad


class Lore:
    """Zones and supply as they were worked out last; each says itself for what it holds."""

    __slots__ = ("closures", "feeding", "feeding_surely", "zones")

    def __init__(self) -> None:
        self.zones: list[tuple[HexMask, HexMask]] = [(0, 0), (0, 0)]
        """For each side its zones of control, with the hexes they start from."""
        self.closures: list[tuple[HexMask, Hashable, HexMask]] = [(0, None, 0), (0, None, 0)]
        """For each side the hexes that its straight lines of supply do not enter, with what they depend on."""
        self.feeding: dict[tuple[int, bool], tuple[HexMask, Hashable, HexMask]] = {}
        """Supply nets, with what they depend on."""
        self.feeding_surely: dict[int, tuple[HexMask, Hashable, HexMask]] = {}
        """The same for what is fed wherever friends stand."""


class LeningradPosition(Position):
    """A position of either edition."""

    __slots__ = (
        "active",
        "air_on",
        "air_used",
        "at",
        "attacked",
        "auction",
        "by_name",
        "crowd",
        "defended",
        "displaced",
        "due",
        "faces",
        "fight",
        "forts",
        "forts_placed",
        "forts_used",
        "fought",
        "ground",
        "hexes",
        "interdicted",
        "labels",
        "listing",
        "lore",
        "moved",
        "mover",
        "muster",
        "on_time",
        "origin",
        "phase_number",
        "pieces",
        "rebuilt",
        "reserve",
        "scratch",
        "since",
        "stacks",
        "stepped",
        "steps",
        "surplus",
    )  # fmt: skip

    game: Leningrad
    ground: Ground
    pieces: tuple[Piece, ...]
    phase_number: int
    mover: int
    """The side whose phase it is."""
    hexes: list[Hex]
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
    fought: SlotMask
    """German pieces whose clock a fight in their hex started anew (14.9 of the second edition)."""
    at: dict[Hex, tuple[Slot, ...]]
    crowd: list[tuple[HexMask, HexMask, HexMask]]
    """For each side the hexes with at least one, two and three of its units."""
    moved: SlotMask
    """Pieces that have begun their move this phase."""
    muster: SlotMask
    """Pieces of the side to move that stood on the map before it moved; negative until somebody asks."""
    active: dict[Slot, int]
    """Pieces of the group now moving, with the half points they have left."""
    stacks: dict[Slot, int]
    """Which of the pieces now moving have moved together all the way (7.4): those with the same number, or none."""
    stepped: SlotMask
    """Pieces that have entered a hex this phase (13.4)."""
    origin: Hex
    """The hex where the group now moving began the phase."""
    fight: Fight | None
    attacked: SlotMask
    """Pieces that have attacked this combat phase (8.2)."""
    defended: SlotMask
    """Pieces that have been attacked this combat phase (8.2)."""
    displaced: SlotMask
    """Pieces that retreated in this combat phase (8.4)."""
    air_used: int
    """Air units used this turn in combat (13.5)."""
    air_on: dict[Hex, int]
    """Interdicting air units by hex."""
    interdicted: Interdicted
    """The same as factors on the cost of hexes."""
    reserve: tuple[Slot, ...]
    """Pieces still to arrive, in the order of the schedule."""
    due: Due | None
    """Those of them that may enter now; ``None`` until somebody asks."""
    scratch: dict[Any, Any]
    """What has been worked out about this very position; dropped as soon as anything changes."""
    forts: HexMask
    forts_used: int
    """Forts that have entered play so far."""
    forts_placed: int
    """Forts placed this turn (15.4)."""
    on_time: int
    """Units of the counterattack army that entered on its turn (17.4)."""
    rebuilt: int
    """Units rebuilt so far, where that has a price in points."""
    surplus: bool
    """The other side now removes what stands over the stacking limit (4.6)."""
    auction: Auction | None
    """The bids for the German side while they are made, and what came of them (18.4)."""
    lore: Lore
    """What was last worked out along this line of play."""
    listing: Listing | None
    """The last list of moves made in this phase or before; what still holds of it goes into the next."""

    def _copy(self) -> Self:
        new = object.__new__(type(self))
        new.game = self.game
        new.map = self.map
        new.scenario = self.scenario
        new.options = self.options
        new.turn = self.turn
        new.dice = self.dice
        new.events = ()
        new.ground = self.ground
        new.pieces = self.pieces
        new.phase_number = self.phase_number
        new.mover = self.mover
        new.hexes = self.hexes.copy()
        new.steps = self.steps
        new.faces = self.faces
        new.labels = self.labels
        new.by_name = self.by_name
        new.since = self.since
        new.fought = self.fought
        new.at = self.at.copy()
        new.crowd = self.crowd.copy()
        new.moved = self.moved
        new.muster = self.muster
        new.active = self.active
        new.origin = self.origin
        new.stacks = self.stacks
        new.stepped = self.stepped
        new.fight = self.fight
        new.attacked = self.attacked
        new.defended = self.defended
        new.displaced = self.displaced
        new.air_used = self.air_used
        new.air_on = self.air_on
        new.forts = self.forts
        new.forts_used = self.forts_used
        new.forts_placed = self.forts_placed
        new.on_time = self.on_time
        new.rebuilt = self.rebuilt
        new.surplus = self.surplus
        new.auction = self.auction
        new.interdicted = self.interdicted
        new.reserve = self.reserve
        new.due = self.due
        new.scratch = self.scratch
        new.lore = self.lore
        new.listing = self.listing
        return new

    def enter(self, phase_number: int) -> None:
        """Go to a phase of the sequence of play."""
        self.phase_number = phase_number
        self.mover = self.game.phase_sides[phase_number]

    def changed(self) -> None:
        """Forget what was worked out before a change."""
        self.scratch = {}

    def place_air(self, air_on: dict[Hex, int]) -> None:
        """Set the interdicting air units."""
        self.air_on = air_on
        self.interdicted = hindrances(air_on)
        self.changed()

    # Pieces -----------------------------------------------------------------------------------

    def name(self, slot: Slot) -> str:
        """What a piece is called: a printed unit's id, or an untried piece's."""
        return self.labels[slot]

    def turn_over(self, slot: Slot, face: int) -> None:
        """A Soviet piece shows a printed counter (14.1), or none again (-1)."""
        self.faces = self.faces.copy()
        self.labels = self.labels.copy()
        self.by_name = self.by_name.copy()
        self.faces[slot] = face
        del self.by_name[self.labels[slot]]
        name = self.labels[slot] = self.game.counters[face] if face >= 0 else self.pieces[slot].name
        self.by_name[name] = slot
        self.scratch, self.due = {}, None

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

    def untried(self, slot: Slot) -> bool:
        """Whether nobody knows the strengths yet (14.0)."""
        return self.pieces[slot].spec is None and self.faces[slot] < 0

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

    def zone(self, side: int) -> HexMask:
        """The hexes in the zones of control of a side (5.0)."""
        occupied = self.crowd[side][0]
        known = self.lore.zones[side]
        if known[0] != occupied:
            known = self.lore.zones[side] = (occupied, self.ground.zone(occupied))
        return known[1]

    def on_map(self, side: int) -> Iterator[Slot]:
        """All combat units of a side on the map, hex by hex."""
        for h in members(self.crowd[side][0]):
            yield from self.at[h]

    def put(self, slot: Slot, h: Hex) -> None:
        """Set a piece on a hex, or take it off the map (``NOWHERE``, ``DEAD``)."""
        old = self.hexes[slot]
        self.scratch, self.due = {}, None
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
        self.scratch = {}
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

    def destroy_fort(self, h: Hex) -> None:
        """A fort is eliminated when a German unit occupies it (15.2)."""
        self.forts &= ~(1 << h)
        self.changed()
        self.tell("fort destroyed", "15.2", "The fort in {0} is destroyed", self.ground.names[h])

    def eliminate(self, slot: Slot, case: str = "10.5") -> None:
        """Remove a piece from play, by a case of the rules."""
        where = self.ground.names[self.hexes[slot]]
        self.tell("eliminated", case, "{0} is eliminated in {1}", self.name(slot), where)
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
        self.tell("step lost", "10.5", "{0} loses a step", self.name(slot))

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

    def tell(self, kind: str, case: str, template: str, *facts: Any) -> None:
        """Note what happened, with its case in this edition."""
        self.events += (Event(kind, self.game.renumbered.get(case, case), template, facts),)

    def hindered(self, side: int) -> tuple[HexMask, HexMask]:
        """Hexes that cost a side more to enter: forts (15.2), or one and two air units (13.3)."""
        if side == GERMAN:
            return self.forts, 0
        factors = {factor: mask for mask, factor in self.interdicted}
        return factors.get(2, 0), factors.get(4, 0)

    # Supply (11.0) ----------------------------------------------------------------------------

    def blocked(self, side: int) -> HexMask:
        """Hexes no line of supply of a side may enter (11.3)."""
        return self.crowd[1 - side][0] | self.zone(1 - side) & ~self.crowd[side][0]

    def closed(self, side: int) -> HexMask:
        """Hexes that a straight line of supply of a side does not enter: enemies and their zones, hindered hexes."""
        known, hindrance = self.lore.closures[side], self.forts if side == GERMAN else self.interdicted
        if known[0] != self.crowd[1 - side][0] or known[1] != hindrance:
            enemy = self.crowd[1 - side][0]
            hindered = hindered_hexes(side, self.forts, self.interdicted)
            known = self.lore.closures[side] = (enemy, hindrance, enemy | self.zone(1 - side) | hindered)
        return known[2]

    def fed(self, side: int, mobile: bool) -> HexMask:
        """Hexes from which a side's units of a kind trace supply."""
        blocked = self.blocked(side)
        hindrance: Hashable = self.forts if side == GERMAN else self.interdicted
        known = self.lore.feeding.get((side, mobile))
        if known is None or known[0] != blocked or known[1] != hindrance:
            ground = self.ground
            found = ground.fed(side, mobile, ground.sources[side], blocked, self.forts, self.interdicted)
            known = self.lore.feeding[side, mobile] = (blocked, hindrance, found)
        return known[2]

    def surely_fed(self, side: int) -> HexMask:
        """Hexes in which a unit is fed wherever its friends stand; no move of theirs changes them."""
        known, enemy = self.lore.feeding_surely.get(side), self.crowd[1 - side][0]
        if known is None or known[0] != enemy or known[1] != (self.forts if side == GERMAN else self.interdicted):
            found = self.ground.surely_fed(side, enemy, self.forts, self.interdicted)
            known = (enemy, self.forts if side == GERMAN else self.interdicted, found)
            self.lore.feeding_surely[side] = known
        return known[2]

    def fed_among(self, side: int, hexes: HexMask, kinds: Iterable[bool]) -> list[HexMask]:
        """For some kinds of unit, armored or not, those of some hexes in which such a unit is fed.

        Where more is blocked, less is fed: so the last net worked out tells most of the time, even if it is old.
        """
        surely = self.surely_fed(side)
        unsure = hexes & ~surely
        if not unsure:
            return [hexes for _ in kinds]
        blocked, hindrance = self.blocked(side), self.forts if side == GERMAN else self.interdicted
        found = []
        for mobile in kinds:
            then, hindered, fed = self.lore.feeding.get((side, mobile), (0, None, 0))
            still_fed = not unsure & ~fed and not blocked & ~then
            still_unfed = not unsure & fed and not then & ~blocked
            if hindered != hindrance or not (still_fed or still_unfed):
                fed = self.fed(side, mobile)
            found.append(hexes & (surely | fed))
        return found

    def supplied(self, slot: Slot) -> bool:
        """Whether a unit on the map is in supply now."""
        piece, h = self.pieces[slot], self.hexes[slot]
        return self.line_open(piece.side, h) or self.fed_among(piece.side, 1 << h, (piece.mobile,))[0] > 0

    def line_open(self, side: int, h: Hex) -> bool:
        """Whether a straight line home is open from a hex: so any unit that stands there is fed."""
        return not all(map(self.closed(side).__and__, self.ground.lines_home[side][h]))

    # The contract -----------------------------------------------------------------------------

    @property
    def sequence(self) -> tuple[Phase, ...]:
        """The phases of this edition."""
        return self.game.phases

    @property
    def phase(self) -> Phase:
        """The phase of the sequence of play (3.0)."""
        return self.game.phases[self.phase_number]

    @property
    def over(self) -> bool:
        """Whether the last turn has been played."""
        return self.phase.id == "over"

    @property
    def to_move(self) -> str | None:
        """Who decides next."""
        fight = self.fight
        if fight is not None:
            return fight.to_move
        if self.surplus:
            return SIDES[1 - self.mover]
        return self.game.movers[self.phase_number]

    @property
    def prompt(self) -> str:
        """What the side to move is asked."""
        if self.fight is not None:
            return results.prompt(self)
        if self.surplus:
            return "Choose which units over the stacking limit are removed"
        return self.phase.title

    @property
    def choice(self) -> str | None:
        """The step of a fight, or the removals of 4.6, that comes before anything else."""
        if self.fight is not None:
            return CHOICES.get(self.fight.stage)
        return "the removal of units over the stacking limit" if self.surplus else None

    @property
    def outcome(self) -> Outcome | None:
        """The result after the last turn (18.0)."""
        return self.standing if self.over else None

    @property
    def standing(self) -> Outcome:
        """Victory points as they stand (18.0)."""
        return victory.standing(self)

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

    def explain(self, order: Order | str) -> Explanation:
        """An attack or overrun with all shifts and exact odds."""
        return combat.explain(self, self.game.parse(order) if isinstance(order, str) else order)

    def table(self) -> Table:
        """Counters, forts, interdiction and the boxes beside the map."""
        return display.table(self)

    def document(self) -> dict[str, Any]:
        """This position as a document."""
        return documents.document(self)

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
        return self.phase.id in ("german-bid", "soviet-bid", "lot")

    def _seen_by(self, side: str) -> LeningradPosition:
        return self if self.auction is None else bidding.seen_by(self, side)

    def _imagined(self, side: str, rng: random.Random) -> LeningradPosition:
        return bidding.imagined(self, rng)

    def _chance(self) -> Chance:
        return bidding.lot(self) if self.fight is None else self.fight.chance(self)

    def _drawn(self, rng: random.Random) -> Order:
        return super()._drawn(rng) if self.fight is None else self.fight.drawn(self, rng)

    def _orders(self) -> Iterable[Order]:
        return self.game.chapter(self).orders(self)

    def _orders_of(self, unit: str) -> Iterable[Order]:
        return self.game.chapter(self).orders_of(self, unit) if unit in self.by_name else ()

    def _reaches(self, unit: str, target: Order) -> bool:
        return combat.could_join(self, self.slot(unit), self.ground.grid.hex(target.hexes[0]))

    def _random(self, rng: random.Random) -> Order:
        return self.game.chapter(self).random(self, rng)

    def _cost(self, order: Order) -> Fraction:
        march = march_of(self, order)
        assert isinstance(march, March)
        return points(march.cost)

    def _refusal(self, order: Order) -> Refusal | None:
        refusal = self.game.chapter(self).refusal(self, order)
        return None if refusal is None else Refusal(self.game.edition.case(refusal.case), refusal.message)

    def _apply(self, order: Order) -> None:
        if self.fight is not None and self.to_move == "chance":
            results.happen(self, order)
        else:
            self.game.chapter(self).apply(self, order)
