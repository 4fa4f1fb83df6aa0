"""Writing SVG by hand: short numbers, compact paths, escaped text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from .geometry import Point


def num(value: float) -> str:
    """A number with one decimal at most.

    >>> [num(v) for v in (2.0, -0.04, 0.26, -3.5)]
    ['2', '0', '.3', '-3.5']
    """
    return tenths(round(value * 10))


def tenths(value: int) -> str:
    """A whole number of tenths as the shortest decimal."""
    whole, rest = divmod(abs(value), 10)
    text = f"{whole or ''}.{rest}" if rest else str(whole)
    return "-" + text if value < 0 else text


def path(points: Sequence[Point], *, closed: bool = False) -> str:
    """Path data of straight lines, relative after the first point, rounding errors not adding up.

    >>> path([(0, 0), (10, 0.5), (10, -4)], closed=True)
    'M0 0l10 .5v-4.5z'
    """
    parts: list[str] = []
    x, y = 0, 0
    for index, (px, py) in enumerate(points):
        nx, ny = round(px * 10), round(py * 10)
        if index == 0:
            parts.append(f"M{tenths(nx)} {tenths(ny)}")
        elif nx != x and ny != y:
            parts.append("l" + pair(nx - x, ny - y))
        elif nx != x:
            parts.append("h" + tenths(nx - x))
        elif ny != y:
            parts.append("v" + tenths(ny - y))
        x, y = nx, ny
    return "".join(parts) + ("z" if closed else "")


def pair(x: int, y: int) -> str:
    """Two numbers in tenths, parted by a space only where the sign does not part them."""
    second = tenths(y)
    return tenths(x) + (second if second.startswith("-") else " " + second)


def rings_path(rings: Iterable[Sequence[Point]]) -> str:
    """Path data of several closed rings."""
    return "".join(path(ring, closed=True) for ring in rings)


def lines_path(lines: Iterable[Sequence[Point]]) -> str:
    """Path data of several open lines."""
    return "".join(path(line) for line in lines)


def tag(name: str, body: str = "", /, **attributes: str | float) -> str:
    """An element; ``stroke_width`` becomes ``stroke-width`` and ``class_`` becomes ``class``.

    >>> tag("circle", r=2.5, class_="town")
    '<circle r="2.5" class="town"/>'
    """
    words = [name]
    for key, value in attributes.items():
        text = value if isinstance(value, str) else num(value)
        words.append(f'{key.rstrip("_").replace("_", "-")}="{escape(text, quote=True)}"')
    opening = " ".join(words)
    return f"<{opening}>{body}</{name}>" if body else f"<{opening}/>"


def group(name: str, parts: Iterable[str], **attributes: str | float) -> str:
    """A layer: a group with its name as class, or nothing when it is empty."""
    body = "".join(parts)
    return tag("g", body, class_=name, **attributes) + "\n" if body else ""


def text(words: str, x: float, y: float, /, **attributes: str | float) -> str:
    """A line of text."""
    return tag("text", escape(words, quote=False), x=x, y=y, **attributes)
