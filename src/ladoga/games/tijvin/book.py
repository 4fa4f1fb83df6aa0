"""The figures of Tijvin 1941 as its data files hold them: counters, tables, scenarios."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from msgspec.structs import asdict

from ...hexes import mask_of
from ...kernel.data import Sourced, Strict
from ...kernel.errors import BadData
from ...kernel.game import Case, Folder
from ...kernel.memory import Recent
from ...kernel.options import Chosen
from ...kernel.table import Counter

if TYPE_CHECKING:
    from .ground import Ground

SIDES = ("german", "soviet")

Side = Literal["german", "soviet"]
UnitType = Literal["infantry", "motorized", "tank", "cavalry", "artillery", "antitank"]
UnitMask = int
"""A set of units: bit ``u`` is set when unit ``u`` is a member."""


ON_MAP, DUE, DESTROYED, NORTH, EAST, SOUTH, WEST, ABSENT = range(8)
"""Where a unit is: on the map, still to arrive, destroyed, retreated over one of the edges, or no part
of the position at all."""

EDGES = {NORTH: "north", EAST: "east", SOUTH: "south", WEST: "west"}

SUPPLY_EDGES = {"german": ("west",), "soviet": ("east", "north", "south")}
"""The edges of the map that supply comes from (10)."""


def enemy_of(side: str) -> str:
    """The other side."""
    return "soviet" if side == "german" else "german"


T = TypeVar("T")


class TijvinOptions(Chosen):
    """The optional rules (17), and what the players may agree on (15.2)."""

    fog_of_war: bool
    minimum_hq: bool
    sinyavino: bool


class Figure(Sourced, rename={"is_": "is"}):
    """One printed or judged figure of a counter."""

    is_: int


class UnitSpec(Strict):
    """A combat unit: its line of section 16 and the figures of its counter."""

    name: str
    side: Side
    type: UnitType
    cf: int
    hq: str
    efficiency: Figure
    size: str = "III"
    support: Figure | None = None
    division: str = ""
    arrives: int = 0
    symbol: str = ""
    shade: str = ""


class HeadquartersSpec(Sourced):
    """A headquarters; ``entry`` is the place word of its reinforcements' entry hexes."""

    name: str
    side: Side
    entry: str


class AirSpec(Sourced):
    """An air unit."""

    name: str
    side: Side
    support: int
    arrives: int


class UnitsFile(Strict):
    """units.yaml."""

    hqs: dict[str, HeadquartersSpec]
    air: dict[str, AirSpec]
    units: dict[str, UnitSpec]


class Turns(Sourced):
    """The calendar and the turns on which things change (7, 11)."""

    calendar: tuple[str, ...]
    soviet_initiative: int
    frozen: int
    winter: int


class BySide(Sourced, Generic[T]):
    """Something that each side has its own of."""

    german: T
    soviet: T

    def of(self, side: str) -> T:
        """That of a side."""
        return self.german if side == "german" else self.soviet


class Command(BySide[int]):
    """Command range in hexes (11)."""


class HeadquartersMoves(Sourced):
    """How far a headquarters goes (10, 11)."""

    hexes: int
    unsupplied: int


class Stacking(Sourced):
    """Factors that may share a hex (4) and that make a zone of control (5)."""

    limit: int
    zone: int


class WeatherColumn(Strict):
    """The weather of a month by the die."""

    name: str
    until: int
    faces: tuple[str, str, str, str, str, str]


class WeatherEffect(Strict):
    """What a kind of weather does to air units, movement and rivers."""

    air: int
    mobile: int
    foot_is: int = 0
    mobile_is: int = 0
    river: int = 0


class Weather(Sourced):
    """The weather chart (7)."""

    columns: list[WeatherColumn]
    effects: dict[str, WeatherEffect]

    def column(self, turn: int) -> WeatherColumn:
        """The column of a turn."""
        return next((c for c in self.columns if turn <= c.until), self.columns[-1])


class MovementPoints(Sourced):
    """Movement points by side and type (12)."""

    german: dict[UnitType, int]
    soviet: dict[UnitType, int]
    mobile: int

    def of(self, side: str, kind: UnitType) -> int:
        """The points of a kind of unit."""
        return (self.german if side == "german" else self.soviet)[kind]


class TerrainCosts(Sourced):
    """Movement costs; a kind of mover that a terrain does not list must use a road or railway."""

    path: int
    costs: dict[str, dict[str, int]]
    rivers: dict[str, int]


class Coast(Sourced):
    """Whether a hexside of water can be crossed where land runs along the shore."""

    open: bool


class TerrainModifiers(Sourced, rename={"minor_city": "minor-city", "major_city": "major-city"}):
    """What the defender's hex adds to his roll (13 II c)."""

    clear: int
    forest: int
    swamp: int
    minor_city: int
    major_city: int


class RatioColumn(Strict):
    """A column of the ratio table."""

    attacker: int
    defender: int
    modifier: int

    @property
    def name(self) -> str:
        """``3 to 1``."""
        return f"{self.attacker} to {self.defender}"


class Ratios(Sourced):
    """The ratio table (13 II b)."""

    columns: list[RatioColumn]

    def column(self, attack: int, defence: int) -> RatioColumn:
        """The best column that the ratio reaches; the worst if it reaches none."""
        best = self.columns[0]
        for column in self.columns:
            if attack * column.defender >= defence * column.attacker:
                best = column
        return best


class Envelopment(Sourced):
    """Modifiers for attacking from many hexes (13 II f)."""

    hexes: dict[str, int]

    def of(self, count: int) -> int:
        """The modifier for so many attacking hexes."""
        return self.hexes.get(str(count), 0)


class Magnitude(Strict):
    """More losses in a battle where the weaker side has so many factors."""

    at_least: int
    losses: int


class Casualties(Sourced):
    """Losses (13 IV)."""

    winner: tuple[int, int, int, int, int, int]
    magnitude: list[Magnitude]
    loser: int
    doubled: int
    tripled: int

    def by_magnitude(self, weaker: int) -> int:
        """Further losses for the size of the battle."""
        return next((m.losses for m in self.magnitude if weaker >= m.at_least), 0)

    def by_degree(self, degree: int) -> int:
        """Further losses of a loser beaten once, twice or three times over."""
        return (0, 0, self.doubled, self.tripled)[degree]


class AllOutDefence(Sourced):
    """Figures of the all-out defence (13 V)."""

    strength: int
    minor_city: int
    major_city: int
    headquarters: int


CommandResult = Literal["retreat", "reduced", "normal"]


CommandResults = tuple[CommandResult, CommandResult, CommandResult, CommandResult, CommandResult, CommandResult]


class OutOfCommand(BySide[CommandResults]):
    """The results of the die of an attacked stack out of command (11)."""


class Bonus(Strict):
    """Replacement points on top of the die on some turns."""

    first: int
    last: int
    points: int


class Replacements(Sourced):
    """Replacement points and what they buy (8)."""

    points: tuple[int, int, int, int, int, int]
    bonus: dict[str, list[Bonus]]
    recovery: dict[str, dict[UnitType, int | dict[str, int]]]

    def bonus_of(self, side: str, turn: int) -> int:
        """Points a side gets on a turn beyond the die."""
        return sum(b.points for b in self.bonus[side] if b.first <= turn <= b.last)

    def price(self, unit: Unit) -> int | None:
        """Points for one factor of a unit (by its printed efficiency), ``None`` if it cannot recover.

        Motorized infantry is infantry here (8)."""
        kind: UnitType = "infantry" if unit.type == "motorized" else unit.type
        line = self.recovery[unit.side].get(kind)
        return line.get(str(unit.efficiency)) if isinstance(line, dict) else line


class Level(Strict):
    """A level of victory."""

    at_least: int
    winner: Literal["german", "soviet", "nobody"]
    level: str


class VictoryPoints(Sourced):
    """Points and levels of victory (14)."""

    minor_city: int
    major_city: int
    levels: list[Level]

    def level(self, points: int) -> Level:
        """The level that a number of points reaches."""
        return next(level for level in self.levels if points >= level.at_least)


class Tables(Strict):
    """tables.yaml."""

    turns: Turns
    command: Command
    headquarters: HeadquartersMoves
    stacking: Stacking
    weather: Weather
    movement: MovementPoints
    terrain: TerrainCosts
    coast: Coast
    terrain_modifiers: TerrainModifiers
    ratios: Ratios
    envelopment: Envelopment
    winter_modifier: int
    shock: int
    casualties: Casualties
    all_out_defence: AllOutDefence
    out_of_command: OutOfCommand
    replacements: Replacements
    minimum_headquarters: int
    victory: VictoryPoints

    def initiative(self, turn: int) -> str:
        """The side that acts first on a turn (11)."""
        return "german" if turn < self.turns.soviet_initiative else "soviet"


class ScenarioSpec(Strict):
    """A scenario of section 15."""

    title: str
    turns: int
    case: str
    text: str
    set_up: Literal["fixed", "free"]
    soviet_assignment: int
    sinyavino: bool
    objectives: dict[Side, list[str]] | None = None


class Sinyavino(Strict):
    """The second Sinyavino offensive (15.1)."""

    city: str
    army: str
    attacker_of_two_stars: str
    first: int
    last: int


class SetUp(Sourced):
    """setup.yaml."""

    scenarios: dict[str, ScenarioSpec]
    sinyavino: Sinyavino
    units: dict[str, str]


@dataclass(frozen=True, slots=True)
class Unit:
    """A combat unit as the rules use it; ``cf`` is its full strength."""

    id: str
    name: str
    side: str
    type: UnitType
    cf: int
    efficiency: int
    movement: int
    hq: int
    support: int = 0
    division: str = ""
    arrives: int = 0
    size: str = "III"
    symbol: str = ""
    shade: str = ""
    made_up: bool = False


class Headquarters(HeadquartersSpec):
    """A headquarters as the rules use it."""

    id: str


class AirUnit(AirSpec):
    """An air unit as the rules use it."""

    id: str


class Roster:
    """All units of a position, numbered, with the sets that the rules ask for."""

    def __init__(self, units: list[Unit], hqs: tuple[Headquarters, ...], air: tuple[AirUnit, ...], mobile: int) -> None:
        self.units = tuple(units)
        self.drawn: Recent[tuple[Any, ...], Counter] = Recent(20_000)
        """Counters as they have been drawn, by everything that shows on them."""
        self.hqs = hqs
        self.air = air
        self.index = {unit.id: u for u, unit in enumerate(units)}
        self.hq_index = {hq.id: q for q, hq in enumerate(hqs)}
        self.air_index = {a.id: i for i, a in enumerate(air)}
        self.of = {side: tuple(u for u, unit in enumerate(units) if unit.side == side) for side in SIDES}
        self.hqs_of = {side: tuple(q for q, hq in enumerate(hqs) if hq.side == side) for side in SIDES}
        self.air_of = {side: tuple(i for i, a in enumerate(air) if a.side == side) for side in SIDES}
        self.side_mask = {side: mask_of(members) for side, members in self.of.items()}
        self.artillery = self._where("artillery")
        self.tanks = self._where("tank")
        self.mobile = mask_of(u for u, unit in enumerate(units) if unit.movement >= mobile)
        self.foot_infantry = self._where("infantry") & ~self.mobile

    def _where(self, kind: str) -> UnitMask:
        return mask_of(u for u, unit in enumerate(self.units) if unit.type == kind)

    def __contains__(self, name: str) -> bool:
        return name in self.index or name in self.hq_index or name in self.air_index


class Book:
    """Everything the data files say."""

    def __init__(self, folder: Folder) -> None:
        self.file: UnitsFile = folder.load("units.yaml", UnitsFile)
        self.tables: Tables = folder.load("tables.yaml", Tables)
        self.set_up: SetUp = folder.load("setup.yaml", SetUp)
        self.cases: dict[str, Case] = folder.load("cases.yaml", dict[str, Case])
        self._check()

    def _check(self) -> None:
        for name, spec in self.file.units.items():
            if spec.hq not in self.file.hqs:
                raise BadData(f"there is no headquarters {spec.hq!r}", path=f"units.{name}.hq")
            if (spec.type == "artillery") != (spec.support is not None):
                raise BadData("artillery, and only artillery, has a support figure", path=f"units.{name}.support")
            for figure in (spec.efficiency, spec.support):
                if figure is not None and figure.from_ == "judged" and not figure.why:
                    raise BadData("a judged figure says why", path=f"units.{name}")
            if not 1 <= spec.cf <= self.tables.stacking.limit:
                raise BadData(f"a unit has 1 to {self.tables.stacking.limit} factors", path=f"units.{name}.cf")
        self._check_tables()

    def _check_tables(self) -> None:
        known, turns = self.tables.weather.effects, len(self.tables.turns.calendar)
        for number, column in enumerate(self.tables.weather.columns):
            if strange := set(column.faces) - set(known):
                raise BadData(f"no weather {min(strange)!r}; known: {', '.join(known)}",
                              path=f"weather.columns[{number}].faces")  # fmt: skip
        if not self.tables.weather.columns:
            raise BadData("the weather needs a column", path="weather.columns")
        for name, spec in self.set_up.scenarios.items():
            if not 1 <= spec.turns <= turns:
                raise BadData(f"the calendar has {turns} turns", path=f"scenarios.{name}.turns")

    def check_places(self, ground: Ground) -> None:
        """What is set up is a unit, and stands on land without overstacking (4, 15)."""
        loads: dict[str, int] = {}
        for name, number in self.set_up.units.items():
            path = f"units.{name}"
            if name not in self.file.units:
                raise BadData(f"there is no unit {name!r}", path=path)
            if number not in ground.grid or not ground.land >> ground.grid.hex(number) & 1:
                raise BadData(f"the map has no land hex {number!r}", path=path)
            loads[number] = loads.get(number, 0) + self.file.units[name].cf
            if loads[number] > self.tables.stacking.limit:
                raise BadData(f"more than {self.tables.stacking.limit} factors stand in {number}", path=path)
        spec = self.set_up.sinyavino
        if spec.army not in self.file.hqs or spec.attacker_of_two_stars not in self.file.units:
            raise BadData("names a headquarters or unit that there is not", path="sinyavino")

    @cached_property
    def roster(self) -> Roster:
        """The printed counters."""
        tables, order = self.tables, list(self.file.hqs)
        units = [
            Unit(
                name, spec.name, spec.side, spec.type, spec.cf, spec.efficiency.is_,
                tables.movement.of(spec.side, spec.type), order.index(spec.hq),
                spec.support.is_ if spec.support else 0, spec.division, spec.arrives, spec.size, spec.symbol,
                spec.shade,
            )
            for name, spec in self.file.units.items()
        ]  # fmt: skip
        hqs = tuple(Headquarters(id=name, **asdict(spec)) for name, spec in self.file.hqs.items())
        air = tuple(AirUnit(id=name, **asdict(spec)) for name, spec in self.file.air.items())
        return Roster(units, hqs, air, tables.movement.mobile)
