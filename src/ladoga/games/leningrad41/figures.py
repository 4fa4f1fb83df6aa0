"""The figures of Leningrad '41: what ``tables.yaml`` and ``setup.yaml`` hold."""

from __future__ import annotations

from typing import Literal

from ...kernel.data import Sourced, Strict
from ...kernel.errors import BadData
from ...kernel.game import Scenario
from ...kernel.options import Chosen, Option


class MovementCosts(Sourced):
    """Allowances and costs (2.9, 8.5-8.12)."""

    allowance: dict[str, int]
    motorized_factor: int
    clear: int
    urban: int
    objective: int
    fortified: int
    rubble: int
    minor_river: int
    bridged_major_river: int
    lone_engineer: int
    gunboat_hex: int


class Stacking(Sourced):
    """Stacking limits (6.1, 16.2)."""

    german: int
    soviet: int
    soviet_objective: int
    soviet_defensive_states: int


class CombatTable(Sourced):
    """The combat results table: for each column its least strength and the highest modified roll
    that eliminates."""

    columns: list[str]
    least: list[int]
    eliminated_on: list[int]

    def column(self, strength: int) -> int:
        """The column a fire strength is read in (10.3)."""
        return max(i for i, least in enumerate(self.least) if strength >= least)


class ModifierEntry(Sourced):
    """A die roll modifier (10.10)."""

    drm: int
    case: str
    title: str


class Modifiers(Strict):
    """The list of modifiers."""

    urban: ModifierEntry
    objective: ModifierEntry
    fortified: ModifierEntry
    rubble: ModifierEntry
    armored: ModifierEntry
    close_assault: ModifierEntry
    assault_minor_river: ModifierEntry
    assault_major_river: ModifierEntry
    rudel: ModifierEntry
    anti_aircraft: ModifierEntry
    fanaticism: ModifierEntry
    bridge_minor: ModifierEntry
    bridge_major: ModifierEntry
    structure_urban: ModifierEntry
    structure_objective: ModifierEntry
    demolition_engineer: ModifierEntry


class RubbleRolls(Sourced):
    """Dice that leave rubble (10.18, 12.10)."""

    offensive_fire: list[int]
    air_strike: list[int]


class CommandLimits(Sourced):
    """How many units fire together (12.7, 13.2-13.4)."""

    corps_with_division: int
    ss: int
    soviet: int
    german_air: int


class MetroTable(Sourced):
    """Metro moves (15.5)."""

    moves: list[int]
    stays: list[int]
    lost: list[int]


class AirborneTable(Sourced):
    """The airborne assault table (18.2)."""

    lands: list[int]
    drifts: list[int]
    lost: list[int]


class StatesDie(Sourced):
    """The die of 16.2."""

    on: list[int]


class Replacements(Sourced):
    """German replacements (7.4, 16.2)."""

    by_turn: list[int]
    defensive_states_extra: int
    defensive_states_from: int


class GermanArrivals(Sourced):
    """The German reinforcement schedule (19.1); six entries stand for the faces of a die."""

    leader: str
    first_air_markers: int
    corps: list[int]
    first_division: list[str]
    third_division: list[str]
    later: list[Literal["division", "two-corps", "three-corps", "airborne"]]
    later_corps: dict[str, int]
    airborne: str


class SovietArrivals(Sourced):
    """The Soviet reinforcement schedules (19.2, 19.3)."""

    from_turn: int
    objectives_a_unit: int
    zhukov_from_turn: int


class VictoryFigures(Sourced):
    """Objectives the German needs (4.3)."""

    objectives: int


class TablesFile(Strict):
    """The tables file."""

    movement: MovementCosts
    stacking: Stacking
    combat: CombatTable
    modifiers: Modifiers
    rubble: RubbleRolls
    command: CommandLimits
    metro: MetroTable
    airborne: AirborneTable
    defensive_states: StatesDie
    german_replacements: Replacements
    german_arrivals: GermanArrivals
    soviet_arrivals: SovietArrivals
    bridge_demolition_from_turn: int
    victory: VictoryFigures
    anti_aircraft_reach: int

    def check(self) -> None:
        """Refuse tables that make no sense."""
        table = self.combat
        if not len(table.columns) == len(table.least) == len(table.eliminated_on):
            raise BadData("columns, least and eliminated_on must be equally long", path="combat")
        if table.least != sorted(table.least) or table.least[0] > 1:
            raise BadData("columns go up from 1 or less", path="combat.least")
        for name in ("corps", "first_division", "third_division", "later"):
            if len(getattr(self.german_arrivals, name)) != 6:
                raise BadData("a die has six faces", path=f"german_arrivals.{name}")


class FixedUnit(Sourced):
    """Where a unit that is not drawn sets up (3.3)."""

    where: Literal["hex", "water", "land", "rail"]
    hex: str = ""


class RandomUnits(Sourced):
    """The blind draw of 3.6."""

    command: str
    number: int
    not_in_rows: list[str]


class Calendar(Sourced):
    """Dates of the turns."""

    first: str
    days: int


class CityOptions(Chosen):
    """The optional rules (16 to 18), and the reading of 13.3."""

    defensive_states: bool
    fanaticism: bool
    airborne_assault: bool
    defensive_fire_caps: bool


class SetUpFile(Strict):
    """The set-up file."""

    turns: int
    scenarios: dict[str, Scenario]
    calendar: Calendar
    options: dict[str, Option]
    fixed: dict[str, FixedUnit]
    off_map: list[str]
    set_aside: list[str]
    random_units: RandomUnits
