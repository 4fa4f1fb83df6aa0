"""Movement (8.0) and the special movers (15.0, 18.0): one unit at a time, hex by hex.

A move order becomes a ``walk`` step that takes one hex after the other; next to enemies that may fire
it pauses for their choice (9.1). After a fire that did not stop the unit, or at the end of the path,
its player may go on with the points left until he turns to another unit.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import chain, pairwise, repeat
from typing import NamedTuple

from ...hexes import NOWHERE, Hex, HexMask, members, pick
from ...kernel.chance import Chance, die
from ...kernel.flood import Costs, Flood, flood
from ...kernel.orders import END, Order
from ...kernel.position import OBSERVER, Reach, Reached, Refusal
from . import pontoons, ways
from .arrivals import drop_eligible, return_to_pool, zhukov_waits
from .counters import GERMAN, SIDES, SOVIET, Unit
from .state import POOL, S_MOVE, WAITING, Moving, State, Step, unknown

FOOT, MOTORIZED, GUNBOAT, RAIL, SAIL = "foot", "motorized", "gunboat", "rail", "sail"

_MOVES = {FOOT: "8.1", MOTORIZED: "8.8", GUNBOAT: "15.2", RAIL: "15.1", SAIL: "8.11"}
"""The case of a move by its mode."""

DRIFT = (4, 3, 2, 1, 0, 5)
"""The direction in which each face of a die lets an airborne unit drift: clockwise from the north-east (18.2)."""


# Who may move, how and how far -----------------------------------------------------------------------


def mode_of(unit: Unit) -> str:
    """How a unit moves unless it declares otherwise."""
    return {"gunboat": GUNBOAT, "railroad-artillery": RAIL}.get(unit.type, FOOT)


def allowance(pos: State, piece: int, mode: str) -> int:
    """Movement points for a whole move (2.9, 8.8, 15.1, 15.2)."""
    if mode == RAIL:
        return pos.ground.rail_allowance
    if mode == SAIL:
        return pos.ground.sea_allowance
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
    roster = pos.roster
    if roster.units[piece].leader:
        return True
    command = roster.command[piece]
    return not pos.finished >> command & 1 and (command == pos.active or behind(pos) < 0)


def behind(pos: State) -> int:
    """A unit of the sub-command on the move that has not entered and can. All of a German division comes in the same
    phase (19.1), and of the Front Reserve only those that cannot enter go back (7.3), hence before another sub-command
    moves (8.2). None: -1."""
    if pos.active < 0:
        return -1
    key = "behind", pos.active
    found: int | None = pos.cache.get(key)
    if found is None or (found >= 0 and pos.where[found] != WAITING):
        late = (p for p in waiting(pos) if pos.roster.command[p] == pos.active and not pos.unit(p).leader)
        found = pos.cache[key] = next((p for p in late if entry_hexes(pos, p)), -1)
    return found


def block(pos: State, piece: int) -> Refusal | None:
    """Why a unit may not begin or go on with a move now (8.1, 8.2, 8.10, 19.1)."""
    stopped = done(pos, piece)
    if stopped is not None or pos.unit(piece).leader or pos.roster.command[piece] == pos.active:
        return stopped
    late = behind(pos)
    if late < 0:
        return None
    case, why = ("19.1", "all of a sub-command comes together") if pos.side == GERMAN else _CAN_ENTER
    return Refusal(case, f"{pos.unit(late).id} can still enter the map, and {why}")


_CAN_ENTER = "7.3", "only units that cannot enter go back to the pool"


def done(pos: State, piece: int) -> Refusal | None:
    """Why a unit may not move any more in this movement phase (8.1, 8.2, 8.10)."""
    unit = pos.unit(piece)
    if unit.side != pos.side or not unit.ground:
        return Refusal("8.1", f"{unit.id} is not a unit to move now")
    going = pos.moving is not None and pos.moving.piece == piece
    if pos.moved >> piece & 1 and not (going and pos.moving is not None and pos.moving.left > 0):
        if going and pos.moving is not None and pos.moving.mode == MOTORIZED:
            return Refusal("8.8", f"{unit.id} has finished its motorized movement")
        return Refusal("8.1", f"{unit.id} has finished its move")
    if not unit.leader and pos.finished >> pos.roster.command[piece] & 1:
        return Refusal("8.2", f"the movement of {pos.roster.titles[unit.command]} is finished")
    if pos.bridging >> piece & 1:
        return Refusal("8.10", f"{unit.id} has carried units over the river and may not move")
    return None


def left(pos: State, piece: int, mode: str) -> int:
    """Points a unit has for this mode: what its running move has left, or a whole allowance."""
    if pos.moving is not None and pos.moving.piece == piece:
        return pos.moving.left if pos.moving.mode == mode else 0
    return allowance(pos, piece, mode)


def at_start(pos: State, piece: int) -> bool:
    """Whether a unit is still where it began the phase."""
    return not pos.moved >> piece & 1


def costs_for(pos: State, piece: int, mode: str) -> Costs:
    """What each step costs this unit now."""
    ground = pos.ground
    if mode in (GUNBOAT, SAIL):
        return ground.vessel_costs(mode)
    if mode == RAIL:
        return ground.rail_costs(pos.broken)
    side = pos.roster.side[piece]
    costs = ground.costs(mode, pos.rubble, pos.broken, pos.pontoon_sides(side, piece), pos.states)
    if mode == FOOT and pos.unit(piece).bridges and (at_start(pos, piece) or _just_begun(pos, piece)):
        return ground.alone(costs, tuple(_alone(pos, piece)))
    return costs


def _just_begun(pos: State, piece: int) -> bool:
    moving = pos.moving
    return moving is not None and moving.piece == piece and moving.left == allowance(pos, piece, moving.mode)


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
    barred = pos.barred(piece)
    if mode == SAIL:
        return barred & pos.ground.land | pos.occupied[1 - pos.roster.side[piece]]
    return barred


def left_open(pos: State, piece: int) -> HexMask:
    """The hex that a unit leaves, if it may come back to it on its way: without it there is room (6.1-6.3)."""
    here = pos.where[piece]
    side, limits = pos.roster.side[piece], pos.tables.stacking
    others = [p for p in pos.stacks[here] if p != piece and not pos.unit(p).leader]
    strange = {pos.roster.command[p] for p in others} & {*pos.roster.strangers[pos.roster.command[piece]]}
    if side == GERMAN:
        most = limits.german
    elif pos.states:
        most = limits.soviet_defensive_states
    else:
        most = limits.soviet_objective if pos.ground.objective >> here & 1 else limits.soviet
    return 1 << here if len(others) < most and not strange else 0


class Known(NamedTuple):
    """How far a unit got when it was last asked, and what that depended on."""

    flood: Flood
    start: Hex
    budget: int
    costs: Costs
    barred: HexMask
    zone: HexMask
    """Every hex reached or next to one: nothing beyond it can matter."""
    orders: dict[HexMask, list[Order]]


class Marches(NamedTuple):
    """The move orders of a unit with its whole move before it, and what they depended on."""

    start: Hex
    foot: Costs
    motorized: Costs | None
    barred: HexMask
    zone: HexMask
    orders: list[Order]


def known(pos: State, piece: int, mode: str) -> Known:
    """How far a unit gets; what was worked out in an earlier position still holds if nothing that
    it depends on has changed."""
    start, budget = pos.where[piece], left(pos, piece, mode)
    costs, barred = costs_for(pos, piece, mode), closed_to(pos, piece, mode)
    old: Known | None = pos.memo.get((piece, mode))
    if (
        old is not None
        and old.start == start
        and old.budget == budget
        and old.costs is costs
        and not (old.barred ^ barred) & old.zone
    ):
        return old
    stops = pos.ground.coastal & ~pos.ground.river_hexes if mode == SAIL else 0
    reached = flood(costs, 1 << start, budget, barred=barred, stops=stops)
    every = reached.reached
    new = Known(reached, start, budget, costs, barred, every | pos.map.grid.ring(every), {})
    pos.memo[piece, mode] = new
    return new


def spread(pos: State, piece: int, mode: str) -> Flood:
    """Everything a unit can reach from where it is."""
    return known(pos, piece, mode).flood


def _moves(pos: State, piece: int, mode: str, hexes: HexMask) -> list[Order]:
    """The move orders to some of the hexes a unit reaches."""
    orders = known(pos, piece, mode).orders
    if hexes not in orders:
        name, suffix = (pos.unit(piece).id,), _suffix(mode)
        orders[hexes] = list(map(Order, repeat("move"), repeat(name), pos.ground.named(hexes), repeat(suffix)))
    return orders[hexes]


def modes(pos: State, piece: int) -> list[str]:
    """The ways a unit on the map can move with a plain ``move`` order."""
    if pos.moving is not None and pos.moving.piece == piece:
        return [pos.moving.mode] if pos.moving.mode != SAIL else []
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


def reach(pos: State, piece: int) -> Mapping[str, Reached]:
    """Where a unit can go in this phase, by hex number; one waiting to enter from the edge on."""
    if block(pos, piece) is not None:
        return {}
    if pos.where[piece] == WAITING and piece in waiting(pos):
        return _reach_from_edge(pos, piece)
    if pos.where[piece] < 0:
        return {}
    found = list(destinations(pos, piece))
    cheapest = {mode: ways.Cheapest(pos, piece, reached) for mode, reached, _ in found}

    def detail(number: str) -> Reached:
        h = pos.map.grid.hex(number)
        mode, reached, _ = next(way for way in found if way[2] >> h & 1)
        cost = reached.cost(h) or 0
        path = tuple(map(pos.number, cheapest[mode].to(h)))
        return Reached(Fraction(left(pos, piece, mode) - cost), path, Fraction(cost))

    return Reach(chain.from_iterable(pos.ground.numbers(new) for _, _, new in found), detail)


def _reach_from_edge(pos: State, piece: int) -> Mapping[str, Reached]:
    """Where a unit can go that enters in this phase: the first hex of the way costs what it costs (7.1, 19.1)."""
    floods: list[tuple[int, int, Flood]] = []
    for mode in (FOOT, MOTORIZED) if may_motor(pos, piece) else (FOOT,):
        hexes = entry_hexes(pos, piece) & (motor_entries(pos) if mode == MOTORIZED else -1)
        points, costs = allowance(pos, piece, mode), costs_plain(pos, piece, mode)
        edge: dict[int, HexMask] = {}
        for h in members(hexes):
            price = entry_price(pos, h)
            edge[price] = edge.get(price, 0) | 1 << h
        for price, mask in edge.items():
            floods.append((points, price, flood(costs, mask, points - price, barred=closed_to(pos, piece, mode))))
    due = ways.tolls(pos, piece)
    cheapest = [ways.Cheapest(pos, piece, way) for _, _, way in floods]

    def detail(number: str) -> Reached:
        h = pos.map.grid.hex(number)
        found = [
            (points, price + (way.cost(h) or 0), n)
            for n, (points, price, way) in enumerate(floods) if way.reached >> h & 1
        ]  # fmt: skip
        points, cost, _ = min(found)
        paths = (cheapest[n].to(h) for *paid, n in found if paid == [points, cost])
        path = min(paths, key=lambda path: due.along([NOWHERE, *path]))
        return Reached(Fraction(points - cost), tuple(map(pos.number, path)), Fraction(cost))

    reached = 0
    for _, _, way in floods:
        reached |= way.reached
    return Reach(pos.ground.numbers(reached), detail)


# Orders -----------------------------------------------------------------------------------------------


def _suffix(mode: str) -> tuple[str, ...]:
    return (MOTORIZED,) if mode == MOTORIZED else ()


def orders_of(pos: State, piece: int) -> list[Order]:
    """Everything one unit can be ordered to do in a movement phase."""
    unit = pos.unit(piece)
    name = (unit.id,)
    found: list[Order] = []
    if unit.back and pos.phase_number == S_MOVE and pos.where[piece] >= 0:
        found.append(Order("flip", name))
    if block(pos, piece) is not None:
        return found + _bridges(pos, piece)
    named = pos.ground.named
    if pos.where[piece] == WAITING:
        found += _entries(pos, piece)
        if drop_eligible(pos, piece):
            found += [Order("drop", name, there) for there in named(drop_hexes(pos, piece))]
        return found
    if pos.where[piece] < 0:
        return found
    for mode, _, new in destinations(pos, piece):
        found += _moves(pos, piece, mode, new)
    return found if pos.roster.plain[piece] else found + _specials_of(pos, piece)


def _entries(pos: State, piece: int) -> list[Order]:
    """The ways a waiting unit may come in."""
    hexes = entry_hexes(pos, piece)
    motor = motor_entries(pos) if may_motor(pos, piece) else 0
    known = pos.memo.get(("enter", piece))
    if known is None or known[0] != (hexes, motor):
        name = (pos.unit(piece).id,)
        orders = []
        for h in members(hexes):
            orders.append(Order("enter", name, (pos.number(h),)))
            if motor >> h & 1:
                orders.append(Order("enter", name, (pos.number(h),), (MOTORIZED,)))
        known = pos.memo["enter", piece] = (hexes, motor), orders
    found: list[Order] = known[1]
    return found


def _marches(pos: State, piece: int, foot: Costs, motorized: Costs) -> list[Order]:
    """The move orders of a plain unit that has not moved; those found before, if they still hold."""
    start, barred = pos.where[piece], pos.barred(piece)
    known: Marches | None = pos.memo.get(piece)
    motor = motorized if may_motor(pos, piece) else None
    if (
        known is not None
        and known.start == start
        and known.foot is foot
        and known.motorized is motor
        and not (known.barred ^ barred) & known.zone
    ):
        return known.orders
    orders: list[Order] = []
    zone = 0
    for mode, _, new in destinations(pos, piece):
        orders += _moves(pos, piece, mode, new)
        zone |= pos.memo[piece, mode].zone
    pos.memo[piece] = Marches(start, foot, motor, barred, zone, orders)
    return orders


def _bridges(pos: State, piece: int) -> list[Order]:
    """The hexsides a unit may choose among for its pontoon, before its sub-command moves or after (8.10)."""
    return [Order("bridge", (pos.unit(piece).id,), (pos.number(there),)) for there in pontoons.choices(pos, piece)]


def _specials_of(pos: State, piece: int) -> list[Order]:
    unit = pos.unit(piece)
    name = (unit.id,)
    if unit.bridges:
        return _bridges(pos, piece)
    if "marine" in unit.traits and sail_refusal(pos, piece) is None:
        return [Order("sail", name, there) for there in pos.ground.named(sail_hexes(pos, piece))]
    if "komsomol" in unit.traits and metro_refusal(pos, piece) is None:
        return [Order("metro", name, there) for there in pos.ground.named(metro_hexes(pos, piece))]
    return []


def waiting(pos: State) -> list[int]:
    """Ground units waiting to enter in this phase."""
    if WAITING not in pos.where:
        return []
    commands: Iterable[str] = (*pos.roster.divisions, "56") if pos.side == GERMAN else ("LFR",)
    return [
        p
        for command in commands
        for p in pos.roster.of_command[command]
        if pos.where[p] == WAITING and (not pos.unit(p).leader or pos.side == GERMAN or zhukov_waits(pos, p))
    ]


def orders(pos: State) -> list[Order]:
    """All orders of a movement phase."""
    found: list[Order] = []
    roster, side = pos.roster, pos.side
    bridged = pos.pontoon_sides(side)
    foot, motorized = (
        pos.ground.costs(mode, pos.rubble, pos.broken, bridged, pos.states) for mode in (FOOT, MOTORIZED)
    )
    going = pos.moving.piece if pos.moving is not None else -1
    for piece in pos.on_map(side):
        ready = free(pos, piece)
        if piece == going or (not roster.plain[piece] and (ready or roster.units[piece].bridges)):
            found += orders_of(pos, piece)
            continue
        if roster.units[piece].back:
            found.append(Order("flip", (roster.units[piece].id,)))
        if ready:
            found += _marches(pos, piece, foot, motorized)
    for piece in waiting(pos):
        found += orders_of(pos, piece)
    if end_refusal(pos) is None:
        found.append(END)
    return found


def busy(pos: State) -> bool:
    """Whether any unit can be ordered to do anything."""
    return any(orders_of(pos, piece) for piece in chain(pos.on_map(pos.side), waiting(pos)))


def some_order(pos: State, rng: random.Random) -> Order:
    """A movement order at random: entering units first, then any, and sooner or later the end."""
    queue = waiting(pos) if rng.random() < 0.5 else []
    if queue:
        piece = queue[int(rng.random() * len(queue))]
        if block(pos, piece) is None:
            drops = drop_hexes(pos, piece) if drop_eligible(pos, piece) else 0
            if drops and rng.random() < 0.7:
                return Order("drop", (pos.unit(piece).id,), (pos.number(pick(drops, rng)),))
            hexes = entry_hexes(pos, piece)
            if hexes:
                h = pick(hexes, rng)
                motor = may_motor(pos, piece) and motor_entries(pos) >> h & 1 and rng.random() < 0.7
                return Order("enter", (pos.unit(piece).id,), (pos.number(h),), _suffix(MOTORIZED if motor else FOOT))
    pieces = pos.on_map(pos.side)
    for _ in range(4):
        if not pieces or rng.random() < 0.02:
            break
        piece = pieces[int(rng.random() * len(pieces))]
        if pos.moving is not None and pos.moving.left > 0 and rng.random() < 0.4:
            piece = pos.moving.piece
        if not free(pos, piece) and block(pos, piece) is not None:
            continue
        if rng.random() < 0.5 and not pos.roster.plain[piece]:
            specials = _specials_of(pos, piece)
            if specials:
                return specials[int(rng.random() * len(specials))]
        usable = modes(pos, piece)
        if not usable:
            continue
        mode = usable[int(rng.random() * len(usable))]
        path = wander(pos, piece, mode, rng)
        if len(path) > 1:
            return Order("move", (pos.unit(piece).id,), tuple(map(pos.number, path)), _suffix(mode))
    if end_refusal(pos) is None:
        return END
    return next(order for piece in reversed((*pieces, *waiting(pos))) for order in orders_of(pos, piece))


def wander(pos: State, piece: int, mode: str, rng: random.Random) -> list[Hex]:
    """A random way for a unit, from where it is: mostly straight on, as far as its points and luck go."""
    costs, plain = costs_for(pos, piece, mode), costs_plain(pos, piece, mode)
    closed = closed_to(pos, piece, mode)
    points = left(pos, piece, mode)
    path = [pos.where[piece]]
    direction = int(rng.random() * 6)
    for _ in range(1 + int(rng.random() * points)):
        if rng.random() < 0.3:
            direction = int(rng.random() * 6)
        there = pos.map.grid.neighbours(path[-1])[direction]
        if there == NOWHERE or closed >> there & 1 or there in path:
            direction = int(rng.random() * 6)
            continue
        cost = (costs if len(path) == 1 else plain).price(path[-1], there)
        if cost is None:
            direction = int(rng.random() * 6)
            continue
        points -= cost
        if points < 0:
            break
        path.append(there)
    return path


def refusal(pos: State, order: Order) -> Refusal | None:
    """Why a movement order is illegal."""
    if order == END:
        return end_refusal(pos)
    if order.verb not in ("move", "enter", "bridge", "sail", "metro", "drop", "flip"):
        return unknown(order, pos)
    if len(order.units) != 1:
        return Refusal("8.4", "units move one at a time, never as a stack")
    piece = pos.piece(order.units[0])
    if piece is None:
        return Refusal("8.1", f"there is no unit {order.units[0]}")
    if order.verb == "flip":
        return flip_refusal(pos, piece)
    for number in order.hexes:
        if number not in pos.map.grid:
            return Refusal("8.1", f"the map has no hex {number}")
    if order.verb == "bridge":
        return _bridge_refusal(pos, piece, [pos.map.grid.hex(number) for number in order.hexes])
    blocked = block(pos, piece)
    if blocked is not None:
        return _nearest(pos, piece, order.verb) or blocked
    if order.words and order.words != (MOTORIZED,):
        return Refusal("8.8", f"a unit may move {MOTORIZED}, not {' '.join(order.words)!r}")
    path = [pos.map.grid.hex(number) for number in order.hexes]
    return _CHECKS[order.verb](pos, piece, path, order)


def _nearest(pos: State, piece: int, verb: str) -> Refusal | None:
    """What keeps a unit from moving and is nearer than that it has moved: it is gone, or its special move is
    for once a phase (8.11, 15.5)."""
    if pos.roster.side[piece] != pos.side:
        return None
    if pos.where[piece] < 0 and pos.where[piece] != WAITING:
        return Refusal("8.1", pos.absent(piece))
    special = {"sail": sail_refusal, "metro": metro_refusal}.get(verb)
    return special(pos, piece) if special else None


def flip_refusal(pos: State, piece: int) -> Refusal | None:
    """The Soviet player may flip his units during his own player turns (6.6)."""
    unit = pos.unit(piece)
    if pos.side != SOVIET:
        return Refusal("6.6", "units are flipped by choice only in the Soviet player turn")
    if not unit.back and pos.where[piece] < 0:
        return Refusal("6.6", pos.absent(piece))
    if not unit.back or pos.where[piece] < 0:
        return Refusal("6.6", f"{unit.id} is not a face-down unit on the map")
    return None


def _move_check(pos: State, piece: int, path: list[Hex], order: Order) -> Refusal | None:
    if pos.where[piece] < 0:
        return Refusal("8.1", pos.absent(piece))
    mode = order_mode(pos, piece, order)
    if isinstance(mode, Refusal):
        return mode
    way = route(pos, piece, mode, path)
    return way if isinstance(way, Refusal) else None


def order_mode(pos: State, piece: int, order: Order) -> str | Refusal:
    """The mode an order asks for."""
    mode = MOTORIZED if order.words else mode_of(pos.unit(piece))
    if pos.moving is not None and pos.moving.piece == piece:
        if order.words and pos.moving.mode != MOTORIZED:
            return Refusal("8.8", "motorized movement is declared at the start of a move")
        return pos.moving.mode
    if mode == MOTORIZED and not may_motor(pos, piece):
        name = pos.unit(piece).id
        if pos.unit(piece).back:
            return Refusal("6.6", f"{name} must be flipped before it uses motorized movement")
        case = "18.3" if pos.dropped >> piece & 1 else "8.8"
        return Refusal(case, f"{name} may not use motorized movement")
    return mode


def route(pos: State, piece: int, mode: str, path: list[Hex]) -> list[Hex] | Refusal:
    """The hexes a unit enters: the given path, or some cheapest way to a single hex, perhaps not the one it takes."""
    here = pos.where[piece]
    explicit = len(path) > 1
    if path and path[0] == here:
        path = path[1:]
    if not path:
        return Refusal("8.1", "the unit is already there")
    if not explicit:
        reached = spread(pos, piece, mode)
        if reached.reached >> path[0] & 1 and path[0] != here:
            return reached.path(path[0])[1:]
        return _unreachable(pos, piece, mode, path[0])
    costs = costs_for(pos, piece, mode)
    plain = costs_plain(pos, piece, mode)
    closed = closed_to(pos, piece, mode)
    if here in path:
        closed &= ~left_open(pos, piece)
    points = left(pos, piece, mode)
    spent = 0
    for number, there in enumerate(path):
        if not pos.map.grid.adjacent(here, there):
            return Refusal("8.1", f"{pos.number(here)} and {pos.number(there)} are not adjacent")
        cost = (costs if number == 0 else plain).price(here, there)
        if cost is None:
            return _no_way(pos, piece, mode, here, there)
        if closed >> there & 1:
            return _closed(pos, piece, there, passing=number < len(path) - 1)
        spent += cost
        if spent > points:
            return Refusal("8.3", f"that path costs {spent} points, {pos.unit(piece).id} has {points}")
        here = there
    return path


def cost_along(pos: State, order: Order) -> int:
    """What a legal move costs, by the way it names or by the cheapest one (8.3)."""
    piece = pos.piece(order.units[0])
    assert piece is not None
    mode = order_mode(pos, piece, order)
    assert isinstance(mode, str)
    way = route(pos, piece, mode, [pos.map.grid.hex(number) for number in order.hexes])
    assert isinstance(way, list)
    first, plain, here, spent = costs_for(pos, piece, mode), costs_plain(pos, piece, mode), pos.where[piece], 0
    for number, there in enumerate(way):
        spent += (first if number == 0 else plain).price(here, there) or 0
        here = there
    return spent


def costs_plain(pos: State, piece: int, mode: str) -> Costs:
    """Costs once a unit has left its first hex."""
    if mode in (FOOT, MOTORIZED):
        side = pos.roster.side[piece]
        return pos.ground.costs(mode, pos.rubble, pos.broken, pos.pontoon_sides(side, piece), pos.states)
    return costs_for(pos, piece, mode)


def _unreachable(pos: State, piece: int, mode: str, there: Hex) -> Refusal:
    name = pos.unit(piece).id
    if pos.occupied[1 - pos.roster.side[piece]] >> there & 1 or closed_to(pos, piece, mode) >> there & 1:
        return _closed(pos, piece, there)
    here = pos.where[piece]
    if pos.map.grid.adjacent(here, there) and costs_for(pos, piece, mode).price(here, there) is None:
        return _no_way(pos, piece, mode, here, there)
    if pos.ground.sea >> there & 1 and mode in (FOOT, MOTORIZED):
        return Refusal("8.13", f"{pos.number(there)} is all sea")
    if mode == RAIL:
        along = Refusal("15.1", f"{name} moves only along contiguous railroad hexes")
        return _in_the_way(pos, piece, mode, there) or along
    if mode == GUNBOAT and not _by_water(pos, piece) >> there & 1:
        return Refusal("15.2", f"{name} keeps to major rivers, coasts and the sea")
    if mode == SAIL:
        return Refusal("8.11", f"{pos.number(there)} cannot be reached by major river and sea")
    points = left(pos, piece, mode)
    if mode == MOTORIZED:
        on_foot = flood(costs_plain(pos, piece, FOOT), 1 << here, points, barred=closed_to(pos, piece, FOOT))
        if on_foot.reached >> there & 1:
            if pos.states:
                return Refusal("16.2", f"the streets are barricaded: no clear hexes lead {name} to {pos.number(there)}")
            return Refusal("8.8", f"no clear hexes, prospekts or railroads lead {name} to {pos.number(there)}")
    too_far = Refusal("8.3", f"{name} cannot reach {pos.number(there)} with {points} movement points")
    return _in_the_way(pos, piece, mode, there) or too_far


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
    bridged = pos.ground.bridged_costs(mode, pos.rubble, pos.states)
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


def _by_water(pos: State, piece: int) -> HexMask:
    """Every hex the gunboat could come to with points enough and nobody in its way (15.2)."""
    ground, here = pos.ground, pos.where[piece]
    return flood(ground.vessel_costs(GUNBOAT), 1 << here, ground.sea_allowance).reached


def _closed(pos: State, piece: int, there: Hex, *, passing: bool = False) -> Refusal:
    """Why a unit may not enter a hex, be it only on its way through (6.1-6.4, 8.14)."""
    side = pos.roster.side[piece]
    number = pos.number(there)
    if pos.occupied[1 - side] >> there & 1:
        return Refusal("8.14", f"{number} is occupied by the enemy")
    if passing and pos.full(side) >> there & 1:
        return Refusal("6.4", f"no more units may stack in {number}, not even on their way")
    return stack_refusal(pos, piece, there)


def stack_refusal(pos: State, piece: int, there: Hex) -> Refusal:
    """Why a unit may not join the friendly units in a hex (6.1-6.3). Where a second unit could stand, that those there
    are strangers comes before that there are two of them."""
    side = pos.roster.side[piece]
    number = pos.number(there)
    strange = any(pos.held[other] >> there & 1 for other in pos.roster.strangers[pos.roster.command[piece]])
    if not strange or (side == SOVIET and not pos.doubled >> there & 1):
        return Refusal("6.1", f"no more units may stack in {number}")
    if side == GERMAN:
        return Refusal("6.2", f"another division is in {number}")
    return Refusal("6.3", f"42nd Army and the Front Reserve do not stack together, and the other one is in {number}")


def _no_way(pos: State, piece: int, mode: str, here: Hex, there: Hex) -> Refusal:
    between = f"from {pos.number(here)} to {pos.number(there)}"
    if mode == RAIL:
        return Refusal("15.1", f"no railroad leads {between}")
    if mode in (GUNBOAT, SAIL):
        return Refusal("15.2" if mode == GUNBOAT else "8.11", f"no water way leads {between}")
    if pos.ground.sea_between(here, there):
        return Refusal("8.13", f"only sea lies {between}")
    if pos.ground.river(here, there) == "major" and not pos.bridged(here, there, pos.roster.side[piece], piece):
        hint = _offer_of_bridge(pos, here, there)
        return Refusal("8.9", f"no bridge, printed or pontoon, crosses the river {between}{hint}")
    if pos.states:
        return Refusal("16.2", f"the streets are barricaded: no motorized movement {between}")
    return Refusal("8.8", f"motorized movement needs clear hexes, a prospekt or a railroad {between}")


# Entering (7.1, 19.1, 19.3) ----------------------------------------------------------------------------


def entry_hexes(pos: State, piece: int) -> HexMask:
    """Where a waiting unit may enter now."""
    side = pos.roster.side[piece]
    mask = pos.ground.entry[side] & ~pos.barred(piece)
    points = pos.tables.movement.allowance[SIDES[side]]
    if points >= 5:
        return mask
    return sum(1 << h for h in members(mask) if entry_price(pos, h) <= points)


def entry_price(pos: State, h: Hex) -> int:
    """Cost of the first hex from off the map."""
    return pos.ground.entry_cost(h) + (pos.tables.movement.rubble if pos.rubble >> h & 1 else 0)


def motor_entries(pos: State) -> HexMask:
    """Where motorized movement may begin: clear hexes, and those on a road (8.8); none of the latter once the roads are
    barricaded (16.2)."""
    ground = pos.ground
    return ground.clear & ~ground.lines.roads if pos.states else ground.clear | ground.lines.roads


def _enter_check(pos: State, piece: int, path: list[Hex], order: Order) -> Refusal | None:
    unit = pos.unit(piece)
    if pos.where[piece] == WAITING and unit.leader and piece not in waiting(pos):
        return Refusal("3.4", f"{unit.id} comes no earlier than the Front Reserve (19.3)")
    if pos.where[piece] != WAITING or piece not in waiting(pos):
        return Refusal("7.1", f"{unit.id} is not waiting to enter")
    side = pos.roster.side[piece]
    h = path[0] if path else NOWHERE
    if h == NOWHERE or not pos.ground.entry[side] >> h & 1:
        where = ("19.1", "by the south edge") if side == GERMAN else ("19.3", "by the north or the north-east edge")
        return Refusal(where[0], f"{unit.id} enters {where[1]}")
    if pos.occupied[1 - side] >> h & 1:
        return Refusal("7.1", f"{pos.number(h)} is occupied by the enemy")
    if not entry_hexes(pos, piece) >> h & 1:
        return _closed(pos, piece, h, passing=len(path) > 1)
    mode = MOTORIZED if order.words else FOOT
    if mode == MOTORIZED and not may_motor(pos, piece):
        return Refusal("8.8", f"{unit.id} may not use motorized movement")
    if mode == MOTORIZED and not motor_entries(pos) >> h & 1:
        return Refusal("8.8", f"{pos.number(h)} is neither clear nor on a prospekt or railroad")
    spent = entry_price(pos, h)
    points = allowance(pos, piece, mode)
    costs = costs_plain(pos, piece, mode)
    closed = closed_to(pos, piece, mode)
    for here, there in pairwise(path):
        if not pos.map.grid.adjacent(here, there):
            return Refusal("8.1", f"{pos.number(here)} and {pos.number(there)} are not adjacent")
        cost = costs.price(here, there)
        if cost is None:
            return _no_way(pos, piece, mode, here, there)
        if closed >> there & 1:
            return _closed(pos, piece, there, passing=there != path[-1])
        spent += cost
    if spent > points:
        return Refusal("8.3", f"that path costs {spent} points, {unit.id} has {points}")
    return None


# Pontoons (8.10) ---------------------------------------------------------------------------------------


def _bridge_refusal(pos: State, piece: int, path: list[Hex]) -> Refusal | None:
    """Why an engineer's bridge may not be turned to a hex; whose sub-command is moving does not matter."""
    unit = pos.unit(piece)
    if unit.side != pos.side or not unit.ground:
        return Refusal("8.10", f"{unit.id} is not a unit of the side that moves")
    if unit.back:
        return Refusal("6.6", f"{unit.id} must be flipped before it builds a bridge")
    if pos.where[piece] < 0:
        return Refusal("8.10", pos.absent(piece))
    if not unit.bridges:
        return Refusal("8.10", f"{unit.id} cannot build pontoon bridges")
    if not at_start(pos, piece):
        return Refusal("8.10", f"{unit.id} did not begin the phase there")
    if len(path) != 1 or path[0] not in pontoons.hexsides(pos, piece):
        return Refusal("8.10", "a pontoon is laid across one unbridged river hexside with land on both sides")
    if path[0] == pontoons.laid(pos, piece):
        return Refusal("8.10", f"the bridge of {unit.id} leads to {pos.number(path[0])} already")
    if pos.bridging >> piece & 1:
        return Refusal("8.10", f"{unit.id} has carried units over its bridge in this phase")
    return Refusal("8.10", f"{unit.id} has laid its bridge for this phase") if pos.turned >> piece & 1 else None


# Marines (8.11) and the Metro (15.5) --------------------------------------------------------------------


def sail_refusal(pos: State, piece: int) -> Refusal | None:
    """Why a unit may not begin an amphibious move (8.11)."""
    unit = pos.unit(piece)
    here = pos.where[piece]
    ground = pos.ground
    if unit.back:
        return Refusal("6.6", f"{unit.id} must be flipped before it makes an amphibious move")
    if "marine" not in unit.traits:
        return Refusal("8.11", f"{unit.id} is not a marine unit")
    if pos.sailed:
        return Refusal("8.11", "one amphibious move a phase")
    if here < 0 or not at_start(pos, piece):
        return Refusal("8.11", f"{unit.id} must begin the phase where it embarks")
    if not (ground.river_hexes | ground.coastal) >> here & 1:
        return Refusal("8.11", f"{pos.number(here)} is neither a major river nor a coastal hex")
    if pos.map.grid.ring(1 << here) & pos.occupied[GERMAN]:
        return Refusal("8.11", f"{unit.id} is next to a German unit")
    return None


def sail_hexes(pos: State, piece: int) -> HexMask:
    """Where an amphibious move may end."""
    ground = pos.ground
    reached = spread(pos, piece, SAIL).reached
    return reached & (ground.river_hexes | ground.coastal) & ~(1 << pos.where[piece])


def _sail_check(pos: State, piece: int, path: list[Hex], order: Order) -> Refusal | None:
    stopped = sail_refusal(pos, piece)
    if stopped is not None:
        return stopped
    way = route(pos, piece, SAIL, path)
    if isinstance(way, Refusal):
        return way
    ground = pos.ground
    if not (ground.river_hexes | ground.coastal) >> way[-1] & 1:
        return Refusal("8.11", "an amphibious move ends on a major river or coastal hex")
    if any(not (ground.sea | ground.river_hexes) >> h & 1 for h in way[:-1]):
        return Refusal("8.11", "an amphibious move follows major river and sea hexes")
    return None


def metro_refusal(pos: State, piece: int) -> Refusal | None:
    """Why a unit may not try a Metro move (15.5)."""
    unit = pos.unit(piece)
    here = pos.where[piece]
    if unit.back:
        return Refusal("6.6", f"{unit.id} must be flipped before it makes a Metro move")
    if "komsomol" not in unit.traits:
        return Refusal("15.5", f"{unit.id} is not a Komsomol unit")
    if here < 0 or not at_start(pos, piece):
        return Refusal("15.5", "a Metro move is a unit's whole move, tried once a phase")
    if not pos.ground.objective >> here & 1:
        return Refusal("15.5", f"{unit.id} is not on an objective hex")
    if pos.rubble >> here & 1:
        return Refusal("15.5", "the tunnels under rubble are closed")
    return None


def metro_hexes(pos: State, piece: int) -> HexMask:
    """Where a Metro move may end."""
    return pos.ground.objective & ~pos.rubble & ~pos.barred(piece) & ~(1 << pos.where[piece])


def _metro_check(pos: State, piece: int, path: list[Hex], order: Order) -> Refusal | None:
    stopped = metro_refusal(pos, piece)
    if stopped is not None:
        return stopped
    if len(path) != 1 or not pos.ground.objective >> path[0] & 1 or path[0] == pos.where[piece]:
        return Refusal("15.5", "a Metro move ends on another objective hex")
    if pos.rubble >> path[0] & 1:
        return Refusal("15.5", "the tunnels under rubble are closed")
    if pos.occupied[GERMAN] >> path[0] & 1:
        return Refusal("15.5", f"{pos.number(path[0])} is German occupied")
    return None if metro_hexes(pos, piece) >> path[0] & 1 else _closed(pos, piece, path[0])


def metro_die(pos: State, step: Step) -> Chance:
    """The Metro die."""
    return die(f"the Metro die of {pos.unit(step.piece).id}", "15.5")


def metro_rolled(pos: State, step: Step, face: int) -> None:
    """1-3 moves, 4-5 stays, 6 lost (15.5)."""
    pos.pop()
    table = pos.tables.metro
    name = pos.unit(step.piece).id
    if face in table.lost:
        pos.say("metro", "15.5", "{} is lost in the tunnels (die {})", name, face, side="soviet")
        pos.eliminate(step.piece)
    elif face in table.stays:
        pos.say("metro", "15.5", "{} finds no way (die {})", name, face, side="soviet")
    else:
        pos.say("metro", "15.5", "{} comes up in {} (die {})", name, pos.number(step.hex), face, side="soviet")
        owner = pos.owner(step.hex)
        pos.shift(step.piece, step.hex)
        pos.take_control(step.piece, step.hex)
        offer(pos, step.piece, owner)


# Airborne assault (18.0) ---------------------------------------------------------------------------------


def drop_hexes(pos: State, piece: int) -> HexMask:
    """Where an airborne unit may land (18.2, 18.3)."""
    return pos.ground.clear & ~pos.ground.fortified & ~pos.barred(piece)


def _drop_check(pos: State, piece: int, path: list[Hex], order: Order) -> Refusal | None:
    unit = pos.unit(piece)
    if not pos.options["airborne-assault"]:
        return Refusal("18.1", "airborne assault is an optional rule that is not in use")
    if not drop_eligible(pos, piece):
        return Refusal("18.1", f"{unit.id} is not an airborne unit arriving this turn")
    if len(path) != 1:
        return Refusal("18.2", "a unit lands in one hex")
    if not pos.ground.clear >> path[0] & 1:
        return Refusal("18.2", f"{pos.number(path[0])} is not clear")
    if pos.occupied[SOVIET] >> path[0] & 1 or pos.ground.fortified >> path[0] & 1:
        return Refusal("18.3", f"{pos.number(path[0])} holds an enemy or a fortification")
    return None if drop_hexes(pos, piece) >> path[0] & 1 else _closed(pos, piece, path[0])


def landing_die(pos: State, step: Step) -> Chance:
    """The dice of an airborne landing."""
    title = "the airborne table" if step.words[0] == "landing" else "the direction of the drift"
    return die(f"{title} for {pos.unit(step.piece).id}", "18.2")


def landing_rolled(pos: State, step: Step, face: int) -> None:
    """Read the airborne table (18.2)."""
    pos.pop()
    name = pos.unit(step.piece).id
    table = pos.tables.airborne
    if step.words[0] == "drift":
        there = pos.map.grid.neighbours(step.hex)[DRIFT[face - 1]]
        if there == NOWHERE or not drop_hexes(pos, step.piece) >> there & 1:
            pos.say("drop", "18.2", "{} drifts and is lost", name, side="german")
            pos.eliminate(step.piece)
            return
        land(pos, step.piece, there)
    elif face in table.lost:
        pos.say("drop", "18.2", "{} is lost in the landing (die {})", name, face, side="german")
        pos.eliminate(step.piece)
    elif face in table.drifts:
        pos.push(Step("die", step.piece, step.hex, words=("drift",)))
    else:
        land(pos, step.piece, step.hex)


def land(pos: State, piece: int, h: Hex) -> None:
    """The unit is down, and may be fired on (18.3)."""
    owner = pos.owner(h)
    pos.put(piece, h)
    pos.take_control(piece, h)
    pos.say("drop", "18.2", "{} lands in {}", pos.unit(piece).id, pos.number(h), side="german")
    offer(pos, piece, owner)


# Carrying out --------------------------------------------------------------------------------------------


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


def apply(pos: State, order: Order) -> None:
    """Carry out a movement order."""
    if order == END:
        end(pos)
        return
    piece = pos.roster.index[order.units[0]]
    name = order.units[0]
    path = [pos.map.grid.hex(number) for number in order.hexes]
    side = SIDES[pos.side]
    if order.verb == "flip":
        pos.push(Step("reveal", piece))
    elif order.verb == "bridge":
        pontoons.lay(pos, piece, path[0])
        pos.turned |= 1 << piece
        pos.say(
            "bridge",
            "8.10",
            "{} bridges the river from {} to {}",
            name,
            pos.number(pos.where[piece]),
            order.hexes[0],
            side=side,
        )
    elif order.verb == "metro":
        begin_move(pos, piece)
        pos.moving = None
        pos.push(Step("die", piece, path[0], words=("metro",)))
    elif order.verb == "drop":
        begin_move(pos, piece)
        pos.moving = None
        pos.dropped |= 1 << piece
        pos.push(Step("die", piece, path[0], words=("landing",)))
    else:
        _set_out(pos, order, piece, path)


def _set_out(pos: State, order: Order, piece: int, path: list[Hex]) -> None:
    if order.verb == "enter":
        mode = MOTORIZED if order.words else FOOT
        way = path
    else:
        asked = SAIL if order.verb == "sail" else order_mode(pos, piece, order)
        assert isinstance(asked, str)
        mode = asked
        way = _way(pos, piece, mode, path)
        if len(path) == 1:
            _tell_toll(pos, piece, way)
    if pos.moving is None or pos.moving.piece != piece:
        points = allowance(pos, piece, mode)
        begin_move(pos, piece)
        pos.moving = Moving(piece, mode, points)
    if mode == SAIL:
        pos.sailed = True
    pos.push(Step("walk", piece, path=tuple(way)))


def _way(pos: State, piece: int, mode: str, path: list[Hex]) -> list[Hex]:
    """The hexes that a move found legal enters."""
    if len(path) > 1:
        return path[path[0] == pos.where[piece] :]
    return ways.cheapest(pos, piece, spread(pos, piece, mode), path[0])[1:]


def _tell_toll(pos: State, piece: int, way: list[Hex]) -> None:
    """Tell a player, and him alone, what the way that he left open has to cost him: fire before its end, or an engineer
    that must stay (8.10, 9.1)."""
    due = ways.tolls(pos, piece)
    name, end = pos.unit(piece).id, pos.number(way[-1])
    others = frozenset({SIDES[1 - pos.side], OBSERVER})
    fires = [pos.number(h) for h in way[:-1] if due.watched >> h & 1]
    if fires:
        text = "Every way of {} to {} that is as cheap leads past the enemy, this one in {}"
        pos.say("way", "9.1", text, name, end, ", ".join(fires), side=SIDES[pos.side], hidden=others)
    if due.along([pos.where[piece], *way])[1]:
        text = "Every way of {} to {} that is as cheap crosses a pontoon whose engineer must stay"
        pos.say("way", "8.10", text, name, end, side=SIDES[pos.side], hidden=others)


def walk(pos: State, step: Step) -> None:
    """Enter hex after hex of a move (8.1) until one may draw defensive fire (9.1). Nobody is told where a
    unit goes before it gets there."""
    pos.pop()
    piece, path = step.piece, step.path
    moving = pos.moving
    assert moving is not None
    start = here = pos.where[piece]
    left = moving.left
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
    if start < 0:
        pos.put(piece, here)
    else:
        pos.shift(piece, here)
    if number < last:
        pos.push(step._replace(path=path[number + 1 :]))
    pos.moving = moving._replace(left=0 if number == last and moving.mode == SAIL else left)
    offer(pos, piece, owner)
    told = _TOLD.get(moving.mode, ("{} enters in {}", "{} moves to {}"))[start >= 0]
    name = pos.unit(piece).id
    case = _MOVES[moving.mode] if start >= 0 else "19.1" if pos.side == GERMAN else "19.3"
    pos.say("move", case, told, name, pos.number(here), side=SIDES[pos.side])


_TOLD = {
    MOTORIZED: ("{} enters by motorized movement in {}", "{} moves by motorized movement to {}"),
    SAIL: ("{} enters by water in {}", "{} moves by water to {}"),
    RAIL: ("{} enters by rail in {}", "{} moves by rail to {}"),
}
"""How a step is told: onto the map, and on it."""


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
    pos.pending = tuple(s for s in pos.pending if not (s.kind == "walk" and s.piece == piece))
    if pos.moving is not None and pos.moving.piece == piece:
        pos.moving = pos.moving._replace(left=0)


def pause(pos: State, piece: int) -> None:
    """After defensive fire that left a unit standing: motorized movement ends (8.8); others may go on
    as they like, and an amphibious move goes on as ordered."""
    moving = pos.moving
    if moving is None or moving.piece != piece or moving.mode == SAIL:
        return
    if moving.mode == MOTORIZED:
        halt(pos, piece)
        name = pos.unit(piece).id
        pos.say("stop", "8.8", "{} has been fired on and ends its motorized movement", name, side=SIDES[pos.side])
        return
    pos.pending = tuple(s for s in pos.pending if not (s.kind == "walk" and s.piece == piece))


# The end of a movement phase -------------------------------------------------------------------------------


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


def end(pos: State) -> None:
    """Close the phase: over-stacks are settled, reserves that did not enter return (6.4, 7.3, 19.2)."""
    pos.moving = None
    if pos.side == SOVIET:
        _settle_arrivals(pos)
        for piece in pos.roster.of_command["LFR"]:
            if pos.where[piece] == WAITING and not pos.unit(piece).leader:
                pos.where[piece] = POOL
                name = pos.unit(piece).id
                pos.say("pool", "7.3", "{} cannot enter and goes back to the pool", name, side="soviet")
    pos.push(Step("settle-stacks"), Step("next-phase"))


def _settle_arrivals(pos: State) -> None:
    """An arrival still over-stacked at the end of Soviet movement is eliminated (19.2)."""
    for h in members(pos.overstacked(SOVIET)):
        for piece in pos.stacks[h]:
            if pos.arrivals >> piece & 1 and pos.overstacked(SOVIET) >> h & 1:
                pos.say(
                    "overstack",
                    "19.2",
                    "{} is over-stacked in {} and eliminated",
                    pos.unit(piece).id,
                    pos.number(h),
                    side="soviet",
                )
                remove(pos, piece)
    pos.arrivals = 0


def remove(pos: State, piece: int) -> None:
    """Eliminate a unit that has no room; a face-down one goes back to the pool unseen (6.4, 7.7, 19.2)."""
    if pos.unit(piece).back:
        return_to_pool(pos, piece)
    else:
        pos.eliminate(piece)


def settle_stacks(pos: State, step: Step) -> None:
    """Whatever is still over-stacked the other player settles (6.4)."""
    crowded = pos.overstacked(pos.side)
    pos.pop()
    if crowded:
        h = next(iter(members(crowded)))
        pos.push(Step("repair", hex=h), step)


def nearest_legal(pos: State, piece: int) -> HexMask:
    """The nearest hexes in which a unit may legally stand."""
    here = pos.where[piece]
    legal = pos.ground.land & ~pos.barred(piece) & ~(1 << here)
    if pos.unit(piece).type == "gunboat":
        legal = (pos.ground.sea | pos.ground.river_hexes | pos.ground.coastal) & ~pos.barred(piece)
    elif pos.unit(piece).type == "railroad-artillery":
        legal &= pos.ground.rail_hexes
    mask = 1 << here
    while legal and not mask & legal:
        mask |= pos.map.grid.ring(mask)
    return mask & legal


def repair_orders(pos: State, step: Step) -> Iterator[Order]:
    """Eliminate a unit of the over-stacked hex, or move it to the nearest legal hex (6.4)."""
    for piece in pos.stacks.get(step.hex, ()):
        unit = pos.unit(piece)
        if unit.leader:
            continue
        yield Order("repair", (unit.id,))
        for h in members(nearest_legal(pos, piece)):
            yield Order("repair", (unit.id,), (pos.number(h),))


def repair_refusal(pos: State, step: Step, order: Order) -> Refusal | None:
    """Why an over-stack may not be settled so."""
    if order in repair_orders(pos, step):
        return None
    where = pos.number(step.hex)
    return Refusal("6.4", f"settle the over-stack in {where}: eliminate a unit or move it to the nearest legal hex")


def repair_apply(pos: State, step: Step, order: Order) -> None:
    """Settle an over-stack."""
    pos.pop()
    piece = pos.roster.index[order.units[0]]
    if order.hexes:
        pos.shift(piece, pos.map.grid.hex(order.hexes[0]))
        pos.moved |= 1 << piece
        pos.take_control(piece, pos.where[piece])
        pos.say("overstack", "6.4", "{} is moved to {}", order.units[0], order.hexes[0])
    else:
        pos.say("overstack", "6.4", "{} is eliminated as over-stacked", order.units[0])
        remove(pos, piece)


_CHECKS = {
    "move": _move_check,
    "enter": _enter_check,
    "sail": _sail_check,
    "metro": _metro_check,
    "drop": _drop_check,
}
