"""Terrain as areas: tints that fill their hexes without hexagon corners, and scattered glyphs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..hexes import DIRECTIONS, HexMask
from .geometry import Point, Ring, between, bounds, dense, distance, hashed, inset, rounded, scattered
from .plan import Plan
from .style import hexside_family, terrain_family
from .svg import num, path, rings_path, tag
from .water import Region, Waters

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
        if mask and family not in ("water", "open") and kind not in plan.map.vocabulary.water:
            _area(plan, water, kind, family, mask, drawn)
    return drawn


def _area(plan: Plan, water: Waters, kind: str, family: str, mask: HexMask, drawn: Drawn) -> None:
    seed = 1 + sum(map(ord, kind))
    if family == "outside":
        drawn.tint.append(tag("path", d=rings_path(plan.outline(mask)), class_="outside", data_kind=kind))
        return
    if family in ("urban", "dense", "works", "rubble"):
        _built(plan, kind, family, mask, drawn)
        return
    rings = plan.blob(mask, seed=seed)
    drawn.tint.append(tag("path", d=rings_path(rings), class_=f"tint {family}", data_kind=kind))
    if family == "hill":
        _hill(plan, water, mask, drawn, seed)
        return
    free = _free(plan, water, rings, mask)
    if family == "marsh":
        _sown(plan, mask, 21, seed, free, drawn, "marsh-glyph", [_TUFT, _DASH, _TUFT, _DASH], -5)
    elif family in ("woods", "park"):
        _sown(plan, mask, 21.5, seed, free, drawn, "woods-glyph", [_CONIFER, _CONIFER, _LEAFY], -3)
    elif family == "steppe":
        _sown(plan, mask, 30, seed, free, drawn, "steppe-glyph", [_GRASS], 0)
    else:
        _sown(plan, mask, 20, seed, free, drawn, "other-glyph", [_STONE, _DASH], -3)


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


def _free(plan: Plan, water: Waters, rings: Sequence[Ring], mask: HexMask) -> Callable[[Point], bool]:
    """Where a glyph may stand: well inside, on dry land, clear of number, town and name."""
    region = Region([inset(r, 5) for r in rings])
    centres = [plan.centre(h) for h in plan.on_board(mask)]
    named = {h for h in plan.on_board(mask) if plan.map.names.get(h)}
    towns = [plan.centre(h) for h in sorted(named)]
    top = -43 if plan.flat else -42
    wet = [r for r in water.regions if r.box[0] < region.box[2] and region.box[0] < r.box[2]]
    beads = {
        (int((x + dx) // 9), int((y + dy) // 9))
        for line in [*(river.line for river in water.rivers), *_way_lines(plan, mask)]
        for x, y in dense(line, 6)
        for dx in (-4, 4)
        for dy in (-2, 6)
    }
    index: dict[tuple[int, int], list[Point]] = {}
    for c in centres:
        for i in (-1, 0, 1):
            for j in (-1, 0, 1):
                index.setdefault((int(c[0] // 100) + i, int(c[1] // 100) + j), []).append(c)

    def free(point: Point) -> bool:
        x, y = point
        if point not in region or any(point in r or (x, y - 9) in r or (x + 7, y) in r for r in wet):
            return False
        if (int(x // 9), int(y // 9)) in beads:
            return False
        near = index.get((int(x // 100), int(y // 100)), ())
        if any(abs(x - cx) < 19 and top - 9 < y - cy < top + 14 for cx, cy in near):
            return False
        return not any(abs(x - cx) < 14 and abs(y - cy) < 15 for cx, cy in towns)

    return free


def _sown(
    plan: Plan, mask: HexMask, apart: float, seed: int, free: Callable[[Point], bool], drawn: Drawn,
    name: str, shapes: Sequence[str], shift: float,
) -> None:  # fmt: skip
    """Glyphs spread over an area, half of them in the layer that shows first."""
    box = bounds(c for h in plan.on_board(mask) for c in plan.corners(h))
    first: list[str] = []
    fine: list[str] = []
    for x, y in scattered(box, apart, seed, free):
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
