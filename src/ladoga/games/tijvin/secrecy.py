"""What a side may know: replacement points are always secret, strengths and assignments under fog (17.1)."""

from __future__ import annotations

import random
from functools import reduce
from operator import or_

from ...hexes import HexMask, members
from . import administration, aftermath
from .battle import Activation, Purse
from .book import EDGES, ON_MAP, UnitMask, enemy_of
from .position import TijvinPosition


def seen_by(p: TijvinPosition, side: str) -> TijvinPosition:
    """The position as a side (or an observer) sees it: the very same where nothing is hidden."""
    if not _hides(p, side):
        return p
    seen = p._copy()
    seen._planned = None
    seen.events = tuple(e for e in p.events if side not in e.hidden_from)
    for other in p.game.sides:
        if other != side:
            _hide_purchases(seen, other)
            if p.fog:
                _hide_sheet(seen, p, other)
    if p.fog and p.stage in _ASKING and p.mover == side:
        zones = aftermath.fresh_zone(p) if p.stage == "advance" else p.whole_zone(enemy_of(side))
        seen.shown = zones & _asked(p)
    return seen


def _hides(p: TijvinPosition, side: str) -> bool:
    """Whether there is anything that a side (or an observer) may not know."""
    others = [other for other in p.game.sides if other != side]
    return (
        p.fog
        or any(side in event.hidden_from for event in p.events)
        or (bool(p.purse.rolled) and p.side in others)
        or any(p.roster.units[unit].side in others for unit, *_ in p.bought)
    )


def _hide_purchases(seen: TijvinPosition, other: str) -> None:
    """Nobody sees the other side spend its points (8); under fog not even how many there are."""
    seen.bought = tuple(entry for entry in seen.bought if seen.roster.units[entry[0]].side != other)
    purse = seen.purse
    if purse.rolled and seen.side == other:
        rolled = 0 if seen.fog else purse.rolled
        seen.hold(Purse(rolled, rolled))


def _hide_sheet(seen: TijvinPosition, p: TijvinPosition, other: str) -> None:
    """Factors are what one reckons, assignments what section 16 says. Whom a headquarters activates is told by its
    sheet alone; units out of command are marked on the map and act by name (9, 11). Which unit paid is not told."""
    assert p.known is not None
    theirs = p.roster.side_mask[other]
    seen.spent &= ~theirs | p.uncommanded
    if p.active_hq >= 0:
        hidden = Activation(seen.active & ~theirs, p.active_hq)
        seen.agenda = (*seen.agenda[:-1], seen.agenda[-1]._replace(matter=hidden))
    if seen.battle is not None:
        seen.hold(seen.battle.but(hit=seen.battle.hit & ~theirs))
    for u in p.roster.of[other]:
        seen.hq[u] = p.roster.units[u].hq
        seen.assigned &= ~(1 << u)
        if p.box[u] == ON_MAP or p.box[u] in EDGES:
            seen.cf[u] = p.known[u]
            seen.unknown |= 1 << u
    seen.disturb()


_ASKING = ("reinforcement", "replacement", "retreat", "advance", "hq-movement")
"""Steps in which a player has to be told of enemy zones near by."""


def _asked(p: TijvinPosition) -> HexMask:
    """The hexes about which the side to move may ask now."""
    grid = p.ground.grid
    if p.stage == "advance":
        return aftermath.asked_for_advance(p)
    if p.battle is not None:
        return grid.within(1 << p.battle.target, 2)
    if p.stage == "hq-movement":
        return grid.within(1 << p.hq_hex[p.active_hq], p.tables.headquarters.hexes)
    if p.stage == "replacement":
        return grid.within(administration.rebuilding(p), 1)
    return reduce(or_, (administration.entries_of(p, u) for u in administration.arriving(p)), 0)


def imagined(p: TijvinPosition, side: str, rng: random.Random) -> TijvinPosition:
    """A full position that agrees with what a side knows: reckoned factors are drawn near the reckoning."""
    full = p._copy()
    full.shown = full._planned = None
    if not p.unknown:
        return full
    _activated(full)
    for u in members(p.unknown):
        most = p.roster.units[u].cf
        if p.hexes[u] >= 0:
            full.cf[u] = min(max(p.cf[u] + rng.choice((-2, -1, -1, 0, 0, 0, 1, 1, 2)), 1), most)
    full.unknown = 0
    full.disturb()
    _fit_stacks(full, p.unknown)
    return full


def _activated(p: TijvinPosition) -> None:
    """Headquarters that have acted activated the units that the order of battle gives them."""
    units, hq = p.activation
    for u in members(p.unknown & ~p.uncommanded):
        if p.hexes[u] < 0 or not p.hq_activated >> p.hq[u] & 1:
            continue
        p.spent |= 1 << u
        if p.hq[u] == hq and (p.bonus != "now" or p.roster.mobile >> u & 1):
            units |= 1 << u
    if hq >= 0:
        p.agenda = (*p.agenda[:-1], p.agenda[-1]._replace(matter=Activation(units, hq)))


def _fit_stacks(p: TijvinPosition, drawn: UnitMask) -> None:
    """No stack of units whose factors were drawn may hold more than the limit."""
    for side in p.game.sides:
        for h in members(p.occupied(side)):
            stack = p.at(h, side) & drawn
            while stack and p.room(h, side) < 0:
                largest = max(members(stack), key=p.cf.__getitem__)
                p.cf[largest] -= 1
                p.disturb(side)
