"""The Neva: bridges out of the part of the city in which the Germans come in, who keeps them, and who brings them down.

A unit at the far end of a bridge bars it: it can be stormed from one hex only, over water (10.16). What is down is down
for good (10.17).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ....games.leningrad41 import fire
from ....games.leningrad41.counters import GERMAN, SOVIET
from ....games.leningrad41.ground import Ground, Hexside
from ....hexes import Hex, HexMask, mask_of
from ....kernel.orders import Order
from .lie import Lie
from .line import _ways


class Bridge(NamedTuple):
    """A bridge between the Germans' bank and the other one, and how its ends are fired at."""

    side: Hexside
    near: Hex
    far: Hex
    shots: tuple[tuple[Hex, Order], ...]


@lru_cache(maxsize=8)
def bank(ground: Ground) -> HexMask:
    """The land that can be reached from the Germans' edge without crossing a major river."""
    ways, seen = _ways(ground), ground.entry[GERMAN] & ground.land
    queue = [h for h in ways if seen >> h & 1]
    for h in queue:
        for n, river in ways[h]:
            if not river and not seen >> n & 1:
                seen |= 1 << n
                queue.append(n)
    return seen


@lru_cache(maxsize=8)
def bridges(ground: Ground) -> tuple[Bridge, ...]:
    """The bridges out of the Germans' bank."""
    south, found = bank(ground), dict[Hexside, Bridge]()
    for side, target, order in ground.bridges:
        near = [h for h in side if south >> h & 1]
        if ground.river(*side) == "major" and len(near) == 1:
            far = side[0] if near[0] == side[1] else side[1]
            known = found.get(side, Bridge(side, near[0], far, ()))
            found[side] = known._replace(shots=(*known.shots, (target, order)))
    return tuple(found.values())


def heads(lie: Lie) -> HexMask:
    """The far ends of bridges that still stand."""
    return mask_of(bridge.far for bridge in bridges(lie.ground) if bridge.side not in lie.p.broken)


def demolitions(lie: Lie) -> Iterator[Order]:
    """Fires that may bring down a bridge (10.17), the likeliest first: of guns, and of who has no enemy in sight."""
    p, most = lie.p, lie.p.tables.command.soviet
    if lie.side != SOVIET or p.turn < max(lie.w.demolish, p.tables.bridge_demolition_from_turn):
        return
    chart, guns = p.tables.modifiers, fire.fields(p, SOVIET)
    idle = [(q, field) for q, field in guns if lie.units[q].indirect or not field & lie.theirs]
    found: list[tuple[float, Order]] = []
    for bridge in bridges(lie.ground):
        if bridge.side in p.broken:
            continue
        for target, order in bridge.shots:
            able = [q for q, field in idle if field >> target & 1 and not p.attacked >> target & 1]
            for command in ("42", "LFR"):
                engineers = [q for q in able if "engineer" in lie.units[q].type and lie.units[q].command == command]
                others = [q for q in able if q not in engineers and lie.units[q].command == command]
                party = (engineers[:1] + sorted(others, key=lambda q: (-lie.units[q].fire, q)))[:most]
                points = sum(lie.units[q].fire for q in party)
                close = engineers and lie.ground.within(target, 1) >> p.where[engineers[0]] & 1
                drm = chart.bridge_major.drm + (chart.demolition_engineer.drm if close else 0)
                chance = lie.chance(points, drm)
                if chance > 0.0:
                    found.append((chance, Order("attack", tuple(lie.units[q].id for q in party), order.hexes)))
    for _, order in sorted(found, key=lambda pair: (-pair[0], str(pair[1]))):
        yield order
