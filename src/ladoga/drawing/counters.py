"""Counters in the hobby's layout: symbol in the middle, name left, superior right, figures below.

Side is a shape first: one side's counters have round corners and one outline, the other's cut
corners and an inner line, so sides are told apart without colour and at any size. Below 40 pixels
the face keeps symbol and figures, below 22 only its side.
"""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin

from ..kernel.sides import Livery, liveries, style_of
from ..kernel.table import Counter
from .geometry import Point, between, edges
from .palette import counter_livery, mixed
from .svg import num, path, tag, text
from .type import font, font_faces, width

LEGIBLE = 9.0
"""The smallest type on a counter that is still read, in hundredths of its side."""

_LEFT, _TOP, _WIDE, _HIGH = 27.0, 28.0, 46.0, 31.0
_X, _Y = _LEFT + _WIDE / 2, _TOP + _HIGH / 2
_TABS = ("#3f6f80", "#6b5a8e", "#8a6d2f", "#5d7a3f", "#8a4a5a", "#4a5a72", "#7a5a3f", "#3f7a6b", "#9a6a8a", "#6f6f3a")
_SHORT = {"division": "XX", "corps": "XXX", "army": "XXXX", "brigade": "X", "regiment": "III", "battalion": "II"}


def counter_svg(counter: Counter, *, palette: str = "classic", size: float = 60.0, fonts: bool = False) -> str:
    """A counter as SVG text, ``size`` pixels on a side.

    >>> import ladoga
    >>> counter = ladoga.load("tijvin-1941").start().table().counters[0]
    >>> counter_svg(counter)[:4], counter_svg(counter, size=30).count("</svg>")
    ('<svg', 1)
    """
    body = counter_face(counter, palette=palette, size=size)
    style = tag("style", font_faces(body, ["barlow-600", "barlow-700"])) if fonts else ""
    label = tag("title", _escaped(spoken(counter)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -10 114 114" width="{num(size * 1.14)}" '
        f'height="{num(size * 1.14)}" class="counter {counter.side}" role="img">{label}{style}{body}</svg>'
    )


def spoken(counter: Counter) -> str:
    """A counter in words, for people who hear the table.

    >>> spoken(Counter("1", "german", symbol="armor", size="XX", name="1", figures="10-8"))
    'German 1, armor division, 10-8'
    """
    sizes = {mark: word for word, mark in _SHORT.items()}
    if counter.face_down:
        return f"{counter.side.title()} counter, face down"
    kind = f"{counter.symbol} {sizes.get(counter.size, '')}".strip()
    words = [f"{counter.side.title()} {counter.name or counter.id}", kind, counter.figures, *counter.states]
    return ", ".join(word for word in words if word)


def counter_face(counter: Counter, *, palette: str = "classic", size: float = 60.0) -> str:
    """The drawing of a counter in a square of 100 units, without the file around it.

    >>> counter_face(Counter("12", "german", figures="6-6")).startswith("<g")
    True
    """
    body = counter_livery(livery_name(counter), palette)
    parts = [_ground(counter, body)]
    if size >= 22:
        if counter.face_down:
            parts.append(_back(counter, body))
        else:
            parts += _front(counter, body, full=size >= 40)
        parts += _badges(counter.states)
    return tag("g", "".join(parts), class_=f"counter {counter.side}")


def livery_name(counter: Counter) -> str:
    """Which colours a counter has: the shade it asks for, or its side's own."""
    known = liveries("classic")
    if counter.colour == "marker":
        return "neutral"
    if counter.colour in known:
        return counter.colour
    own = counter.side if counter.side in known else "neutral"
    return style_of(counter.side).symbols.get(counter.symbol, own)


def _cut(counter: Counter) -> bool:
    return style_of(counter.side).corners == "cut"


def outline(counter: Counter, inset: float = 2.0) -> list[Point]:
    """The counter's edge: round corners, or cut ones."""
    low, high = inset, 100 - inset
    if _cut(counter):
        c = 17 - inset * 0.5
        return [(low + c, low), (high - c, low), (high, low + c), (high, high - c),
                (high - c, high), (low + c, high), (low, high - c), (low, low + c)]  # fmt: skip
    r = 13 - inset * 0.5
    middles = ((high - r, low + r), (high - r, high - r), (low + r, high - r), (low + r, low + r))
    return [
        (x + r * cos(turn), y + r * sin(turn))
        for corner, (x, y) in enumerate(middles)
        for step in range(7)
        for turn in (pi / 2 * (corner - 1) + pi / 12 * step,)
    ]


def _strip(ring: list[Point], top: float, bottom: float) -> list[Point]:
    """The part of a counter between two heights."""
    for level, sign in ((top, 1), (bottom, -1)):
        kept: list[Point] = []
        for a, b in edges(ring):
            if (a[1] - level) * sign >= 0:
                kept.append(a)
            if (a[1] - level) * (b[1] - level) < 0:
                kept.append(between(a, b, (level - a[1]) / (b[1] - a[1])))
        ring = kept
    return ring


def _ground(counter: Counter, body: Livery) -> str:
    edge = path(outline(counter), closed=True)
    fill = body.ground
    inner = outline(counter, 3.2)
    parts = [
        tag("path", d=edge, fill=body.outline, opacity=".3", transform="translate(0 2.4)"),
        tag("path", d=edge, fill=fill, stroke=body.outline, stroke_width=2.6, stroke_linejoin="round"),
    ]
    if 0 < counter.steps < counter.full_steps <= 4 and not counter.face_down:
        parts.append(tag("path", d=path(_strip(inner, 64, 100), closed=True), fill=body.reduced))
    tab = _tab(counter)
    if tab:
        parts.append(tag("path", d=path(_strip(inner, 0, 11), closed=True), fill=tab))
    line = path(outline(counter, 6.4 if _cut(counter) else 4.2), closed=True)
    strength = ".9" if _cut(counter) else ".4"
    light = mixed(fill, "#ffffff", 0.35)
    parts.append(tag("path", d=line, fill="none", stroke=light, stroke_width=1.2, stroke_opacity=strength))
    return "".join(parts)


def _tab(counter: Counter) -> str:
    """The strip of a formation, always the same for the same one."""
    if counter.face_down:
        return ""
    if counter.colour == "ss":
        return "#1c1c1c"
    if counter.colour == "nkvd":
        return "#5d86ad"
    if counter.formation and not _cut(counter):
        return _TABS[sum((i + 1) * ord(letter) for i, letter in enumerate(counter.formation)) % len(_TABS)]
    return ""


def _words(
    words: str,
    x: float,
    base: float,
    size: float,
    room: float,
    ink: str,
    face: str = "barlow-700",
    spacing: float = 0.0,
) -> str:
    """A line of text, smaller where it would not fit."""
    wide = width(words, face, size, spacing)
    shown = size if wide <= room else max(6.0, size * room / wide)
    space = f";letter-spacing:{spacing}em" if spacing else ""
    return text(words, x, base - (size - shown) * 0.3, fill=ink, text_anchor="middle",
                style=f"{font(face)};font-size:{num(shown)}px{space}")  # fmt: skip


def _beside(words: str, x: float, size: float, room: float, ink: str) -> str:
    """Words left or right of the symbol; upright on end where they would be too small to read."""
    if width(words, "barlow-600", LEGIBLE, 0.0) <= room:
        return _words(words, x, 49, size, room, ink, "barlow-600")
    return tag(
        "g", _words(words, 0, 4.4, 13.5, 46, ink, "barlow-600"), transform=f"translate({num(x)} {num(_Y)}) rotate(-90)"
    )


def _front(counter: Counter, body: Livery, *, full: bool) -> list[str]:
    done = {"moved", "activated"} & set(counter.states)
    parts: list[str] = []
    mark = _SHORT.get(counter.size, counter.size)
    if full and mark:
        parts.append(_words(mark, 50, 24.5, 15, 40, body.ink, spacing=0.08))
    parts.append(_symbol(counter, body))
    boxed = counter.symbol not in _UNBOXED
    if full and boxed:
        if counter.figures and (counter.name or counter.symbol != "unknown"):
            parts.append(_beside(_short_name(counter), 15, 16, 19.5, body.ink))
        if counter.formation:
            parts.append(_beside(_brief(counter.formation), 85.5, 12.5, 18.5, body.ink))
        parts += _steps(counter, body)
    elif full and counter.name:
        parts.append(_words(_short_name(counter, 14), 50, 21, 14, 76, body.ink, "barlow-600"))
    parts.append(_figures(counter, body))
    return [tag("g", "".join(parts), opacity=".62" if done else "1")]


def _short_name(counter: Counter, most: int = 7) -> str:
    """The name if it is short, else the id, else its first word."""
    for words in (counter.name, counter.id):
        if words and len(words) <= most:
            return words
    return (counter.name or counter.id).split()[0][: most + 1]


def _brief(formation: str) -> str:
    return formation if len(formation) <= 6 else formation.split()[0][:6]


def _steps(counter: Counter, body: Livery) -> list[str]:
    """Steps left as pips, or as a bar where a unit has many."""
    if counter.full_steps <= 1:
        return []
    if counter.full_steps > 4:
        share = max(0.0, min(1.0, counter.steps / counter.full_steps))
        return [
            tag("rect", x=14, y=63.4, width=72, height=3.6, rx=1.8, fill=body.ink, opacity=".28"),
            tag("rect", x=14, y=63.4, width=72 * share, height=3.6, rx=1.8, fill=body.ink),
        ]
    parts = []
    for i in range(counter.full_steps):
        on = i < counter.steps
        x = 90.5 - 6.2 * (counter.full_steps - i)
        parts.append(
            tag("rect", x=x, y=53.6, width=5, height=5, rx=1.2, fill=body.ink if on else "none",
                stroke=body.ink, stroke_width=1)
        )  # fmt: skip
    return parts


def _figures(counter: Counter, body: Livery) -> str:
    """The figures at the foot; a class letter stands in its own shape."""
    ink = body.ink
    if not counter.figures:
        boxed = counter.symbol not in _UNBOXED
        return _words(_short_name(counter, 12), 50, 86, 19, 84, ink, "barlow-600") if boxed else ""
    pieces = counter.figures.replace(" ", "-").split("-")
    if len(pieces) == 3 and pieces[1] in ("A", "B", "C"):
        shape = {
            "A": tag("circle", cx=50, cy=80.5, r=10, fill=ink),
            "B": tag("rect", x=40.5, y=71, width=19, height=19, rx=1.5, fill="none", stroke=ink, stroke_width=2.4),
            "C": _stroke("M50 68.5l12.4 21.5h-24.8z", ink, 2.4),
        }[pieces[1]]  # fmt: skip
        within = body.ground if pieces[1] == "A" else ink
        base = 88.2 if pieces[1] == "C" else 86.4
        return (
            _words(pieces[0], 24, 91, 29, 27, ink)
            + shape
            + _words(pieces[1], 50, base, 13 if pieces[1] == "C" else 16.5, 14, within)
            + _words(pieces[2], 76, 91, 29, 27, ink)
        )
    return _words(counter.figures, 50, 91.5, 31, 82, ink)


# Symbols


def _symbol(counter: Counter, body: Livery) -> str:
    kind = counter.symbol
    ink = body.outline if body.ink > "#8" else body.ink
    if kind in _UNBOXED:
        return _UNBOXED[kind](body, ink)
    if kind == "unknown":
        return tag(
            "rect", x=_LEFT + 1, y=_TOP, width=_WIDE - 2, height=_HIGH, fill="none", stroke=body.ink,
            stroke_width=2.4, stroke_dasharray="5 3.2",
        ) + _words("?", 50, _Y + 9, 26, 30, body.ink)  # fmt: skip
    box = tag("rect", x=_LEFT, y=_TOP, width=_WIDE, height=_HIGH, fill=body.box, stroke=ink, stroke_width=3.2)
    draw = _BOXED.get(kind)
    inner = draw(ink) if draw else _words(kind[:1].upper(), 50, _Y + 8, 23, 30, ink)
    return box + inner


def _stroke(d: str, ink: str, weight: float = 2.7) -> str:
    return tag("path", d=d, fill="none", stroke=ink, stroke_width=weight, stroke_linejoin="round")


def _cross(ink: str) -> str:
    return _stroke(
        f"M{num(_LEFT)} {num(_TOP)}l{num(_WIDE)} {num(_HIGH)}m0-{num(_HIGH)}l-{num(_WIDE)} {num(_HIGH)}", ink
    )


def _oval(ink: str) -> str:
    return tag("rect", x=_X - 15, y=_Y - 8.5, width=30, height=17, rx=8.5, fill="none", stroke=ink, stroke_width=2.9)


def _upright(ink: str) -> str:
    return _stroke(f"M{num(_X)} {num(_TOP)}v{num(_HIGH)}", ink)


def _slash(ink: str) -> str:
    return _stroke(f"M{num(_LEFT)} {num(_TOP + _HIGH)}l{num(_WIDE)}-{num(_HIGH)}", ink)


def _dot(ink: str) -> str:
    return tag("circle", cx=_X, cy=_Y, r=5.6, fill=ink)


def _comb(ink: str) -> str:
    return _stroke(f"M{num(_X - 13)} {num(_Y + 8)}v-14h26v14m-13 0v-14", ink, 3.2)


def _roof(ink: str) -> str:
    return _stroke(
        f"M{num(_LEFT)} {num(_TOP + _HIGH)}l{num(_WIDE / 2)}-{num(_HIGH)} {num(_WIDE / 2)} {num(_HIGH)}", ink
    )


def _rocket(ink: str) -> str:
    return tag("circle", cx=_X, cy=_Y + 8, r=4.4, fill=ink) + _stroke(
        f"M{num(_X - 8)} {num(_Y + 1)}l8-6 8 6m-16-6l8-6 8 6", ink, 2.6
    )


def _flag(ink: str) -> str:
    head = tag("rect", x=_LEFT, y=_TOP, width=_WIDE, height=10.5, fill=ink)
    return head + _stroke(f"M{num(_LEFT)} {num(_TOP)}v{num(_HIGH + 7)}", ink, 3.2)


def _wings(ink: str) -> str:
    return _cross(ink) + _stroke(f"M{num(_X - 11)} {num(_TOP + _HIGH - 3)}c2-7 9-7 11 0c2-7 9-7 11 0", ink, 2.4)


def _anchor(ink: str) -> str:
    return _cross(ink) + _stroke(f"M{num(_X)} {num(_Y - 11)}v22m-7-7c1 5 4 7 7 7s6-2 7-7", ink, 2.4)


def _rails(ink: str) -> str:
    return _dot(ink) + _stroke(f"M{num(_LEFT + 5)} {num(_TOP + _HIGH - 5)}h{num(_WIDE - 10)}", ink, 2.4)


def _lettered(letter: str, *, crossed: bool) -> Callable[[str], str]:
    def draw(ink: str) -> str:
        if not crossed:
            return _words(letter, 50, _Y + 8, 23, 30, ink)
        ring = tag("circle", cx=_X, cy=_Y, r=8, fill="#ffffff", fill_opacity=".85", stroke=ink, stroke_width=2)
        return _cross(ink) + ring + _words(letter, 50, _Y + 4.3, 12, 12, ink)

    return draw


_BOXED: dict[str, Callable[[str], str]] = {
    "infantry": _cross,
    "armor": _oval,
    "mechanized": lambda ink: _cross(ink) + _oval(ink),
    "motorized": lambda ink: _cross(ink) + _upright(ink),
    "cavalry": _slash,
    "reconnaissance": _slash,
    "artillery": _dot,
    "engineer": _comb,
    "antitank": _roof,
    "rocket": _rocket,
    "hq": _flag,
    "marine": _anchor,
    "airborne": _wings,
    "rail-gun": _rails,
    "guerrilla": _lettered("G", crossed=False),
    "worker": _lettered("W", crossed=True),
    "security": _lettered("S", crossed=True),
}


def _plane(body: Livery, ink: str, scale: float = 1.0) -> str:
    half = [(0, -19), (2.6, -14), (2.9, -6), (24, 6), (24, 10), (3, 5.4), (2.2, 14), (8, 18), (8, 21), (0, 19)]
    ring = [*half, *((-x, y) for x, y in reversed(half[1:-1]))]
    shown = body.ink if body.ink < "#8" else body.box
    return tag("path", d=path([(50 + x * scale, 46 + y * scale) for x, y in ring], closed=True), fill=shown)


def _ship(body: Livery, ink: str) -> str:
    shown = body.ink
    d = "M22 52h56l-6 10h-43zM34 50v-6h9v-8h5v-6h4v6h5v8h10v6z"
    return tag("path", d=d, fill=shown)


def _bastions(body: Livery, ink: str) -> str:
    ring: list[Point] = []
    for turn in range(4):
        for px, py in ((-20.0, -12.0), (-20.0, -20.0), (-12.0, -20.0), (-10.0, -15.0), (10.0, -15.0)):
            for _ in range(turn):
                px, py = -py, px
            ring.append((50 + px, 44 + py))
    return tag("path", d=path(ring, closed=True), fill=body.box, stroke=ink, stroke_width=2.6, stroke_linejoin="round")


def _wreath(body: Livery, ink: str) -> str:
    leaves = []
    for side in (-1, 1):
        for i in range(5):
            a = pi / 2 + side * (0.5 + i * 0.42)
            x, y = 50 + 20 * cos(a), 44 + 18 * sin(a)
            leaves.append(
                tag(
                    "ellipse",
                    cx=x,
                    cy=y,
                    rx=4.4,
                    ry=2,
                    fill=body.ink,
                    transform=f"rotate({num(a * 180 / pi + 90 + side * 25)} {num(x)} {num(y)})",
                )
            )
    middle = tag("path", d="M50 33l7 11-7 11-7-11z", fill=body.ink)
    return "".join(leaves) + middle


_UNBOXED: dict[str, Callable[[Livery, str], str]] = {
    "air": _plane,
    "bomber": lambda body, ink: _plane(body, ink, 1.15),
    "naval": _ship,
    "fort": _bastions,
    "leader": _wreath,
}


def _back(counter: Counter, body: Livery) -> str:
    """The back of a counter: hatched, with a plain device that tells the side."""
    strokes = []
    for k in range(40, 164, 8):
        start, end = max(11.0, k - 89.0, (k - 60) / 2), min(89.0, k - 11.0, (k + 60) / 2)
        strokes.append(path([(start, k - start), (end, k - end)]))
    hatch = tag("path", d="".join(strokes), stroke=body.outline, stroke_width=1.2, stroke_opacity=".2", fill="none")
    if _cut(counter):
        ring = [(50 + r * sin(pi * i / 5), 51 - r * cos(pi * i / 5)) for i in range(10) for r in ((27.0, 10.6)[i % 2],)]
        device = tag(
            "path", d=path(ring, closed=True), fill="none", stroke=body.ink, stroke_width=3, stroke_linejoin="round"
        )
    else:
        device = tag("circle", cx=50, cy=50, r=24, fill="none", stroke=body.ink, stroke_width=3) + _stroke(
            "M50 36v28m-14-14h28", body.ink, 3
        )
    return hatch + device


# States

_STATES: dict[str, tuple[str, str, str]] = {
    "moved": ("disc", "»", "#35393a"),
    "activated": ("disc", "»", "#35393a"),
    "fired": ("disc", "F", "#8a2c18"),
    "attacked": ("disc", "F", "#8a2c18"),
    "unsupplied": ("triangle", "S", "#e8a33a"),
    "disrupted": ("hexagon", "D", "#5d4a86"),
}


def _badges(states: tuple[str, ...]) -> list[str]:
    """At most two states at the top right: shape, letter and colour together."""
    shown = [s for s in states if s != "reduced"][:2]
    parts = []
    for index, state in enumerate(shown):
        x = 92 - 24 * (len(shown) - 1 - index)
        shape, letter, colour = _STATES.get(state, ("disc", state[:1].upper(), "#5f5a4e"))
        parts.append(_badge(shape, letter, colour, float(x), 7.0))
    return parts


def _badge(shape: str, letter: str, colour: str, x: float, y: float) -> str:
    sides = {"triangle": (3, -pi / 2), "hexagon": (6, 0.0)}
    look: dict[str, str | float] = {
        "fill": colour,
        "stroke": "#fff9ee",
        "stroke_width": 2.2,
        "stroke_linejoin": "round",
    }
    if shape == "disc":
        mark = tag("circle", cx=x, cy=y, r=11, **look)
    else:
        count, start = sides[shape]
        reach = 15.0 if shape == "triangle" else 13.0
        ring = [
            (x + reach * cos(start + 2 * pi * i / count), y + reach * sin(start + 2 * pi * i / count))
            for i in range(count)
        ]
        mark = tag("path", d=path(ring, closed=True), **look)
    ink = "#26190a" if shape == "triangle" else "#fff9ee"
    return mark + _words(letter, x, y + (6.2 if shape == "triangle" else 5.2), 14.5, 18, ink)


def _escaped(words: str) -> str:
    return words.replace("&", "&amp;").replace("<", "&lt;")
