"""How far a unit gets (6.13, 6.33, 8.34, 9.2 to 9.4): a flood over both maps, and the cheapest ways.

The maps are joined at the fringe of the city, where a unit is transferred at no cost. A transfer does not leave
an enemy zone: what a unit has not paid for in the hex it came from, it pays with its next step. So a fringe hex
can be reached in two ways that differ in what comes after: on foot, or *carried* over out of a zone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from ...hexes import DIRECTIONS, NOWHERE, Hex, HexMask, mask_of, members, union
from .figures import SOVIET
from .ground import NO_SIDES, Ground, Ways


class Mover(NamedTuple):
    """Everything that decides where one unit may go in this phase."""

    ground: Ground
    ways: Ways
    """Price of every step."""
    fords: tuple[HexMask, ...]
    """Hexsides crossed for the whole allowance (6.33)."""
    start: Hex
    """The hex it stands in; ``NOWHERE`` for a unit that comes onto the map."""
    behind: HexMask
    """The hex it stands in, and the one it was just transferred from: a transfer does not leave a zone (9.4)."""
    entries: Mapping[Hex, int]
    """Entry hexes with their price, for a unit that comes onto the map (16.14)."""
    budget: int
    shut: HexMask
    """Hexes full of friends, held by the enemy, or closed to this kind of unit."""
    rigid: HexMask
    zones: HexMask
    """Enemy zones, rigid or fluid."""
    bars: tuple[HexMask, ...] | None
    """Hexsides not crossed because a closed river leads there from zone to zone (19.33)."""
    stops: HexMask
    """Hexes where it goes no further: rigid zones, and the fringe of a city that has to be summoned."""
    one_hex: bool
    """The guarantee of one hex (6.13)."""
    only_one: bool
    """Out of supply: no more than one hex (11.21)."""
    leave: int

    def goes_on(self, h: Hex) -> bool:
        """Whether it may move on from a hex it has come to."""
        return h == self.start or not self.stops >> h & 1

    def step_price(self, a: Hex, b: Hex, behind: HexMask) -> int | None:
        """Price of one step in a longer march, or ``None`` where it may not be made (9.2 to 9.4; 19.33).

        ``behind`` holds ``a`` and the hexes from which the unit was transferred to it since its last step.
        """
        price = self.ways.prices[a].get(b)
        if price is None or not self.goes_on(a) or self.shut >> b & 1:
            return None
        if behind & self.zones:
            if self.zone_bars(a, b, behind):
                return None
            price += self.leave
        return price

    def zone_bars(self, a: Hex, b: Hex, behind: HexMask) -> bool:
        """Straight from rigid zone to rigid zone (9.2), or over a closed river from zone to zone (19.33)."""
        if self.rigid >> b & 1 and behind & self.rigid:
            return True
        return self.bars is not None and bool(self.bars[self.ground.grid.direction(a, b)] >> a & 1)

    def may_step(self, a: Hex, b: Hex) -> bool:
        """Whether one hex may be entered whatever it costs, from the start or a hex linked to it (6.13)."""
        if not (b in self.ways.prices[a] or self.fords[self.ground.grid.direction(a, b)] >> a & 1):
            return False
        return not self.shut >> b & 1 and not self.zone_bars(a, b, self.behind | 1 << a)


class Carried(NamedTuple):
    """A fringe hex reached by transfer out of an enemy zone that is still to be paid for."""

    cost: int
    origin: Hex
    """The hex in the zone."""
    hops: tuple[Hex, ...]
    """The hexes it was transferred to, the last one reached."""
    behind: HexMask


_Key: TypeAlias = tuple[int, int, Any, int]
"""Orders ways by when they are found: price, steps before transfers, the way so far, direction."""
_FIRST: _Key = (0, 0, (), 0)
_Node: TypeAlias = "tuple[Hex, int] | Carried"
"""A hex reached on foot, with its price; or one reached by transfer out of a zone."""
_NOWHERE = (NOWHERE, 0)


class Reach:
    """Where a unit gets and at what price, and what only the one-hex guarantee gives."""

    __slots__ = ("_carried", "_joined", "_keys", "_layers", "hexes", "mover", "start")

    def __init__(self, mover: Mover) -> None:
        self.mover = mover
        self.start = start = mover.start
        hexes, self._layers, self._carried, self._joined = (0, [], [], 0) if mover.only_one else _flood(mover)
        self._keys: dict[_Node, tuple[_Key, _Node]] = {}
        if self._carried:
            hexes |= mask_of([carried.hops[-1] for carried in self._carried])
        if start < 0 or next_to(mover.ground, mover.ways, start) & ~(mover.shut | hexes):
            hexes |= self.single
        self.hexes: HexMask = hexes & ~(1 << start) if start >= 0 else hexes
        """Every destination."""

    @property
    def single(self) -> HexMask:
        """Hexes that the unit may enter as its whole move, whatever the cost (6.13, 6.33, 11.21)."""
        return single_steps(self.mover) if self.mover.one_hex else 0

    def _on_foot(self, h: Hex) -> int | None:
        """Price in sixths of the cheapest way that does not end with a zone still to be paid for."""
        if h == self.start:
            return 0
        cost = next((cost for cost, layer in enumerate(self._layers) if layer >> h & 1), None)
        return None if cost is None else cost * self.mover.ways.grain

    def _ahead(self, h: Hex) -> Carried | int | None:
        """How a hex is reached: carried over from a zone where that is cheapest, else its price on foot."""
        cost = self._on_foot(h)
        carried = min((c for c in self._carried if c.hops[-1] == h), default=None, key=lambda c: c.cost)
        return cost if carried is None or (cost is not None and cost <= carried.cost) else carried

    def cost(self, h: Hex) -> int | None:
        """Price of the cheapest way in sixths; a guaranteed single hex costs no more than there is."""
        found = self._ahead(h)
        if found is None:
            return way_cost(self.mover, self.start, _single_path(self.mover, h)) if self.single >> h & 1 else None
        return found.cost if isinstance(found, Carried) else found

    def within(self, cost: int) -> HexMask:
        """Hexes reached at a lower price."""
        return union(self._layers[: -(-cost // self.mover.ways.grain)])

    def path(self, h: Hex) -> list[Hex]:
        """A cheapest way, always the same one: the hexes entered, the start left out."""
        found = self._ahead(h)
        if found is None:
            return _single_path(self.mover, h)
        node: _Node = found if isinstance(found, Carried) else (h, found)
        way: list[Hex] = []
        while node not in ((self.start, 0), _NOWHERE):
            if isinstance(node, Carried):
                way += reversed(node.hops)
            else:
                way.append(node[0])
            node = self._before(node)[1]
        return way[::-1]

    # Which of several cheapest ways: the one found first when hexes are settled by price, then in the order in which
    # their ways were found, step by step in the order of the directions, transfers last.

    def _before(self, node: _Node) -> tuple[_Key, _Node]:
        found = self._keys.get(node)
        if found is None:
            if node == (self.start, 0):
                found = _FIRST, _NOWHERE
            elif isinstance(node, Carried):
                origin = node.origin, node.cost
                found = (node.cost, 1, self._before(origin)[0], 0), origin
            else:
                found = min(self._ways_to(*node), key=lambda way: way[0])
            self._keys[node] = found
        return found

    def _ways_to(self, h: Hex, cost: int) -> Iterator[tuple[_Key, _Node]]:
        mover, grain = self.mover, self.mover.ways.grain
        if mover.entries.get(h) == cost:
            yield (cost, 0, (), list(mover.entries).index(h)), _NOWHERE
        for d in DIRECTIONS:
            a = mover.ground.grid.neighbours(h)[(d + 3) % 6]
            if a < 0 or h not in mover.ways.prices[a]:
                continue
            price = mover.step_price(a, h, mover.behind if a == mover.start else 1 << a)
            if price is not None and price <= cost:
                from_start = a == self.start and price == cost
                if from_start or self._layers[(cost - price) // grain] >> a & 1:
                    yield (cost, 0, self._before((a, cost - price))[0], d), (a, cost - price)
            for carried in self._carried:
                if carried.hops[-1] == a:
                    price = mover.step_price(a, h, carried.behind)
                    if price is not None and carried.cost + price == cost:
                        yield (cost, 0, self._before(carried)[0], d), carried
        if self._joined >> h & 1:
            for a in mover.ground.doors[h]:
                came_from_here = self._joined >> a & 1 and mover.ground.main >> h & 1
                if self._on_foot(a) == cost and not mover.zones >> a & 1 and mover.goes_on(a) and not came_from_here:
                    yield (cost, 1, self._before((a, cost))[0], mover.ground.doors[a].index(h)), (a, cost)


def way_cost(mover: Mover, start: Hex, path: Sequence[Hex]) -> int:
    """What a legal way costs; a guaranteed single hex costs no more than there is."""
    spent, here, behind = 0, start, mover.behind
    for b in path:
        if mover.ground.links.get(here, 0) >> b & 1:
            here, behind = b, behind | 1 << b
            continue
        spent += mover.entries[b] if here < 0 else mover.step_price(here, b, behind) or mover.budget
        here, behind = b, 1 << b
    return min(spent, mover.budget)


def _push(
    mover: Mover, pending: list[HexMask], go: HexMask, base: int, into: HexMask, bars: tuple[HexMask, ...] | None
) -> None:
    """Put down where some hexes lead and at what price, beginning with a price; into some hexes only, and not across
    the hexsides of ``bars``."""
    s, left = mover.ground.grid.stride, len(pending) - 1 - base
    t = s - 1
    for price, some, (a, b, c, d, e, f) in mover.ways.costs.plan:
        if price > left:
            break
        if go & some:
            if bars is not None:
                a, b, c, d, e, f = (side & ~bar for side, bar in zip((a, b, c, d, e, f), bars, strict=True))
            pending[base + price] |= into & (
                (go & a) >> 1 | (go & b) << t | (go & c) << s | (go & d) << 1 | (go & e) >> t | (go & f) >> s
            )


def _carry(
    mover: Mover,
    carried: list[Carried],
    pending: list[HexMask],
    origin: Hex,
    behind: HexMask,
    spent: int,
    free: HexMask,
) -> None:
    """Transfer a unit out of a zone it has still to pay for, to every hex that is one place with its own."""
    rigid, grain = mover.rigid, mover.ways.grain
    barred = rigid if behind & rigid else 0
    queue: list[tuple[Hex, tuple[Hex, ...]]] = [(origin, ())]
    known = {(c.hops[-1], bool(c.behind & rigid)) for c in carried}
    for h, hops in queue:
        for other in mover.ground.doors.get(h, ()):
            if not free >> other & 1 or (other, bool(barred)) in known:
                continue
            known.add((other, bool(barred)))
            carried.append(Carried(spent * grain, origin, (*hops, other), behind | 1 << other))
            if not mover.stops >> other & 1:
                queue.append((other, (*hops, other)))
                _push(mover, pending, 1 << other, spent + mover.leave // grain, ~barred, mover.bars)


def _transferred(
    mover: Mover, carried: list[Carried], pending: list[HexMask], new: HexMask, spent: int, free: HexMask
) -> HexMask:
    """The hexes just reached, with those that a free transfer adds to them (8.34, 8.35)."""
    ground, stops = mover.ground, mover.stops
    queue = list(members(new & ground.linked & ~stops))
    for h in queue:
        if mover.zones >> h & 1:
            _carry(mover, carried, pending, h, 1 << h, spent, free & ~new)
        elif added := ground.links[h] & free & ~new:
            new |= added
            queue += members(added & ~stops)
    return new


def _flood(mover: Mover) -> tuple[HexMask, list[HexMask], list[Carried], HexMask]:
    """Everything within the allowance, price by price (6.13): all hexes reached, layers of them, what is carried over
    out of a zone, and the hexes entered by a free transfer."""
    ground, start, zones, stops = mover.ground, mover.start, mover.zones, mover.stops
    budget, leave = mover.budget // mover.ways.grain, mover.leave // mover.ways.grain
    pending = [0] * (budget + 1)
    carried: list[Carried] = []
    joined, free = 0, ground.grid.all & ~mover.shut
    for h, price in mover.entries.items():
        pending[price // mover.ways.grain] |= 1 << h
    if start >= 0:
        free &= ~(1 << start)
        if mover.behind & zones:
            _push(mover, pending, 1 << start, leave, ~mover.rigid if mover.behind & mover.rigid else -1, mover.bars)
            _carry(mover, carried, pending, start, mover.behind, 0, free)
        else:
            for price, hexes in mover.ways.costs.first_steps(1 << start):
                if price <= budget:
                    pending[price] |= hexes
            joined = ground.links.get(start, 0) & free
            pending[0] |= joined
    at_first, layers = free, list[HexMask]()
    plan, s, linked, moving = mover.ways.costs.plan, ground.grid.stride, ground.linked, ground.grid.all & ~stops
    t = s - 1
    for spent in range(budget + 1):
        new = pending[spent] & free
        if new & linked:
            on_foot, new = new, _transferred(mover, carried, pending, new, spent, free)
            joined |= new & ~on_foot
        layers.append(new)
        if not new:
            continue
        free ^= new
        go = new & moving
        sticky = go & zones
        if sticky:
            _push(mover, pending, sticky, spent + leave, -1, mover.bars)
            go ^= sticky
        for price, some, (a, b, c, d, e, f) in plan if go else ():
            if price > budget - spent:
                break
            if go & some:  # as in _push, which would take a fifth more time
                pending[spent + price] |= (
                    (go & a) >> 1 | (go & b) << t | (go & c) << s | (go & d) << 1 | (go & e) >> t | (go & f) >> s
                )
    return at_first ^ free, layers, carried, joined


def single_steps(mover: Mover) -> HexMask:
    """Hexes that a unit may enter as its whole move, whatever the cost (6.13, 6.33, 11.21).

    A hex and its counterparts on the other map are one place: a transfer before or after the step is no hex (8.34).
    Only who crosses the great river moves no further (6.33).
    """
    found, start = mask_of(mover.entries), mover.start
    if start < 0:
        return found
    if not (mover.ways.next_to[start] | 1 << start) & mover.ground.linked:
        return _steps_from(mover, start)
    for a in (start, *_transfers(mover, start)):
        if a != start:
            found |= 1 << a
            if mover.stops >> a & 1:
                continue
        steps = _steps_from(mover, a)
        found |= steps
        for h in _doorsteps(mover, a, steps):
            found |= mask_of(_transfers(mover, h))
    return found & ~(1 << start)


def _alone(ground: Ground, ways: Ways, budget: int, start: Hex) -> Mover:
    """A unit with nobody in its way."""
    fords = ground.soviet_fords if ways.side == SOVIET else NO_SIDES
    return Mover(ground, ways, fords, start, 1 << start, {}, budget, 0, 0, 0, None, 0, True, False, 0)


@lru_cache(maxsize=20_000)
def anywhere(ground: Ground, ways: Ways, budget: int, start: Hex) -> HexMask:
    """A hex, and all that a unit can reach of it with nobody in its way."""
    return Reach(_alone(ground, ways, budget, start)).hexes | 1 << start


@lru_cache(maxsize=20_000)
def next_to(ground: Ground, ways: Ways, start: Hex) -> HexMask:
    """The hexes that may be a unit's whole move with nobody in its way."""
    return single_steps(_alone(ground, ways, 0, start))


def _doorsteps(mover: Mover, a: Hex, steps: HexMask) -> list[Hex]:
    """Of the hexes one step away those with a counterpart on the other map, if not over the great river."""
    return [h for h in members(steps & mover.ground.linked) if h in mover.ways.prices[a]]


def _transfers(mover: Mover, h: Hex) -> dict[Hex, tuple[Hex, ...]]:
    """Where a unit in a hex is transferred at no cost (8.34), each with the hexes on the way there."""
    found: dict[Hex, tuple[Hex, ...]] = {}
    queue: list[tuple[Hex, tuple[Hex, ...]]] = [(h, ())]
    for here, hops in queue:
        if here != mover.start and mover.stops >> here & 1:
            continue
        for other in mover.ground.doors.get(here, ()):
            if other not in found and other != h and not mover.shut >> other & 1:
                found[other] = (*hops, other)
                queue.append((other, found[other]))
    return found


def _steps_from(mover: Mover, a: Hex) -> HexMask:
    found = mover.ways.next_to[a] & ~mover.shut
    if mover.behind & mover.rigid:
        found &= ~mover.rigid
    if mover.bars is not None:
        for d in DIRECTIONS:
            if mover.bars[d] >> a & 1:
                found &= ~(1 << mover.ground.grid.neighbours(a)[d])
    return found


def _single_path(mover: Mover, h: Hex) -> list[Hex]:
    """A way to a hex that is a single step, or a transfer, or both."""
    start = mover.start
    if start < 0:
        return [h]
    before = {start: (), **_transfers(mover, start)}
    if h in before:
        return [*before[h]]
    steps = {a: _steps_from(mover, a) for a in before if a == start or not mover.stops >> a & 1}
    for a, step in steps.items():
        if step >> h & 1:
            return [*before[a], h]
    for a, step in steps.items():
        for b in _doorsteps(mover, a, step):
            after = _transfers(mover, b)
            if h in after:
                return [*before[a], b, *after[h]]
    raise AssertionError(f"{h} is not a single step from {start}")
