"""Seas and lakes: real shores bent to the rules, and the rivers that the hexsides make.

Shores come as polygons of the real land. Where the rules say more (a hex or hexside is all water),
that part is flooded. All water is then one area: it is filled shape over shape, and its shore is
the part of every outline that lies in no other shape, so mouths and straits have no seams.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import floor
from typing import Any, TypeAlias

from ..hexes import DIRECTIONS, Hex, HexMask
from ..kernel.map import GameMap
from .geometry import (
    Box,
    Point,
    Ring,
    area,
    between,
    bounds,
    capsule,
    chaikin,
    crossing,
    dense,
    distance,
    edges,
    in_a_row,
    inset,
    key,
    length,
    nearest,
    noise,
    overlap,
    ribbon,
    thinned,
    thinned_ring,
    wobbled,
)
from .plan import HEX, Plan
from .style import hexside_family, place_family, river_weight, terrain_family

Shores: TypeAlias = Mapping[str, Any]
"""Contents of a ``shores.json``: for each board its waters and islands, in hex heights."""

_BUCKET = 25.0


class Region:
    """Rings, holes counted out, that quickly tell whether a point lies in them."""

    def __init__(self, rings: Sequence[Ring], kind: str = "", name: str = "") -> None:
        self.rings = [r for r in rings if len(r) >= 3]
        self.kind = kind
        self.name = name
        self.box: Box = bounds(p for r in self.rings for p in r)
        self._rows: dict[int, list[tuple[Point, Point]]] = {}
        for ring in self.rings:
            for a, b in edges(ring):
                low, high = sorted((a[1], b[1]))
                for row in range(floor(low / _BUCKET), floor(high / _BUCKET) + 1):
                    self._rows.setdefault(row, []).append((a, b))

    def __contains__(self, point: Point) -> bool:
        x, y = point
        left, top, right, bottom = self.box
        if not (left <= x <= right and top <= y <= bottom):
            return False
        odd = False
        for (ax, ay), (bx, by) in self._rows.get(floor(y / _BUCKET), ()):
            if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
                odd = not odd
        return odd

    def near(self, a: Point, b: Point) -> list[tuple[Point, Point]]:
        """The sides whose height on the sheet a straight piece shares."""
        low, high = sorted((a[1], b[1]))
        first, last = floor(low / _BUCKET), floor(high / _BUCKET)
        if first == last:
            return self._rows.get(first, [])
        return [side for row in range(first, last + 1) for side in self._rows.get(row, ())]

    @property
    def area(self) -> float:
        """Area of the outer ring less the holes."""
        sizes = [abs(area(r)) for r in self.rings]
        return 2 * max(sizes) - sum(sizes)


@dataclass(slots=True)
class River:
    """A river as drawn: its middle line from source to mouth and its half widths."""

    kind: str
    name: str
    line: list[Point]
    widths: list[float]

    @property
    def band(self) -> Ring:
        """The water between its banks."""
        return ribbon(self.line, self.widths)


@dataclass(slots=True)
class Waters:
    """All water of a board."""

    regions: list[Region]
    shore: list[list[Point]]
    rivers: list[River]
    hexes: HexMask
    dry: list[Region] = field(default_factory=list)
    """Spits and islets that the rules ask for: a town stands on land."""
    rims: list[list[Point]] = field(default_factory=list)
    """The shores of those."""
    drained: list[Region] = field(default_factory=list)
    """Those of them that corrections of the map make: they have a terrain of their own."""

    def __contains__(self, point: Point) -> bool:
        return any(point in region for region in self.regions) and not any(point in spit for spit in self.dry)

    def wet(self, point: Point, reach: float) -> bool:
        """Whether there is water within reach of a point."""
        x, y = point
        around = ((0, 0), (reach, 0), (-reach, 0), (0, reach), (0, -reach))
        return any((x + dx, y + dy) in self for dx, dy in around)

    def nearest_shore(self, point: Point, reach: float) -> Point | None:
        """The nearest point of the shore, if one is in reach."""
        best, found = reach, None
        for line in self.shore:
            for a, b in pairwise(line):
                if min(abs(a[0] - point[0]), abs(a[1] - point[1])) > reach + HEX:
                    continue
                candidate = nearest(point, a, b)
                off = distance(point, candidate)
                if off < best:
                    best, found = off, candidate
        return found


def waters(plan: Plan, shores: Shores | None) -> Waters:
    """All water of a board: seas, lakes, floods and rivers."""
    hexes = _water_hexes(plan)
    real = _real_regions(plan, shores)
    regions = [*real, *_floods(plan, hexes, real)]
    border = bounds(p for r in real for ring in r.rings for p in ring) if real else plan.frame
    result = Waters(regions, _shore(regions, border), [], hexes)
    result.drained = _reclaimed(plan, hexes)
    result.dry = [*result.drained]
    result.dry += _spits(plan, result)
    result.rims = _rims(result)
    result.shore = _cut_by(result.shore, result.dry) + result.rims
    result.rivers = _rivers(plan, result)
    return result


def _water_hexes(plan: Plan) -> HexMask:
    dry = ("outside", "open")
    words = {w for w in plan.map.vocabulary.water if terrain_family(w) not in dry}
    words |= {w for w in plan.map.terrain if terrain_family(w) == "water"}
    mask = 0
    for word in sorted(words):
        mask |= plan.map.terrain.get(word, 0)
    return mask & plan.mask


def _real_regions(plan: Plan, shores: Shores | None) -> list[Region]:
    if not shores or plan.board.name not in shores or plan.map.change.blank is not None:
        return []
    sheet = shores[plan.board.name]
    raw = [[_scaled(r) for r in water["rings"] if len(r) >= 3] for water in sheet["water"]]
    if not any(raw):
        return []
    border = bounds(p for rings in raw for ring in rings for p in ring)
    islands = [_weathered(_scaled(r), border) for r in _rings(sheet.get("islands", ()))]
    result = []
    for water, corners in zip(sheet["water"], raw, strict=True):
        rings = [_weathered(ring, border) for ring in corners]
        if not rings:
            continue
        outer = Region(rings[:1])
        holes = [i for i in islands if i[0] in outer]
        result.append(Region([*rings, *holes], water["kind"], water.get("name", "")))
    return result


def _rings(items: Sequence[Any]) -> list[Any]:
    """Islands may be written as rings, or as things that have rings."""
    result: list[Any] = []
    for item in items:
        result += item["rings"] if isinstance(item, Mapping) else [item]
    return result


def _scaled(ring: Sequence[Sequence[float]]) -> Ring:
    points = [(p[0] * HEX, p[1] * HEX) for p in ring]
    if points[0] == points[-1]:
        points.pop()
    return points


def _weathered(ring: Ring, border: Box) -> Ring:
    """A shore without the corners of its survey; what lies on the edge of the sheet stays."""
    fixed = [i for i, p in enumerate(ring) if _along(p, p, border)]
    if not fixed:
        return _worn(chaikin(ring, 2, closed=True))
    turned = ring[fixed[0] :] + ring[: fixed[0] + 1]
    result: Ring = []
    run: Ring = []
    for point in turned:
        run.append(point)
        if _along(point, point, border):
            inner = chaikin(run, 2)
            result += [inner[0], *_worn(inner[1:-1])] if len(run) > 2 else run[:1]
            run = [point]
    return result


def _worn(line: Sequence[Point]) -> list[Point]:
    return thinned(wobbled(wobbled(dense(line, 7), 2.4, 26, 51), 1.1, 9, 53), 0.3)


def _floods(plan: Plan, hexes: HexMask, real: list[Region]) -> list[Region]:
    """Water that the rules ask for and the shores do not show."""

    def dry_share(h: Hex) -> float:
        cx, cy = plan.centre(h)
        spots = [between((cx, cy), c, s) for c in plan.corners(h) for s in (0.35, 0.8)] + [(cx, cy)]
        return sum(not any(p in r for r in real) for p in spots) / len(spots)

    dry = sum(1 << h for h in plan.on_board(hexes) if dry_share(h) > 0.12)
    result = [Region([_weathered_hexes(ring)]) for ring in plan.outline(dry) if area(ring) > 0]
    holes = [
        thinned_ring(wobbled(chaikin(inset(ring, 2.0), 2, closed=True), 3.2, 24, 3), 0.3)
        for ring in plan.outline(dry)
        if area(ring) < 0
    ]
    for hole in holes:
        for index, region in enumerate(result):
            if hole[0] in region:
                result[index] = Region([*region.rings, hole])
                break
    for kind in sorted(plan.map.sides):
        if hexside_family(kind) != "barred":
            continue
        for h, d in plan.sides_with(kind):
            a, b = plan.side(h, d)
            spots = [between(a, b, s) for s in (0.1, 0.3, 0.5, 0.7, 0.9)]
            if all(any(p in r for r in real) for p in spots):
                continue
            ring = dense(capsule(a, b, 11), 6, closed=True)
            result.append(Region([wobbled(ring, 3, 18, 5)]))
    return result


def _reclaimed(plan: Plan, hexes: HexMask) -> list[Region]:
    """Land where corrections of the map say that there is no water after all."""
    change = plan.map.change
    if change.blank is not None or not (change.hexes or change.hexsides):
        return []
    before = Plan(GameMap.of(plan.map.file), plan.board)
    drained = _water_hexes(before) & ~hexes
    result = [Region([_weathered_hexes(ring)], "ground") for ring in plan.outline(drained) if area(ring) > 0]
    for kind in sorted(plan.map.sides):
        if hexside_family(kind) != "barred":
            continue
        for h, d in sorted({*before.sides_with(kind)} - {*plan.sides_with(kind)}):
            beyond = plan.grid.neighbours(h)[d]
            if not (hexes >> h | hexes >> beyond) & 1:
                ring = dense(capsule(plan.centre(h), plan.centre(beyond), 20, 8), 6, closed=True)
                result.append(Region([wobbled(ring, 3.4, 15, 61)], "ground"))
    return result


def _weathered_hexes(ring: Ring) -> Ring:
    return thinned_ring(wobbled(dense(chaikin(inset(ring, 2.0), 2, closed=True), 9, closed=True), 3.2, 24, 3), 0.3)


def _spits(plan: Plan, water: Waters) -> list[Region]:
    """Land for towns and land hexes that the real shore leaves in the water."""
    result = []
    barred = [0] * 6
    for kind, sides in plan.map.sides.items():
        if hexside_family(kind) == "barred":
            barred = [mask | side for mask, side in zip(barred, sides, strict=True)]
    towns = 0
    for kind, hexes in plan.map.places.items():
        if place_family(kind) in ("town", "city", "capital"):
            towns |= hexes
    for h in plan.on_board(plan.play & ~water.hexes):
        centre = plan.centre(h)
        spots = [between(centre, c, s) for c in plan.corners(h) for s in (0.45, 0.9)]
        swamped = sum(p in water for p in spots) >= len(spots) - 1
        if not water.wet(centre, 11) or not (towns >> h & 1 or (swamped and centre in water)):
            continue
        spit = _spit(plan, h, water.nearest_shore(centre, 46) if centre in water else None)
        if any(plan.middle(h, d) in spit for d in DIRECTIONS if barred[d] >> h & 1):
            spit = _spit(plan, h, None)
        result.append(spit)
    return result


def _spit(plan: Plan, h: Hex, shore: Point | None) -> Region:
    """Land around the middle of a hex, joined to the shore if there is one in reach."""
    centre = plan.centre(h)
    inland = centre if shore is None else between(centre, shore, 1 + 14 / max(distance(centre, shore), 1.0))
    ring = capsule(centre, (inland[0] + 0.5, inland[1]), 19, 8)
    kind = "quay" if plan.built >> h & 1 else "ground"
    return Region([wobbled(dense(ring, 6, closed=True), 3.4, 15, 61)], kind)


def _cut_by(shore: list[list[Point]], dry: list[Region]) -> list[list[Point]]:
    """The shore without what lies under spits and islets."""
    lines: list[list[Point]] = []
    for line in shore:
        current: list[Point] = []
        for a, b in pairwise(line):
            current = _followed(lines, current, _open_pieces(a, b, dry))
        _finish(lines, current)
    return lines


def _rims(water: Waters) -> list[list[Point]]:
    """The shores of spits and islets: their outline where it lies in water."""
    lines: list[list[Point]] = []
    for index, spit in enumerate(water.dry):
        others = water.dry[:index] + water.dry[index + 1 :]
        current: list[Point] = []
        for a, b in edges(spit.rings[0]):
            wet = any(between(a, b) in region for region in water.regions)
            current = _followed(lines, current, _open_pieces(a, b, others) if wet else [])
        _finish(lines, current)
    return lines


def _followed(lines: list[list[Point]], current: list[Point], pieces: Sequence[tuple[Point, Point]]) -> list[Point]:
    """The line so far with the next pieces added; a gap ends it and starts another."""
    if not pieces:
        _finish(lines, current)
        return []
    for start, end in pieces:
        if current and distance(current[-1], start) > 0.01:
            _finish(lines, current)
            current = []
        if not current:
            current = [start]
        current.append(end)
    return current


def _shore(regions: list[Region], border: Box) -> list[list[Point]]:
    """The outline of all regions together, without the edge of the sheet."""
    lines: list[list[Point]] = []
    for index, region in enumerate(regions):
        others = [r for i, r in enumerate(regions) if i != index and overlap(r.box, region.box)]
        for ring in region.rings:
            current: list[Point] = []
            for a, b in edges(ring):
                if _along(a, b, border):
                    _finish(lines, current)
                    current = []
                    continue
                current = _followed(lines, current, _open_pieces(a, b, others))
            _finish(lines, current)
    return lines


def _finish(lines: list[list[Point]], line: list[Point]) -> None:
    if len(line) > 1:
        lines.append(line)


def _along(a: Point, b: Point, border: Box) -> bool:
    """Whether a side runs along the edge of the sheet."""
    left, top, right, bottom = border
    return any(abs(a[0] - x) < 1.5 and abs(b[0] - x) < 1.5 for x in (left, right)) or any(
        abs(a[1] - y) < 1.5 and abs(b[1] - y) < 1.5 for y in (top, bottom)
    )


def _open_pieces(a: Point, b: Point, others: list[Region]) -> list[tuple[Point, Point]]:
    """The parts of a straight piece that lie in none of the regions."""
    box = bounds((a, b))
    touching = [
        r for r in others if r.box[0] <= box[2] and box[0] <= r.box[2] and r.box[1] <= box[3] and box[1] <= r.box[3]
    ]
    if not touching:
        return [(a, b)]
    cuts = {0.0, 1.0}
    for region in touching:
        for c, d in region.near(a, b):
            at = crossing(a, b, c, d)
            if at is not None:
                cuts.add(at)
    pieces = []
    for low, high in pairwise(sorted(cuts)):
        if high - low > 1e-9 and not any(between(a, b, (low + high) / 2) in r for r in touching):
            pieces.append((between(a, b, low), between(a, b, high)))
    return pieces


# Rivers


def _rivers(plan: Plan, water: Waters) -> list[River]:
    """Every river of the board, source to mouth, the broad ones first."""
    chains = [chain for kind in sorted(plan.map.sides) for chain in _chains_of(plan, kind)]
    joints: dict[tuple[int, int], int] = {}
    for chain in chains:
        for corner in chain.corners[1:-1]:
            joints[key(corner)] = joints.get(key(corner), 0) + 1
    for chain in chains:
        chain.turn_to_mouth(plan, water, joints)
    chains.sort(key=lambda c: (-river_weight(c.kind), -len(c.corners), c.name, c.corners[0]))
    curves: dict[tuple[int, int], Point] = {}
    for chain in chains:
        smooth = _vertex_points(chain.corners)
        for corner, point in zip(chain.corners[1:-1], smooth[1:-1], strict=True):
            curves.setdefault(key(corner), point)
    return [_drawn(plan, water, chain, curves) for chain in chains]


@dataclass(slots=True)
class _Chain:
    kind: str
    name: str
    corners: list[Point]
    listed_last: Point
    fed: bool = False
    """Whether it leaves a lake, and so starts broad."""

    def turn_to_mouth(self, plan: Plan, water: Waters, joints: Mapping[tuple[int, int], int]) -> None:
        """Lets the chain run from its source to its mouth."""

        def pull(end: Point) -> int:
            if water.wet(end, 22):
                return 4
            if joints.get(key(end)):
                return 3
            return 1 if key(end) in plan.edge_corners else 0

        first, last = pull(self.corners[0]), pull(self.corners[-1])
        backwards = first > last
        if first == last:
            start, end = (distance(self.corners[i], self.listed_last) for i in (0, -1))
            backwards = start < end
        if backwards:
            self.corners.reverse()
            first, last = last, first
        self.fed = first >= 3 or (first == 1 and last > 1)


def _chains_of(plan: Plan, kind: str) -> list[_Chain]:
    """The hexsides of a kind of river put in a row, name by name."""
    if hexside_family(kind) not in ("river", "canal"):
        return []
    left = {_side_key(plan.side(h, d)): plan.side(h, d) for h, d in plan.sides_with(kind)}
    result: list[_Chain] = []
    for feature in plan.map.file.hexsides:
        if feature.kind != kind or plan.map.change.blank is not None:
            continue
        sides = [s for s in _feature_sides(plan, feature.at) if _side_key(s) in left]
        for side in sides:
            left.pop(_side_key(side), None)
        for corners in in_a_row(sides):
            result.append(_Chain(kind, feature.name, corners, sides[-1][1]))
    rest = list(left.values())
    for corners in in_a_row(rest):
        result.append(_Chain(kind, "", corners, corners[-1]))
    return result


def _feature_sides(plan: Plan, text: str) -> list[tuple[Point, Point]]:
    sides = []
    for pair in text.split():
        first, _, second = pair.partition("/")
        a, b = plan.grid.hex(first), plan.grid.hex(second)
        if plan.mask >> a & 1:
            sides.append(plan.side(a, plan.grid.direction(a, b)))
    return sides


def _side_key(side: tuple[Point, Point]) -> tuple[tuple[int, int], tuple[int, int]]:
    a, b = sorted((key(side[0]), key(side[1])))
    return a, b


def _vertex_points(corners: Sequence[Point]) -> list[Point]:
    """Where the smoothed line passes each corner of the hexsides it follows."""
    result = [corners[0]]
    for before, at, after in zip(corners, corners[1:], corners[2:], strict=False):
        middle = between(before, after)
        result.append(between(at, middle, 0.25))
    result.append(corners[-1])
    return result


def _drawn(plan: Plan, water: Waters, chain: _Chain, curves: Mapping[tuple[int, int], Point]) -> River:
    corners = list(chain.corners)
    canal = hexside_family(chain.kind) == "canal"
    head = _reached(plan, water, corners[0], corners[1], curves)
    foot = _reached(plan, water, corners[-1], corners[-2], curves)
    line = chaikin([*head[::-1], *corners, *foot], 1 if canal else 3)
    if not canal:
        line = wobbled(dense(line, 14), 2.2, 21, 11)
    line = thinned(line, 0.12)
    return River(chain.kind, chain.name, line, _half_widths(line, chain, canal, 0 < plan.spec.hex_km < 1))


def _half_widths(line: Sequence[Point], chain: _Chain, canal: bool, city: bool) -> list[float]:
    weight = river_weight(chain.kind)
    if canal:
        return [1.7 * max(weight, 1.0)] * len(line)
    whole = length(line) or 1.0
    broad = min(4.4, 2.0 + 0.16 * len(chain.corners)) * weight * (1.7 if city and weight > 1.3 else 1.0)
    narrow = (0.62 * broad) if chain.fed or weight > 1.3 else 1.3 * min(weight, 1.0)
    done, result = 0.0, []
    for index, point in enumerate(line):
        if index:
            done += distance(line[index - 1], point)
        share = (done / whole) ** 0.8
        swell = 1 + 0.1 * noise(point[0] / 30, point[1] / 30, 17)
        result.append((narrow + (broad - narrow) * share) * swell)
    if not chain.fed:
        result[0] = 0.3
    return result


def _reached(
    plan: Plan, water: Waters, end: Point, before: Point, curves: Mapping[tuple[int, int], Point]
) -> list[Point]:
    """What to add to the end of a river so that it meets the water it runs into."""
    joint = curves.get(key(end))
    if joint is not None and distance(joint, end) > 0.5:
        return [joint]
    if end in water:
        return []
    shore = water.nearest_shore(end, 45)
    if shore is not None:
        return [shore, between(end, shore, 1.0 + 6 / max(distance(end, shore), 1.0))]
    if key(end) in plan.edge_corners:
        return [between(before, end, 3.4)]
    return []
