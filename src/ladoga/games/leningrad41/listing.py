"""The orders of a movement phase, unit by unit: those listed before, as far as they still hold. No rule stands here."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from ...hexes import Hex, HexMask, chosen, members
from ...kernel.flood import Costs
from ...kernel.orders import FEW, Order, relisted
from . import pontoons
from .arrivals import drop_eligible
from .derived import reach, spoilt
from .movement import (
    FOOT,
    MOTORIZED,
    all_free,
    allowance,
    block,
    destinations,
    drop_hexes,
    entry_hexes,
    kind,
    may_motor,
    metro_hexes,
    metro_refusal,
    motor_entries,
    sail_hexes,
    sail_refusal,
    suffix,
    waiting,
)
from .state import S_MOVE, WAITING, State


class Marches(NamedTuple):
    """The move orders of a unit with its whole move before it, and what they depended on."""

    start: Hex
    foot: Costs
    motorized: Costs | None
    barred: HexMask
    covered: HexMask
    zone: HexMask
    orders: list[Order]


def orders(pos: State) -> list[Order]:
    """Everything that can be ordered in a movement phase but its end."""
    found: list[Order] = []
    roster, side = pos.roster, pos.side
    bridged = pos.pontoon_sides(side)
    foot, motorized = (
        pos.ground.costs(mode, pos.rubble, pos.broken, bridged, pos.states) for mode in (FOOT, MOTORIZED)
    )
    going = pos.moving.piece if pos.moving is not None else -1
    units, plain, free = roster.units, roster.plain, all_free(pos)
    for piece in pos.on_map(side):
        unit, ready = units[piece], free >> piece & 1
        if piece == going or (not plain[piece] and (ready or unit.bridges)):
            found += orders_of(pos, piece)
            continue
        if unit.back:
            found.append(Order("flip", (unit.id,)))
        if ready:
            found += _marches(pos, piece, foot, motorized)
    for piece in waiting(pos):
        found += orders_of(pos, piece)
    return found


def busy(pos: State) -> bool:
    """Whether any unit can be ordered to do anything."""
    return any(orders_of(pos, piece) for piece in chain(pos.on_map(pos.side), waiting(pos)))


def orders_of(pos: State, piece: int) -> list[Order]:
    """Everything one unit can be ordered to do in a movement phase."""
    unit = pos.unit(piece)
    name = (unit.id,)
    found: list[Order] = []
    if unit.back and pos.phase_number == S_MOVE and pos.where[piece] >= 0:
        found.append(Order("flip", name))
    if block(pos, piece) is not None:
        return found + _bridges(pos, piece)
    if pos.where[piece] == WAITING:
        found += _entries(pos, piece)
        if drop_eligible(pos, piece):
            found += pos.ground.orders.each("drop", unit.id, drop_hexes(pos, piece))
        return found
    if pos.where[piece] < 0:
        return found
    for mode, _, new in destinations(pos, piece):
        found += _moves(pos, piece, mode, new)
    return found if pos.roster.plain[piece] else found + specials_of(pos, piece)


def _entries(pos: State, piece: int) -> list[Order]:
    """The ways a waiting unit may come in."""
    hexes = entry_hexes(pos, piece)
    motor = motor_entries(pos) if may_motor(pos, piece) else 0
    known = pos.memo.get(("enter", piece))
    if known is None or known[0] != (hexes, motor):
        name, row = pos.unit(piece).id, pos.ground.orders.row
        foot, fast = row("enter", name, hexes), row("enter", name, hexes & motor, (MOTORIZED,))
        ways = [[foot[h], fast[h]] if motor >> h & 1 else [foot[h]] for h in members(hexes)]
        known = pos.memo["enter", piece] = (hexes, motor), list(chain.from_iterable(ways))
    found: list[Order] = known[1]
    return found


def _marches(pos: State, piece: int, foot: Costs, motorized: Costs) -> list[Order]:
    """The move orders of a plain unit that has not moved; those found before, if they still hold."""
    start, barred = pos.where[piece], pos.barred(piece)
    old: Marches | None = pos.memo.get(piece)
    motor = motorized if may_motor(pos, piece) else None
    if (
        old is not None
        and old.start == start
        and old.foot is foot
        and old.motorized is motor
        and not spoilt(old.barred, barred, old.covered, old.zone)
    ):
        return old.orders
    orders: list[Order] = []
    zone, done = 0, 1 << start
    for mode, costs in ((FOOT, foot), (MOTORIZED, motor)):
        if costs is not None:
            known = reach(pos, kind(pos, piece, mode), start, allowance(pos, piece, mode), costs, barred, 0)
            new = known.flood.reached & ~done
            orders += _moves(pos, piece, mode, new)
            zone, done = zone | known.zone, done | new
    pos.memo[piece] = Marches(start, foot, motor, barred, done ^ 1 << start, zone, orders)
    return orders


def _bridges(pos: State, piece: int) -> list[Order]:
    """The hexsides a unit may choose among for its pontoon, before its sub-command moves or after (8.10)."""
    return [Order("bridge", (pos.unit(piece).id,), (pos.number(there),)) for there in pontoons.choices(pos, piece)]


def specials_of(pos: State, piece: int) -> list[Order]:
    """Orders of a unit that are no plain moves."""
    unit = pos.unit(piece)
    if unit.bridges:
        return _bridges(pos, piece)
    if "marine" in unit.traits and sail_refusal(pos, piece) is None:
        return pos.ground.orders.each("sail", unit.id, sail_hexes(pos, piece))
    if "komsomol" in unit.traits and metro_refusal(pos, piece) is None:
        return pos.ground.orders.each("metro", unit.id, metro_hexes(pos, piece))
    return []


def _moves(pos: State, piece: int, mode: str, hexes: HexMask) -> Sequence[Order]:
    """The move orders of a unit to some hexes, if they are not those of the last time."""
    known: tuple[HexMask, Sequence[Order]] | None = pos.memo.get(("move", piece, mode))
    if known is None or known[0] != hexes:
        row = pos.ground.orders.row("move", pos.unit(piece).id, hexes, suffix(mode))
        few = known is not None and (known[0] ^ hexes).bit_count() <= FEW
        orders = relisted(known[1], known[0], hexes, row.__getitem__) if known and few else list(chosen(row, hexes))
        known = pos.memo["move", piece, mode] = hexes, orders
    return known[1]
