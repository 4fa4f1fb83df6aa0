"""The administrative phase: weather (7), reinforcements and replacements (8), assignment (9),
and the return of headquarters (11). Supply (10) has a chapter of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from ...hexes import NOWHERE, Hex, HexMask, mask_of, members, union
from ...kernel.chance import Chance, die
from ...kernel.errors import Illegal
from ...kernel.orders import Order
from ...kernel.position import OBSERVER, Refusal, allows, forbid
from ...kernel.sequence import Action, Placement, Side
from . import deployment
from .battle import Purse
from .book import ABSENT, DUE, EDGES, SIDES, enemy_of
from .position import TijvinPosition
from .state import TurnSheet
from .steps import TOO_FULL, Actions, ending, hex_of, number, whenever, wrong_verb


def first_side(p: TijvinPosition) -> Side:
    """The side with the initiative, which comes first in every step (11)."""
    return SIDES.index(p.tables.initiative(p.turn))


def then(p: TijvinPosition, step: str, following: str) -> None:
    """A side has done a step of administration: the other does it, or the next one begins (6.1)."""
    side, first = p.agenda[0].side, first_side(p)
    if side == first:
        p.go(step, 1 - first)
    else:
        p.go(following, first)


def begin_turn(p: TijvinPosition) -> None:
    """Everything is ready again (6.2.4)."""
    p.renew(TurnSheet)
    p.disturb()
    p.tell("turn", "6", "Turn {} begins: {}", p.turn, p.game.calendar[p.turn - 1])
    p.go("returns", first_side(p))


# Headquarters come back (11) ------------------------------------------------------------------


def returns(p: TijvinPosition) -> None:
    """Lost headquarters return next to nobody but friends; the owner chooses only among equals (11)."""
    first = first_side(p)
    for side in (first, 1 - first):
        for q in p.roster.hqs_of[SIDES[side]]:
            if p.hq_hex[q] >= 0 or p.hq_lost[q] < 0:
                continue
            hexes = return_hexes(p, q)
            if hexes.bit_count() == 1:
                bring_back(p, Placement(q, hexes.bit_length() - 1))
            elif hexes:
                p.go("hq-return", side)
                return
    if p.turn == 1:
        p.weather = "clear"
        p.go("supply", first)
    else:
        p.go("weather", first)


def return_hexes(p: TijvinPosition, q: int) -> HexMask:
    """The hexes with friendly units nearest to where a headquarters was lost (11)."""
    grid = p.ground.grid
    occupied = p.occupied(p.roster.hqs[q].side)
    near = 1 << p.hq_lost[q]
    while occupied and not near & occupied:
        near |= grid.ring(near)
    return near & occupied


def bring_back(p: TijvinPosition, back: Placement) -> None:
    """A headquarters is back on the map."""
    q, h = back
    p.hq_hex[q], p.hq_lost[q] = h, NOWHERE
    hq = p.roster.hqs[q]
    p.tell("hq-returns", "11.H", "{} returns in {}", hq.name, p.place_name(h), side=SIDES.index(hq.side))


def returning(p: TijvinPosition) -> list[int]:
    """Headquarters of the side in hand whose return leaves a choice."""
    return [
        q for q in p.roster.hqs_of[p.side]
        if p.hq_hex[q] < 0 and p.hq_lost[q] >= 0 and return_hexes(p, q).bit_count() > 1
    ]  # fmt: skip


def return_of(p: TijvinPosition, order: Order) -> Placement:
    """The first headquarters that is to come back, in a hex as near as possible to where it was lost (11)."""
    waiting = returning(p)
    forbid(not waiting, *no_return(p, order))
    open_hexes: dict[tuple[str, ...], Hex] = {(p.ground.names[h],): h for h in members(return_hexes(p, waiting[0]))}
    forbid(order.units != (p.roster.hqs[waiting[0]].id,) or order.hexes not in open_hexes, "11.H",
           "it returns with a friendly unit as near as possible to where it was lost")  # fmt: skip
    return Placement(waiting[0], open_hexes[order.hexes])


def no_return(p: TijvinPosition, _: Order | None = None) -> Refusal:
    """Nothing but headquarters that come back."""
    first = next((p.roster.hqs[q].name for q in returning(p)), "")
    return wrong_verb("11.H", f"bring {first} back: place HQ HEX" if first else "end: all headquarters are back")


def return_prompt(p: TijvinPosition) -> str:
    """What the side in hand is asked."""
    first = next((p.roster.hqs[q].name for q in returning(p)), "")
    return f"Bring back {first}" if first else "All headquarters are back: end"


RETURNS: Actions = {
    "place": Action(
        return_of,
        bring_back,
        lambda p: [
            Order("place", (p.roster.hqs[q].id,), (p.ground.names[h],))
            for q in returning(p)[:1]
            for h in p.ground.grid.members(return_hexes(p, q))
        ],
    ),
    "end": whenever("end", lambda p: no_return(p) if returning(p) else None, lambda p: p.go("returns")),
}


# Weather (7) ----------------------------------------------------------------------------------


def weather(p: TijvinPosition, face: Order) -> None:
    """The month's column tells the weather (7)."""
    p.weather = p.tables.weather.column(p.turn).faces[number(face) - 1]
    p.tell("weather", "7.W", "The weather is {}", p.weather.replace("-", " "))
    p.go("supply")


# Reinforcements (8) ---------------------------------------------------------------------------


def reinforcements(p: TijvinPosition) -> None:
    """A side's reinforcements, if any can come in."""
    p.open("reinforcement", can_arrive(p), close_entries)


def arriving(p: TijvinPosition) -> list[int]:
    """Units of the side in hand that are due, or wait beyond an edge."""
    units = p.roster.units
    return [
        u for u in p.roster.of[p.side]
        if (p.box[u] == DUE and 0 < units[u].arrives <= p.turn) or p.box[u] in EDGES
    ]  # fmt: skip


def entries_of(p: TijvinPosition, u: int) -> HexMask:
    """The hexes by which a unit enters, whoever holds them (8); one that left by an edge comes back there (13 V)."""
    ground, side = p.ground, p.side
    if p.box[u] in EDGES:
        return ground.edges[EDGES[p.box[u]]]
    entries = {hq.entry for hq in p.roster.hqs if hq.side == side and hq.entry}
    if not p.delayed >> u & 1:
        entries = {p.roster.hqs[p.roster.units[u].hq].entry}
    hexes = union(p.map.places.get(entry, 0) for entry in entries)
    return ground.land & (hexes | ground.grid.ring(hexes) if side == "soviet" else hexes)


def entry_hexes(p: TijvinPosition, u: int) -> HexMask:
    """Where a reinforcement may enter now: no enemy stands there, and no zone of his reaches, or a friend is there (8);
    coming back over an edge ground of one's own without any enemy zone (13 V)."""
    side, enemy = p.side, enemy_of(p.side)
    hexes = entries_of(p, u) & ~p.occupied(enemy)
    if p.box[u] in EDGES:
        hexes &= p.own_ground(side) & ~p.zone(enemy)
    else:
        hexes &= ~(p.zone(enemy) & ~p.occupied(side))
    crowded = sum(1 << h for h in members(hexes & p.occupied(side)) if p.room(h, side) < p.cf[u])
    return hexes & ~crowded


def close_entries(p: TijvinPosition) -> None:
    """What could not come in is delayed, and may come by another way later (8)."""
    late = mask_of(u for u in arriving(p) if p.box[u] == DUE)
    p.delayed |= late
    if late:
        p.tell("delayed", "8.R", "{} cannot enter yet", p.name(late), side=p.phasing)
    then(p, "reinforcements", "replacements")


def can_arrive(p: TijvinPosition) -> bool:
    """Whether anybody can come in now."""
    return any(entry_hexes(p, u) for u in arriving(p))


def arrivals(p: TijvinPosition) -> Iterator[Order]:
    """``enter UNIT HEX``."""
    for u in arriving(p):
        for h in p.ground.grid.members(entry_hexes(p, u)):
            yield Order("enter", (p.roster.units[u].id,), (p.ground.grid.number(h),))


def arrival(p: TijvinPosition, order: Order) -> Placement:
    """A reinforcement that is due, by one of its hexes."""
    forbid(len(order.units) != 1 or len(order.hexes) != 1, *NOT_ENTERING)
    u, h, own, enemy = p.roster.index.get(order.units[0], -1), hex_of(p, order), p.side, enemy_of(p.side)
    forbid(u not in arriving(p), "8.R", "{} does not arrive now", order.units[0])
    forbid(h < 0, "8.R", "the map has no hex {}", order.hexes[0])
    if not entry_hexes(p, u) >> h & 1:
        friends = p.occupied(own) >> h & 1
        forbid(p.occupied(enemy) >> h & 1, "8.R", "an enemy unit stands in that hex")
        forbid(p.zone(enemy) >> h & 1 and not friends, "8.R",
               "that hex is in an enemy zone of control and no friendly unit stands there")  # fmt: skip
        forbid(friends and p.room(h, own) < p.cf[u], "4", TOO_FULL, p.tables.stacking.limit)
        raise Illegal("8.R", f"{p.roster.units[u].name} does not enter there")
    return Placement(u, h)


def arrive(p: TijvinPosition, arrived: Placement) -> None:
    """A reinforcement stands on the map, in supply."""
    u, h = arrived
    p.stand(u, h)
    p.delayed &= ~(1 << u)
    p.tell("enters", "8.R", "{} arrives in {}", p.roster.units[u].name, p.place_name(h), side=p.phasing)


NOT_ENTERING = wrong_verb("8.R", "bring reinforcements in: enter UNIT HEX")


def reinforcement_prompt(p: TijvinPosition) -> str:
    """Who can still come in."""
    units = sum(1 << u for u in arriving(p) if entry_hexes(p, u))
    return f"Bring in {p.name(units)}" if units else "Reinforcements are in: end"


REINFORCEMENTS: Actions = {
    "enter": Action(arrival, arrive, arrivals),
    "end": whenever("end", lambda p: NOT_ENTERING if can_arrive(p) else None, close_entries),
}


# Replacements (8) -----------------------------------------------------------------------------


class Purchase(NamedTuple):
    """A factor for a unit; a destroyed one is rebuilt in a hex."""

    unit: int
    price: int
    hex: Hex


def replacements(p: TijvinPosition) -> None:
    """A side rolls for replacement points; there are none on turn 1 (15.1)."""
    if p.turn > 1:
        p.go("replacement-roll")
    else:
        then(p, "replacements", "deliveries")


def replacement_die(p: TijvinPosition) -> Chance:
    """Each side's die; hidden under fog of war (17.1)."""
    node = die(f"{p.side.capitalize()} replacement points", "8.P")
    return replace(node, hidden_from=frozenset({enemy_of(p.side), OBSERVER})) if p.fog else node


def replacement_points(p: TijvinPosition, face: Order) -> None:
    """Points by the die, and the bonus of the turn. Where nothing can be bought the phase goes by, but not under fog:
    what a side could buy is hidden then (17.1)."""
    table = p.tables.replacements
    points = table.points[number(face) - 1] + table.bonus_of(p.side, p.turn)
    text = "{} replacement point" if points == 1 else "{} replacement points"
    p.tell("points", "8.P", text, points, side=p.phasing, secret=p.fog)
    p.go("replacement", matter=Purse(points, points))
    if not p.fog and next(iter(purchases(p)), None) is None:
        p.pass_by("replacement")
        then(p, "replacements", "deliveries")


def bought(p: TijvinPosition, u: int) -> int:
    """Factors a unit has been given in secret this turn."""
    return next((n for v, n, _ in p.bought if v == u), 0)


def in_range(p: TijvinPosition, u: int) -> bool:
    """Whether a unit is in command range of its headquarters as they stand now (11)."""
    h = p.hq_hex[p.hq[u]]
    if h < 0 or p.hexes[u] < 0:
        return False
    return p.ground.grid.distance(p.hexes[u], h) <= p.tables.command.of(p.roster.units[u].side)


def own_purchases(p: TijvinPosition) -> list[tuple[int, int, Hex]]:
    """What the side in hand has bought; the other's purchases are secret and bar nothing (8)."""
    return [entry for entry in p.bought if p.roster.units[entry[0]].side == p.side]


def crowd(p: TijvinPosition, h: int) -> int:
    """Factors of the side in hand in a hex, secret purchases included."""
    return p.stacked(h, p.side) + sum(n for u, n, at in own_purchases(p) if (at if at >= 0 else p.hexes[u]) == h)


def rebuild_hexes(p: TijvinPosition, u: int) -> HexMask:
    """Where a destroyed unit may be rebuilt: with its headquarters, or next to it where nobody
    stands and no enemy zone reaches (8)."""
    q, grid, enemy = p.hq[u], p.ground.grid, enemy_of(p.side)
    at = p.hq_hex[q]
    if at < 0 or p.hq_unsupplied >> q & 1:
        return 0
    taken = p.occupied(p.side) | p.occupied(enemy) | sum({1 << h for _, _, h in own_purchases(p) if h >= 0})
    taken |= sum({1 << p.hq_hex[x] for x in p.roster.hqs_of[enemy] if p.hq_hex[x] >= 0})
    hexes = grid.ring(1 << at) & p.ground.land & ~taken & ~p.zone(enemy)
    if crowd(p, at) < p.tables.stacking.limit:
        hexes |= 1 << at
    return hexes


def check_replacement(p: TijvinPosition, u: int) -> None:
    """Refuse a unit that cannot be given a factor (8)."""
    unit, limit, left = p.roster.units[u], p.tables.stacking.limit, p.purse.left
    forbid(unit.side != p.side, "8.P", "{} is not yours", unit.name)
    price, given = p.tables.replacements.price(unit), bought(p, u)
    if price is None:
        raise Illegal("8.P", f"{unit.name} cannot recover")
    forbid(price > left, "8.P", "a factor of {} costs {} points, {} are left", unit.name, price, left)
    forbid(p.cf[u] + given >= unit.cf, "13.A" if unit.type == "artillery" else "4", "{} is at full strength", unit.name)
    if p.cf[u]:
        forbid(p.hexes[u] < 0, "8.P", "{} is not on the map", unit.name)
        forbid(p.unsupplied >> u & 1, "10", "{} is out of supply", unit.name)
        forbid(not in_range(p, u), "8.P", "{} is out of its headquarters' command range", unit.name)
        forbid(crowd(p, p.hexes[u]) >= limit, "4", "the hex is full")
    elif given:
        forbid(crowd(p, next(h for v, _, h in p.bought if v == u)) >= limit, "4", "the hex is full")


def rebuilding(p: TijvinPosition) -> HexMask:
    """Headquarters of the side in hand at or next to which it can rebuild a unit."""
    units = [u for u in p.roster.of[p.side] if not p.cf[u] and allows(check_replacement, p, u)]
    return sum({1 << p.hq_hex[p.hq[u]] for u in units if p.hq_hex[p.hq[u]] >= 0})


def purchases(p: TijvinPosition) -> Iterator[Order]:
    """``replace UNIT`` for a factor, ``replace UNIT HEX`` to rebuild a destroyed unit."""
    for u in p.roster.of[p.side]:
        if p.cf[u] >= p.roster.units[u].cf or not allows(check_replacement, p, u):
            continue
        name = p.roster.units[u].id
        if p.cf[u] or bought(p, u):
            yield Order("replace", (name,))
        else:
            for h in p.ground.grid.members(rebuild_hexes(p, u)):
                yield Order("replace", (name,), (p.ground.grid.number(h),))


def purchase(p: TijvinPosition, order: Order) -> Purchase:
    """A factor that can be paid for and given, and for a unit to be rebuilt a hex."""
    forbid(len(order.units) != 1 or len(order.hexes) > 1, *NOT_BUYING)
    u = p.roster.index.get(order.units[0], -1)
    forbid(u < 0, "8.P", "there is no unit {}", order.units[0])
    check_replacement(p, u)
    price, standing = p.tables.replacements.price(p.roster.units[u]) or 0, p.cf[u] or bought(p, u)
    forbid(standing and order.hexes, "8.P", "only a destroyed unit is placed anew")
    if standing:
        return Purchase(u, price, NOWHERE)
    forbid(not order.hexes, "8.P", "a rebuilt unit needs a hex at or next to its headquarters")
    h = hex_of(p, order)
    forbid(h < 0 or not rebuild_hexes(p, u) >> h & 1, "8.P", "a rebuilt unit stands with its supplied headquarters, or "
           "next to it where nobody stands and no enemy zone of control reaches")  # fmt: skip
    return Purchase(u, price, h)


def buy(p: TijvinPosition, purchase: Purchase) -> None:
    """A factor is bought; it is delivered when both players have finished, so neither can watch the other."""
    u, price, h = purchase
    purse = p.purse
    _, factors, at = next((entry for entry in p.bought if entry[0] == u), (u, 0, NOWHERE))
    others = (entry for entry in p.bought if entry[0] != u)
    p.bought = tuple(sorted((*others, (u, factors + 1, h if h >= 0 else at))))
    p.tell("bought", "8.P", "{} receives a factor", p.roster.units[u].name, side=p.phasing, secret=True)
    p.hold(Purse(purse.left - price, purse.rolled))


NOT_BUYING = wrong_verb("8.P", "spend replacement points: replace UNIT, or replace UNIT HEX")


def replacement_prompt(p: TijvinPosition) -> str:
    """What is left to spend."""
    return f"Spend {p.purse.left} replacement point{'s' * (p.purse.left != 1)}"


REPLACEMENTS: Actions = {
    "replace": Action(purchase, buy, purchases),
    "end": ending(lambda p: then(p, "replacements", "deliveries")),
}


def deliveries(p: TijvinPosition) -> None:
    """What both players bought joins the units; rebuilt ones stand on the map in supply (8)."""
    for u, factors, at in p.bought:
        p.cf[u] += factors if at < 0 else 0
    p.disturb()
    for u, factors, at in p.bought:
        if at >= 0:
            rebuild(p, u, factors, at)
    p.bought = ()
    p.go("assignments", first_side(p))


def rebuild(p: TijvinPosition, u: int, factors: int, at: Hex) -> None:
    """A destroyed unit is back. Where the enemy has just rebuilt one of his in the same hex, it stands with
    its headquarters instead; if that hex is full, it stays destroyed (8)."""
    unit = p.roster.units[u]
    if p.occupied(enemy_of(unit.side)) >> at & 1:
        at = p.hq_hex[p.hq[u]]
        if p.room(at, unit.side) < factors:
            p.tell("crowded-out", "8.P", "{} finds no place", unit.name, side=SIDES.index(unit.side))
            return
    p.cf[u] = factors
    if p.known is not None:
        p.known[u] = (unit.cf + 1) // 2
    p.stand(u, at)
    p.tell("rebuilt", "8.P", "{} is back in {}", unit.name, p.place_name(at), side=SIDES.index(unit.side))


# Assignment (9) -------------------------------------------------------------------------------


def assignments(p: TijvinPosition) -> None:
    """A side assigns its units, if it has anything to change; under fog that is not to be seen (17.1)."""
    p.assigned = 0
    p.open("assignment", not settled(p) and (p.fog or any(True for _ in changes(p))), end_assignments)


def end_assignments(p: TijvinPosition) -> None:
    """The other side assigns, or command is settled."""
    p.assigned = 0
    then(p, "assignments", "command")


def settled(p: TijvinPosition) -> bool:
    """Whether the Soviet units still obey whom they start with: on the first turn of the historical scenario (9)."""
    return p.side == "soviet" and p.turn < p.game.book.set_up.scenarios[p.scenario].soviet_assignment


def closed_army(p: TijvinPosition) -> int:
    """The headquarters whose units are tied to it for the Sinyavino offensive, or -1 (15.1)."""
    spec = p.game.book.set_up.sinyavino
    if deployment.restricted(p) and spec.first <= p.turn <= spec.last:
        return p.roster.hq_index[spec.army]
    return -1


def check_assignment(p: TijvinPosition, u: int, q: int) -> None:
    """Refuse a headquarters to which a unit may not be assigned (9)."""
    unit, hq, set_up, closed = p.roster.units[u], p.roster.hqs[q], p.game.book.set_up, closed_army(p)
    forbid(unit.side != p.side or hq.side != p.side, "9", "only your own units and headquarters")
    forbid(p.box[u] in (DUE, ABSENT), "9", "{} has not arrived yet", unit.name)
    forbid(p.assigned >> u & 1, "9", "{} has been assigned in this step", unit.name)
    forbid(p.hq[u] == q, "9", "{} obeys {} already", unit.name, hq.name)
    forbid(closed in (q, p.hq[u]), "15.1", "no unit may leave or join {} before turn {}", p.roster.hqs[closed].name,
           set_up.sinyavino.last + 1)  # fmt: skip
    forbid(settled(p), "9", "before turn {} Soviet units obey the headquarters of the order of battle",
           set_up.scenarios[p.scenario].soviet_assignment)  # fmt: skip
    check_minimum(p, u)


def check_minimum(p: TijvinPosition, u: int) -> None:
    """Refuse a unit that its headquarters cannot spare, when each has to keep a minimum (17.2)."""
    if p.options.minimum_hq and p.cf[u]:
        others = (v for v in p.roster.of[p.side] if v != u and p.hq[v] == p.hq[u] and p.box[v] not in (DUE, ABSENT))
        left = sum(p.cf[v] for v in others)
        forbid(left < p.tables.minimum_headquarters, "17.2", "{} would be left with {} factors",
               p.roster.hqs[p.hq[u]].name, left)  # fmt: skip


def changes(p: TijvinPosition) -> Iterator[Order]:
    """``assign UNIT HQ``."""
    if settled(p):
        return
    closed = closed_army(p)
    hqs = [(q, (p.roster.hqs[q].id,)) for q in p.roster.hqs_of[p.side] if q != closed]
    for u in p.roster.of[p.side]:
        mine = p.hq[u]
        if p.box[u] in (DUE, ABSENT) or p.assigned >> u & 1 or mine == closed or not allows(check_minimum, p, u):
            continue
        name = (p.roster.units[u].id,)
        for q, word in hqs:
            if q != mine:
                yield Order("assign", name, (), word)


class Assignment(NamedTuple):
    """A unit and the headquarters it is to obey."""

    unit: int
    hq: int


def assignment(p: TijvinPosition, order: Order) -> Assignment:
    """One of one's own units to another of one's own headquarters."""
    forbid(len(order.units) != 1 or len(order.words) != 1, *NOT_ASSIGNING)
    (name,), (word,) = order.units, order.words
    u, q = p.roster.index.get(name, -1), p.roster.hq_index.get(word, -1)
    forbid(u < 0 or q < 0, "9", "there is no {}", name if u < 0 else word)
    check_assignment(p, u, q)
    return Assignment(u, q)


def assign(p: TijvinPosition, assigned: Assignment) -> None:
    """A unit obeys another headquarters."""
    u, q = assigned
    p.hq[u] = q
    p.assigned |= 1 << u
    name, hq = p.roster.units[u].name, p.roster.hqs[q].name
    p.tell("assigned", "9", "{} now obeys {}", name, hq, side=p.phasing, secret=p.fog)


NOT_ASSIGNING = wrong_verb("9", "assign units to headquarters: assign UNIT HQ")


ASSIGNMENTS: Actions = {"assign": Action(assignment, assign, changes), "end": ending(end_assignments)}


def settle_command(p: TijvinPosition) -> None:
    """Mark the units out of command range for the turn (9, 11)."""
    units = (u for side in p.game.sides for u in p.roster.of[side])
    p.uncommanded = mask_of(u for u in units if p.hexes[u] >= 0 and not in_range(p, u))
    if p.uncommanded:
        text = p.do(p.uncommanded, "{} is out of command", "{} are out of command")
        p.tell("command", "9", text, p.name(p.uncommanded))
    p.go("operations", first_side(p))
