"""Towns, cities, forts and the small marks that rules put on hexes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import cos, pi, sin

from ..hexes import DIRECTIONS, NOWHERE, Hex, HexMask
from ..kernel.sides import style_of
from .geometry import Box, Point, between, edges, inset, key, rounded
from .plan import Plan
from .style import place_family, side_of, side_words, spoken
from .svg import num, path, rings_path, tag, text

_AREAS = ("metropolis", "foreign", "area")
_SEATS = ("capital", "city", "town")


@dataclass(slots=True)
class Places:
    """Marks in layers, and the boxes that labels must keep clear of."""

    areas: list[str] = field(default_factory=list)
    built: list[str] = field(default_factory=list)
    symbols: list[str] = field(default_factory=list)
    marks: list[str] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)
    seats: dict[Hex, str] = field(default_factory=dict)
    """The hexes with a town or city, and which."""


def places(plan: Plan) -> Places:
    """Everything that stands in a hex of a board."""
    result = Places()
    for kind in sorted(plan.map.places):
        family = place_family(kind)
        if family not in _AREAS or not plan.map.places[kind] & plan.mask:
            continue
        if family != "area" or not (is_scattered(plan, kind) or _is_drawn_in_parts(plan, kind)):
            _area(plan, kind, family, result)
    for h in plan.hexes:
        kinds = plan.map.places_of(h)
        families = {place_family(k): k for k in reversed(kinds)}
        for kind in kinds:
            if place_family(kind) == "fort" and "city" in kind.split("-"):
                families.setdefault("city", kind)
        seat = next((s for s in _SEATS if s in families), "")
        if not seat and plan.map.names.get(h):
            seat = "spot"
        if seat:
            result.seats[h] = seat
            _seat(plan, h, seat, families.get(seat, ""), result)
        _badges(plan, h, [k for k in kinds if _is_mark(plan, k)], result)
    return result


def _is_mark(plan: Plan, kind: str) -> bool:
    family = place_family(kind)
    if family == "area":
        return is_scattered(plan, kind) and not _is_drawn_in_parts(plan, kind)
    return family not in (*_AREAS, *_SEATS, "region")


def _area(plan: Plan, kind: str, family: str, result: Places) -> None:
    """Hexes that belong together: a city of several hexes, a country, a sector."""
    mask = plan.map.places[kind] & plan.mask
    rings = [rounded(inset(ring, 1.2), 5, 2) for ring in plan.outline(mask)]
    d = rings_path(rings)
    if family == "metropolis":
        result.built.append(tag("path", d=d, class_="built urban", data_kind=kind))
        result.built.append(tag("path", d=d, class_="hatch hatch-urban"))
    elif family == "foreign":
        result.areas.append(tag("path", d=d, class_="foreign", data_kind=kind))
    else:
        tone = f" {side_of(kind)}" if side_of(kind) else ""
        result.marks.append(tag("path", d=_rim(plan, mask), class_="sector" + tone, data_kind=kind))


def _rim(plan: Plan, mask: HexMask) -> str:
    """The line around some hexes where it parts them from others in play, just inside it."""
    parts = []
    for ring in plan.outline(mask):
        inner = inset(ring, 4)
        run: list[Point] = []
        for (a, b), (c, d) in zip(edges(ring), edges(inner), strict=True):
            if key(between(a, b)) in plan.edge_middles:
                parts.append(path(run) if len(run) > 1 else "")
                run = []
                continue
            run = [*run, d] if run else [c, d]
        parts.append(path(run) if len(run) > 1 else "")
    return "".join(parts)


def is_scattered(plan: Plan, kind: str) -> bool:
    """Whether no two hexes of a kind touch on this board: then each gets a mark instead of a line."""
    mask = plan.map.places[kind] & plan.mask
    return not plan.grid.ring(mask) & mask


def _is_drawn_in_parts(plan: Plan, kind: str) -> bool:
    """Whether kinds that begin with this one (fringe-0120 for fringe) cover all of it already."""
    mask = plan.map.places[kind] & plan.mask
    for other, hexes in plan.map.places.items():
        if other.startswith(kind + "-"):
            mask &= ~hexes
    return not mask


def _seat(plan: Plan, h: Hex, seat: str, kind: str, result: Places) -> None:
    x, y = plan.centre(h)
    reach = {"capital": 12.5, "city": 8.0, "town": 5.0, "spot": 3.0}[seat]
    result.boxes.append((x - reach, y - reach, x + reach, y + reach))
    if seat == "spot":
        result.symbols.append(tag("circle", cx=x, cy=y, r=1.8, class_="spot-dot"))
    elif seat == "town":
        result.symbols.append(tag("circle", cx=x, cy=y, r=3.9, class_="town", data_kind=kind))
    else:
        if seat == "capital":
            result.symbols.append(tag("circle", cx=x, cy=y, r=12, class_="capital", data_kind=kind))
        else:
            result.symbols.append(tag("circle", cx=x, cy=y, r=11, class_="city-halo"))
        result.symbols.append(tag("path", d=_blocks(x, y), class_="city", data_kind=kind))


def _blocks(x: float, y: float) -> str:
    """Five blocks of houses, a little askew."""
    turn = -0.16
    parts = []
    for left, top, right, bottom in ((-6, -5.6, -0.7, -0.6), (0.5, -6, 5.8, -0.9), (-6.2, 0.6, -2.2, 5.2),
                                     (-1.1, 0.5, 2.4, 5.6), (3.4, 0.4, 6.2, 4.8)):  # fmt: skip
        ring = []
        for px, py in ((left, top), (right, top), (right, bottom), (left, bottom)):
            ring.append((x + px * cos(turn) - py * sin(turn), y + px * sin(turn) + py * cos(turn)))
        parts.append(path(ring, closed=True))
    return "".join(parts)


_SLOTS: tuple[Point, ...] = ((-36, -16), (36, -16), (-41, 5), (41, 5), (-30, 24), (30, 24), (-20, -28), (20, -28))


def _badges(plan: Plan, h: Hex, kinds: list[str], result: Places) -> None:
    """Small marks at the flanks of a hex, where a stack of counters does not hide them."""
    x, y = plan.centre(h)
    slots = iter(_SLOTS)
    for kind in kinds:
        family = place_family(kind)
        if family == "fort":
            result.symbols.append(_fort(x, y, kind))
            continue
        if family == "entry" and len(kind.rpartition("-")[2]) > 3 and (outward := _outer_side(plan, h)) is not None:
            px, py = between(plan.centre(h), outward, 1.2)
            result.marks.append(_arrow((px, py), plan.centre(h), kind))
            result.boxes.append((px - 7, py - 7, px + 7, py + 7))
            continue
        dx, dy = next(slots, (0.0, -30.0))
        px, py = x + dx, y + dy
        result.marks.append(
            tag("g", _badge(px, py, family, kind), class_=f"mark {side_of(kind)}".strip(), data_kind=kind)
        )
        result.boxes.append((px - 8, py - 8, px + 8, py + 8))


def _outer_side(plan: Plan, h: Hex) -> Point | None:
    around = plan.grid.neighbours(h)
    outer = [plan.middle(h, d) for d in DIRECTIONS if around[d] == NOWHERE]
    if not outer:
        return None
    left, top, right, bottom = plan.field

    def depth(p: Point) -> tuple[float, Point]:
        return round(min(p[0] - left, right - p[0], p[1] - top, bottom - p[1]), 3), p

    return min(outer, key=depth)


def _arrow(at: Point, towards: Point, kind: str) -> str:
    """An arrowhead on the edge of the map, pointing in."""
    size = ((towards[0] - at[0]) ** 2 + (towards[1] - at[1]) ** 2) ** 0.5 or 1.0
    ux, uy = (towards[0] - at[0]) / size, (towards[1] - at[1]) / size
    vx, vy = -uy, ux
    shape = [
        (at[0] + ux * 7, at[1] + uy * 7),
        (at[0] - ux * 4 + vx * 6, at[1] - uy * 4 + vy * 6),
        (at[0] - ux * 1.5, at[1] - uy * 1.5),
        (at[0] - ux * 4 - vx * 6, at[1] - uy * 4 - vy * 6),
    ]
    return tag("path", d=path(shape, closed=True), class_=f"entry {side_of(kind)}".strip(), data_kind=kind)


def _fort(x: float, y: float, kind: str) -> str:
    """A work with four bastions around the middle of the hex."""
    ring: list[Point] = []
    for turn in range(4):
        for px, py in ((-30.0, -21.0), (-30.0, -30.0), (-21.0, -30.0), (-19.0, -25.5), (19.0, -25.5)):
            for _ in range(turn):
                px, py = -py, px
            ring.append((x + px, y + py))
    return tag("path", d=path(ring, closed=True), class_="fort", data_kind=kind)


def _frame(x: float, y: float, kind: str) -> str:
    """The shape of the side's counters, round corners or cut ones; a disc for nobody's."""
    side = side_of(kind)
    if not side:
        return tag("circle", cx=x, cy=y, r=6.8, class_="badge")
    if style_of(side).corners == "round":
        return tag("rect", x=x - 6.5, y=y - 6.5, width=13, height=13, rx=2.6, class_="badge")
    ring = [(x + 7.2 * cos(pi * (2 * i + 1) / 8), y + 7.2 * sin(pi * (2 * i + 1) / 8)) for i in range(8)]
    return tag("path", d=path(ring, closed=True), class_="badge")


def _letter(x: float, y: float, letter: str, kind: str) -> str:
    small = {"style": "font-size:8px"} if len(letter) > 1 else {}
    return _frame(x, y, kind) + text(letter, x, y + 3.4 - 0.5 * (len(letter) > 1), class_="badge-letter", **small)


def _star(x: float, y: float) -> str:
    ring = []
    for i in range(10):
        r = 7.6 if i % 2 == 0 else 3.3
        ring.append((x + r * sin(pi * i / 5), y - r * cos(pi * i / 5)))
    return tag("path", d=path(ring, closed=True), class_="star")


def _setup(x: float, y: float) -> str:
    ring = [(x, y - 6), (x + 6, y), (x, y + 6), (x - 6, y)]
    return tag("path", d=path(ring, closed=True), class_="set-up")


def _entry(x: float, y: float) -> str:
    ring = [(x - 6, y - 5), (x, y - 5), (x + 6, y), (x, y + 5), (x - 6, y + 5), (x - 2.5, y)]
    return tag("path", d=path(ring, closed=True), class_="entry")


def _port(x: float, y: float) -> str:
    d = f"M{num(x)} {num(y - 4)}v10m-5-4.5c.6 3 2.4 4.5 5 4.5s4.4-1.5 5-4.5m-7.6-3.4h5.2"
    return tag("circle", cx=x, cy=y - 5.4, r=1.7, class_="drawn") + tag("path", d=d, class_="drawn")


def _airfield(x: float, y: float) -> str:
    return tag("circle", cx=x, cy=y, r=6.6, class_="badge") + tag(
        "path", d=f"M{num(x)} {num(y - 5)}v9m-5-4.6h10m-7 4.6h4", class_="drawn"
    )


def _works(x: float, y: float) -> str:
    d = f"M{num(x - 6.5)} {num(y + 5.5)}v-7l4.2-3.4v3.4l4.2-3.4v3.4h1.4v-6h2.6v13z"
    return tag("path", d=d, class_="works-mark")


def _bridge(x: float, y: float) -> str:
    d = f"M{num(x - 7)} {num(y - 4)}q3 3 7 3t7-3m-14 8q3-3 7-3t7 3"
    return tag("path", d=d, class_="drawn")


def _ferry(x: float, y: float) -> str:
    d = f"M{num(x - 6.5)} {num(y)}h13l-2.6 4.5h-7.8zm6 0v-5.5l3.6 4"
    return tag("path", d=d, class_="drawn")


_PICTURES: dict[str, Callable[[float, float], str]] = {
    "objective": _star,
    "star": _star,
    "setup": _setup,
    "entry": _entry,
    "port": _port,
    "airfield": _airfield,
    "works": _works,
    "bridge": _bridge,
    "ferry": _ferry,
}


def _badge(x: float, y: float, family: str, kind: str) -> str:
    """The mark of a kind of place: a picture, or its initial in the shape of its side."""
    tail = kind.rpartition("-")[2]
    if family == "entry" and len(tail) <= 3:
        return _letter(x, y, tail.upper(), kind)
    if family in _PICTURES:
        more = _star(x + 11, y) if kind.endswith("stars") else ""
        return _PICTURES[family](x, y) + more
    if family == "supply":
        return _letter(x, y, "S", kind)
    if family == "station":
        return _letter(x, y, "M" if "metro" in kind else "R", kind)
    words = [w for w in spoken(kind).split() if w.lower() not in side_words()] or [kind]
    return _letter(x, y, words[0][0].upper(), kind)
