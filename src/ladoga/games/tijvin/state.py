"""The state of Tijvin 1941 as nouns: the board, the sheet of a turn, the sheet of the campaign, what a view shows.

Every field is declared once, with what it usually is; copying and renewing follow from that (``kernel/state.py``). What
is remembered of all this lies in ``derived.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ...hexes import NOWHERE, Hex, HexMask, mask_of, members
from ...kernel.events import Loss
from ...kernel.flood import zone
from ...kernel.sequence import SequencedPosition
from ...kernel.state import Own, Part
from .book import DESTROYED, ON_MAP, SIDES, Roster, Tables, TijvinOptions, UnitMask, enemy_of
from .ground import Ground

if TYPE_CHECKING:
    from .game import Tijvin


class TurnSheet(Part):
    """What is forgotten when a turn begins: everything is ready again (6.2.4)."""

    hq_activated: int = 0
    hq_unsupplied: int = 0
    unsupplied: UnitMask = 0
    """Out of supply for the whole turn (10)."""
    uncommanded: UnitMask = 0
    """Out of command for the whole turn (11)."""
    spent: UnitMask = 0
    """Activated this turn."""
    moved: UnitMask = 0
    attacked: UnitMask = 0
    fired: UnitMask = 0
    retreated: UnitMask = 0
    """Retreated this turn."""
    shaken: UnitMask = 0
    """Retreated this turn onto friends, who alone defend that hex (13 V)."""
    assigned: UnitMask = 0
    """Assigned in the step in hand."""
    air_used: int = 0
    passed: bool = False
    """The other player has just passed."""
    bought: tuple[tuple[int, int, Hex], ...] = ()
    """Factors bought in secret: unit, factors, and the hex of a rebuilt unit."""


class CampaignSheet(Part):
    """What outlasts the turn."""

    weather: str = "clear"
    bonus: str = ""
    """The extra German activation of turn 1: ``""``, ``now`` while it lasts, ``used``."""
    delayed: UnitMask = 0
    """Reinforcements whose entry was closed when they were due (8)."""
    shifted: UnitMask = 0
    """Soviet units placed anew at the end of the free set-up (15.2)."""


class Sight(Part):
    """What a view shows of the truth under fog (17.1)."""

    unknown: UnitMask = 0
    """Units whose factors are only reckoned."""
    shown: HexMask | None = None
    """The enemy zones that the decision in hand reveals."""


class Field(NamedTuple):
    """How a side stands on the map. Positions share it, so it is never changed."""

    occupied: HexMask
    load: dict[Hex, int]
    """Combat factors by hex."""


class Board(Part):
    """What stands on the map and what it has left."""

    ground: Ground
    roster: Roster
    hexes: Own[list[Hex]]
    cf: Own[list[int]]
    """Factors that each unit has left."""
    hq: Own[list[int]]
    """The headquarters each unit is assigned to (9)."""
    box: Own[list[int]]
    """On the map, due, destroyed, or over an edge."""
    hq_hex: Own[list[Hex]]
    hq_lost: Own[list[Hex]]
    """Where a headquarters was lost, while it waits to return (11)."""
    control: HexMask
    """The hexes of German ground (12); all others are Soviet."""
    known: Own[list[int] | None]
    """With fog of war, what the enemy reckons each unit to have."""


class Situation(SequencedPosition, Board, TurnSheet, CampaignSheet, Sight):
    """The state of a game with all that is said of a board: stacks, zones, and what happens to units."""

    if TYPE_CHECKING:  # fields of every position
        game: Tijvin
        options: TijvinOptions

    @property
    def tables(self) -> Tables:
        """The game's tables."""
        return self.game.book.tables

    @property
    def fog(self) -> bool:
        """Whether fog of war is played (17.1)."""
        return self.options.fog_of_war

    @property
    def frozen(self) -> bool:
        """Whether swamp and minor rivers are frozen (7)."""
        return self.turn >= self.tables.turns.frozen

    def name(self, units: UnitMask) -> str:
        """The names of some units, for events."""
        names = [self.roster.units[u].name for u in members(units)]
        if len(names) == 1:
            return names[0]
        return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))

    def do(self, units: UnitMask, one: str, many: str) -> str:
        """A sentence about some units: the form for one of them, or for several."""
        return one if units.bit_count() == 1 else many

    def place_name(self, h: Hex) -> str:
        """A hex in words."""
        return self.map.name_of(h)

    # Stacks and zones (4, 5) ------------------------------------------------------------------

    def field(self, side: str) -> Field:
        """The hexes with combat units of a side, and its stacks (4)."""
        occupied, load = 0, dict[Hex, int]()
        hexes, cf = self.hexes, self.cf
        for u in self.roster.of[side]:
            h = hexes[u]
            if h >= 0:
                occupied |= 1 << h
                load[h] = load.get(h, 0) + cf[u]
        return Field(occupied, load)

    def whole_zone(self, side: str) -> HexMask:
        """The zones of control of a side (5), whoever asks."""
        return self.zone_without(side, self.unsupplied)

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

    def possible_zone(self, side: str) -> HexMask:
        """Where a side may have zones as far as counters on the map tell (17.1)."""
        return zone(self.ground.grid, self.occupied(side), self.ground.zone_sides)

    def at(self, h: Hex, side: str) -> UnitMask:
        """The combat units of a side in a hex."""
        hexes = self.hexes
        return sum([1 << u for u in self.roster.of[side] if hexes[u] == h])

    def factors(self, units: UnitMask) -> int:
        """Combat factors of some units as their sheet shows them."""
        return sum(map(self.cf.__getitem__, members(units)))

    def stacked(self, h: Hex, side: str) -> int:
        """Combat factors of a side in a hex, artillery included (4)."""
        return self.field(side).load.get(h, 0)

    def room(self, h: Hex, side: str) -> int:
        """Factors that still fit in a hex (4)."""
        return self.tables.stacking.limit - self.stacked(h, side)

    def on_map(self, side: str) -> UnitMask:
        """The units of a side on the map."""
        hexes = self.hexes
        return sum([1 << u for u in self.roster.of[side] if hexes[u] >= 0])

    # What happens to units --------------------------------------------------------------------

    def stand(self, u: int, h: Hex) -> None:
        """Put a unit in a hex, which becomes its side's ground (12)."""
        side = self.roster.units[u].side
        self.restack(u, h, side)
        self.hexes[u] = h
        self.box[u] = ON_MAP
        self.take(h, side)

    def restack(self, u: int, h: Hex, side: str) -> None:
        """A unit is about to be put in a hex."""

    def disturb(self, side: str = "") -> None:
        """Something of a side, or of both, moved, fell or changed its supply."""

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
        self.tell("hq-lost", "11.H", "{} is driven off the map", hq.name, side=SIDES.index(hq.side))
        if not self.hq_activated >> q & 1:
            obeying = (u for u in self.roster.of[hq.side] if self.hq[u] == q and self.hexes[u] >= 0)
            self.uncommanded |= mask_of(obeying)

    def lose(self, u: int, among: UnitMask) -> None:
        """A unit loses one factor; without factors it is destroyed (13 IV). Under fog the enemy
        only knows among which units the loss fell, and reckons it off the largest."""
        self.cf[u] -= 1
        unit = self.roster.units[u]
        if self.known is not None:
            largest = max(members(among), key=self.known.__getitem__)
            self.known[largest] = max(self.known[largest] - 1, 1)
        if self.cf[u] <= 0:
            self.destroy(u, 1)
        else:
            self.tell("loss", "13.IV", "{} loses a factor", unit.name, side=SIDES.index(unit.side),
                      fact=Loss(unit.id, 1), secret=self.fog)  # fmt: skip
        self.disturb(unit.side)

    def destroy(self, u: int, factors: int) -> None:
        """Take a unit off the map with the factors that it still has, which under fog nobody is told (17.1); it stays
        on its sheet without any."""
        unit = self.roster.units[u]
        fact = Loss(unit.id, factors) if factors == 1 or not self.fog else None
        self.tell("destroyed", "13.IV", "{} is destroyed", unit.name, side=SIDES.index(unit.side), fact=fact)
        self.cf[u], self.hexes[u], self.box[u] = 0, NOWHERE, DESTROYED
        if self.known is not None:
            self.known[u] = 0
        self.disturb(self.roster.units[u].side)
