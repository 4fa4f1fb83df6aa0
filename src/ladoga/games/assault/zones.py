"""Stacking (7.0) and zones of control (9.0)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from ...hexes import HexMask
from ...kernel.flood import zone
from .figures import GERMAN, SOVIET, Unit

if TYPE_CHECKING:
    from .position import AssaultPosition

TENFOLD = 10
"""Units of each kind in a main-map city hex (8.26)."""


class Lay(NamedTuple):
    """How the ground units of one side lie on the maps."""

    occupied: HexMask
    body: HexMask
    """Hexes with a unit that is neither HQ nor worker nor guerrilla."""
    helpers: HexMask
    """Hexes with an HQ (German) or a worker (Soviet)."""
    guerrillas: HexMask
    rigid: HexMask
    """Hexes in a rigid zone (9.2, 9.6), the units' own included."""
    fluid: HexMask
    """Hexes in a fluid zone (9.3), rigid ones or not."""

    @property
    def zone(self) -> HexMask:
        """Hexes in a zone of any kind, the hexes of class C units included (9.5)."""
        return self.rigid | self.fluid | self.occupied


def lay_of(pos: AssaultPosition, side: int) -> Lay:
    """The lie of a side's ground units and their zones of control (9.1 to 9.7)."""
    ground = pos.ground
    body = helpers = guerrillas = class_a = class_b = 0
    where, steps, roster = pos.where, pos.steps, pos.roster
    for index in pos.order_of_battle[side]:
        h = where[index]
        if h < 0:
            continue
        unit = roster[index]
        bit = 1 << h
        if unit.is_hq or unit.is_worker:
            helpers |= bit
        elif unit.is_guerrilla:
            guerrillas |= bit
        elif unit.is_naval:
            continue
        else:
            body |= bit
        grade = unit.faces[-steps[index]].grade
        if grade == "A":
            class_a |= bit
        elif grade == "B":
            class_b |= bit
    occupied = body | helpers | guerrillas
    if side == SOVIET:
        class_a |= occupied & ground.fort
    sides = ground.zone_sides
    rigid = zone(ground.grid, class_a, sides) | class_a if class_a else 0
    fluid = zone(ground.grid, class_b, sides) | class_b if class_b else 0
    return Lay(occupied, body, helpers, guerrillas, rigid, fluid)


def no_room(pos: AssaultPosition, index: int) -> HexMask:
    """Hexes in which a unit may not join the friends already there (7.1 to 7.5, 8.26)."""
    unit = pos.roster[index]
    lay = pos.lay(unit.side)
    if unit.side == GERMAN:
        if unit.is_hq:
            return lay.helpers
        if unit.division:
            return lay.body & ~_division_hexes(pos, unit)
        return lay.body
    if unit.is_worker:
        full = lay.helpers
    elif unit.is_guerrilla:
        full = lay.guerrillas
    else:
        full = lay.body
    capital = full & pos.ground.capital
    if capital:
        full &= ~capital
    return full | _full_city(pos, index)


def _division_hexes(pos: AssaultPosition, unit: Unit) -> HexMask:
    """Where regiments of the same division stand (7.2)."""
    mask = 0
    for other in pos.siblings[unit.division]:
        h = pos.where[other]
        if h >= 0:
            mask |= 1 << h
    return mask


def _full_city(pos: AssaultPosition, index: int) -> HexMask:
    """City hexes of the main map that hold ten of this kind, the district counted in, and the districts
    of such hexes while both maps are in use (8.26)."""
    ground, here = pos.ground, pos.where[index]
    full = 0
    for h, district in ground.district_of.items():
        whole = district | 1 << h
        if here >= 0 and whole >> here & 1:
            continue
        at_most = len(pos.stacks.get(h, ())) + (pos.lay(SOVIET).occupied & district).bit_count()
        if at_most >= TENFOLD and _kin(pos, pos.roster[index], whole) >= TENFOLD:
            full |= whole if pos.stacks.get(h) else 1 << h
    return full


def _kin(pos: AssaultPosition, unit: Unit, hexes: HexMask) -> int:
    """How many units of the same stacking kind stand in some hexes."""
    kind = stacking_kind(unit)
    return sum(
        1
        for other in pos.order_of_battle[SOVIET]
        if pos.where[other] >= 0 and hexes >> pos.where[other] & 1 and stacking_kind(pos.roster[other]) == kind
    )


def stacking_kind(unit: Unit) -> str:
    """Units of one kind crowd each other out; different kinds stack (7.3, 7.4)."""
    if unit.is_hq or unit.is_worker or unit.is_guerrilla or unit.is_naval:
        return unit.type
    return unit.division or "body"


def excess(units: Iterable[Unit]) -> list[Unit]:
    """The units among which some must go for a stack to be legal in an ordinary hex (7.0)."""
    kinds: dict[str, list[Unit]] = {}
    bodies: list[Unit] = []
    divisions: set[str] = set()
    for unit in units:
        kind = stacking_kind(unit)
        if kind in ("hq", "worker", "guerrilla"):
            kinds.setdefault(kind, []).append(unit)
        else:
            bodies.append(unit)
            divisions.add(unit.division)
    crowded = [unit for group in kinds.values() if len(group) > 1 for unit in group]
    if len(bodies) > 1 and (len(divisions) > 1 or "" in divisions):
        crowded += bodies
    return crowded
