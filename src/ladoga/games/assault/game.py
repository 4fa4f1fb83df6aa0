"""The two Assault games: data read once, and positions to start from."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from ...hexes import NOWHERE, HexMask, mask_of
from ...kernel.data import document_values
from ...kernel.errors import BadData
from ...kernel.game import Case, Folder, Game, Overlay
from ...kernel.map import GameMap
from ...kernel.memory import Recent, few
from ...kernel.options import Value
from ...kernel.sequence import Item
from ...kernel.table import Chart, Counter
from . import display, documents
from .figures import GERMAN, SOVIET, Arrival, AssaultOptions, ScenarioFile, Tables, Unit, UnitsFile
from .ground import Ground
from .lays import Lay
from .orders import GRAMMAR
from .position import AssaultPosition
from .sequence import NAVAL_PHASES, PHASES, SEQUENCE, SET_UP, STEPS

DATA = Path(__file__).parent / "data"


class AssaultGame(Game):
    """Assault on Leningrad or Assault on Stalingrad."""

    grammar = GRAMMAR
    sequence = SEQUENCE
    sides = ("german", "soviet")

    def __init__(self, game_id: str, title: str, overlay: Overlay | None) -> None:
        folder = Folder(DATA / game_id, overlay)
        self.id = game_id
        self.folder = folder.path
        self.title = title
        self.scenario: ScenarioFile = folder.load("scenario.yaml", ScenarioFile)
        self.tables: Tables = folder.load("tables.yaml", Tables)
        self.units = folder.load("units.yaml", UnitsFile).units
        self.cases: Mapping[str, Case] = folder.load("cases.yaml", dict[str, Case])
        self.map = folder.map()
        self.changes = tuple(folder.changes)
        self.overlay = folder.overlay
        self.turns = self.scenario.turns
        self.scenarios = self.scenario.scenarios
        self.options = self.scenario.options
        self.calendar = tuple(self.scenario.calendar)
        self.printed = {unit_id: _unit(unit_id, spec) for unit_id, spec in self.units.items()}
        self.due: dict[str, Arrival] = {unit_id: line for line in self.scenario.arrivals for unit_id in line.units}
        stand_ins = self.tables.book.stand_ins
        every = [phase._replace(case=stand_ins.get(phase.case, phase.case)) for phase in PHASES]
        self.phase_at = {STEPS[phase.id]: phase for phase in every}
        """All phases that a position can be in, by their steps."""
        fleet = bool(self.map.places.get("fleet"))
        self.document_words = documents.WORDS
        self.phases = tuple(phase for phase in every if fleet or phase.id not in NAVAL_PHASES)
        self.columns = [_ratio(text) for text in self.tables.results.columns]
        self._automatic = _ratio(self.tables.results.automatic)
        self._rows: dict[int, list[str]] = {int(roll): row for roll, row in self.tables.results.rows.items()}
        self._lowest, self._highest = min(self._rows), max(self._rows)
        self.counters: Recent[tuple[Unit, int, str, str, tuple[str, ...]], Counter] = Recent(20_000)
        """Counters as they lay on the table before."""
        self._check()

    def _check(self) -> None:
        """Every list of units names units that exist, every table row has its columns."""
        lists = [*self.scenario.placed, *self.scenario.in_city, *self.scenario.cup, *self.due, *self.scenario.frozen]
        for unit_id in (unit_id for unit_id in lists if unit_id not in self.printed):
            raise BadData(f"there is no unit {unit_id!r}", source="scenario.yaml")
        for roll, row in self.tables.results.rows.items():
            if len(row) != len(self.columns):
                raise BadData(
                    f"expected {len(self.columns)} results", path=f"results.rows.{roll}", source="tables.yaml"
                )

    # The combat results table (10.2) --------------------------------------------------------------

    def odds_column(self, attack: int | Fraction, defence: int | Fraction) -> int:
        """The column for these strengths, rounded in the defender's favour (10.21).

        -1 stands for odds too low to attack at, one past the last column for automatic elimination.
        """
        if not defence or attack * self._automatic.denominator >= self._automatic.numerator * defence:
            return len(self.columns)
        return sum([attack * column.denominator >= column.numerator * defence for column in self.columns]) - 1

    def column_name(self, column: int) -> str:
        """``3:2``; past the last column the automatic one."""
        if column < 0:
            return f"below {self.tables.results.columns[0]}"
        names: list[str] = [*self.tables.results.columns, self.tables.results.automatic]
        return names[column]

    def result(self, column: int, roll: int) -> str:
        """The result of a modified roll, which may lie outside 1 to 6."""
        return self._rows[min(max(roll, self._lowest), self._highest)][column]

    # Maps -----------------------------------------------------------------------------------------

    @few
    def ground(self, game_map: GameMap) -> Ground:
        """The map as the rules use it; made once for each map."""
        return Ground(game_map, self.tables)

    @few
    def watched(self, ground: Ground) -> HexMask:
        """Hexes where it matters who passed last (17.22; 19.93)."""
        victory = self.scenario.victory
        numbers = [city.hex for city in victory.cities] + ([victory.gate] if victory.gate else [])
        return ground.key_points | ground.grid.mask(n for n in numbers if n in ground.grid)

    def extra_hexes(self, ground: Ground) -> HexMask:
        """Hexes of the additional victory markers (18.51)."""
        return ground.grid.mask(m.hex for m in self.scenario.victory.extra_markers if m.hex in ground.grid)

    def regiments(self, division: str) -> frozenset[str]:
        """The printed regiments of a German division (3.2, 7.2)."""
        return frozenset(unit.id for unit in self.printed.values() if unit.division == division)

    # Positions ------------------------------------------------------------------------------------

    def blank(
        self, game_map: GameMap, ground: Ground, roster: tuple[Unit, ...], scenario: str, options: Mapping[str, Value]
    ) -> AssaultPosition:
        """A position with these units, none of them on the map."""
        pos = AssaultPosition.blank(self, game_map, scenario, AssaultOptions(options), Item(*SET_UP))
        pos.ground, pos.roster = ground, roster
        pos.index = {unit.id: index for index, unit in enumerate(roster)}
        german, soviet = (tuple(i for i, unit in enumerate(roster) if unit.side == side) for side in (GERMAN, SOVIET))
        pos.order_of_battle, pos.teams = (german, soviet), (mask_of(german), mask_of(soviet))
        divisions = {unit.division for unit in roster if unit.division}
        pos.siblings = {d: tuple(i for i, unit in enumerate(roster) if unit.division == d) for d in divisions}
        turns = [self.due[unit.id].turn if unit.id in self.due else self.turns + 1 for unit in roster]
        pos.due = tuple(mask_of(i for i, due in enumerate(turns) if due <= turn) for turn in range(self.turns + 1))
        pos.headquarters = tuple(i for i, unit in enumerate(roster) if unit.is_hq)
        pos.fleet_index = next((i for i, unit in enumerate(roster) if unit.is_naval), None)
        pos.where = [NOWHERE] * len(roster)
        pos.steps = tuple(unit.full_steps for unit in roster)
        pos.lays = [Lay(ground, GERMAN), Lay(ground, SOVIET)]
        return pos

    def start(self, scenario: str | None = None, options: Mapping[str, Any] | None = None) -> AssaultPosition:
        """The set-up of a scenario (5.0, Appendix I; 19.8)."""
        name, chosen = self.settled(scenario, options)
        pos = self.blank(self.map, self.ground(self.map), tuple(self.printed.values()), name, chosen)
        for unit_id, number in self.scenario.placed.items():
            index = pos.index[unit_id]
            h = pos.ground.grid.hex(number)
            if pos.roster[index].is_naval:
                pos.where[index] = h
            else:
                pos.put(index, h)
        pos.cup = mask_of(pos.index[unit_id] for unit_id in self.scenario.cup)
        if chosen.get("extra-points"):
            pos.extra_markers = self.extra_hexes(pos.ground)
        return pos

    def position(self, document: Mapping[str, Any] | str) -> AssaultPosition:
        """The position a document describes."""
        return documents.read(self, document_values(document, self.id)).begun()

    def counter_sheet(self) -> list[tuple[Counter, Counter | None]]:
        """Every counter in the box, front and back."""
        return display.counter_sheet(self)

    def charts(self) -> list[Chart]:
        """Combat results, classes, terrain and air tables."""
        return display.charts(self)


def _unit(unit_id: str, spec: Any) -> Unit:
    try:
        return Unit(unit_id, spec)
    except ValueError as problem:
        raise BadData(str(problem), path=f"units.{unit_id}.faces", source="units.yaml") from None


def _ratio(text: str) -> Fraction:
    attack, _, defence = text.partition(":")
    return Fraction(int(attack), int(defence))
