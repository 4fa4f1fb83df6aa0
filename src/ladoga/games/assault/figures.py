"""The figures of the two Assault games, read from their data files.

Both games share every rule in this folder. Where they differ, the difference is a figure or a named
choice in ``tables.yaml`` or ``scenario.yaml``, never a test for a game.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, NamedTuple

from ...kernel.data import Cited, Strict
from ...kernel.game import Scenario
from ...kernel.options import Chosen, Option

SIDES = ("german", "soviet")
GERMAN, SOVIET = 0, 1

SIXTHS = 6
"""Movement is counted in sixths of a point: roads cost thirds and halves (6.16)."""

RANKS = {"A": 2, "B": 1, "C": 0}
"""Classes from the highest to the lowest (10.42)."""

UnitType = Literal[
    "panzer", "motorized", "infantry", "hq", "rifle", "guards", "tank", "tank-corps", "volunteer", "marine", "nkvd",
    "guerrilla", "worker", "naval",
]  # fmt: skip
UnitSize = Literal["battalion", "regiment", "brigade", "division", "hq", "naval"]

MECHANIZED_TYPES = frozenset({"panzer", "motorized", "tank", "tank-corps"})


class Face(NamedTuple):
    """One side of a counter: combat factor and class (3.2)."""

    combat: int
    grade: str


def face(text: str) -> Face:
    """A face as units are written: ``5-A``.

    >>> face("5-A")
    Face(combat=5, grade='A')
    """
    combat, _, grade = text.partition("-")
    if not combat.isdigit() or grade not in RANKS:
        raise ValueError(f"a face is a combat factor and a class, such as 5-A, not {text!r}")
    return Face(int(combat), grade)


class UnitSpec(Cited):
    """A counter (3.2): faces from full strength down, one for each step."""

    side: Literal["german", "soviet"]
    type: UnitType
    faces: list[str]
    movement: int
    size: UnitSize = "division"
    name: str = ""
    corps: str = ""
    division: str = ""
    mechanized: bool = False
    colour: str = ""


class UnitsFile(Strict):
    """units.yaml."""

    units: dict[str, UnitSpec]


class Unit:
    """A counter as the rules use it."""

    __slots__ = (
        "column", "corps", "division", "faces", "group", "id", "is_guerrilla", "is_hq", "is_naval", "is_worker", "kind",
        "mechanized", "movement", "side", "sort", "spec", "type",
    )  # fmt: skip

    def __init__(self, unit_id: str, spec: UnitSpec) -> None:
        self.id = unit_id
        self.spec = spec
        self.side = SIDES.index(spec.side)
        self.type = spec.type
        self.faces = tuple(face(text) for text in spec.faces)
        self.movement = spec.movement * SIXTHS
        self.mechanized = spec.mechanized or spec.type in MECHANIZED_TYPES
        self.is_hq = spec.type == "hq"
        self.is_worker = spec.type == "worker"
        self.is_guerrilla = spec.type == "guerrilla"
        self.is_naval = spec.type == "naval"
        self.column = "guerrilla" if self.is_guerrilla else "mechanized" if self.mechanized else "infantry"
        self.corps = spec.corps
        self.division = spec.division if spec.size == "regiment" else ""
        odd = self.is_hq or self.is_worker or self.is_guerrilla or self.is_naval
        self.kind = self.type if odd else self.division or "body"
        """Units of one kind crowd each other out; different kinds stack (7.3, 7.4)."""
        self.group = 1 if self.is_hq or self.is_worker else 2 if self.is_guerrilla else 0
        """With whom it competes for room: with others like it, with HQs or workers, with guerrillas (7.3, 7.4)."""
        self.sort = (self.kind, self.type)
        """Units of one side and sort are kept out of the same hexes."""

    @property
    def full_steps(self) -> int:
        """Steps at full strength; the fleet counts as one that is never lost (13.12)."""
        return max(len(self.faces), 1)

    def face(self, steps: int) -> Face:
        """The face that shows with so many steps left."""
        return self.faces[len(self.faces) - steps]

    @property
    def name(self) -> str:
        """The counter's name for people."""
        return self.spec.name or self.id


class MovementLine(Cited, kw_only=True):
    """A line of the terrain effects chart, movement part: points for each kind of unit."""

    infantry: str
    mechanized: str
    guerrilla: str

    def sixths(self, column: str) -> int:
        """The price in sixths of a point."""
        return int(Fraction(getattr(self, column)) * SIXTHS)


class CombatLine(Cited, kw_only=True):
    """A line of the terrain effects chart, combat part: what the defender is multiplied by."""

    times: int
    german: int | None = None
    """The multiple for a German defender where it differs."""


class BombardmentLine(Cited, kw_only=True):
    """A line of the air bombardment table: the highest roll that disrupts."""

    disrupts: int


class ResultsTable(Cited, kw_only=True):
    """The combat results table (10.2)."""

    columns: list[str]
    rows: dict[str, list[str]]
    automatic: str


class AirDice(Cited, kw_only=True):
    """Air availability by die over some turns."""

    turns: tuple[int, int]
    units: list[int]


class AirForce(Strict):
    """Air units of a side (12.2): fixed on some turns, by die on others."""

    fixed: dict[str, int] = {}
    dice: list[AirDice] = []


class Barrier(Strict, rename="kebab"):
    """The great river of a game and how its crossings on the inset work (6.3, 8.42; 19.32)."""

    hexside: str
    crossing: str
    zones_over_crossing: bool
    attacks_over_crossing: bool
    german_over_crossing: bool
    soviet_pays: Literal["points", "allowance"]
    """What a crossing costs a Soviet unit on the inset."""
    soviet_on_main: Literal["anywhere", "city"]
    """Where a Soviet unit may cross on the main map, for its whole allowance."""


class Book(Strict, rename="kebab", kw_only=True):
    """Named choices in which the two rulebooks differ."""

    capital: str
    """Place word of the main-map city hexes."""
    capital_name: str
    districts: list[str]
    barrier: Barrier
    rivers: list[str]
    german_line: Literal["rail", "road"]
    german_exits: list[str]
    """Map edges (south, west) or entry areas through which German supply leaves the map."""
    soviet_sources: list[str]
    capital_is_source: bool
    retreat_disrupts: bool
    closed_river: str = ""
    """A river no unit may cross from one enemy zone straight into another (19.33)."""
    blocked_refuge: str = ""
    """Where Soviet reinforcements appear when Germans are in every district (16.13)."""
    plain_defenders: list[UnitType] = []
    """Units that terrain never multiplies (19.41)."""
    inset_only: list[UnitType] = []
    """Units that never leave the interior of the inset (19.43)."""
    stand_ins: dict[str, str] = {}
    """Cases of the common rules that another case replaces in this game."""


class Tables(Strict, rename="kebab"):
    """tables.yaml."""

    book: Book
    movement: dict[str, MovementLine]
    combat: dict[str, CombatLine]
    bombardment: dict[str, BombardmentLine]
    results: ResultsTable
    classes: dict[str, dict[str, int]]
    leave_zone: int
    supply_range: int
    air: dict[str, AirForce]
    fleet_strength: int
    fleet_range: int


class Arrival(Strict):
    """Units due on a turn through an entry area (Appendix II, 19.71)."""

    turn: int
    units: list[str]
    area: str = ""


class Withdrawal(Strict, rename="kebab"):
    """Units that leave on a turn (16.2)."""

    turn: int
    units: list[str]
    unless_inset: bool = False


class TurnBox(Cited, kw_only=True):
    """How many units are drawn from the cup for each area on a turn (19.72)."""

    turn: int
    draws: dict[str, int]


class Points(Cited, kw_only=True):
    """A hex worth points at the end."""

    hex: str
    points: int
    name: str = ""
    garrison: bool = False


class Victory(Strict, rename="kebab", kw_only=True):
    """What the game is played for (17.0, 19.9)."""

    rule: Literal["decisive-and-points", "points-only"]
    cities: list[Points] = []
    key_point: int
    infantry_factor: int = 0
    mechanized_factor: int = 0
    unit_in_city: int = 0
    gate: str = ""
    gate_points: int = 0
    gate_area: str = ""
    extra_markers: list[Points] = []

    @property
    def decisive(self) -> bool:
        """Whether a side can win before points are counted (17.1)."""
        return self.rule == "decisive-and-points"


class AssaultOptions(Chosen):
    """Optional rules (18) and readings; where a game leaves no choice, it is as said here."""

    free_transfers: Literal["summons", "each-phase"] = "summons"
    hq_guerrilla_immune: bool = False
    guerrillas_away: bool = False
    best_class_first: bool = False
    no_german_attrition: bool = False
    workers_feed: bool = False
    extra_points: bool = False
    third_volunteers_frozen: bool = True
    city_lives_by_ferry: bool = False


class ScenarioFile(Strict, rename="kebab", kw_only=True):
    """scenario.yaml: set-up, arrivals, withdrawals and victory."""

    turns: int
    scenarios: dict[str, Scenario]
    options: dict[str, Option]
    calendar: list[str]
    placed: dict[str, str]
    in_city: list[str]
    frozen: dict[str, int]
    """The last turn on which a unit may not move (5.6)."""
    frozen_if: dict[str, str] = {}
    """Units frozen only while an option is on."""
    arrivals: list[Arrival]
    victory: Victory
    hq_areas: dict[str, list[str]]
    withdrawals: list[Withdrawal] = []
    cup: list[str] = []
    cup_boxes: list[TurnBox] = []
    cup_refill: int = 0
    """The turn at whose end lost rifle divisions go back into the cup (19.73)."""
    why: str = ""
