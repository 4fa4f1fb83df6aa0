"""The game Tijvin 1941, loaded."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...hexes import NOWHERE
from ...kernel.game import Folder, Game, Overlay, Scenario
from ...kernel.options import Option, Value
from ...kernel.orders import Grammar
from ...kernel.sequence import Answers, Item
from ...kernel.table import Chart
from . import combat, deployment, display, documents, movement, operations, secrecy, sequence, supply, victory
from .book import DUE, SIDES, Book, Roster, TijvinOptions
from .ground import Ground
from .position import TijvinPosition

TijvinPosition.told_by(
    sequence.SEQUENCE,
    Answers(
        display.table, documents.document, victory.standing, combat.explain, operations.reach, supply.trace,
        movement.orders_naming, seen_by=secrecy.seen_by, imagined=secrecy.imagined,
    ),
)  # fmt: skip

FOLDER = Path(__file__).parent / "data" / "tijvin-1941"


class Tijvin(Game):
    """Tijvin 1941: Typhoon from the North."""

    phase_at = staticmethod(sequence.phase)
    document_words = documents.WORDS

    def __init__(self, overlay: Overlay | None = None) -> None:
        folder = Folder(FOLDER, overlay)
        self.folder = folder.path
        self.id = "tijvin-1941"
        self.title = "Tijvin 1941"
        self.sides = SIDES
        self.book = Book(folder)
        self.map = folder.map()
        self.ground = Ground(self.map, self.book.tables)
        self.book.check_places(self.ground)
        self.units = self.book.file.units
        self.tables = self.book.tables
        self.cases = self.book.cases
        self.calendar = self.book.tables.turns.calendar
        self.turns = len(self.calendar)
        self.scenarios: Mapping[str, Scenario] = {
            name: Scenario(spec.title, spec.turns, spec.text, spec.case)
            for name, spec in self.book.set_up.scenarios.items()
        }
        self.options = {
            "fog-of-war": Option(
                "Fog of war", "17.1", False,
                text="Sheets are hidden: nobody sees the other side's factors, assignments and points.",
            ),
            "minimum-hq": Option(
                "Minimum headquarters strength", "17.2", False,
                text=f"No headquarters gives units away below {self.tables.minimum_headquarters} factors.",
            ),
            "sinyavino": Option(
                "Sinyavino offensive in What if", "15.2", False,
                text="The players agree that the limits on the 54th Army hold in the What if scenario too.",
            ),
        }  # fmt: skip
        """The optional rules (17), and what the players may agree on (15.2)."""
        self.grammar = Grammar.read(Path(__file__).with_name("verbs.yaml"))
        self.changes = tuple(folder.changes)
        self.overlay = folder.overlay
        self.sequence = sequence.SEQUENCE
        self.phases = sequence.phases(self.sides)
        self.beside = display.beside_the_map(self.calendar)

    def start(self, scenario: str | None = None, options: Mapping[str, Any] | None = None) -> TijvinPosition:
        """The first position of a scenario."""
        name, chosen = self.settled(scenario, options)
        p = self.empty(name, chosen, self.ground, self.book.roster)
        deployment.begin(p)
        return p

    def position(self, document: Mapping[str, Any] | str) -> TijvinPosition:
        """The position a document describes."""
        return documents.read(self, document)

    def charts(self) -> list[Chart]:
        """The game's charts."""
        return display.charts(self.book.tables)

    def empty(self, scenario: str, options: Mapping[str, Value], ground: Ground, roster: Roster) -> TijvinPosition:
        """A position with nothing on the map."""
        p = TijvinPosition.blank(self, ground.map, scenario, TijvinOptions(options), Item("activation", 0))
        p.ground, p.roster = ground, roster
        count, hqs = len(roster.units), len(roster.hqs)
        p.hexes, p.cf = [NOWHERE] * count, [unit.cf for unit in roster.units]
        p.hq, p.box = [unit.hq for unit in roster.units], [DUE] * count
        p.hq_hex, p.hq_lost = [NOWHERE] * hqs, [NOWHERE] * hqs
        p.control = ground.german_side
        p.known = p.cf[:] if p.fog else None
        return p
