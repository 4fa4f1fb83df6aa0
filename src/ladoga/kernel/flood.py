"""Reach, zones and connections: floods over hex sets, one integer operation for many hexes.

Costs are whole numbers of the smallest fraction a game uses (half points, thirds), so they are
exact. A mover's costs are laid out once as masks: for each price and each direction the hexes
that can be left that way at that price. A flood then advances price by price, and one expression
moves a whole set of hexes in all six directions. Lines of the map that are out of reach are cut
off first, for small numbers are quicker than large ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from ..hexes import DIRECTIONS, NOWHERE, Grid, Hex, HexMask, members, opposite

Cost = int
"""A price in the game's smallest fraction of a movement point."""

CUT = 4
"""Lines that are cut off a map together, so that there are few plans."""

Sides = tuple[HexMask, HexMask, HexMask, HexMask, HexMask, HexMask]
"""Hexes that can be left in each direction."""

Plan = tuple[tuple[Cost, HexMask, Sides], ...]
"""For each price, cheapest first: the hexes with a step at that price, in any direction and in each."""


class Costs:
    """Entry costs of one kind of mover over a whole map.

    ``price(a, b)`` gives the cost of going from a hex to its neighbour, or ``None`` if that is
    not allowed at all.
    """

    __slots__ = ("_first", "_plans", "by_direction", "cheapest", "grid")

    def __init__(self, grid: Grid, price: Callable[[Hex, Hex], Cost | None]) -> None:
        layers: list[dict[Cost, HexMask]] = [{} for _ in DIRECTIONS]
        for a in members(grid.all):
            for d in DIRECTIONS:
                b = grid.neighbours(a)[d]
                if b == NOWHERE:
                    continue
                cost = price(a, b)
                if cost is not None:
                    layers[d][cost] = layers[d].get(cost, 0) | 1 << b
        self.grid = grid
        self._lay(layers)

    def _lay(self, layers: Sequence[dict[Cost, HexMask]]) -> None:
        self.by_direction: tuple[dict[Cost, HexMask], ...] = tuple(layers)
        self.cheapest = min((cost for layer in layers for cost in layer), default=1)
        self._plans: dict[int, Plan] = {}
        self._first: dict[HexMask, tuple[tuple[Cost, HexMask], ...]] = {}

    @property
    def plan(self) -> Plan:
        """The costs as a flood wants them."""
        return self.plan_above(0)

    def plan_above(self, base: int) -> Plan:
        """The plan with all hexes below a bit cut off."""
        found = self._plans.get(base)
        if found is None:
            if base:
                found = tuple(
                    (price, some >> base, (a >> base, b >> base, c >> base, d >> base, e >> base, f >> base))
                    for price, some, (a, b, c, d, e, f) in self.plan
                )
            else:
                found = tuple(self._planned())
            self._plans[base] = found
        return found

    def first_steps(self, start: HexMask) -> tuple[tuple[Cost, HexMask], ...]:
        """For each price the hexes entered by a single step at that price from a hex (a set of one)."""
        found = self._first.get(start)
        if found is None:
            steps = ((price, zone(self.grid, start, sides)) for price, some, sides in self.plan if start & some)
            found = self._first[start] = tuple(steps)
        return found

    def _planned(self) -> Iterator[tuple[Cost, HexMask, Sides]]:
        layers, shift = self.by_direction, self.grid.shift
        for price in sorted({cost for layer in layers for cost in layer}):
            a, b, c, d, e, f = (shift(layers[way].get(price, 0), opposite(way)) for way in DIRECTIONS)
            yield price, a | b | c | d | e | f, (a, b, c, d, e, f)

    def _like(self, layers: Sequence[dict[Cost, HexMask]]) -> Costs:
        result = Costs.__new__(Costs)
        result.grid = self.grid
        result._lay(layers)
        return result

    def multiplied(self, factors: Iterable[tuple[HexMask, int]], *, leaving: bool = False) -> Costs:
        """The same costs with the price of entering some hexes multiplied, or of leaving them."""
        layers = [dict(layer) for layer in self.by_direction]
        for mask, factor in factors:
            entered = [self.grid.shift(mask, d) if leaving else mask for d in DIRECTIONS]
            dearer = factor.__mul__
            layers = [_repriced(layer, part, dearer) for layer, part in zip(layers, entered, strict=True)]
        return self._like(layers)

    def added(self, mask: HexMask, extra: Cost) -> Costs:
        """The same costs with a surcharge for entering some hexes."""
        return self._like([_repriced(layer, mask, lambda cost: cost + extra) for layer in self.by_direction])

    def reversed(self) -> Costs:
        """The costs of the same ways walked backwards: a flood with them finds from where a
        place can be reached."""
        layers: list[dict[Cost, HexMask]] = [{} for _ in DIRECTIONS]
        for d in DIRECTIONS:
            back = opposite(d)
            layers[back] = {cost: self.grid.shift(mask, back) for cost, mask in self.by_direction[d].items()}
        return self._like(layers)

    def altered(self, steps: Iterable[tuple[Hex, Hex, Cost | None]]) -> Costs:
        """The same costs with some single steps at another price, or closed (``None``)."""
        layers = [dict(layer) for layer in self.by_direction]
        for a, b, cost in steps:
            layer = layers[self.grid.direction(a, b)]
            for price in list(layer):
                layer[price] &= ~(1 << b)
                if not layer[price]:
                    del layer[price]
            if cost is not None:
                layer[cost] = layer.get(cost, 0) | 1 << b
        return self._like(layers)

    def price(self, a: Hex, b: Hex) -> Cost | None:
        """Cost of one step, or ``None`` where there is no way."""
        for cost, mask in self.by_direction[self.grid.direction(a, b)].items():
            if mask >> b & 1:
                return cost
        return None


def _repriced(layer: dict[Cost, HexMask], mask: HexMask, dearer: Callable[[Cost], Cost]) -> dict[Cost, HexMask]:
    """The prices of entering hexes, other ones for some of them."""
    new: dict[Cost, HexMask] = {}
    for cost, hexes in layer.items():
        for price, part in ((cost, hexes & ~mask), (dearer(cost), hexes & mask)):
            if part:
                new[price] = new.get(price, 0) | part
    return new


class Leave(NamedTuple):
    """A surcharge for leaving some hexes (an enemy zone), and where one may go from there."""

    hexes: HexMask
    cost: Cost
    into: HexMask


class Flood(msgspec.Struct, frozen=True, gc=False):
    """How far a mover gets: ``layers[c]`` are the hexes whose cheapest way costs exactly ``c``."""

    costs: Costs
    start: HexMask
    cut: list[HexMask]
    """The layers, with so many bits as ``base`` says cut off below."""
    base: int
    reached: HexMask
    """Every hex that can be reached, the start too."""
    stops: HexMask
    leave: Leave | None
    opening: tuple[tuple[Cost, HexMask], ...] | None = None

    @property
    def layers(self) -> list[HexMask]:
        """For each price the hexes whose cheapest way costs so much."""
        return [layer << self.base for layer in self.cut] if self.base else self.cut

    def within(self, budget: Cost) -> Flood:
        """The part of it that a smaller budget pays for."""
        cut, reached = self.cut[: budget + 1], 0
        for layer in cut:
            reached |= layer
        return msgspec.structs.replace(self, cut=cut, reached=reached << self.base)

    def cost(self, h: Hex) -> Cost | None:
        """Price of the cheapest way, or ``None`` if the hex is out of reach."""
        if not self.reached >> h & 1:
            return None
        bit = 1 << h - self.base
        return list(map(bit.__and__, self.cut)).index(bit)

    def path(self, h: Hex) -> list[Hex]:
        """A cheapest way to a reached hex, start and end included; always the same one."""
        cost = self.cost(h)
        if cost is None:
            raise ValueError("that hex is out of reach")
        path = [h]
        while not self.start >> h & 1:
            h, cost = next(self.before(h, cost))
            path.append(h)
        return path[::-1]

    def before(self, h: Hex, cost: Cost) -> Iterator[tuple[Hex, Cost]]:
        """Every hex from which a cheapest way enters a hex, with its own price, in the order of the directions."""
        grid, base, cut = self.costs.grid, self.base, self.cut
        if self.opening is not None and any(price == cost and mask >> h & 1 for price, mask in self.opening):
            yield next(b for b in grid.neighbours(h) if b != NOWHERE and self.start >> b & 1), 0
        for d in DIRECTIONS:
            previous = grid.neighbours(h)[(d + 3) % 6]
            if previous < base or (self.opening is not None and self.start >> previous & 1):
                continue
            for step, mask in self.costs.by_direction[d].items():
                if not mask >> h & 1:
                    continue
                if self.leave is not None and self.leave.hexes >> previous & 1:
                    if not self.leave.into >> h & 1:
                        continue
                    step += self.leave.cost
                elif self.stops and self.stops >> previous & 1 and not self.start >> previous & 1:
                    continue
                if step <= cost and cut[cost - step] >> previous - base & 1:
                    yield previous, cost - step


class Paths:
    """The ways to many hexes of one flood: as ``Flood.path`` tells them, each step worked out once."""

    def __init__(self, reached: Flood) -> None:
        self._reached = reached
        self._known: dict[Hex, tuple[Hex, Cost]] = {}

    def to(self, h: Hex) -> list[Hex]:
        """A cheapest way to a reached hex, start and end included."""
        reached, known, path = self._reached, self._known, [h]
        cost = reached.cost(h) if h not in known else 0
        if cost is None:
            raise ValueError("that hex is out of reach")
        while not reached.start >> h & 1:
            if h not in known:
                known[h] = next(reached.before(h, cost))
            h, cost = known[h]
            path.append(h)
        return path[::-1]


def flood(
    costs: Costs,
    start: HexMask,
    budget: Cost,
    *,
    barred: HexMask = 0,
    stops: HexMask = 0,
    leave: Leave | None = None,
    opening: tuple[tuple[Cost, HexMask], ...] | None = None,
) -> Flood:
    """Everything within a budget. ``barred`` hexes are never entered; a mover that enters a hex
    of ``stops`` goes no further, unless ``leave`` lets it out again at a price. ``opening``
    replaces the first step where it has prices of its own."""
    every, s = costs.grid.all, costs.grid.stride
    t = s - 1
    lowest = (start & -start).bit_length() // s - budget // costs.cheapest - 1
    base = lowest // CUT * CUT * s if lowest > 0 else 0
    plan = costs.plan_above(base)
    here = start >> base
    pending = [here] + [0] * budget
    free = at_first = (every & ~barred | start) >> base
    sticky, extra, into = (leave.hexes >> base, leave.cost, leave.into >> base) if leave else (0, 0, 0)
    running = (every & ~stops) >> base & ~sticky
    cut: list[HexMask] = []
    append = cut.append
    steps = opening
    if steps is None and not here & sticky and not here & here - 1:
        steps = costs.first_steps(start)
    first = 0
    if steps is not None:
        for price, mask in steps:
            if price <= budget:
                pending[price] |= mask >> base
        append(here)
        free ^= here
        first = 1
    for spent in range(first, budget + 1):
        new = pending[spent] & free
        append(new)
        if not new:
            continue
        free ^= new
        go = new & running if spent else new & ~sticky
        if go:
            left = budget - spent
            for price, some, sides in plan:
                if price > left:
                    break
                if go & some:
                    a, b, c, d, e, f = sides
                    pending[spent + price] |= (
                        (go & a) >> 1 | (go & b) << t | (go & c) << s | (go & d) << 1 | (go & e) >> t | (go & f) >> s
                    )
        if sticky and (go := new & sticky):
            _spread(pending, plan, go, into, s, spent + extra, budget)
    return Flood(costs, start, cut, base, (at_first ^ free) << base, stops, leave, opening)


def _spread(
    pending: list[HexMask], plan: Sequence[tuple[Cost, HexMask, Sides]], go: HexMask, into: HexMask, s: int,
    spent: Cost, budget: Cost,
) -> None:  # fmt: skip
    """Let movers that have spent so much go on into some hexes."""
    t = s - 1
    for price, some, (a, b, c, d, e, f) in plan:
        if spent + price > budget:
            break
        if go & some:
            pending[spent + price] |= into & (
                (go & a) >> 1 | (go & b) << t | (go & c) << s | (go & d) << 1 | (go & e) >> t | (go & f) >> s
            )


def zone(grid: Grid, occupied: HexMask, open_sides: Sequence[HexMask]) -> HexMask:
    """The hexes next to the occupied ones, across the hexsides that are open."""
    a, b, c, d, e, f = open_sides
    s, go = grid.stride, occupied
    t = s - 1
    return grid.all & ((go & a) >> 1 | (go & b) << t | (go & c) << s | (go & d) << 1 | (go & e) >> t | (go & f) >> s)


def connected(grid: Grid, seeds: HexMask, sides: Sequence[HexMask], allowed: HexMask) -> HexMask:
    """Everything joined to the seeds through hexsides of one kind (a road net), staying on
    allowed hexes; seeds that are not allowed do not count."""
    a, b, c, d, e, f = sides
    s = grid.stride
    t = s - 1
    free = allowed & grid.all
    reached = go = seeds & free
    while go:
        free ^= go
        go = free & ((go & a) >> 1 | (go & b) << t | (go & c) << s | (go & d) << 1 | (go & e) >> t | (go & f) >> s)
        reached |= go
    return reached


def spread(grid: Grid, seeds: HexMask, allowed: HexMask) -> HexMask:
    """Everything joined to the seeds over allowed hexes, whatever the hexsides."""
    reached = go = seeds & allowed
    while go:
        go = grid.ring(go) & allowed & ~reached
        reached |= go
    return reached
