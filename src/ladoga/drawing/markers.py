"""Markers to cut out: what a game lays on its map besides units, each with a device of its own and its name.

A kind is looked up by its parts, as the words of a map are; a kind nobody foresaw gets its first letter.
"""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin

from ..kernel.game import MarkerKind
from ..kernel.sides import Livery, styles
from .geometry import Point
from .palette import counter_livery
from .svg import num, path, tag, text
from .type import font, width

_EDGE = "M14 2H86Q98 2 98 14V86Q98 98 86 98H14Q2 98 2 86V14Q2 2 14 2Z"
_X, _Y = 50.0, 42.0


def marker_face(marker: MarkerKind, *, palette: str = "classic") -> str:
    """The drawing of a marker in a square of 100 units."""
    body = counter_livery(marker.side if marker.side in styles() else "neutral", palette)
    parts = [
        tag("path", d=_EDGE, fill=body.ground, stroke=body.outline, stroke_width=2.6),
        tag("path", d=_EDGE, fill="none", stroke=body.ink, stroke_width=1, stroke_opacity=".35",
            transform="translate(5 5) scale(.9)"),
        _device(marker.kind, body),
        *_title(marker.title, body.ink),
    ]  # fmt: skip
    return tag("g", "".join(parts), class_=f"marker {marker.side}".strip())


def _title(words: str, ink: str) -> list[str]:
    """The name on one line or two, as large as fits."""
    lines = [words]
    if width(words, "barlow-700", 13.5, 0.02) > 84 and " " in words:
        parts = words.split()
        half = min(range(1, len(parts)), key=lambda i: abs(len(" ".join(parts[:i])) - len(" ".join(parts[i:]))))
        lines = [" ".join(parts[:half]), " ".join(parts[half:])]
    widest = max(width(line, "barlow-700", 13.5, 0.02) for line in lines)
    size = min(13.5, 13.5 * 84 / widest)
    top = 88.0 if len(lines) == 1 else 79.0
    style = f"{font('barlow-700')};font-size:{num(size)}px;letter-spacing:.02em"
    return [text(line, 50, top + 13 * i, fill=ink, text_anchor="middle", style=style) for i, line in enumerate(lines)]


def _device(kind: str, body: Livery) -> str:
    parts = kind.split("-")
    for name in (kind, *parts):
        if name in _DEVICES:
            return _DEVICES[name](body)
    return _letter(kind[:1].upper())(body)


def _fill(d: str, body: Livery) -> str:
    return tag("path", d=d, fill=body.ink)


def _line(d: str, body: Livery, weight: float = 4.0) -> str:
    return tag("path", d=d, fill="none", stroke=body.ink, stroke_width=weight, stroke_linejoin="round",
               stroke_linecap="round")  # fmt: skip


def _ring(count: int, reach: float, turn: float = -pi / 2, inner: float = 0.0) -> list[Point]:
    steps = count * (2 if inner else 1)
    return [
        (_X + r * cos(turn + 2 * pi * i / steps), _Y + r * sin(turn + 2 * pi * i / steps))
        for i in range(steps)
        for r in (inner if inner and i % 2 else reach,)
    ]


def _letter(letter: str, sides: int = 0) -> Callable[[Livery], str]:
    """A letter in the shape that the state has on the screen."""

    def draw(body: Livery) -> str:
        shape = (
            tag("circle", cx=_X, cy=_Y, r=25, fill=body.ink)
            if not sides
            else _fill(path(_ring(sides, 30 if sides == 3 else 27, -pi / 2 if sides == 3 else 0), closed=True), body)
        )
        size = 26 if sides == 3 else 32
        style = f"{font('barlow-700')};font-size:{size}px"
        base = _Y + (14 if sides == 3 else 11)
        return shape + text(letter, _X, base, fill=body.ground, text_anchor="middle", style=style)

    return draw


def _hourglass(body: Livery) -> str:
    return _line("M34 18H66M34 66H66M38 18C38 36 62 48 62 66M62 18C62 36 38 48 38 66", body) + _fill(
        "M43 62Q50 48 57 62Z", body
    )


def _bastion(body: Livery) -> str:
    return _line("M26 62V34H34V42H44V34H56V42H66V34H74V62Z", body)


def _plane(body: Livery) -> str:
    half = [(0, -25), (3.4, -18), (3.8, -8), (31, 8), (31, 13), (4, 7), (3, 18), (10, 23), (10, 27), (0, 25)]
    ring = [*half, *((-x, y) for x, y in reversed(half[1:-1]))]
    return _fill(path([(_X + x, _Y + y) for x, y in ring], closed=True), body)


def _rubble(body: Livery) -> str:
    return _fill("M18 64L26 46L36 52L32 64ZM36 64L40 40L54 34L58 52L54 64ZM58 64L62 48L74 44L84 64Z", body) + _line(
        "M40 30L46 22M60 34L68 28", body, 3
    )


def _broken_bridge(body: Livery) -> str:
    return _line("M16 36H40L36 44M84 36H60L64 44M16 50Q26 40 34 54M84 50Q74 40 66 54", body) + _line(
        "M44 24L56 58M56 24L44 58", body, 5
    )


def _pontoon(body: Livery) -> str:
    return _line("M16 36H84", body) + "".join(
        _fill(f"M{x} 42H{x + 14}L{x + 11} 54H{x + 3}Z", body) for x in (18, 43, 68)
    )


def _flag(body: Livery) -> str:
    return _line("M34 16V66", body) + _fill("M36 18H74L64 29L74 40H36Z", body)


def _star(body: Livery) -> str:
    return _fill(path(_ring(5, 27, inner=11), closed=True), body)


def _burst(body: Livery) -> str:
    return _fill(path(_ring(9, 29, inner=14), closed=True), body)


def _sights(body: Livery) -> str:
    return tag("circle", cx=_X, cy=_Y, r=18, fill="none", stroke=body.ink, stroke_width=4) + _line(
        f"M{_X} 14V30M{_X} 54V70M22 {_Y}H38M62 {_Y}H78", body
    )


def _cloud(body: Livery) -> str:
    return _fill("M28 50A12 12 0 0 1 30 27A17 17 0 0 1 62 24A13 13 0 0 1 72 50Z", body) + _line(
        "M36 58L32 67M50 58L46 67M64 58L60 67", body, 3.4
    )


def _wall(body: Livery) -> str:
    return _line("M22 28H78V60H22ZM22 44H78M40 28V44M60 28V44M31 44V60M50 44V60M69 44V60", body, 3.2)


_DEVICES: dict[str, Callable[[Livery], str]] = {
    "turn": _hourglass,
    "fort": _bastion,
    "fortification": _bastion,
    "air": _plane,
    "interdiction": _plane,
    "rubble": _rubble,
    "bridge": _broken_bridge,
    "pontoon": _pontoon,
    "control": _flag,
    "victory": _star,
    "points": _star,
    "star": _star,
    "fire": _burst,
    "bombardment": _burst,
    "target": _sights,
    "weather": _cloud,
    "defence": _wall,
    "unsupplied": _letter("S", 3),
    "disrupted": _letter("D", 6),
    "isolated": _letter("I", 4),
    "overrun": _letter("O"),
    "uncommanded": _letter("C", 4),
    "activated": _letter("A"),
    "shaken": _letter("!"),
}
