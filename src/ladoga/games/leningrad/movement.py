"""Chapter 4: movement. A move is planned with all that it costs, and then carried out."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

import msgspec

from ...hexes import Hex, HexMask, members
from ...kernel.errors import Illegal, LadogaError
from ...kernel.events import Moved
from ...kernel.flood import flood
from ...kernel.orders import Order
from ...kernel.position import Reach, Reached, Refusal, forbid, refuse, why_refused
from . import surprise
from .edition import GERMAN
from .orders import named_hexes, named_slots, not_mine, why_all_water
from .pieces import HalfPoints, Slot, figure, points, worded
from .position import LeningradPosition
from .reach import Group

if TYPE_CHECKING:
    from .listing import Listing


class March(msgspec.Struct, frozen=True, gc=False):
    """A move worked out: who goes, by which hexes, at what cost, and what each unit has left."""

    order: Order
    slots: tuple[Slot, ...]
    start: Hex
    way: tuple[Hex, ...]
    """The hexes entered; the last alone where no other has a say."""
    cost: int
    left: dict[Slot, int]
    toll: int = -1
    """What the armored units of a mixed stack pay; -1 for all other groups."""

    @property
    def points(self) -> Fraction:
        """What it costs."""
        return points(self.cost)


def paid(slots: tuple[Slot, ...], left: Mapping[Slot, int], cost: int) -> dict[Slot, int]:
    """What units that all pay the same have left."""
    if len(slots) == 1:
        return {slots[0]: left[slots[0]] - cost}
    return {slot: left[slot] - cost for slot in slots}


class Movement(Group):
    """A unit or stack about to move, or to move on, and every hex that it may go to (4.0, 17.2)."""

    __slots__ = ()

    @property
    def destinations(self) -> HexMask:
        """Every hex the group may move to now."""
        if self.pos.surprised(self.side):
            return surprise.forced_destinations(self.pos, self)
        return self.going.reachable

    def plain_step(self, h: Hex) -> int | None:
        """Price of a step to the next hex that no other way can beat and nothing forbids, found without a flood.

        A way round takes two steps of at least half a point each, so a step of a point or less is the cheapest.
        """
        pos = self.pos
        if not pos.ground.around[self.start] >> h & 1 or self.in_zone or self.start_factor > 1 or self.fast >= 0:
            return None
        if self.barred >> h & 1 or (pos.turn == 1 and pos.surprised(self.side)):
            return None
        price = pos.ground.step(self.side, self.mobile, self.start, h, pos.forts, pos.interdicted)
        return price if price is not None and price <= 2 and price <= self.budget else None

    def cost_to(self, h: Hex) -> int | None:
        """Half points to a reachable hex: the cheapest way, or everything by guarantee (4.3)."""
        cost = self.plain_step(h)
        return self._cheapest_cost(h) if cost is None else cost

    def _cheapest_cost(self, h: Hex) -> int | None:
        going = self.going
        if going.flood is not None and going.paid >> h & 1:
            return going.flood.cost(h)
        if h in going.detours:
            return going.detours[h][0]
        return self.budget if going.guaranteed >> h & 1 else None

    def price_to(self, h: Hex) -> int:
        """Half points for a move to a hex that the group may go to."""
        price = self.plain_step(h)
        if price is None:
            if self.pos.surprised(self.side) or not self.going.reachable >> h & 1:
                self.check(h)
            price = self._cheapest_cost(h)
            assert price is not None
        return price

    def path_to(self, h: Hex) -> list[Hex]:
        """The way to a reachable hex, start included."""
        if self.plain_step(h) is not None:
            return [self.start, h]
        going = self.going
        assert going.flood is not None
        if h in going.detours:
            return going.detours[h][1]
        if self.fast >= 0 and going.paid >> h & 1:
            return self._detours(1 << h)[h][1]
        return going.flood.path(h) if going.paid >> h & 1 else [self.start, h]

    def way_to(self, h: Hex) -> tuple[Hex, ...]:
        """The hexes entered on the best way to a hex; the last alone where no other has a say."""
        if self.fast >= 0 or (self.side == GERMAN and self.pos.forts and self.pos.forts & self.going.reachable):
            return tuple(self.path_to(h)[1:])
        return (h,)

    def along(self, order: Order, path: tuple[Hex, ...]) -> March:
        """The move along a path, which may begin where the group stands."""
        path = path[1:] if path[0] == self.start else path
        cost = self.walk(path)
        if self.pos.surprised(self.side):
            self.check(path[-1])
        return self.march(order, path, cost)

    def march(self, order: Order, path: tuple[Hex, ...], cost: int) -> March:
        """The order to go along a path, worked out."""
        slots, left, pieces = self.slots, self.left, self.pos.pieces
        if self.fast < 0:
            return March(order, slots, self.start, path, cost, paid(slots, left, cost))
        toll = min(self.toll(path), self.fast)
        after = {slot: left[slot] - (toll if pieces[slot].mobile else cost) for slot in slots}
        return March(order, slots, self.start, path, cost, after, toll)

    def check(self, h: Hex) -> None:
        """Refuse a hex that the group may not move to."""
        if self.plain_step(h) is not None or self.destinations >> h & 1:
            return
        pos, enemies = self.pos, self.pos.crowd[1 - self.side][0]
        name, limit = pos.ground.names[h], pos.game.edition.tables.stacking.limit
        forbid(h == self.start, "4.0", "the unit stands in {} already", name)
        forbid(not pos.ground.land >> h & 1, "4.9", "{} is all water", name)
        forbid(enemies >> h & 1, "4.4", "an enemy unit is in {}", name)
        refuse(self.why_no_disengagement() if self.in_zone else None)
        full = pos.crowd[self.side][3 - len(self.slots)] if pos.surprised(self.side) else 0
        forbid((self.barred | full) >> h & 1, "4.6", "{} would hold more than {} units", name, limit)
        forbid(self.going.reachable >> h & 1, "17.2",
               "on turn 1 units go next to a German unit, or towards the nearest: not to {}", name)  # fmt: skip
        forbid(self.in_zone and self.enemy_zone >> h & 1 and pos.ground.grid.adjacent(self.start, h), "6.4",
               "{} is in an enemy zone of control: no disengaging into it", name)  # fmt: skip
        flooded = self.going.flood
        forbid(flooded is not None and flooded.cost(h) is not None, *self.not_paid(h))
        refuse(why_all_water(pos, self.start, h))
        extra = self.disengagement if self.in_zone else 0
        costs = pos.ground.costs(self.side, self.mobile, pos.forts, pos.interdicted)
        opening = None if self.start_factor == 1 else self.first_steps()
        if flood(costs, 1 << self.start, self.budget - extra, barred=self.barred, opening=opening).cost(h) is not None:
            forbid(not self.armor_could_pay(h), *self.not_paid(h))
            raise Illegal("4.7", f"enemy zones of control bar the way to {name}")
        leaving = f"; disengaging costs {figure(extra)}" if extra else ""
        if opening is not None:
            leaving += f"; air units make the first hex cost {self.start_factor} times as much"
        raise Illegal("4.1", f"{name} is beyond {HalfPoints(self.budget)} of movement{leaving}")


def reach(pos: LeningradPosition, units: list[str]) -> Mapping[str, Reached]:
    """Where a unit or stack can move in its phase."""
    slots = tuple(sorted(map(pos.slot, units)))
    if not 1 <= len(slots) <= 3 or len({pos.hexes[slot] for slot in slots}) != 1 or pos.hexes[slots[0]] < 0:
        raise LadogaError("reach is asked for one to three units in one hex")
    if any(pos.moved >> slot & 1 and slot not in pos.active for slot in slots):
        return {}
    movement, names, hexes = Movement(pos, slots), pos.ground.names, pos.ground.grid.by_number
    destinations = movement.destinations

    def detail(number: str) -> Reached:
        h = hexes[number]
        cost = movement.cost_to(h) or 0
        return Reached(points(movement.budget - cost), tuple(names[x] for x in movement.path_to(h)), points(cost))

    return Reach(map(names.__getitem__, members(destinations)), detail, count=destinations.bit_count())


def check_group(pos: LeningradPosition, slots: tuple[Slot, ...]) -> None:
    """Refuse units that may not move together now (4.0, 4.5)."""
    refuse(not_mine(pos, slots, pos.mover))
    moving = slots[0] in pos.active
    if len(slots) > 1:
        forbid(len(slots) > 3, "4.5", "at most three units move together")
        forbid(len({pos.hexes[slot] for slot in slots}) > 1, "4.5", "units that move together begin in the same hex")
        forbid(any((slot in pos.active) != moving for slot in slots), "4.5",
               "units that have moved together go on alone: others do not join them")  # fmt: skip
    if not moving:
        for slot in slots:
            forbid(pos.moved >> slot & 1, "4.0", "{} has ended its move", pos.name(slot))
        refuse(surprise.unfinished(pos))
    if pos.surprised(pos.mover):
        forbid(any(pos.ground.frozen >> pos.hexes[slot] & 1 for slot in slots), "17.2",
               "units in {} may not move on turn 1", pos.ground.names[pos.hexes[slots[0]]])  # fmt: skip


def why_no_group(pos: LeningradPosition, slots: tuple[Slot, ...]) -> Refusal | None:
    """Why these units may not move together now."""
    return why_refused(check_group, pos, slots)


@lru_cache(maxsize=12_000)
def subsets(slots: tuple[Slot, ...]) -> tuple[tuple[Slot, ...], ...]:
    """Those of some units of a hex that can move together: each alone, all twos and threes (4.5)."""
    return tuple(subset for size in range(1, min(3, len(slots)) + 1) for subset in combinations(slots, size))


def march_of(pos: LeningradPosition, order: Order) -> March:
    """The move that an order stands for (4.0): to a hex by the best way, or along a path hex by hex."""
    slots = named_slots(pos, order)
    path = named_hexes(pos, order)
    listed: Listing | None = pos.scratch.get("listing") if len(path) == 1 else None
    offered = listed.offered(pos, slots, path[0]) if listed is not None else None
    if offered is not None:
        cost, left = offered
        return March(order, slots, pos.hexes[slots[0]], path, cost, paid(slots, left, cost))
    check_group(pos, slots)
    movement = Movement(pos, slots)
    if len(path) > 1:
        return movement.along(order, path)
    price = movement.price_to(path[0])
    return movement.march(order, movement.way_to(path[0]), price)


def begin(pos: LeningradPosition, slots: tuple[Slot, ...], left: dict[Slot, int], origin: Hex) -> None:
    """A new group starts to move; the one before it has ended its move."""
    pos.active = left
    pos.stacks = {}
    pos.origin = origin
    for slot in slots:
        pos.moved |= 1 << slot


def spend(pos: LeningradPosition, slots: tuple[Slot, ...], start: Hex, left: dict[Slot, int]) -> None:
    """Units of a hex have moved or fought and have so much left; if they have not begun to move, they begin now."""
    if slots[0] in pos.active:
        pos.active = {**pos.active, **left}
    else:
        begin(pos, slots, left, start)


def part(pos: LeningradPosition, slots: tuple[Slot, ...]) -> None:
    """Units that leave others of their stack behind are a stack of their own from then on (4.5, 7.4)."""
    number = pos.stacks.get(slots[0], 0)
    left_behind = [s for s in pos.active if s not in slots and pos.stacks.get(s, 0) == number]
    if left_behind:
        fresh = max(pos.stacks.values(), default=0) + 1
        pos.stacks = {**pos.stacks, **dict.fromkeys(slots, fresh)}


def move(pos: LeningradPosition, march: March) -> None:
    """A group goes to the end of its way; Germans destroy the forts they go through (15.2)."""
    slots, way, order = march.slots, march.way, march.order
    spend(pos, slots, march.start, march.left)
    if pos.agenda[-1].side == GERMAN:
        pos.disturb(slots)
        for h in way[:-1] if pos.forts else ():
            if pos.forts >> h & 1:
                pos.destroy_fort(h)
    if len(slots) < len(pos.active):
        part(pos, slots)
    pos.lead(slots, march.start, way[-1])
    for slot in slots:
        pos.stepped |= 1 << slot
    told = ("+".join(order.units), order.hexes[-1], worded(march.cost))
    fact = tuple.__new__(Moved, (order.units, order.hexes[-1], points(march.cost)))  # half the time of a call
    if march.toll in (-1, march.cost):
        pos.tell("moved", "4.0", "{0} to {1}, {2}", *told, fact=fact)
    else:
        pos.tell("moved", "4.0", "{0} to {1}, {2}, armored units {3}", *told, worded(march.toll), fact=fact)
