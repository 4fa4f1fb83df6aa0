"""Reaches that are kept with what was looked at to find them, and carried on. No rule stands here.

When a friend comes or goes, a reach is mended where that changes it: a hex that is closed takes with it those to which
no other way is as cheap, which are looked for again; a hex that is opened makes others cheaper. Where zones, transfers
or entries have a say there, it is worked out anew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, reduce
from heapq import heapify, heappop, heappush
from itertools import accumulate
from operator import or_

from ...hexes import Hex, HexMask, members
from ...kernel.orders import FEW, Order, relisted
from .derived import Lore
from .ground import Ground
from .reach import Flooded, Mover, Reach, single_steps

FAR = 999
"""A higher price than any unit can pay."""


class Kept(Reach):
    """A reach that stands as long as nothing changes in the hexes that it touches."""

    __slots__ = ("listed", "shut", "touched")

    def __init__(self, mover: Mover, flooded: Flooded | None = None) -> None:
        super().__init__(mover, flooded)
        self.shut = mover.shut
        self.listed: Sequence[Order] | None = None
        """The orders that make use of it, once they have been asked for."""
        self.touched: HexMask = self._touched()
        """Hexes that would change the answer if they were opened to the unit; or closed, as far as it gets there."""

    def _touched(self) -> HexMask:
        mover, ground = self.mover, self.mover.ground
        hexes = self.hexes | 1 << mover.start if mover.start >= 0 else self.hexes
        touched = hexes | ground.grid.ring(hexes)
        for h in members(hexes & ground.linked):
            touched |= ground.links[h]
        return touched if mover.start >= 0 else touched | mover.shut & ground.entries

    def still_holds(self, shut: HexMask) -> bool:
        """Whether the reach is the same with these hexes shut to the unit instead."""
        changed = (shut ^ self.shut) & self.touched
        return not changed or not changed & (~shut | self.hexes)

    def mended(self, shut: HexMask) -> Kept | None:
        """The reach with these hexes shut to the unit instead; ``None`` where that is not easily said."""
        changed = (shut ^ self.shut) & self.touched
        if self.start >= 0:
            changed &= ~(1 << self.start)
        odd = self.odd
        if self.mover.only_one or self._carried or changed & odd:
            return None
        layers = self._layers.copy()
        mover = self.mover.with_shut(shut)
        for h in members(changed & shut):
            if not _closed(mover, layers, h, odd):
                return None
        for h in members(changed & ~shut):
            if not _opened(mover, layers, h, odd):
                return None
        return self._renewed(mover, layers, changed)

    @property
    def odd(self) -> HexMask:
        """Hexes where more than plain steps has a say: in and next to zones and stops, between the maps, entries."""
        mover = self.mover
        odd = _near(mover.ground, mover.zones | mover.stops) | mover.ground.linked
        return odd if mover.start >= 0 else odd | mover.ground.entries

    def _renewed(self, mover: Mover, layers: list[HexMask], changed: HexMask) -> Kept:
        """The reach with other layers."""
        new = Kept.__new__(Kept)
        start, ways = mover.start, mover.ways
        new.mover, new.start, new.shut = mover, start, mover.shut
        new._layers, new._carried, new._joined = layers, self._carried, self._joined
        new._keys = {}
        new.single = self.single
        if start >= 0 and (changed & ways.next_to[start] or mover.ground.linked >> start & 1):
            new.single = single_steps(mover)
        new.hexes = reduce(or_, layers, new.single)
        added = new.hexes & ~self.hexes
        new.touched = self.touched | added | mover.ground.grid.ring(added) if added else self.touched
        new.listed = self.relisted(new.hexes) if start >= 0 else None
        return new

    def relisted(self, hexes: HexMask) -> Sequence[Order] | None:
        """The orders to other destinations than these, if few are different."""
        if not self.listed or (self.hexes ^ hexes).bit_count() > FEW:
            return None
        model = self.listed[0]
        every = self.mover.ground.every_order(model.verb, model.units[0])
        return relisted(self.listed, self.hexes, hexes, every.__getitem__)


@lru_cache(maxsize=32)
def _near(ground: Ground, zones: HexMask) -> HexMask:
    """Some hexes with those next to them."""
    return zones | ground.grid.ring(zones)


def _closed(mover: Mover, layers: list[HexMask], h: Hex, odd: HexMask) -> bool:
    """Take a hex out of a reach, with those to which no other way is as cheap, and look for these again; false if it is
    not a matter of plain steps."""
    cost = _cost(layers, h)
    if cost is None:
        return True
    layers[cost] ^= 1 << h
    onward, budget = mover.ways.onward, len(layers) - 1
    lost, queue = [], [(h, cost)]
    for at, spent in queue:
        for n, price in onward[at]:
            then = spent + price
            if then <= budget and layers[then] >> n & 1 and not _has_way(mover, layers, n, then):
                if odd >> n & 1:
                    return False
                layers[then] ^= 1 << n
                lost.append(n)
                queue.append((n, then))
    return not lost or _spread(mover, layers, [(_least(mover, _near_costs(mover, layers, n), n), n) for n in lost], odd)


def _opened(mover: Mover, layers: list[HexMask], h: Hex, odd: HexMask) -> bool:
    """Take a hex into a reach, and go on from there; false if it is not a matter of plain steps."""
    near, too_much = _near_costs(mover, layers, h), len(layers)
    least = _least(mover, near, h)
    if least >= too_much:
        return True
    known = near.get
    for n, price in mover.ways.onward[h]:
        if least + price < known(n, too_much) and not mover.shut >> n & 1:
            return _spread(mover, layers, [(least, h)], odd)
    layers[least] |= 1 << h
    return True


def _cost(layers: list[HexMask], h: Hex) -> int | None:
    for cost, layer in enumerate(layers):
        if layer >> h & 1:
            return cost
    return None


def _has_way(mover: Mover, layers: list[HexMask], h: Hex, cost: int) -> bool:
    """Whether a plain step leads to a hex at just this price."""
    for a, step in mover.ways.back[h]:
        before = cost - step
        if before >= 0 and (layers[before] >> a & 1 or (before == 0 and a == mover.start)):
            return True
    return False


def _near_costs(mover: Mover, layers: list[HexMask], h: Hex) -> dict[Hex, int]:
    """What the hexes next to one cost."""
    ring, near = mover.ground.grid.ring(1 << h), {mover.start: 0}
    for cost, layer in enumerate(layers):
        found = layer & ring
        while found:
            bit = found.bit_length() - 1
            near[bit] = cost
            found ^= 1 << bit
    return near


def _least(mover: Mover, near: dict[Hex, int], h: Hex) -> int:
    """The price of the cheapest step into a hex from those next to it."""
    return min([near.get(a, FAR) + step for a, step in mover.ways.back[h]], default=FAR)


def _spread(mover: Mover, layers: list[HexMask], ways: list[tuple[int, Hex]], odd: HexMask) -> bool:
    """Go on from hexes by cheaper ways than were known."""
    onward, budget, shut, start = mover.ways.onward, len(layers) - 1, mover.shut, mover.start
    ways = [way for way in ways if way[0] <= budget]
    within = list(accumulate(layers, or_))
    new: dict[Hex, int] = {}
    heapify(ways)
    while ways:
        cost, h = heappop(ways)
        if h in new:
            continue
        if odd >> h & 1:
            return False
        new[h] = cost
        for n, price in onward[h]:
            then = cost + price
            if then <= budget and not (within[then] | shut) >> n & 1 and n not in new and n != start:
                heappush(ways, (then, n))
    for h, cost in new.items():
        before = _cost(layers, h)
        if before is not None:
            layers[before] ^= 1 << h
        layers[cost] |= 1 << h
    return True


def carried_on(lore: Lore, index: int, here: Hex, shut: HexMask, mover: Callable[[], Mover]) -> Kept:
    """The reach of a unit in its hex: the one known in this phase while it holds, or what becomes of it."""
    known = lore.reaches.get(index)
    if known is None or known.start != here:
        known = lore.reaches[index] = Kept(mover())
    elif not known.still_holds(shut):
        new = known.mended(shut)
        if new is None:
            new = Kept(mover())
            new.listed = known.relisted(new.hexes) if here >= 0 else None
        known = lore.reaches[index] = new
    return known
