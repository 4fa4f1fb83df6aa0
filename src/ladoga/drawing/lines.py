"""What runs along hexsides or from hex to hex: roads, railways, streets, borders, bars, bridges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..hexes import DIRECTIONS, NOWHERE, Direction, Hex, HexMask
from .geometry import Point, between, chaikin, distance, in_a_row, key, wobbled
from .plan import Plan
from .style import hexside_family, place_family, side_of
from .svg import num, path, tag
from .water import Waters

_ACROSS = ("road", "rail", "prospekt", "metro")


@dataclass(slots=True)
class Lines:
    """Layers of lines, bottom to top."""

    bars: list[str] = field(default_factory=list)
    ways: list[str] = field(default_factory=list)
    borders: list[str] = field(default_factory=list)
    spans: list[str] = field(default_factory=list)


def lines(plan: Plan, water: Waters) -> Lines:
    """Every kind of line on a board."""
    result = Lines()
    roads = _mask_of(plan, "road")
    stops = _stops(plan)
    for kind in sorted(plan.map.sides, key=_order):
        family = hexside_family(kind)
        if not plan.sides_with(kind):
            continue
        if family in _ACROSS:
            shift = 6.0 if family in ("rail", "metro") else 0.0
            d = _way(plan, plan.map.sides[kind], roads if shift else {}, stops, shift)
            result.ways += _way_marks(family, kind, d)
        elif family == "barred":
            result.bars.append(_bars(plan, kind, water))
        elif family == "border":
            result.borders += _border(plan, kind)
        elif family in ("bridge", "ferry", "shore"):
            result.spans.append(_spans(plan, kind, family))
        elif family in ("scarp", "other"):
            result.bars.append(_fringe(plan, kind, family))
    return result


def _order(kind: str) -> tuple[int, str]:
    order = ("barred", "border", "prospekt", "metro", "rail", "road")
    family = hexside_family(kind)
    minor = 0 if any(part in kind for part in ("minor", "track", "narrow")) else 1
    return (order.index(family) if family in order else len(order)) * 2 + minor, kind


def _mask_of(plan: Plan, family: str) -> dict[Direction, HexMask]:
    result = dict.fromkeys(DIRECTIONS, 0)
    for kind, masks in plan.map.sides.items():
        if hexside_family(kind) in ("road", "prospekt") and family == "road":
            for d in DIRECTIONS:
                result[d] |= masks[d]
    return result


def _stops(plan: Plan) -> HexMask:
    """The hexes where lines run to the middle: towns and cities."""
    mask = 0
    for kind, hexes in plan.map.places.items():
        if place_family(kind) in ("town", "city", "capital", "station"):
            mask |= hexes
    return mask


def _way(
    plan: Plan, masks: tuple[HexMask, ...], beside: Mapping[Direction, HexMask], stops: HexMask, shift: float
) -> str:
    """A way from hexside middle to hexside middle, the centre as control point."""

    def off(a: Point, b: Point) -> tuple[float, float]:
        size = distance(a, b)
        x, y = (b[0] - a[0]) / size, (b[1] - a[1]) / size
        sign = 1 if (x, y) > (-1e-6, -1e-6) and not (abs(x) < 1e-6 and y < 0) else -1
        return x * sign * shift, y * sign * shift

    parts: list[str] = []
    for h in plan.hexes:
        ends: list[tuple[Point, tuple[float, float]]] = []
        for d in DIRECTIONS:
            if not masks[d] >> h & 1:
                continue
            middle = plan.middle(h, d)
            move = off(*plan.side(h, d)) if beside and beside[d] >> h & 1 else (0.0, 0.0)
            ends.append(((middle[0] + move[0], middle[1] + move[1]), move))
        if not ends:
            continue
        cx, cy = plan.centre(h)
        if len(ends) == 2 and not stops >> h & 1:
            (a, move_a), (b, move_b) = ends
            cx += (move_a[0] + move_b[0]) / 2
            cy += (move_a[1] + move_b[1]) / 2
            parts.append(f"M{num(a[0])} {num(a[1])}Q{num(cx)} {num(cy)} {num(b[0])} {num(b[1])}")
            continue
        parts += [path([a, (cx, cy)]) for a, _ in ends]
        parts += _beyond(plan, h, ends, (cx, cy), stops)
    return "".join(parts)


def _beyond(
    plan: Plan, h: Hex, ends: list[tuple[Point, tuple[float, float]]], centre: Point, stops: HexMask
) -> list[str]:
    """A way that stops in an open hex at the edge of the map goes on off the map."""
    if len(ends) != 1 or stops >> h & 1 or NOWHERE not in plan.grid.neighbours(h):
        return []
    a = ends[0][0]
    left, top, right, bottom = plan.field
    ahead = between(a, centre, 2.0)
    outward = [plan.middle(h, d) for d in DIRECTIONS if plan.grid.neighbours(h)[d] == NOWHERE]
    goal = min(outward, key=lambda p: (round(distance(p, ahead), 3), p))
    end = between(centre, goal, 2.6)
    end = (min(max(end[0], left - 60), right + 60), min(max(end[1], top - 60), bottom + 60))
    return [path([centre, end])]


def _way_marks(family: str, kind: str, d: str) -> list[str]:
    if family == "road":
        minor = any(part in kind for part in ("minor", "track", "trail", "dirt"))
        if minor:
            return [tag("path", d=d, class_="track", data_kind=kind)]
        return [
            tag("path", d=d, class_="road-case", data_kind=kind),
            tag("path", d=d, class_="road-fill"),
        ]
    if family == "rail":
        weight = " minor" if "narrow" in kind or "minor" in kind else ""
        return [
            tag("path", d=d, class_="rail-halo"),
            tag("path", d=d, class_="rail" + weight, data_kind=kind),
            tag("path", d=d, class_="rail-ties" + weight),
        ]
    if family == "prospekt":
        return [tag("path", d=d, class_="prospekt-case", data_kind=kind), tag("path", d=d, class_="prospekt")]
    return [tag("path", d=d, class_="metro", data_kind=kind)]


def _bars(plan: Plan, kind: str, water: Waters) -> str:
    """A dashed bar on every hexside that is all water."""
    parts = []
    for h, d in plan.sides_with(kind):
        other = plan.grid.neighbours(h)[d]
        if water.hexes >> h & 1 or (other != NOWHERE and water.hexes >> other & 1):
            continue
        a, b = plan.side(h, d)
        parts.append(path([between(a, b, 0.06), between(a, b, 0.94)]))
    line = "".join(parts)
    if not line:
        return ""
    return tag("path", d=line, class_="bar-case") + tag("path", d=line, class_="bar", data_kind=kind)


def _fringe(plan: Plan, kind: str, family: str) -> str:
    """A slope or any other hexside: a line with short teeth on the lower side."""
    parts = []
    for h, d in plan.sides_with(kind):
        a, b = plan.side(h, d)
        parts.append(path([between(a, b, 0.04), between(a, b, 0.96)]))
        if family == "scarp":
            cx, cy = plan.centre(h)
            for step in range(1, 8):
                x, y = between(a, b, step / 8)
                size = distance((x, y), (cx, cy))
                parts.append(path([(x, y), (x + (cx - x) * 6 / size, y + (cy - y) * 6 / size)]))
    return tag("path", d="".join(parts), class_=family, data_kind=kind)


def _border(plan: Plan, kind: str) -> list[str]:
    sides = [plan.side(h, d) for h, d in plan.sides_with(kind)]
    parts = []
    for corners in in_a_row(sides):
        ends = [corners[0], corners[-1]]
        line = wobbled(chaikin(corners, 2), 1.2, 20, 23)
        line[0], line[-1] = ends
        if key(corners[0]) == key(corners[-1]):
            line[-1] = line[0]
        parts.append(path(line))
    d = "".join(parts)
    tone = f" {side_of(kind)}" if side_of(kind) else ""
    return [
        tag("path", d=d, class_="border-band" + tone),
        tag("path", d=d, class_="border" + tone, data_kind=kind),
    ]


def _spans(plan: Plan, kind: str, family: str) -> str:
    """Bridges, ferries and ways along a shore: a short way across the middle of the hexside."""
    parts = []
    railway = "rail" in kind
    for h, d in plan.sides_with(kind):
        a, b = plan.side(h, d)
        mx, my = between(a, b)
        size = distance(a, b)
        ux, uy = (b[0] - a[0]) / size, (b[1] - a[1]) / size
        vx, vy = -uy, ux
        if family in ("ferry", "shore"):
            parts.append(path([(mx - vx * 17, my - vy * 17), (mx + vx * 17, my + vy * 17)]))
            continue
        for flank in (-4.4, 4.4):
            x, y = mx + ux * flank, my + uy * flank
            out = flank * 0.75
            parts.append(
                path([
                    (x - vx * 13 + ux * out, y - vy * 13 + uy * out),
                    (x - vx * 9, y - vy * 9),
                    (x + vx * 9, y + vy * 9),
                    (x + vx * 13 + ux * out, y + vy * 13 + uy * out),
                ])
            )  # fmt: skip
    name = "rail-bridge" if railway and family == "bridge" else family
    bed = tag("path", d="".join(parts), class_="shore-bed") if family == "shore" else ""
    return bed + tag("path", d="".join(parts), class_=name, data_kind=kind)
