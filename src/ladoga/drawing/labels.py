"""Names on the map: every one legible, none on top of another.

Names are placed in order of weight. Each has a list of positions, best first; it takes the first
whose boxes are free, with a small price for covering rivers and shores. Hex numbers and place
symbols count as taken from the start.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import atan2, ceil, cos, hypot, pi, radians, sin

from ..hexes import Hex, HexMask, mask_of
from ..kernel.data import numbers
from .geometry import Box, Point, between, bounds, distance, length, overlap
from .places import Places, is_scattered
from .plan import Plan
from .style import place_family, side_of, spoken, terrain_family
from .svg import num, path, tag, text
from .type import width
from .water import Region, River, Waters

_CELL = 60.0


@dataclass(slots=True)
class Label:
    """A name set on the map: its words, its style and the boxes it covers."""

    words: str
    style: str
    size: float
    boxes: list[Box]
    svg: str
    path: str = ""
    """Path data of the line a curved name runs along."""


@dataclass(slots=True)
class Taken:
    """Boxes that are taken, found by place."""

    cells: dict[tuple[int, int], list[Box]] = field(default_factory=dict)

    def add(self, boxes: Iterable[Box]) -> None:
        """Takes some boxes."""
        for box in boxes:
            for cell in _cells(box):
                self.cells.setdefault(cell, []).append(box)

    def free(self, boxes: Iterable[Box]) -> bool:
        """Whether nothing taken overlaps the boxes."""
        return not any(
            overlap(box, other) for box in boxes for cell in _cells(box) for other in self.cells.get(cell, ())
        )


def _cells(box: Box) -> list[tuple[int, int]]:
    left, top, right, bottom = (int(v // _CELL) for v in box)
    return [(i, j) for i in range(left, right + 1) for j in range(top, bottom + 1)]


def number_box(plan: Plan, h: Hex) -> Box:
    """Where the number of a hex stands."""
    x, y = plan.centre(h)
    half = width(plan.grid.number(h), "barlow-500", 8.6) / 2
    base = y + number_base(plan)
    return x - half, base - 6.6, x + half, base + 0.6


def number_base(plan: Plan) -> float:
    """Base line of a hex number, from the middle of the hex."""
    return -40.5 if plan.flat else -38.5


def labels(plan: Plan, water: Waters, marks: Places, kept: Sequence[Box] = ()) -> list[Label]:
    """Every name of a board, weightiest first; ``kept`` boxes stay free."""
    taken = Taken()
    taken.add(kept)
    taken.add(number_box(plan, h) for h in plan.hexes)
    taken.add(marks.boxes)
    dots = Taken()
    dots.add((x - 1, y - 1, x + 1, y + 1) for river in water.rivers for x, y in _beads(river.line, 8))
    dots.add((x - 1, y - 1, x + 1, y + 1) for line in water.shore for x, y in _beads(line, 8))
    result: list[Label] = []
    for words, spot, style in _place_names(plan, marks):
        _keep(result, taken, _seated(words, spot, style, taken, dots, plan))
    for name in _water_names(plan, water):
        _keep(result, taken, _afloat(plan, name, taken))
    for river in _name_rivers(water.rivers):
        _keep(result, taken, _along(plan, river, taken))
    for words, hexes in _region_names(plan):
        _keep(result, taken, _spread(plan, words, hexes, taken))
    return result


def _keep(result: list[Label], taken: Taken, label: Label | None) -> None:
    if label is not None:
        result.append(label)
        taken.add(label.boxes)


def _beads(line: Sequence[Point], step: float) -> list[Point]:
    result: list[Point] = []
    for a, b in pairwise(line):
        pieces = max(1, ceil(distance(a, b) / step))
        result += [between(a, b, i / pieces) for i in range(pieces)]
    return result


# Towns and cities

_STYLES = {
    "metropolis": ("spectral-600", 17.0, 0.12),
    "capital": ("spectral-600", 13.6, 0.01),
    "city": ("spectral-600", 13.6, 0.01),
    "town": ("spectral-500", 11.6, 0.01),
    "spot": ("spectral-400-italic", 10.4, 0.01),
}
_WEIGHT = ("metropolis", "capital", "city", "town", "spot")


def _place_names(plan: Plan, marks: Places) -> list[tuple[str, Hex, str]]:
    """Names of places with the style of each, cities first."""
    great = 0
    for kind, mask in plan.map.places.items():
        if place_family(kind) == "metropolis":
            great |= mask
    result = []
    for h in plan.hexes:
        words = _clean(plan.map.names.get(h, "").partition(",")[0])
        if not words:
            continue
        style = marks.seats.get(h, "spot")
        if great >> h & 1 and style in ("capital", "spot") and words.lower() in plan.map.places:
            words, style = words.upper(), "metropolis"
        result.append((words, h, style))
    return sorted(result, key=lambda item: (_WEIGHT.index(item[2]), plan.grid.number(item[1])))


def _seated(words: str, h: Hex, style: str, taken: Taken, dots: Taken, plan: Plan) -> Label | None:
    """A place name below its symbol, or as near to that as there is room."""
    face, size, spacing = _STYLES[style]
    best: tuple[float, Label] | None = None
    for shrink, step in ((1.0, 0.0), (0.9, 40.0), (0.8, 80.0), (0.7, 160.0)):
        for cost, label in _seats(words, plan.centre(h), style, face, size * shrink, spacing, plan.flat):
            if best is not None and cost + step >= best[0]:
                continue
            if not taken.free(label.boxes):
                continue
            price = cost + step + (0 if dots.free(label.boxes) else 9)
            if best is None or price < best[0]:
                best = (price, label)
        if best is not None:
            return best[1]
    return None


def _seats(
    words: str, centre: Point, style: str, face: str, size: float, spacing: float, flat: bool
) -> Iterable[tuple[float, Label]]:
    x, y = centre
    half = min(width(words, face, size, spacing), 92) / 2
    reach = {"metropolis": 14.0, "capital": 14.0, "city": 11.0, "town": 6.5, "spot": 4.0}[style]
    base = 41.0 if flat else 39.0
    spots: list[tuple[float, float, float]]
    spots = [(abs(dx) * 0.3, dx, base) for dx in (0, -12, 12, -24, 24, -36, 36)]
    spots += [(6 + abs(dx) * 0.3, dx, base + 6.5) for dx in (0, -15, 15, -30, 30)]
    spots += [(7 + abs(dx) * 0.3, dx, reach + size * 0.9) for dx in (0, -12, 12, -24, 24)]
    spots += [(14, sign * (reach + half), size * 0.3) for sign in (1, -1)]
    spots += [(16 + abs(dx) * 0.3, dx, -reach - size * 0.25) for dx in (0, -12, 12, -24, 24)]
    spots += [(20, sign * (reach + half - 3), size * 0.3 + dy) for sign in (1, -1) for dy in (9, -9)]
    spots += [(26 + abs(dx) * 0.3, dx, base + 20) for dx in (0, -20, 20, -40, 40)]
    rows = _rows(words, face, size)
    half = max(width(row, face, size, spacing) for row in rows) / 2
    for cost, dx, dy in spots:
        left, base_line = x + dx, y + dy
        top = base_line - size * (len(rows) - 1)
        box = (left - half - 1, top - size * 0.72, left + half + 1, base_line + size * 0.2)
        svg = _in_rows(rows, left, top, class_=f"name {style}", **_sized(size, _STYLES[style][1]))
        yield cost, Label(words, style, size, [box], svg)


def _in_rows(rows: list[str], x: float, y: float, **attributes: str | float) -> str:
    """A name in rows that keep apart whatever size it is shown in."""
    following = "".join(tag("tspan", text_content(row), x=x, dy="1em") for row in rows[1:])
    return tag("text", text_content(rows[0]) + following, x=x, y=y, **attributes)


def _rows(words: str, face: str, size: float) -> list[str]:
    """A long name in two rows, parted at the space nearest the middle."""
    if width(words, face, size) < 92 or " " not in words:
        return [words]
    gaps = [i for i, letter in enumerate(words) if letter == " "]
    at = min(gaps, key=lambda i: (abs(i - len(words) / 2), i))
    return [words[:at], words[at + 1 :]]


def _sized(size: float, usual: float) -> dict[str, str | float]:
    return {} if size == usual else {"style": f"font-size:{num(size)}px"}


# Seas and lakes


def _clean(name: str) -> str:
    """A name without remarks: what stands in brackets or after a slash is for the workshop.

    >>> _clean("Neva Bay (1941 shore, approximate)")
    'Neva Bay'
    """
    return re.sub(r"\s*(\(.*\)|/.*)", "", name).strip()


@dataclass(slots=True)
class _Float:
    """A name for some water and the parts of it where the name may float."""

    words: str
    parts: list[Region]
    is_sea: bool
    water: Waters

    def __contains__(self, point: Point) -> bool:
        return any(point in part for part in self.parts) and point in self.water

    @property
    def box(self) -> Box:
        """The box around all parts."""
        return bounds(corner for part in self.parts for corner in (part.box[:2], part.box[2:]))


def _water_names(plan: Plan, water: Waters) -> list[_Float]:
    """Names of waters, seas and great lakes first."""
    found: dict[str, HexMask] = {}
    seas: set[str] = set()
    for feature in plan.map.file.terrain:
        if feature.name and terrain_family(feature.kind) == "water" and plan.map.change.blank is None:
            words = _clean(feature.name)
            hexes = mask_of(plan.grid.hex(n) for n in numbers(feature.at) if n in plan.grid) & plan.mask
            if hexes:
                found[words] = found.get(words, 0) | hexes
                if feature.kind != "lake":
                    seas.add(words)
    result: list[_Float] = []
    for words, hexes in found.items():
        parts = [Region(plan.outline(hexes)), *(r for r in water.regions if _same_water(_clean(r.name), [words]))]
        result.append(_Float(words, parts, words in seas, water))
    for lake in sorted(water.regions, key=lambda r: -r.area):
        words = _clean(lake.name)
        if not words or _same_water(words, found) or lake.area < 900 or not overlap(lake.box, plan.field):
            continue
        found[words] = 0
        result.append(_Float(words, [lake], lake.kind == "sea", water))
    return sorted(result, key=lambda item: (-max(part.area for part in item.parts), item.words))


def _same_water(words: str, found: Iterable[str]) -> bool:
    bare = words.replace("Lake ", "")
    return any(bare == other.replace("Lake ", "") for other in found)


_TURNS = (0, -12, 12, -25, 25, -40, 40, -55, 55, -70, 70, 90)


def _afloat(plan: Plan, name: _Float, taken: Taken) -> Label | None:
    """A name that floats on its water, as large as there is room for."""
    field, box = plan.field, name.box
    left, top = max(field[0], box[0]), max(field[1], box[1])
    right, bottom = min(field[2], box[2]), min(field[3], box[3])
    spots = [(x, y) for y in _steps(top, bottom, 14) for x in _steps(left, right, 14) if (x, y) in name]
    if not spots:
        return None
    mx = sum(p[0] for p in spots) / len(spots)
    my = sum(p[1] for p in spots) / len(spots)
    spots.sort(key=lambda p: (round(hypot(p[0] - mx, p[1] - my), 1), p))
    spots = spots[:: max(1, len(spots) // 260)]
    for size, spacing, turn in _poses(name.is_sea):
        shown = name.words.upper() if size >= 27 and name.words.endswith("Sea") else name.words
        long = width(shown, "spectral-400-italic", size, spacing)
        for spot in spots:
            if not all(p in name for p in _inner_points(spot, long, size, turn)):
                continue
            boxes = _turned_boxes(spot, long, size, turn)
            if not taken.free(boxes):
                continue
            svg = text(
                shown, *spot, class_="water-name", dy=size * 0.3,
                style=f"font-size:{num(size)}px;letter-spacing:{spacing}em",
                **({"transform": f"rotate({turn} {num(spot[0])} {num(spot[1])})"} if turn else {}),
            )  # fmt: skip
            return Label(shown, "water-name", size, boxes, svg)
    return None


def _poses(is_sea: bool) -> list[tuple[float, float, int]]:
    """Size, letterspacing and slant of a floating name, the handsomest first."""
    sizes = [(30.0, 0.42), (27.0, 0.3), (24.0, 0.2), (20.0, 0.12)] if is_sea else [(22.0, 0.14), (19.0, 0.1)]
    sizes += [(16.0, 0.06), (13.0, 0.03), (11.0, 0.02), (9.5, 0.0)]
    poses = [(size, spacing, turn) for size, spacing in sizes for turn in _TURNS]
    return sorted(poses, key=lambda pose: (sizes[0][0] - pose[0]) * (1.1 if is_sea else 1.6) + abs(pose[2]) * 0.24)


def _steps(start: float, end: float, by: float) -> list[float]:
    return [start + by * i for i in range(int((end - start) / by) + 1)]


def _inner_points(spot: Point, long: float, size: float, turn: float) -> list[Point]:
    c, s = cos(radians(turn)), sin(radians(turn))
    points = []
    for i in range(-5, 6):
        for j in (-0.42, 0.0, 0.42):
            u, v = long / 2 * i / 5, size * j
            points.append((spot[0] + u * c - v * s, spot[1] + u * s + v * c))
    return points


def _turned_boxes(spot: Point, long: float, size: float, turn: float) -> list[Box]:
    """Small boxes that together cover a turned line of text."""
    c, s = cos(radians(turn)), sin(radians(turn))
    half = size * 0.46
    if turn == 0:
        return [(spot[0] - long / 2, spot[1] - half, spot[0] + long / 2, spot[1] + half)]
    count = max(1, ceil(long / (2 * half)))
    boxes = []
    for i in range(count):
        u = (i + 0.5) / count * long - long / 2
        x, y = spot[0] + u * c, spot[1] + u * s
        boxes.append((x - half, y - half, x + half, y + half))
    return boxes


# Rivers


def _name_rivers(rivers: Sequence[River]) -> list[River]:
    """The longest piece of each named river."""
    best: dict[str, River] = {}
    for river in rivers:
        if river.name and (river.name not in best or length(river.line) > length(best[river.name].line)):
            best[river.name] = river
    return sorted(best.values(), key=lambda r: (-length(r.line), r.name))


def _along(plan: Plan, river: River, taken: Taken) -> Label | None:
    """A river's name on the curve of its bank."""
    words = _clean(river.name)
    line = [*_beads(river.line, 4), river.line[-1]]
    half_width = max(river.widths)
    left, top, right, bottom = plan.field
    for size in (12.0, 10.5, 9.0):
        long = width(words, "spectral-400-italic", size, 0.09)
        count = ceil((long + 12) / 4)
        best: tuple[float, Label] | None = None
        for start in range(0, len(line) - count, 3):
            piece = line[start : start + count + 1]
            if not all(left < x < right and top < y < bottom for x, y in (piece[0], piece[-1])):
                continue
            bend = _bend(piece)
            middle = abs((start + count / 2) / len(line) - 0.5)
            for above in (True, False):
                price = bend * 14 + middle * 6 + (0 if above else 1.5)
                if best is not None and price >= best[0]:
                    continue
                label, room = _curved(words, piece, size, half_width, above)
                if room >= long + 3 and taken.free(label.boxes):
                    best = (price, label)
        if best is not None and (best[0] < 22 or size == 9.0):
            return best[1]
    return None


def _bend(piece: Sequence[Point]) -> float:
    """How much a piece of line turns, with sharp bends counted heavily."""
    step = 4
    turns = []
    for a, b, c in zip(piece, piece[step:], piece[2 * step :], strict=False):
        first, second = atan2(b[1] - a[1], b[0] - a[0]), atan2(c[1] - b[1], c[0] - b[0])
        turns.append(abs((second - first + pi) % (2 * pi) - pi))
    steep = abs(atan2(piece[-1][1] - piece[0][1], piece[-1][0] - piece[0][0]))
    upright = 1 - abs(abs(steep) - pi / 2) / (pi / 2)
    return sum(turns) / step + max(turns, default=0.0) + 0.35 * upright


def _curved(words: str, piece: Sequence[Point], size: float, half_width: float, above: bool) -> tuple[Label, float]:
    forward = piece[-1][0] >= piece[0][0]
    line = list(piece) if forward else list(piece)[::-1]
    away = -(half_width + 2.6) if above else half_width + 2.2 + size * 0.62
    moved: list[Point] = []
    last = len(line) - 1
    for index, point in enumerate(line):
        a, b = line[max(0, index - 3)], line[min(last, index + 3)]
        size_ab = distance(a, b) or 1.0
        nx, ny = -(b[1] - a[1]) / size_ab, (b[0] - a[0]) / size_ab
        moved.append((point[0] + nx * away, point[1] + ny * away))
    middle = size * 0.3
    boxes = []
    for index in range(0, len(moved), 2):
        a, b = line[max(0, index - 3)], line[min(last, index + 3)]
        size_ab = distance(a, b) or 1.0
        x = moved[index][0] + (b[1] - a[1]) / size_ab * middle
        y = moved[index][1] - (b[0] - a[0]) / size_ab * middle
        boxes.append((x - size * 0.42, y - size * 0.42, x + size * 0.42, y + size * 0.42))
    curve = [*moved[:-1:3], moved[-1]]
    return Label(words, "river-name", size, boxes, "", path(curve)), length(curve)


# Regions


def _region_names(plan: Plan) -> list[tuple[str, HexMask]]:
    """Names of lands: marked regions and countries."""
    result: dict[str, HexMask] = {}
    for feature in plan.map.file.marks:
        family = place_family(feature.kind)
        if family in ("region", "foreign") and plan.map.change.blank is None:
            words = _clean(feature.name) or spoken(feature.kind)
            hexes = mask_of(plan.grid.hex(n) for n in numbers(feature.at) if n in plan.grid) & plan.mask
            result[words] = result.get(words, 0) | hexes
    for kind, mask in plan.map.places.items():
        named = any(place_family(f.kind) == "foreign" and f.kind == kind for f in plan.map.file.marks)
        if place_family(kind) == "foreign" and mask & plan.mask and not named:
            result[spoken(kind)] = mask & plan.mask
    for kind, mask in plan.map.places.items():
        tail = kind.rpartition("-")[2]
        if place_family(kind) != "area" or side_of(kind) or is_scattered(plan, kind):
            continue
        if tail == "side" or tail.isdigit():
            result[spoken(kind) if tail == "side" else tail] = mask & plan.mask
    return sorted((words, hexes) for words, hexes in result.items() if hexes)


def _spread(plan: Plan, words: str, hexes: HexMask, taken: Taken) -> Label | None:
    """A land's name in spaced capitals across it."""
    shown = words.upper()
    centres = [plan.centre(h) for h in plan.on_board(hexes)]
    left, top, right, bottom = bounds(centres)
    middle = ((left + right) / 2, (top + bottom) / 2)
    tall = bottom - top > 1.4 * (right - left)
    turns = (-90,) if tall else (0, -8, 8)
    spots = [
        (middle[0] + dx, middle[1] + dy)
        for dy in (0, -18, 18, -36, 36, -54, 54, -75, 75)
        for dx in (0, -25, 25, -50, 50, -75, 75)
    ]
    spots.sort(key=lambda p: (round(distance(p, middle), 1), p))
    for size, spacing in ((20.0, 0.8), (16.0, 0.6), (13.0, 0.4), (11.0, 0.2)):
        long = width(shown, "spectral-400", size, spacing)
        if long > max(right - left, bottom - top) + 110:
            continue
        for turn in turns:
            for spot in spots:
                boxes = _turned_boxes(spot, long, size, turn)
                if taken.free(boxes):
                    attributes = {"transform": f"rotate({turn} {num(spot[0])} {num(spot[1])})"} if turn else {}
                    svg = text(
                        shown, *spot, class_="region-name", dy=size * 0.3,
                        style=f"font-size:{num(size)}px;letter-spacing:{spacing}em", **attributes,
                    )  # fmt: skip
                    return Label(shown, "region-name", size, boxes, svg)
    return None


def label_svg(label: Label, index: int, prefix: str) -> str:
    """A name as SVG; curved names bring the path they run along."""
    if not label.path:
        return label.svg
    name = f"{prefix}-curve-{index}"
    return tag("path", id=name, d=label.path, fill="none") + tag(
        "text",
        tag("textPath", text_content(label.words), href=f"#{name}", startOffset="50%"),
        class_="river-name",
        **_sized(label.size, 12.0),
    )


def text_content(words: str) -> str:
    """Words escaped for an element's content."""
    return words.replace("&", "&amp;").replace("<", "&lt;")
