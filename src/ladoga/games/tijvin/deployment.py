"""Setting up (sections 15 and 16): what stands where when the game begins, and what players place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...hexes import Hex, HexMask, members
from ...kernel.errors import Illegal
from ...kernel.orders import Order
from ...kernel.position import Refusal, first_case, forbid
from ...kernel.sequence import Action, Item
from .book import DUE, UnitMask
from .position import TijvinPosition
from .steps import Actions, hex_of, whenever, wrong_verb


class Placing(NamedTuple):
    """A unit, or else a headquarters, and the hex it is set up in."""

    unit: int
    hq: int
    hex: Hex


def free(p: TijvinPosition) -> bool:
    """Whether the players place everything (15.2)."""
    return p.game.book.set_up.scenarios[p.scenario].set_up == "free"


def case_of(p: TijvinPosition) -> str:
    """The section that rules the set-up."""
    return "15.2" if free(p) else "15.1"


def restricted(p: TijvinPosition) -> bool:
    """Whether the limits of the Sinyavino offensive hold (15.1, 15.2)."""
    spec = p.game.book.set_up.scenarios[p.scenario]
    return spec.sinyavino or (spec.set_up == "free" and p.options.sinyavino)


def begin(p: TijvinPosition) -> None:
    """Put everything on the map that stands there before the players begin."""
    book, roster = p.game.book, p.roster
    army = roster.hq_index[book.set_up.sinyavino.army]
    for name, number in book.set_up.units.items():
        u = roster.index[name]
        if not free(p) or (restricted(p) and roster.units[u].hq == army):
            p.stand(u, p.ground.grid.hex(number))
    p.control = p.ground.german_side
    for u in range(len(roster.units)):
        if p.hexes[u] >= 0:
            p.take(p.hexes[u], roster.units[u].side)
    p.agenda = (Item("set-up", 0),)


def is_last_change(p: TijvinPosition) -> bool:
    """Whether the Soviet player may place two units anew, the last thing in the free set-up (15.2)."""
    return p.stage == "set-up-2" and p.side == "soviet"


def waiting(p: TijvinPosition) -> tuple[UnitMask, list[int]]:
    """Units and headquarters that the side in hand has to place now."""
    if is_last_change(p):
        return 0, []
    roster = p.roster
    at_start = [u for u in roster.of[p.side] if roster.units[u].arrives == 0 and p.box[u] == DUE]
    hqs = [q for q in roster.hqs_of[p.side] if p.hq_hex[q] < 0]
    if free(p) and p.side == "german" and p.stage == "set-up":
        at_start = [u for u in at_start if roster.foot_infantry >> u & 1]
        hqs = []
    return sum(1 << u for u in at_start), hqs


def ground_of(p: TijvinPosition) -> HexMask:
    """The side of the front line on which the side in hand sets up."""
    return p.ground.land & (p.ground.german_side if p.side == "german" else ~p.ground.german_side)


def movable(p: TijvinPosition) -> UnitMask:
    """Soviet units that may still be placed anew: one infantry unit and one mobile unit (15.2)."""
    roster = p.roster
    result = p.on_map("soviet") & ~p.shifted
    if p.shifted & roster.foot_infantry:
        result &= ~roster.foot_infantry
    if p.shifted & roster.mobile:
        result &= ~roster.mobile
    result &= roster.foot_infantry | roster.mobile
    if restricted(p):
        army = roster.hq_index[p.game.book.set_up.sinyavino.army]
        result &= ~sum(1 << u for u in members(result) if p.hq[u] == army)
    return result


def unit_hexes(p: TijvinPosition, u: int) -> HexMask:
    """Where a unit may be placed."""
    hexes, side, factors = ground_of(p), p.side, p.cf[u]
    if not free(p) and p.roster.artillery >> u & 1:
        hq = p.hq[u]
        partners = sum({1 << p.hexes[v] for v in members(p.on_map(side)) if p.hq[v] == hq})
        hexes &= partners | (1 << p.hq_hex[hq] if p.hq_hex[hq] >= 0 else 0)
    crowded = sum(1 << h for h in members(hexes & p.occupied(side)) if p.room(h, side) < factors)
    return hexes & ~crowded & ~(1 << p.hexes[u] if p.hexes[u] >= 0 else 0)


def places(p: TijvinPosition) -> Iterator[Order]:
    """``place UNIT HEX`` for everything that waits."""
    units, hqs = waiting(p)
    waits = [(p.roster.units[u].id, unit_hexes(p, u)) for u in members(movable(p) if is_last_change(p) else units)]
    waits += [(p.roster.hqs[q].id, ground_of(p)) for q in hqs]
    for name, hexes in waits:
        yield from (Order("place", (name,), (p.ground.names[h],)) for h in p.ground.grid.members(hexes))


def placing(p: TijvinPosition, order: Order) -> Placing:
    """A unit or headquarters that waits, in a hex on its own side of the front line with room for it."""
    forbid(len(order.units) != 1 or len(order.hexes) != 1, *otherwise(p, order))
    case, name, number, roster = case_of(p), order.units[0], order.hexes[0], p.roster
    forbid(number not in p.ground.grid, case, "the map has no hex {}", number)
    units, hqs = waiting(p)
    u, q, h = roster.index.get(name, -1), roster.hq_index.get(name, -1), hex_of(p, order)
    foreign, limit = not ground_of(p) >> h & 1, p.tables.stacking.limit
    forbid(q not in hqs if q >= 0 else u < 0 or not (movable(p) if is_last_change(p) else units) >> u & 1, case,
           "{} is not to be placed now", name)  # fmt: skip
    forbid(foreign, case, "{} is not on your side of the front line", number)
    if q < 0 and not unit_hexes(p, u) >> h & 1:
        forbid(p.hexes[u] == h, case, "{} stands there already", roster.units[u].name)
        forbid(p.room(h, p.side) < p.cf[u], "4", "more than {} factors would stand in {}", limit, number)
        raise Illegal("15.1", "artillery starts with its headquarters or with a unit of the same headquarters")
    return Placing(u, q, h)


def place(p: TijvinPosition, placed: Placing) -> None:
    """Something is set up."""
    u, q, h = placed
    if u < 0:
        p.hq_hex[q] = h
        name = p.roster.hqs[q].name
    else:
        if is_last_change(p):
            p.shifted |= 1 << u
        p.stand(u, h)
        name = p.roster.units[u].name
    p.tell("placed", case_of(p), "{} is set up in {}", name, p.place_name(h), side=p.phasing)


def why_not_end(p: TijvinPosition) -> Refusal | None:
    """A side has to place everything; only the last changes are voluntary."""
    late = not is_last_change(p) and waiting(p) != (0, [])
    return first_case((late, case_of(p), "everything has to be placed first"))


def end(p: TijvinPosition) -> None:
    """The other side sets up; in the free set-up both have a second turn (15.2)."""
    at, side, _ = p.agenda[0]
    if side == 0 and (free(p) or at == "set-up"):
        p.go(at, 1)
    elif free(p) and at == "set-up":
        p.go("set-up-2", 0)
    else:
        p.go("begin-turn")


def otherwise(p: TijvinPosition, _: Order) -> Refusal:
    """Nothing but placing."""
    return wrong_verb(case_of(p), "place units: place UNIT HEX")


def prompt(p: TijvinPosition) -> str:
    """What the side in hand is asked."""
    if is_last_change(p):
        return "You may place one infantry and one mobile unit anew"
    units, hqs = waiting(p)
    if not units and not hqs:
        return "Everything is set up: end"
    counted = [(units.bit_count(), "unit" if units.bit_count() == 1 else "units"), (len(hqs), "headquarters")]
    return "Place " + " and ".join(f"{n} {word}" for n, word in counted if n)


ACTIONS: Actions = {"place": Action(placing, place, places), "end": whenever("end", why_not_end, end)}
