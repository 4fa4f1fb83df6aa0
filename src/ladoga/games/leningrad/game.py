"""Leningrad, either edition: data loaded, roster made, positions begun."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from ...hexes import NOWHERE, HexMask
from ...kernel.data import document_values
from ...kernel.game import Folder, Game, Overlay
from ...kernel.map import GameMap
from ...kernel.memory import few
from ...kernel.options import Value
from ...kernel.orders import Order
from ...kernel.sequence import Answers, Item
from ...kernel.table import Chart, Counter
from . import bidding, charts, combat, display, documents, listing, movement, sequence, supply, victory
from .derived import Lore
from .edition import GERMAN, SIDES, SOVIET, Edition, LeningradOptions
from .fight import Auction
from .ground import Ground
from .orders import GRAMMAR
from .pieces import Piece, Slot
from .position import LeningradPosition

DATA = Path(__file__).parent / "data"

LeningradPosition.told_by(
    sequence.SEQUENCE,
    Answers(
        display.table, documents.document, victory.standing, combat.explain, movement.reach, supply.trace,
        listing.orders_naming, combat.could_join, bidding.seen_by, bidding.imagined,
    ),
)  # fmt: skip


class Leningrad(Game):
    """The game, 1979 or second edition."""

    sides = SIDES
    grammar = GRAMMAR

    def __init__(self, game_id: str, overlay: Overlay | None = None) -> None:
        folder = Folder(DATA / game_id, overlay)
        self.id = game_id
        self.folder = folder.path
        self.edition: Edition = Edition(folder)
        self.map = folder.map()
        self.title = self.edition.index.title
        self.scenarios = self.edition.index.scenarios
        self.options = self.edition.index.options
        self.turns = next(iter(self.scenarios.values())).turns
        self.calendar = tuple(self.edition.scenario.calendar)
        self.cases = self.edition.cases
        self.units = self.edition.units
        self.tables = self.edition.tables
        self.changes = tuple(folder.changes)
        self.overlay = folder.overlay
        self.sequence = sequence.SEQUENCE
        self.stacking_always = self.tables.stacking.checked == "always"
        self.phase_at = sequence.phases(self.edition)
        self.phases = tuple(self.phase_at.values())
        self.steps = tuple(self.phase_at)
        """The phases by moment and side, in the order of play."""
        self.next_step = dict(pairwise(self.steps)) | {sequence.TURN[-1]: sequence.TURN[0]}
        self.renumbered = self.edition.index.renumbered
        if bidding.OPTION in self.options:
            self.grammar = bidding.VERBS
        self.counters = [name for name, unit in self.units.items() if unit.side == "soviet"]
        self.draws = {name: Order("draw", words=(name,)) for name in self.counters}
        """What chance says when an untried unit turns out to be a printed one (14.1)."""
        self.counter_numbers = {name: number for number, name in enumerate(self.counters)}
        self.roster, self.set_up_hexes = self._roster()
        self.slots = {piece.name: slot for slot, piece in enumerate(self.roster)}
        self.document_words = documents.WORDS | {
            "due lines": [arrival.id for arrival in self.edition.scenario.arrivals]
        }
        self.printed: dict[tuple[str, int], display.Face] = {}
        """Faces of counters that have been shown, by name and steps."""

    # The roster -------------------------------------------------------------------------------

    def _roster(self) -> tuple[tuple[Piece, ...], dict[Slot, str]]:
        """All pieces: German units by name, Soviet ones as untried slots; and where they start.

        Infantry slots run ``i1, i2 ...`` and armored ones ``a1, a2 ...``: those that start on the map, those
        of the hexrows, then the reinforcements in the order of the schedule.
        """
        scenario = self.edition.scenario
        place = {name: number for number, names in scenario.german.items() for name in names}
        due = {name: number for number, arrival in enumerate(scenario.arrivals) for name in arrival.units}
        german = {name: spec for name, spec in self.units.items() if spec.side == "german"}
        pieces = [Piece(name, GERMAN, spec.type != "infantry", spec.movement, spec, due.get(name, -1))
                  for name, spec in german.items()]  # fmt: skip
        starts = {slot: place[name] for slot, name in enumerate(german) if name in place}
        for mobile, letter, kind in ((False, "i", "infantry"), (True, "a", "armor")):
            movements = [self.units[name].movement for name in self.counters
                         if (self.units[name].type != "infantry") == mobile]  # fmt: skip
            wanted: list[tuple[str, int]] = [
                (line.at, -1) for line in scenario.soviet for _ in range(getattr(line, kind))
            ]
            wanted += [("", -1)] * (0 if mobile else len(scenario.rows))
            wanted += [("", n) for n, a in enumerate(scenario.arrivals) if a.side == "soviet"
                       for _ in range(getattr(a, kind))]  # fmt: skip
            starts |= {len(pieces) + number: at for number, (at, _) in enumerate(wanted) if at}
            least, most = min(movements), len(movements)
            pieces += [Piece(f"{letter}{number}", SOVIET, mobile, least, None, arrival, number > most)
                       for number, (_, arrival) in enumerate(wanted, 1)]  # fmt: skip
        return tuple(pieces), starts

    @cached_property
    def corps(self) -> dict[str, list[Slot]]:
        """The units of each panzer corps (12.1)."""
        members = {slot: piece.spec.corps for slot, piece in enumerate(self.roster) if piece.spec and piece.spec.corps}
        return {corps: [slot for slot, its in members.items() if its == corps] for corps in members.values()}

    @cached_property
    def rifles(self) -> list[Slot]:
        """Soviet divisions on foot whose strength is drawn."""
        return [slot for slot, piece in enumerate(self.roster) if piece.spec is None and not piece.mobile]

    @cached_property
    def raised(self) -> list[Slot]:
        """Those of them that are raised from eliminated ones."""
        return [slot for slot in self.rifles if self.roster[slot].recycled]

    @cached_property
    def drawn(self) -> dict[bool, list[int]]:
        """The printed Soviet counters that untried pieces on foot and armored ones turn out to be."""
        foot = [self.units[name].type == "infantry" for name in self.counters]
        return {mobile: [number for number, walks in enumerate(foot) if walks != mobile] for mobile in (False, True)}

    @cached_property
    def to_place(self) -> tuple[list[Slot], list[Slot]]:
        """Pieces each side sets up as it likes."""
        free = self.edition.scenario.free_german
        german = [self.slots[name] for name in free.units] if free else []
        soviet = [slot for slot, piece in enumerate(self.roster) if piece.side == SOVIET and piece.arrival < 0
                  and slot not in self.set_up_hexes]  # fmt: skip
        return german, soviet

    def rows(self, ground: Ground) -> list[HexMask]:
        """The hexrows in each of which a Soviet infantry unit starts."""
        return [ground.hexrow(f"{row:02}") for row in self.edition.scenario.rows]

    # Positions --------------------------------------------------------------------------------

    def ground(self, game_map: GameMap, options: LeningradOptions) -> Ground:
        """The ground for a map under the options, made once."""
        return self._ground(game_map, options.river_on_road)

    @few
    def _ground(self, game_map: GameMap, river_on_road: bool) -> Ground:
        return Ground(self.edition, game_map, river_on_road=river_on_road)

    def empty(self, game_map: GameMap, scenario: str, options: Mapping[str, Value]) -> LeningradPosition:
        """A position with no piece on the map and none to come."""
        pos = LeningradPosition.blank(self, game_map, scenario, LeningradOptions(options), Item(*self.steps[0]))
        pos.ground, pos.lore = self.ground(game_map, pos.options), Lore()
        pos.pieces = tuple(replace(piece, arrival=-1) for piece in self.roster)
        pos.hexes = [NOWHERE] * len(pos.pieces)
        pos.steps = bytearray([piece.spec.full_steps if piece.spec else 1 for piece in pos.pieces])
        pos.faces = [-1] * len(pos.pieces)
        pos.labels = [piece.name for piece in pos.pieces]
        pos.by_name = {name: slot for slot, name in enumerate(pos.labels)}
        pos.since = bytearray(len(pos.pieces))
        return pos

    def start(self, scenario: str | None = None, options: Mapping[str, Any] | None = None) -> LeningradPosition:
        """Set up for play; the sides then place what they place freely."""
        name, chosen = self.settled(scenario, options)
        pos = self.empty(self.map, name, chosen)
        pieces, starts = self.roster, self.set_up_hexes
        if not pos.options.recycle:
            pieces, starts = self._strictly()
        pos.pieces = pieces
        arrivals = self.edition.scenario.arrivals
        coming = [slot for slot, piece in enumerate(pieces) if piece.arrival >= 0]
        pos.reserve = tuple(sorted(coming, key=lambda slot: (arrivals[pieces[slot].arrival].turn, slot)))
        for slot, number in starts.items():
            pos.put(slot, pos.ground.grid.hex(number))
        if pos.options.bid == bidding.SECRET:
            pos.auction = Auction()
            pos.enter("bid", GERMAN)
        pos.events = ()
        return pos

    def _strictly(self) -> tuple[tuple[Piece, ...], dict[Slot, str]]:
        """The roster without counters used twice: fewer Soviets start, all others arrive as scheduled.

        Slots keep their numbers; those too many are left out of play.
        """
        scenario = self.edition.scenario
        pieces = [replace(piece, arrival=-1) if piece.spec is None else piece for piece in self.roster]
        starts = {slot: at for slot, at in self.set_up_hexes.items() if self.roster[slot].spec is not None}
        for mobile, kind in ((False, "infantry"), (True, "armor")):
            slots = [s for s, p in enumerate(self.roster) if p.spec is None and p.mobile == mobile and not p.recycled]
            rows = [s for s in self.to_place[SOVIET] if self.roster[s].mobile == mobile]
            free = [s for s in slots if s not in rows]
            for line in scenario.strict_soviet:
                for _ in range(getattr(line, kind)):
                    starts[free.pop(0)] = line.at
            for number, arrival in enumerate(scenario.arrivals):
                for _ in range(getattr(arrival, kind) if arrival.side == "soviet" else 0):
                    slot = free.pop(0)
                    pieces[slot] = replace(pieces[slot], arrival=number)
        return tuple(pieces), starts

    def position(self, document: Mapping[str, Any] | str) -> LeningradPosition:
        """The position of a document."""
        return documents.read(self, document_values(document, self.id)).begun()

    def counter_sheet(self) -> list[tuple[Counter, Counter | None]]:
        """The counters as they come in the box."""
        return display.counter_sheet(self.edition)

    def charts(self) -> list[Chart]:
        """The game's charts."""
        return charts.charts(self.edition)
