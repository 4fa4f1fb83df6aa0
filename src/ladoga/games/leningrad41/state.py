"""What a position of Leningrad '41 consists of, and the few things that can happen to a counter.

The chapters of the rulebook (set-up, arrivals, movement, fire) are modules of functions over a
``State``. Counters are numbers; ``where`` says for each which hex it is in, or one of the places
beside the map below. A hidden Soviet unit lies on the map as one of the backs of the roster, and
``behind`` says which unit it is: nobody knows for the units of 3.6, which are drawn when they are
flipped, while a later arrival is known to its owner (7.3).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, NamedTuple

from ...hexes import Hex, HexMask, members
from ...kernel.orders import Order
from ...kernel.position import Phase, Refusal
from ...kernel.sequence import Item, SequencedPosition
from ...kernel.state import Own, Part
from .counters import GERMAN, SIDES, SOVIET, Roster, Unit
from .derived import Derived, remembered
from .figures import TablesFile
from .ground import Ground, Hexside, hexside

if TYPE_CHECKING:
    from .figures import CityOptions
    from .game import CityGame

GONE, POOL, UNDRAWN, BEHIND, WAITING, READY, DEAD, TO_COME, UNKNOWN, HAND = range(-1, -11, -1)

PLACES = {
    "gone": GONE,
    "pool": POOL,
    "undrawn": UNDRAWN,
    "behind": BEHIND,
    "waiting": WAITING,
    "ready": READY,
    "dead": DEAD,
    "to-come": TO_COME,
    "unknown": UNKNOWN,
    "hand": HAND,
}
"""Places beside the map. ``undrawn`` units are in the pool or behind a back nobody has looked under;
``pool`` holds those known to have gone back into it."""

NOBODY, SECRET = -1, -2
"""Behind a back: not drawn yet; known to the Soviet player alone (in the German's view)."""

TIERS = 12
"""How many units of a side in a hex are told apart; the last tier holds the hexes with so many and more."""

NONE: frozenset[Hexside] = frozenset()

PHASES = (
    Phase("soviet-set-up", "soviet", "3.2", "Soviet set-up"),
    Phase("german-reinforcement", "german", "7.4", "German replacements and reinforcements"),
    Phase("german-air", "german", "12.3", "German air strikes"),
    Phase("german-movement", "german", "8.1", "German movement"),
    Phase("german-fire", "german", "10.1", "German offensive fire"),
    Phase("soviet-reinforcement", "soviet", "7.3", "Soviet reinforcements"),
    Phase("soviet-movement", "soviet", "8.1", "Soviet movement"),
    Phase("soviet-fire", "soviet", "10.1", "Soviet offensive fire"),
)
SET_UP, G_ARRIVE, G_AIR, G_MOVE, G_FIRE, S_ARRIVE, S_MOVE, S_FIRE = range(8)
PHASE_IDS = {phase.id: number for number, phase in enumerate(PHASES)}


class Step(NamedTuple):
    """Something that must happen before play goes on: a die, a draw, a choice, or the next hex of a
    move. The first step of ``pending`` is the current one."""

    kind: str
    piece: int = -1
    hex: Hex = -1
    number: int = 0
    path: tuple[Hex, ...] = ()
    words: tuple[str, ...] = ()


class Moving(NamedTuple):
    """The unit in the middle of its move: how, and with how many points left."""

    piece: int
    mode: str
    left: int


FireKind = Literal["fire", "air", "naval", "defensive", "bridge", "structure"]
"""At units, or at the last two."""


class Attack(NamedTuple):
    """A fire being composed or resolved."""

    kind: FireKind
    target: Hex
    beyond: Hex = -1
    units: tuple[int, ...] = ()
    assault: bool = False
    fanatic: bool = False


class Sent(NamedTuple):
    """A unit, and the hex that an order sends it to."""

    piece: int
    hex: Hex


_item = tuple.__new__
"""Makes an item without asking for its fields by name, which takes half of the time."""


class PhaseSheet(Part):
    """What is forgotten when a phase ends. Sets of counters, and of sub-commands, are told by their numbers."""

    moved: int = 0
    """Counters that have begun their move (8.1)."""
    fired: int = 0
    """Counters that have fired (10.2, 12.6)."""
    attacked: HexMask = 0
    """Hexes that have been fired at (10.5)."""
    finished: int = 0
    """Sub-commands whose movement is over (8.2)."""
    bridging: int = 0
    """Engineers over whose bridge somebody has gone (8.10)."""
    turned: int = 0
    """Engineers that have chosen where their bridge leads to (8.10)."""
    replacements: int = 0
    """German replacements still to be drawn (7.4)."""
    placed: HexMask = 0
    """Objective hexes in which a unit has arrived (19.2)."""
    active: int = -1
    """The sub-command that is moving (8.2)."""
    moving: Moving | None = None
    sailed: bool = False
    """Whether marines have gone by water (8.11)."""
    attack: Attack | None = None
    """The fire being composed or resolved."""


class CampaignSheet(Part):
    """What outlasts the phase."""

    arrivals: int = 0
    """Soviet counters that came in this turn; over-stacked at the end of movement they are eliminated (19.2)."""
    entered: int = 0
    """Sub-commands that have entered the map (19.1)."""
    dropped: int = 0
    """Counters that came from the air (18.3)."""
    fleet_back: int = 0
    """The turn in which the fleet's guns are there again (15.3)."""
    flieger_due: int = 0
    """The turn in which the airborne division arrives (18.1)."""
    states: bool = False
    """Whether the city is found barricaded (16.2)."""
    shown: int = 0
    result: str = ""
    masked: bool = False
    """Whether this is what the German player sees."""


class Board(Part):
    """What lies on the map and beside it."""

    roster: Roster
    ground: Ground
    where: Own[list[int]]
    behind: Own[list[int]]
    stacks: Own[dict[Hex, tuple[int, ...]]] = {}
    occupied: Own[list[HexMask]] = [0, 0]
    """By side: hexes with any counter of it."""
    held: Own[list[HexMask]]
    """By sub-command: hexes with units of it, leaders apart."""
    tiers: Own[list[HexMask]] = [0] * (2 * TIERS)
    """By side and number: hexes with at least that many units of it, leaders apart."""
    control: HexMask = 0
    """Hexes the German controls (4.2)."""
    rubble: HexMask = 0
    broken: frozenset[Hexside] = NONE
    pontoons: tuple[tuple[int, Hex], ...] = ()


class State(Board, PhaseSheet, CampaignSheet, Derived, SequencedPosition):
    """The facts of a position, and what can happen to counters."""

    game: CityGame
    if TYPE_CHECKING:  # a field of every position
        options: CityOptions

    # What is due --------------------------------------------------------------------------------------

    @property
    def phase_number(self) -> int:
        """The phase, at the bottom of the agenda."""
        return PHASE_IDS[self.agenda[-1].at]

    def open_phase(self, number: int) -> None:
        """Another phase lies at the bottom of the agenda."""
        phase = PHASES[number]
        self.agenda = (*self.agenda[:-1], Item(phase.id, SIDES.index(phase.side)))

    @property
    def pending(self) -> tuple[Step, ...]:
        """What must happen before the phase goes on, the first step first."""
        return tuple([item.matter for item in self.agenda[:-1]])

    @pending.setter
    def pending(self, steps: Iterable[Step]) -> None:
        self.agenda = (*(self.due(step) for step in steps), self.agenda[-1])

    @property
    def step(self) -> Step:
        """The step in hand."""
        step: Step = self.agenda[0].matter
        return step

    def due(self, step: Step) -> Item:
        """A step as an item of the agenda; the enemy fires at those who move, and settles their over-stacks."""
        at = step.words[0] if step.kind == "die" and step.words else step.kind
        side = self.agenda[-1].side
        return _item(Item, (at, 1 - side if at in ("offer", "repair") else side, step))

    def push(self, *steps: Step) -> None:
        """Put steps before everything else that is pending."""
        self.agenda = (*[self.due(step) for step in steps], *self.agenda)

    def pop(self) -> Step:
        """The current step is done."""
        step = self.step
        self.done()
        return step

    def stop_walking(self, piece: int) -> None:
        """A unit does not go on along its path."""
        self.agenda = tuple([i for i in self.agenda if not (i.at == "walk" and i.matter.piece == piece)])

    # Reading --------------------------------------------------------------------------------------

    def under_way(self, piece: int) -> Moving | None:
        """The running move of a unit, if it is in the middle of one."""
        return self.moving if self.moving is not None and self.moving.piece == piece else None

    @property
    def composer(self) -> int:
        """The side that composes a fire, which nobody else is told of before it is committed (10.3); none: -1."""
        composing = self.attack is not None and (len(self.agenda) == 1 or self.agenda[0].at == "offer")
        return self.agenda[0].side if composing else -1

    @property
    def fire(self) -> Attack:
        """The fire in hand, where there is one."""
        assert self.attack is not None
        return self.attack

    @property
    def tables(self) -> TablesFile:
        """The game's charts."""
        return self.game.tables

    @property
    def phase(self) -> Phase:
        """The phase of the sequence of play (5.2)."""
        return PHASES[self.phase_number]

    @property
    def side(self) -> int:
        """The side whose player turn it is."""
        return self.agenda[-1].side

    def unit(self, piece: int) -> Unit:
        """The counter as it lies there: a back shows nothing."""
        return self.roster.units[piece]

    def hidden(self, back: int) -> int:
        """The unit behind a back: its number, ``NOBODY`` or ``SECRET``."""
        return self.behind[back - self.roster.backs.start]

    def piece(self, name: str) -> int | None:
        """The number of the counter an order names; a unit that lies face down is named by its back."""
        return self.roster.index.get(name)

    def number(self, h: Hex) -> str:
        """The printed number of a hex."""
        return self.map.grid.number(h)

    def absent(self, piece: int) -> str:
        """Why a unit that is not on the map cannot be ordered; its owner is told the back it lies behind (6.6)."""
        name = self.unit(piece).id
        if self.where[piece] == BEHIND and self.to_move == SIDES[SOVIET]:
            back = self.roster.backs[self.behind.index(piece)]
            return f"{name} lies face down; it is ordered as {self.unit(back).id}"
        return f"{name} is not on the map"

    @remembered
    def on_map(self, side: int) -> tuple[int, ...]:
        """Every counter of a side on the map, leaders too, in the order of their hexes."""
        stacks = self.stacks
        return tuple([p for h in members(self.occupied[side]) for p in stacks[h]])

    def bridged(self, a: Hex, b: Hex, side: int, but: int = -1) -> bool:
        """Whether a hexside has a standing bridge, or a pontoon of this side (8.9, 8.10), one engineer's
        apart."""
        edge = hexside(a, b)
        if self.ground.has_bridge(a, b) and edge not in self.broken:
            return True
        return edge in self.pontoon_sides(side, but)

    def pontoon_sides(self, side: int, but: int = -1) -> frozenset[Hexside]:
        """The hexsides a side's engineers have bridged; for an engineer on its way those of the others
        count (8.10), its own is gone when it leaves."""
        if not self.pontoons:
            return NONE
        return frozenset(
            hexside(self.where[p], there) for p, there in self.pontoons if self.roster.side[p] == side and p != but
        )

    @property
    def doubled(self) -> HexMask:
        """Hexes in which more than one Soviet unit may stand (6.1, 16.2)."""
        return self.map.grid.all if self.states else self.ground.objective

    def crowded(self, side: int, more: int = 0) -> HexMask:
        """Hexes that hold as many units of a side as may stack there (6.1, 16.2), or so many more."""
        limits, tiers = self.tables.stacking, self.tiers
        if side == GERMAN:
            return tiers[limits.german - 1 + more]
        base = SOVIET * TIERS - 1 + more
        if self.states:
            return tiers[base + limits.soviet_defensive_states]
        double = self.ground.objective
        return tiers[base + limits.soviet_objective] & double | tiers[base + limits.soviet] & ~double

    def barred(self, piece: int) -> HexMask:
        """Hexes a unit may not enter: enemy-occupied (8.14), or closed to it by stacking (6.1-6.4)."""
        roster = self.roster
        side = roster.side[piece]
        return self.occupied[1 - side] if roster.units[piece].leader else self.barred_to(roster.command[piece])

    @remembered
    def barred_to(self, command: int) -> HexMask:
        """Hexes that units of a sub-command may not enter."""
        side = self.roster.command_side[command]
        mask = self.occupied[1 - side] | self.crowded(side)
        for other in self.roster.strangers[command]:
            mask |= self.held[other]
        return mask

    def overstacked(self, side: int) -> HexMask:
        """Hexes that hold more units of a side, or others together, than stacking allows."""
        held, commands = self.held, self.roster.commands
        mixed = held[commands.index("42")] & held[commands.index("LFR")] if side == SOVIET else 0
        return self.crowded(side, 1) | mixed

    def objectives(self, side: int) -> HexMask:
        """The objective hexes a side controls (4.2)."""
        mask = self.ground.objective
        return mask & self.control if side == GERMAN else mask & ~self.control

    def owner(self, h: Hex) -> str:
        """The side that controls a hex (4.2)."""
        return SIDES[GERMAN] if self.control >> h & 1 else SIDES[SOVIET]

    # Changing (on a fresh copy) ---------------------------------------------------------------------

    def put(self, piece: int, h: Hex) -> None:
        """Put a counter on a hex, or at a place beside the map."""
        self.where[piece] = h
        if h < 0:
            return
        self.disturbed()
        stack = self.stacks.get(h)
        self.stacks[h] = (piece,) if stack is None else tuple(sorted((*stack, piece)))
        bit = 1 << h
        roster = self.roster
        side = roster.side[piece]
        self.occupied[side] |= bit
        if not roster.units[piece].leader:
            self.held[roster.command[piece]] |= bit
            tier, last = side * TIERS, side * TIERS + TIERS - 1
            while tier < last and self.tiers[tier] & bit:
                tier += 1
            self.tiers[tier] |= bit

    def lift(self, piece: int, place: int) -> None:
        """Take a counter off its hex (if it is in one) to a place beside the map."""
        h = self.where[piece]
        self.where[piece] = place
        self.disturbed()
        if h < 0:
            return
        stack = self.stacks.pop(h)
        bit = 1 << h
        side = self.roster.side[piece]
        self.occupied[side] ^= bit
        self.held[self.roster.command[piece]] &= ~bit
        tier, end = side * TIERS, side * TIERS + TIERS
        while tier < end and self.tiers[tier] & bit:
            self.tiers[tier] ^= bit
            tier += 1
        for other in stack:
            if other != piece:
                self.put(other, h)

    def shift(self, piece: int, h: Hex) -> None:
        """Move a counter from its hex to another."""
        self.lift(piece, HAND)
        self.put(piece, h)
        self.drop_pontoon(piece)

    def drop_pontoon(self, piece: int) -> None:
        """A pontoon is gone when its engineer leaves or dies (8.10)."""
        if self.pontoons:
            self.pontoons = tuple(pair for pair in self.pontoons if pair[0] != piece)

    def take_control(self, piece: int, h: Hex) -> None:
        """A ground unit controls the hex it enters (4.2); the gunboat controls no land."""
        if self.roster.units[piece].type == "gunboat":
            return
        if self.roster.side[piece] == GERMAN:
            self.control |= 1 << h
        else:
            self.control &= ~(1 << h)

    def eliminate(self, piece: int) -> None:
        """To the dead pile, the pool, or out of the game (7.5, 7.7, 10.14, 14.7, 15.1, 15.2)."""
        unit = self.unit(piece)
        self.drop_pontoon(piece)
        for_good = unit.leader or unit.type in ("gunboat", "railroad-artillery")
        self.lift(piece, GONE if for_good else DEAD if unit.side == GERMAN else POOL)

    def take_back(self, unit: int, h: int) -> int:
        """Lay a back at a place or on a hex with a unit (or ``NOBODY``) behind it; the lowest free one."""
        backs = self.roster.backs
        back = next(p for p in backs if self.where[p] == GONE)
        self.behind[back - backs.start] = unit
        if unit >= 0:
            self.where[unit] = BEHIND
        self.put(back, h)
        return back

    def unmask(self, back: int, unit: int) -> None:
        """Turn a hidden unit face up: the unit takes the place of its back (6.6)."""
        h = self.where[back]
        bit, new = 1 << back, 1 << unit
        for name in ("moved", "fired", "arrivals"):
            marks = getattr(self, name)
            if marks & bit:
                setattr(self, name, marks & ~bit | new)
        self.lift(back, GONE)
        self.behind[back - self.roster.backs.start] = NOBODY
        self.put(unit, h)
        self.shown |= new
        if (going := self.under_way(back)) is not None:
            self.moving = going._replace(piece=unit)
        if len(self.agenda) > 1:
            self.pending = tuple(s._replace(piece=unit) if s.piece == back else s for s in self.pending)
        if self.attack is not None and back in self.attack.units:
            self.attack = self.attack._replace(units=tuple(unit if p == back else p for p in self.attack.units))


def unknown(order: Order, state: State) -> Refusal:
    """The answer to an order that has no place in this phase (5.1)."""
    return Refusal("5.1", f"{order.verb!r} is not an order that can be given now ({state.prompt.lower()})")
