"""Reaches that are kept with what was looked at to find them, and carried on. No rule stands here."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...hexes import Hex, HexMask, members
from ...kernel.orders import FEW, Order, relisted
from .derived import Lore
from .reach import Flooded, Mover, Reach


class Kept(Reach):
    """A reach that stands as long as nothing changes in the hexes that it touches.

    ``like`` is that of the same unit with other friends in the way: it tells most of the new one.
    """

    __slots__ = ("listed", "shut", "touched")

    def __init__(self, mover: Mover, like: Kept | None = None) -> None:
        super().__init__(mover, None if like is None else like._adjusted(mover))
        self.shut = mover.shut
        self.listed: Sequence[Order] | None = None
        """The orders that make use of it, once they have been asked for."""
        if like is not None and like.listed and mover.start >= 0:
            self.listed = like._relisted(self.hexes)
        self.touched: HexMask = self._touched()
        """Hexes that would change the answer if they were opened to the unit; or closed, as far as it gets there."""

    def _touched(self) -> HexMask:
        mover, ground = self.mover, self.mover.ground
        hexes = self.hexes | 1 << mover.start if mover.start >= 0 else self.hexes
        touched = hexes | ground.grid.ring(hexes)
        for h in members(hexes & ground.linked):
            touched |= ground.links[h]
        return touched if mover.start >= 0 else touched | mover.shut & ground.entries

    def _relisted(self, hexes: HexMask) -> Sequence[Order] | None:
        """The orders to other destinations than these, if few are different."""
        if not self.listed or (self.hexes ^ hexes).bit_count() > FEW:
            return None
        model = self.listed[0]
        every = self.mover.ground.every_order(model.verb, model.units[0])
        return relisted(self.listed, self.hexes, hexes, every.__getitem__)

    def still_holds(self, shut: HexMask) -> bool:
        """Whether the reach is the same with these hexes shut to the unit instead."""
        changed = (shut ^ self.shut) & self.touched
        return not changed or not changed & (~shut | self.hexes)

    def _adjusted(self, mover: Mover) -> Flooded | None:
        """The layers when one or two hexes have been closed or opened to the unit, as far as that is easily said:
        no way goes only through a hex that is closed, no way becomes cheaper through one that is opened, and none leads
        to a hex on foot to which it led by transfer."""
        ground, changed = mover.ground, (mover.shut ^ self.shut) & self.touched
        if changed.bit_count() > 2 or mover.only_one or self._carried:
            return None
        if mover.start < 0 and changed & ground.entries:
            return None
        if (changed | ground.grid.ring(changed)) & (mover.zones | mover.stops | ground.linked):
            return None
        layers = self._layers.copy()
        for h in members(changed & mover.shut):
            if not _closed(mover, layers, h):
                return None
        for h in members(changed & ~mover.shut):
            if not _opened(mover, layers, h):
                return None
        return Flooded(layers, self._carried, self._joined)


def _closed(mover: Mover, layers: list[HexMask], h: Hex) -> bool:
    """Take a hex out of a reach; false if a cheapest way leads through no other."""
    cost = next((cost for cost, layer in enumerate(layers) if layer >> h & 1), None)
    if cost is None:
        return True
    layers[cost] ^= 1 << h
    prices, grain = mover.ways.prices, mover.ways.grain
    for n, price in prices[h].items():
        then = cost + price // grain
        if then < len(layers) and layers[then] >> n & 1 and not _has_way(mover, layers, n, then):
            return False
    return True


def _has_way(mover: Mover, layers: list[HexMask], h: Hex, cost: int) -> bool:
    """Whether a plain step leads to a hex at just this price."""
    prices, grain = mover.ways.prices, mover.ways.grain
    barred = mover.zones | mover.stops
    for a in mover.ground.grid.neighbours(h):
        if a >= 0 and h in prices[a] and not barred >> a & 1:
            before = cost - prices[a][h] // grain
            if before >= 0 and (layers[before] >> a & 1 or (before == 0 and a == mover.start)):
                return True
    return False


def _opened(mover: Mover, layers: list[HexMask], h: Hex) -> bool:
    """Take a hex into a reach; false if it makes others cheaper."""
    prices, grain = mover.ways.prices, mover.ways.grain
    ring = mover.ground.grid.ring(1 << h)
    near = {a: cost for cost, layer in enumerate(layers) if layer & ring for a in members(layer & ring)}
    if mover.start >= 0 and ring >> mover.start & 1:
        near[mover.start] = 0
    ways = [spent + prices[a][h] // grain for a, spent in near.items() if h in prices[a]]
    cost = min(ways, default=len(layers))
    if cost >= len(layers):
        return True
    for n, price in prices[h].items():
        if cost + price // grain < near.get(n, len(layers)) and not mover.shut >> n & 1:
            return False
    layers[cost] |= 1 << h
    return True


def carried_on(lore: Lore, index: int, here: Hex, shut: HexMask, mover: Callable[[], Mover]) -> Kept:
    """The reach of a unit in its hex: the one known in this phase while it holds, or what becomes of it."""
    known = lore.reaches.get(index)
    if known is None or known.start != here:
        known = lore.reaches[index] = Kept(mover())
    elif not known.still_holds(shut):
        known = lore.reaches[index] = Kept(mover(), known)
    return known
