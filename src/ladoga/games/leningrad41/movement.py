"""Movement (8.0) and the special movers (15.0, 18.0): one unit at a time, hex by hex.

A move order becomes a ``walk`` step that takes one hex after the other; next to enemies that may fire
it pauses for their choice (9.1). After a fire that did not stop the unit, or at the end of the path,
its player may go on with the points left until he turns to another unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from ...hexes import NOWHERE, Hex, HexMask, mask_of, members
from ...kernel.errors import Illegal
from ...kernel.flood import Costs, Flood, flood
from ...kernel.orders import Order
from ...kernel.position import Refusal, first_case, forbid, refuse
from . import pontoons, ways
from .arrivals import drop_eligible
from .counters import GERMAN, SIDES, SOVIET, Unit
from .derived import reach, remembered
from .flips import why_not_flipped
from .state import WAITING, Sent, State

FOOT, MOTORIZED, GUNBOAT, RAIL, SAIL = "foot", "motorized", "gunboat", "rail", "sail"

MOVES = {FOOT: "8.1", MOTORIZED: "8.8", GUNBOAT: "15.2", RAIL: "15.1", SAIL: "8.11"}
"""The case of a move by its mode."""


# Who may move, how and how far -----------------------------------------------------------------------


def mode_of(unit: Unit) -> str:
    """How a unit moves unless it declares otherwise."""
    return {"gunboat": GUNBOAT, "railroad-artillery": RAIL}.get(unit.type, FOOT)


def allowance(pos: State, piece: int, mode: str) -> int:
    """Movement points for a whole move (2.9, 8.8, 15.1, 15.2)."""
    if mode in (RAIL, SAIL):  # no way along rails or over water is longer than there are such hexes
        return (pos.ground.rail_hexes if mode == RAIL else pos.ground.water).bit_count()
    figures = pos.tables.movement
    points = figures.allowance[SIDES[pos.roster.side[piece]]]
    return points * figures.motorized_factor if mode == MOTORIZED else points


def may_motor(pos: State, piece: int) -> bool:
    """Whether a unit may use motorized movement (2.11, 8.8); not after a drop (18.3)."""
    return pos.unit(piece).motorized and not pos.dropped >> piece & 1


def free(pos: State, piece: int) -> bool:
    """Whether a unit on the map may begin a move now; one on its way is looked at by ``block``."""
    if (pos.moved | pos.bridging) >> piece & 1:
        return False
    return pos.roster.units[piece].leader or may_move(pos, pos.roster.command[piece])


def may_move(pos: State, command: int) -> bool:
    """Whether units of a sub-command may move now (8.2)."""
    return not pos.finished >> command & 1 and (command == pos.active or behind(pos) < 0)


def all_free(pos: State) -> int:
    """All units that might begin a move now, wherever they are."""
    units = pos.roster.all_leaders
    for command, mask in enumerate(pos.roster.all_of):
        if may_move(pos, command):
            units |= mask
    return units & ~(pos.moved | pos.bridging)


def behind(pos: State) -> int:
    """A unit of the sub-command on the move that has not entered and can. All of a German division comes in the same
    phase (19.1), and of the Front Reserve only those that cannot enter go back (7.3), hence before another sub-command
    moves (8.2). None: -1."""
    return _late(pos, pos.active) if pos.active >= 0 else -1


@remembered
def _late(pos: State, command: int) -> int:
    late = (p for p in waiting(pos) if pos.roster.command[p] == command and not pos.unit(p).leader)
    return next((p for p in late if entry_hexes(pos, p)), -1)


def block(pos: State, piece: int) -> Refusal | None:
    """Why a unit may not begin or go on with a move now (8.1, 8.2, 8.10, 19.1)."""
    stopped = why_done(pos, piece)
    if stopped is not None or pos.unit(piece).leader or pos.roster.command[piece] == pos.active:
        return stopped
    late = behind(pos)
    if late < 0:
        return None
    case, why = ("19.1", "all of a sub-command comes together") if pos.side == GERMAN else _CAN_ENTER
    return Refusal(case, f"{pos.unit(late).id} can still enter the map, and {why}")


_CAN_ENTER = "7.3", "only units that cannot enter go back to the pool"


def why_done(pos: State, piece: int) -> Refusal | None:
    """Why a unit may not move any more in this movement phase (8.1, 8.2, 8.10)."""
    unit, going = pos.unit(piece), pos.under_way(piece)
    moved = pos.moved >> piece & 1 and (going is None or going.left <= 0)
    return first_case(
        (unit.side != pos.side or not unit.ground, "8.1", "{} is not a unit to move now", unit.id),
        (moved and going is not None and going.mode == MOTORIZED, "8.8",
         "{} has finished its motorized movement", unit.id),
        (moved, "8.1", "{} has finished its move", unit.id),
        (not unit.leader and pos.finished >> pos.roster.command[piece] & 1, "8.2",
         "the movement of {} is finished", pos.roster.titles[unit.command]),
        (pos.bridging >> piece & 1, "8.10", "{} has carried units over the river and may not move", unit.id),
    )  # fmt: skip


def left(pos: State, piece: int, mode: str) -> int:
    """Points a unit has for this mode: what its running move has left, or a whole allowance."""
    going = pos.under_way(piece)
    if going is not None:
        return going.left if going.mode == mode else 0
    return allowance(pos, piece, mode)


def costs_for(pos: State, piece: int, mode: str) -> Costs:
    """What each step costs this unit now."""
    ground = pos.ground
    if mode in (GUNBOAT, SAIL):
        return ground.vessel_costs(mode)
    if mode == RAIL:
        return ground.rail_costs(pos.broken)
    costs = costs_plain(pos, piece, mode)
    if mode == FOOT and pos.unit(piece).bridges:
        going = pos.under_way(piece)
        if not pos.moved >> piece & 1 or (going is not None and going.left == allowance(pos, piece, going.mode)):
            return ground.alone(costs, tuple(_alone(pos, piece)))
    return costs


def _alone(pos: State, piece: int) -> Iterator[tuple[Hex, Hex, int]]:
    """A bridging engineer may cross an unbridged major river by itself from where it began (8.10)."""
    here = pos.where[piece]
    if here < 0:
        return
    side = pos.roster.side[piece]
    figures = pos.tables.movement
    for there in pos.ground.river_sides(here):
        if pos.ground.river(here, there) == "major" and not pos.bridged(here, there, side, piece):
            rubble = figures.rubble if pos.rubble >> there & 1 else 0
            yield here, there, pos.ground.entry_cost(there) + figures.lone_engineer + rubble


def closed_to(pos: State, piece: int, mode: str) -> HexMask:
    """Hexes a unit may not enter on its way (6.4, 8.13, 8.14)."""
    enemies, barred = pos.occupied[1 - pos.roster.side[piece]], pos.barred(piece)
    return barred & pos.ground.land | enemies if mode == SAIL else barred


def left_open(pos: State, piece: int) -> HexMask:
    """The hex that a unit leaves, if it may come back to it on its way: without it there is room (6.1-6.3)."""
    here, roster = pos.where[piece], pos.roster
    others = {roster.command[p] for p in pos.stacks[here] if p != piece and not pos.unit(p).leader}
    strange = others & {*roster.strangers[roster.command[piece]]}
    return 0 if strange or pos.crowded(roster.side[piece], 1) >> here & 1 else 1 << here


def kind(pos: State, piece: int, mode: str) -> tuple[int, str, bool]:
    """Units alike in this move alike: by sub-command, mode, and whether they pay what everybody pays."""
    unit = pos.roster.units[piece]
    return -1 if unit.leader else pos.roster.command[piece], mode, unit.bridges


def spread(pos: State, piece: int, mode: str) -> Flood:
    """Everything a unit can reach from where it is."""
    stops = pos.ground.coastal & ~pos.ground.river_hexes if mode == SAIL else 0
    budget, costs, barred = left(pos, piece, mode), costs_for(pos, piece, mode), closed_to(pos, piece, mode)
    return reach(pos, kind(pos, piece, mode), pos.where[piece], budget, costs, barred, stops).flood


def modes(pos: State, piece: int) -> list[str]:
    """The ways a unit on the map can move with a plain ``move`` order."""
    going = pos.under_way(piece)
    if going is not None:
        return [going.mode] if going.mode != SAIL else []
    plain = mode_of(pos.unit(piece))
    return [plain, MOTORIZED] if may_motor(pos, piece) else [plain]


def destinations(pos: State, piece: int) -> Iterator[tuple[str, Flood, HexMask]]:
    """By mode, the hexes a unit reaches that no earlier mode reaches."""
    done = 1 << pos.where[piece]
    for mode in modes(pos, piece):
        reached = spread(pos, piece, mode)
        new = reached.reached & ~done
        done |= new
        yield mode, reached, new


# Orders -----------------------------------------------------------------------------------------------


def suffix(mode: str) -> tuple[str, ...]:
    """What an order says of the way a unit moves."""
    return (MOTORIZED,) if mode == MOTORIZED else ()


def waiting(pos: State) -> list[int]:
    """Ground units waiting to enter in this phase."""
    if WAITING not in pos.where:
        return []
    commands: Iterable[str] = (*pos.roster.divisions, "56") if pos.side == GERMAN else ("LFR",)
    leaders = pos.side == GERMAN or pos.turn >= pos.tables.soviet_arrivals.zhukov_from_turn  # Zhukov (3.4, 19.3)
    there = [p for command in commands for p in pos.roster.of_command[command] if pos.where[p] == WAITING]
    return [p for p in there if leaders or not pos.unit(p).leader]


class March(NamedTuple):
    """A way that a unit is to take: how it moves, the hexes it enters, and whether they were left to be chosen."""

    piece: int
    mode: str
    way: Sequence[Hex]
    chosen: bool = False


class Named(NamedTuple):
    """The unit of an order, and its hexes."""

    piece: int
    path: list[Hex]


def named(pos: State, order: Order) -> Named:
    """One unit (8.4), and hexes of the map."""
    forbid(len(order.units) != 1, "8.4", "units move one at a time, never as a stack")
    piece, grid = pos.piece(order.units[0]), pos.map.grid
    if piece is None:
        raise Illegal("8.1", f"there is no unit {order.units[0]}")
    for number in order.hexes:
        forbid(number not in grid, "8.1", "the map has no hex {}", number)
    return Named(piece, [grid.hex(number) for number in order.hexes])


def mover(pos: State, order: Order) -> Named:
    """The same of a unit that may move now."""
    found = named(pos, order)
    blocked = block(pos, found.piece)
    if blocked is not None:
        refuse(_nearest(pos, found.piece, order.verb) or blocked)
    forbid(order.words not in ((), (MOTORIZED,)), "8.8", "a unit may move {}, not {!r}", MOTORIZED,
           " ".join(order.words))  # fmt: skip
    return found


def _nearest(pos: State, piece: int, verb: str) -> Refusal | None:
    """What keeps a unit from moving and is nearer than that it has moved: it is gone, or its special move is
    for once a phase (8.11, 15.5)."""
    if pos.roster.side[piece] != pos.side:
        return None
    if pos.where[piece] < 0 and pos.where[piece] != WAITING:
        return Refusal("8.1", pos.absent(piece))
    special = {"sail": sail_refusal, "metro": metro_refusal}.get(verb)
    return special(pos, piece) if special else None


def flip_of(pos: State, order: Order) -> int | Refusal:
    """A unit to be turned over before it moves (6.6)."""
    piece = named(pos, order).piece
    return why_not_flipped(pos, piece) or piece


def march_of(pos: State, order: Order) -> March | Refusal:
    """A unit on the map and its way (8.1)."""
    piece, path = mover(pos, order)
    if pos.where[piece] < 0:
        return Refusal("8.1", pos.absent(piece))
    return route(pos, piece, order_mode(pos, piece, order), path)


def order_mode(pos: State, piece: int, order: Order) -> str:
    """The mode an order asks for."""
    going = pos.under_way(piece)
    if going is not None:
        forbid(order.words and going.mode != MOTORIZED, "8.8", "motorized movement is declared at the start of a move")
        return going.mode
    if not order.words:
        return mode_of(pos.unit(piece))
    check_motor(pos, piece)
    return MOTORIZED


def check_motor(pos: State, piece: int) -> None:
    """Refuse motorized movement to a unit that may not use it (6.6, 8.8, 18.3)."""
    name = pos.unit(piece).id
    forbid(pos.unit(piece).back, "6.6", "{} must be flipped before it uses motorized movement", name)
    forbid(not may_motor(pos, piece), "18.3" if pos.dropped >> piece & 1 else "8.8",
           "{} may not use motorized movement", name)  # fmt: skip


def route(pos: State, piece: int, mode: str, path: list[Hex]) -> March | Refusal:
    """The hexes a unit enters: the given path, or of the cheapest ways to a single hex the one that it takes."""
    here = pos.where[piece]
    explicit = len(path) > 1
    if path and path[0] == here:
        path = path[1:]
    forbid(not path, "8.1", "the unit is already there")
    if not explicit:
        reached = spread(pos, piece, mode)
        if reached.reached >> path[0] & 1 and path[0] != here:
            return March(piece, mode, ways.Cheapest(pos, piece, reached).to(path[0])[1:], True)
        return _unreachable(pos, piece, mode, path[0])
    closed = closed_to(pos, piece, mode) & ~(left_open(pos, piece) if here in path else 0)
    points, spent = left(pos, piece, mode), 0
    for number, (a, b) in enumerate(pairwise([here, *path])):
        costs = costs_plain(pos, piece, mode) if number else costs_for(pos, piece, mode)
        spent += _step(pos, piece, mode, costs, closed, a, b, passing=number < len(path) - 1)
        forbid(spent > points, "8.3", "that path costs {} points, {} has {}", spent, pos.unit(piece).id, points)
    return March(piece, mode, path)


def _step(
    pos: State, piece: int, mode: str, costs: Costs, closed: HexMask, here: Hex, there: Hex, passing: bool
) -> int:
    """What one step of a named way costs, if the unit may make it (8.1)."""
    forbid(not pos.map.grid.adjacent(here, there), "8.1", "{} and {} are not adjacent", pos.number(here),
           pos.number(there))  # fmt: skip
    cost = costs.price(here, there)
    if cost is None:
        raise Illegal(*_no_way(pos, piece, mode, here, there))
    refuse(_closed(pos, piece, there, passing=passing) if closed >> there & 1 else None)
    return cost


def costs_plain(pos: State, piece: int, mode: str) -> Costs:
    """Costs once a unit has left its first hex."""
    if mode not in (FOOT, MOTORIZED):
        return costs_for(pos, piece, mode)
    bridged = pos.pontoon_sides(pos.roster.side[piece], piece)
    return pos.ground.costs(mode, pos.rubble, pos.broken, bridged, pos.states)


def _unreachable(pos: State, piece: int, mode: str, there: Hex) -> Refusal:
    name, number = pos.unit(piece).id, pos.number(there)
    here, points, closed = pos.where[piece], left(pos, piece, mode), closed_to(pos, piece, mode)
    if (pos.occupied[1 - pos.roster.side[piece]] | closed) >> there & 1:
        return _closed(pos, piece, there)
    forbid(mode == MOTORIZED and pos.states and _by_open_streets(pos, piece, points) >> there & 1, "16.2",
           "the streets are barricaded: no clear hexes lead {} to {}", name, number)  # fmt: skip
    if pos.map.grid.adjacent(here, there) and costs_for(pos, piece, mode).price(here, there) is None:
        return _no_way(pos, piece, mode, here, there)
    forbid(pos.ground.sea >> there & 1 and mode in (FOOT, MOTORIZED), "8.13", "{} is all sea", number)
    if mode == RAIL:
        along = Refusal("15.1", f"{name} moves only along contiguous railroad hexes")
        return _in_the_way(pos, piece, mode, there) or along
    if mode == GUNBOAT:
        afloat = flood(pos.ground.vessel_costs(GUNBOAT), 1 << here, allowance(pos, piece, SAIL)).reached
        forbid(not afloat >> there & 1, "15.2", "{} keeps to major rivers, coasts and the sea", name)
    forbid(mode == SAIL, "8.11", "{} cannot be reached by major river and sea", number)
    if mode == MOTORIZED:
        on_foot = flood(costs_plain(pos, piece, FOOT), 1 << here, points, barred=closed)
        forbid(on_foot.reached >> there & 1, "8.8", "no clear hexes, prospekts or railroads lead {} to {}", name,
               number)  # fmt: skip
    too_far = Refusal("8.3", f"{name} cannot reach {number} with {points} movement points")
    return _in_the_way(pos, piece, mode, there) or too_far


def _by_open_streets(pos: State, piece: int, points: int) -> HexMask:
    """Where motorized movement would take a unit if the streets were not barricaded (16.2)."""
    pontoon_sides = pos.pontoon_sides(pos.roster.side[piece], piece)
    costs = pos.ground.costs(MOTORIZED, pos.rubble, pos.broken, pontoon_sides, False)
    return flood(costs, 1 << pos.where[piece], points, barred=closed_to(pos, piece, MOTORIZED)).reached


def _in_the_way(pos: State, piece: int, mode: str, there: Hex) -> Refusal | None:
    """What keeps a unit from a hex that its points would take it to: friends, enemies or a river (6.4, 8.9, 8.14)."""
    name, number = pos.unit(piece).id, pos.number(there)
    start, points = 1 << pos.where[piece], left(pos, piece, mode)
    costs, enemies = costs_for(pos, piece, mode), pos.occupied[1 - pos.roster.side[piece]]
    if flood(costs, start, points, barred=enemies).reached >> there & 1:
        return Refusal("6.4", f"the only ways of {name} to {number} lead through hexes closed by stacking")
    if flood(costs, start, points).reached >> there & 1:
        return Refusal("8.14", f"the enemy bars the way of {name} to {number}")
    if mode not in (FOOT, MOTORIZED):
        return None
    bridged = pos.ground.rubbled(pos.ground.printed_costs(mode, pos.states, True), pos.rubble)
    for closed in (closed_to(pos, piece, mode), enemies):
        over = flood(bridged, start, points, barred=closed)
        if not over.reached >> there & 1:
            continue
        hint = next(filter(None, (_offer_of_bridge(pos, a, b) for a, b in pairwise(over.path(there)))), "")
        river = f"the river on the way of {name} to {number}"
        return Refusal("8.9", f"no bridge, printed or pontoon, crosses {river}{hint}")
    if flood(bridged, start, points).reached >> there & 1:
        return Refusal("8.14", f"the enemy and a river without a bridge bar the way of {name} to {number}")
    return None


def _offer_of_bridge(pos: State, here: Hex, there: Hex) -> str:
    """Which engineer could still bridge a river hexside, as the end of a sentence (8.10)."""
    for a, b in ((here, there), (there, here)):
        for piece in pos.stacks.get(a, ()):
            if pos.roster.side[piece] == pos.side and b in pontoons.choices(pos, piece):
                return f"; {pos.unit(piece).id} could bridge it (bridge {pos.unit(piece).id} {pos.number(b)})"
    return ""


def _closed(pos: State, piece: int, there: Hex, *, passing: bool = False) -> Refusal:
    """Why a unit may not enter a hex, be it only on its way through (6.1-6.4, 8.14)."""
    side, number = pos.roster.side[piece], pos.number(there)
    return first_case(
        (pos.occupied[1 - side] >> there & 1, "8.14", "{} is occupied by the enemy", number),
        (passing and pos.crowded(side) >> there & 1, "6.4",
         "no more units may stack in {}, not even on their way", number),
    ) or stack_refusal(pos, piece, there)  # fmt: skip


def stack_refusal(pos: State, piece: int, there: Hex) -> Refusal:
    """Why a unit may not join the friendly units in a hex (6.1-6.3). Where a second unit could stand, that those there
    are strangers comes before that there are two of them."""
    side, number = pos.roster.side[piece], pos.number(there)
    strange = any(pos.held[other] >> there & 1 for other in pos.roster.strangers[pos.roster.command[piece]])
    return first_case(
        (
            not strange or (side == SOVIET and not pos.doubled >> there & 1),
            "6.1",
            "no more units may stack in {}",
            number,
        ),
        (side == GERMAN, "6.2", "another division is in {}", number),
    ) or Refusal("6.3", f"42nd Army and the Front Reserve do not stack together, and the other one is in {number}")


def _no_way(pos: State, piece: int, mode: str, here: Hex, there: Hex) -> Refusal:
    between = f"from {pos.number(here)} to {pos.number(there)}"
    river = pos.ground.river(here, there) == "major" and not pos.bridged(here, there, pos.roster.side[piece], piece)
    return first_case(
        (mode == RAIL, "15.1", "no railroad leads {}", between),
        (mode == GUNBOAT, "15.2", "no water way leads {}", between),
        (mode == SAIL, "8.11", "no water way leads {}", between),
        (pos.ground.sea_between(here, there), "8.13", "only sea lies {}", between),
        (river, "8.9", "no bridge, printed or pontoon, crosses the river {}{}", between,
         river and _offer_of_bridge(pos, here, there)),
        (pos.states and pos.ground.road_step(here, there, False), "16.2",
         "the streets are barricaded: no motorized movement {}", between),
    ) or Refusal("8.8", f"motorized movement needs clear hexes, a prospekt or a railroad {between}")  # fmt: skip


# Entering (7.1, 19.1, 19.3) ----------------------------------------------------------------------------


def entry_hexes(pos: State, piece: int) -> HexMask:
    """Where a waiting unit may enter now."""
    side = pos.roster.side[piece]
    mask = pos.ground.entry[side] & ~pos.barred(piece)
    points = pos.tables.movement.allowance[SIDES[side]]
    return mask if points >= 5 else mask_of(h for h in members(mask) if entry_price(pos, h) <= points)


def entry_price(pos: State, h: Hex) -> int:
    """Cost of the first hex from off the map."""
    return pos.ground.entry_cost(h) + (pos.tables.movement.rubble if pos.rubble >> h & 1 else 0)


def motor_entries(pos: State) -> HexMask:
    """Where motorized movement may begin: clear hexes, and those on a road (8.8); none of the latter once the roads are
    barricaded (16.2)."""
    ground = pos.ground
    return ground.clear & ~ground.lines.roads if pos.states else ground.clear | ground.lines.roads


def entry_of(pos: State, order: Order) -> March | Refusal:
    """A waiting unit, by a hex of its edge and on from there (7.1, 19.1, 19.3)."""
    piece, path = mover(pos, order)
    unit = pos.unit(piece)
    forbid(pos.where[piece] == WAITING and unit.leader and piece not in waiting(pos), "3.4",
           "{} comes no earlier than the Front Reserve (19.3)", unit.id)  # fmt: skip
    forbid(pos.where[piece] != WAITING or piece not in waiting(pos), "7.1", "{} is not waiting to enter", unit.id)
    side, h = unit.side, path[0] if path else NOWHERE
    if h == NOWHERE or not pos.ground.entry[side] >> h & 1:
        case, edge = ("19.1", "the south edge") if side == GERMAN else ("19.3", "the north or the north-east edge")
        return Refusal(case, f"{unit.id} enters by {edge}")
    forbid(pos.occupied[1 - side] >> h & 1, "7.1", "{} is occupied by the enemy", pos.number(h))
    if not entry_hexes(pos, piece) >> h & 1:
        return _closed(pos, piece, h, passing=len(path) > 1)
    mode = MOTORIZED if order.words else FOOT
    if mode == MOTORIZED:
        check_motor(pos, piece)
        barricaded = pos.ground.lines.roads >> h & 1
        forbid(not motor_entries(pos) >> h & 1 and barricaded, "16.2",
               "the streets are barricaded: no motorized movement into {}", pos.number(h))  # fmt: skip
        forbid(not motor_entries(pos) >> h & 1, "8.8", "{} is neither clear nor on a prospekt or railroad",
               pos.number(h))  # fmt: skip
    points, costs, closed = allowance(pos, piece, mode), costs_plain(pos, piece, mode), closed_to(pos, piece, mode)
    steps = pairwise(path)
    spent = entry_price(pos, h) + sum(
        _step(pos, piece, mode, costs, closed, a, b, passing=b != path[-1]) for a, b in steps
    )
    forbid(spent > points, "8.3", "that path costs {} points, {} has {}", spent, unit.id, points)
    return March(piece, mode, path)


# Pontoons (8.10) ---------------------------------------------------------------------------------------


def bridge_of(pos: State, order: Order) -> Sent:
    """An engineer, and the hex that its bridge is to lead to; whose sub-command is moving does not matter."""
    piece, path = named(pos, order)
    unit = pos.unit(piece)
    forbid(unit.side != pos.side or not unit.ground, "8.10", "{} is not a unit of the side that moves", unit.id)
    forbid(unit.back, "6.6", "{} must be flipped before it builds a bridge", unit.id)
    forbid(pos.where[piece] < 0, "8.10", "{}", pos.absent(piece))
    forbid(not unit.bridges, "8.10", "{} cannot build pontoon bridges", unit.id)
    forbid(pos.moved >> piece & 1, "8.10", "{} did not begin the phase there", unit.id)
    forbid(len(path) != 1 or path[0] not in pontoons.hexsides(pos, piece), "8.10",
           "a pontoon is laid across one unbridged river hexside with land on both sides")  # fmt: skip
    forbid(path[0] == pontoons.laid(pos, piece), "8.10", "the bridge of {} leads to {} already", unit.id,
           pos.number(path[0]))  # fmt: skip
    forbid(pos.bridging >> piece & 1, "8.10", "{} has carried units over its bridge in this phase", unit.id)
    forbid(pos.turned >> piece & 1, "8.10", "{} has laid its bridge for this phase", unit.id)
    return Sent(piece, path[0])


# Marines (8.11) and the Metro (15.5) --------------------------------------------------------------------


def sail_refusal(pos: State, piece: int) -> Refusal | None:
    """Why a unit may not begin an amphibious move (8.11)."""
    unit, here, ground = pos.unit(piece), pos.where[piece], pos.ground
    away = here < 0 or pos.moved >> piece & 1
    afloat = ground.river_hexes | ground.coastal
    return first_case(
        (unit.back, "6.6", "{} must be flipped before it makes an amphibious move", unit.id),
        ("marine" not in unit.traits, "8.11", "{} is not a marine unit", unit.id),
        (pos.sailed, "8.11", "one amphibious move a phase"),
        (away, "8.11", "{} must begin the phase where it embarks", unit.id),
        (not away and not afloat >> here & 1, "8.11", "{} is neither a major river nor a coastal hex",
         away or pos.number(here)),
        (not away and pos.map.grid.ring(1 << here) & pos.occupied[GERMAN], "8.11", "{} is next to a German unit",
         unit.id),
    )  # fmt: skip


def sail_hexes(pos: State, piece: int) -> HexMask:
    """Where an amphibious move may end."""
    ground = pos.ground
    reached = spread(pos, piece, SAIL).reached
    return reached & (ground.river_hexes | ground.coastal) & ~(1 << pos.where[piece])


def voyage_of(pos: State, order: Order) -> March | Refusal:
    """A marine unit and its way over the water (8.11)."""
    piece, path = mover(pos, order)
    plan = sail_refusal(pos, piece) or route(pos, piece, SAIL, path)
    if isinstance(plan, Refusal):
        return plan
    ground, way = pos.ground, plan.way
    forbid(not (ground.river_hexes | ground.coastal) >> way[-1] & 1, "8.11",
           "an amphibious move ends on a major river or coastal hex")  # fmt: skip
    forbid(any(not (ground.sea | ground.river_hexes) >> h & 1 for h in way[:-1]), "8.11",
           "an amphibious move follows major river and sea hexes")  # fmt: skip
    return plan


def metro_refusal(pos: State, piece: int) -> Refusal | None:
    """Why a unit may not try a Metro move (15.5)."""
    unit, here = pos.unit(piece), pos.where[piece]
    away = here < 0 or pos.moved >> piece & 1
    return first_case(
        (unit.back, "6.6", "{} must be flipped before it makes a Metro move", unit.id),
        ("komsomol" not in unit.traits, "15.5", "{} is not a Komsomol unit", unit.id),
        (away, "15.5", "a Metro move is a unit's whole move, tried once a phase"),
        (not away and not pos.ground.objective >> here & 1, "15.5", "{} is not on an objective hex", unit.id),
        (not away and pos.rubble >> here & 1, "15.5", "the tunnels under rubble are closed"),
    )


def metro_hexes(pos: State, piece: int) -> HexMask:
    """Where a Metro move may end."""
    return pos.ground.objective & ~pos.rubble & ~pos.barred(piece) & ~(1 << pos.where[piece])


def metro_of(pos: State, order: Order) -> Sent | Refusal:
    """A Komsomol unit, and the objective it tries to come up in (15.5)."""
    piece, path = mover(pos, order)
    refuse(metro_refusal(pos, piece))
    forbid(len(path) != 1 or not pos.ground.objective >> path[0] & 1 or path[0] == pos.where[piece], "15.5",
           "a Metro move ends on another objective hex")  # fmt: skip
    forbid(pos.rubble >> path[0] & 1, "15.5", "the tunnels under rubble are closed")
    forbid(pos.occupied[GERMAN] >> path[0] & 1, "15.5", "{} is German occupied", pos.number(path[0]))
    return Sent(piece, path[0]) if metro_hexes(pos, piece) >> path[0] & 1 else _closed(pos, piece, path[0])


# Airborne assault (18.0) ---------------------------------------------------------------------------------


def drop_hexes(pos: State, piece: int) -> HexMask:
    """Where an airborne unit may land (18.2, 18.3)."""
    return pos.ground.clear & ~pos.ground.fortified & ~pos.barred(piece)


def landing_of(pos: State, order: Order) -> Sent | Refusal:
    """An airborne unit, and the hex it is to land in (18.2, 18.3)."""
    piece, path = mover(pos, order)
    unit = pos.unit(piece)
    forbid(not pos.options.airborne_assault, "18.1", "airborne assault is an optional rule that is not in use")
    forbid(not drop_eligible(pos, piece), "18.1", "{} is not an airborne unit arriving this turn", unit.id)
    forbid(len(path) != 1, "18.2", "a unit lands in one hex")
    forbid(not pos.ground.clear >> path[0] & 1, "18.2", "{} is not clear", pos.number(path[0]))
    forbid(pos.occupied[SOVIET] >> path[0] & 1 or pos.ground.fortified >> path[0] & 1, "18.3",
           "{} holds an enemy or a fortification", pos.number(path[0]))  # fmt: skip
    return Sent(piece, path[0]) if drop_hexes(pos, piece) >> path[0] & 1 else _closed(pos, piece, path[0])


def end_refusal(pos: State) -> Refusal | None:
    """Nobody may end while a unit that must enter can (7.3, 19.1), nor the German while an over-stack can be cured
    (7.6)."""
    for piece in waiting(pos):
        if pos.side == SOVIET and pos.unit(piece).leader:
            continue
        if block(pos, piece) is None and entry_hexes(pos, piece):
            case, why = ("19.1", "") if pos.side == GERMAN else (_CAN_ENTER[0], f", and {_CAN_ENTER[1]}")
            return Refusal(case, f"{pos.unit(piece).id} can still enter the map{why}")
    if pos.side == SOVIET:
        return None
    for h in members(pos.overstacked(GERMAN)):
        for piece in pos.stacks[h]:
            if block(pos, piece) is None and any(new for _, _, new in destinations(pos, piece)):
                return Refusal("7.6", f"{pos.number(h)} is over-stacked and {pos.unit(piece).id} can still move")
    return None
