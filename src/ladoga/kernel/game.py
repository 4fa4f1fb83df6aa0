"""A game: its sides, scenarios, options, map, counters, tables and cases; where positions start.

An ``Overlay`` is what an owner lays over a game's data, a folder or plain values by file; a ``Loader`` makes a game
of it:

>>> overlay: Overlay = {"tables.yaml": {"victory": {"objectives": 21}}}
>>> load: Loader = lambda overlay: load_game("leningrad41", overlay)
>>> load(overlay).tables.victory.objectives
21
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import cache, cached_property
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from .data import Cited, Strict, load, read_file, shape
from .errors import BadData, BadDocument, LadogaError, UnknownGame
from .map import Corrections, GameMap
from .options import Option, Value
from .orders import Grammar, Order, Role
from .position import Phase, Position
from .sequence import Decision, Sequence
from .table import Chart, Counter

__all__ = ["Case", "Folder", "Game", "Loader", "Overlay", "Scenario", "as_judged", "game_ids", "load_game"]


class Case(Strict):
    """A numbered case of a rulebook, in our own words.

    >>> import ladoga
    >>> ladoga.load("leningrad-1979").cases["9.6"].title
    'Column shifts'
    """

    title: str
    text: str


class Scenario(Strict):
    """A scenario a game can start from.

    >>> import ladoga
    >>> {name: one.turns for name, one in ladoga.load("leningrad41").scenarios.items()}
    {'campaign': 10}
    """

    title: str
    turns: int
    text: str = ""
    case: str = ""


class MarkerKind(Cited):
    """A kind of marker that lies on the table beside the units, and how many a game needs."""

    kind: str
    title: str
    count: int
    side: str = ""


Overlay: TypeAlias = Path | Mapping[str, Any]
"""An owner's corrections: a folder, or what its files hold (file name to plain values)."""

EARLIER = "earlier.yaml"
"""The data file that says what was judged otherwise before."""


class Earlier(Strict):
    """Figures as they were judged before a version."""

    before: tuple[int, int]
    figures: dict[str, dict[str, Any]]
    """By data file, as in an owner's corrections."""


class Folder:
    """A game's data files, with an owner's corrections laid over them.

    An overlay folder holds files of the same names; hidden files are not looked at. ``map.yaml`` there holds
    ``Corrections``; in any other file, named values replace those of the same name, deep down; lists are
    replaced whole.

    >>> import ladoga
    >>> game = ladoga.load("leningrad41")
    >>> folder = Folder(game.folder, {"tables.yaml": {"modifiers": {"urban": {"drm": 2}}}})
    >>> tables = folder.load("tables.yaml", dict[str, Any])
    >>> tables["modifiers"]["urban"]["drm"], folder.changes
    (2, ['tables.yaml: modifiers.urban.drm 1 -> 2'])
    """

    def __init__(self, path: Path, overlay: Overlay | None = None) -> None:
        self.path = path
        self.changes: list[str] = []
        self.overlay: dict[str, Any] = {}
        """What the overlay's files hold."""
        self._sources: dict[str, str] = {}
        """Where each of them comes from, for errors."""
        if isinstance(overlay, Path):
            self._read_overlay(overlay)
        elif overlay is not None:
            for name, value in overlay.items():
                self._check_name(name, name)
                self.overlay[name] = value
                self._sources[name] = name

    def _read_overlay(self, overlay: Path) -> None:
        if not overlay.is_dir():
            raise BadData("there is no such folder", source=str(overlay))
        for file in sorted(file for file in overlay.iterdir() if not file.name.startswith(".")):
            self._check_name(file.name, str(file))
            self.overlay[file.name] = read_file(file)
            self._sources[file.name] = str(file)

    def _check_name(self, name: str, source: str) -> None:
        known = {p.name for p in self.path.glob("*.yaml")} - {EARLIER}
        if name not in known:
            raise BadData(f"not a data file of this game; known: {', '.join(sorted(known))}", source=source)

    def load(self, name: str, kind: type[msgspec.Struct] | Any) -> Any:
        """A data file as a typed structure."""
        base = self.path / name
        if name not in self.overlay:
            return load(base, kind)
        value = _merged(read_file(base), self.overlay[name], "", self.changes, name)
        try:
            return shape(value, kind)
        except BadData as problem:
            raise problem.within(self._sources[name]) from None

    def map(self) -> GameMap:
        """The game's map."""
        game_map = GameMap.read(self.path / "map.yaml")
        if "map.yaml" not in self.overlay:
            return game_map
        try:
            corrections = shape(self.overlay["map.yaml"], Corrections)
            corrections.check()
            changed = game_map.changed(corrections.change)
        except BadData as problem:
            raise problem.within(self._sources["map.yaml"]) from None
        self.changes += [f"map.yaml: {told}" for told in game_map.differences(corrections)]
        return changed


def _words(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "plain"
    return str(value)


def _merged(base: Any, extra: Any, path: str, changes: list[str], name: str) -> Any:
    if isinstance(base, dict) and isinstance(extra, dict):
        result = dict(base)
        for key, value in extra.items():
            result[key] = _merged(base.get(key), value, f"{path}.{key}".lstrip("."), changes, name)
        return result
    if base != extra:
        changes.append(f"{name}: {path} {_words(base)} -> {_words(extra)}")
    return extra


class Game(ABC):
    """A game, loaded: everything about it that does not change while it is played.

    >>> import ladoga
    >>> game = ladoga.load("tijvin-1941")
    >>> game.title, game.sides, game.turns
    ('Tijvin 1941', ('german', 'soviet'), 15)
    >>> game.start().to_move
    'german'
    """

    id: str
    title: str
    sides: tuple[str, ...]
    turns: int
    scenarios: Mapping[str, Scenario]
    options: Mapping[str, Option]
    map: GameMap
    units: Mapping[str, Any]
    tables: Any
    cases: Mapping[str, Case]
    grammar: Grammar
    sequence: Sequence
    """Every moment of the game."""
    phases: tuple[Phase, ...] = ()
    """The phases in the order of play, set-up first."""
    calendar: tuple[str, ...]
    """What each turn stands for, first turn first: "22-28 June 1941"."""
    folder: Path
    """Where the game's data files lie."""
    changes: tuple[str, ...] = ()
    """What an owner's overlay changed, in words."""
    overlay: Mapping[str, Any] = {}
    """The overlay itself: what its files hold."""
    document_words: Mapping[str, list[str]] = {}
    """What position documents of this game may say: their keys, those of a unit and of what is in hand, and words that
    only this game has, such as the lines of a schedule."""

    @abstractmethod
    def start(self, scenario: str | None = None, options: Mapping[str, Any] | None = None) -> Position:
        """The first position of a scenario."""

    @abstractmethod
    def position(self, document: Mapping[str, Any] | str) -> Position:
        """The position a document (plain values, or YAML or JSON text) describes."""

    def charts(self) -> list[Chart]:
        """The game's charts and tables, for the screen and for paper."""
        return []

    def counter_sheet(self) -> list[tuple[Counter, Counter | None]]:
        """Every counter in the box, front and back, for print; by default what the first scenario puts out."""
        return [(counter, None) for counter in self.start().table().counters]

    def marker_sheet(self) -> list[MarkerKind]:
        """The markers to lie ready, for print: the ``markers.yaml`` beside the game's other data."""
        path = self.folder / "markers.yaml"
        return load(path, list[MarkerKind]) if path.is_file() else []

    def parse(self, text: str) -> Order:
        """The order that a text stands for; ``str(order)`` is the way back."""
        return self.grammar.parse(text)

    def role(self, order: Order) -> Role:
        """What an order is for.

        >>> import ladoga
        >>> game = ladoga.load("tijvin-1941")
        >>> game.role(game.parse("activate I")).name
        'CALL'
        """
        return self.grammar.verbs[order.verb].role

    def opens(self, phase: Phase) -> frozenset[Role]:
        """What may be ordered in a phase, by the roles of its verbs; choices and fights within it are apart.

        >>> import ladoga
        >>> game = ladoga.load("tijvin-1941")
        >>> [phase.id for phase in game.phases if Role.CALL in game.opens(phase)]
        ['german-activation', 'soviet-activation']
        """
        moment = self._moments.get(phase.id)
        return frozenset(self.grammar.verbs[verb].role for verb in moment.actions) if moment else frozenset()

    def short(self, phase: Phase) -> str:
        """A phase in a word or two, for narrow places.

        >>> import ladoga
        >>> game = ladoga.load("leningrad-1979")
        >>> game.short(game.phases[4])
        'Interdict'
        """
        moment = self._moments.get(phase.id)
        return f"{moment.short[0].upper()}{moment.short[1:]}" if moment else phase.title

    @cached_property
    def overrun(self) -> str:
        """The verb by which units strike in the middle of a move; none where they may not.

        >>> import ladoga
        >>> ladoga.load("leningrad-1979").overrun, ladoga.load("tijvin-1941").overrun
        ('overrun', '')
        """
        moves, strikes = self.grammar.spelled(Role.GO), self.grammar.spelled(Role.STRIKE)
        open_to = (d.actions.keys() for d in self.sequence.decisions.values() if d.actions.keys() & moves)
        return next((verb for actions in open_to for verb in actions if verb in strikes), "")

    @cached_property
    def _moments(self) -> dict[str, Decision[Any]]:
        """The decision that each phase is, called like it for one side or for both."""
        decisions = self.sequence.decisions
        ids = {phase.id: {phase.id, phase.id.removeprefix(f"{phase.side}-")} for phase in self.phases}
        return {id_: decisions[at] for id_, names in ids.items() for at in names & decisions.keys()}

    def check_side(self, side: str) -> None:
        """Refuse a side that the game does not have."""
        if side not in self.sides:
            raise LadogaError(f"there is no side {side!r}; sides: {', '.join(self.sides)}")

    def cases_of(self, number: str) -> dict[str, Case]:
        """The case of that number, or all cases of the chapter of that number."""
        if number in self.cases:
            return {number: self.cases[number]}
        return {each: case for each, case in self.cases.items() if number and each.startswith(f"{number}.")}

    def settled(self, scenario: str | None, options: Mapping[str, Any] | None) -> tuple[str, dict[str, Value]]:
        """Scenario and options made definite: defaults filled in, strangers refused."""
        name = scenario or next(iter(self.scenarios))
        if name not in self.scenarios:
            raise UnknownGame(f"{self.id} has no scenario {name!r}; scenarios: {', '.join(self.scenarios)}")
        if options is not None and not isinstance(options, Mapping):
            raise UnknownGame(f"options are named values, such as {{{next(iter(self.options), 'name')!r}: True}}")
        chosen = {key: option.default for key, option in self.options.items()}
        for key, value in (options or {}).items():
            option = self.options.get(key)
            if option is None:
                known = ", ".join(self.options) or "none"
                raise UnknownGame(f"{self.id} has no option {key!r}; options: {known}")
            option.check(key, value)
            chosen[key] = value
        return name, chosen

    def settled_in_document(self, scenario: str, options: Mapping[str, Value]) -> tuple[str, dict[str, Value]]:
        """The same for a position document, where strangers are refused with their path."""
        each: dict[str, dict[str, Value]] = {f"options.{key}": {key: value} for key, value in options.items()}
        for path, one in {"scenario": {}, **each}.items():
            try:
                self.settled(scenario or None, one)
            except UnknownGame as problem:
                raise BadDocument(str(problem), path=path) from None
        return self.settled(scenario or None, options)


Loader = Callable[[Overlay | None], Game]


@cache
def _families() -> list[Any]:
    """Every family in the games folder is found by looking there, and those of other packages by their entry points
    (group ``ladoga.games``); the kernel names none."""
    folder = importlib.import_module("ladoga.games")
    ours = [module.name for module in pkgutil.iter_modules(folder.__path__) if module.ispkg]
    found = [importlib.import_module(f"{folder.__name__}.{name}") for name in ours]
    return found + [entry.load() for entry in sorted(entry_points(group="ladoga.games"))]


@cache
def _loaders() -> dict[str, Loader]:
    return {game_id: loader for family in _families() for game_id, loader in family.GAMES.items()}


def titles() -> dict[str, str]:
    """What all games are called, by their ids; families that tell their ``TITLES`` need not be loaded for it.

    >>> titles()["tijvin-1941"]
    'Tijvin 1941'
    """
    told = {game_id: title for family in _families() for game_id, title in getattr(family, "TITLES", {}).items()}
    return {game_id: told.get(game_id) or load_game(game_id).title for game_id in game_ids()}


def game_ids() -> list[str]:
    """The ids of all games.

    >>> game_ids()[:3]
    ['assault-leningrad', 'assault-stalingrad', 'leningrad-1979']
    """
    return list(_loaders())


def load_game(game_id: str, data: str | Overlay | None = None) -> Game:
    """A game by its id; ``data`` is a folder with an owner's corrections, or what its files hold.

    >>> load_game("leningrad-1979").title
    'Leningrad: The Advance of Army Group North, Summer 1941 (1979)'
    >>> load_game("leningrad41", {"tables.yaml": {"victory": {"objectives": 20}}}).changes
    ('tables.yaml: victory.objectives 22 -> 20',)
    """
    if data is None:
        return _load_plain(game_id)
    loader, overlay = _loader(game_id), Path(data) if isinstance(data, str) else data
    try:
        game = loader(overlay)
        for scenario in game.scenarios:
            game.start(scenario).table()
        game.charts()
    except (LookupError, ValueError, TypeError, AttributeError, ArithmeticError) as problem:
        if isinstance(problem, LadogaError):
            raise
        source = str(overlay) if isinstance(overlay, Path) else ", ".join(overlay)
        raise BadData(f"these corrections do not fit the rest of the game's data: {problem}", source=source) from None
    return game


@cache
def _load_plain(game_id: str) -> Game:
    return _loader(game_id)(None)


def version_of(engine: str) -> tuple[int, int] | None:
    """The numbers of a version that tell which figures were judged; ``None`` where it names none.

    >>> version_of("0.2.0")
    (0, 2)
    """
    numbers = re.match(r"(\d+)\.(\d+)", engine)
    return (int(numbers[1]), int(numbers[2])) if numbers else None


def as_judged(game_id: str, engine: str, overlay: Mapping[str, Any]) -> Mapping[str, Any]:
    """An owner's corrections, laid over the figures as they were judged when a version played: so a record replays
    though they are judged otherwise now.

    >>> as_judged("leningrad41", "0.2.0", {})
    {'tables.yaml': {'combat': {'eliminated_on': [1, 2, 3, 4, 5, 6]}}}
    >>> as_judged("leningrad41", "0.3.0", {})
    {}
    """
    version = version_of(engine)
    figures: dict[str, Any] = {}
    for earlier in _judged_before(game_id):
        if version is not None and version < earlier.before:
            figures = _merged(figures, earlier.figures, "", [], "")
    return _merged(figures, overlay, "", [], "") if figures else overlay


@cache
def _judged_before(game_id: str) -> tuple[Earlier, ...]:
    """What was judged otherwise, the latest first, so that older figures are laid over newer ones."""
    file = load_game(game_id).folder / EARLIER
    return tuple(sorted(load(file, list[Earlier]), key=lambda one: one.before, reverse=True)) if file.exists() else ()


def _loader(game_id: str) -> Loader:
    loaders = _loaders()
    if game_id not in loaders:
        raise UnknownGame(f"there is no game {game_id!r}; games: {', '.join(loaders)}")
    return loaders[game_id]
