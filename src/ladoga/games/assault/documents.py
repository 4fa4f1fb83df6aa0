"""Position documents: any situation as plain values, and back to the same position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from ...hexes import Hex, HexMask, members
from ...kernel.data import Strict, shape
from ...kernel.documents import PRINTED, Head, Reader, exclude, keys, marked, plain, require, stranger
from ...kernel.errors import BadDocument
from ...kernel.position import CHANCE
from ...kernel.sequence import Item
from . import air, arrivals, combat, fleet, inset, supply
from .figures import GERMAN, SIDES, SOVIET, AssaultOptions, Unit, UnitSize, UnitSpec, UnitType, face
from .pending import (
    Advance,
    Availability,
    Bombing,
    Composition,
    Crowd,
    Draw,
    Fight,
    Marching,
    Pending,
    Roll,
    Shelter,
    Summons,
    Target,
    Transfers,
    Victim,
)
from .sequence import COMBAT_PHASES, MOVEMENT_PHASES, NAVAL_PHASES, STEPS
from .state import STATES, State
from .zones import TENFOLD, excess

if TYPE_CHECKING:
    from .game import AssaultGame
    from .position import AssaultPosition

AIR_PHASES = frozenset({"german-air-bombardment", "soviet-air-bombardment"})
UNCHECKED_PHASES = AIR_PHASES | {"german-supply", "soviet-supply", "soviet-set-up"}
"""Phases in which the supply check of the player-turn is still to come (4.0)."""
GERMAN_PHASES = frozenset(phase for phase in STEPS if phase.startswith("german"))

_MARKERS = {state: state for state in STATES if state != "out"}
"""States of a unit that a document says outright."""


class UnitEntry(Strict, rename={"class_": "class"}):
    """A unit of a document: a printed one by its id, or one made up for the position."""

    hex: str = ""
    steps: int | None = None
    eliminated: bool = False
    waiting: bool = False
    """Off the map, to come in as the schedule says."""
    supply: Literal["in", "out", ""] = ""
    """Status of the last check, where it differs from what the position would give."""
    drawn: str = ""
    """Entry area of a unit drawn from the cup."""
    disrupted: bool = False
    moved: bool = False
    retreated: bool = False
    attacked: bool = False
    transferred: bool = False
    withdrawn: bool = False
    returning: bool = False
    cup: bool = False
    side: Literal["german", "soviet", ""] = ""
    type: UnitType | Literal[""] = ""
    combat: int | None = None
    class_: Literal["A", "B", "C", ""] = ""
    faces: list[str] = []
    movement: int | None = None
    size: UnitSize = "division"
    corps: str = ""
    division: str = ""
    mechanized: bool = False


_FIGURES = ("side", "type", "combat", "class_", "faces", "movement", "size", "corps", "division", "mechanized")
_UNSAID = UnitEntry()
"""What is printed on a counter, and an entry that says nothing of it."""

_ONE_SIDED = {"hq": "german", "worker": "soviet", "guerrilla": "soviet", "naval": "soviet"}
"""Types of units that only one side has (3.2)."""

_MARKED_IN: Mapping[str, frozenset[str]] = {
    "moved": MOVEMENT_PHASES,
    "attacked": COMBAT_PHASES,
    "retreated": COMBAT_PHASES | {"german-mechanized-movement"},
    "transferred": GERMAN_PHASES | {"soviet-movement", "soviet-combat"},
}
"""Markers that are taken off when a phase ends, with the phases that know them."""

_SUPPORT_PHASES = frozenset(STEPS) - {
    "soviet-set-up", "german-mechanized-movement", "soviet-naval-cover", "game-over"
}  # fmt: skip
"""Phases through which air units wait for ground support (12.51)."""


class Document(Head, rename="kebab"):
    """A position document of an Assault game."""

    units: dict[str, UnitEntry] = {}
    air: int | None = None
    """Air units not yet used in a bombardment phase; left out, the turn decides."""
    bombs: list[Target] = []
    support: list[str] = []
    support_left: int = 0
    fought: list[str] = []
    sorties: list[str] = []
    fire: str = ""
    marching: str = ""
    spent: int = 0
    """Sixths of a point the marching unit has spent."""
    german_held: list[str] | None = None
    captured: list[str] | None = None
    forfeited: list[str] = []
    markers: list[str] | None = None
    pending: Pending | None = None
    dice: list[int | str] = []


WORDS = {
    "document keys": keys(Document), "unit keys": keys(UnitEntry),
    "pending": [
        f"{matter.__struct_config__.tag} ({', '.join(keys(matter)) or 'nothing else'})" for matter in get_args(Pending)
    ],
}  # fmt: skip


def read(game: AssaultGame, raw: Any) -> AssaultPosition:
    """The position a document describes; errors name the path of the bad value."""
    return _Reader(game, shape(raw, Document, error=BadDocument)).position()


class _Reader(Reader):
    """Builds a position from a document, refusing what cannot be."""

    def __init__(self, game: AssaultGame, doc: Document) -> None:
        self.game, self.doc = game, doc
        self.scenario, options = game.settled_in_document(doc.scenario, doc.options)
        self.options = AssaultOptions(options)
        doc.check_moment(game.turns, STEPS)
        exclude(
            doc.phase in NAVAL_PHASES and not game.map.places.get("fleet"), f"there is no fleet in {game.id}", "phase"
        )
        self.map = game.map.changed(doc.map, error=BadDocument)
        self.ground, self.grid = game.ground(self.map), self.map.grid
        for number, words in doc.map.places.items():
            joined = next((word for word in words if word.startswith("fringe-")), "")
            exclude(joined and self.ground.main >> self.ground.grid.hex(number) & 1,
                    f"{joined} is for hexes of the inset", f"map.places.{number}")  # fmt: skip

    def position(self) -> AssaultPosition:
        doc = self.doc
        roster = tuple(self.counter(unit_id, entry) for unit_id, entry in doc.units.items())
        for second in [unit.id for unit in roster if unit.is_naval][1:]:
            raise BadDocument("there is one fleet", path=f"units.{second}")
        pos = self.game.blank(self.map, self.ground, roster, self.scenario, self.options)
        pos.turn, pos.agenda = doc.turn, (Item(*STEPS[doc.phase]),) if doc.phase != "game-over" else ()
        for unit_id, entry in doc.units.items():
            self.put(pos, unit_id, entry)
        self.stacks(pos)
        self.state(pos)
        self.begin(pos)
        self.supplies(pos)
        self.marching(pos)
        check_pending(pos, doc.pending or pos.pending)
        pos.dice = tuple(map(str, doc.dice))
        return pos

    # Units ----------------------------------------------------------------------------------------

    def counter(self, unit_id: str, entry: UnitEntry) -> Unit:
        if unit_id in self.game.printed:
            for name in _FIGURES:
                require(getattr(entry, name) == getattr(_UNSAID, name), PRINTED, f"units.{unit_id}")
            return self.game.printed[unit_id]
        return self.made_up(unit_id, entry)

    def made_up(self, unit_id: str, entry: UnitEntry) -> Unit:
        path = f"units.{unit_id}"
        if not entry.side or not entry.type:
            raise BadDocument(stranger("side and type"), path=path)
        whose = _ONE_SIDED.get(entry.type, entry.side)
        told = f"only the {whose.capitalize()} side has units of the type {entry.type!r}"
        require(entry.side == whose, told, f"{path}.type")
        self.check_name(unit_id, path)
        faces = entry.faces
        exclude(faces and (entry.combat is not None or entry.class_),
                "a made-up unit has combat and class, or faces, not both", path)  # fmt: skip
        if not faces and entry.type == "hq":
            faces = ["0-C"]
        if not faces and entry.type != "naval":
            exclude(entry.combat is None or not entry.class_, "a made-up unit needs combat and class, or faces", path)
            faces = [f"{entry.combat}-{entry.class_}"]
        for number, text in enumerate(faces):
            try:
                face(text)
            except ValueError as problem:
                raise BadDocument(str(problem), path=f"{path}.faces[{number}]") from None
        if entry.movement is None or entry.movement < 0:
            raise BadDocument("a made-up unit needs movement", path=f"{path}.movement")
        spec = UnitSpec(
            side=entry.side, type=entry.type, faces=faces, movement=entry.movement, from_="judged",
            size="hq" if entry.type == "hq" else entry.size, corps=entry.corps, division=entry.division,
            mechanized=entry.mechanized, why="made up for a position",
        )  # fmt: skip
        return Unit(unit_id, spec)

    def put(self, pos: State, unit_id: str, entry: UnitEntry) -> None:
        index, path = pos.index[unit_id], f"units.{unit_id}"
        unit = pos.roster[index]
        exclude(entry.eliminated and (entry.hex or entry.steps), "an eliminated unit has no hex and no steps", path)
        steps = 0 if entry.eliminated else unit.full_steps if entry.steps is None else entry.steps
        exclude(not entry.eliminated and not 1 <= steps <= unit.full_steps,
                f"{unit_id} has 1 to {unit.full_steps} steps", f"{path}.steps")  # fmt: skip
        pos.count_steps(index, steps)
        self.mark(pos, index, entry, _MARKERS)
        self.markers(pos, unit, entry, path)
        if entry.drawn:
            places = self.game.map.places
            areas = ", ".join(sorted(place for place in places if place.startswith("entry-")))
            require(places.get(entry.drawn) and entry.drawn.startswith("entry-"),
                    f"there is no entry area {entry.drawn!r}; areas: {areas}", f"{path}.drawn")  # fmt: skip
            pos.drawn[unit_id] = entry.drawn
        exclude(entry.returning and not unit.is_hq, "only a headquarters comes back", f"{path}.returning")
        for name in ("waiting", "withdrawn", "returning", "cup", "drawn"):
            exclude(entry.hex and getattr(entry, name), "a unit with a hex is on the map already", f"{path}.{name}")
        if not entry.hex:
            require(entry.eliminated or entry.waiting or entry.withdrawn or entry.cup or entry.drawn or entry.returning,
                    "a unit has a hex, or is waiting, eliminated, withdrawn or in the cup", path)  # fmt: skip
            return
        h = self.hex(f"{path}.hex", entry.hex)
        if unit.is_naval:
            require(self.ground.fleet >> h & 1, "the fleet is in one of its own hexes", f"{path}.hex")
            pos.where[index] = h
            return
        exclude(not self.ground.land >> h & 1 or (unit.side == GERMAN and self.ground.capital >> h & 1),
                f"{unit_id} may not be in {entry.hex}", f"{path}.hex")  # fmt: skip
        pos.put(index, h)

    def markers(self, pos: State, unit: Unit, entry: UnitEntry, path: str) -> None:
        """Refuse markers that a unit cannot bear, or not in this phase."""
        for name, phases in _MARKED_IN.items():
            exclude(getattr(entry, name) and pos.phase.id not in phases,
                    f"no unit is {name} in the phase {pos.phase.id}", f"{path}.{name}")  # fmt: skip
        for name in ("moved", "attacked"):
            exclude(getattr(entry, name) and unit.side != pos.side, "only units of the phasing side move and attack",
                    f"{path}.{name}")  # fmt: skip
        for name in ("transferred", "cup", "drawn"):
            exclude(getattr(entry, name) and (unit.side == GERMAN or unit.is_naval), "that is for Soviet ground units",
                    f"{path}.{name}")  # fmt: skip
        exclude(entry.withdrawn and unit.side != GERMAN, "only German units are withdrawn", f"{path}.withdrawn")
        for name in ("cup", "drawn"):
            exclude(getattr(entry, name) and not self.game.scenario.cup, f"there is no cup in {self.game.id}",
                    f"{path}.{name}")  # fmt: skip

    def stacks(self, pos: State) -> None:
        """Enemies never share a hex, and too many friends only in the city (7.0, 8.26)."""
        summoned = isinstance(self.doc.pending, Summons)  # the very moment when the city is manned (8.33)
        for h, stack in pos.stacks.items():
            units = [pos.roster[index] for index in stack]
            where = f"units.{units[-1].id}.hex"
            exclude(len({unit.side for unit in units}) > 1, f"enemy units share {self.ground.number(h)}", where)
            exclude(
                not self.ground.capital >> h & 1 and excess(units), f"too many units in {self.ground.number(h)}", where
            )
            exclude(max(Counter(unit.kind for unit in units).values()) > TENFOLD,
                    f"more than {TENFOLD} units of a kind in {self.ground.number(h)}", where)  # fmt: skip
            exclude(self.ground.capital >> h & 1 and pos.germans_on_inset and not summoned,
                    "with Germans on the inset nobody is in the city hexes of the main map", where)  # fmt: skip

        for capital, district in self.ground.district_of.items():
            self.whole_city(pos, capital, district)

    def whole_city(self, pos: State, capital: Hex, district: HexMask) -> None:
        """A city hex of the main map in use and its district together hold ten times the limit at most (8.26)."""
        if capital not in pos.stacks:
            return
        units = [pos.roster[i] for h in (capital, *members(district)) for i in pos.stacks.get(h, ())]
        kinds = Counter(unit.kind for unit in units)
        for unit in reversed(units):
            if unit.side != GERMAN and kinds[unit.kind] > TENFOLD:
                where = f"{self.ground.number(capital)} and its district"
                raise BadDocument(f"more than {TENFOLD} units of a kind in {where}", path=f"units.{unit.id}.hex")

    # State ----------------------------------------------------------------------------------------

    def state(self, pos: State) -> None:
        doc = self.doc
        self.air_units(pos)
        pos.air, pos.support_left = doc.air or 0, doc.support_left
        pos.bombs = tuple(doc.bombs)
        self.hexes("bombs", [target.hex for target in doc.bombs])
        exclude(
            doc.bombs and doc.phase not in AIR_PHASES, "air units lie on targets only in a bombardment phase", "bombs"
        )
        _check_targets(pos, "bombs", pos.bombs)
        pos.support = self.hexes("support", doc.support)
        pos.fought = self.hexes("fought", doc.fought)
        exclude(pos.fought and doc.phase not in COMBAT_PHASES, "hexes are attacked only in a combat phase", "fought")
        if isinstance(doc.pending, Roll | Fight | Advance):
            pos.fought |= self.hexes("pending.hexes", list(doc.pending.hexes))
        for place, number in enumerate(doc.support):
            require((pos.lays[1 - pos.side].occupied | pos.fought) >> self.ground.grid.hex(number) & 1,
                    f"there is no enemy unit in {number}", f"support[{place}]")  # fmt: skip
        self.sorties(pos)
        self.fire(pos)
        standing = pos.lays[GERMAN].occupied & self.game.watched(self.ground)
        pos.german_held = standing if doc.german_held is None else self.hexes("german-held", doc.german_held)
        pos.captured = pos.german_held if doc.captured is None else self.hexes("captured", doc.captured)
        pos.forfeited = self.hexes("forfeited", doc.forfeited)
        if doc.markers is not None:
            pos.extra_markers = self.hexes("markers", doc.markers)
        elif self.options.extra_points:
            pos.extra_markers = self.game.extra_hexes(self.ground) & ~pos.lays[GERMAN].occupied
        self.pending(pos)
        if doc.air is None and doc.phase in AIR_PHASES and doc.pending is None and not pos.bombs:
            _begin(pos, air.begin)

    def begin(self, pos: State) -> None:
        """What the beginning of a movement phase has brought, or brings if nobody has moved (11.36, 16.22; 19.72)."""
        fresh = not pos.moved and self.doc.pending is None
        if self.doc.phase == "german-movement":
            arrivals.return_headquarters(pos)
            if fresh:
                arrivals.withdraw(pos)
        elif self.doc.phase == "soviet-movement" and fresh and not pos.drawn:
            _begin(pos, arrivals.begin_draws)
        pos.events = ()

    def air_units(self, pos: State) -> None:
        """No more air units than the side ever has, and only while they are of use (12.2, 12.31, 12.51)."""
        doc = self.doc
        force = self.game.tables.air[SIDES[pos.side]]
        most = max([*force.fixed.values(), *(n for dice in force.dice for n in dice.units), 0])
        placed = len(doc.bombs) + len(doc.support)
        for path, number, phases in (
            ("air", doc.air or 0, AIR_PHASES),
            ("support-left", doc.support_left, _SUPPORT_PHASES),
            ("support", len(doc.support), COMBAT_PHASES),
        ):
            exclude(number < 0 or (number if path == "support" else number + placed) > most,
                    f"the {SIDES[pos.side]} side has 0 to {most} air units", path)  # fmt: skip
            exclude(number and doc.phase not in phases, f"no air unit waits for that in the phase {doc.phase}", path)

    def sorties(self, pos: State) -> None:
        """Kinds of Soviet units that have attacked out of city hexes (8.45)."""
        kinds = {unit.kind for unit in pos.roster if unit.side != GERMAN and not unit.is_naval}
        for place, text in enumerate(self.doc.sorties):
            number, _, kind = text.partition(" ")
            exclude(number not in self.ground.grid or not self.ground.capital >> self.ground.grid.hex(number) & 1,
                    f"{number!r} is not a city hex of the main map", f"sorties[{place}]")  # fmt: skip
            require(kind in kinds, f"there is no unit of the kind {kind!r}", f"sorties[{place}]")
            require(
                self.doc.phase == "soviet-combat", "units attack out of the city in Soviet combat", f"sorties[{place}]"
            )
        pos.sorties = tuple(self.doc.sorties)

    def fire(self, pos: State) -> None:
        """The firepower marker lies within reach of a fleet that can fire (13.3, 13.7, 13.10)."""
        if not self.doc.fire:
            return
        h = self.hex("fire", self.doc.fire)
        require(self.doc.phase in GERMAN_PHASES | NAVAL_PHASES | {"soviet-combat", "game-over"},
                f"the marker is off the map in the phase {self.doc.phase}", "fire")  # fmt: skip
        refusal = fleet.why_silent(pos)
        exclude(refusal is not None, refusal.message if refusal else "", "fire")
        require(fleet.in_range(pos) >> h & 1,
                "the marker lies on the main map, outside the city, in range of the fleet", "fire")  # fmt: skip
        pos.fire_on = h

    def marching(self, pos: State) -> None:
        """A German unit whose move the summons has interrupted (8.33)."""
        doc = self.doc
        index = pos.index.get(doc.marching, -1)
        if doc.marching:
            require(doc.phase in ("german-movement", "german-mechanized-movement"),
                    "a unit is on the march only in a German movement phase", "marching")  # fmt: skip
            exclude(index < 0 or pos.roster[index].side != GERMAN or pos.where[index] < 0,
                    f"there is no German unit {doc.marching!r} on the map", "marching")  # fmt: skip
        require(0 <= doc.spent < (pos.roster[index].movement if doc.marching else 1),
                "more than the marching unit can have spent, or less than nothing", "spent")  # fmt: skip
        if doc.marching:
            *above, phase = pos.agenda
            pos.agenda = (*above, phase._replace(matter=Marching(index, doc.spent)))

    def pending(self, pos: State) -> None:
        pending = self.doc.pending
        if pending is None:
            return
        for name in ("units", "attackers", "defenders", "retreating", "followers"):
            for unit_id in getattr(pending, name, ()):
                require(unit_id in pos.index, f"there is no unit {unit_id!r}", f"pending.{name}")
        self.hexes("pending.hexes", list(getattr(pending, "hexes", ())))
        if isinstance(pending, Victim | Crowd):
            self.hex("pending.hex", pending.hex)
        if isinstance(pending, Bombing):
            self.hexes("pending.targets", [target.hex for target in pending.targets])
        if pos.agenda:
            awaited = _AWAITED[type(pending)]
            if awaited.then:
                pos.interrupt(awaited.then, pos.side)
            pos.interrupt(awaited.at, _mover(pos, pending), pending)

    def supplies(self, pos: State) -> None:
        """What the document says the last check found (11.12); else what this player-turn's check would have found.

        Where that check is still to come, a unit of which nothing is said has no marker (11.24).
        """
        open_lines = supply.lines(pos)
        for unit_id, entry in self.doc.units.items():
            index = pos.index[unit_id]
            if pos.where[index] < 0:
                exclude(entry.supply and not entry.hex, "only a unit on the map has a supply status",
                        f"units.{unit_id}.supply")  # fmt: skip
                continue
            out = _usually_out(pos, index, open_lines)
            if entry.supply:
                out = entry.supply == "out"
            exclude(out and (pos.roster[index].is_guerrilla or pos.roster[index].is_naval),
                    f"{unit_id} is always in supply", f"units.{unit_id}.supply")  # fmt: skip
            pos.mark_out(index, out)


def _begin(pos: State, begin: Callable[[State], None]) -> None:
    """Begin a phase, which waits at its first die or draw if it has one."""
    pos.interrupt("choice", pos.side)
    begin(pos)
    if pos.agenda[0].at == "choice":
        pos.done()


def _mover(pos: State, pending: Pending) -> int:
    """Whose a matter in hand is."""
    if isinstance(pending, Shelter | Summons | Transfers):
        return SOVIET
    side = getattr(pending, "side", "")
    return SIDES.index(side) if side in SIDES else pos.side


def _usually_out(pos: State, index: int, open_lines: supply.Lines) -> bool:
    """Whether a unit bears the marker if a document does not say it."""
    return pos.phase.id not in UNCHECKED_PHASES and not supply.in_supply(pos, index, open_lines)


# What the position waits for ----------------------------------------------------------------------


def check_pending(pos: State, pending: Pending | None) -> None:
    """Refuse a pending decision or die that the position cannot have come to."""
    if pending is None:
        return
    awaited = _AWAITED[type(pending)]
    require(pos.phase.id in awaited.phases, f"this is not decided in the phase {pos.phase.id}", "pending.for")
    exclude(isinstance(pending, Composition | Advance | Crowd) and pending.side != pos.phase.side,
            "that is the business of the phasing side", "pending.side")  # fmt: skip
    if isinstance(pending, Bombing | Victim | Shelter):
        _check_targets(pos, "pending.targets", pending.targets)
    exclude(awaited.cannot_be(pos, pending), "the position cannot wait for this", "pending")
    exclude(pos.to_move != CHANCE and next(iter(pos._orders()), None) is None, "no order would answer this", "pending")


def _at_sea(pos: State) -> bool:
    """Whether the fleet has been hit and may run for the harbour (13.11)."""
    index = pos.fleet_index
    return index is not None and pos.where[index] >= 0 and pos.is_disrupted(index) and bool(pos.ground.harbour)


def _check_targets(pos: State, path: str, targets: tuple[Target, ...]) -> None:
    open_to_bombs = set(air.targets(pos)) if targets else set()
    for place, target in enumerate(targets):
        what = "the fleet is not" if target.fleet else "there is no enemy unit"
        require(target in open_to_bombs, f"{what} in {target.hex}", f"{path}[{place}]")


def _check_side(pos: State, name: str, units: tuple[str, ...], side: int) -> None:
    for place, unit_id in enumerate(units):
        require(pos.roster[pos.index[unit_id]].side == side, f"{unit_id} is a unit of the other side",
                f"pending.{name}[{place}]")  # fmt: skip


def _check_attack(pos: State, attack: Composition | Roll) -> None:
    hexes = tuple(map(pos.ground.grid.hex, attack.hexes))
    require(hexes, "an attack is made on a hex", "pending.hexes")
    enemy = pos.lays[1 - pos.side].occupied
    for place, h in enumerate(hexes):
        exclude(not enemy >> h & 1 or h in hexes[:place], "an attack is made on enemy units", f"pending.hexes[{place}]")
    _check_side(pos, "units", attack.units, pos.side)
    for place, unit_id in enumerate(attack.units):
        spot = pos.where[pos.index[unit_id]]
        near = spot >= 0 and all(pos.ground.attacked_from[h] >> spot & 1 for h in hexes)
        exclude(not near or unit_id in attack.units[:place] or pos.roster[pos.index[unit_id]].is_hq,
                f"{unit_id} cannot attack there", f"pending.units[{place}]")  # fmt: skip


def _check_roll(pos: State, roll: Roll) -> None:
    _check_attack(pos, roll)
    hexes, units = tuple(map(pos.ground.grid.hex, roll.hexes)), [pos.index[unit_id] for unit_id in roll.units]
    exclude(not units or not 0 <= combat.battle(pos, hexes, units).column < len(pos.game.columns),
            "no die is rolled for this attack", "pending")  # fmt: skip


def _check_fight(pos: State, fight: Fight) -> None:
    require(fight.side in SIDES, f"there is no side {fight.side!r}", "pending.side")
    exclude(fight.due < 0 or fight.then < 0 or not fight.hexes, "a combat has hexes, and no fewer than no penalties",
            "pending")  # fmt: skip
    _check_side(pos, "attackers", fight.attackers, pos.side)
    _check_side(pos, "defenders", fight.defenders, 1 - pos.side)
    attacking = fight.side == pos.phase.side
    own = [u for u in (fight.attackers if attacking else fight.defenders) if pos.where[pos.index[u]] >= 0]
    exclude(not own and not fight.followers, "nobody is left to take the penalty", "pending")
    exclude(not fight.due and not fight.retreating and not fight.followers, "no penalty is due", "pending.due")
    for place, unit_id in enumerate(fight.retreating):
        require(unit_id in own, f"{unit_id} took no part in the combat", f"pending.retreating[{place}]")
    _check_side(pos, "followers", fight.followers, pos.side)
    for place, unit_id in enumerate(fight.followers):
        index = pos.index[unit_id]
        exclude(not attacking or not pos.roster[index].is_hq or pos.where[index] < 0,
                f"{unit_id} is no headquarters that goes along", f"pending.followers[{place}]")  # fmt: skip


def _check_advance(pos: State, offer: Advance) -> None:
    _check_side(pos, "units", offer.units, pos.side)
    for place, unit_id in enumerate(offer.units):
        exclude(pos.where[pos.index[unit_id]] < 0, f"{unit_id} is not on the map", f"pending.units[{place}]")
    for place, number in enumerate(offer.hexes):
        exclude(pos.lays[1 - pos.side].occupied >> pos.ground.grid.hex(number) & 1,
                "units advance into hexes without enemy units", f"pending.hexes[{place}]")  # fmt: skip


class _Awaited(NamedTuple):
    """How a matter comes to be in hand."""

    at: str
    """Its moment."""
    then: str
    """What comes by itself after it."""
    phases: frozenset[str]
    cannot_be: Callable[[State, Any], object] = lambda _, __: False
    """Whether the position cannot have come to it; what is wrong inside of it is refused with its path."""


_GERMAN_BOMBS, _GERMAN_MOVES = (
    frozenset({"german-air-bombardment"}), frozenset({"german-movement", "german-mechanized-movement"})
)  # fmt: skip
_AWAITED: Mapping[type[Pending], _Awaited] = {
    Availability: _Awaited("availability", "choice", AIR_PHASES, lambda pos, _: not any(
        dice.turns[0] <= pos.turn <= dice.turns[1] for dice in pos.ground.tables.air[SIDES[pos.side]].dice)),
    Bombing: _Awaited("bombing", "phase over", AIR_PHASES,
                      lambda _, now: exclude(not now.targets, "there is no target", "pending.targets")),
    Victim: _Awaited("victim", "phase over", _GERMAN_BOMBS),
    Shelter: _Awaited("shelter", "phase over", _GERMAN_BOMBS, lambda pos, _: not _at_sea(pos)),
    Summons: _Awaited("summons", "", _GERMAN_MOVES, lambda pos, _: not pos.germans_on_inset),
    Transfers: _Awaited("transfers", "phase begins", GERMAN_PHASES,
                        lambda pos, _: not inset.each_phase(pos) or pos.germans_on_inset),
    Composition: _Awaited("compose", "", COMBAT_PHASES, _check_attack),
    Roll: _Awaited("roll", "", COMBAT_PHASES, _check_roll),
    Fight: _Awaited("penalty", "", COMBAT_PHASES, _check_fight),
    Advance: _Awaited("advance", "", COMBAT_PHASES, _check_advance),
    Crowd: _Awaited("crowd", "fringe", frozenset({"german-mechanized-movement", "soviet-combat"}),
                    lambda pos, now: not pos.ground.fringe_main >> pos.ground.grid.hex(now.hex) & 1),
    Draw: _Awaited("draw", "choice", frozenset({"soviet-movement"}), lambda pos, now: exclude(
        now.left < 1 or not pos.game.map.places.get(now.area) or not arrivals.in_cup(pos),
        "there is nothing to draw", "pending")),
}  # fmt: skip


# Writing ------------------------------------------------------------------------------------------


def document(pos: State) -> dict[str, Any]:
    """A position as plain values."""
    ground, marching, lines = pos.ground, pos.marching, supply.lines(pos)
    doc: dict[str, Any] = {
        "game": pos.game.id,
        "scenario": pos.scenario,
        "turn": pos.turn,
        "phase": pos.phase.id,
        "options": {k: v for k, v in pos.options.items() if v != pos.game.options[k].default},
        "map": plain(pos.map.change),
        "units": {unit.id: _entry(pos, index, unit, lines) for index, unit in enumerate(pos.roster)},
        "bombs": plain(pos.bombs),
        "support": ground.numbers(pos.support),
        "support-left": pos.support_left,
        "fought": ground.numbers(pos.fought),
        "sorties": list(pos.sorties),
        "fire": ground.number(pos.fire_on) if pos.fire_on >= 0 else "",
        "marching": pos.roster[marching.unit].id if marching is not None else "",
        "spent": marching.spent if marching is not None else 0,
        "forfeited": ground.numbers(pos.forfeited),
        "dice": list(pos.dice),
    }
    doc = {key: value for key, value in doc.items() if value not in ("", 0, [], {}) or key in ("turn", "units")}
    if pos.air or pos.phase.id in AIR_PHASES:
        doc["air"] = pos.air
    doc["german-held"] = ground.numbers(pos.german_held)
    doc["captured"] = ground.numbers(pos.captured)
    if pos.options.extra_points:
        doc["markers"] = ground.numbers(pos.extra_markers)
    if pos.pending is not None:
        doc["pending"] = plain(pos.pending)
    return doc


def _entry(pos: State, index: int, unit: Unit, open_lines: supply.Lines) -> dict[str, Any]:
    entry: dict[str, Any] = {}
    if unit.id not in pos.game.printed:
        spec = unit.spec
        entry = {"side": spec.side, "type": spec.type, "faces": list(spec.faces), "movement": spec.movement}
        entry |= {key: getattr(spec, key) for key in ("corps", "division", "mechanized") if getattr(spec, key)}
        if spec.size != "division":
            entry["size"] = spec.size
    entry |= dict.fromkeys(marked(pos, index, _MARKERS), True)
    if unit.id in pos.drawn:
        entry["drawn"] = pos.drawn[unit.id]
    if pos.where[index] >= 0:
        entry["hex"] = pos.ground.number(pos.where[index])
        out = pos.is_out(index)
        if out != _usually_out(pos, index, open_lines):
            entry["supply"] = "out" if out else "in"
    elif not pos.steps[index]:
        entry["eliminated"] = True
    elif not entry.keys() & {"withdrawn", "returning", "cup", "drawn"}:
        entry["waiting"] = True
    if pos.steps[index] and pos.steps[index] != unit.full_steps:
        entry["steps"] = pos.steps[index]
    return entry
