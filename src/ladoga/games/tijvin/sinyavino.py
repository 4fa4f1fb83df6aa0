"""The second Sinyavino offensive (section 15.1): the 54 Army waits on turn 1 and must attack on turn 2."""

from __future__ import annotations

from ...hexes import NOWHERE, Hex, mask_of, members
from .book import UnitMask
from .deployment import restricted
from .position import TijvinPosition


def city(p: TijvinPosition) -> Hex:
    """Sinyavino, if the map has it: the stars are beside it (15.1)."""
    number = p.game.book.set_up.sinyavino.city
    starred = p.ground.one_star | p.ground.two_stars
    return p.ground.grid.hex(number) if starred and number in p.ground.grid else NOWHERE


def army(p: TijvinPosition) -> int:
    """The headquarters of the 54 Army (15.1)."""
    return p.roster.hq_index[p.game.book.set_up.sinyavino.army]


def waits(p: TijvinPosition) -> bool:
    """Turn 1: the army may not be activated (15.1)."""
    return p.turn == p.game.book.set_up.sinyavino.first and restricted(p)


def attacks(p: TijvinPosition) -> bool:
    """Turn 2: part of the army has to attack (15.1)."""
    return p.turn == p.game.book.set_up.sinyavino.last and restricted(p) and city(p) != NOWHERE


def bound(p: TijvinPosition) -> UnitMask:
    """Turn 2: the units that may not move and have to attack, artillery beside them included; not who came there only
    now, for who was not beside the city takes no part (15.1)."""
    if not attacks(p) or p.side != "soviet":
        return 0
    one, two, q = p.ground.one_star, p.ground.two_stars, army(p)
    special = p.roster.index[p.game.book.set_up.sinyavino.attacker_of_two_stars]
    there = (u for u in p.roster.of["soviet"] if p.hq[u] == q and p.hexes[u] >= 0)
    return mask_of(u for u in there if (one | two if u == special else one) >> p.hexes[u] & 1) & ~p.moved


def idle(p: TijvinPosition) -> UnitMask:
    """Units of the army that may not be activated: all on turn 1, on turn 2 those next to Sinyavino
    that are not called up to attack it (15.1)."""
    if p.turn > p.game.book.set_up.sinyavino.last or not restricted(p):
        return 0
    q = army(p)
    units = [u for u in p.roster.of["soviet"] if p.hq[u] == q and p.hexes[u] >= 0]
    if waits(p):
        return sum(1 << u for u in units)
    if not attacks(p) or p.side != "soviet":
        return 0
    near = p.ground.grid.ring(1 << city(p))
    return sum(1 << u for u in units if near >> p.hexes[u] & 1) & ~bound(p)


def duty(p: TijvinPosition, active: UnitMask) -> UnitMask:
    """Activated units that still have to attack Sinyavino; nobody if no German stands there
    (15.1)."""
    if not attacks(p) or not p.occupied("german") >> city(p) & 1:
        return 0
    units = bound(p) & active & ~p.attacked & ~p.roster.artillery
    return sum(1 << u for u in members(units) if p.ground.grid.adjacent(p.hexes[u], city(p)))


def barred_from_city(p: TijvinPosition) -> UnitMask:
    """Activated units of the army that may not attack Sinyavino on turn 2 (15.1)."""
    if not attacks(p) or p.side != "soviet":
        return 0
    q = army(p)
    return sum(1 << u for u in members(p.active) if p.hq[u] == q) & ~bound(p)
