"""Chapter 16, first half: reinforcements (16.0 to 16.5, 17.4)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, repeat, takewhile
from typing import NamedTuple

from ...hexes import NOWHERE, Hex, HexMask, members
from ...kernel.errors import Illegal
from ...kernel.orders import Order
from ...kernel.position import Refusal, forbid, refuse
from . import movement, surprise
from .edition import GERMAN, SOVIET, Arrival
from .orders import named_hex, named_slots
from .pieces import Slot, worded
from .position import LeningradPosition
from .reach import half_points


def arrival_of(pos: LeningradPosition, slot: Slot) -> Arrival | None:
    """The line of the schedule a piece arrives by."""
    number = pos.pieces[slot].arrival
    return pos.game.edition.scenario.arrivals[number] if number >= 0 else None


class Due(NamedTuple):
    """Reinforcements of the side to move that may enter now, this turn's and those held back (16.3)."""

    slots: tuple[Slot, ...]
    who: tuple[tuple[str, int], ...]
    """Their names and their lines of the schedule."""
    lines: dict[int, Slot]
    """A piece of each of these lines."""
    hexes: HexMask
    """All the hexes where these lines are scheduled to enter."""
    prompt: tuple[Slot, ...]
    """Those that may not be delayed (16.5)."""
    known: dict[tuple[HexMask, ...], tuple[Order, ...]]
    """The orders to enter, by what stands in these hexes; not if it sends units elsewhere (16.2)."""


def due(pos: LeningradPosition) -> Due:
    """Who may enter now: worked out anew only when pieces came, went or were revealed, or a phase ended."""
    if pos.due is None:
        slots, pieces = tuple(_waiting(pos)), pos.pieces
        arrivals = pos.game.edition.scenario.arrivals
        pos.due = Due(
            slots,
            tuple([(pos.labels[slot], pieces[slot].arrival) for slot in slots]),
            {pieces[slot].arrival: slot for slot in reversed(slots)},
            pos.ground.entries(tuple([pieces[slot].arrival for slot in slots]), pos.turn),
            tuple([s for s in slots if (line := arrivals[pieces[s].arrival]).prompt and line.turn == pos.turn]),
            {},
        )
    return pos.due


def _waiting(pos: LeningradPosition) -> Iterator[Slot]:
    arrivals, pieces = pos.game.edition.scenario.arrivals, pos.pieces
    spare = None
    for slot in takewhile(lambda slot: arrivals[pieces[slot].arrival].turn <= pos.turn, pos.reserve):
        if pieces[slot].side == pos.mover:
            if pieces[slot].recycled:
                spare = (spare_dead(pos) if spare is None else spare) - 1
            if not pieces[slot].recycled or (spare is not None and spare >= 0):
                yield slot


def spare_dead(pos: LeningradPosition) -> int:
    """Eliminated, revealed rifle divisions that a late arrival can be raised from."""
    hexes, faces = pos.hexes, pos.faces
    dead = sum([hexes[slot] < NOWHERE for slot in pos.game.rifles if faces[slot] >= 0])
    return dead - sum([hexes[slot] >= 0 > faces[slot] for slot in pos.game.raised if pos.pieces[slot].recycled])


def entry_hexes(pos: LeningradPosition, slot: Slot) -> HexMask:
    """The hexes a reinforcement may enter on this turn (16.2, 16.4, 17.4).

    Three friends in an entry hex block it; where units are counted only when the phase ends (4.6), more
    may still pass through it.
    """
    arrival = arrival_of(pos, slot)
    assert arrival is not None
    ground = pos.ground
    side = pos.pieces[slot].side
    listed = ground.entry(pos.pieces[slot].arrival, pos.turn)
    if arrival.city and not listed & ~pos.crowd[1 - side][0]:
        listed = ground.hexes(pos.game.edition.scenario.north_edge)
    passable = listed & ~pos.crowd[1 - side][0]
    unblocked = passable & ~pos.crowd[side][2]
    if pos.game.edition.tables.stacking.checked == "always":
        passable = unblocked
    if unblocked or not listed:
        return passable
    return passable | nearest_unoccupied(pos, listed)


def nearest_unoccupied(pos: LeningradPosition, blocked: HexMask) -> HexMask:
    """The nearest hexes without any unit, when the entry hex is blocked (16.2)."""
    free = pos.ground.land & ~pos.crowd[GERMAN][0] & ~pos.crowd[SOVIET][0]
    ring = blocked
    while free and not ring & free:
        ring = pos.ground.grid.within(ring, 1)
    return ring & free


def check_entry(pos: LeningradPosition, slots: tuple[Slot, ...], h: Hex) -> None:
    """Refuse units that may not enter in a hex now."""
    names, enemy, always = pos.ground.names, pos.crowd[1 - pos.mover][0], pos.game.stacking_always
    for slot in slots:
        name, arrival = pos.name(slot), arrival_of(pos, slot)
        forbid(pos.pieces[slot].side != pos.mover, "4.0", "{} is not yours", name)
        forbid(pos.hexes[slot] >= 0, "16.0", "{} is on the map already", name)
        forbid(pos.hexes[slot] != NOWHERE, "16.0", "{} has been eliminated", name)
        forbid(arrival is None, "16.0", "{} is not among those still to come", name)
        forbid(arrival and arrival.turn > pos.turn, "16.0", "{} arrives on turn {}", name, arrival and arrival.turn)
    forbid(len(slots) > 3, "4.5", "at most three units enter together")
    for slot in slots:
        forbid(slot not in due(pos).slots, "14.0", "no eliminated division is left to raise {} from", pos.name(slot))
    refuse(surprise.unfinished(pos))
    for slot in slots:
        if not entry_hexes(pos, slot) >> h & 1:
            where = ", ".join(names[e] for e in pos.ground.grid.members(entry_hexes(pos, slot))) or "nowhere"
            raise Illegal(
                _why_there(pos, slot, h), f"{pos.name(slot)} cannot enter in {names[h]}; it enters in {where}"
            )
    forbid(always and len(pos.stack(h)) + len(slots) > 3, "4.6", "{} would hold more than 3 units", names[h])
    forbid(enemy >> h & 1, "16.2", "an enemy unit is in {}", names[h])


def _why_there(pos: LeningradPosition, slot: Slot, h: Hex) -> str:
    """The case that says why a reinforcement may not enter in a hex, but somewhere else."""
    arrival = arrival_of(pos, slot)
    assert arrival is not None
    listed, open_hexes = pos.ground.entry(pos.pieces[slot].arrival, pos.turn), entry_hexes(pos, slot)
    closed = not listed & open_hexes
    if arrival.city and (closed or not listed >> h & 1):
        return "16.4"
    if closed or pos.ground.grid.within(listed, 1) >> h & 1:
        return "16.2"
    return "17.4" if arrival.late else "16.3" if arrival.turn < pos.turn else "16.0"


class Entry(NamedTuple):
    """Reinforcements and the hex they enter in."""

    slots: tuple[Slot, ...]
    hex: Hex
    names: tuple[str, ...]
    """As the order has them."""


def entry_of(pos: LeningradPosition, order: Order) -> Entry:
    """Reinforcements that enter where they are due (16.0)."""
    slots, h = named_slots(pos, order), named_hex(pos, order)
    check_entry(pos, slots, h)
    return Entry(slots, h, order.units)


def entries(pos: LeningradPosition) -> tuple[Order, ...]:
    """Every unit alone, and stacks of two and three; untried units that are alike are stacked once."""
    if not pos.reserve:
        return ()
    ready = due(pos)
    if not ready.slots or surprise.unfinished(pos) is not None:
        return ()
    one, two, three = pos.crowd[pos.mover]
    hexes, enemy = ready.hexes, pos.crowd[1 - pos.mover][0]
    there = (one & hexes, two & hexes, three & hexes, enemy & hexes)
    found = ready.known.get(there)
    if found is None:
        open_to = {line: entry_hexes(pos, slot) for line, slot in ready.lines.items()}
        limits = (three, two, one) if pos.game.stacking_always else (0, 0, 0)
        all_entries = 0
        for mask in open_to.values():
            all_entries |= mask
        room = tuple([all_entries & ~enemy & ~mask for mask in limits])
        found = pos.ground.remembered(
            ("enter", ready.who, tuple(open_to.items()), room), lambda: _all_orders(pos, ready, open_to, room)
        )
        if not all_entries & ~hexes:
            ready.known[there] = found
    return found


def _all_orders(
    pos: LeningradPosition, ready: Due, entries: dict[int, HexMask], room: tuple[HexMask, ...]
) -> tuple[Order, ...]:
    found: list[Order] = []
    hexes: dict[tuple[int, ...], list[tuple[str]]] = {}
    for names, arrivals in pos.ground.remembered(("entering", ready.who), lambda: list(_alike(pos, ready.slots))):
        if arrivals not in hexes:
            mask = room[len(arrivals) - 1]
            for arrival in arrivals:
                mask &= entries[arrival]
            hexes[arrivals] = [(pos.ground.names[h],) for h in members(mask)]
        found += map(Order, repeat("enter"), repeat(names), hexes[arrivals])
    return tuple(found)


def _alike(pos: LeningradPosition, ready: tuple[Slot, ...]) -> Iterator[tuple[tuple[str, ...], tuple[int, ...]]]:
    """Who may enter together, with the lines of the schedule by which they arrive."""
    pieces, labels = pos.pieces, pos.labels
    kinds = [(pieces[s].arrival, pieces[s].mobile) if pos.untried(s) else s for s in ready]
    for size in (1, 2, 3):
        seen = set()
        for places in combinations(range(len(ready)), size):
            kind = tuple([kinds[place] for place in places])
            if size == 1 or kind not in seen:
                seen.add(kind)
                slots = [ready[place] for place in places]
                yield tuple([labels[slot] for slot in slots]), tuple([pieces[slot].arrival for slot in slots])


def entry_left(pos: LeningradPosition, slot: Slot, h: Hex) -> int:
    """Half points left after paying for the entry hex (16.1). A unit there is fed if it would lift enemy zones itself
    (11.3)."""
    piece, ground = pos.pieces[slot], pos.ground
    side, mobile, blocked = piece.side, piece.mobile, pos.blocked(piece.side) & ~(1 << h)
    supplied = pos.game.edition.scenario.enter_supplied or pos.line_open(side, h) or bool(
        ground.fed(side, mobile, ground.sources[side], blocked, pos.forts, pos.interdicted) >> h & 1
    )  # fmt: skip
    scheduled = piece.arrival >= 0 and ground.entry(piece.arrival, pos.turn) >> h & 1
    cost = ground.entry_cost(h, mobile) if scheduled else ground.hex_cost(h, mobile)
    factor = 2 ** pos.air_on.get(h, 0) if side == SOVIET else 1
    return max(0, half_points(piece.movement, supplied) - cost * factor)


def enter(pos: LeningradPosition, entry: Entry) -> None:
    """Bring units onto the map; they may move on from there."""
    slots, h, names = entry
    left = {slot: entry_left(pos, slot, h) for slot in slots}
    movement.begin(pos, slots, left, NOWHERE)
    pos.disturb(slots)
    for slot in slots:
        pos.reserve = tuple([waiting for waiting in pos.reserve if waiting != slot])
        pos.put(slot, h)
        arrival = arrival_of(pos, slot)
        if arrival is not None and arrival.bonus and arrival.turn == pos.turn:
            _count_towards_bonus(pos, slot, h)
    pos.tell("entered", "16.1", "{0} in {1}, {2} left", "+".join(names), pos.ground.names[h],
             worded(min(left.values())))  # fmt: skip


def _count_towards_bonus(pos: LeningradPosition, slot: Slot, h: Hex) -> None:
    """A division of the counterattack army enters on its turn: where it is due, or elsewhere because Germans stand
    there. If only friends are in the way, the bonus is lost (17.4)."""
    listed = pos.ground.entry(pos.pieces[slot].arrival, pos.turn)
    if listed >> h & 1 or listed & pos.crowd[GERMAN][0]:
        pos.on_time += 1
    else:
        where = ", ".join(pos.ground.names[e] for e in members(listed))
        pos.tell("bonus lost", "17.4", "{0} enters elsewhere though no German unit is in {1}: the bonus is lost",
                 pos.name(slot), where)  # fmt: skip


def why_not_end(pos: LeningradPosition) -> Refusal | None:
    """Reinforcements that may not be delayed (16.5, 17.1)."""
    late = next((pos.name(slot) for slot in due(pos).prompt if entry_hexes(pos, slot)), "")
    return Refusal("16.5", f"{late} may not be delayed and must enter") if late else None
