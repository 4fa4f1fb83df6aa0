"""Setting up (sections 15 and 16): what stands where when the game begins, and what players place."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...hexes import Hex, HexMask, members
from ...kernel.orders import END, Order
from ...kernel.position import Refusal
from .book import DUE, UnitMask
from .steps import Step, wrong_verb

if TYPE_CHECKING:
    from .position import TijvinPosition


def free(p: TijvinPosition) -> bool:
    """Whether the players place everything (15.2)."""
    return p.game.book.set_up.scenarios[p.scenario].set_up == "free"


def case_of(p: TijvinPosition) -> str:
    """The section that rules the set-up."""
    return "15.2" if free(p) else "15.1"


def restricted(p: TijvinPosition) -> bool:
    """Whether the limits of the Sinyavino offensive hold (15.1, 15.2)."""
    spec = p.game.book.set_up.scenarios[p.scenario]
    return spec.sinyavino or (spec.set_up == "free" and bool(p.options["sinyavino"]))


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
    p.side = p.mover = "german"
    p.stage = "set-up"


def waiting(p: TijvinPosition) -> tuple[UnitMask, list[int]]:
    """Units and headquarters that the side in hand has to place now."""
    roster = p.roster
    at_start = [u for u in roster.of[p.side] if roster.units[u].arrives == 0 and p.box[u] == DUE]
    hqs = [q for q in roster.hqs_of[p.side] if p.hq_hex[q] < 0]
    if free(p) and p.side == "german" and p.stage == "set-up":
        at_start = [u for u in at_start if roster.foot_infantry >> u & 1]
        hqs = []
    if p.stage == "set-up-2" and p.side == "soviet":
        return 0, []
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
    hexes = ground_of(p)
    if not free(p) and p.roster.artillery >> u & 1:
        hq = p.hq[u]
        partners = sum({1 << p.hexes[v] for v in members(p.on_map(p.side)) if p.hq[v] == hq})
        hexes &= partners | (1 << p.hq_hex[hq] if p.hq_hex[hq] >= 0 else 0)
    crowded = sum(1 << h for h in members(hexes & p.occupied(p.side)) if p.room(h, p.side) < p.cf[u])
    return hexes & ~crowded & ~(1 << p.hexes[u] if p.hexes[u] >= 0 else 0)


def orders(p: TijvinPosition) -> Iterator[Order]:
    """``place UNIT HEX`` for everything that waits."""
    grid = p.ground.grid
    units, hqs = waiting(p)
    ending = p.stage == "set-up-2" and p.side == "soviet"
    for u in members(movable(p) if ending else units):
        for h in grid.members(unit_hexes(p, u)):
            yield Order("place", (p.roster.units[u].id,), (grid.number(h),))
    for q in hqs:
        for h in grid.members(ground_of(p)):
            yield Order("place", (p.roster.hqs[q].id,), (grid.number(h),))
    if ending or not (units or hqs):
        yield END


def refusal(p: TijvinPosition, order: Order) -> Refusal | None:
    """Why something may not be placed."""
    case = case_of(p)
    ending = p.stage == "set-up-2" and p.side == "soviet"
    if order == END:
        return None if ending or waiting(p) == (0, []) else Refusal(case, "everything has to be placed first")
    if order.verb != "place" or len(order.units) != 1 or len(order.hexes) != 1:
        return wrong_verb(case, "place units: place UNIT HEX")
    name, number = order.units[0], order.hexes[0]
    if number not in p.ground.grid:
        return Refusal(case, f"the map has no hex {number}")
    h = p.ground.grid.hex(number)
    units, hqs = waiting(p)
    if name in p.roster.hq_index:
        if p.roster.hq_index[name] not in hqs:
            return Refusal(case, f"{name} is not to be placed now")
        return None if ground_of(p) >> h & 1 else Refusal(case, f"{number} is not on your side of the front line")
    u = p.roster.index.get(name, -1)
    if u < 0 or not (movable(p) if ending else units) >> u & 1:
        return Refusal(case, f"{name} is not to be placed now")
    if unit_hexes(p, u) >> h & 1:
        return None
    return _bad_hex(p, u, h)


def _bad_hex(p: TijvinPosition, u: int, h: Hex) -> Refusal:
    number = p.ground.grid.number(h)
    if not ground_of(p) >> h & 1:
        return Refusal(case_of(p), f"{number} is not on your side of the front line")
    if p.hexes[u] == h:
        return Refusal(case_of(p), f"{p.roster.units[u].name} stands there already")
    if p.room(h, p.side) < p.cf[u]:
        return Refusal("4", f"more than {p.tables.stacking.limit} factors would stand in {number}")
    return Refusal("15.1", "artillery starts with its headquarters or with a unit of the same headquarters")


def apply(p: TijvinPosition, order: Order) -> None:
    """Place something; once nothing is left to place, the side ends its set-up."""
    if order == END:
        _go_on(p)
        return
    name, h = order.units[0], p.ground.grid.hex(order.hexes[0])
    if name in p.roster.hq_index:
        q = p.roster.hq_index[name]
        p.hq_hex[q] = h
        name = p.roster.hqs[q].name
    else:
        u = p.roster.index[name]
        if p.stage == "set-up-2" and p.side == "soviet":
            p.shifted |= 1 << u
        p.stand(u, h)
        name = p.roster.units[u].name
    p.note("placed", case_of(p), "{} is set up in {}", name, p.place_name(h), side=p.side)


def _go_on(p: TijvinPosition) -> None:
    if p.side == "german" and p.stage == "set-up":
        p.side = p.mover = "soviet"
    elif not free(p) or (p.side == "soviet" and p.stage == "set-up-2"):
        p.stage = "begin-turn"
    elif p.side == "soviet":
        p.stage, p.side, p.mover = "set-up-2", "german", "german"
    else:
        p.side = p.mover = "soviet"


def prompt(p: TijvinPosition) -> str:
    """What the side in hand is asked."""
    if p.stage == "set-up-2" and p.side == "soviet":
        return "You may place one infantry and one mobile unit anew"
    units, hqs = waiting(p)
    if not units and not hqs:
        return "Everything is set up: end"
    counted = [(units.bit_count(), "unit" if units.bit_count() == 1 else "units"), (len(hqs), "headquarters")]
    return "Place " + " and ".join(f"{n} {word}" for n, word in counted if n)


def pick(p: TijvinPosition, rng: random.Random) -> Order:
    """Some unit or headquarters, and some hex for it; or the end of the last changes."""
    units, hqs = waiting(p)
    ending = p.stage == "set-up-2" and p.side == "soviet"
    if (ending and rng.random() < 0.3) or (not ending and not units and not hqs):
        return END
    names = [p.roster.units[u].id for u in members(movable(p) if ending else units)]
    names += [p.roster.hqs[q].id for q in hqs]
    while names:
        name = names.pop(int(rng.random() * len(names)))
        u = p.roster.index.get(name, -1)
        hexes = list(members(ground_of(p) if u < 0 else unit_hexes(p, u)))
        if hexes:
            return Order("place", (name,), (p.ground.names[rng.choice(hexes)],))
    return END


STEP = Step(orders, refusal, apply, prompt, pick)
