"""A line across the city: where units must stand so that the Germans cannot come next to what is worth holding.

Nobody may enter a hex with enemies (8.14), so a closed line keeps an attacker away from all that lies behind it until
he has shot a gap, and by then his units have moved. Which line is cheapest, and which objectives are not worth one,
is a smallest cut: a hex costs the unit that would have to stand there, an objective that is given up its worth.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from itertools import pairwise

from ....games.leningrad41 import movement
from ....games.leningrad41.counters import GERMAN, SOVIET
from ....games.leningrad41.ground import Ground
from ....hexes import NOWHERE, Hex, HexMask, members
from .lie import Lie
from .ways import safe, ways

AMBUSH = 10
"""How much more it costs where the Germans would certainly hit a unit that comes there."""
FAR_OFF = 60
"""How far those are who wait at the edge."""
TRIES = 3
"""Lines that are looked at until one can be filled."""
NEVER = 10_000
"""The price of a hex where none of ours can be in time."""

Node = tuple[Hex, bool]
"""A hex as the Germans come to it, and as they leave it."""


@lru_cache(maxsize=8)
def _ways(ground: Ground) -> dict[Hex, list[tuple[Hex, bool]]]:
    """The neighbours of every land hex, and whether a major river lies between."""
    found = {}
    for h in members(ground.land):
        near = [n for n in ground.grid.neighbours(h) if n != NOWHERE and not ground.sea_between(h, n)]
        found[h] = [(n, ground.river(h, n) == "major") for n in near]
    return found


def foot(lie: Lie) -> list[int]:
    """The units that can hold a line: guns, boats and leaders apart."""
    p, units = lie.p, lie.units
    mine = p.on_map(SOVIET)
    return [q for q in mine if not (units[q].indirect or units[q].leader) and p.ground.land >> p.where[q] & 1]


def reach(lie: Lie, done: Collection[int]) -> dict[int, HexMask]:
    """Where units that have not moved can go now without being fired at on their way."""
    p = lie.p
    found = {}
    for piece in foot(lie):
        if piece not in done and movement.block(p, piece) is None:
            found[piece] = safe(p, piece)
    return found


def entering(lie: Lie) -> dict[int, HexMask]:
    """The same for those who wait at the edge."""
    p, found = lie.p, dict[int, HexMask]()
    for piece in movement.waiting(p):
        unit = lie.units[piece]
        if unit.side == lie.side and not (unit.indirect or unit.leader) and movement.block(p, piece) is None:
            open_ways = [way for way in ways(p, piece) if way[1].stops or not way[1].reached & lie.watched]
            field = 0
            for _, _, new in open_ways:
                field |= new
            found[piece] = field
    return found


def plan(lie: Lie, done: Collection[int] = ()) -> tuple[HexMask, dict[int, Hex]]:
    """The best line that can be filled, or nearly so, and who goes where.

    Hexes for which nobody is left are not reckoned with again."""
    fields = reach(lie, done)
    barred, fewest = 0, NEVER
    best: tuple[HexMask, dict[int, Hex]] = (0, {})
    for _ in range(TRIES):
        found = line(lie, fields, barred)
        chosen = posts(lie, found, fields)
        gaps = found & ~lie.p.occupied[SOVIET]
        for h in chosen.values():
            gaps &= ~(1 << h)
        if gaps.bit_count() < fewest:
            fewest, best = gaps.bit_count(), (found, chosen)
        if not gaps:
            break
        barred |= gaps
    return best


def unit_price(lie: Lie, h: Hex) -> int:
    """What a unit in the line costs, by the ground it stands on."""
    ground, w = lie.ground, lie.w
    return round(w.heavy if ground.objective >> h & 1 else w.urban if ground.urban >> h & 1 else w.clear)


def at_set_up(lie: Lie) -> HexMask:
    """The line to set up in (3.6)."""
    return line(lie, {0: lie.ground.land & ~lie.p.game.closed_rows(lie.p.map)}, 0)


def line(lie: Lie, fields: Mapping[int, HexMask], barred: HexMask) -> HexMask:
    """The hexes of the cheapest line that keeps the Germans away from what the Soviets hold."""
    p, ground = lie.p, lie.ground
    ways = {h: [n for n, river in near if not river or p.bridged(h, n, GERMAN)] for h, near in _ways(ground).items()}
    enemies = p.occupied[GERMAN] | (ground.entry[GERMAN] & ~p.occupied[SOVIET])
    standing = 0
    for q in foot(lie):
        standing |= 1 << p.where[q]
    able = standing
    for field in fields.values():
        able |= field
    price: dict[Hex, int] = {}
    for h in ways:
        if enemies >> h & 1:
            continue
        if not able >> h & 1 or barred >> h & 1:
            price[h] = NEVER
        else:
            fresh = round(AMBUSH * lie.ambush(h)) if lie.watched >> h & 1 else 0
            price[h] = unit_price(lie, h) + (-round(lie.w.standing) if standing >> h & 1 else fresh)
    return _cut(ways, enemies, price, dict.fromkeys(members(ground.objective & lie.held & ~enemies), round(lie.w.kept)))


def posts(lie: Lie, line: HexMask, fields: Mapping[int, HexMask]) -> dict[int, Hex]:
    """Units told off for the gaps of a line, as many gaps filled as can be, by those who have the shortest way."""
    p = lie.p
    held: set[Hex] = set()
    free = []
    for piece in foot(lie):
        here = p.where[piece]
        if line >> here & 1 and here not in held:
            held.add(here)
        elif piece in fields:
            free.append(piece)
    free += [piece for piece in fields if p.where[piece] < 0]

    def distance(start: Hex, end: Hex) -> int:
        return lie.grid.distance(start, end) if start >= 0 else FAR_OFF

    able = {
        h: sorted((q for q in free if fields[q] >> h & 1), key=lambda q: (distance(p.where[q], h), q))
        for h in members(line & ~p.occupied[SOVIET])
    }
    chosen: dict[int, Hex] = {}

    def fill(h: Hex, tried: set[int]) -> bool:
        for piece in able[h]:
            if piece not in tried:
                tried.add(piece)
                if piece not in chosen or fill(chosen[piece], tried):
                    chosen[piece] = h
                    return True
        return False

    for h in sorted(able, key=lambda h: (len(able[h]), h)):
        fill(h, set())
    return chosen


def _cut(ways: dict[Hex, list[Hex]], start: HexMask, price: dict[Hex, int], worth: dict[Hex, int]) -> HexMask:
    """The hexes of a smallest cut between some hexes and all that has a worth: flow is pushed through as long
    as there is a way."""
    through = dict.fromkeys(price, 0)
    taken = dict.fromkeys(worth, 0)
    flow: dict[Hex, dict[Hex, int]] = {h: {} for h in ways}
    """What flows into a hex from each neighbour."""
    first = {n for h in ways if start >> h & 1 for n in ways[h] if n in price}
    while True:
        before: dict[Node, Node | None] = {(h, False): None for h in sorted(first)}
        queue: list[Node] = list(before)
        end: Hex | None = None
        for node in queue:
            h, leaving = node
            beyond: list[Node]
            if leaving:
                beyond = [(n, False) for n in ways[h] if n in price]
                if through[h]:
                    beyond.append((h, False))
            else:
                if h in worth and taken[h] < worth[h]:
                    end = h
                    break
                beyond = [(n, True) for n, amount in flow[h].items() if amount]
                if through[h] < price[h]:
                    beyond.append((h, True))
            for other in beyond:
                if other not in before:
                    before[other] = node
                    queue.append(other)
        if end is None:
            return sum(1 << h for h in price if (h, False) in before and (h, True) not in before)
        path: list[Node] = [(end, False)]
        while (previous := before[path[-1]]) is not None:
            path.append(previous)
        path.reverse()
        amount = worth[end] - taken[end]
        for (a, out), (b, _) in pairwise(path):
            if a == b:
                amount = min(amount, through[a] if out else price[a] - through[a])
            elif not out:
                amount = min(amount, flow[a][b])
        for (a, out), (b, _) in pairwise(path):
            if a == b:
                through[a] += -amount if out else amount
            elif out:
                flow[b][a] = flow[b].get(a, 0) + amount
            else:
                flow[a][b] -= amount
        taken[end] += amount
