"""The administrative phase: weather (7), reinforcements and replacements (8), assignment (9),
and the return of headquarters (11). Supply (10) has a chapter of its own."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...hexes import NOWHERE, Hex, HexMask, members
from ...kernel.chance import Chance, die
from ...kernel.orders import END, Order
from ...kernel.position import Refusal
from . import deployment
from .book import ABSENT, DUE, EDGES, enemy_of
from .steps import Roll, Step, number, pass_by, some, wrong_verb

if TYPE_CHECKING:
    from .position import TijvinPosition


def in_turn(p: TijvinPosition) -> tuple[str, str]:
    """Both sides, the one with the initiative first (11)."""
    first = p.tables.initiative(p.turn)
    return first, enemy_of(first)


def begin_turn(p: TijvinPosition) -> None:
    """Everything is ready again (6.2.4)."""
    p.hq_activated = p.air_used = 0
    p.spent = p.moved = p.attacked = p.fired = p.retreated = p.shaken = p.assigned = 0
    p.unsupplied = p.hq_unsupplied = p.uncommanded = 0
    p.active, p.active_hq, p.passed, p.battle = 0, -1, False, None
    p.points = p.rolled = 0
    p.bought = ()
    p.disturb()
    p.note("turn", "6", "Turn {} begins: {}", p.turn, p.game.calendar[p.turn - 1])
    p.stage = "returns"


# Headquarters come back (11) ------------------------------------------------------------------


def returns(p: TijvinPosition) -> None:
    """Lost headquarters return next to nobody but friends; the owner chooses only among equals."""
    for side in in_turn(p):
        for q in p.roster.hqs_of[side]:
            if p.hq_hex[q] >= 0 or p.hq_lost[q] < 0:
                continue
            hexes = return_hexes(p, q)
            if hexes.bit_count() == 1:
                bring_back(p, q, hexes.bit_length() - 1)
            elif hexes:
                p.side = p.mover = side
                p.stage = "hq-return"
                return
    p.side = p.mover = in_turn(p)[0]
    p.stage = "weather"
    if p.turn == 1:
        p.weather, p.stage = "clear", "supply"


def return_hexes(p: TijvinPosition, q: int) -> HexMask:
    """The hexes with friendly units nearest to where a headquarters was lost (11)."""
    grid = p.ground.grid
    occupied = p.occupied(p.roster.hqs[q].side)
    near = 1 << p.hq_lost[q]
    while occupied and not near & occupied:
        near |= grid.ring(near)
    return near & occupied


def bring_back(p: TijvinPosition, q: int, h: int) -> None:
    """A headquarters is back on the map."""
    p.hq_hex[q], p.hq_lost[q] = h, NOWHERE
    p.note("hq-returns", "11.H", "{} returns in {}", p.roster.hqs[q].name, p.place_name(h), side=p.roster.hqs[q].side)


def _returning(p: TijvinPosition) -> list[int]:
    """Headquarters of the side in hand whose return leaves a choice."""
    return [
        q for q in p.roster.hqs_of[p.side]
        if p.hq_hex[q] < 0 and p.hq_lost[q] >= 0 and return_hexes(p, q).bit_count() > 1
    ]  # fmt: skip


def return_orders(p: TijvinPosition) -> Iterator[Order]:
    """``place HQ HEX``, one headquarters after the other, then the end."""
    waiting = _returning(p)
    for q in waiting[:1]:
        for h in p.ground.grid.members(return_hexes(p, q)):
            yield Order("place", (p.roster.hqs[q].id,), (p.ground.grid.number(h),))
    if not waiting:
        yield END


def return_refusal(p: TijvinPosition, order: Order) -> Refusal | None:
    """Why a headquarters may not return there."""
    if order in return_orders(p):
        return None
    waiting = _returning(p)
    if not waiting:
        return wrong_verb("11.H", "end: all headquarters are back")
    if order.verb != "place":
        return wrong_verb("11.H", f"bring {p.roster.hqs[waiting[0]].name} back: place HQ HEX")
    return Refusal("11.H", "it returns with a friendly unit as near as possible to where it was lost")


def apply_return(p: TijvinPosition, order: Order) -> None:
    """The owner has chosen where a headquarters returns."""
    if order == END:
        p.stage = "returns"
    else:
        bring_back(p, p.roster.hq_index[order.units[0]], p.ground.grid.hex(order.hexes[0]))


def return_prompt(p: TijvinPosition) -> str:
    """What the side in hand is asked."""
    waiting = _returning(p)
    return f"Bring back {p.roster.hqs[waiting[0]].name}" if waiting else "All headquarters are back: end"


RETURN = Step(return_orders, return_refusal, apply_return, return_prompt)


# Weather (7) ----------------------------------------------------------------------------------


def weather_die(p: TijvinPosition) -> Chance:
    """One die a turn."""
    return die("the weather", "7.W")


def apply_weather(p: TijvinPosition, order: Order) -> None:
    """The month's column tells the weather."""
    p.weather = p.tables.weather.column(p.turn).faces[number(order) - 1]
    p.note("weather", "7.W", "The weather is {}", p.weather.replace("-", " "))
    p.stage = "supply"


WEATHER = Roll(weather_die, apply_weather)


# Reinforcements (8) ---------------------------------------------------------------------------


def reinforcements_of(p: TijvinPosition, side: str) -> None:
    """A side's reinforcements, if any can come in."""
    p.side = p.mover = side
    if any(entry_hexes(p, u) for u in arriving(p)):
        p.stage = "reinforcement"
    else:
        pass_by(p, "reinforcement", "reinforcement")
        close_entries(p)


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
    hexes = 0
    for entry in entries:
        hexes |= p.map.places.get(entry, 0)
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
    """What could not come in is delayed, and may come by another way later."""
    late = [u for u in arriving(p) if p.box[u] == DUE]
    for u in late:
        p.delayed |= 1 << u
    if late:
        p.note("delayed", "8.R", "{} cannot enter yet", p.name(sum(1 << u for u in late)), side=p.side)
    p.stage = "reinforcements-of-second" if p.side == in_turn(p)[0] else "replacements-of-first"


def reinforcement_orders(p: TijvinPosition) -> Iterator[Order]:
    """``enter UNIT HEX``."""
    closed = True
    for u in arriving(p):
        for h in p.ground.grid.members(entry_hexes(p, u)):
            closed = False
            yield Order("enter", (p.roster.units[u].id,), (p.ground.grid.number(h),))
    if closed:
        yield END


def reinforcement_refusal(p: TijvinPosition, order: Order) -> Refusal | None:
    """Why a reinforcement may not enter there; all that can enter must."""
    if order == END and not any(entry_hexes(p, u) for u in arriving(p)):
        return None
    if order.verb != "enter" or len(order.units) != 1 or len(order.hexes) != 1:
        return wrong_verb("8.R", "bring reinforcements in: enter UNIT HEX")
    u = p.roster.index.get(order.units[0], -1)
    if u not in arriving(p):
        return Refusal("8.R", f"{order.units[0]} does not arrive now")
    if order.hexes[0] not in p.ground.grid:
        return Refusal("8.R", f"the map has no hex {order.hexes[0]}")
    h = p.ground.grid.hex(order.hexes[0])
    if entry_hexes(p, u) >> h & 1:
        return None
    enemy = enemy_of(p.side)
    if p.occupied(enemy) >> h & 1:
        return Refusal("8.R", "an enemy unit stands in that hex")
    if p.zone(enemy) >> h & 1 and not p.occupied(p.side) >> h & 1:
        return Refusal("8.R", "that hex is in an enemy zone of control and no friendly unit stands there")
    if p.occupied(p.side) >> h & 1 and p.room(h, p.side) < p.cf[u]:
        return Refusal("4", f"more than {p.tables.stacking.limit} factors would stand there")
    return Refusal("8.R", f"{p.roster.units[u].name} does not enter there")


def apply_reinforcement(p: TijvinPosition, order: Order) -> None:
    """A reinforcement stands on the map, in supply."""
    if order == END:
        close_entries(p)
        return
    u, h = p.roster.index[order.units[0]], p.ground.grid.hex(order.hexes[0])
    p.stand(u, h)
    p.delayed &= ~(1 << u)
    p.note("enters", "8.R", "{} arrives in {}", p.roster.units[u].name, p.place_name(h), side=p.side)


def reinforcement_prompt(p: TijvinPosition) -> str:
    """Who can still come in."""
    units = sum(1 << u for u in arriving(p) if entry_hexes(p, u))
    return f"Bring in {p.name(units)}" if units else "Reinforcements are in: end"


REINFORCEMENT = Step(reinforcement_orders, reinforcement_refusal, apply_reinforcement, reinforcement_prompt)


# Replacements (8) -----------------------------------------------------------------------------


def replacements_of(p: TijvinPosition, side: str) -> None:
    """A side rolls for replacement points; there are none on turn 1 (15.1)."""
    p.side = p.mover = side
    p.points = p.rolled = 0
    if p.turn > 1:
        p.stage = "replacement-roll"
    else:
        end_replacements(p)


def replacement_die(p: TijvinPosition) -> Chance:
    """Each side's die; hidden under fog of war (17.1)."""
    node = die(f"{p.side.capitalize()} replacement points", "8.P")
    if not p.fog:
        return node
    return Chance(node.title, node.outcomes, node.case, frozenset({enemy_of(p.side), "observer"}), node.even)


def apply_replacement_die(p: TijvinPosition, order: Order) -> None:
    """Points by the die, and the bonus of the turn. Where nothing can be bought the phase goes by, but not under fog:
    what a side could buy is hidden then (17.1)."""
    table = p.tables.replacements
    p.points = p.rolled = table.points[number(order) - 1] + table.bonus_of(p.side, p.turn)
    text = "{} replacement point" if p.points == 1 else "{} replacement points"
    p.note("points", "8.P", text, p.points, side=p.side, secret=p.fog)
    p.stage = "replacement"
    if not p.fog and next(iter(purchases(p)), None) is None:
        pass_by(p, "replacement", "replacement")
        end_replacements(p)


REPLACEMENT_ROLL = Roll(replacement_die, apply_replacement_die)


def end_replacements(p: TijvinPosition) -> None:
    """Unspent points are lost."""
    p.points = p.rolled = 0
    p.stage = "replacements-of-second" if p.side == in_turn(p)[0] else "deliveries"


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


def replacement_refusal_of(p: TijvinPosition, u: int) -> Refusal | None:
    """Why a unit cannot be given a factor."""
    unit = p.roster.units[u]
    if unit.side != p.side:
        return Refusal("8.P", f"{unit.name} is not yours")
    price = p.tables.replacements.price(unit)
    if price is None:
        return Refusal("8.P", f"{unit.name} cannot recover")
    if price > p.points:
        return Refusal("8.P", f"a factor of {unit.name} costs {price} points, {p.points} are left")
    given = bought(p, u)
    if p.cf[u] + given >= unit.cf:
        return Refusal("13.A" if unit.type == "artillery" else "4", f"{unit.name} is at full strength")
    if p.cf[u] == 0:
        if given and crowd(p, next(h for v, _, h in p.bought if v == u)) >= p.tables.stacking.limit:
            return Refusal("4", "the hex is full")
        return None
    if p.hexes[u] < 0:
        return Refusal("8.P", f"{unit.name} is not on the map")
    if p.unsupplied >> u & 1:
        return Refusal("10", f"{unit.name} is out of supply")
    if not in_range(p, u):
        return Refusal("8.P", f"{unit.name} is out of its headquarters' command range")
    if crowd(p, p.hexes[u]) >= p.tables.stacking.limit:
        return Refusal("4", "the hex is full")
    return None


def rebuilding(p: TijvinPosition) -> HexMask:
    """Headquarters of the side in hand at or next to which it can rebuild a unit."""
    units = [u for u in p.roster.of[p.side] if not p.cf[u] and replacement_refusal_of(p, u) is None]
    return sum({1 << p.hq_hex[p.hq[u]] for u in units if p.hq_hex[p.hq[u]] >= 0})


def purchases(p: TijvinPosition) -> Iterator[Order]:
    """``replace UNIT`` for a factor, ``replace UNIT HEX`` to rebuild a destroyed unit."""
    for u in p.roster.of[p.side]:
        if p.cf[u] >= p.roster.units[u].cf or replacement_refusal_of(p, u) is not None:
            continue
        name = p.roster.units[u].id
        if p.cf[u] or bought(p, u):
            yield Order("replace", (name,))
        else:
            for h in p.ground.grid.members(rebuild_hexes(p, u)):
                yield Order("replace", (name,), (p.ground.grid.number(h),))


def replacement_orders(p: TijvinPosition) -> Iterator[Order]:
    """Purchases, or the end of them."""
    yield from purchases(p)
    yield END


def replacement_refusal(p: TijvinPosition, order: Order) -> Refusal | None:
    """Why points may not be spent like that."""
    if order == END:
        return None
    if order.verb != "replace" or len(order.units) != 1 or len(order.hexes) > 1:
        return wrong_verb("8.P", "spend replacement points: replace UNIT, or replace UNIT HEX")
    u = p.roster.index.get(order.units[0], -1)
    if u < 0:
        return Refusal("8.P", f"there is no unit {order.units[0]}")
    refused = replacement_refusal_of(p, u)
    if refused is not None:
        return refused
    rebuilding = not p.cf[u] and not bought(p, u)
    if not rebuilding:
        return Refusal("8.P", "only a destroyed unit is placed anew") if order.hexes else None
    if not order.hexes:
        return Refusal("8.P", "a rebuilt unit needs a hex at or next to its headquarters")
    if order.hexes[0] in p.ground.grid and rebuild_hexes(p, u) >> p.ground.grid.hex(order.hexes[0]) & 1:
        return None
    return Refusal("8.P", "a rebuilt unit stands with its supplied headquarters, or next to it where nobody stands "
                          "and no enemy zone of control reaches")  # fmt: skip


def apply_replacement(p: TijvinPosition, order: Order) -> None:
    """A factor is bought; it is delivered when both players have finished, so neither can watch the other."""
    if order == END:
        end_replacements(p)
        return
    u = p.roster.index[order.units[0]]
    unit = p.roster.units[u]
    price = p.tables.replacements.price(unit)
    assert price is not None
    p.points -= price
    old = next((entry for entry in p.bought if entry[0] == u), (u, 0, NOWHERE))
    at = p.ground.grid.hex(order.hexes[0]) if order.hexes else old[2]
    p.bought = tuple(sorted((*(entry for entry in p.bought if entry[0] != u), (u, old[1] + 1, at))))
    p.note("bought", "8.P", "{} receives a factor", unit.name, side=p.side, secret=True)


REPLACEMENT = Step(
    replacement_orders, replacement_refusal, apply_replacement,
    lambda p: f"Spend {p.points} replacement point{'s' * (p.points != 1)}", some(replacement_orders, 0.1),
)  # fmt: skip


def deliveries(p: TijvinPosition) -> None:
    """What both players bought joins the units; rebuilt ones stand on the map in supply (8)."""
    for u, factors, at in p.bought:
        p.cf[u] += factors if at < 0 else 0
    p.disturb()
    for u, factors, at in p.bought:
        if at >= 0:
            rebuild(p, u, factors, at)
    p.bought = ()
    p.stage = "assignments-of-first"


def rebuild(p: TijvinPosition, u: int, factors: int, at: Hex) -> None:
    """A destroyed unit is back. Where the enemy has just rebuilt one of his in the same hex, it stands with
    its headquarters instead; if that hex is full, it stays destroyed (8)."""
    unit = p.roster.units[u]
    if p.occupied(enemy_of(unit.side)) >> at & 1:
        at = p.hq_hex[p.hq[u]]
        if p.room(at, unit.side) < factors:
            p.note("crowded-out", "8.P", "{} finds no place", unit.name, side=unit.side)
            return
    p.cf[u] = factors
    if p.known is not None:
        p.known[u] = (unit.cf + 1) // 2
    p.stand(u, at)
    p.note("rebuilt", "8.P", "{} is back in {}", unit.name, p.place_name(at), side=unit.side)


# Assignment (9) -------------------------------------------------------------------------------


def assignments_of(p: TijvinPosition, side: str) -> None:
    """A side assigns its units, if it has anything to change; under fog that is not to be seen (17.1)."""
    p.side = p.mover = side
    p.assigned = 0
    p.stage = "assignment"
    if settled(p) or (not p.fog and next(iter(changes(p)), None) is None):
        pass_by(p, "assignment", "assignment")
        end_assignments(p)


def end_assignments(p: TijvinPosition) -> None:
    """The other side assigns, or command is settled."""
    p.assigned = 0
    p.stage = "assignments-of-second" if p.side == in_turn(p)[0] else "command"


def settled(p: TijvinPosition) -> bool:
    """Whether the Soviet units still obey whom they start with: on the first turn of the historical scenario (9)."""
    return p.side == "soviet" and p.turn < p.game.book.set_up.scenarios[p.scenario].soviet_assignment


def closed_army(p: TijvinPosition) -> int:
    """The headquarters whose units are tied to it for the Sinyavino offensive, or -1 (15.1)."""
    spec = p.game.book.set_up.sinyavino
    if deployment.restricted(p) and spec.first <= p.turn <= spec.last:
        return p.roster.hq_index[spec.army]
    return -1


def assignment_refusal_of(p: TijvinPosition, u: int, q: int) -> Refusal | None:
    """Why a unit may not be assigned to a headquarters."""
    unit, hq = p.roster.units[u], p.roster.hqs[q]
    if unit.side != p.side or hq.side != p.side:
        return Refusal("9", "only your own units and headquarters")
    if p.box[u] in (DUE, ABSENT):
        return Refusal("9", f"{unit.name} has not arrived yet")
    if p.assigned >> u & 1:
        return Refusal("9", f"{unit.name} has been assigned in this step")
    if p.hq[u] == q:
        return Refusal("9", f"{unit.name} obeys {hq.name} already")
    closed = closed_army(p)
    if closed in (q, p.hq[u]):
        after = p.game.book.set_up.sinyavino.last
        return Refusal("15.1", f"no unit may leave or join {p.roster.hqs[closed].name} before turn {after + 1}")
    if settled(p):
        first = p.game.book.set_up.scenarios[p.scenario].soviet_assignment
        return Refusal("9", f"before turn {first} Soviet units obey the headquarters of the order of battle")
    return too_weak(p, u)


def too_weak(p: TijvinPosition, u: int) -> Refusal | None:
    """Why a headquarters cannot spare a unit when each has to keep a minimum (17.2)."""
    if not p.options["minimum-hq"] or not p.cf[u]:
        return None
    others = (v for v in p.roster.of[p.side] if v != u and p.hq[v] == p.hq[u] and p.box[v] not in (DUE, ABSENT))
    left = sum(p.cf[v] for v in others)
    if left >= p.tables.minimum_headquarters:
        return None
    return Refusal("17.2", f"{p.roster.hqs[p.hq[u]].name} would be left with {left} factors")


def changes(p: TijvinPosition) -> Iterator[Order]:
    """``assign UNIT HQ``."""
    if settled(p):
        return
    closed = closed_army(p)
    hqs = [(q, (p.roster.hqs[q].id,)) for q in p.roster.hqs_of[p.side] if q != closed]
    for u in p.roster.of[p.side]:
        mine = p.hq[u]
        if p.box[u] in (DUE, ABSENT) or p.assigned >> u & 1 or mine == closed or too_weak(p, u) is not None:
            continue
        name = (p.roster.units[u].id,)
        for q, word in hqs:
            if q != mine:
                yield Order("assign", name, (), word)


def assignment_orders(p: TijvinPosition) -> Iterator[Order]:
    """Changes, or the end of them."""
    yield from changes(p)
    yield END


def assignment_refusal(p: TijvinPosition, order: Order) -> Refusal | None:
    """Why an assignment is refused."""
    if order == END:
        return None
    if order.verb != "assign" or len(order.units) != 1 or len(order.words) != 1:
        return wrong_verb("9", "assign units to headquarters: assign UNIT HQ")
    u, q = p.roster.index.get(order.units[0], -1), p.roster.hq_index.get(order.words[0], -1)
    if u < 0 or q < 0:
        return Refusal("9", f"there is no {order.units[0] if u < 0 else order.words[0]}")
    return assignment_refusal_of(p, u, q)


def apply_assignment(p: TijvinPosition, order: Order) -> None:
    """A unit obeys another headquarters."""
    if order == END:
        end_assignments(p)
        return
    u, q = p.roster.index[order.units[0]], p.roster.hq_index[order.words[0]]
    p.hq[u] = q
    p.assigned |= 1 << u
    name, hq = p.roster.units[u].name, p.roster.hqs[q].name
    p.note("assigned", "9", "{} now obeys {}", name, hq, side=p.side, secret=p.fog)


def pick_assignment(p: TijvinPosition, rng: random.Random) -> Order:
    """Some change, or the end of the step."""
    if rng.random() < 0.6:
        units, hqs = p.roster.of[p.side], p.roster.hqs_of[p.side]
        u, q = units[int(rng.random() * len(units))], hqs[int(rng.random() * len(hqs))]
        if assignment_refusal_of(p, u, q) is None:
            return Order("assign", (p.roster.units[u].id,), (), (p.roster.hqs[q].id,))
    return END


ASSIGNMENT = Step(
    assignment_orders, assignment_refusal, apply_assignment,
    "Assign units to headquarters, then end", pick_assignment,
)  # fmt: skip


def settle_command(p: TijvinPosition) -> None:
    """Mark the units out of command range for the turn (9, 11)."""
    p.uncommanded = 0
    for side in p.game.sides:
        for u in p.roster.of[side]:
            if p.hexes[u] >= 0 and not in_range(p, u):
                p.uncommanded |= 1 << u
    if p.uncommanded:
        text = p.do(p.uncommanded, "{} is out of command", "{} are out of command")
        p.note("command", "9", text, p.name(p.uncommanded))
    p.stage = "operations"
