"""The map of a game: terrain, hexsides, places, and where each of them comes from.

A map file lists its boards, then features. A feature has a ``kind``, the hexes (``at: "0101
0102"``), hexsides (``at: "0101/0102"``) or path (``through: "0101 0102 0203"``, every hexside on
the way) it lies on, and its source: ``printed`` (the rulebook says so), ``geography`` (the land
says so) or ``judged`` (we say so, and why). A hex without a terrain feature is ``ground``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Literal

from msgspec.structs import replace

from ..hexes import DIRECTIONS, NOWHERE, Board, Grid, Hex, HexMask, Layout, members, opposite
from .data import Cited, Strict, load, numbers
from .errors import BadData, _Located

__all__ = ["Corrections", "GameMap", "MapChange"]


class Vocabulary(Strict):
    """The words a game's map may use. ``ground`` is the terrain of an unlisted hex, ``water``
    the terrains that no ground unit may ever stand on."""

    ground: str
    terrain: list[str]
    hexsides: list[str]
    places: list[str]
    water: list[str] = []


class BoardSpec(Layout, frozen=True, kw_only=True):
    """A board as the map file writes it."""

    title: str = ""
    north: float = 0.0
    """Bearing of true north on the sheet: degrees clockwise from straight up."""
    hex_km: float = 0.0

    def board(self, name: str) -> Board:
        """The board that it describes."""
        return Board(name, **{field: getattr(self, field) for field in Layout.__struct_fields__})


class Feature(Cited):
    """Something on the map, on one or many hexes or hexsides, with its source."""

    kind: str
    at: str = ""
    through: str = ""
    name: str = ""


class Place(Cited):
    """A named place in one hex; ``kind`` may be several words ("city german-supply")."""

    hex: str
    name: str = ""
    kind: str = ""


class MapFile(Strict):
    """The whole of a map file."""

    boards: dict[str, BoardSpec]
    vocabulary: Vocabulary
    terrain: list[Feature] = []
    hexsides: list[Feature] = []
    places: list[Place] = []
    marks: list[Feature] = []


class MapChange(Strict):
    """Corrections to a map: the ``map`` part of a position document or an owner's overlay.

    >>> import ladoga
    >>> game = ladoga.load("leningrad-1979")
    >>> changed = game.map.changed(MapChange(hexes={"0611": "swamp"}))
    >>> changed.terrain["swamp"] >> game.map.grid.hex("0611") & 1
    1
    """

    blank: tuple[int, int] | None = None
    hexes: dict[str, str] = {}
    hexsides: dict[str, list[str]] = {}
    places: dict[str, list[str]] = {}
    names: dict[str, str] = {}
    """What a hex is called; an empty name takes the name away."""

    def after(self, earlier: MapChange) -> MapChange:
        """This change made to a map that had been changed before."""
        if self.blank is not None:
            return self
        kept = {pair: kinds for pair, kinds in earlier.hexsides.items() if _turned(pair) not in self.hexsides}
        return MapChange(
            earlier.blank,
            {**earlier.hexes, **self.hexes},
            {**kept, **self.hexsides},
            {**earlier.places, **self.places},
            {**earlier.names, **self.names},
        )


class Corrections(MapChange, rename={"from_": "from"}):
    """The map file of an owner's overlay: what the owner of a printed copy says is on it, and why.

    >>> import ladoga
    >>> ladoga.load("leningrad-1979", {"map.yaml": {"from": "owner", "hexes": {"0611": "swamp"}}}).changes
    ('map.yaml: 0611 is now swamp, not clear',)
    """

    from_: Literal["owner"] = "owner"
    why: dict[str, str] = {}
    """For a hex or hexside listed above, the owner's remark."""

    @property
    def change(self) -> MapChange:
        """What it does to the map."""
        return MapChange(None, self.hexes, self.hexsides, self.places, self.names)

    def check(self) -> None:
        """Corrections correct: they may not blank the map, and remarks belong to something corrected."""
        if self.blank is not None:
            raise BadData("an overlay corrects a map, it cannot blank it", path="map.blank")
        listed = {*self.hexes, *self.hexsides, *self.places, *self.names}
        for key in self.why:
            if key not in listed:
                raise BadData(f"{key!r} is not corrected, so there is nothing to say about it", path=f"map.why.{key}")


@dataclass(frozen=True, eq=False, repr=False)
class GameMap:
    """A map as the rules use it: everything is a mask. A map equals only itself, so that things can be kept by it.

    >>> import ladoga
    >>> game_map = ladoga.load("leningrad-1979").map
    >>> game_map, game_map.name_of(game_map.grid.hex("2604"))
    (<GameMap: 377 hexes>, 'Leningrad 2604')
    """

    grid: Grid
    vocabulary: Vocabulary
    terrain: Mapping[str, HexMask]
    sides: Mapping[str, tuple[HexMask, ...]]
    """For each hexside kind six masks: ``sides[kind][d]`` has the hexes with it on side ``d``."""
    places: Mapping[str, HexMask]
    names: Mapping[Hex, str]
    file: MapFile
    change: MapChange = field(default_factory=MapChange)

    def __repr__(self) -> str:
        return f"<GameMap: {self.grid.all.bit_count()} hexes>"

    @classmethod
    def read(cls, path: Path) -> GameMap:
        """The map in a file; errors name the file and the place in it."""
        file = load(path, MapFile)
        try:
            return cls.of(file)
        except BadData as problem:
            raise problem.within(str(path)) from None

    @classmethod
    def of(cls, file: MapFile) -> GameMap:
        """The map a map file describes."""
        vocabulary = file.vocabulary
        grid = Grid(spec.board(name) for name, spec in file.boards.items())
        builder = _Builder(grid, vocabulary)
        for section, features in (("terrain", file.terrain), ("hexsides", file.hexsides), ("marks", file.marks)):
            for index, feature in enumerate(features):
                builder.feature(section, f"{section}[{index}]", feature)
        for index, place in enumerate(file.places):
            builder.place(f"places[{index}]", place)
        return cls(grid, vocabulary, builder.terrain, builder.frozen_sides(), builder.places, builder.names, file)

    @property
    def land(self) -> HexMask:
        """Every hex that is not all water."""
        mask = self.grid.all
        for kind in self.vocabulary.water:
            mask &= ~self.terrain[kind]
        return mask

    def terrain_of(self, h: Hex) -> str:
        """The terrain of a hex."""
        for kind, mask in self.terrain.items():
            if mask >> h & 1:
                return kind
        return self.vocabulary.ground

    def sides_of(self, a: Hex, b: Hex) -> list[str]:
        """What lies on the hexside between two neighbours."""
        d = self.grid.direction(a, b)
        return sorted(kind for kind, masks in self.sides.items() if masks[d] >> a & 1)

    def has_side(self, kind: str, a: Hex, b: Hex) -> bool:
        """Whether a kind of hexside (river, road ...) lies between two neighbours."""
        return bool(self.sides[kind][self.grid.direction(a, b)] >> a & 1)

    def places_of(self, h: Hex) -> list[str]:
        """The place words of a hex."""
        return sorted(kind for kind, mask in self.places.items() if mask >> h & 1)

    def name_of(self, h: Hex) -> str:
        """ "Riga 0908", or just the number."""
        name = self.names.get(h)
        return f"{name} {self.grid.number(h)}" if name else self.grid.number(h)

    def changed(self, change: MapChange, *, error: type[_Located] = BadData) -> GameMap:
        """The map with some hexes, hexsides and places replaced (or all blank, then those).

        A listed hex or hexside holds exactly what is listed for it afterwards; a hex or
        hexside that is not listed keeps what it had. A hex whose terrain is the word of a place
        (``city``) becomes open ground with that place.
        """
        if change == MapChange():
            return self
        builder = self._builder(error) if change.blank is None else self._blank(change.blank, error)
        built = builder.correct_terrain(change.hexes)
        builder.correct_sides(change.hexsides)
        builder.correct_places(change.places)
        for kind, h in built:
            builder.places[kind] |= 1 << h
        builder.correct_names(change.names)
        return GameMap(
            builder.grid, self.vocabulary, builder.terrain, builder.frozen_sides(), builder.places, builder.names,
            self.file, change.after(self.change),
        )  # fmt: skip

    def _builder(self, error: type[_Located]) -> _Builder:
        """This map, ready to be corrected."""
        builder = _Builder(self.grid, self.vocabulary, error)
        builder.terrain, builder.places, builder.names = dict(self.terrain), dict(self.places), dict(self.names)
        builder.sides = {kind: list(masks) for kind, masks in self.sides.items()}
        return builder

    def _blank(self, size: tuple[int, int], error: type[_Located]) -> _Builder:
        """An open field of so many columns and rows, its hexes as on the first board."""
        columns, rows = size
        if not (1 <= columns <= 99 and 1 <= rows <= 99):
            raise error("a blank map has 1 to 99 columns and rows", path="map.blank")
        board = replace(self.grid.boards[0], columns=(1, columns), rows=(1, rows))
        return _Builder(Grid([board]), self.vocabulary, error)

    def differences(self, corrections: Corrections) -> list[str]:
        """What corrections change on this map, in words; what they leave as it was is not mentioned."""
        told: list[str] = []

        def tell(key: str, before: str, after: str) -> None:
            if before != after:
                why = corrections.why.get(key, "")
                told.append(f"{key} is now {after}, not {before}" + (f" ({why})" if why else ""))

        grid = self.grid
        for number, kind in corrections.hexes.items():
            tell(number, self.terrain_of(grid.hex(number)), kind)
        for pair, kinds in corrections.hexsides.items():
            a, _, b = pair.partition("/")
            tell(pair, _listed(self.sides_of(grid.hex(a), grid.hex(b))), _listed(kinds))
        for number, kinds in corrections.places.items():
            tell(number, _listed(self.places_of(grid.hex(number))), _listed(kinds))
        for number, name in corrections.names.items():
            tell(number, self.names.get(grid.hex(number)) or "nameless", name or "nameless")
        return told


def _turned(pair: str) -> str:
    """A hexside seen from the other hex."""
    first, _, second = pair.partition("/")
    return f"{second}/{first}"


def _listed(words: Iterable[str]) -> str:
    return ", ".join(sorted(set(words))) or "plain"


class _Builder:
    """Collects features into masks and refuses what makes no sense."""

    def __init__(self, grid: Grid, vocabulary: Vocabulary, error: type[_Located] = BadData) -> None:
        self.grid = grid
        self.vocabulary = vocabulary
        self.error = error
        self.terrain: dict[str, HexMask] = dict.fromkeys(sorted({*vocabulary.terrain} - {vocabulary.ground}), 0)
        self.sides: dict[str, list[HexMask]] = {k: [0] * 6 for k in sorted(vocabulary.hexsides)}
        self.places: dict[str, HexMask] = dict.fromkeys(sorted(vocabulary.places), 0)
        self.names: dict[Hex, str] = {}

    def hex(self, path: str, number: str) -> Hex:
        if number not in self.grid:
            raise self.error(f"the map has no hex {number!r}", path=path)
        return self.grid.hex(number)

    def pair(self, path: str, text: str) -> tuple[Hex, Hex]:
        first, slash, second = text.partition("/")
        if not slash:
            raise self.error(f"a hexside is written as two hexes, 0101/0102, not {text!r}", path=path)
        a, b = self.hex(path, first), self.hex(path, second)
        if not self.grid.adjacent(a, b):
            raise self.error(f"{first} and {second} do not share a hexside", path=path)
        return a, b

    def word(self, path: str, word: str, known: Iterable[str], what: str) -> None:
        if word not in known:
            raise self.error(f"unknown {what} {word!r}; known: {', '.join(sorted(known))}", path=path)

    def side(self, kind: str, a: Hex, b: Hex, *, present: bool = True) -> None:
        d = self.grid.direction(a, b)
        for h, direction in ((a, d), (b, opposite(d))):
            mask = self.sides[kind][direction]
            self.sides[kind][direction] = mask | 1 << h if present else mask & ~(1 << h)

    def feature(self, section: str, path: str, feature: Feature) -> None:
        if feature.from_ == "judged" and not feature.why:
            raise self.error("a judged feature says why", path=path)
        if section == "hexsides":
            self.word(f"{path}.kind", feature.kind, self.vocabulary.hexsides, "hexside")
            for pair in feature.at.split():
                self.side(feature.kind, *self.pair(f"{path}.at", pair))
            way = feature.through.split()
            for first, second in pairwise(way):
                self.side(feature.kind, *self.pair(f"{path}.through", f"{first}/{second}"))
            return
        if section == "terrain":
            self.word(f"{path}.kind", feature.kind, self.vocabulary.terrain, "terrain")
        else:
            self.word(f"{path}.kind", feature.kind, self.vocabulary.places, "mark")
        for number in numbers(feature.at):
            h = self.hex(f"{path}.at", number)
            if section == "marks":
                self.places[feature.kind] |= 1 << h
                continue
            for kind, mask in self.terrain.items():
                if mask >> h & 1:
                    raise self.error(f"{number} is already {kind}", path=f"{path}.at")
            if feature.kind != self.vocabulary.ground:
                self.terrain[feature.kind] |= 1 << h

    def place(self, path: str, place: Place) -> None:
        if place.from_ == "judged" and not place.why:
            raise self.error("a judged place says why", path=path)
        h = self.hex(f"{path}.hex", place.hex)
        if place.name:
            self.names[h] = place.name
        for kind in place.kind.split():
            self.word(f"{path}.kind", kind, self.vocabulary.places, "place")
            self.places[kind] |= 1 << h

    def correct_terrain(self, hexes: Mapping[str, str]) -> list[tuple[str, Hex]]:
        """Give hexes another terrain; those built up instead, with the word of a place, are returned."""
        built = []
        for number, kind in hexes.items():
            path = f"map.hexes.{number}"
            h = self.hex(path, number)
            for other in self.terrain:
                self.terrain[other] &= ~(1 << h)
            if kind in self.places and kind not in self.vocabulary.terrain:
                built.append((kind, h))
                continue
            self.word(path, kind, self.vocabulary.terrain, "terrain")
            if kind != self.vocabulary.ground:
                self.terrain[kind] |= 1 << h
        return built

    def correct_sides(self, hexsides: Mapping[str, Sequence[str]]) -> None:
        for pair, kinds in hexsides.items():
            path = f"map.hexsides.{pair}"
            a, b = self.pair(path, pair)
            if _turned(pair) in hexsides:
                raise self.error("this hexside is given twice", path=path)
            for kind in kinds:
                self.word(path, kind, self.vocabulary.hexsides, "hexside")
            for kind in self.sides:
                self.side(kind, a, b, present=kind in kinds)

    def correct_places(self, places: Mapping[str, Sequence[str]]) -> None:
        for number, kinds in places.items():
            path = f"map.places.{number}"
            h = self.hex(path, number)
            for kind in kinds:
                self.word(path, kind, self.vocabulary.places, "place")
            for kind in self.places:
                self.places[kind] = self.places[kind] & ~(1 << h) | (kind in kinds) << h

    def correct_names(self, names: Mapping[str, str]) -> None:
        """Call hexes something else; an empty name takes the name away."""
        for number, name in names.items():
            self.names[self.hex(f"map.names.{number}", number)] = name
        self.names = {h: name for h, name in self.names.items() if name}

    def frozen_sides(self) -> dict[str, tuple[HexMask, ...]]:
        return {kind: tuple(masks) for kind, masks in self.sides.items()}


def crossing(game_map: GameMap, barred: Iterable[str]) -> tuple[HexMask, ...]:
    """For each direction the hexes that may be left that way: there is a hex beyond, and
    none of the barred hexside kinds lies between."""
    grid = game_map.grid
    open_sides = [0] * 6
    for h in members(game_map.land):
        for d in DIRECTIONS:
            beyond = grid.neighbours(h)[d]
            if beyond != NOWHERE and game_map.land >> beyond & 1:
                open_sides[d] |= 1 << h
    for kind in barred:
        for d in DIRECTIONS:
            open_sides[d] &= ~game_map.sides[kind][d]
    return tuple(open_sides)
