"""The scheme of a movement phase: which of the storms that could be struck are struck, and what line the others close.

A storm takes units away from where they keep the enemy out. So several schemes are compared, from all storms to none:
what the storms are worth, less what the enemy could then walk into before anybody can stop him.
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping

from ...games.leningrad41 import movement
from ...games.leningrad41.counters import GERMAN, SOVIET
from ...games.leningrad41.position import CityPosition
from ...games.leningrad41.ways import watched
from ...hexes import Hex, HexMask, mask_of
from ...kernel.flood import flood
from ..cores import side_by_side
from ..doctrines.leningrad41_staff.line import foot, plan, posts, reach
from ..doctrines.leningrad41_staff.storms import Storm, Storms
from .sight import Sight

SHARES = (1.0, 0.75, 0.5, 0.25, 0.0)
"""Parts of the storms that are tried."""
ZEAL, ANYWHERE = 2.0, 0.4
"""How much more than by its worth a hex may ask to be stormed first; how often one is asked that is not stormed yet."""

Scheme = tuple[list[Storm], HexMask, dict[int, Hex], dict[int, Hex]]
"""Storms, a line, who goes where to close it, and who garrisons what lies open behind it."""


def scheme(sight: Sight, seconds: float | None = None, cores: int = 1) -> Scheme:
    """The best scheme for a phase; with some seconds to think other storms are tried, and each left out once."""
    until = None if seconds is None else time.monotonic() + seconds
    storms = _storms(sight, until and until - _kept_back(sight) * (seconds or 0.0), cores)
    if not sight.line:
        return storms, 0, {}, _wards(sight, storms, 0, {}) if sight.side == SOVIET else {}
    numbers = sorted({round(share * len(storms)) for share in SHARES}, reverse=True)
    several = side_by_side(lambda number: _judged(sight, storms[:number]), numbers, cores)
    most, best = max(several, key=lambda judged: judged[0])
    for storm in storms:
        if until is None or time.monotonic() >= until:
            break
        judged = _judged(sight, [other for other in storms if (other in best[0]) != (other is storm)])
        if judged[0] > most:
            most, best = judged
    storms, line, gaps, _ = best
    return storms, line, gaps, _wards(sight, storms, line, gaps)


def _storms(sight: Sight, until: float | None, cores: int) -> list[Storm]:
    """The storms that are worth most together; until some moment others are tried, on each core by itself."""
    first = Storms(sight)
    if until is None:
        return first.storms

    def other(number: int) -> tuple[float, list[Storm]]:
        found = _practised(sight, first, until, random.Random(number))
        return found.worth, found.storms

    return max(side_by_side(other, range(cores), cores), key=lambda some: some[0])[1]


def _practised(sight: Sight, planned: Storms, until: float, rng: random.Random) -> Storms:
    """The best storms found until then: what is stormed first is changed here and there, and kept if all together come
    out better."""
    zeal, most = dict[Hex, float](), planned.worth
    while planned.targets and time.monotonic() < until:
        known = planned.targets if rng.random() < ANYWHERE else [storm.target for storm in planned.storms]
        changed = {h: ZEAL * rng.random() for h in rng.sample(known, min(len(known), 1 + int(3 * rng.random())))}
        other = Storms(sight, {**zeal, **changed}, planned)
        if other.worth > most:
            planned, zeal, most = other, {**zeal, **changed}, other.worth
    return planned


def _wards(sight: Sight, storms: list[Storm], line: HexMask, gaps: Mapping[int, Hex]) -> dict[int, Hex]:
    """Garrisons for objectives that the Germans could walk into: those who have no other part, by the shortest way, and
    those who stay because they alone keep the enemy out."""
    told = {**{q: h for storm in storms for q, h in storm.posts}, **gaps}
    after = _after(sight, told)
    if after.closing:
        return {}
    p = after.p
    free = [q for q in foot(after) if q not in told and not line >> p.where[q] & 1]
    open_ground = p.ground.land & _walked(p)
    near = p.ground.objective & (open_ground | p.map.grid.ring(open_ground))
    alone = {q: p.where[q] for q in free if near >> p.where[q] & 1 and len(after.stack(p.where[q], SOVIET)) == 1}
    fields = {q: field for q, field in reach(after, told).items() if q in free and q not in alone}
    return {**alone, **posts(after, p.objectives(SOVIET) & ~p.occupied[SOVIET] & open_ground, fields)}


def _kept_back(sight: Sight) -> float:
    """The part of the time that is kept for the line."""
    return 0.5 if sight.line else 0.0


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
    return p.objectives(SOVIET) & ~p.occupied[SOVIET] & _walked(p)


def _walked(p: CityPosition) -> HexMask:
    """The hexes that the Germans could walk into in their next turn, whoever of their own is in the way: fire stops a
    column (8.8), an engineer crosses rivers by itself (8.10)."""
    ground, figures = p.ground, p.tables.movement
    held, danger = p.occupied[SOVIET], watched(p, GERMAN)
    troops = [q for q in p.on_map(GERMAN) if not p.unit(q).leader]
    reached = 0
    for piece in troops:
        if p.unit(piece).bridges:
            reached |= movement.spread(p, piece, movement.FOOT).reached
    for mode, factor in ((movement.FOOT, 1), (movement.MOTORIZED, figures.motorized_factor)):
        motor = mode == movement.MOTORIZED
        costs = ground.costs(mode, p.rubble, p.broken, p.pontoon_sides(GERMAN), p.states)
        points, stops = factor * figures.allowance["german"], danger if motor else 0
        places = mask_of(p.where[q] for q in troops if not motor or movement.may_motor(p, q))
        reached |= flood(costs, places, points, barred=held, stops=stops).reached
        reached |= flood(costs, ground.entry[GERMAN] & ~held & ~stops, points - 1, barred=held, stops=stops).reached
    return reached


def _after(sight: Sight, posts: Mapping[int, Hex]) -> Sight:
    """How things will stand when some units are where they are to be."""
    p = sight.p._copy()
    for piece, h in posts.items():
        if p.where[piece] != h:
            p.shift(piece, h)
    return Sight(p, sight.side, sight.bias)
