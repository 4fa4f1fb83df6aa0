"""The Marsh, as a publisher of a seventh game would write it: loading, drawing and documents."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ladoga.hexes import NOWHERE
from ladoga.kernel.data import Strict, document_values, shape
from ladoga.kernel.documents import check_phase, check_turn
from ladoga.kernel.errors import BadDocument
from ladoga.kernel.game import Case, Folder, Game, Overlay, Scenario
from ladoga.kernel.options import Chosen
from ladoga.kernel.orders import Grammar, Role, Verb
from ladoga.kernel.sequence import Item
from ladoga.kernel.table import Chart

from .rules import SEQUENCE, Leap, MarshPosition

FOLDER = Path(__file__).parent / "data"
TURNS = 8

VERBS = (
    Verb("slink", "unit hex", "go to the next hex", Role.GO),
    Verb("pounce", "unit hex", "fall upon an enemy", Role.STRIKE),
    Verb("sleep", "", "let the others be", Role.END),
    Verb("peck", "", "drive the hunter home"),
    Verb("hide", "", "let the hunter be", Role.WAIT),
    Verb("die", "word", "the bite", Role.CHANCE),
)


class Beast(Strict):
    """A beast as the data file writes it."""

    side: str
    hex: str
    bite: int


class Placed(Strict):
    """A beast of a document; without a hex it was caught."""

    hex: str = ""


class Matter(Strict):
    """A pounce in hand."""

    at: str
    beast: str
    hex: str


class Document(Strict):
    """A position of the Marsh."""

    game: str
    scenario: str = "evening"
    options: dict[str, Any] = {}
    turn: int = 1
    phase: str = "fox-prowl"
    units: dict[str, Placed] = {}
    acted: list[str] = []
    pending: Matter | None = None
    over: bool = False
    dice: list[str | int] = []


class Marsh(Game):
    """Foxes and herons."""

    id = "marsh"
    title = "The Marsh"
    sides = ("fox", "heron")
    turns = TURNS
    options = {}
    grammar = Grammar(VERBS)
    sequence = SEQUENCE
    calendar = tuple(f"Evening {turn}" for turn in range(1, TURNS + 1))

    def __init__(self, overlay: Overlay | None = None) -> None:
        folder = Folder(FOLDER, overlay)
        self.folder = folder.path
        self.map = folder.map()
        self.units: dict[str, Beast] = folder.load("units.yaml", dict[str, Beast])
        self.names = tuple(self.units)
        self.cases = folder.load("cases.yaml", dict[str, Case])
        self.tables = {"bite": 5}
        self.scenarios = {"evening": Scenario("An evening in the marsh", TURNS)}
        self.phases = SEQUENCE.phases(self.sides)
        self.changes, self.overlay = tuple(folder.changes), folder.overlay

    def start(self, scenario: str | None = None, options: Mapping[str, Any] | None = None) -> MarshPosition:
        """Every beast in its own hex (1.1)."""
        name, chosen = self.settled(scenario, options)
        grid = self.map.grid
        return self.at(name, chosen, 1, [grid.hex(beast.hex) for beast in self.units.values()])

    def at(self, scenario: str, options: Mapping[str, Any], turn: int, hexes: list[int]) -> MarshPosition:
        """The foxes to prowl, with the beasts in these hexes."""
        p = MarshPosition.blank(self, self.map, scenario, Chosen(options), Item("prowl", 0))
        p.turn, p.hexes, p.acted = turn, hexes, 0
        return p

    def position(self, document: Mapping[str, Any] | str) -> MarshPosition:
        """The position a document describes."""
        told = shape(document_values(document, self.id), Document, error=BadDocument)
        scenario, options = self.settled_in_document(told.scenario, told.options)
        check_turn(told.turn, TURNS)
        check_phase(told.phase, [phase.id for phase in self.phases])
        hexes = [NOWHERE] * len(self.names)
        for name, placed in told.units.items():
            if name not in self.units:
                raise BadDocument("not a beast of the marsh", path=f"units.{name}")
            if placed.hex and placed.hex not in self.map.grid:
                raise BadDocument(f"the map has no hex {placed.hex!r}", path=f"units.{name}.hex")
            hexes[self.names.index(name)] = self.map.grid.hex(placed.hex) if placed.hex else NOWHERE
        p = self.at(scenario, options, told.turn, hexes)
        p.acted = sum(1 << self.names.index(name) for name in told.acted)
        side = self.sides.index(told.phase.split("-")[0])
        p.agenda = () if told.over else (Item("prowl", side),)
        if told.pending is not None:
            leap = Leap(self.names.index(told.pending.beast), self.map.grid.hex(told.pending.hex))
            p.interrupt(told.pending.at, 1 - side if told.pending.at == "answer" else side, leap)
        p.dice = tuple(map(str, told.dice))
        return p.begun()

    def charts(self) -> list[Chart]:
        """What must be rolled."""
        return [Chart("bite", "The bite", "3.2", ["Prey in", "Die and bite"], [["meadow", "5"], ["reeds", "6"]])]
