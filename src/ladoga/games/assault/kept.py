"""Reaches that are kept with what was looked at to find them, and carried on. No rule stands here."""

from __future__ import annotations

from collections.abc import Sequence

from ...hexes import HexMask
from ...kernel.orders import FEW, Order, relisted
from .reach import Mover, Reach, anywhere


class Kept(Reach):
    """A reach that stands as long as nothing changes in the hexes that it touches.

    ``like`` is that of the same unit with other friends in the way: most of its orders are those of the new one.
    """

    __slots__ = ("listed", "touched")

    def __init__(self, mover: Mover, like: Kept | None = None) -> None:
        super().__init__(mover)
        self.listed: Sequence[Order] | None = None
        """The orders that make use of it, once they have been asked for."""
        if like is not None and like.listed and mover.start >= 0:
            self.listed = like._relisted(self.hexes)
        self.touched: HexMask = self._touched()
        """Hexes that would change the answer if they were opened to the unit; or closed, as far as it gets there."""

    def _touched(self) -> HexMask:
        mover, ground, start = self.mover, self.mover.ground, self.start
        hexes = self.hexes | 1 << start if start >= 0 else self.hexes
        touched = hexes | ground.grid.ring(hexes) | ground.through(hexes)
        if start < 0:
            return touched | mover.shut & ground.entries
        return touched & anywhere(ground, mover.ways, mover.budget, start)

    def _relisted(self, hexes: HexMask) -> Sequence[Order] | None:
        """The orders to other destinations than these, if few are different."""
        if not self.listed or (self.hexes ^ hexes).bit_count() > FEW:
            return None
        model = self.listed[0]
        every = self.mover.ground.every_order(model.verb, model.units[0], hexes)
        return relisted(self.listed, self.hexes, hexes, every.__getitem__)

    def still_holds(self, shut: HexMask) -> bool:
        """Whether the reach is the same with these hexes shut to the unit instead."""
        changed = (shut ^ self.mover.shut) & self.touched
        return not changed & (~shut | self.hexes)
