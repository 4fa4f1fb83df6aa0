"""Chapters 4 and 6: movement and disengagement, and the movement phase that also holds
overruns (7) and the entry of reinforcements (16)."""

from __future__ import annotations

import random as _random
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from heapq import heappop, heappush
from itertools import combinations
from typing import TYPE_CHECKING

import msgspec

from ...hexes import DIRECTIONS, NOWHERE, Hex, HexMask, mask_of, members, pick
from ...kernel.flood import Flood, Leave, flood
from ...kernel.memory import Care, Situation, side_by_side
from ...kernel.orders import END, Order
from ...kernel.position import Reach, Reached, Refusal
from . import listing, overrun, reinforcements, stacking, surprise
from .edition import GERMAN
from .ground import ENEMIES, HINDERED, REMEMBERED, SINGLES, ZONES, hindered_hexes
from .orders import named_hexes, named_slots, not_mine, why_all_water, wrong_phase
from .pieces import HalfPoints, Slot, SlotMask, figure, points, worded

if TYPE_CHECKING:
    from .position import LeningradPosition


def half_points(movement: int, supplied: bool | int) -> int:
    """All points of a unit in supply, half of them out of supply (11.1)."""
    return 2 * movement if supplied else 2 * (movement // 2)


def _paid(slots: tuple[Slot, ...], left: Mapping[Slot, int], cost: int) -> dict[Slot, int]:
    """What units that all pay the same have left."""
    if len(slots) == 1:
        return {slots[0]: left[slots[0]] - cost}
    return {slot: left[slot] - cost for slot in slots}


def allowances(pos: LeningradPosition, slots: tuple[Slot, ...]) -> dict[Slot, int]:
    """The half points that units have for the phase when they begin to move (11.1)."""
    if len(slots) == 1:
        slot = slots[0]
        return {slot: half_points(pos.pieces[slot].movement, pos.supplied(slot))}
    return {slot: half_points(pos.pieces[slot].movement, pos.supplied(slot)) for slot in slots}


class Going(msgspec.Struct, frozen=True, gc=False):
    """How far a group gets: by points, by the guarantee of one hex (4.3), and all together."""

    flood: Flood | None
    paid: HexMask
    guaranteed: HexMask
    reachable: HexMask
    care: Care
    """What of the situation had a say in it."""
    detours: Mapping[Hex, tuple[int, list[Hex]]] = {}
    """Hexes to which the armored units of a mixed stack can pay another way only: its cost and the way."""


TRIES = 8
"""Short ways that chance tries before it looks at all hexes a group can reach."""

OVERRUNS = 0.25
"""How often it looks for overruns of units next to an enemy."""

POOR = 5
"""Half points with which it tries single steps only."""

FURTHER = 0.5
"""How often it then goes on by another."""

FAR = 999
"""More half points than any unit has."""

STUCK = Going(None, 0, 0, 0, 0)
"""A group in an enemy zone without the means to disengage, or at the end of its points."""


class Movement:
    """A unit or stack about to move, or to move on: what it may spend and where it gets (4.0)."""

    __slots__ = (
        "_going", "barred", "budget", "continuing", "enemy_zone", "fast", "in_zone", "left", "mobile",
        "pos", "side", "slots", "start", "start_factor",
    )  # fmt: skip

    def __init__(self, pos: LeningradPosition, slots: tuple[Slot, ...], left: Mapping[Slot, int] | None = None) -> None:
        self.pos = pos
        self.slots = slots
        first = slots[0]
        piece = pos.pieces[first]
        self.start = start = pos.hexes[first]
        self.side = side = piece.side
        self.mobile = piece.mobile
        self.continuing = continuing = first in pos.active
        if left is None:
            left = pos.active if continuing else allowances(pos, slots)
        self.left = left
        """Half points each unit has left."""
        self.budget = left[first]
        self.fast = -1
        """Half points of the armored units of a mixed stack; -1 for all other groups."""
        if len(slots) > 1:
            self._stacked()
        # Every group asks for it, so what pos.zone knows is looked up here.
        occupied, zone = pos.lore.zones[1 - side]
        if occupied is not pos.crowd[1 - side][0]:
            zone = pos.zone(1 - side)
        self.enemy_zone = zone
        self.in_zone = zone >> start & 1 == 1
        self.barred: HexMask = pos.crowd[1 - side][0]
        """Hexes that may not be entered: enemies (4.4), and a fourth unit (4.6)."""
        full = pos.crowd[side][3 - len(slots)]
        if full and pos.game.stacking_always:
            self.barred |= full & ~(1 << start)
        self.start_factor = 1
        """Soviet units that begin in an interdicted hex pay more for their first hex (13.4)."""
        if start in pos.air_on and side != GERMAN and not pos.stepped >> first & 1 and self.at_origin:
            self.start_factor = 1 << pos.air_on[start]
        self._going: Going | None = None

    def _stacked(self) -> None:
        """A stack goes as far as all its units can pay, each at its own costs (4.5)."""
        pieces = self.pos.pieces
        slow = [self.left[slot] for slot in self.slots if not pieces[slot].mobile]
        fast = [self.left[slot] for slot in self.slots if pieces[slot].mobile]
        self.mobile = not slow
        self.budget = min(slow or fast)
        if slow and fast:
            self.fast = min(fast)

    @property
    def at_origin(self) -> bool:
        """Whether the group stands where it began the phase."""
        return not self.continuing or self.pos.origin == self.start

    @property
    def crowded(self) -> bool:
        """Whether the group may not come back to its hex: a starting stack of turn 1 that is too high (4.6)."""
        full = self.pos.game.stacking_always and self.pos.crowd[self.side][2] >> self.start & 1
        return bool(full) and len(self.pos.at[self.start]) > self.pos.game.edition.tables.stacking.limit

    @property
    def purses(self) -> tuple[tuple[bool, int], ...]:
        """Whether armored, and half points left, for each kind of unit in the group."""
        return ((self.mobile, self.budget),) if self.fast < 0 else ((False, self.budget), (True, self.fast))

    # Disengagement (6.0) ----------------------------------------------------------------------

    @property
    def disengagement(self) -> int:
        """Added cost in half points; in a mixed stack, what the infantry pays (6.1, 6.2)."""
        return self._price_to_leave(self.mobile)

    def _price_to_leave(self, mobile: bool) -> int:
        figures = self.pos.game.edition.tables.disengagement
        if self.side != GERMAN:
            return 2 * figures.soviet
        return 2 * (figures.german_armor if mobile else figures.german_infantry)

    def why_no_disengagement(self) -> Refusal | None:
        """Why the group may not leave the enemy zone it stands in (6.0 to 6.3, 17.1)."""
        pos = self.pos
        if surprise.soviets_surprised(pos, self.side):
            return Refusal("17.1", "Soviet units may not disengage on turn 1")
        if len(self.slots) > 2:
            return Refusal("6.0", "units disengage singly or in stacks of two")
        if not (self.side == GERMAN and self.mobile) and not self.at_origin:
            return Refusal("6.2", "these units may disengage only from the hex where they began the phase")
        if len(pos.at[self.start]) == len(self.slots):
            return Refusal("6.3", "another friendly unit must remain in the hex")
        return None

    @property
    def stuck(self) -> bool:
        """In an enemy zone without the means to disengage."""
        return self.in_zone and self.why_no_disengagement() is not None

    def _leave(self) -> Leave | None:
        """Zones the group can leave on its way, and at what price (6.1, 6.2, 6.4)."""
        hexes = 1 << self.start if self.in_zone else 0
        if self.side == GERMAN and self.mobile and len(self.slots) <= 2:
            hexes |= self.enemy_zone & self.pos.crowd[self.side][0] & ~(1 << self.start)
        return Leave(hexes, self.disengagement, ~self.enemy_zone) if hexes else None

    # Reach ------------------------------------------------------------------------------------

    @property
    def going(self) -> Going:
        """How far the group gets, remembered under everything that has a say in it."""
        if self._going is None:
            self._going = STUCK if self.stuck or self.spent else self._remembered()
        return self._going

    @property
    def spent(self) -> bool:
        """Under way, and without the points for any further step."""
        return self.continuing and self.budget < self.pos.ground.cheapest

    def _remembered(self) -> Going:
        pos, size = self.pos, len(self.slots)
        situation = situation_of(pos, self.side)
        goings = pos.ground.goings
        question = (
            self.side, self.mobile, size, self.start, self.budget, self.fast, self.continuing, self.start_factor,
        )  # fmt: skip
        found = goings.find(question, situation)
        if found is None:
            found = self._go()
            goings.keep(question, situation, found.care, found)
        return found

    def _care(self, reached: HexMask) -> Care:
        """What of the situation has a say in a flood: all in the hexes it reached and those next to them."""
        ground, size = self.pos.ground, len(self.slots)
        width = ground.width
        seen = reached | ground.grid.ring(reached)
        elsewhere = seen & ~(1 << self.start)
        may_leave = self.in_zone or (self.side == GERMAN and self.mobile and size <= 2)
        zones = seen if may_leave else reached
        care = zones << ZONES * width | seen << ENEMIES * width | (seen | seen << width) << HINDERED * width
        if self.pos.game.stacking_always:
            care |= elsewhere << (size - 1) * width
        if self.side == GERMAN and self.mobile and size <= 2:
            care |= (elsewhere & self.enemy_zone) << SINGLES * width
        return care

    def _go(self) -> Going:
        pos = self.pos
        start = 1 << self.start
        flooded = flood(
            pos.ground.costs(self.side, self.mobile, pos.forts, pos.interdicted), start, self.budget,
            barred=self.barred, stops=self.enemy_zone, leave=self._leave(),
            opening=None if self.start_factor == 1 else self._opening(),
        )  # fmt: skip
        guaranteed, reached = self.guaranteed, flooded.reached
        if self.fast < 0:
            return Going(flooded, reached, guaranteed, (reached | guaranteed) & ~start, self._care(reached))
        paid = self._paid_by_all(flooded)
        detours = self._detours(reached & ~paid) if reached & ~paid else {}
        all_ways = paid | guaranteed | mask_of(detours)
        return Going(flooded, paid, guaranteed, all_ways & ~start, self._care(reached), detours)

    @property
    def guaranteed(self) -> HexMask:
        """Hexes that a group can enter whatever they cost, as its only step (4.3)."""
        if self.continuing:
            return 0
        hexes = self.pos.ground.around[self.start] & self.pos.ground.land & ~self.barred
        return hexes & ~self.enemy_zone if self.in_zone else hexes

    def _paid_by_all(self, flooded: Flood) -> HexMask:
        """Hexes to which the armored units of a mixed stack can pay the way of the others too (4.5)."""
        surely = self.fast // self.pos.ground.dearest_for_armor
        paid = 0
        for cost, layer in enumerate(flooded.layers):
            if cost <= surely:
                paid |= layer
            else:
                paid |= sum(1 << h for h in members(layer) if self.toll(flooded.path(h)[1:]) <= self.fast)
        return paid

    def _detours(self, missing: HexMask) -> dict[Hex, tuple[int, list[Hex]]]:
        """The cheapest ways of a mixed stack to some hexes that all its units can pay: cheapest for the foot, and among
        them cheapest for the armored units (4.5)."""
        pos, ground, start = self.pos, self.pos.ground, self.start
        found: dict[Hex, tuple[int, list[Hex]]] = {}
        least: dict[Hex, int] = {}
        ways = [(0, 0, [start])]
        while ways:
            foot, armored, way = heappop(ways)
            at = way[-1]
            if armored >= least.get(at, FAR):
                continue
            least[at] = armored
            if missing >> at & 1 and at not in found:
                found[at] = (foot, way)
                if len(found) == missing.bit_count():
                    break
            if self.enemy_zone >> at & 1 and at != start:
                continue
            leaving = at == start and self.in_zone
            factor = self.start_factor if at == start else 1
            open_hexes = ground.around[at] & ~self.barred
            for h in members(open_hexes & ~self.enemy_zone if leaving else open_hexes):
                prices = []
                for mobile in (False, True):
                    price = ground.step(self.side, mobile, at, h, pos.forts, pos.interdicted)
                    assert price is not None
                    prices.append(price * factor + (self._price_to_leave(mobile) if leaving else 0))
                if foot + prices[0] <= self.budget and armored + prices[1] <= self.fast:
                    heappush(ways, (foot + prices[0], armored + prices[1], [*way, h]))
        return found

    def toll(self, path: Iterable[Hex]) -> int:
        """Half points the armored units of a mixed stack pay along a way (4.5)."""
        pos = self.pos
        at, total, forts = self.start, 0, pos.forts
        for number, h in enumerate(path):
            price = pos.ground.step(self.side, True, at, h, forts, pos.interdicted)
            assert price is not None
            forts &= ~(1 << h)
            total += price * (self.start_factor if number == 0 else 1)
            if self.enemy_zone >> at & 1:
                total += self._price_to_leave(mobile=True)
            at = h
        return total

    def _opening(self) -> tuple[tuple[int, HexMask], ...]:
        """The first steps where they cost more than others (13.4)."""
        pos, factor = self.pos, self.start_factor
        costs = pos.ground.costs(self.side, self.mobile, pos.forts, pos.interdicted)
        extra = self.disengagement if self.in_zone else 0
        into = ~self.enemy_zone if self.in_zone else -1
        first: dict[int, HexMask] = {}
        for d in DIRECTIONS:
            h = pos.ground.grid.neighbours(self.start)[d]
            price = None if h == NOWHERE else costs.price(self.start, h)
            if price is not None and into >> h & 1:
                first[price * factor + extra] = first.get(price * factor + extra, 0) | 1 << h
        return tuple(sorted(first.items()))

    def reachable(self) -> HexMask:
        """Every hex the group may move to by points or guarantee, before surprise has its say."""
        return self.going.reachable

    @property
    def destinations(self) -> HexMask:
        """Every hex the group may move to now."""
        if surprise.soviets_surprised(self.pos, self.side):
            return surprise.forced_destinations(self.pos, self)
        return self.going.reachable

    def plain_step(self, h: Hex) -> int | None:
        """Price of a step to the next hex that no other way can beat and nothing forbids, found without a flood.

        A way round takes two steps of at least half a point each, so a step of a point or less is the cheapest.
        """
        pos = self.pos
        if not pos.ground.around[self.start] >> h & 1 or self.in_zone or self.start_factor > 1 or self.fast >= 0:
            return None
        if self.barred >> h & 1 or surprise.soviets_surprised(pos, self.side):
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

    def price_to(self, h: Hex) -> int | Refusal:
        """Half points for a move to a hex, or why the group may not go there."""
        price = self.plain_step(h)
        if price is None:
            surprised = surprise.soviets_surprised(self.pos, self.side)
            if surprised or not self.going.reachable >> h & 1:
                refused = self.why_not(h)
                if refused is not None:
                    return refused
            price = self._cheapest_cost(h)
            assert price is not None
        return price

    @property
    def costing(self) -> list[HexMask]:
        """For each number of half points the hexes that take so many: the cheapest way, or all by guarantee (4.3)."""
        going = self.going
        if going.flood is None:
            return []
        layers = [layer & going.paid for layer in going.flood.layers]
        layers[self.budget] |= going.guaranteed & ~going.paid
        return layers

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

    def by_number(self) -> Mapping[str, Reached]:
        """The contract's mapping: hex number to points left, path, cost."""
        destinations = self.destinations
        return Reach(self._numbers(destinations), self._detail, count=destinations.bit_count())

    def _numbers(self, hexes: HexMask) -> Iterator[str]:
        yield from map(self.pos.ground.names.__getitem__, members(hexes))

    def _detail(self, number: str) -> Reached:
        h = self.pos.ground.grid.hex(number)
        names = self.pos.ground.names
        cost = self.cost_to(h) or 0
        return Reached(points(self.budget - cost), tuple(names[step] for step in self.path_to(h)), points(cost))

    def wander(self, rng: _random.Random) -> March | None:
        """Some legal way of one to four hexes of a group that is not stuck, found without a flood; nothing if chance
        found none."""
        pos, draw, start = self.pos, rng.random, self.start
        barred, zone, budget = self.barred, self.enemy_zone, self.budget
        hindered = hindered_hexes(self.side, pos.forts, pos.interdicted) if self.start_factor == 1 else -1
        strolls = pos.ground.strolls[self.mobile]
        around = strolls[start]
        choices = len(around) if budget > POOR else pos.ground.around[start].bit_count()
        for _ in range(TRIES if around else 0):
            cost, inner, hexes, way, names = around[int(draw() * choices)]
            if hexes & barred or inner & zone:
                continue
            if hexes & hindered:
                cost = self._price_along(way)
            if self.in_zone:
                if zone >> way[0] & 1:
                    continue
                cost += self.disengagement
            if cost > budget or (self.fast >= 0 and self.toll(way) > self.fast):
                continue
            if draw() < FURTHER and not zone >> way[-1] & 1 and self.fast < 0:
                around = strolls[way[-1]]
                more, inner, further, onward, onward_names = around[int(draw() * len(around))]
                open_way = not (further & (barred | hindered | hexes | 1 << start) or inner & zone)
                if open_way and cost + more <= budget:
                    cost, way, names = cost + more, way + onward, names + onward_names[1:]
            return self.march(Order("move", pos.called(self.slots), names), way, cost)
        return self._wander_one_hex(rng) if self.fast < 0 and self.guaranteed else None

    def _wander_one_hex(self, rng: _random.Random) -> March:
        """One of the steps a group can always make (4.3)."""
        names, h = self.pos.ground.names, pick(self.guaranteed, rng)
        cost = self._price_along((h,)) + (self.disengagement if self.in_zone else 0)
        order = Order("move", self.pos.called(self.slots), (names[self.start], names[h]))
        return self.march(order, (h,), min(cost, self.budget))

    def _price_along(self, way: tuple[Hex, ...]) -> int:
        """Half points of a way that enters no enemy zone before its end."""
        pos, at, cost, factor = self.pos, self.start, 0, self.start_factor
        for h in way:
            price = pos.ground.step(self.side, self.mobile, at, h, pos.forts, pos.interdicted)
            assert price is not None
            cost += price * factor
            at, factor = h, 1
        return cost

    def way_to(self, h: Hex) -> tuple[Hex, ...]:
        """The hexes entered on the best way to a hex; the last alone where no other has a say."""
        if self.fast >= 0 or (self.side == GERMAN and self.pos.forts and self.pos.forts & self.going.reachable):
            return tuple(self.path_to(h)[1:])
        return (h,)

    def march(self, order: Order, path: tuple[Hex, ...], cost: int) -> March:
        """The order to go along a path, worked out."""
        slots, left = self.slots, self.left
        if self.fast < 0:
            after = _paid(slots, left, cost)
        else:
            toll, pieces = min(self.toll(path), self.fast), self.pos.pieces
            after = {slot: left[slot] - (toll if pieces[slot].mobile else cost) for slot in slots}
            return March(order, slots, self.start, path, cost, after, toll)
        return March(order, slots, self.start, path, cost, after)

    # Explicit paths ---------------------------------------------------------------------------

    def walk(self, path: tuple[Hex, ...]) -> int | Refusal:
        """Half points for a path given hex by hex, or why it cannot be walked (4.0 to 4.9, 6.0)."""
        pos = self.pos
        names = pos.ground.names
        leave = self._leave()
        at, total, forts = self.start, 0, pos.forts
        for number, h in enumerate(path):
            price = pos.ground.step(self.side, self.mobile, at, h, forts, pos.interdicted)
            if price is None or self.barred >> h & 1 or (h == self.start and self.crowded):
                return self._why_no_step(at, h)
            forts &= ~(1 << h)
            total += price * (self.start_factor if number == 0 else 1)
            if self.enemy_zone >> at & 1:
                if number == 0:
                    refused = self.why_no_disengagement()
                    if refused is not None:
                        return refused
                elif leave is None or not leave.hexes >> at & 1:
                    return Refusal("4.7", f"the zone of control in {names[at]} ends the move")
                if self.enemy_zone >> h & 1:
                    return Refusal("6.4", f"{names[h]} is in an enemy zone of control: no disengaging into it")
                total += self.disengagement
            if total > self.budget:
                if number == 0 and len(path) == 1 and self.going.guaranteed >> h & 1:
                    return self.budget
                return Refusal("4.1", f"{names[h]} needs {figure(total)} of {figure(self.budget)} points")
            at = h
        if self.fast >= 0 and self.toll(path) > self.fast:
            return self._why_not_paid(path[-1])
        return total

    def _why_not_paid(self, h: Hex) -> Refusal:
        return Refusal("4.5", f"the armored units of the stack cannot pay the way to {self.pos.ground.names[h]}")

    def _why_no_step(self, a: Hex, b: Hex) -> Refusal:
        """What bars a single step."""
        pos = self.pos
        names = pos.ground.names
        if not pos.ground.grid.adjacent(a, b):
            return Refusal("4.0", f"{names[b]} is not next to {names[a]}")
        water = why_all_water(pos, a, b)
        if water is not None:
            return water
        if pos.crowd[1 - self.side][0] >> b & 1:
            return Refusal("4.4", f"an enemy unit is in {names[b]}")
        return Refusal("4.6", f"{names[b]} would hold more than {pos.game.edition.tables.stacking.limit} units")

    def why_not(self, h: Hex) -> Refusal | None:
        """Why the group may not move to a hex."""
        if self.plain_step(h) is not None or self.destinations >> h & 1:
            return None
        pos = self.pos
        name = pos.ground.names[h]
        if h == self.start:
            return Refusal("4.0", f"the unit stands in {name} already")
        if not pos.ground.land >> h & 1:
            return Refusal("4.9", f"{name} is all water")
        if pos.crowd[1 - self.side][0] >> h & 1:
            return Refusal("4.4", f"an enemy unit is in {name}")
        if self.stuck:
            return self.why_no_disengagement()
        if self.barred >> h & 1:
            return Refusal("4.6", f"{name} would hold more than {pos.game.edition.tables.stacking.limit} units")
        if self.reachable() >> h & 1:
            return Refusal("17.2", f"on turn 1 units go next to a German unit, or towards the nearest: not to {name}")
        if self.in_zone and self.enemy_zone >> h & 1 and pos.ground.grid.adjacent(self.start, h):
            return Refusal("6.4", f"{name} is in an enemy zone of control: no disengaging into it")
        flooded = self.going.flood
        if flooded is not None and flooded.cost(h) is not None:
            return self._why_not_paid(h)
        water = why_all_water(pos, self.start, h)
        if water is not None:
            return water
        extra = self.disengagement if self.in_zone else 0
        costs = pos.ground.costs(self.side, self.mobile, pos.forts, pos.interdicted)
        free = flood(costs, 1 << self.start, self.budget - extra, barred=self.barred)
        if free.cost(h) is not None:
            return Refusal("4.7", f"enemy zones of control bar the way to {name}")
        leaving = f"; disengaging costs {figure(extra)}" if extra else ""
        return Refusal("4.1", f"{name} is beyond {HalfPoints(self.budget)} of movement{leaving}")


def situation_of(pos: LeningradPosition, side: int) -> Situation:
    """What has a say in how far units of a side get: hexes with three, two and one friends, enemy zones, enemies,
    and hexes that forts or air units hinder it to enter."""
    found: Situation | None = pos.scratch.get(side)
    if found is None:
        one, two, three = pos.crowd[side]
        enemy, hindered = pos.crowd[1 - side][0], pos.hindered(side)
        found = side_by_side(pos.ground.width, three, two, one, pos.zone(1 - side), enemy, *hindered)
        pos.scratch[side] = found
    return found


def why_no_group(pos: LeningradPosition, slots: tuple[Slot, ...]) -> Refusal | None:
    """Why these units may not move together now (4.0, 4.5)."""
    refusal = not_mine(pos, slots, pos.mover)
    if refusal is not None:
        return refusal
    moving = slots[0] in pos.active
    if len(slots) > 1:
        if len(slots) > 3:
            return Refusal("4.5", "at most three units move together")
        if len({pos.hexes[slot] for slot in slots}) > 1:
            return Refusal("4.5", "units that move together begin in the same hex")
        if any((slot in pos.active) != moving for slot in slots):
            return Refusal("4.5", "units that have moved together go on alone: others do not join them")
    if not moving:
        for slot in slots:
            if pos.moved >> slot & 1:
                return Refusal("4.0", f"{pos.name(slot)} has ended its move")
        refusal = surprise.unfinished(pos)
        if refusal is not None:
            return refusal
    if surprise.soviets_surprised(pos, pos.mover) and any(pos.ground.frozen >> pos.hexes[s] & 1 for s in slots):
        return Refusal("17.2", f"units in {pos.ground.names[pos.hexes[slots[0]]]} may not move on turn 1")
    return None


# The phase ------------------------------------------------------------------------------------


def groups(pos: LeningradPosition, h: Hex) -> list[tuple[Slot, ...]]:
    """The units and stacks of a hex that may still move: those not yet moved, and those moving now."""
    if surprise.soviets_surprised(pos, pos.mover) and pos.ground.frozen >> h & 1:
        return []
    stack, moved, active = pos.at[h], pos.moved, pos.active
    found: list[tuple[Slot, ...]] = []
    waiting = tuple([slot for slot in stack if not moved >> slot & 1])
    if waiting and surprise.unfinished(pos) is None:
        found += subsets(waiting)
    moving = tuple([slot for slot in stack if slot in active]) if active else ()
    if moving:
        found += subsets(moving)
    return found


@lru_cache(maxsize=REMEMBERED)
def subsets(slots: tuple[Slot, ...]) -> tuple[tuple[Slot, ...], ...]:
    """Those of some units of a hex that can move together: each alone, all twos and threes (4.5)."""
    return tuple(subset for size in range(1, min(3, len(slots)) + 1) for subset in combinations(slots, size))


def move_orders(pos: LeningradPosition, slots: tuple[Slot, ...], destinations: HexMask) -> list[Order]:
    """One order for each destination of a group."""
    return pos.ground.orders_to("move", pos.called(slots), destinations) if destinations else []


def orders(pos: LeningradPosition) -> Iterable[Order]:
    """Moves, overruns, entries and the end of the phase."""
    found: list[Order] = []
    active = pos.active
    for h in sorted(set(map(pos.hexes.__getitem__, active))):
        found += listing.orders_in(pos, h, tuple(filter(active.__contains__, pos.at[h])), active)[0]
    if not active or surprise.unfinished(pos) is None:
        listing.listing_of(pos).add_to(found)
    if pos.reserve:
        found += reinforcements.orders(pos)
    if why_not_end(pos) is None:
        found.append(END)
    return found


def orders_of(pos: LeningradPosition, unit: str) -> Iterable[Order]:
    """The orders that concern one unit."""
    slot = pos.slot(unit)
    h = pos.hexes[slot]
    if pos.pieces[slot].side != pos.mover:
        return
    if h < 0:
        yield from reinforcements.orders(pos)
        return
    for slots in groups(pos, h):
        if slot in slots:
            movement = Movement(pos, slots)
            yield from move_orders(pos, slots, movement.destinations)
            yield from overrun.orders_for(pos, slots, overrun.payable(pos, slots, movement.left), {})


def random(pos: LeningradPosition, rng: _random.Random) -> Order:
    """Some legal order: a piece first, then what it can do."""
    draw, hexes = rng.random, pos.hexes
    if pos.reserve and draw() < 0.2:
        entering = reinforcements.random(pos, rng)
        if entering is not None:
            return entering
    surprised = pos.turn == 1 and surprise.soviets_surprised(pos, pos.mover)
    left = _may_move(pos)
    while left:
        first = int(draw() * left.bit_length())
        beyond = left >> first << first
        slot = (beyond & -beyond).bit_length() - 1
        order = _random_move(pos, slot, surprised, rng) if hexes[slot] >= 0 else None
        if order is not None:
            return order
        left ^= 1 << slot
    if why_not_end(pos) is None:
        return END
    every = list(orders(pos))
    return every[int(draw() * len(every))]


def _may_move(pos: LeningradPosition) -> SlotMask:
    """Pieces that have not begun to move, and those that can still go on; some may have been eliminated meanwhile."""
    if pos.muster < 0:
        pos.muster = 0
        for h in members(pos.crowd[pos.mover][0]):
            for slot in pos.at[h]:
                pos.muster |= 1 << slot
    found, cheapest = pos.muster & ~pos.moved, pos.ground.cheapest
    for slot, left in pos.active.items():
        if left >= cheapest:
            found |= 1 << slot
    return found


def _random_move(pos: LeningradPosition, slot: Slot, surprised: bool, rng: _random.Random) -> Order | None:
    """A move or overrun of a piece that may move, alone or with others of its hex."""
    active, stack, draw = pos.active, pos.at[pos.hexes[slot]], rng.random
    slots: tuple[Slot, ...] = (slot,)
    if len(stack) > 1 and draw() < 0.4:
        moving = slot in active
        others = [s for s in stack if s != slot and (s in active if moving else not pos.moved >> s & 1)]
        slots = tuple(sorted([slot, *others[: int(draw() * 3)]]))
    if surprised and (pos.zone(GERMAN) >> pos.hexes[slot] & 1 or why_no_group(pos, slots) is not None):
        return None
    group = Movement(pos, slots)
    if group.in_zone:
        if draw() < OVERRUNS:
            overruns = overrun.orders_for(pos, slots, overrun.payable(pos, slots, group.left), {})
            if overruns:
                return overruns[int(draw() * len(overruns))]
        if group.stuck:
            return None
    if not surprised:
        march = group.wander(rng)
        if march is not None:
            pos.scratch["march"] = march
            return march.order
    destinations = group.destinations
    if not destinations:
        return None
    h = pick(destinations, rng)
    cost = group.cost_to(h)
    assert cost is not None
    order = Order("move", pos.called(slots), (pos.ground.names[h],))
    pos.scratch["march"] = group.march(order, group.way_to(h), cost)
    return order


def why_not_end(pos: LeningradPosition) -> Refusal | None:
    """What must be done before the movement phase may end (16.5, 17.1, 17.2)."""
    return reinforcements.why_not_end(pos) or surprise.why_not_end_movement(pos)


def refusal(pos: LeningradPosition, order: Order) -> Refusal | None:
    """Why an order is refused in a movement phase."""
    if order.verb == "move":
        march = march_of(pos, order)
        return march if isinstance(march, Refusal) else None
    if order.verb == "end":
        return why_not_end(pos)
    if order.verb == "enter":
        return reinforcements.refusal(pos, order)
    if order.verb == "overrun":
        return overrun.refusal(pos, order)
    return wrong_phase(pos, order)


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


def march_of(pos: LeningradPosition, order: Order) -> March | Refusal:
    """The move that an order stands for, or why it is refused; worked out once a position."""
    known: March | None = pos.scratch.get("march")
    if known is not None and known.order is order:
        return known
    slots = named_slots(pos, order)
    if isinstance(slots, Refusal):
        return slots
    path = named_hexes(pos, order)
    if isinstance(path, Refusal):
        return path
    exact = len(path) > 1
    offered = None if exact else listing.offered(pos, slots, path[0])
    if offered is not None:
        cost, left = offered
        march = March(order, slots, pos.hexes[slots[0]], path, cost, _paid(slots, left, cost))
        pos.scratch["march"] = march
        return march
    refused = why_no_group(pos, slots)
    if refused is not None:
        return refused
    movement = Movement(pos, slots)
    if exact and path[0] == movement.start:
        path = path[1:]
    if not exact:
        price = movement.price_to(path[0])
        if isinstance(price, Refusal):
            return price
        cost = price
        path = movement.way_to(path[0])
    else:
        walked = movement.walk(path)
        if isinstance(walked, Refusal):
            return walked
        cost = walked
        if surprise.soviets_surprised(pos, pos.mover):
            refused = movement.why_not(path[-1])
            if refused is not None:
                return refused
    march = pos.scratch["march"] = movement.march(order, path, cost)
    return march


def begin(pos: LeningradPosition, slots: tuple[Slot, ...], left: dict[Slot, int], origin: Hex) -> None:
    """A new group starts to move; the one before it has ended its move."""
    pos.active = left
    pos.stacks = {}
    pos.origin = origin
    for slot in slots:
        pos.moved |= 1 << slot
    pos.scratch = {}


def spend(pos: LeningradPosition, slots: tuple[Slot, ...], start: Hex, left: dict[Slot, int]) -> None:
    """Units of a hex have moved or fought and have so much left; if they have not begun to move, they begin now."""
    if slots[0] in pos.active:
        pos.active = {**pos.active, **left}
        pos.changed()
    else:
        begin(pos, slots, left, start)


def part(pos: LeningradPosition, slots: tuple[Slot, ...]) -> None:
    """Units that leave others of their stack behind are a stack of their own from then on (4.5, 7.4)."""
    number = pos.stacks.get(slots[0], 0)
    left_behind = [s for s in pos.active if s not in slots and pos.stacks.get(s, 0) == number]
    if left_behind:
        fresh = max(pos.stacks.values(), default=0) + 1
        pos.stacks = {**pos.stacks, **dict.fromkeys(slots, fresh)}


def apply(pos: LeningradPosition, order: Order) -> None:
    """Carry out an order of a movement phase."""
    if order.verb == "move":
        _move(pos, order)
    elif order.verb == "enter":
        reinforcements.apply(pos, order)
    elif order.verb == "overrun":
        overrun.apply(pos, order)
    else:
        stacking.end_movement(pos)


def _move(pos: LeningradPosition, order: Order) -> None:
    march = march_of(pos, order)
    assert isinstance(march, March)
    slots, way = march.slots, march.way
    spend(pos, slots, march.start, march.left)
    if pos.mover == GERMAN:
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
    if march.toll in (-1, march.cost):
        pos.tell("moved", "4.0", "{0} to {1}, {2}", *told)
    else:
        pos.tell("moved", "4.0", "{0} to {1}, {2}, armored units {3}", *told, worded(march.toll))
