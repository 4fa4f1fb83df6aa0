"""The colours of maps and counters in three palettes.

``classic`` is ink and earth on paper, ``dark`` the same map by night, ``distinct`` a set whose
sides and waters stay apart for every kind of colour vision.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

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


CLASSIC = Palette(
    name="classic",
    paper="#fbf8f1", panel="#f7f2e7", ink="#26231d", mute="#6b6354", line="#d3c7ae",
    teal="#1c5a61", oxblood="#8a2c18", gold="#f2cf7e",
    land="#f1ead9", grain="#b79f6c", water="#cfdfdf", deep="#b4cdd3", ripple="#5f93a6",
    shore="#3b6f87", water_label="#2c5f74", river="#84b0bf", river_edge="#366b82",
    marsh="#d3dcc3", marsh_glyph="#4f7464", hill="#e6d3b0", hill_top="#eee0c4", hill_glyph="#8d6a41",
    woods="#e2e5cd", woods_glyph="#6f8255", forest="#d5dfbc", forest_glyph="#587043", steppe="#ece0bd", park="#dbe3c4",
    urban="#ddbfa9", urban_line="#9c5039", dense="#cfa48a", works="#cdb9ad", rubble="#cfc4b6",
    city="#6f2c20", road_case="#6a5240", road_fill="#faf3e2", rail="#3d3a36", border="#a03b62",
    number="#73654c", grid="#4b4230", foreign="#b9b4ad",
)  # fmt: skip

DARK = Palette(
    name="dark",
    paper="#26292a", panel="#1d2021", ink="#ece4d3", mute="#a89d84", line="#3a3d3d",
    teal="#7fb9bd", oxblood="#e08a72", gold="#7a5c1c",
    land="#2b2f30", grain="#4a4a40", water="#1a262e", deep="#141e26", ripple="#4d7f93",
    shore="#5e93a8", water_label="#86b9cb", river="#3d6c80", river_edge="#6fa3b6",
    marsh="#2d3a35", marsh_glyph="#6f9484", hill="#3a342b", hill_top="#413a2f", hill_glyph="#a68a62",
    woods="#2f3730", woods_glyph="#71855f", forest="#2f3c2f", forest_glyph="#83a06c", steppe="#35332a", park="#303a2d",
    urban="#4a332c", urban_line="#c08570", dense="#5a3c32", works="#453a36", rubble="#403c37",
    city="#e0a08a", road_case="#c9b089", road_fill="#3a342c", rail="#d8d0c0", border="#d983a6",
    number="#a89d84", grid="#b5ac97", foreign="#4a4a4a",
)  # fmt: skip

DISTINCT = replace(
    CLASSIC,
    name="distinct",
    land="#f4f2ec", grain="#b0ab9c", water="#d3e3f3", deep="#b5cfe9", ripple="#5585b5",
    shore="#2d5d8f", water_label="#24537f", river="#5f97c9", river_edge="#23537f",
    marsh="#c9e2da", marsh_glyph="#2f7068", hill="#ecdcb4", hill_top="#f3e7c9", hill_glyph="#8a6a2c",
    woods="#e9ecdc", woods_glyph="#6f8065", forest="#d9e4c8", forest_glyph="#536c48", steppe="#f0e7c4", park="#dfe9d2",
    urban="#e3c3c3", urban_line="#9a4a5a", dense="#d3a5aa", works="#d2bfc4", rubble="#d2cbc8",
)  # fmt: skip

PALETTES: dict[str, Palette] = {p.name: p for p in (CLASSIC, DARK, DISTINCT)}


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
