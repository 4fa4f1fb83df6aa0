"""Leningrad '41 as a game: its data, its options and where positions start."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from ...hexes import HexMask, mask_of, members
from ...kernel.errors import BadData
from ...kernel.game import Case, Folder, Game, Overlay, Scenario
from ...kernel.map import GameMap
from ...kernel.memory import few
from ...kernel.options import Value
from ...kernel.orders import Grammar
from ...kernel.sequence import Item
from ...kernel.table import Chart, Counter
from . import display, documents, set_up
from .counters import BACKS, SIDES, SOVIET, TRAITS, Roster, Unit, UnitsFile, unit
from .figures import CityOptions, SetUpFile, TablesFile
from .ground import Ground
from .position import CityPosition
from .sequence import SEQUENCE
from .state import GONE, NOBODY, PHASES


class CityGame(Game):
    """Leningrad '41: What if Manstein had attacked?"""

    id = "leningrad41"
    title = "Leningrad '41: What if Manstein had attacked?"
    sides = SIDES
    tables: TablesFile
    units: Mapping[str, Unit]

    def __init__(self, overlay: Overlay | None = None) -> None:
        folder = Folder(Path(__file__).parent / "data" / self.id, overlay)
        self.folder = folder.path
        self.set_up: SetUpFile = folder.load("setup.yaml", SetUpFile)
        self.tables = folder.load("tables.yaml", TablesFile)
        self.tables.check()
        self.roster = _roster(folder.load("units.yaml", UnitsFile))
        self.units = {u.id: u for u in self.roster.units[: self.roster.count]}
        self.cases: Mapping[str, Case] = folder.load("cases.yaml", dict[str, Case])
        self.map = folder.map()
        self.turns = self.set_up.turns
        self.scenarios: Mapping[str, Scenario] = self.set_up.scenarios
        self.options = self.set_up.options
        self.grammar = Grammar.read(Path(__file__).with_name("verbs.yaml"))
        self.sequence = SEQUENCE
        self.calendar = self._calendar()
        self.phases = PHASES
        self.document_words = documents.WORDS
        named = (*self.set_up.fixed, *self.set_up.off_map, *self.set_up.set_aside)
        for name in (name for name in named if name not in self.units):
            raise BadData(f"there is no unit {name!r}", source="setup.yaml")
        self.changes = tuple(folder.changes)
        self.overlay = folder.overlay

    def _calendar(self) -> tuple[str, ...]:
        first = date.fromisoformat(self.set_up.calendar.first)
        days = self.set_up.calendar.days
        turns = [(first + timedelta(days * n), first + timedelta(days * n + days - 1)) for n in range(self.turns)]
        months = ["" if start.month == end.month else f" {start:%B}" for start, end in turns]
        return tuple(f"{a.day}{month}-{b.day} {b:%B %Y}" for (a, b), month in zip(turns, months, strict=True))

    @few
    def ground(self, game_map: GameMap) -> Ground:
        """The ground of a map, which all its positions share."""
        return Ground(game_map, self.tables.movement)

    @few
    def closed_rows(self, game_map: GameMap) -> HexMask:
        """The hexrows in which the random units may not set up (3.6)."""
        rows, grid = tuple(self.set_up.random_units.not_in_rows), game_map.grid
        return mask_of(h for h in members(grid.all) if grid.number(h).startswith(rows))

    def empty(self, game_map: GameMap, roster: Roster, scenario: str, options: Mapping[str, Value]) -> CityPosition:
        """A position with nothing in it."""
        pos = CityPosition.blank(self, game_map, scenario, CityOptions(options), Item(PHASES[0].id, SOVIET))
        pos.roster, pos.ground = roster, self.ground(game_map)
        pos.where, pos.behind = [GONE] * len(roster.units), [NOBODY] * BACKS
        pos.held = [0] * len(roster.commands)
        return pos

    def start(self, scenario: str | None = None, options: Mapping[str, Any] | None = None) -> CityPosition:
        """The Soviet set-up (3.2)."""
        name, chosen = self.settled(scenario, options)
        pos = self.empty(self.map, self.roster, name, chosen)
        set_up.start(pos)
        return pos

    def position(self, document: Mapping[str, Any] | str) -> CityPosition:
        """The position a document describes."""
        return documents.read(self, document).begun()

    def charts(self) -> list[Chart]:
        """Combat results, modifiers, movement costs and the airborne table."""
        return display.charts(self)

    def counter_sheet(self) -> list[tuple[Counter, Counter | None]]:
        """Every counter, 42nd Army units with the back they hide behind."""
        return display.counter_sheet(self)


def _roster(file: UnitsFile) -> Roster:
    units = []
    for command, group in file.groups.items():
        if group.from_ == "judged" and not group.why:
            raise BadData("a judged group says why", path=f"groups.{command}")
        for name, entry in group.units.items():
            strange = {*entry.traits.split()} - TRAITS
            if strange:
                raise BadData(f"unknown traits {', '.join(sorted(strange))}", path=f"groups.{command}.units.{name}")
            units.append(unit(name, group.side, command, entry))
    return Roster(units, file.groups)
