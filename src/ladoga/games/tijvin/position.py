"""A position of Tijvin 1941: where units stand and what they have left, whose step it is, the combat in hand.

The chapters of the rules sheet are modules beside this one. Each offers for its steps of the turn the
orders it makes legal, the refusals it speaks and what its orders do; ``sequence`` puts them in order.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from ...hexes import NOWHERE, Hex, HexMask, members
from ...kernel.chance import Chance
from ...kernel.errors import LadogaError
from ...kernel.flood import zone
from ...kernel.orders import Order
from ...kernel.position import CHANCE, Event, Explanation, Outcome, Phase, Position, Reachable, Reached, Refusal, Trace
from ...kernel.table import Table
from . import combat, display, documents, movement, operations, secrecy, sequence, supply, victory
from .battle import Battle
from .book import DESTROYED, ON_MAP, Roster, Tables, UnitMask, enemy_of
from .sequence import CHANCES, STEPS

if TYPE_CHECKING:
    from typing import Self

    from .game import Tijvin
    from .ground import Ground


class Field(NamedTuple):
    """How a side stands on the map. Positions share it, so it is never changed."""

    occupied: HexMask
    load: dict[Hex, int]
    """Combat factors by hex."""


def _with_move(field: Field, start: Hex, end: Hex, factors: int) -> Field:
    """The same stacks with some factors gone from one hex (or from off the map) to another."""
    occupied, load = field.occupied, field.load.copy()
    if start >= 0:
        load[start] -= factors
        if not load[start]:
            del load[start]
            occupied ^= 1 << start
    load[end] = load.get(end, 0) + factors
    return Field(occupied | 1 << end, load)


class TijvinPosition(Position):
    """A position of Tijvin 1941."""

    __slots__ = (
        "_fields",
        "_zones",
        "active",
        "active_hq",
        "air_used",
        "assigned",
        "attacked",
        "battle",
        "bonus",
        "bought",
        "box",
        "cf",
        "control",
        "delayed",
        "fired",
        "ground",
        "hexes",
        "hq",
        "hq_activated",
        "hq_hex",
        "hq_lost",
        "hq_unsupplied",
        "known",
        "moved",
        "mover",
        "passed",
        "points",
        "retreated",
        "rolled",
        "roster",
        "shaken",
        "shifted",
        "shown",
        "side",
        "spent",
        "stage",
        "uncommanded",
        "unknown",
        "unsupplied",
        "weather",
    )  # fmt: skip

    game: Tijvin
    ground: Ground
    roster: Roster
    hexes: list[Hex]
    cf: list[int]
    hq: list[int]
    """The headquarters each unit is assigned to (9)."""
    box: list[int]
    """On the map, due, destroyed, or over an edge."""
    hq_hex: list[Hex]
    hq_lost: list[Hex]
    """Where a headquarters was lost, while it waits to return (11)."""
    hq_activated: int
    hq_unsupplied: int
    unsupplied: UnitMask
    """Out of supply for the whole turn (10)."""
    uncommanded: UnitMask
    """Out of command for the whole turn (11)."""
    spent: UnitMask
    """Activated this turn."""
    moved: UnitMask
    attacked: UnitMask
    fired: UnitMask
    retreated: UnitMask
    """Retreated this turn."""
    shaken: UnitMask
    """Retreated this turn onto friends, who alone defend that hex (13 V)."""
    assigned: UnitMask
    """Assigned in the step in hand."""
    delayed: UnitMask
    """Reinforcements whose entry was closed when they were due (8)."""
    air_used: int
    weather: str
    control: HexMask
    """The hexes of German ground (12); all others are Soviet."""
    stage: str
    side: str
    """The side whose step or activation it is."""
    mover: str
    """The side that decides now."""
    active: UnitMask
    active_hq: int
    bonus: str
    """The extra German activation of turn 1: ``""``, ``now`` while it lasts, ``used``."""
    passed: bool
    """The other player has just passed."""
    points: int
    """Replacement points left to spend."""
    rolled: int
    """Replacement points the side in hand got."""
    bought: tuple[tuple[int, int, Hex], ...]
    """Factors bought in secret: unit, factors, and the hex of a rebuilt unit."""
    shifted: UnitMask
    """Soviet units placed anew at the end of the free set-up (15.2)."""
    battle: Battle | None
    known: list[int] | None
    """With fog of war, what the enemy reckons each unit to have."""
    unknown: UnitMask
    """In a view: units whose factors are only reckoned."""
    shown: HexMask | None
    """In a view: the enemy zones that the decision in hand reveals."""
    _fields: dict[str, Field]
    _zones: dict[str, HexMask]

    # State ------------------------------------------------------------------------------------

    def _copy(self) -> Self:
        new = object.__new__(type(self))
        new.game, new.map, new.ground, new.roster = self.game, self.map, self.ground, self.roster
        new.scenario, new.options, new.turn = self.scenario, self.options, self.turn
        new.dice, new.events = self.dice, self.events
        new.hexes, new.cf, new.hq, new.box = self.hexes[:], self.cf[:], self.hq[:], self.box[:]
        new.hq_hex, new.hq_lost = self.hq_hex[:], self.hq_lost[:]
        new.hq_activated, new.hq_unsupplied = self.hq_activated, self.hq_unsupplied
        new.unsupplied, new.uncommanded = self.unsupplied, self.uncommanded
        new.spent, new.moved, new.attacked, new.fired = self.spent, self.moved, self.attacked, self.fired
        new.retreated, new.shaken = self.retreated, self.shaken
        new.assigned, new.delayed, new.shifted = self.assigned, self.delayed, self.shifted
        new.air_used, new.weather, new.control = self.air_used, self.weather, self.control
        new.stage, new.side, new.mover = self.stage, self.side, self.mover
        new.active, new.active_hq, new.bonus, new.passed = self.active, self.active_hq, self.bonus, self.passed
        new.points, new.rolled, new.bought = self.points, self.rolled, self.bought
        new.battle = self.battle.copy() if self.battle is not None else None
        new.known = self.known[:] if self.known is not None else None
        new.unknown, new.shown = self.unknown, self.shown
        new._fields = self._fields.copy()
        new._zones = self._zones.copy()
        return new

    @property
    def tables(self) -> Tables:
        """The game's tables."""
        return self.game.book.tables

    @property
    def fog(self) -> bool:
        """Whether fog of war is played (17.1)."""
        return bool(self.options["fog-of-war"])

    @property
    def frozen(self) -> bool:
        """Whether swamp and minor rivers are frozen (7)."""
        return self.tables.is_frozen(self.turn)

    def note(self, kind: str, case: str, template: str, *facts: object, side: str = "", secret: bool = False) -> None:
        """Add an event; a secret one is for its side only."""
        hidden = frozenset({enemy_of(side), "observer"}) if secret else frozenset[str]()
        self.events = (*self.events, Event(kind, case, template, facts, side, hidden))

    def name(self, units: UnitMask) -> str:
        """The names of some units, for events."""
        names = [self.roster.units[u].name for u in members(units)]
        return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))

    def do(self, units: UnitMask, one: str, many: str) -> str:
        """A sentence about some units: the form for one of them, or for several."""
        return one if units.bit_count() == 1 else many

    def place_name(self, h: Hex) -> str:
        """A hex in words."""
        return self.map.name_of(h)

    def disturb(self, side: str = "") -> None:
        """Forget zones and stacks (of one side): something moved, fell or changed its supply."""
        if side:
            self._fields.pop(side, None)
            self._zones.pop(side, None)
        else:
            self._fields.clear()
            self._zones.clear()

    # Where everybody is -----------------------------------------------------------------------

    def field(self, side: str) -> Field:
        """The hexes with combat units of a side, and its stacks (4)."""
        field = self._fields.get(side)
        if field is None:
            occupied = 0
            load: dict[Hex, int] = {}
            hexes, cf = self.hexes, self.cf
            for u in self.roster.of[side]:
                h = hexes[u]
                if h >= 0:
                    occupied |= 1 << h
                    load[h] = load.get(h, 0) + cf[u]
            field = self._fields[side] = Field(occupied, load)
        return field

    def whole_zone(self, side: str) -> HexMask:
        """The zones of control of a side (5), whoever asks."""
        found = self._zones.get(side)
        if found is None:
            found = self._zones[side] = self._zone_of(side)
        return found

    def _zone_of(self, side: str) -> HexMask:
        """The neighbours of stacks of six supplied factors; tanks do not count into trackless swamp (5)."""
        roster, need, load = self.roster, self.tables.stacking.zone, self.field(side).load
        cut, tanks = self.unsupplied & roster.side_mask[side], roster.tanks & roster.side_mask[side]
        if cut:
            load = self._less(load, cut)
        strong = sum([1 << h for h, factors in load.items() if factors >= need])
        ground = self.ground
        if self.frozen or not tanks:
            return zone(ground.grid, strong, ground.zone_sides)
        soft = self._less(load, tanks & ~cut)
        without_tanks = sum([1 << h for h, factors in soft.items() if factors >= need])
        return zone(ground.grid, strong, ground.tank_sides) | zone(ground.grid, without_tanks, ground.zone_sides)

    def _less(self, load: dict[Hex, int], units: UnitMask) -> dict[Hex, int]:
        """Stacks without some of their units."""
        load = load.copy()
        for u in members(units):
            h = self.hexes[u]
            if h >= 0:
                load[h] -= self.cf[u]
        return load

    def occupied(self, side: str) -> HexMask:
        """The hexes with combat units of a side."""
        return self.field(side).occupied

    def zone(self, side: str) -> HexMask:
        """The zones of control of a side (5); in a view under fog those that have been shown."""
        if self.shown is not None and side != self.mover:
            return self.shown
        return self.whole_zone(side)

    def possible_zone(self, side: str) -> HexMask:
        """Where a side may have zones as far as counters on the map tell (17.1)."""
        return zone(self.ground.grid, self.occupied(side), self.ground.zone_sides)

    def at(self, h: Hex, side: str) -> UnitMask:
        """The combat units of a side in a hex."""
        mask, hexes = 0, self.hexes
        for u in self.roster.of[side]:
            if hexes[u] == h:
                mask |= 1 << u
        return mask

    def factors(self, units: UnitMask) -> int:
        """Combat factors of some units as their sheet shows them."""
        cf = self.cf
        return sum(cf[u] for u in members(units))

    def stacked(self, h: Hex, side: str) -> int:
        """Combat factors of a side in a hex, artillery included (4)."""
        return self.field(side).load.get(h, 0)

    def room(self, h: Hex, side: str) -> int:
        """Factors that still fit in a hex (4)."""
        return self.tables.stacking.limit - self.stacked(h, side)

    def on_map(self, side: str) -> UnitMask:
        """The units of a side on the map."""
        mask, hexes = 0, self.hexes
        for u in self.roster.of[side]:
            if hexes[u] >= 0:
                mask |= 1 << u
        return mask

    def stand(self, u: int, h: Hex) -> None:
        """Put a unit in a hex, which becomes its side's ground (12)."""
        side = self.roster.units[u].side
        field = self._fields.get(side)
        if field is not None:
            self._fields[side] = _with_move(field, self.hexes[u], h, self.cf[u])
            self._zones.pop(side, None)
        self.hexes[u] = h
        self.box[u] = ON_MAP
        self.take(h, side)

    def take(self, h: Hex, side: str) -> None:
        """A combat unit enters a hex: the ground is its own, and a headquarters alone there is lost (11)."""
        self.control = self.control | 1 << h if side == "german" else self.control & ~(1 << h)
        for q in self.roster.hqs_of[enemy_of(side)]:
            if self.hq_hex[q] == h:
                self.lose_headquarters(q)

    def own_ground(self, side: str) -> HexMask:
        """The hexes a side controls."""
        return self.control if side == "german" else self.ground.grid.all & ~self.control

    def lose_headquarters(self, q: int) -> None:
        """Take a headquarters off the map; if it has not acted, its units act alone (11)."""
        hq = self.roster.hqs[q]
        self.hq_lost[q], self.hq_hex[q] = self.hq_hex[q], NOWHERE
        self.note("hq-lost", "11.H", "{} is driven off the map", hq.name, side=hq.side)
        if self.hq_activated >> q & 1:
            return
        for u in self.roster.of[hq.side]:
            if self.hq[u] == q and self.hexes[u] >= 0:
                self.uncommanded |= 1 << u

    def lose(self, u: int, among: UnitMask) -> None:
        """A unit loses one factor; without factors it is destroyed (13 IV). Under fog the enemy
        only knows among which units the loss fell, and reckons it off the largest."""
        self.cf[u] -= 1
        unit = self.roster.units[u]
        if self.known is not None:
            known = self.known
            largest = max(members(among), key=known.__getitem__)
            known[largest] = max(known[largest] - 1, 1)
        if self.cf[u] <= 0:
            self.destroy(u)
        else:
            self.note("loss", "13.IV", "{} loses a factor", unit.name, side=unit.side, secret=self.fog)
        self.disturb(unit.side)

    def destroy(self, u: int) -> None:
        """Take a unit off the map; it stays on its sheet without factors."""
        self.note("destroyed", "13.IV", "{} is destroyed", self.roster.units[u].name, side=self.roster.units[u].side)
        self.cf[u] = 0
        self.hexes[u] = NOWHERE
        self.box[u] = DESTROYED
        if self.known is not None:
            self.known[u] = 0
        self.disturb(self.roster.units[u].side)

    # The contract -----------------------------------------------------------------------------

    @property
    def to_move(self) -> str | None:
        """The side to decide next, chance, or nobody when the game is over."""
        if self.stage == "over":
            return None
        return CHANCE if self.stage in CHANCES else self.mover

    @property
    def phase(self) -> Phase:
        """The phase of the sequence of play (6)."""
        return sequence.phase(self)

    @property
    def prompt(self) -> str:
        """What the side to move is asked to do."""
        step = STEPS.get(self.stage)
        if step is None:
            return self.phase.title
        return step.prompt if isinstance(step.prompt, str) else step.prompt(self)

    @property
    def choice(self) -> str | None:
        """The step of a combat in hand that comes before the end of the phase."""
        return sequence.CHOICES.get(self.stage)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended."""
        return victory.standing(self) if self.stage == "over" else None

    @property
    def standing(self) -> Outcome:
        """How the game would end now (14, 15.3)."""
        return victory.standing(self)

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

    def explain(self, order: Order | str) -> Explanation:
        """An attack in numbers, before it is made (13)."""
        return combat.explain(self, self.game.parse(order) if isinstance(order, str) else order)

    def table(self) -> Table:
        """Everything there is to draw."""
        return display.table(self)

    def document(self) -> dict[str, Any]:
        """The position as a document."""
        return documents.document(self)

    # Hooks ------------------------------------------------------------------------------------

    def _orders(self) -> Iterator[Order]:
        return iter(STEPS[self.stage].orders(self))

    def _orders_of(self, unit: str) -> Iterable[Order]:
        u = self.roster.index.get(unit, -1)
        if self.stage == "movement" and u >= 0:
            return movement.orders_of(self, u) if u in movement.movers(self) else ()
        return self._orders()

    def _random(self, rng: random.Random) -> Order:
        step = STEPS[self.stage]
        return step.random(self, rng) if step.random is not None else rng.choice(list(step.orders(self)))

    def _cost(self, order: Order) -> Fraction:
        if self.stage != "movement":
            return super()._cost(order)
        units = [self.roster.index[name] for name in order.units]
        way = movement.shared_way(self, units, [self.ground.grid.hex(number) for number in order.hexes])
        assert isinstance(way, movement.Way)
        return Fraction(way.cost)

    def _refusal(self, order: Order) -> Refusal | None:
        return STEPS[self.stage].refusal(self, order)

    def _apply(self, order: Order) -> None:
        chance = CHANCES.get(self.stage)
        if chance is not None:
            chance.apply(self, order)
        else:
            STEPS[self.stage].apply(self, order)
        sequence.settle(self)

    def _chance(self) -> Chance:
        return CHANCES[self.stage].node(self)

    def _seen_by(self, side: str) -> TijvinPosition:
        return secrecy.seen_by(self, side)

    def _imagined(self, side: str, rng: random.Random) -> TijvinPosition:
        return secrecy.imagined(self, side, rng)
