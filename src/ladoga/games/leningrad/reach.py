"""Chapters 4 and 6: how far a unit or stack gets, and what it takes to leave the enemy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from heapq import heappop, heappush

import msgspec

from ...hexes import DIRECTIONS, NOWHERE, Hex, HexMask, mask_of, members
from ...kernel.errors import Illegal
from ...kernel.flood import Flood, Leave, flood
from ...kernel.memory import Care
from ...kernel.position import Refusal, first_case, forbid, refuse
from .edition import GERMAN
from .ground import ENEMIES, HINDERED, SINGLES, ZONES
from .orders import why_all_water
from .pieces import Slot, figure
from .position import LeningradPosition


def half_points(movement: int, supplied: bool | int) -> int:
    """All points of a unit in supply, half of them out of supply (11.1)."""
    return 2 * movement if supplied else 2 * (movement // 2)


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


FAR = 999
"""More half points than any unit has."""

STUCK = Going(None, 0, 0, 0, 0)
"""A group in an enemy zone without the means to disengage, or at the end of its points."""


class Group:
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
        """Whether armored, and half points left, for each kind of unit in the group (4.5)."""
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
        if pos.turn == 1 and pos.surprised(self.side):
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
        """In an enemy zone without the means to disengage (6.0)."""
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
        situation = pos.situation(self.side)
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
        leaving = (self.disengagement, ~self.enemy_zone) if self.in_zone else (0, -1)
        flooded = flood(
            pos.ground.costs(self.side, self.mobile, pos.forts, pos.interdicted), start, self.budget,
            barred=self.barred, stops=self.enemy_zone, leave=self._leave(),
            opening=None if self.start_factor == 1 else self.first_steps(*leaving),
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

    def toll(self, path: Iterable[Hex], mobile: bool = True) -> int:
        """Half points that units of a kind pay along a way; in a mixed stack the armored ones (4.5)."""
        pos = self.pos
        at, total, forts, factor = self.start, 0, pos.forts, self.start_factor
        for h in path:
            price = pos.ground.step(self.side, mobile, at, h, forts, pos.interdicted)
            assert price is not None
            forts &= ~(1 << h)
            total += price * factor + (self._price_to_leave(mobile) if self.enemy_zone >> at & 1 else 0)
            at, factor = h, 1
        return total

    def first_steps(self, extra: int = 0, into: HexMask = -1) -> tuple[tuple[int, HexMask], ...]:
        """What the steps out of the hex cost into some of those around, and something besides, dearest last (13.4)."""
        pos, factor = self.pos, self.start_factor
        costs = pos.ground.costs(self.side, self.mobile, pos.forts, pos.interdicted)
        first: dict[int, HexMask] = {}
        for d in DIRECTIONS:
            h = pos.ground.grid.neighbours(self.start)[d]
            price = None if h == NOWHERE else costs.price(self.start, h)
            if price is not None and into >> h & 1:
                first[price * factor + extra] = first.get(price * factor + extra, 0) | 1 << h
        return tuple(sorted(first.items()))

    @property
    def costing(self) -> list[HexMask]:
        """For each number of half points the hexes that take so many: the cheapest way, or all by guarantee (4.3)."""
        going = self.going
        if going.flood is None:
            return []
        layers = [layer & going.paid for layer in going.flood.layers]
        layers[self.budget] |= going.guaranteed & ~going.paid
        return layers

    # Explicit paths ---------------------------------------------------------------------------

    def walk(self, path: tuple[Hex, ...]) -> int:
        """Half points for a path given hex by hex, if it can be walked (4.0 to 4.9, 6.0)."""
        pos, names = self.pos, self.pos.ground.names
        leave, zone = self._leave(), self.enemy_zone
        at, total, forts = self.start, 0, pos.forts
        for number, h in enumerate(path):
            price = pos.ground.step(self.side, self.mobile, at, h, forts, pos.interdicted)
            if price is None or self.barred >> h & 1 or (h == self.start and self.crowded):
                raise self._no_step(at, h)
            forts &= ~(1 << h)
            total += price * (self.start_factor if number == 0 else 1)
            if zone >> at & 1:
                refuse(self.why_no_disengagement() if number == 0 else None)
                forbid(number and (leave is None or not leave.hexes >> at & 1), "4.7",
                       "the zone of control in {} ends the move", names[at])  # fmt: skip
                forbid(zone >> h & 1, "6.4", "{} is in an enemy zone of control: no disengaging into it", names[h])
                total += self.disengagement
            if total > self.budget:
                if len(path) == 1 and self.going.guaranteed >> h & 1:
                    return self.budget
                raise Illegal("4.1", f"{names[h]} needs {figure(total)} of {figure(self.budget)} points")
            at = h
        forbid(self.fast >= 0 and self.toll(path) > self.fast, *self.not_paid(path[-1]))
        return total

    def armor_could_pay(self, h: Hex) -> bool:
        """Whether the armored units of a mixed stack, if it is one, have the points for a hex but for enemy zones."""
        if self.fast < 0:
            return True
        costs = self.pos.ground.costs(self.side, True, self.pos.forts, self.pos.interdicted)
        points = self.fast - (self._price_to_leave(mobile=True) if self.in_zone else 0)
        return flood(costs, 1 << self.start, points, barred=self.barred).cost(h) is not None

    def not_paid(self, h: Hex) -> Refusal:
        """Too dear for the armored units of a mixed stack (4.5)."""
        return Refusal("4.5", f"the armored units of the stack cannot pay the way to {self.pos.ground.names[h]}")

    def _no_step(self, a: Hex, b: Hex) -> Illegal:
        """What bars a single step."""
        pos, names = self.pos, self.pos.ground.names
        limit = pos.game.edition.tables.stacking.limit
        refused = (
            first_case((not pos.ground.grid.adjacent(a, b), "4.0", "{} is not next to {}", names[b], names[a]))
            or why_all_water(pos, a, b)
            or first_case((pos.crowd[1 - self.side][0] >> b & 1, "4.4", "an enemy unit is in {}", names[b]))
            or Refusal("4.6", f"{names[b]} would hold more than {limit} units")
        )
        return Illegal(*refused)
