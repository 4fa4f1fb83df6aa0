"""Bodies: units that move and fight as one, and how far each gets (6.1, 7.2)."""

from __future__ import annotations

from collections.abc import Container, Iterable

from ....games.assault.arrivals import by_city, city_entry, entry_hexes, waiting
from ....games.assault.movement import destinations, reach_of, standstill
from ....hexes import NOWHERE, Hex, HexMask
from .picture import Picture


class Body:
    """A division, or the regiments of one that stand together."""

    __slots__ = ("attack", "corps", "hex", "mechanized", "price", "rank", "reach", "units")

    def __init__(self, picture: Picture, units: tuple[int, ...], reach: HexMask) -> None:
        pos = picture.pos
        first = pos.roster[units[0]]
        self.units = units
        self.reach = reach
        self.hex = pos.where[units[0]]
        self.corps = first.corps
        self.mechanized = first.mechanized
        able = [i for i in units if not pos.roster[i].is_hq and not pos.is_disrupted(i)]
        self.attack = sum(picture.factor(i) for i in able)
        self.rank = min((picture.rank(i) for i in able), default=0)
        self.price = sum(picture.price(i) for i in units)

    @property
    def here(self) -> HexMask:
        """The hex it stands in, as a set; empty while it waits to come in."""
        return 1 << self.hex if self.hex >= 0 else 0

    @property
    def column(self) -> str:
        """The column of the terrain chart it moves by."""
        return "mechanized" if self.mechanized else "infantry"


def reach_of_unit(picture: Picture, index: int) -> HexMask:
    """Where a unit may go in this phase; nowhere if it may not move."""
    pos = picture.pos
    if pos.where[index] < 0:
        if by_city(pos, index):
            return city_entry(pos, index)
        return reach_of(pos, index, entry_hexes(pos, index)).hexes
    if standstill(pos, index) is not None:
        return 0
    return destinations(pos, index, reach_of(pos, index))


def bodies_of(
    picture: Picture, units: Iterable[int], moving: bool = True, apart: Container[str] = frozenset()
) -> list[Body]:
    """Units gathered into bodies, with their common reach and the hex they stand in; each unit by itself in corps that
    are to go ``apart``."""
    pos = picture.pos
    parties: dict[tuple[Hex, str], list[int]] = {}
    for i in units:
        unit = pos.roster[i]
        division = "" if unit.corps in apart else unit.division
        parties.setdefault((pos.where[i], division or unit.id), []).append(i)
    found = []
    for (h, _), party in parties.items():
        reach = -1
        for i in party:
            reach &= reach_of_unit(picture, i) if moving else 0
        if h != NOWHERE:
            reach |= 1 << h
        if reach:
            found.append(Body(picture, tuple(party), reach))
    return found


def all_units(picture: Picture, second: bool = False) -> list[int]:
    """Units on the map and, in a first movement phase, those waiting to come in."""
    return [*picture.of(picture.side), *([] if second else waiting(picture.pos, picture.side))]
