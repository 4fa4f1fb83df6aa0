"""What follows from the board, and how long it is remembered. No rule begins or ends here: everything is worked out by
``state.py`` and the chapters, and could be worked out anew whenever somebody asks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ...hexes import Hex, HexMask
from ...kernel.state import Own
from .ground import Ground
from .state import Field, Situation

T = TypeVar("T")


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


class Derived(Situation):
    """A board that remembers along the line of play: stacks and zones of a side hold until something of that side
    moves, falls or changes its supply."""

    _fields: Own[dict[str, Field]] = {}
    _zones: Own[dict[str, HexMask]] = {}

    def field(self, side: str) -> Field:
        """The hexes with combat units of a side, and its stacks (4)."""
        field = self._fields.get(side)
        if field is None:
            field = self._fields[side] = super().field(side)
        return field

    def whole_zone(self, side: str) -> HexMask:
        """The zones of control of a side (5), whoever asks."""
        found = self._zones.get(side)
        if found is None:
            found = self._zones[side] = super().whole_zone(side)
        return found

    def restack(self, u: int, h: Hex, side: str) -> None:
        """A unit is about to be put in a hex: the stacks of its side are known already."""
        field = self._fields.get(side)
        if field is not None:
            self._fields[side] = _with_move(field, self.hexes[u], h, self.cf[u])
            self._zones.pop(side, None)

    def disturb(self, side: str = "") -> None:
        """Forget zones and stacks (of one side): something moved, fell or changed its supply."""
        if side:
            self._fields.pop(side, None)
            self._zones.pop(side, None)
        else:
            self._fields.clear()
            self._zones.clear()


def remembered(ground: Ground, inputs: tuple[object, ...], work_out: Callable[..., T]) -> T:
    """What follows from the map and a few more things alone: units in the same case share it."""
    found: T = ground.ranges.find(inputs, work_out, ground, *inputs)
    return found
