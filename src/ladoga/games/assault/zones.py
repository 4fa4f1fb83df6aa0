"""Stacking (7.0)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from ...hexes import Hex, HexMask, mask_of, members
from . import derived
from .figures import SOVIET, Unit
from .state import State

TENFOLD = 10
"""Units of each kind in a main-map city hex (8.26)."""


class Room(NamedTuple):
    """Where there is no room for one more unit of a kind."""

    full: HexMask
    crowded: tuple[tuple[HexMask, HexMask], ...] = ()
    """City districts that hold ten times the limit, and the hexes closed by that to units from elsewhere (8.26)."""


def no_room(pos: State, index: int) -> HexMask:
    """Hexes in which a unit may not join the friends already there (7.1 to 7.5, 8.26)."""
    unit = pos.roster[index]
    full, crowded = room(pos, unit)
    for city, hexes in crowded:
        here = pos.where[index]
        if here < 0 or not city >> here & 1:
            full |= hexes
    return full


@derived.of_lay
def room(pos: State, unit: Unit) -> Room:
    """Where there is no room for a kind of unit; regiments join those of their own division (7.2)."""
    lay = pos.lays[unit.side]
    full = lay.groups[unit.group]
    if unit.side == SOVIET:
        city = [
            (whole, whole if h in pos.stacks else 1 << h) for h, whole in packed(pos) if _ten(pos, unit.kind, whole)
        ]
        return Room(full & ~pos.ground.capital, tuple(city))
    if unit.division:
        full &= ~mask_of(h for other in pos.siblings[unit.division] if (h := pos.where[other]) >= 0)
    return Room(full)


def _ten(pos: State, kind: str, whole: HexMask) -> bool:
    """Whether a city hex of the main map holds ten of this kind, the district counted in (8.26)."""
    held = members(pos.lays[SOVIET].occupied & whole)
    return sum(pos.roster[other].kind == kind for at in held for other in pos.stacks[at]) >= TENFOLD


@derived.of_both_lays
def packed(pos: State) -> list[tuple[Hex, HexMask]]:
    """City hexes of the main map with ten units or more, the district counted in, and what is counted."""
    occupied, stacks = pos.lays[SOVIET].occupied, pos.stacks
    return [
        (h, district | 1 << h)
        for h, district in pos.ground.district_of.items()
        if len(stacks.get(h, ())) + (occupied & district).bit_count() >= TENFOLD
    ]


def excess(units: Iterable[Unit]) -> list[Unit]:
    """The units among which some must go for a stack to be legal in an ordinary hex (7.0)."""
    every = list(units)
    bodies = [unit for unit in every if unit.kind not in ("hq", "worker", "guerrilla")]
    alone = Counter(unit.kind for unit in every if unit not in bodies)
    crowded = [unit for kind, number in alone.items() if number > 1 for unit in every if unit.kind == kind]
    divisions = {unit.division for unit in bodies}
    together = len(divisions) == 1 and "" not in divisions
    return crowded if together or len(bodies) < 2 else crowded + bodies
