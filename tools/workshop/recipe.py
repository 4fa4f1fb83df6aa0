"""The hand-written layer: what to take from the land, what to change, what the rulebook says."""

from __future__ import annotations

import msgspec

from ladoga.kernel.data import Cited, Source, Strict
from ladoga.kernel.map import BoardSpec, Feature, Vocabulary


class Water(Strict):
    """When a hex or hexside counts as all water, and how the waters are called.

    ``lakes`` maps the geodata's name of each lake that matters at this scale to ours; ``seas`` gives a
    longitude and latitude for each name, and a sea hex takes the nearest.
    """

    hex_share: float = 0.85
    side_share: float = 0.85
    lakes: dict[str, str] = {}
    seas: dict[str, tuple[float, float]] = {}
    keep_land: str = ""
    """Hexes that stay land however wet they are."""
    keep_dry: str = ""
    """Hexsides that stay passable however wet they are."""
    hexsides: bool = True
    """Whether the game's map marks all-water hexsides at all."""
    without: list[str] = []
    """Lakes not to draw: later reservoirs that the geodata do not mark as such."""
    smallest: float = 0.03
    """Smallest piece of water worth drawing, in square hex heights."""


class Sketch(Strict):
    """Terrain drawn by hand with letters: one line of text a row of the board, west to east, ``kinds`` saying
    what each letter stands for. It fills what the land has left open."""

    kinds: dict[str, str]
    rows: list[str]
    why: str
    name: str = ""
    board: str = "main"


class River(Strict):
    """A river: geodata lines (joined in this order, source to mouth) and where it ends: ``water``,
    the name of an earlier river, or where the line ends. Or its hexsides ``at``, chosen by hand."""

    name: str
    lines: list[str] = []
    at: str = ""
    kind: str = "river"
    to: str = ""
    backwards: bool = False
    reservoirs: bool = False
    """Whether the geodata's lines through lakes belong to it: where a reservoir was filled later."""
    piece: int = -1
    """Which piece on the board, where the line leaves it and comes back; all of them if negative."""
    board: str = "main"
    why: str = ""


class Road(Strict):
    """A road or railway: a geodata line, and hexes it must touch on the way, in order (``first`` and
    ``last`` are the line's own first and last hex on the board)."""

    name: str
    line: str = ""
    kind: str = "road"
    via: str = ""
    case: str = ""
    board: str = "main"
    why: str = ""


class Bridge(Strict):
    """A bridge of the geodata over a river of ours: it takes the hexside of the river nearest to it."""

    name: str
    over: str
    at: str = ""
    """The hexside, if chosen by hand."""
    kind: str = "bridge"


class Cover(Strict):
    """A landcover: polygons of the ``land`` kind make hexes ``kind`` where they cover enough."""

    kind: str
    land: str
    share: float = 0.5
    names: list[str] = []
    without: list[str] = []
    board: str = "main"


class Spot(Cited, kw_only=True):
    """A place: in a given hex, or where the gazetteer puts it (under ``at`` if it has another name)."""

    name: str = ""
    hex: str = ""
    at: str = ""
    kind: str = ""
    board: str = "main"
    from_: Source = "geography"


class Shore(Strict):
    """A water drawn by hand, for a board that has no fit: rings in sheet units, outer first."""

    kind: str
    name: str
    rings: list[list[tuple[float, float]]]


class Recipe(Strict):
    """Everything a person decided about one map."""

    about: str
    boards: dict[str, BoardSpec]
    vocabulary: Vocabulary
    sources: list[str] = []
    """Files of the geodata folder to use (names without the ending); all of them if empty."""
    water: Water = msgspec.field(default_factory=Water)
    cover: list[Cover] = []
    sketches: list[Sketch] = []
    rivers: list[River] = []
    roads: list[Road] = []
    bridges: list[Bridge] = []
    bridged: dict[str, str] = {}
    """River kinds that every road and railway crosses by a bridge, with the kind of the bridge."""
    terrain: list[Feature] = []
    """Written by hand; wins over whatever the land gives."""
    hexsides: list[Feature] = []
    without: list[Feature] = []
    """Hexsides the land would give and the map does not have."""
    shores: dict[str, list[Shore]] = {}
    places: list[Spot] = []
    marks: list[Feature] = []
