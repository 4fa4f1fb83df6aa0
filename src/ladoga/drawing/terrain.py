"""Terrain as areas: tints that fill their hexes without hexagon corners, and scattered glyphs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from ..hexes import DIRECTIONS, NOWHERE, Hex, HexMask
from .geometry import Point, Scatter, between, bounds, dense, distance, hashed, inset, overlap, rounded
from .plan import Plan
from .style import hexside_family, terrain_family
from .svg import num, path, rings_path, tag
from .water import Waters

_TUFT = "h10.4m-5.2-1.4v-6.6m-2 6.4l-1.5-5m5.5 5l1.5-5m-7.9 5.4l-2.6-3.4m9.4 3.4l2.6-3.4"
_DASH = "h8"
_CONIFER = "l3.1-9.4 3.1 9.4zm3.1 0v2.8"
_LEAFY = "v-3.6c-4.6-.2-4.4-6.6 .1-6.6s4.6 6.4-.1 6.6"
_GRASS = "l-1.4-3.6m1.4 3.6v-4.4m0 4.4l1.4-3.6"
_STONE = "l3-2.6 3 1 .8 2.6z"


@dataclass(slots=True)
class Drawn:
    """What a layer of terrain adds: tint, glyphs that show first, glyphs that show close up."""

    tint: list[str]
    glyphs: list[str]
    fine: list[str]
    urban: list[str]


def terrain(plan: Plan, water: Waters) -> Drawn:
    """Every terrain of a board, kind by kind."""
    drawn = Drawn([], [], [], [])
    for kind in sorted(plan.map.terrain):
        mask = plan.map.terrain[kind] & plan.mask
        family = terrain_family(kind)
        if mask and family not in ("water", "open", "outside"):
            _area(plan, water, kind, family, mask, drawn)
    return drawn


def _area(plan: Plan, water: Waters, kind: str, family: str, mask: HexMask, drawn: Drawn) -> None:
    seed = 1 + sum(map(ord, kind))
    if family in ("urban", "dense", "works", "rubble"):
        _built(plan, kind, family, mask, drawn)
        return
    rings = plan.blob(mask, seed=seed)
    drawn.tint.append(tag("path", d=rings_path(rings), class_=f"tint {family}", data_kind=kind))
    if family == "hill":
        _hill(plan, water, mask, drawn, seed)
        return
    if family == "marsh":
        _sown(plan, water, mask, 21, seed, drawn, "marsh-glyph", [_TUFT, _DASH, _TUFT, _DASH], -5)
    elif family == "forest":
        _sown(plan, water, mask, 20, seed, drawn, "forest-glyph", [_CONIFER, _CONIFER, _LEAFY], -3)
    elif family in ("woods", "park"):
        _sown(plan, water, mask, 21.5, seed, drawn, "woods-glyph", [_CONIFER, _CONIFER, _LEAFY], -3)
    elif family == "steppe":
        _sown(plan, water, mask, 30, seed, drawn, "steppe-glyph", [_GRASS], 0)
    else:
        _sown(plan, water, mask, 20, seed, drawn, "other-glyph", [_STONE, _DASH], -3)


def _way_lines(plan: Plan, mask: HexMask) -> list[list[Point]]:
    """Roughly where roads and railways run through some hexes."""
    result = []
    for kind, sides in plan.map.sides.items():
        if hexside_family(kind) in ("road", "rail", "prospekt"):
            for h in plan.on_board(mask):
                ends = [plan.middle(h, d) for d in DIRECTIONS if sides[d] >> h & 1]
                if len(ends) == 2:
                    middle = between(between(ends[0], ends[1]), plan.centre(h))
                    result.append([ends[0], middle, ends[1]])
                else:
                    result += [[end, plan.centre(h)] for end in ends]
    return result


def _spots(plan: Plan, water: Waters, mask: HexMask, apart: float, seed: int) -> list[Point]:
    """Where glyphs may stand: well inside, on dry land, clear of numbers, towns, rivers and roads."""
    random = Random(seed)
    scatter = Scatter(apart)
    beads = _beads(plan, water, mask)
    number = -43 if plan.flat else -42
    box = bounds(c for h in plan.on_board(mask) for c in plan.corners(h))
    wet = [r for r in water.regions if overlap(r.box, box)]
    dry = [r for r in water.drained if overlap(r.box, box)]
    result: list[Point] = []
    for h in plan.on_board(mask):
        cx, cy = plan.centre(h)
        left, top, right, bottom = bounds(plan.corners(h))
        sides = list(_walls(plan, h, mask))
        here = [r for r in wet if overlap(r.box, (left, top, right, bottom))]
        town = bool(plan.map.names.get(h))
        for _ in range(round(11500 / apart**2 * 3)):
            x, y = left + random.random() * (right - left), top + random.random() * (bottom - top)
            if any((x - mx) * nx + (y - my) * ny < least for (mx, my), (nx, ny), least in sides):
                continue
            if abs(x - cx) < 19 and number - 9 < y - cy < number + 14:
                continue
            if (town and abs(x - cx) < 14 and abs(y - cy) < 15) or (int(x // 9), int(y // 9)) in beads:
                continue
            wet_here = any((x, y) in r or (x, y - 9) in r or (x + 7, y) in r for r in here)
            if wet_here and not any((x, y) in r for r in dry):
                continue
            if scatter.take((x, y)):
                result.append((x, y))
    return result


def _walls(plan: Plan, h: Hex, mask: HexMask) -> Iterator[tuple[Point, Point, float]]:
    """The sides of a hex: a point on each, the way in, and how far in a glyph must stand."""
    cx, cy = plan.centre(h)
    around = plan.grid.neighbours(h)
    for d in DIRECTIONS:
        mx, my = plan.middle(h, d)
        size = distance((cx, cy), (mx, my))
        inner = around[d] != NOWHERE and mask >> around[d] & 1
        yield (mx, my), ((cx - mx) / size, (cy - my) / size), 0.0 if inner else 9.5


def _beads(plan: Plan, water: Waters, mask: HexMask) -> set[tuple[int, int]]:
    """Small squares that rivers and roads run through."""
    return {
        (int((x + dx) // 9), int((y + dy) // 9))
        for line in [*(river.line for river in water.rivers), *_way_lines(plan, mask)]
        for x, y in dense(line, 6)
        for dx in (-4, 4)
        for dy in (-2, 6)
    }


def _sown(
    plan: Plan, water: Waters, mask: HexMask, apart: float, seed: int, drawn: Drawn, name: str,
    shapes: Sequence[str], shift: float,
) -> None:  # fmt: skip
    """Glyphs spread over an area, sparser where it is vast, half of them in the layer that shows first."""
    first: list[str] = []
    fine: list[str] = []
    wide = apart * (1 + min(0.45, mask.bit_count() / 900))
    for x, y in _spots(plan, water, mask, wide, seed):
        roll = hashed(round(x), round(y), seed)
        shape = shapes[min(int(roll * len(shapes)), len(shapes) - 1)]
        (first if hashed(round(y), round(x), seed) < 0.5 else fine).append(f"M{num(x + shift)} {num(y)}{shape}")
    if first:
        drawn.glyphs.append(tag("path", d="".join(first), class_=name))
    if fine:
        drawn.fine.append(tag("path", d="".join(fine), class_=name))


def _hill(plan: Plan, water: Waters, mask: HexMask, drawn: Drawn, seed: int) -> None:
    """A plateau with hachures where the slope faces south-east: the light is in the north-west."""
    tops = plan.blob(mask, 17, 20, seed)
    drawn.tint.append(tag("path", d=rings_path(tops), class_="tint hill-top"))
    strokes: list[str] = []
    for by, reach, least, apart in ((7.5, 10.0, 0.1, 3.6), (22.0, 7.0, 0.55, 4.4)):
        for ring in plan.outline(mask):
            line = dense(rounded(inset(ring, by), 16), apart, closed=True)
            for index, point in enumerate(line):
                following = line[(index + 1) % len(line)]
                size = distance(point, following)
                if size < 0.8:
                    continue
                inward = (-(following[1] - point[1]) / size, (following[0] - point[0]) / size)
                slope = -(inward[0] * 0.6 + inward[1] * 0.8)
                if slope < least or point in water:
                    continue
                stroke = reach * (0.35 + 0.65 * slope) * (0.75 + 0.5 * hashed(round(point[0]), round(point[1]), seed))
                end = (point[0] + inward[0] * stroke, point[1] + inward[1] * stroke)
                if end not in water:
                    strokes.append(path([point, end]))
    if strokes:
        half = (len(strokes) + 1) // 2
        drawn.glyphs.append(tag("path", d="".join(strokes[::2]), class_="hill-glyph"))
        drawn.fine.append(tag("path", d="".join(strokes[1::2][:half]), class_="hill-glyph"))


def _built(plan: Plan, kind: str, family: str, mask: HexMask, drawn: Drawn) -> None:
    """Streets and houses: a flat tint over whole hexes, a thin outline and a hatch.

    Where houses cover much of the board they are drawn lighter, so that what stands among them
    keeps the upper hand.
    """
    rings = [rounded(inset(ring, 1.2), 5, 2) for ring in plan.outline(mask)]
    broad = " broad" if mask.bit_count() * 6 > len(plan.hexes) else ""
    d = rings_path(rings)
    drawn.urban.append(tag("path", d=d, class_=f"built {family}{broad}", data_kind=kind))
    drawn.urban.append(tag("path", d=d, class_=f"hatch hatch-{family}{broad}"))
