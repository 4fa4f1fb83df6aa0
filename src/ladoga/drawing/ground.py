"""What is printed on a board, in layers: land, water, grid, ways, places, numbers, names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

from ..hexes import DIRECTIONS, NOWHERE, HexMask
from ..kernel.sides import styles
from .geometry import Box, Point, area, between, hashed, inside, key
from .labels import label_svg, labels, number_base
from .lines import lines
from .palette import Palette, mixed
from .places import places
from .plan import Plan
from .style import hexside_family
from .svg import group, lines_path, num, path, rings_path, tag, text
from .terrain import terrain
from .type import font
from .water import Region, Waters


def ground(
    plan: Plan, water: Waters, palette: Palette, *, numbers: bool = True, prefix: str = "m", kept: Sequence[Box] = ()
) -> str:
    """Everything that is printed on a board, as one group of layers; names stay out of ``kept``."""
    marks = places(plan)
    land = terrain(plan, water)
    ways = lines(plan, water)
    names = labels(plan, water, marks, kept)
    left, top, right, bottom = plan.frame
    size = {"x": left, "y": top, "width": right - left, "height": bottom - top}
    shore = f"{prefix}-shore"
    cover = [group("glyphs", land.glyphs), group("glyphs fine", land.fine), group("urban", [*land.urban, *marks.built])]
    regained = [group("tints", land.tint), *cover] if water.drained else []
    layers = [
        tag("defs", _defs(plan, water, prefix)),
        group("land", [tag("rect", **size, class_="ground"), *_grain(plan, prefix)]),
        group("tints", [*land.tint, *marks.areas, tag("use", href=f"#{shore}", class_="bank") if water.shore else ""]),
        *cover,
        group("water", _water(water, palette, prefix, size)),
        group("regained", regained, clip_path=f"url(#{prefix}-dry)"),
        group("grid", [_grid(plan)]),
        group("grid-ticks", [_ticks(plan)]),
        group("beyond", [_beyond(plan)]),
        group("bars", ways.bars),
        group("borders", ways.borders),
        group("ways", ways.ways),
        group("spans", ways.spans),
        group("places", marks.symbols),
        group("marks", marks.marks),
        group("numbers", _numbers(plan, water)) if numbers else "",
        group("names", [label_svg(label, i, prefix) for i, label in enumerate(names)]),
    ]
    return group("board", layers, clip_path=f"url(#{prefix}-frame)", data_board=plan.board.name)


def _defs(plan: Plan, water: Waters, prefix: str) -> str:
    left, top, right, bottom = plan.frame
    parts = [
        tag("clipPath", tag("rect", x=left, y=top, width=right - left, height=bottom - top), id=f"{prefix}-frame"),
        tag("path", id=f"{prefix}-shore", d=lines_path(water.shore)),
        *(tag("path", id=f"{prefix}-reach-{i}", d=lines_path(lines)) for i, lines in enumerate(_reaches(water.shore))),
        tag(
            "clipPath",
            tag("path", d=_outline(water.regions)),
            id=f"{prefix}-wet",
        ),
        tag("clipPath", tag("path", d=_outline(water.drained)), id=f"{prefix}-dry") if water.drained else "",
        tag(
            "radialGradient",
            tag("stop", offset="0", class_="grain-on") + tag("stop", offset="1", class_="grain-off"),
            id=f"{prefix}-grain",
        ),
    ]
    return "".join(parts)


def _outline(regions: Iterable[Region]) -> str:
    """One path around regions that may overlap: rings run one way and their holes the other, so that no overlap
    counts as a hole. Several paths in one clip would have to be joined by whoever shows the map."""
    rings = []
    for region in regions:
        for ring in region.rings:
            hole = sum(inside(ring[0], [other]) for other in region.rings if other is not ring) % 2 == 1
            rings.append(ring[::-1] if hole == (area(ring) > 0) else ring)
    return rings_path(rings)


def _reaches(shore: Iterable[Sequence[Point]], size: float = 250.0) -> list[list[list[Point]]]:
    """The shore square by square: whoever paints a part of the map has to stroke only what is near."""
    near: defaultdict[tuple[float, float], list[list[Point]]] = defaultdict(list)
    for line in shore:
        at, piece = None, []
        for a, b in pairwise(line):
            x, y = between(a, b)
            if at != (x // size, y // size):
                at, piece = (x // size, y // size), [a]
                near[at].append(piece)
            piece.append(b)
    return list(near.values())


def _grain(plan: Plan, prefix: str) -> list[str]:
    """Faint clouds in the paper."""
    left, top, right, bottom = plan.frame
    parts = []
    step = 130.0
    for row in range(int((bottom - top) / step) + 1):
        for column in range(int((right - left) / step) + 1):
            strength = hashed(column, row, 41)
            if strength < 0.45:
                continue
            x = left + (column + hashed(column, row, 42)) * step
            y = top + (row + hashed(column, row, 43)) * step
            size = 70 + 90 * hashed(column, row, 44)
            parts.append(
                tag(
                    "ellipse",
                    cx=round(x),
                    cy=round(y),
                    rx=round(size),
                    ry=round(size * 0.62),
                    fill=f"url(#{prefix}-grain)",
                )
            )
    return parts


_RIPPLES = ((4.0, 0.62), (10.0, 0.46), (17.0, 0.33), (26.0, 0.22), (37.0, 0.13))
_DEPTHS = ((62.0, 0.14), (56.0, 0.28), (50.0, 0.43), (44.0, 0.58), (38.0, 0.72), (32.0, 0.86), (28.0, 1.0))


def _water(water: Waters, palette: Palette, prefix: str, size: dict[str, float]) -> list[str]:
    """Edges first, then all water over them, so that nothing is drawn across a mouth."""
    bands = [river.band for river in water.rivers]
    parts = [
        tag("path", d=rings_path([band]), class_="river-edge", data_kind=river.kind)
        for river, band in zip(water.rivers, bands, strict=True)
    ]
    if water.shore:
        parts.append(tag("use", href=f"#{prefix}-shore", class_="shore"))
    if bands:
        parts += [tag("path", d=rings_path([band]), class_="river") for band in bands]
    if not water.regions:
        return parts
    waves = [tag("rect", **size, fill=palette.deep)]
    reaches = "".join(tag("use", href=f"#{prefix}-reach-{i}") for i in range(len(_reaches(water.shore))))
    # From the deep to the shore: each band covers all that lies nearer, so lines stay lines.
    rings: list[tuple[float, str, float]] = []
    for reach, share in _DEPTHS:
        rings.append((reach, mixed(palette.deep, palette.water, share), 0.0))
    for reach, share in _RIPPLES:
        rings.append((reach, mixed(palette.water, palette.ripple, share * 0.62), 0.9))
    for reach, colour, line in sorted(rings, reverse=True):
        waves.append(_band(reaches, 2 * reach + line, colour))
        if line:
            shade = max((s for r, s in _DEPTHS if r >= reach), default=1.0)
            waves.append(_band(reaches, 2 * reach - line, mixed(palette.deep, palette.water, shade)))
    parts.append(tag("g", "".join(waves), clip_path=f"url(#{prefix}-wet)", class_="waters"))
    if water.dry:
        parts += [tag("path", d=rings_path(spit.rings), class_=spit.kind) for spit in water.dry]
        parts.append(tag("path", d=lines_path(water.rims), class_="rim"))
    return parts


def _band(reaches: str, width: float, colour: str) -> str:
    return tag("g", reaches, stroke=colour, stroke_width=width)


def _grid(plan: Plan) -> str:
    """Every hexside once, in one path; rivers and canals are line enough themselves."""
    parts = []
    banks = _river_sides(plan)
    for h in plan.on_board(plan.play):
        around = plan.grid.neighbours(h)
        for d in DIRECTIONS:
            outer = around[d] == NOWHERE or not plan.play >> around[d] & 1
            if (d < 3 or outer) and not banks[d] >> h & 1:
                parts.append(path(list(plan.side(h, d))))
    return tag("path", d="".join(parts))


def _river_sides(plan: Plan) -> list[HexMask]:
    masks = [0] * 6
    for kind, sides in plan.map.sides.items():
        if hexside_family(kind) in ("river", "canal"):
            masks = [mask | side for mask, side in zip(masks, sides, strict=True)]
    return masks


def _ticks(plan: Plan) -> str:
    """Short stubs at every corner, which hold the grid together where its lines are faint."""
    parts = []
    banks = _river_sides(plan)
    seen: set[tuple[int, int]] = set()
    for h in plan.on_board(plan.play):
        for d in DIRECTIONS:
            if banks[d] >> h & 1:
                continue
            a, b = plan.side(h, d)
            middle = key(between(a, b))
            if middle in seen:
                continue
            seen.add(middle)
            parts.append(path([a, between(a, b, 0.16)]))
            parts.append(path([b, between(b, a, 0.16)]))
    return tag("path", d="".join(parts))


def _beyond(plan: Plan) -> str:
    """A veil over the land outside the hexes."""
    left, top, right, bottom = plan.frame
    sheet = [(left, top), (right, top), (right, bottom), (left, bottom)]
    return tag("path", d=rings_path([sheet, *plan.outline(plan.play)]), fill_rule="evenodd")


def _numbers(plan: Plan, water: Waters) -> list[str]:
    base = number_base(plan)
    crossed = 0
    for kind, sides in plan.map.sides.items():
        if hexside_family(kind) in ("road", "rail", "prospekt", "river", "canal"):
            crossed |= sides[0] | sides[1] | sides[5]
    groups: dict[str, list[str]] = {"plain": [], "busy": [], "in-town": [], "at-sea": []}
    for h in plan.on_board(plan.play):
        x, y = plan.centre(h)
        name = "plain"
        if water.hexes >> h & 1:
            name = "at-sea"
        elif plan.built >> h & 1:
            name = "in-town"
        elif crossed >> h & 1:
            name = "busy"
        groups[name].append(text(plan.grid.number(h), x, y + base))
    return [group(name, numbers) for name, numbers in groups.items()]


_DISTANCE = (
    # A page that shows the map small gives it the class ``mid`` (a hex below 80 pixels) or ``far`` (below 50).
    ".ladoga-map.mid .glyphs.fine{display:none}",
    ".ladoga-map.far :is(.numbers,.grid,.glyphs,.marks,.road-fill,.name.town,.name.spot,.river-name){display:none}",
    ".ladoga-map.far .road-case{stroke-width:5}",
    ".ladoga-map.far .shore{stroke-width:4}",
    ".ladoga-map.far .grid-ticks{stroke-width:2}",
    ".ladoga-map.far .name:is(.city,.capital){font-size:24px;stroke-width:6px}",
    ".ladoga-map.far .name.metropolis{font-size:27px;stroke-width:6px}",
)


def _terrain_rules(p: Palette) -> dict[str, str]:
    """Bare ground and what grows on it."""
    light = p.name == "dark"
    return {
        "": f"background:{p.panel}",
        "text": "text-anchor:middle;font-variant-numeric:tabular-nums",
        ".ground": f"fill:{p.land}",
        ".grain-on": f"stop-color:{p.grain};stop-opacity:{'.14' if light else '.1'}",
        ".grain-off": f"stop-color:{p.grain};stop-opacity:0",
        ".tint": "fill-rule:evenodd",
        ".tint.marsh": f"fill:{p.marsh};stroke:{p.marsh_glyph};stroke-opacity:.4;stroke-dasharray:2.2 2.6",
        ".tint.woods": f"fill:{p.woods}",
        ".tint.forest": f"fill:{p.forest}",
        ".tint.park": f"fill:{p.park};stroke:{p.woods_glyph};stroke-opacity:.4;stroke-width:.8",
        ".tint.hill": f"fill:{p.hill}",
        ".tint.hill-top": f"fill:{p.hill_top}",
        ".tint.steppe": f"fill:{p.steppe}",
        ".tint.other": f"fill:{mixed(p.land, p.mute, 0.16)};stroke:{p.mute};stroke-width:.7;stroke-dasharray:1 3",
        ".glyphs path": "fill:none;stroke-linecap:round;stroke-linejoin:round;stroke-width:1",
        ".glyphs .marsh-glyph": f"stroke:{p.marsh_glyph}",
        ".glyphs .woods-glyph": f"stroke:{p.woods_glyph};fill:{p.woods_glyph};fill-opacity:.22;stroke-width:.85",
        ".glyphs .forest-glyph": f"stroke:{p.forest_glyph};fill:{p.forest_glyph};fill-opacity:.28;stroke-width:.9",
        ".glyphs .hill-glyph": f"stroke:{p.hill_glyph};stroke-width:.8",
        ".glyphs .steppe-glyph": f"stroke:{p.hill_glyph};stroke-width:.7;opacity:.7",
        ".glyphs .other-glyph": f"stroke:{p.mute};stroke-width:.8",
    }


def _built_rules(p: Palette, prefix: str) -> dict[str, str]:
    """Built-up ground, water and the grid."""
    return {
        ".foreign": f"fill:{p.foreign};fill-opacity:.55",
        ".bank": f"fill:none;stroke:{p.land};stroke-width:9;stroke-linejoin:round;stroke-linecap:round",
        ".built": f"fill-rule:evenodd;stroke:{p.urban_line};stroke-width:1.1",
        ".built.urban": f"fill:{p.urban}",
        ".built.dense": f"fill:{p.dense}",
        ".built.works": f"fill:{p.works}",
        ".built.rubble": f"fill:{p.rubble}",
        ".built.urban.broad": f"fill:{mixed(p.land, p.urban, 0.6)};stroke-opacity:.6",
        ".hatch": "stroke:none",
        ".hatch.broad": "opacity:.5",
        ".hatch-urban": f"fill:url(#{prefix}-hatch-urban)",
        ".hatch-dense": f"fill:url(#{prefix}-hatch-dense)",
        ".hatch-works": f"fill:url(#{prefix}-hatch-works)",
        ".hatch-rubble": f"fill:url(#{prefix}-hatch-rubble)",
        ".river-edge": f"fill:none;stroke:{p.river_edge};stroke-width:2.2;stroke-linejoin:round",
        ".river": f"fill:{p.river}",
        ".shore": f"fill:none;stroke:{p.shore};stroke-width:2.6;stroke-linejoin:round;stroke-linecap:round",
        ".quay": f"fill:{p.urban}",
        ".rim": f"fill:none;stroke:{p.shore};stroke-width:1.3;stroke-linejoin:round;stroke-linecap:round",
        ".waters use": "fill:none;stroke-linejoin:round;stroke-linecap:round",
        ".grid": f"fill:none;stroke:{p.grid};stroke-opacity:.25;stroke-width:.9",
        ".grid-ticks": f"fill:none;stroke:{p.grid};stroke-opacity:.42;stroke-width:1",
        ".beyond": f"fill:{p.panel};fill-opacity:.55",
    }


def _way_rules(p: Palette) -> dict[str, str]:
    """Hexsides: bars, borders, roads, rails, bridges."""
    return {
        ".bar-case": f"fill:none;stroke:{p.water};stroke-width:4.6",
        ".bar": f"fill:none;stroke:{p.shore};stroke-width:2.8;stroke-dasharray:5.5 3.4",
        ".scarp,.other": f"fill:none;stroke:{p.hill_glyph};stroke-width:1.3",
        ".border-band": f"fill:none;stroke:{p.border};stroke-width:7;stroke-opacity:.16;stroke-linejoin:round",
        ".border": f"fill:none;stroke:{p.border};stroke-width:1.7;stroke-dasharray:7 2.6 1.6 2.6;stroke-linejoin:round",
        **_by_side(".border.{side},.border-band.{side}", "stroke", p),
        ".ways path": "fill:none;stroke-linecap:round;stroke-linejoin:round",
        ".road-case": f"stroke:{p.road_case};stroke-width:4.6",
        ".road-fill": f"stroke:{p.road_fill};stroke-width:2.4",
        ".track": f"stroke:{p.road_case};stroke-width:1.6;stroke-dasharray:6 3",
        ".rail-halo": f"stroke:{p.land};stroke-width:4.4;stroke-opacity:.8",
        ".rail": f"stroke:{p.rail};stroke-width:1.5",
        ".ways .rail-ties": f"stroke:{p.rail};stroke-width:5.6;stroke-dasharray:1.1 6.4;stroke-linecap:butt",
        ".rail.minor": "stroke-width:1",
        ".ways .rail-ties.minor": "stroke-width:3.8",
        ".prospekt-case": f"stroke:{p.urban_line};stroke-width:9.4",
        ".prospekt": f"stroke:{p.road_fill};stroke-width:7.4",
        ".metro": f"stroke:{p.teal};stroke-width:2.6;stroke-dasharray:.1 5.4",
        ".bridge": f"fill:none;stroke:{p.ink};stroke-width:1.7;stroke-linejoin:round;stroke-linecap:round",
        ".rail-bridge": f"fill:none;stroke:{p.rail};stroke-width:2.3;stroke-linejoin:round",
        ".ferry": f"fill:none;stroke:{p.ink};stroke-width:2;stroke-dasharray:.1 4.2;stroke-linecap:round",
        ".shore-bed": f"fill:none;stroke:{p.land};stroke-width:9;stroke-linecap:round",
        ".shore": f"fill:none;stroke:{p.shore};stroke-width:2;stroke-dasharray:.1 4.6;stroke-linecap:round",
    }


def _place_rules(p: Palette) -> dict[str, str]:
    """Towns, forts, sectors and marks."""
    return {
        ".spot-dot": f"fill:{p.ink};fill-opacity:.55",
        ".town": f"fill:{p.paper};stroke:{p.ink};stroke-width:1.8",
        ".city-halo": f"fill:{p.land};fill-opacity:.8",
        ".capital": f"fill:{mixed(p.land, p.urban, 0.35)};stroke:{p.city};stroke-width:1.7",
        ".city": f"fill:{p.city}",
        ".fort": f"fill:none;stroke:{p.city};stroke-width:1.6;stroke-linejoin:round;stroke-opacity:.7",
        ".sector": f"fill:none;stroke:{p.mute};stroke-width:2;stroke-dasharray:.1 5;stroke-linecap:round",
        **_by_side(".sector.{side}", "stroke", p),
        ".mark": f"color:{p.ink}",
        **_by_side(".{side}", "color", p),
        ".badge": f"fill:{p.paper};stroke:currentColor;stroke-width:1.5",
        ".badge-letter": f"{font('barlow-700')};font-size:9.6px;fill:currentColor",
        ".star": f"fill:{p.gold};stroke:{p.ink};stroke-width:1;stroke-linejoin:round",
        ".set-up": "fill:currentColor;fill-opacity:.25;stroke:currentColor;stroke-width:1.3",
        ".entry": f"color:{p.mute}",
        **_by_side(".entry.{side}", "color", p),
        "path.entry": f"fill:currentColor;stroke:{p.paper};stroke-width:1",
        ".drawn": "fill:none;stroke:currentColor;stroke-width:1.5;stroke-linecap:round;stroke-linejoin:round",
        ".works-mark": f"fill:{p.city};stroke:{p.paper};stroke-width:.8",
    }


def _name_rules(p: Palette) -> dict[str, str]:
    """Numbers and names."""
    halo = f"paint-order:stroke;stroke:{p.land};stroke-width:4px;stroke-linejoin:round"
    water_halo = f"paint-order:stroke;stroke:{p.water};stroke-opacity:.7;stroke-width:3px;stroke-linejoin:round"
    return {
        ".numbers": f"{font('barlow-500')};font-size:8.6px;fill:{p.number}",
        ".numbers .busy": f"paint-order:stroke;stroke:{p.land};stroke-opacity:.75;stroke-width:2px",
        ".numbers .in-town": f"fill:{mixed(p.number, p.ink, 0.6)}",
        ".numbers .at-sea": f"fill:{p.water_label};fill-opacity:.75",
        ".name": f"fill:{p.ink};{halo}",
        ".name.metropolis": f"{font('spectral-600')};font-size:17px;letter-spacing:.12em;fill:{p.city}",
        ".name.capital,.name.city": f"{font('spectral-600')};font-size:13.6px;letter-spacing:.01em",
        ".name.town": f"{font('spectral-500')};font-size:11.6px;letter-spacing:.01em",
        ".name.spot": f"{font('spectral-400-italic')};font-size:10.4px;letter-spacing:.01em",
        ".water-name": f"{font('spectral-400-italic')};fill:{p.water_label};{water_halo}",
        ".river-name": f"{font('spectral-400-italic')};font-size:12px;letter-spacing:.09em;fill:{p.water_label};{halo}",
        ".region-name": f"{font('spectral-400')};fill:{p.ink};fill-opacity:.32",
    }


def stylesheet(p: Palette, prefix: str = "m") -> str:
    """The CSS of a map in a palette."""
    scope = f".ladoga-map.{p.name}"
    rules = _terrain_rules(p) | _built_rules(p, prefix) | _way_rules(p) | _place_rules(p) | _name_rules(p)
    lines = [
        ",".join(f"{scope} {part}".strip() if part else scope for part in selector.split(",")) + "{" + body + "}"
        for selector, body in rules.items()
    ]
    return "\n".join([*lines, *_DISTANCE])


def patterns(p: Palette, prefix: str) -> str:
    """Hatches of built-up ground."""

    def hatch(name: str, size: float, turn: int, width: float, strength: float, cross: bool = False) -> str:
        strokes = f"M0 0V{num(size)}" + (f"M0 0H{num(size)}" if cross else "")
        line = tag("path", d=strokes, stroke=p.urban_line, stroke_width=width, stroke_opacity=f"{strength}")
        return tag(
            "pattern", line, id=f"{prefix}-hatch-{name}", width=size, height=size,
            patternUnits="userSpaceOnUse", patternTransform=f"rotate({turn})",
        )  # fmt: skip

    return (
        hatch("urban", 9, 160, 0.9, 0.42)
        + hatch("dense", 7, 160, 1.0, 0.55, cross=True)
        + hatch("works", 9, 45, 1.6, 0.3, cross=True)
        + hatch("rubble", 6, 20, 0.8, 0.35)
    )


def _by_side(selector: str, what: str, palette: Palette) -> dict[str, str]:
    """A rule for each side, in the side's colour."""
    return {
        selector.format(side=side): f"{what}:{getattr(style.lines, palette.name)}" for side, style in styles().items()
    }
