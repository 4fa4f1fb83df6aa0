"""Stacking (7.0) and zones of control (9.0)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

from ...hexes import Hex, HexMask, members
from ...kernel.flood import zone
from .figures import GERMAN, SOVIET, Unit

if TYPE_CHECKING:
    from .ground import Ground
    from .position import AssaultPosition

TENFOLD = 10
"""Units of each kind in a main-map city hex (8.26)."""


_NUMBERS = count()


class Room(NamedTuple):
    """Where there is no room for one more unit of a kind."""

    full: HexMask
    crowded: tuple[tuple[HexMask, HexMask], ...]
    """City districts that hold ten times the limit, and the hexes closed by that to units from elsewhere (8.26)."""


class Lay:
    """How the ground units of one side lie on the maps.

    A lay never changes: a unit that moves or loses a step makes a new one out of it, and positions in which
    a side lies the same share it. So what follows from the lay alone, zones and full hexes, is remembered in it.
    """

    __slots__ = (
        "_facing", "_fluid", "_ground", "_rigid", "body", "class_a", "class_b", "guerrillas", "helpers", "number",
        "occupied", "rooms", "side",
    )  # fmt: skip

    def __init__(
        self, ground: Ground, side: int, body: HexMask = 0, helpers: HexMask = 0, guerrillas: HexMask = 0,
        class_a: HexMask = 0, class_b: HexMask = 0,
    ) -> None:  # fmt: skip
        self._ground = ground
        self.side = side
        self.body = body
        """Hexes with a unit that is neither HQ nor worker nor guerrilla."""
        self.helpers = helpers
        """Hexes with an HQ (German) or a worker (Soviet)."""
        self.guerrillas = guerrillas
        self.class_a = class_a
        self.class_b = class_b
        self.occupied = body | helpers | guerrillas
        self.rooms: dict[str, Room] = {}
        """For each kind of unit where there is no room for one more."""
        self._rigid = self._fluid = -1
        self.number = next(_NUMBERS)
        self._facing: tuple[int, dict[str, Any]] = (-1, {})

    def facing(self, enemy: Lay) -> dict[str, Any]:
        """What has been worked out for this lay against that of the enemy; only the last enemy's is kept."""
        if self._facing[0] != enemy.number:
            self._facing = (enemy.number, {})
        return self._facing[1]

    @property
    def rigid(self) -> HexMask:
        """Hexes in a rigid zone (9.2, 9.6), the units' own included."""
        if self._rigid < 0:
            ground, strong = self._ground, self.class_a
            if self.side == SOVIET:
                strong |= self.occupied & ground.fort
            self._rigid = zone(ground.grid, strong, ground.zone_sides) | strong if strong else 0
        return self._rigid

    @property
    def fluid(self) -> HexMask:
        """Hexes in a fluid zone (9.3), rigid ones or not."""
        if self._fluid < 0:
            ground, class_b = self._ground, self.class_b
            self._fluid = zone(ground.grid, class_b, ground.zone_sides) | class_b if class_b else 0
        return self._fluid

    @property
    def zone(self) -> HexMask:
        """Hexes in a zone of any kind, the hexes of class C units included (9.5)."""
        return self.rigid | self.fluid | self.occupied

    def restacked(self, h: Hex, stack: Iterable[tuple[Unit, int]]) -> Lay:
        """The lay when these units, with the steps they have left, are all that stand in a hex."""
        bit = 1 << h
        clear = ~bit
        body, helpers, guerrillas = self.body & clear, self.helpers & clear, self.guerrillas & clear
        class_a, class_b = self.class_a & clear, self.class_b & clear
        for unit, steps in stack:
            if unit.is_hq or unit.is_worker:
                helpers |= bit
            elif unit.is_guerrilla:
                guerrillas |= bit
            else:
                body |= bit
            grade = unit.faces[-steps].grade
            if grade == "A":
                class_a |= bit
            elif grade == "B":
                class_b |= bit
        return Lay(self._ground, self.side, body, helpers, guerrillas, class_a, class_b)


def no_room(pos: AssaultPosition, index: int) -> HexMask:
    """Hexes in which a unit may not join the friends already there (7.1 to 7.5, 8.26)."""
    unit = pos.roster[index]
    room = pos.lays[unit.side].rooms.get(unit.kind) or _room(pos, unit)
    full = room.full
    for city, hexes in room.crowded:
        here = pos.where[index]
        if here < 0 or not city >> here & 1:
            full |= hexes
    return full


def _room(pos: AssaultPosition, unit: Unit) -> Room:
    """Where there is no room for a kind of unit, remembered with the lay."""
    lay = pos.lays[unit.side]
    if unit.is_hq or unit.is_worker:
        full = lay.helpers
    elif unit.is_guerrilla:
        full = lay.guerrillas
    else:
        full = lay.body
    if unit.side == GERMAN:
        room = Room(full & ~_division_hexes(pos, unit) if unit.division else full, ())
    else:
        room = Room(full & ~pos.ground.capital, tuple(_crowded_city(pos, unit)))
    lay.rooms[unit.kind] = room
    return room


def _division_hexes(pos: AssaultPosition, unit: Unit) -> HexMask:
    """Where regiments of the same division stand (7.2)."""
    mask = 0
    for other in pos.siblings[unit.division]:
        h = pos.where[other]
        if h >= 0:
            mask |= 1 << h
    return mask


def _crowded_city(pos: AssaultPosition, unit: Unit) -> Iterator[tuple[HexMask, HexMask]]:
    """City hexes of the main map that hold ten of this kind, the district counted in, and the districts
    of such hexes while both maps are in use (8.26): the whole that is counted, and the hexes closed to others."""
    ground = pos.ground
    for h, district in ground.district_of.items():
        here = pos.stacks.get(h, ())
        at_most = len(here) + (pos.lays[SOVIET].occupied & district).bit_count()
        if at_most >= TENFOLD and _kin(pos, unit, district | 1 << h) >= TENFOLD:
            yield district | 1 << h, district | 1 << h if here else 1 << h


def _kin(pos: AssaultPosition, unit: Unit, hexes: HexMask) -> int:
    """How many units of the same stacking kind stand in some hexes."""
    held = members(pos.lays[SOVIET].occupied & hexes)
    return sum(pos.roster[other].kind == unit.kind for h in held for other in pos.stacks[h])


def excess(units: Iterable[Unit]) -> list[Unit]:
    """The units among which some must go for a stack to be legal in an ordinary hex (7.0)."""
    kinds: dict[str, list[Unit]] = {}
    bodies: list[Unit] = []
    divisions: set[str] = set()
    for unit in units:
        if unit.kind in ("hq", "worker", "guerrilla"):
            kinds.setdefault(unit.kind, []).append(unit)
        else:
            bodies.append(unit)
            divisions.add(unit.division)
    crowded = [unit for group in kinds.values() if len(group) > 1 for unit in group]
    if len(bodies) > 1 and (len(divisions) > 1 or "" in divisions):
        crowded += bodies
    return crowded
