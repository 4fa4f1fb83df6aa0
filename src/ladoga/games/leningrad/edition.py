"""The figures of an edition: counters, charts, set-up and arrivals, read from its data files.

The two editions of Leningrad share every rule in this folder. Where they differ, the difference is
a figure or a named choice in ``tables.yaml`` or ``scenario.yaml``, never a test for an edition.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache, cached_property
from typing import Literal

from ...kernel.chance import Chance, die
from ...kernel.data import Sourced, Strict
from ...kernel.errors import BadData
from ...kernel.game import Case, Folder, Scenario
from ...kernel.options import Chosen, Option

SIDES = ("german", "soviet")
GERMAN, SOVIET = 0, 1

Side = Literal["german", "soviet"]
UnitType = Literal["infantry", "armor", "mechanized"]


class UnitSpec(Sourced):
    """A printed combat unit (2.4 to 2.8): attack, defence and movement of its full face."""

    side: Side
    type: UnitType
    attack: int
    defence: int
    movement: int
    name: str = ""
    corps: str = ""
    reduced: tuple[int, int, int] | None = None

    @property
    def full_steps(self) -> int:
        """German units have two steps, Soviet units one (10.5)."""
        return 1 if self.reduced is None else 2

    def face(self, steps: int) -> tuple[int, int, int]:
        """Attack, defence and movement with so many steps left."""
        if self.reduced is not None and steps == 1:
            return self.reduced
        return self.attack, self.defence, self.movement


class UnitsFile(Strict):
    """units.yaml."""

    units: dict[str, UnitSpec]


class TerrainLine(Sourced):
    """A line of the terrain effects chart: points for infantry and for armor and mechanized."""

    infantry: str
    armor: str
    shift: int = 0
    open: bool = False
    """Counts as clear ground when armor attacks (12.2)."""
    case: str = ""

    def halves(self, mobile: bool) -> int:
        """Cost in half points."""
        return halves(self.armor if mobile else self.infantry)


class Disengagement(Strict, rename="kebab"):
    """Added cost of leaving an enemy zone (6.1, 6.2)."""

    german_armor: int
    german_infantry: int
    soviet: int


class SupplyFigures(Strict, rename="kebab"):
    """Length of a line of supply before it reaches its road (11.0)."""

    range: int
    road_at_armor_rate: bool


class ResultsTable(Strict):
    """The combat results table (9.5)."""

    columns: list[str]
    rows: list[list[str]]


class OverrunFigures(Strict, rename="kebab"):
    """What an overrun costs (7.3): a flat price, or the terrain plus something."""

    shift: int
    flat: str | None = None
    plus: int = 0
    plus_german_turn_1: int = 0


class Stacking(Strict):
    """Units in a hex (4.6), and when they are counted."""

    limit: int
    checked: Literal["always", "phase-end"]


class Rebuilding(Strict, rename="kebab"):
    """German replacements (16.6 to 16.9)."""

    most: int
    of: Literal["hex", "phase"]
    price: int
    broken_by_combat: bool


class Bonus(Strict):
    """The shift of the Soviet counterattack when its army enters in time (17.4)."""

    turn: int
    shift: int
    overruns: bool


class Level(Strict, rename={"from_": "from"}):
    """A level of victory and the smallest margin for it (18.3)."""

    level: str
    winner: str
    from_: int


class Victory(Strict):
    """Victory points (18.1, 18.2) and levels (18.3)."""

    reduced: dict[str, int]
    eliminated: dict[str, int]
    hexes: dict[str, int]
    levels: list[Level]


class Tables(Strict):
    """tables.yaml."""

    terrain: dict[str, TerrainLine]
    river: Literal["double", "plus-1"]
    fort: Literal["double", "plus-2"]
    disengagement: Disengagement
    supply: SupplyFigures
    results: ResultsTable
    overrun: OverrunFigures
    victory: Victory
    stacking: Stacking
    rebuilding: Rebuilding
    bonus: Bonus


class SetUpLine(Sourced):
    """Untried Soviet units that start on a hex."""

    at: str
    infantry: int = 0
    armor: int = 0


class Arrival(Strict):
    """A line of the reinforcement schedule: named German or untried Soviet units, and where they enter."""

    id: str
    turn: int
    side: Side
    entry: str
    units: list[str] = []
    infantry: int = 0
    armor: int = 0
    prompt: bool = False
    """May not be delayed (16.5)."""
    late: dict[str, str] = {}
    """Other entry hexes from a later turn on (17.4)."""
    bonus: bool = False
    city: bool = False
    """Enters in the city, or along the north edge when the city has fallen (16.4)."""

    def entry_on(self, turn: int) -> str:
        """The entry hexes on a turn."""
        late = [hexes for from_turn, hexes in self.late.items() if turn >= int(from_turn)]
        return late[-1] if late else self.entry


class FortSites(Sourced, rename={"fed_from": "fed-from", "zone_free": "zone-free"}):
    """Where forts may be placed (15.0); ``fed_from`` empty: any source will do.

    ``zone_free``: not in an enemy zone, unless a Soviet unit is in the hex.
    """

    within: int
    of: str
    fed_from: str = ""
    zone_free: bool = False


class FreeSetUp(Strict, rename="kebab"):
    """German units the player places as he likes, and the hexes for them.

    Of the hexes ``north`` only so many infantry units may use them.
    """

    units: list[str]
    hexes: str
    north: str = ""
    most_north: int = 0


class ScenarioFile(Strict, rename="kebab"):
    """scenario.yaml."""

    calendar: list[str]
    frozen: str
    fort_sites: FortSites
    north_edge: str
    rebuild: list[str]
    soviet: list[SetUpLine]
    rows: list[int]
    arrivals: list[Arrival]
    air: dict[str, int]
    forts: dict[str, int]
    forts_per_turn: int
    german: dict[str, list[str]] = {}
    free_german: FreeSetUp | None = None
    strict_soviet: list[SetUpLine] = []
    enter_supplied: bool = False
    """Reinforcements count as supplied while they enter."""


class LeningradOptions(Chosen):
    """Readings of unclear cases; where an edition leaves no choice, it is as said here."""

    recycle: bool = True
    bonus_direction: Literal["right", "left"] = "right"
    river_on_road: bool = True
    arrivals_overrun: Literal["singly", "together"] = "singly"
    dead_ends: Literal["avoided", "lost"] = "avoided"
    armor_attacks: Literal["clear", "unfortified"] = "clear"
    rebuild_in_soviet_cities: bool = True
    bid: int | str = 0


class IndexFile(Strict):
    """game.yaml: what the game is called, its scenarios and its options."""

    title: str
    scenarios: dict[str, Scenario]
    options: dict[str, Option] = {}
    renumbered: dict[str, str] = {}
    """This edition's numbers for the cases as the rules code names them, where they differ.

    The code uses the numbers of the first edition, counting on where the second adds a case (15.6, 16.10).
    """


class Edition:
    """All figures of one edition."""

    def __init__(self, folder: Folder) -> None:
        self.index: IndexFile = folder.load("game.yaml", IndexFile)
        units: UnitsFile = folder.load("units.yaml", UnitsFile)
        self.units = units.units
        self.tables: Tables = folder.load("tables.yaml", Tables)
        self.scenario: ScenarioFile = folder.load("scenario.yaml", ScenarioFile)
        self.cases: dict[str, Case] = folder.load("cases.yaml", dict[str, Case])
        self._check(folder)

    def _check(self, folder: Folder) -> None:
        results, scenario = self.tables.results, self.scenario
        rows = {f"results.rows[{number}]": len(row) for number, row in enumerate(results.rows)}
        named = [name for names in scenario.german.values() for name in names]
        named += [name for arrival in scenario.arrivals for name in arrival.units]
        named += scenario.free_german.units if scenario.free_german else []
        wrong = [(f"{n} results for {len(results.columns)} columns", path, "tables.yaml")
                 for path, n in rows.items() if n != len(results.columns)]  # fmt: skip
        wrong += [("one row a die face", "results.rows", "tables.yaml")] if len(rows) != 6 else []
        wrong += [(f"there is no unit {name!r}", "", "scenario.yaml") for name in named if name not in self.units]
        for message, path, file in wrong[:1]:
            raise BadData(message, path=path, source=str(folder.path / file))

    def case(self, number: str) -> str:
        """The number a case has in this edition."""
        return self.index.renumbered.get(number, number)

    @cached_property
    def air_units(self) -> list[int]:
        """German air units at hand, turn by turn (13.0, schedule)."""
        air = {int(turn): units for turn, units in self.scenario.air.items()}
        return [max((n for turn, n in air.items() if turn <= now), default=0) for now in range(100)]

    @cached_property
    def forts_arrived(self) -> list[int]:
        """Forts that have arrived so far, turn by turn (15.4, schedule)."""
        forts = {int(turn): units for turn, units in self.scenario.forts.items()}
        return [sum(n for turn, n in forts.items() if turn <= now) for now in range(100)]

    @cached_property
    def roll(self) -> Chance:
        """The die of a combat (9.0)."""
        return die("the die", self.case("9.0"))

    @cached_property
    def first_column(self) -> int:
        """Odds step of the leftmost column: 1-4 is -3."""
        left, _, right = self.tables.results.columns[0].partition("-")
        return int(left) - 1 if right == "1" else 1 - int(right)

    def result(self, index: int, face: int) -> tuple[str, str]:
        """Defender's and attacker's result for an odds step (clamped, 9.3) and a die face."""
        column = min(max(index - self.first_column, 0), len(self.tables.results.columns) - 1)
        defender, _, attacker = self.tables.results.rows[face - 1][column].partition("/")
        return defender, attacker

    def column_name(self, index: int) -> str:
        """Heading of the column an odds step falls into."""
        columns = self.tables.results.columns
        return columns[min(max(index - self.first_column, 0), len(columns) - 1)]


@cache
def halves(points: str | int) -> int:
    """Points as half points, exactly.

    >>> halves("1/2"), halves(3)
    (1, 6)
    """
    value = Fraction(points) * 2
    if value.denominator != 1:
        raise BadData(f"{points} is not a whole number of half points")
    return int(value)
