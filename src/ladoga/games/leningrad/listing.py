"""The moves of a movement phase, hex by hex: carried from one position to the next as far as they still hold.

No rule stands here. What a unit may do is asked of chapters 4, 6 and 7 once, and kept together with everything that
had a say in it; when something of that changes, the hex is listed anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import compress
from operator import attrgetter, iconcat

import msgspec

from ...hexes import Hex, HexMask, mask_of, members
from ...kernel.memory import Care, Situation, side_by_side
from ...kernel.orders import Order
from . import air, overrun, reinforcements, surprise
from .edition import GERMAN
from .ground import ENEMIES, FED
from .movement import Movement, subsets
from .pieces import Slot, SlotMask
from .position import LeningradPosition
from .reach import Going, Group, half_points


class Ways(msgspec.Struct, frozen=True, gc=False):
    """Where a group may go."""

    going: Going
    orders: list[Order]


class Listed(msgspec.Struct, frozen=True, gc=False):
    """What the units of a hex that have not moved yet may do, and what had a say in it."""

    slots: SlotMask
    fighting: bool
    """Next to an enemy, so that overruns and with them air units come into it, and who stays behind (6.3)."""
    care: Care
    left: dict[Slot, int]
    """Half points of the units that have not moved yet."""
    groups: dict[tuple[Slot, ...], Ways]
    """Away from the enemy: the groups that can be formed of them."""
    orders: list[Order]


class Listing(msgspec.Struct, frozen=True, gc=False):
    """Orders hex by hex, with everything they were made from."""

    terms: tuple[object, ...]
    air: int
    labels: list[str]
    moved: SlotMask
    situation: Situation
    occupied: HexMask
    hexes: dict[Hex, Listed]

    def offered(self, pos: LeningradPosition, slots: tuple[Slot, ...], h: Hex) -> tuple[int, dict[Slot, int]] | None:
        """Of a move that this list of this very position offers, its cost and what the units have.

        ``None`` if it is not on the list, or if it matters which way the units take.
        """
        listed = self.hexes.get(pos.hexes[slots[0]])
        ways = listed.groups.get(slots) if listed is not None else None
        if listed is None or ways is None or not ways.going.reachable >> h & 1:
            return None
        going = ways.going
        if pos.mover == GERMAN and pos.forts & going.reachable:
            return None
        if len(slots) > 1 and len({pos.pieces[slot].mobile for slot in slots}) > 1:
            return None
        cost = going.flood.cost(h) if going.flood is not None and going.paid >> h & 1 else None
        return (min([listed.left[slot] for slot in slots]) if cost is None else cost), listed.left


CARE, ORDERS = attrgetter("care"), attrgetter("orders")


def move_orders(pos: LeningradPosition, slots: tuple[Slot, ...], destinations: HexMask) -> list[Order]:
    """One order for each destination of a group."""
    return pos.ground.orders_to("move", pos.called(slots), destinations) if destinations else []


def moves(pos: LeningradPosition) -> list[Order]:
    """Moves and overruns, hex by hex: first of the group under way, then of those that have not moved."""
    found: list[Order] = []
    active = pos.active
    for h in sorted(set(map(pos.hexes.__getitem__, active))):
        found += orders_in(pos, h, tuple(filter(active.__contains__, pos.at[h])), active)[0]
    if not active or surprise.unfinished(pos) is None:
        hexes = listing_of(pos).hexes
        reduce(iconcat, map(ORDERS, map(hexes.__getitem__, sorted(hexes))), found)
    return found


def orders_naming(pos: LeningradPosition, name: str) -> Iterable[Order]:
    """The orders that concern a unit by its name: in a movement phase its own, else all."""
    if name not in pos.by_name:
        return ()
    return orders_of(pos, pos.slot(name)) if pos.agenda[0].at == "movement" else pos._orders()


def orders_of(pos: LeningradPosition, slot: Slot) -> Iterator[Order]:
    """The orders of a movement phase that concern one unit."""
    h = pos.hexes[slot]
    if pos.pieces[slot].side != pos.mover:
        return
    if h < 0:
        yield from reinforcements.entries(pos)
        return
    for slots in _groups(pos, h):
        if slot in slots:
            group = Movement(pos, slots)
            yield from move_orders(pos, slots, group.destinations)
            yield from overrun.orders_for(pos, slots, overrun.payable(pos, slots, group.left), {})


def _groups(pos: LeningradPosition, h: Hex) -> list[tuple[Slot, ...]]:
    """The units and stacks of a hex that may still move: those not yet moved, and those moving now."""
    if pos.turn == 1 and pos.surprised(pos.mover) and pos.ground.frozen >> h & 1:
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


def listing_of(pos: LeningradPosition) -> Listing:
    """The orders of all units that have not moved yet; what the last listing said and still holds is kept."""
    side, last, width = pos.mover, pos.listing, pos.ground.width
    enemy = pos.crowd[1 - side][0] if pos.turn == 1 and pos.surprised(side) else 0
    terms, occupied = (side, pos.turn, enemy), pos.crowd[side][0]
    fed = pos.fed_among(side, occupied, (False, True))
    situation = pos.situation(side) | (fed[0] | fed[1] << width) << FED * width
    now = Listing(terms, air.ready(pos), pos.labels, pos.moved, situation, occupied, {})
    if last is None or last.terms != terms:
        last = msgspec.structs.replace(now, occupied=0)
    changed, hexes, enemy_care = last.situation ^ now.situation, now.hexes, pos.ground.enemy_care
    hexes.update(last.hexes)
    for h in members(last.occupied & ~occupied):
        del hexes[h]
    fresh = occupied & ~last.occupied
    if last.air != now.air or last.labels is not now.labels:
        fresh |= _forget(hexes, last, now)
    all_changed = _with_pieces(pos, last.moved ^ now.moved, changed)
    for h in list(compress(hexes, map(all_changed.__and__, map(CARE, hexes.values())))):
        listed = hexes[h]
        still = not listed.fighting and not enemy_care[h] & changed
        hexes[h] = _list(pos, h, fed, listed.groups if still else {}, changed)
    for h in members(fresh):
        hexes[h] = _list(pos, h, fed, {}, 0)
    pos.listing = pos.scratch["listing"] = now
    return now


def _forget(hexes: dict[Hex, Listed], last: Listing, now: Listing) -> HexMask:
    """Drop the hexes with units that have another name now, and those next to an enemy if air units came or went."""
    renamed = 0
    if last.labels is not now.labels:
        renamed = sum([1 << slot for slot, name in enumerate(now.labels) if name != last.labels[slot]])
    dropped = [h for h, listed in hexes.items() if listed.slots & renamed or (listed.fighting and last.air != now.air)]
    for h in dropped:
        del hexes[h]
    return mask_of(dropped)


def _list(
    pos: LeningradPosition,
    h: Hex,
    fed: Sequence[HexMask],
    known: dict[tuple[Slot, ...], Ways],
    changed: Situation,
) -> Listed:
    """Moves and overruns of the units of a hex that have not moved yet.

    ``fed`` are the hexes in which units on foot and armored ones are in supply, ``known`` the ways of groups of a hex
    away from the enemy as they were before something changed.
    """
    stack, moved, pieces = pos.at[h], pos.moved, pos.pieces
    slots = 0
    for slot in stack:
        slots |= 1 << slot
    idle = tuple([slot for slot in stack if not moved >> slot & 1]) if moved & slots else stack
    care = pos.ground.own_care[h]
    if not idle:
        return Listed(slots, False, _with_pieces(pos, slots, care), {}, {}, [])
    left = {}
    for slot in idle:
        left[slot] = half_points(pieces[slot].movement, fed[pieces[slot].mobile] >> h & 1)
    enemy = 1 - pos.mover
    surprised = pos.turn == 1 and pos.surprised(1 - enemy)
    if surprised or pos.zone(enemy) >> h & 1:
        orders, seen = orders_in(pos, h, idle, left)
        return Listed(slots, not surprised, _with_pieces(pos, slots, care | seen), left, {}, orders)
    groups: dict[tuple[Slot, ...], Ways] = {}
    goings: dict[tuple[int, ...], Going] = {}
    kinds = _kinds(pos, left) if len(left) > 1 else left
    orders = []
    for group in subsets(idle):
        ways = known.get(group)
        if ways is None or ways.going.care & changed:
            going = _going(pos, group, left, kinds, goings)
            ways = Ways(going, move_orders(pos, group, going.reachable))
        groups[group] = ways
        care |= ways.going.care
        orders += ways.orders
    return Listed(slots, False, _with_pieces(pos, slots, care), left, groups, orders)


def _with_pieces(pos: LeningradPosition, slots: SlotMask, hexes: int) -> int:
    """Of a listing: which pieces have moved, and the situation."""
    return slots | hexes << len(pos.pieces)


def _kinds(pos: LeningradPosition, left: Mapping[Slot, int]) -> dict[Slot, int]:
    """What tells apart how far units of a hex get: armored or not, and their points."""
    pieces = pos.pieces
    return {slot: 2 * points + pieces[slot].mobile for slot, points in left.items()}


def _going(
    pos: LeningradPosition,
    group: tuple[Slot, ...],
    left: Mapping[Slot, int],
    kinds: Mapping[Slot, int],
    known: dict[tuple[int, ...], Going],
) -> Going:
    """How far a group of a hex gets; groups of the same kinds get equally far."""
    if len(left) == 1:
        return Group(pos, group, left).going
    key = tuple(sorted(map(kinds.__getitem__, group)))
    going = known.get(key)
    if going is None:
        going = known[key] = Group(pos, group, left).going
    return going


def orders_in(
    pos: LeningradPosition, h: Hex, units: tuple[Slot, ...], left: Mapping[Slot, int]
) -> tuple[list[Order], Care]:
    """Moves and overruns of every group of these units of a hex, and what had a say in the moves."""
    enemy = 1 - pos.mover
    if pos.turn == 1 and pos.surprised(1 - enemy):
        return _forced_orders(pos, h, units, left)
    orders: list[Order] = []
    care = 0
    near = None
    if pos.zone(enemy) >> h & 1:
        near = overrun.payable(pos, units, left)
        care = pos.ground.around[h] << ENEMIES * pos.ground.width
    goings: dict[tuple[int, ...], Going] = {}
    kinds = _kinds(pos, left) if len(left) > 1 else left
    targets: dict[HexMask, overrun.Ways] = {}
    for slots in subsets(units):
        going = _going(pos, slots, left, kinds, goings)
        care |= going.care
        if going.reachable:
            orders += move_orders(pos, slots, going.reachable)
        if near:
            orders += overrun.orders_for(pos, slots, near, targets)
    return orders, care


def _forced_orders(
    pos: LeningradPosition, h: Hex, units: tuple[Slot, ...], left: Mapping[Slot, int]
) -> tuple[list[Order], Care]:
    """The marches of Soviet units on turn 1, and what had a say in them: all friends near too (17.2)."""
    orders: list[Order] = []
    if (pos.zone(GERMAN) | pos.ground.frozen) >> h & 1:
        return orders, 0
    care, width = 0, pos.ground.width
    for slots in subsets(units):
        group = Movement(pos, slots, left)
        orders += move_orders(pos, slots, group.destinations)
        care |= group.going.care
    seen = care >> ENEMIES * width & (1 << width) - 1
    return orders, care | side_by_side(width, seen, seen, seen)
