"""The map editor: corrections of a map checked as the engine checks them, drawn, kept as overlay folders.

Corrections are relative to the map as it comes. The owner of the machine (``ladoga play``) may keep them
in folders of their own; guests of a server may at most, if it allows that (``ladoga serve --editor``),
draw, check, download and play with them: nothing they send is ever written to a file.
"""

from __future__ import annotations

import hashlib
import io
import re
import threading
import zipfile
from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import yaml

from ..drawing.printing import terrain_effects
from ..drawing.style import spoken
from ..kernel.data import numbers, read_text, shape
from ..kernel.errors import BadData, LadogaError, UnknownGame
from ..kernel.files import write_whole
from ..kernel.game import Game, Scenario, load_game
from ..kernel.map import Corrections, Feature, GameMap
from ..kernel.position import Position
from .limits import DOCUMENT
from .refused import Refused
from .wire import Name

LIMIT = DOCUMENT
"""The longest corrections anybody may send, in bytes."""

FILE = "map.yaml"
_NAMED = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_STAMP = (1980, 1, 1, 0, 0, 0)


class Draft(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Corrections as the browser sends them, to be checked, drawn or packed."""

    map: dict[str, Any]
    name: Name = ""


class Save(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Corrections to keep under a name. ``was`` is the mark of what is kept under it now, as far as the
    browser knows: nothing that somebody else saved in between is overwritten."""

    map: dict[str, Any]
    name: Name
    was: Name = ""


class Problem(NamedTuple):
    """What is wrong with corrections, and where."""

    path: str
    message: str


class Checked(NamedTuple):
    """Corrections looked over: what they change, in words, and what is wrong with them."""

    changes: list[str]
    problems: list[Problem]


class Kept(NamedTuple):
    """Corrections kept in a folder."""

    name: str
    map: dict[str, Any]
    mark: str
    folder: str
    others: list[str]
    """Other files of the overlay, which the editor leaves alone."""
    changes: list[str]
    """What the whole overlay changes, in words."""


# Looking at a map -----------------------------------------------------------------------------------


def land(game: Game) -> dict[str, Any]:
    """Everything on a map, hex by hex and hexside by hexside, and where it comes from."""
    game_map, grid = game.map, game.map.grid
    words = game_map.vocabulary
    effects = terrain_effects(game, game.charts())
    sides: dict[str, list[str]] = {}
    for h in grid.members(grid.all):
        for other in grid.neighbours(h):
            if other > h and (kinds := game_map.sides_of(h, other)):
                sides[side_key(grid.number(h), grid.number(other))] = kinds
    return {
        "title": game.title,
        "ground": words.ground,
        "terrain": [_word(w, effects) for w in words.terrain],
        "hexsides": [_word(w, effects) for w in words.hexsides],
        "places": [_word(w, effects) for w in words.places],
        "hexes": {
            grid.number(h): [game_map.terrain_of(h), game_map.places_of(h), game_map.names.get(h, "")]
            for h in grid.members(grid.all)
        },
        "sides": sides,
        "sources": sources(game_map),
    }


def _word(word: str, effects: Mapping[str, str]) -> dict[str, str]:
    return {"word": word, "title": spoken(word), "text": effects.get(word, "")}


def side_key(a: str, b: str) -> str:
    """A hexside in one spelling, whichever hex it is seen from."""
    return "/".join(sorted((a, b)))


def sources(game_map: GameMap) -> dict[str, list[str]]:
    """For each hex and hexside, what our map file says about it and on what ground."""
    told: dict[str, list[str]] = {}

    def tell(keys: Iterable[str], kind: str, source: str, name: str, case: str, why: str) -> None:
        reason = {"printed": "printed", "geography": "geography", "judged": "our judgement"}[source]
        words = [f"{spoken(kind)}{f' ({name})' if name else ''}: {reason}"]
        words += [f"case {case}"] if case else []
        words += [why] if why else []
        for key in keys:
            told.setdefault(key, []).append(", ".join(words))

    file = game_map.file
    for feature in (*file.terrain, *file.marks):
        tell(numbers(feature.at), feature.kind, feature.from_, feature.name, feature.case, feature.why)
    for feature in file.hexsides:
        tell(_pairs(feature), feature.kind, feature.from_, feature.name, feature.case, feature.why)
    for place in file.places:
        tell([place.hex], place.kind or "name", place.from_, place.name, place.case, place.why)
    return told


def _pairs(feature: Feature) -> list[str]:
    pairs = [tuple(pair.split("/")) for pair in feature.at.split()] + list(pairwise(feature.through.split()))
    return [side_key(a, b) for a, b in pairs]


# Checking -------------------------------------------------------------------------------------------


def read(body: bytes) -> dict[str, Any]:
    """The corrections in a map file, or in a packed folder that has one."""
    if body[:2] == b"PK":
        body = _unpacked(body)
    try:
        values = read_text(body.decode("utf-8"))
    except UnicodeDecodeError:
        raise BadData("not UTF-8 text", source=FILE) from None
    except BadData as problem:
        raise problem.within(FILE) from None
    if not isinstance(values, dict):
        raise BadData("expected a set of named values", source=FILE)
    return values


def _unpacked(body: bytes) -> bytes:
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as packed:
            found = [info for info in packed.infolist() if info.filename.rpartition("/")[2] == FILE]
            if len(found) != 1:
                raise BadData(f"the packed file holds {len(found) or 'no'} {FILE}, not one")
            if found[0].file_size > LIMIT:
                raise BadData("that is too long", source=FILE)
            with packed.open(found[0]) as file:
                return file.read(LIMIT)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError) as problem:
        raise BadData(f"the packed file cannot be read: {problem}") from None


def corrections_of(values: Mapping[str, Any]) -> Corrections:
    """Corrections from plain values."""
    try:
        return shape(dict(values), Corrections)
    except BadData as problem:
        raise problem.within(FILE) from None


def tidy(game_map: GameMap, values: Mapping[str, Any]) -> dict[str, Any]:
    """Corrections without what the map has anyway, in the order of the map; as plain values."""
    given = corrections_of(values)
    given.check()
    game_map.changed(given.change)
    grid = game_map.grid
    hexes = {n: kind for n, kind in given.hexes.items() if kind != game_map.terrain_of(grid.hex(n))}
    sides = {}
    for pair, kinds in given.hexsides.items():
        a, _, b = pair.partition("/")
        if sorted(set(kinds)) != game_map.sides_of(grid.hex(a), grid.hex(b)):
            sides[side_key(a, b)] = sorted(set(kinds))
    places = {n: sorted(set(k)) for n, k in given.places.items() if sorted(set(k)) != game_map.places_of(grid.hex(n))}
    names = {n: name for n, name in given.names.items() if name != game_map.names.get(grid.hex(n), "")}
    listed = {*hexes, *sides, *places, *names}
    why = {side_key(*key.split("/")) if "/" in key else key: text for key, text in given.why.items() if text}
    why = {key: text for key, text in why.items() if key in listed}
    sections: dict[str, dict[str, Any]] = {
        "hexes": hexes,
        "hexsides": sides,
        "places": places,
        "names": names,
        "why": why,
    }
    return {"from": "owner", **{name: dict(sorted(part.items())) for name, part in sections.items() if part}}


def checked(game_id: str, overlay: Mapping[str, Any]) -> Checked:
    """What an overlay changes, and whether the game can be played with it."""
    try:
        game = load_game(game_id, overlay)
    except UnknownGame:
        raise
    except LadogaError as problem:
        path = getattr(problem, "path", "")
        return Checked([], [Problem(path, getattr(problem, "message", str(problem)))])
    found: list[Problem] = []
    for scenario in game.scenarios:
        found += _set_up_problems(game, scenario)
    return Checked(list(game.changes), list(dict.fromkeys(found)))


def playable(game_id: str, overlay: Mapping[str, Any]) -> list[str]:
    """What an overlay changes, in words; refused if the game cannot be played with it."""
    changes, problems = checked(game_id, overlay)
    if problems:
        raise Refused("bad", ": ".join(part for part in problems[0] if part))
    return changes


def _set_up_problems(game: Game, name: str) -> list[Problem]:
    """Whether a scenario can begin: everybody stands on land and somebody can give an order."""
    scenario: Scenario = game.scenarios[name]
    try:
        position = game.start(name)
        found = _drowned(game, scenario, position)
        while (chance := position.chance) is not None:
            position = position.play(chance.outcomes[0][0])
        if position.to_move is not None and next(iter(position.legal), None) is None:
            found.append(Problem("map", f"{scenario.title}: the {position.to_move} side could give no order at all"))
    except LadogaError as problem:
        return [Problem("map", f"{scenario.title}: {problem}")]
    return found


def _drowned(game: Game, scenario: Scenario, position: Position) -> list[Problem]:
    grid, land_hexes = game.map.grid, game.map.land
    found = []
    for counter in position.table().counters:
        if counter.hex and not land_hexes >> grid.hex(counter.hex) & 1:
            terrain = game.map.terrain_of(grid.hex(counter.hex))
            found.append(
                Problem(f"map.hexes.{counter.hex}", f"{counter.id} starts here ({scenario.title}), not on {terrain}")
            )
    return found


# Writing --------------------------------------------------------------------------------------------


def text(game: Game, values: Mapping[str, Any]) -> str:
    """Corrections as a map file."""
    head = (
        f"# Corrections to the map of {game.title}, made by an owner of the printed game.\n"
        f"# To play with them: ladoga play {game.id} --data FOLDER_OF_THIS_FILE\n"
    )
    return head + yaml.safe_dump(dict(values), sort_keys=False, allow_unicode=True, width=110)


def packed(game: Game, name: str, values: Mapping[str, Any]) -> bytes:
    """Corrections as a packed overlay folder."""
    _check_name(name)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as target:
        target.writestr(zipfile.ZipInfo(f"{name}/{FILE}", _STAMP), text(game, values))
    return buffer.getvalue()


def _check_name(name: str) -> None:
    if not _NAMED.fullmatch(name):
        raise Refused("name", "a name is made of small letters, digits and hyphens, at most 40, no hyphen first")


class Shelf:
    """The overlay folders of the owner of the machine: ``<folder>/<game>/<name>/map.yaml``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = threading.Lock()

    def _at(self, game: Game, name: str) -> Path:
        _check_name(name)
        return self.folder / game.id / name

    def names(self, game: Game) -> list[str]:
        """What is kept for a game, by name."""
        home = self.folder / game.id
        if not home.is_dir():
            return []
        return sorted(p.name for p in home.iterdir() if _NAMED.fullmatch(p.name) and any(p.glob("*.yaml")))

    def overlay(self, game: Game, name: str) -> dict[str, Any]:
        """A kept overlay, all its files, as a match is played with it."""
        folder = self._at(game, name)
        if name not in self.names(game):
            raise Refused("unknown", f"there are no corrections called {name!r}")
        return dict(load_game(game.id, folder).overlay)

    def load(self, game: Game, name: str) -> Kept:
        """Kept corrections, to go on with them."""
        folder = self._at(game, name)
        if name not in self.names(game):
            raise Refused("unknown", f"there are no corrections called {name!r}")
        file = folder / FILE
        values = read(file.read_bytes()) if file.is_file() else {}
        others = sorted(p.name for p in folder.iterdir() if p.name != FILE)
        changes = list(load_game(game.id, folder).changes)
        return Kept(name, tidy(game.map, values), mark(file), str(folder), others, changes)

    def save(self, game: Game, name: str, values: Mapping[str, Any], was: str) -> Kept:
        """Keep corrections: the file is replaced as a whole, and only if the game can be played with them."""
        folder = self._at(game, name)
        file = folder / FILE
        with self._lock:
            if mark(file) != was:
                raise Refused(
                    "changed", f"{name!r} has been saved from elsewhere; load it again or choose another name"
                )
            neat = tidy(game.map, values)
            others = {}
            if folder.is_dir():
                others = {n: v for n, v in load_game(game.id, folder).overlay.items() if n != FILE}
            changes = playable(game.id, {**others, FILE: neat})
            try:
                write_whole(file, text(game, neat))
            except OSError as problem:
                raise Refused("disk", f"could not be saved, nothing was changed: {problem.strerror}") from None
            return Kept(name, neat, mark(file), str(folder), sorted(others), changes)

    def forget(self, game: Game, name: str, was: str) -> list[str]:
        """Delete kept corrections, unless somebody changed them since; other files of the overlay stay. What is left
        for the game, by name."""
        folder = self._at(game, name)
        file = folder / FILE
        with self._lock:
            if not file.is_file():
                raise Refused("unknown", f"there are no corrections called {name!r}")
            if mark(file) != was:
                raise Refused("changed", f"{name!r} has been saved from elsewhere; load it again before deleting it")
            try:
                file.unlink()
                if not any(folder.iterdir()):
                    folder.rmdir()
            except OSError as problem:
                raise Refused("disk", f"could not be deleted: {problem.strerror}") from None
            return self.names(game)


def mark(file: Path) -> str:
    """What tells one state of a file from another; empty while there is none."""
    return hashlib.sha256(file.read_bytes()).hexdigest()[:16] if file.is_file() else ""
