"""Moves carried out, hex by hex, and the end of a movement phase (6.4, 8.1, 9.1, 15.5, 18.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...hexes import NOWHERE, Hex, HexMask, members
from ...kernel.events import Loss, Moved
from ...kernel.orders import Order
from ...kernel.position import Refusal
from ...kernel.sequence import NOBODY
from . import pontoons, ways
from .arrivals import return_to_pool
from .counters import GERMAN, SOVIET
from .movement import (
    MOTORIZED,
    MOVES,
    RAIL,
    SAIL,
    March,
    allowance,
    costs_for,
    costs_plain,
    drop_hexes,
    entry_price,
)
from .state import POOL, WAITING, Moving, Sent, State, Step

DRIFT = (4, 3, 2, 1, 0, 5)
"""The direction in which each face of a die lets an airborne unit drift: clockwise from the north-east (18.2)."""

_TOLD = {
    MOTORIZED: ("{} enters by motorized movement in {}", "{} moves by motorized movement to {}"),
    SAIL: ("{} enters by water in {}", "{} moves by water to {}"),
    RAIL: ("{} enters by rail in {}", "{} moves by rail to {}"),
}
"""How a step is told: onto the map, and on it."""


def metro_rolled(pos: State, step: Step, face: int) -> None:
    """1-3 moves, 4-5 stays, 6 lost (15.5)."""
    table, name = pos.tables.metro, pos.unit(step.piece).id
    if face in table.lost:
        lose(pos, step.piece, "metro", "15.5", "{} is lost in the tunnels (die {})", face, side=SOVIET)
    elif face in table.stays:
        pos.tell("metro", "15.5", "{} finds no way (die {})", name, face, side=SOVIET)
    else:
        pos.tell("metro", "15.5", "{} comes up in {} (die {})", name, pos.number(step.hex), face, side=SOVIET)
        _arrive(pos, step.piece, step.hex)


def landing_rolled(pos: State, step: Step, face: int) -> None:
    """Read the airborne table (18.2)."""
    table = pos.tables.airborne
    if face in table.lost:
        lose(pos, step.piece, "drop", "18.2", "{} is lost in the landing (die {})", face, side=GERMAN)
    elif face in table.drifts:
        pos.push(Step("die", step.piece, step.hex, words=("drift",)))
    else:
        land(pos, step.piece, step.hex)


def drifted(pos: State, step: Step, face: int) -> None:
    """A unit comes down next to where it was to land, or is lost (18.2)."""
    there = pos.map.grid.neighbours(step.hex)[DRIFT[face - 1]]
    if there != NOWHERE and drop_hexes(pos, step.piece) >> there & 1:
        land(pos, step.piece, there)
    else:
        lose(pos, step.piece, "drop", "18.2", "{} drifts and is lost", side=GERMAN)


def land(pos: State, piece: int, h: Hex) -> None:
    """The unit is down, and may be fired on (18.3)."""
    pos.tell("drop", "18.2", "{} lands in {}", pos.unit(piece).id, pos.number(h), side=GERMAN)
    _arrive(pos, piece, h)


def _arrive(pos: State, piece: int, h: Hex) -> None:
    owner = pos.owner(h)
    pos.shift(piece, h)
    pos.take_control(piece, h)
    offer(pos, piece, owner)


def lose(pos: State, piece: int, kind: str, case: str, told: str, *facts: object, side: int = NOBODY) -> None:
    """A unit is lost, which is told."""
    name = pos.unit(piece).id
    pos.tell(kind, case, told, name, *facts, side=side, fact=Loss(name, 1))
    remove(pos, piece)


def begin_move(pos: State, piece: int) -> None:
    """A unit begins its move: the unit before it has finished, and so has the sub-command before its
    own (8.1, 8.2)."""
    pos.moved |= 1 << piece
    if pos.unit(piece).leader:
        return
    command = pos.roster.command[piece]
    if pos.active not in (-1, command):
        pos.finished |= 1 << pos.active
    pos.active = command


def march(pos: State, plan: March) -> None:
    """A unit sets out, or goes on, along its way (8.1)."""
    piece, mode, way, chosen = plan
    if chosen:
        _tell_toll(pos, piece, way)
    if pos.under_way(piece) is None:
        begin_move(pos, piece)
        pos.moving = Moving(piece, mode, allowance(pos, piece, mode))
    if mode == SAIL:
        pos.sailed = True
    pos.push(Step("walk", piece, path=tuple(way)))


def metro(pos: State, sent: Sent) -> None:
    """A unit tries a Metro move, which a die decides (15.5)."""
    begin_move(pos, sent.piece)
    pos.moving = None
    pos.push(Step("die", *sent, words=("metro",)))


def drop(pos: State, sent: Sent) -> None:
    """A unit jumps, and a die tells how it lands (18.2)."""
    begin_move(pos, sent.piece)
    pos.moving = None
    pos.dropped |= 1 << sent.piece
    pos.push(Step("die", *sent, words=("landing",)))


def bridge(pos: State, sent: Sent) -> None:
    """An engineer turns its bridge to a hex (8.10)."""
    pontoons.lay(pos, *sent)
    pos.turned |= 1 << sent.piece
    ends = pos.number(pos.where[sent.piece]), pos.number(sent.hex)
    name, told = pos.unit(sent.piece).id, "{} bridges the river from {} to {}"
    pos.tell("bridge", "8.10", told, name, *ends, side=pos.side)


def _tell_toll(pos: State, piece: int, way: Sequence[Hex]) -> None:
    """Tell a player, and him alone, what the way that he left open has to cost him: fire before its end, or an engineer
    that must stay (8.10, 9.1)."""
    due = ways.tolls(pos, piece)
    name, end = pos.unit(piece).id, pos.number(way[-1])
    fires = [pos.number(h) for h in way[:-1] if due.watched >> h & 1]
    if fires:
        text = "Every way of {} to {} that is as cheap leads past the enemy, this one in {}"
        pos.tell("way", "9.1", text, name, end, ", ".join(fires), side=pos.side, secret=True)
    if due.along([pos.where[piece], *way])[1]:
        text = "Every way of {} to {} that is as cheap crosses a pontoon whose engineer must stay"
        pos.tell("way", "8.10", text, name, end, side=pos.side, secret=True)


def walk(pos: State, step: Step) -> None:
    """Enter hex after hex of a move (8.1) until one may draw defensive fire (9.1). Nobody is told where a
    unit goes before it gets there."""
    piece, path, moving = step.piece, step.path, pos.moving
    assert moving is not None
    start, here, left = pos.where[piece], pos.where[piece], moving.left
    watched = pos.map.grid.ring(pos.occupied[1 - pos.roster.side[piece]])
    costs = costs_for(pos, piece, moving.mode)
    last = len(path) - 1
    for number, there in enumerate(path):
        if here < 0:
            left -= entry_price(pos, there)
        else:
            price = costs.price(here, there)
            assert price is not None
            left -= price
            pontoons.carry(pos, pos.side, here, there, piece)
        costs = costs if number else costs_plain(pos, piece, moving.mode)
        owner = pos.owner(there)
        pos.take_control(piece, there)
        here = there
        if number == last or start < 0 or (watched >> there & 1 and _fired_on(pos, piece, there)):
            break
    pos.shift(piece, here)
    if number < last:
        pos.push(step._replace(path=path[number + 1 :]))
    pos.moving = moving._replace(left=0 if number == last and moving.mode == SAIL else left)
    offer(pos, piece, owner)
    told = _TOLD.get(moving.mode, ("{} enters in {}", "{} moves to {}"))[start >= 0]
    name, where = pos.unit(piece).id, pos.number(here)
    case = MOVES[moving.mode] if start >= 0 else "19.1" if pos.side == GERMAN else "19.3"
    pos.tell("move", case, told, name, where, side=pos.side, fact=Moved((name,), where, moving.left - left))


def offer(pos: State, piece: int, owner: str) -> None:
    """Enemies next to a unit that has just moved there may fire at it (9.1); leaders take no harm from
    such fire (14.6) and draw none. ``owner`` controlled the hex before, and does so again if the unit dies on
    entering it: it neither occupies it then nor has passed through (4.2)."""
    h = pos.where[piece]
    if _fired_on(pos, piece, h):
        pos.push(Step("offer", piece, words=() if owner == pos.owner(h) else (owner,)))


def _fired_on(pos: State, piece: int, h: Hex) -> bool:
    """Whether somebody may fire at a unit that enters a hex."""
    roster = pos.roster
    if roster.units[piece].leader:
        return False
    near = pos.map.grid.ring(1 << h) & pos.occupied[1 - roster.side[piece]]
    return any(roster.units[p].fires_defensively for there in members(near) for p in pos.stacks[there])


def halt(pos: State, piece: int) -> None:
    """Stop a unit's running move."""
    pos.stop_walking(piece)
    if (going := pos.under_way(piece)) is not None:
        pos.moving = going._replace(left=0)


def pause(pos: State, piece: int) -> None:
    """After defensive fire that left a unit standing: motorized movement ends (8.8); others may go on
    as they like, and an amphibious move goes on as ordered."""
    going = pos.under_way(piece)
    if going is not None and going.mode == MOTORIZED:
        halt(pos, piece)
        name = pos.unit(piece).id
        pos.tell("stop", "8.8", "{} has been fired on and ends its motorized movement", name, side=pos.side)
    elif going is not None and going.mode != SAIL:
        pos.stop_walking(piece)


def end(pos: State, _: Order) -> None:
    """Close the phase: over-stacks are settled, reserves that did not enter return (6.4, 7.3, 19.2)."""
    pos.moving = None
    if pos.side == SOVIET:
        _settle_arrivals(pos)
        waiting = (p for p in pos.roster.of_command["LFR"] if pos.where[p] == WAITING)
        for piece in (p for p in waiting if not pos.unit(p).leader):
            pos.where[piece] = POOL
            pos.tell("pool", "7.3", "{} cannot enter and goes back to the pool", pos.unit(piece).id, side=SOVIET)
    pos.push(Step("settle-stacks"), Step("next-phase"))


def _settle_arrivals(pos: State) -> None:
    """An arrival still over-stacked at the end of Soviet movement is eliminated (19.2)."""
    for h in members(pos.overstacked(SOVIET)):
        for piece in pos.stacks[h]:
            if pos.arrivals >> piece & 1 and pos.overstacked(SOVIET) >> h & 1:
                told = "{} is over-stacked in {} and eliminated"
                lose(pos, piece, "overstack", "19.2", told, pos.number(h), side=SOVIET)
    pos.arrivals = 0


def remove(pos: State, piece: int) -> None:
    """Eliminate a unit that has no room; a face-down one goes back to the pool unseen (6.4, 7.7, 19.2)."""
    if pos.unit(piece).back:
        return_to_pool(pos, piece, "7.7")
    else:
        pos.eliminate(piece)


def settle_stacks(pos: State, step: Step) -> None:
    """Whatever is still over-stacked the other player settles (6.4)."""
    crowded = pos.overstacked(pos.side)
    if crowded:
        pos.push(Step("repair", hex=next(iter(members(crowded)))), step)


def nearest_legal(pos: State, piece: int) -> HexMask:
    """The nearest hexes in which a unit may legally stand (6.4)."""
    here = pos.where[piece]
    legal = pos.ground.land & ~pos.barred(piece) & ~(1 << here)
    if pos.unit(piece).type == "gunboat":
        legal = pos.ground.water & ~pos.barred(piece)
    elif pos.unit(piece).type == "railroad-artillery":
        legal &= pos.ground.rail_hexes
    mask = 1 << here
    while legal and not mask & legal:
        mask |= pos.map.grid.ring(mask)
    return mask & legal


def repairs(pos: State, h: Hex) -> Iterator[Order]:
    """Eliminate a unit of the over-stacked hex, or move it to the nearest legal hex (6.4)."""
    for piece in (p for p in pos.stacks.get(h, ()) if not pos.unit(p).leader):
        name = pos.unit(piece).id
        yield Order("repair", (name,))
        yield from pos.ground.orders.each("repair", name, nearest_legal(pos, piece))


def repair_first(pos: State, order: Order) -> Refusal:
    """Nothing else is done before the over-stack is settled."""
    where = pos.number(pos.step.hex)
    return Refusal("6.4", f"settle the over-stack in {where}: eliminate a unit or move it to the nearest legal hex")


def repair_of(pos: State, order: Order) -> Sent | Refusal:
    """A unit of the hex to the nearest legal one, or to nowhere."""
    if order not in repairs(pos, pos.step.hex):
        return repair_first(pos, order)
    h = pos.map.grid.hex(order.hexes[0]) if order.hexes else NOWHERE
    return Sent(pos.roster.index[order.units[0]], h)


def repair(pos: State, sent: Sent) -> None:
    """Settle an over-stack."""
    pos.pop()
    if sent.hex == NOWHERE:
        lose(pos, sent.piece, "overstack", "6.4", "{} is eliminated as over-stacked")
        return
    pos.shift(*sent)
    pos.moved |= 1 << sent.piece
    pos.take_control(*sent)
    pos.tell("overstack", "6.4", "{} is moved to {}", pos.unit(sent.piece).id, pos.number(sent.hex))
