"""How sides look and what they call things: data of the families (``sides.yaml``), so that nobody else names a side.

>>> style_of("soviet").corners, style_of("soviet").branches["infantry"]
('cut', 'Rifle')
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from .data import Source, Strict, load
from .errors import BadData

Colour = Annotated[str, msgspec.Meta(pattern="^#[0-9a-f]{6}$")]


class Livery(Strict):
    """The colours of a counter: its ground, its outline, the ink on it, the box of its symbol, and the ground when it
    is reduced. What a shade does not say it takes from the side's own."""

    ground: Colour = ""
    outline: Colour = ""
    ink: Colour = ""
    box: Colour = ""
    reduced: Colour = ""

    def over(self, other: Livery) -> Livery:
        """These colours where they are given, the others elsewhere."""
        return Livery(*(getattr(self, field) or getattr(other, field) for field in self.__struct_fields__))


class Shade(Strict):
    """A kind of counter, in the usual colours and in those that everybody can tell apart."""

    classic: Livery
    distinct: Livery


class Lines(Strict):
    """A side's colour on a map in each palette."""

    classic: Colour
    dark: Colour
    distinct: Colour


class SideStyle(Strict, rename={"from_": "from"}):
    """How a side looks, and what it calls its branches."""

    from_: Source
    lines: Lines
    counters: dict[str, Shade]
    corners: Literal["round", "cut"] = "round"
    words: tuple[str, ...] = ()
    symbols: dict[str, str] = {}
    branches: dict[str, str] = {}
    marks: Lines | None = None
    """Its colour in panels, trails and small marks; that of the lines if not given."""


NEUTRAL_LINES = Lines("#6b6354", "#a89d84", "#6b6354")
NEUTRAL = Livery("#e6dcc6", "#5a5040", "#26231d", "#fbf8f1", "#f3ecdc")
"""Counters of no side, and of sides without a style."""
PLAIN = SideStyle("judged", NEUTRAL_LINES, {"neutral": Shade(NEUTRAL, NEUTRAL)})


@cache
def styles() -> Mapping[str, SideStyle]:
    """The style of every side of every family that is installed."""
    found: dict[str, SideStyle] = {}
    for folder in _folders():
        for path in (folder / "sides.yaml", folder / "data" / "sides.yaml"):
            if path.is_file():
                found.update(load(path, dict[str, SideStyle]))
    for side, style in found.items():
        if side not in style.counters:
            raise BadData(f"the side's own counters are missing, under {side!r}", path=f"{side}.counters")
    return found


def style_of(side: str) -> SideStyle:
    """The style of a side; a plain one where there is none."""
    return styles().get(side, PLAIN)


@cache
def liveries(palette: str) -> Mapping[str, Livery]:
    """Every shade of counters by its name; dark and classic maps carry the same counters."""
    which = "distinct" if palette == "distinct" else "classic"
    result = {"neutral": NEUTRAL}
    for side, style in styles().items():
        own: Livery = getattr(style.counters[side], which)
        result |= {name: getattr(shade, which).over(own) for name, shade in style.counters.items()}
    return result


def forget() -> None:
    """Look for families anew the next time, after one was installed."""
    styles.cache_clear()
    liveries.cache_clear()


def _folders() -> Iterator[Path]:
    """The folder of the games, of each family in it, and of each family of another package."""
    games = import_module("ladoga.games").__path__
    yield from map(Path, games)
    for module in pkgutil.iter_modules(games):
        yield from (Path(games) / module.name for games in games if module.ispkg)
    for entry in sorted(entry_points(group="ladoga.games")):
        spec = find_spec(entry.module)
        if spec is not None and spec.origin:
            yield Path(spec.origin).parent
