"""The scheme of a movement phase: which of the blows that could be struck are struck, and what line the others close.

A blow takes units away from where they keep the enemy out. So several schemes are compared, from all blows to none:
what the blows are worth, less what the enemy could then walk into before anybody can stop him.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...games.leningrad41 import movement
from ...games.leningrad41.counters import GERMAN, SOVIET
from ...games.leningrad41.position import CityPosition
from ...hexes import Hex, HexMask
from ...kernel.flood import flood
from ..doctrines.leningrad41_staff.line import plan
from .offensive import Offensive
from .sight import Sight

SHARES = (1.0, 0.75, 0.5, 0.25, 0.0)
"""Parts of the blows that are tried."""
BREACH = 0.5
"""What an objective that the enemy can walk into is taken to cost, of its worth."""

Scheme = tuple[dict[int, Hex], HexMask, dict[int, Hex]]
"""Who stands where for blows, a line, and who goes where to close it."""


def scheme(sight: Sight) -> Scheme:
    """The best scheme for a phase."""
    offensive = Offensive(sight)
    if not sight.line:
        return offensive.posts, 0, {}
    best: Scheme | None = None
    most = 0.0
    for number in sorted({round(share * len(offensive.blows)) for share in SHARES}, reverse=True):
        posts = {q: h for blow in offensive.blows[:number] for q, h in blow.posts}
        after = _after(sight, posts)
        line, gaps = plan(after, posts)
        value = sum(blow.value for blow in offensive.blows[:number])
        value -= BREACH * sight.objective * breaches(_after(after, gaps).p).bit_count()
        if best is None or value > most:
            best, most = (posts, line, gaps), value
    assert best is not None
    return best


def breaches(p: CityPosition) -> HexMask:
    """Objectives without a garrison that the Germans could walk into in their next turn, those included who may come
    in then."""
    empty = p.objectives(SOVIET) & ~p.occupied[SOVIET]
    reached = 0
    for piece in p.on_map(GERMAN):
        if not p.unit(piece).leader and empty & ~reached:
            for mode in movement.modes(p, piece):
                reached |= movement.spread(p, piece, mode).reached
    edge = p.ground.entry[GERMAN] & ~p.occupied[SOVIET]
    for mode, points in ((movement.FOOT, 1), (movement.MOTORIZED, p.tables.movement.motorized_factor)):
        costs = p.ground.costs(mode, p.rubble, p.broken, p.pontoon_sides(GERMAN), p.states)
        points *= p.tables.movement.allowance["german"]
        reached |= flood(costs, edge, points - 1, barred=p.occupied[SOVIET]).reached
    return empty & reached


def _after(sight: Sight, posts: Mapping[int, Hex]) -> Sight:
    """How things will stand when some units are where they are to be."""
    p = sight.p._copy()
    for piece, h in posts.items():
        if p.where[piece] != h:
            p.shift(piece, h)
    return Sight(p, sight.side, {"line": float(sight.line)})
