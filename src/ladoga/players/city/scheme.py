"""The scheme of a movement phase: which of the storms that could be struck are struck, and what line the others close.

A storm takes units away from where they keep the enemy out. So several schemes are compared, from all storms to none:
what the storms are worth, less what the enemy could then walk into before anybody can stop him.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...games.leningrad41.counters import GERMAN, SOVIET
from ...games.leningrad41.position import CityPosition
from ...hexes import Hex, HexMask
from ..doctrines.leningrad41_staff import river
from ..doctrines.leningrad41_staff.line import entering, foot, plan, posts, reach
from ..doctrines.leningrad41_staff.storms import Storm, Storms
from ..lay import FAR
from .sight import Sight, walks

SHARES = (1.0, 0.75, 0.5, 0.25, 0.0)
"""Parts of the storms that are tried."""
Scheme = tuple[list[Storm], HexMask, dict[int, Hex], dict[int, Hex]]
"""Storms, a line, who goes where to close it, and who garrisons what lies open behind it."""


def scheme(sight: Sight) -> Scheme:
    """The best scheme for a phase."""
    storms = Storms(sight).storms
    if sight.side == GERMAN:
        return storms, 0, {}, {}
    numbers = sorted({round(share * len(storms)) for share in SHARES}, reverse=True)
    if not sight.line:
        return _guarded(sight, storms, numbers)
    several = [_judged(sight, storms[:number]) for number in numbers]
    storms, line, gaps, _ = max(several, key=lambda judged: judged[0])[1]
    return storms, line, gaps, _wards(sight, storms, line, gaps)


def _guarded(sight: Sight, storms: list[Storm], numbers: Sequence[int]) -> Scheme:
    """As many of the storms as are worth what the Germans could walk into then, and who garrisons what they could."""
    most = -FAR
    best: Scheme = (storms, 0, {}, {})
    for number in numbers:
        some = storms[:number]
        wards = _wards(sight, some, 0, {})
        told = {q: h for storm in some for q, h in storm.posts}
        open_now = breaches(_after(sight, {**wards, **told}).p).bit_count() if wards or not sight.closing else 0
        value = sum(storm.value for storm in some) - sight.w.breach * sight.objective * open_now
        if value > most:
            most, best = value, (some, 0, {}, wards)
        if not open_now:
            break
    return best


def _wards(sight: Sight, storms: list[Storm], line: HexMask, gaps: Mapping[int, Hex]) -> dict[int, Hex]:
    """Garrisons for objectives that the Germans could walk into: those who have no other part, by the shortest way, and
    those who stay because they alone keep the enemy out."""
    told = {**{q: h for storm in storms for q, h in storm.posts}, **gaps}
    after = _after(sight, told)
    if after.closing:
        return {}
    p = after.p
    free = [q for q in foot(after) if q not in told and not line >> p.where[q] & 1]
    open_ground = p.ground.land & walks(p)
    heads = river.heads(after) & open_ground if sight.w.guard > 0.5 else 0
    near = (p.ground.objective | heads) & (open_ground | p.map.grid.ring(open_ground))
    alone = {q: p.where[q] for q in free if near >> p.where[q] & 1 and len(after.stack(p.where[q], SOVIET)) == 1}
    fields = {q: field for q, field in reach(after, told).items() if q in free and q not in alone}
    fields |= {q: field for q, field in entering(after).items() if q not in told}
    return {**alone, **posts(after, (p.objectives(SOVIET) & open_ground | heads) & ~p.occupied[SOVIET], fields)}


def _judged(sight: Sight, storms: list[Storm]) -> tuple[float, Scheme]:
    """What some storms are worth with the line that the others close, less what lies open then."""
    told = {q: h for storm in storms for q, h in storm.posts}
    after = _after(sight, told)
    line, gaps = plan(after, told)
    value = sum(storm.value for storm in storms)
    value -= sight.w.breach * sight.objective * breaches(_after(after, gaps).p).bit_count()
    return value, (storms, line, gaps, {})


def breaches(p: CityPosition) -> HexMask:
    """Objectives without a garrison that the Germans could walk into in their next turn, those included who may come
    in then."""
    return p.objectives(SOVIET) & ~p.occupied[SOVIET] & walks(p)


def _after(sight: Sight, posts: Mapping[int, Hex]) -> Sight:
    """How things will stand when some units are where they are to be."""
    p = sight.p._copy()
    for piece, h in posts.items():
        if p.where[piece] != h:
            p.shift(piece, h)
    return Sight(p, sight.side, sight.bias)
