"""The colours of maps and counters in three palettes.

``classic`` is ink and earth on paper, ``dark`` the same map by night, ``distinct`` a set whose
sides and waters stay apart for every kind of colour vision.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..kernel.data import load
from ..kernel.sides import Livery, liveries


@dataclass(frozen=True, slots=True)
class Palette:
    """One colour for each thing a map shows, named after the thing."""

    name: str
    paper: str
    panel: str
    ink: str
    mute: str
    line: str
    teal: str
    oxblood: str
    gold: str
    land: str
    grain: str
    water: str
    deep: str
    ripple: str
    shore: str
    water_label: str
    river: str
    river_edge: str
    marsh: str
    marsh_glyph: str
    hill: str
    hill_top: str
    hill_glyph: str
    woods: str
    woods_glyph: str
    forest: str
    forest_glyph: str
    steppe: str
    park: str
    urban: str
    urban_line: str
    dense: str
    works: str
    rubble: str
    city: str
    road_case: str
    road_fill: str
    rail: str
    border: str
    number: str
    grid: str
    foreign: str


_TOLD = load(Path(__file__).with_name("palettes.yaml"), dict[str, dict[str, str]])
PALETTES = {name: Palette(name, **_TOLD["classic"] | own) for name, own in _TOLD.items()}


def counter_livery(name: str, palette: str) -> Livery:
    """The colours of a kind of counter."""
    return liveries(palette)[name]


def mixed(first: str, second: str, share: float) -> str:
    """The first colour with a share of the second stirred in.

    >>> mixed("#000000", "#ffffff", 0.5)
    '#808080'
    """
    a, b = _channels(first), _channels(second)
    return "#" + "".join(f"{round(x + (y - x) * share):02x}" for x, y in zip(a, b, strict=True))


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
