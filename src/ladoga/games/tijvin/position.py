"""A position of Tijvin 1941: where units stand and what they have left, whose step it is, the combat in hand.

The chapters of the rules sheet are modules beside this one. Each says what an order needs to be legal and what it does;
``sequence`` puts them in order.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from ...hexes import NOWHERE, Hex, HexMask, members
from ...kernel.errors import LadogaError
from ...kernel.flood import zone
from ...kernel.orders import Order
from ...kernel.position import OBSERVER, Event, Explanation, Outcome, Phase, Reachable, Reached, Trace, passed
from ...kernel.sequence import NOBODY, OVER, Decision, Planned, SequencedPosition, Side
from ...kernel.state import Own
from ...kernel.table import Table
from . import combat, display, documents, movement, operations, secrecy, sequence, supply, victory
from .battle import NOBODY_ACTIVE, Activation, Battle, Purse
from .book import DESTROYED, ON_MAP, SIDES, Roster, Tables, UnitMask, enemy_of

if TYPE_CHECKING:
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


class TijvinPosition(SequencedPosition):
    """A position of Tijvin 1941."""

    sequence = sequence.SEQUENCE
    end_case = "14"

    game: Tijvin
    ground: Ground
    roster: Roster
    hexes: Own[list[Hex]]
    cf: Own[list[int]]
    hq: Own[list[int]]
    """The headquarters each unit is assigned to (9)."""
    box: Own[list[int]]
    """On the map, due, destroyed, or over an edge."""
    hq_hex: Own[list[Hex]]
    hq_lost: Own[list[Hex]]
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
    bonus: str
    """The extra German activation of turn 1: ``""``, ``now`` while it lasts, ``used``."""
    passed: bool
    """The other player has just passed."""
    bought: tuple[tuple[int, int, Hex], ...]
    """Factors bought in secret: unit, factors, and the hex of a rebuilt unit."""
    shifted: UnitMask
    """Soviet units placed anew at the end of the free set-up (15.2)."""
    known: Own[list[int] | None]
    """With fog of war, what the enemy reckons each unit to have."""
    unknown: UnitMask
    """In a view: units whose factors are only reckoned."""
    shown: HexMask | None
    """In a view: the enemy zones that the decision in hand reveals."""
    _fields: Own[dict[str, Field]]
    _zones: Own[dict[str, HexMask]]

    # What is due ------------------------------------------------------------------------------

    @property
    def stage(self) -> str:
        """The moment in hand."""
        return self.agenda[0].at if self.agenda else OVER.id

    @property
    def side(self) -> str:
        """The side whose step or activation it is."""
        return SIDES[self.agenda[-1].side]

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
        phase = sequence.phase(self, at, self.agenda[-1].side if side == NOBODY else side)
        self.events = (*self.events, passed(phase))

    # In words ---------------------------------------------------------------------------------

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

    def tell(
        self, kind: str, case: str, template: str, *facts: object, side: Side | str = NOBODY, secret: bool = False
    ) -> None:
        """Note something that happened, in a plain sentence; a secret is for its side alone."""
        name = side if isinstance(side, str) else SIDES[side] if side >= 0 else ""
        hidden = frozenset({enemy_of(name), OBSERVER}) if secret else frozenset[str]()
        self.events = (*self.events, Event(kind, case, template, facts, name, hidden))

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
            found = self._zones[side] = self.zone_without(side, self.unsupplied)
        return found

    def zone_without(self, side: str, silent: UnitMask, gone: UnitMask = 0) -> HexMask:
        """The neighbours of stacks of six factors without those that are silent, out of supply, or gone; tanks do not
        count into trackless swamp (5)."""
        roster, need, load = self.roster, self.tables.stacking.zone, self.field(side).load
        cut, tanks = (silent | gone) & roster.side_mask[side], roster.tanks & roster.side_mask[side]
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

    def zone(self, side: str, silent: UnitMask | None = None) -> HexMask:
        """The zones of control of a side (5), if need be with other units out of supply; in a view under fog those that
        have been shown."""
        if self.shown is not None and side != self.mover:
            return self.shown
        return self.whole_zone(side) if silent is None else self.zone_without(side, silent)

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
        self.tell("hq-lost", "11.H", "{} is driven off the map", hq.name, side=hq.side)
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
            self.tell("loss", "13.IV", "{} loses a factor", unit.name, side=unit.side, secret=self.fog)
        self.disturb(unit.side)

    def destroy(self, u: int) -> None:
        """Take a unit off the map; it stays on its sheet without factors."""
        self.tell("destroyed", "13.IV", "{} is destroyed", self.roster.units[u].name, side=self.roster.units[u].side)
        self.cf[u] = 0
        self.hexes[u] = NOWHERE
        self.box[u] = DESTROYED
        if self.known is not None:
            self.known[u] = 0
        self.disturb(self.roster.units[u].side)

    # The contract -----------------------------------------------------------------------------

    @property
    def phase(self) -> Phase:
        """The phase of the sequence of play (6)."""
        if not self.agenda:
            return OVER._replace(case=self.end_case)
        return sequence.phase(self, self.agenda[0].at, self.agenda[-1].side)

    @property
    def prompt(self) -> str:
        """What the side to move is asked to do."""
        return super().prompt if self.agenda and isinstance(self.moment, Decision) else self.phase.title

    @property
    def choice(self) -> str | None:
        """The step of a combat in hand that comes before the end of the phase."""
        return super().choice if len(self.agenda) > 1 and isinstance(self.moment, Decision) else None

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended."""
        return None if self.agenda else victory.standing(self)

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

    def _orders_of(self, unit: str) -> Iterable[Order]:
        u = self.roster.index.get(unit, -1)
        if self.stage == "movement" and u >= 0:
            return movement.orders_of(self, u) if u in movement.movers(self) else ()
        return self._orders()

    def _cost(self, order: Order) -> Fraction:
        planned = self.plan(order)
        if isinstance(planned, Planned) and isinstance(planned.plan, movement.March):
            return Fraction(planned.plan.way.cost)
        return super()._cost(order)

    def _seen_by(self, side: str) -> TijvinPosition:
        return secrecy.seen_by(self, side)

    def _imagined(self, side: str, rng: random.Random) -> TijvinPosition:
        return secrecy.imagined(self, side, rng)
