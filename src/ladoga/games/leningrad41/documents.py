"""Position documents: every fact of a position in plain words, read back to the same position."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from ...hexes import Hex, HexMask, members
from ...kernel.data import Strict, document_values, shape
from ...kernel.documents import PRINTED, Head, Reader, check_name, check_phase, check_turn, plain, stranger
from ...kernel.errors import BadDocument, BadOrder
from ...kernel.position import Refusal
from .counters import (
    GERMAN,
    GROUND_TYPES,
    IMPLIED,
    OTHER_TYPES,
    SOVIET,
    TRAITS,
    UNLIMITED,
    Roster,
    Unit,
    UnitEntry,
    unit,
)
from .fire import joined, target_of
from .ground import Hexside, hexside
from .movement import allowance
from .pontoons import stand_all
from .state import (
    BEHIND,
    DEAD,
    G_AIR,
    G_ARRIVE,
    G_FIRE,
    G_MOVE,
    GONE,
    HAND,
    NOBODY,
    PHASE_IDS,
    PLACES,
    POOL,
    READY,
    S_ARRIVE,
    S_FIRE,
    S_MOVE,
    SECRET,
    TIERS,
    TO_COME,
    UNDRAWN,
    UNKNOWN,
    WAITING,
    Attack,
    FireKind,
    Moving,
    State,
    Step,
)
from .victory import CASES

if TYPE_CHECKING:
    from .game import CityGame
    from .position import CityPosition

PLACE_NAMES = {number: name for name, number in PLACES.items()}
MODES = ("foot", "motorized", "gunboat", "rail", "sail")


_USUAL_COMMANDS = {
    ("german", False): "56",
    ("german", True): "LW",
    ("soviet", False): "42",
    ("soviet", True): "LFR",
}
"""The sub-command of a made-up unit that names none, by side and whether it is an air marker (2.6, 12.4)."""


class UnitDoc(Strict, rename={"is_": "is"}):
    """A unit (or a back) in a document; the last lines make up a unit of its own."""

    hex: str = ""
    at: str = ""
    is_: str = ""
    face: Literal["up", "down"] = "up"
    side: Literal["german", "soviet", ""] = ""
    command: str = ""
    type: str = ""
    size: str = ""
    fire: int = 0
    range: int | Literal["U", ""] = ""
    radius: int = 0
    traits: str = ""


class StepDoc(Strict):
    """A pending step."""

    kind: str
    unit: str = ""
    hex: str = ""
    number: int = 0
    path: list[str] = []
    words: list[str] = []


class MovingDoc(Strict):
    """The unit in the middle of its move."""

    unit: str
    mode: str
    left: int


class AttackDoc(Strict):
    """A fire being composed or resolved."""

    kind: FireKind
    target: str
    beyond: str = ""
    units: list[str] = []
    assault: bool = False
    fanatic: bool = False


class PositionDoc(Head, rename="kebab"):
    """A position document."""

    phase: str = "german-movement"
    units: dict[str, UnitDoc] = {}
    control: list[str] = []
    rubble: list[str] = []
    demolished: list[str] = []
    pontoons: dict[str, str] = {}
    moved: list[str] = []
    fired: list[str] = []
    attacked: list[str] = []
    moving: MovingDoc | None = None
    command: str = ""
    finished: list[str] = []
    bridging: list[str] = []
    turned: list[str] = []
    sailed: bool = False
    attack: AttackDoc | None = None
    pending: list[StepDoc] = []
    begun: bool = False
    replacements: int = 0
    placed: list[str] = []
    arrivals: list[str] = []
    entered: list[str] = []
    dropped: list[str] = []
    fleet_returns: int = 0
    flieger_arrives: int = 0
    defensive_states: bool = False
    shown: list[str] = []
    result: str = ""
    fog: bool = False
    dice: list[str | int] = []


# Writing ----------------------------------------------------------------------------------------------


def usual_place(game: CityGame, counter: Unit) -> int:
    """Where a unit is if a document does not say."""
    if counter.back or counter.made_up:
        return GONE
    if counter.side == GERMAN:
        return TO_COME
    set_up = game.set_up
    return GONE if counter.id in (*set_up.fixed, *set_up.off_map, *set_up.set_aside) else UNDRAWN


def document(pos: State) -> dict[str, Any]:
    """The position in plain values; what is usual is left out."""
    names = [u.id for u in pos.roster.units]

    def hexes(mask: HexMask) -> list[str]:
        return sorted(pos.number(h) for h in members(mask))

    def pieces(mask: int) -> list[str]:
        return [names[p] for p in members(mask)]

    def commands(mask: int) -> list[str]:
        return [pos.roster.commands[c] for c in members(mask)]

    held = pos.occupied[GERMAN]
    doc: dict[str, Any] = {
        "game": pos.game.id,
        "scenario": pos.scenario,
        "turn": pos.turn,
        "phase": pos.phase.id,
        "options": dict(pos.options),
        "map": plain(pos.map.change),
        "units": _units(pos),
        "control": hexes(pos.control & ~held),
        "rubble": hexes(pos.rubble),
        "demolished": sorted("/".join(sorted(map(pos.number, edge))) for edge in pos.broken),
        "pontoons": {names[p]: pos.number(h) for p, h in pos.pontoons},
        "moved": pieces(pos.moved),
        "fired": pieces(pos.fired),
        "attacked": hexes(pos.attacked),
        "moving": plain(_moving(pos, pos.moving)) if pos.moving is not None else None,
        "command": pos.roster.commands[pos.active] if pos.active >= 0 else "",
        "finished": commands(pos.finished),
        "bridging": pieces(pos.bridging),
        "turned": pieces(pos.turned),
        "sailed": pos.sailed,
        "attack": plain(_attack(pos, pos.attack)) if pos.attack is not None else None,
        "pending": plain([_step(pos, step) for step in pos.pending]),
        "begun": pos.phase_number in (G_ARRIVE, S_ARRIVE),
        "replacements": pos.replacements,
        "placed": hexes(pos.placed),
        "arrivals": pieces(pos.arrivals),
        "entered": commands(pos.entered),
        "dropped": pieces(pos.dropped),
        "fleet-returns": pos.fleet_back,
        "flieger-arrives": pos.flieger_due,
        "defensive-states": pos.states,
        "shown": pieces(pos.shown),
        "result": pos.result,
        "fog": pos.masked,
        "dice": list(pos.dice),
    }
    always = ("game", "scenario", "turn", "phase", "options", "units")
    return {key: value for key, value in doc.items() if value or key in always}


def _units(pos: State) -> dict[str, Any]:
    doc: dict[str, Any] = {}
    start = pos.roster.backs.start
    for piece, counter in enumerate(pos.roster.units):
        place = pos.where[piece]
        entry: dict[str, Any] = {}
        if counter.made_up:
            entry = plain(_made_up(counter))
        if place == BEHIND:
            if counter.made_up:
                entry["at"] = "behind"
                doc[counter.id] = entry
            continue
        if place >= 0:
            entry["hex"] = pos.number(place)
        elif place != usual_place(pos.game, counter):
            entry["at"] = PLACE_NAMES[place]
        if counter.back and place != GONE:
            unit_behind = pos.behind[piece - start]
            if unit_behind == SECRET:
                entry["is"] = "?"
            elif unit_behind >= 0:
                entry["is"] = pos.unit(unit_behind).id
        if entry:
            doc[counter.id] = entry
    return doc


def _made_up(counter: Unit) -> UnitDoc:
    return UnitDoc(
        side="german" if counter.side == GERMAN else "soviet",
        command=counter.command,
        type=counter.type,
        size=counter.size,
        fire=counter.fire,
        range="U" if counter.range >= UNLIMITED else counter.range,
        radius=counter.radius,
        traits=" ".join(sorted(counter.traits)),
    )


def _moving(pos: State, moving: Moving) -> MovingDoc:
    return MovingDoc(pos.unit(moving.piece).id, moving.mode, moving.left)


def _attack(pos: State, attack: Attack) -> AttackDoc:
    beyond = pos.number(attack.beyond) if attack.beyond >= 0 else ""
    units = [pos.unit(p).id for p in attack.units]
    return AttackDoc(attack.kind, pos.number(attack.target), beyond, units, attack.assault, attack.fanatic)


def _step(pos: State, step: Step) -> StepDoc:
    unit = pos.unit(step.piece).id if step.piece >= 0 else ""
    here = pos.number(step.hex) if step.hex >= 0 else ""
    return StepDoc(step.kind, unit, here, step.number, [pos.number(h) for h in step.path], list(step.words))


# Reading ----------------------------------------------------------------------------------------------


def read(game: CityGame, document: Mapping[str, Any] | str) -> CityPosition:
    """The position a document describes; ``BadDocument`` names what is wrong with it."""
    doc = shape(document_values(document, game.id), PositionDoc, error=BadDocument)
    return _Reader(game, doc).position()


class _Reader(Reader):
    """Turns one document into a position, or says why not."""

    def __init__(self, game: CityGame, doc: PositionDoc) -> None:
        self.game = game
        self.doc = doc
        self.scenario, self.options = game.settled_in_document(doc.scenario, doc.options)
        check_turn(doc.turn, game.turns)
        check_phase(doc.phase, PHASE_IDS)
        self.map = game.map.changed(doc.map, error=BadDocument)
        self.grid = self.map.grid
        self.roster = self._roster()

    def _roster(self) -> Roster:
        extra: list[Unit] = []
        for name, entry in self.doc.units.items():
            path = f"units.{name}"
            if name in self.game.roster.index:
                own = (entry.side, entry.command, entry.type, entry.size, entry.fire, entry.range, entry.radius)
                if any(value not in ("", 0) for value in own) or entry.traits:
                    raise BadDocument(PRINTED, path=path)
                continue
            if not entry.side or not entry.type:
                raise BadDocument(stranger("side, type and figures"), path=path)
            check_name(name, path)
            if entry.type not in {**GROUND_TYPES, **OTHER_TYPES}:
                raise BadDocument(f"unknown type {entry.type!r}", path=f"{path}.type")
            strange = {*entry.traits.split()} - TRAITS
            if strange:
                raise BadDocument(f"unknown traits {', '.join(sorted(strange))}", path=f"{path}.traits")
            command = entry.command or _USUAL_COMMANDS[entry.side, entry.type == "air-strike"]
            group = self.game.roster.groups.get(command)
            if group is None or group.side != entry.side:
                raise BadDocument(f"{command!r} is no {entry.side} sub-command", path=f"{path}.command")
            reach = ("U" if entry.type in OTHER_TYPES else 1) if entry.range == "" else entry.range
            for key, value in (("fire", entry.fire), ("range", reach), ("radius", entry.radius)):
                if value != "U" and value < 0:
                    raise BadDocument("no figure is below 0", path=f"{path}.{key}")
            implied = (IMPLIED.get(entry.type, ""), IMPLIED.get(command, ""))
            traits = " ".join((entry.traits, *implied))
            figures = UnitEntry(entry.type, entry.size, entry.fire, reach, entry.radius, traits)
            extra.append(unit(name, entry.side, command, figures, made_up=True))
        return self.game.roster.with_units(extra) if extra else self.game.roster

    def piece(self, name: str, path: str) -> int:
        return self.known(path, name, self.roster.index)

    def pieces(self, names: Iterable[str], path: str) -> int:
        return self.all_known(path, names, self.roster.index)

    def commands(self, names: Iterable[str], path: str) -> int:
        numbers = {name: number for number, name in enumerate(self.roster.commands)}
        return self.all_known(path, names, numbers, "sub-command")

    def position(self) -> CityPosition:
        doc = self.doc
        pos = self.game.empty(self.map, self.roster, self.scenario, self.options)
        pos.turn = doc.turn
        pos.open_phase(PHASE_IDS[doc.phase])
        pos.states = doc.defensive_states
        for piece, counter in enumerate(self.roster.units):
            pos.where[piece] = usual_place(self.game, counter)
        self._place(pos)
        self._check_stacks(pos)
        soviet = 0
        for piece in pos.on_map(SOVIET):
            if pos.unit(piece).type != "gunboat":
                soviet |= 1 << pos.where[piece]
        held = self.hexes("control", doc.control)
        for h in members(held & soviet):
            raise BadDocument(f"{pos.number(h)} is held by the Soviet unit in it (4.2)", path="control")
        pos.control = held | pos.occupied[GERMAN]
        pos.rubble = self.hexes("rubble", doc.rubble)
        if pos.rubble & ~pos.ground.built:
            raise BadDocument("only urban and objective hexes can be rubble (10.18)", path="rubble")
        pos.broken = frozenset(self._demolished(pos, text, f"demolished[{i}]") for i, text in enumerate(doc.demolished))
        pos.pontoons = tuple(self._pontoon(pos, name, there) for name, there in doc.pontoons.items())
        pos.moved, pos.fired = self.pieces(doc.moved, "moved"), self.pieces(doc.fired, "fired")
        pos.attacked, pos.placed = self.hexes("attacked", doc.attacked), self.hexes("placed", doc.placed)
        pos.bridging, pos.turned = self.pieces(doc.bridging, "bridging"), self.pieces(doc.turned, "turned")
        pos.arrivals, pos.dropped = self.pieces(doc.arrivals, "arrivals"), self.pieces(doc.dropped, "dropped")
        pos.shown = self.pieces(doc.shown, "shown")
        pos.finished, pos.entered = self.commands(doc.finished, "finished"), self.commands(doc.entered, "entered")
        for piece, counter in enumerate(self.roster.units):
            come = pos.where[piece] >= 0 or pos.where[piece] in (WAITING, DEAD)
            if come and counter.side == GERMAN and not counter.leader:
                pos.entered |= 1 << self.roster.command[piece]
        if doc.command:
            pos.active = self.commands([doc.command], "command").bit_length() - 1
        pos.sailed, pos.replacements = doc.sailed, doc.replacements
        pos.fleet_back = doc.fleet_returns
        pos.flieger_due = doc.flieger_arrives or self._flieger(pos)
        if doc.result and doc.result not in CASES:
            raise BadDocument(f"unknown result {doc.result!r}; known: {', '.join(CASES)}", path="result")
        pos.result, pos.masked = doc.result, doc.fog
        self._state(pos)
        if pos.phase_number in (G_MOVE, S_MOVE):
            stand_all(pos)
        pos.dice = tuple(map(str, doc.dice))
        if self._begins(pos):
            pos.begin()
        self._check_pending(pos)
        return pos

    def _begins(self, pos: CityPosition) -> bool:
        """Whether the dice and draws that open a reinforcement phase are still to come: the document tells of
        nothing done in it yet (19.0)."""
        doc = self.doc
        if pos.phase_number == S_ARRIVE and pos.turn < self.game.tables.soviet_arrivals.from_turn:
            raise BadDocument("the Soviet reinforcement phase is skipped on turn 1 (5.2)", path="phase")
        if pos.phase_number not in (G_ARRIVE, S_ARRIVE) or doc.begun or doc.result:
            return False
        hand = any(pos.where[back] == HAND for back in self.roster.backs)
        return not (doc.pending or doc.replacements or doc.placed or doc.arrivals or hand)

    def _place(self, pos: CityPosition) -> None:
        start = self.roster.backs.start
        backs = {self.roster.units[p].id for p in self.roster.backs}
        for name, entry in sorted(self.doc.units.items(), key=lambda item: item[0] not in backs):
            path = f"units.{name}"
            piece = self.piece(name, path)
            counter = pos.unit(piece)
            if entry.hex and entry.at:
                raise BadDocument("a unit is in a hex or beside the map, not both", path=path)
            if entry.at and entry.at not in PLACES:
                raise BadDocument(f"unknown place {entry.at!r}; known: {', '.join(PLACES)}", path=f"{path}.at")
            place = self.hex(f"{path}.hex", entry.hex) if entry.hex else PLACES[entry.at] if entry.at else None
            if place is not None and place < 0:
                self._check_place(pos, counter, place, path)
            if counter.back:
                self._back(pos, piece, entry, HAND if place is None else place, path)
                continue
            if place is None:
                continue
            if entry.face == "down":
                if counter.command != "42" or place < 0 or counter.leader:
                    raise BadDocument("only 42nd Army units on the map lie face down (6.6)", path=f"{path}.face")
                self._check_hex(pos, counter, place, path)
                if not pos.at(GONE)[-1:] or pos.at(GONE)[-1] < start:
                    raise BadDocument("far too many face-down units (3.6)", path=path)
                pos.take_back(piece, place)
                continue
            self._check_hex(pos, counter, place, path)
            if place >= 0:
                pos.put(piece, place)
            else:
                pos.where[piece] = place
        for back in self.roster.backs:
            behind = pos.behind[back - start]
            if behind >= 0:
                pos.where[behind] = BEHIND
        self._check_backs(pos)

    def _flieger(self, pos: CityPosition) -> int:
        """Airborne units waiting at the edge have arrived this turn unless the document says otherwise (18.1)."""
        waits = any(pos.where[p] == WAITING for p in self.roster.of_command[self.game.tables.german_arrivals.airborne])
        return pos.turn if waits else 0

    def _check_place(self, pos: CityPosition, counter: Unit, place: int, path: str) -> None:
        """A place beside the map that a counter can be at."""
        fixed = self.game.set_up.fixed.get(counter.id)
        german = {GONE, WAITING, DEAD, TO_COME} if counter.ground else {GONE, TO_COME, READY}
        soviet = {GONE, POOL, UNDRAWN, BEHIND, UNKNOWN, WAITING if counter.ground else READY}
        if fixed is not None and fixed.where != "hex":
            soviet.add(HAND)
        allowed = {GONE, HAND} if counter.back else soviet if counter.side == SOVIET else german
        if counter.leader:
            allowed -= {DEAD, POOL}
        if place not in allowed:
            raise BadDocument(f"{counter.id} cannot be {PLACE_NAMES[place]!r}", path=f"{path}.at")

    def _check_backs(self, pos: CityPosition) -> None:
        """There are units enough for the backs that nobody has looked under (3.6)."""
        backs = [p for p in self.roster.backs if pos.where[p] != GONE]
        behind = [pos.behind[p - self.roster.backs.start] for p in backs]
        pool = UNKNOWN if self.doc.fog else UNDRAWN
        free = sum(pos.where[p] == pool for p in self.roster.of_command["42"])
        if sum(unit < 0 for unit in behind) > free:
            raise BadDocument(f"more face-down units than the {free} that can be under them (3.6)", path="units")

    def _back(self, pos: CityPosition, piece: int, entry: UnitDoc, place: int, path: str) -> None:
        behind = NOBODY
        if entry.is_ == "?":
            behind = SECRET
        elif entry.is_:
            behind = self.piece(entry.is_, f"{path}.is")
            counter = pos.unit(behind)
            if counter.command != "42" or counter.back or counter.leader:
                raise BadDocument("only 42nd Army units lie face down (6.6)", path=f"{path}.is")
            named = self.doc.units.get(entry.is_)
            elsewhere = named is not None and named.hex + named.at not in ("", "behind")
            if elsewhere or behind in pos.behind:
                raise BadDocument(f"{entry.is_} cannot be in two places", path=f"{path}.is")
        pos.behind[piece - self.roster.backs.start] = behind
        if place >= 0:
            self._check_hex(pos, pos.unit(piece), place, path)
            pos.put(piece, place)
        else:
            pos.where[piece] = place

    def _check_hex(self, pos: CityPosition, counter: Unit, place: int, path: str) -> None:
        if place < 0:
            return
        if not counter.ground:
            raise BadDocument("air and naval markers stay beside the map", path=f"{path}.hex")
        ground = pos.ground
        if counter.type == "gunboat":
            if not (ground.sea | ground.river_hexes | ground.coastal) >> place & 1:
                raise BadDocument("the gunboat keeps to water (15.2)", path=f"{path}.hex")
        elif counter.type == "railroad-artillery" and not ground.rail_hexes >> place & 1:
            raise BadDocument("the rail gun keeps to railroads (15.1)", path=f"{path}.hex")
        elif ground.sea >> place & 1 and not self._sailing(counter):
            raise BadDocument("ground units cannot be at sea (8.13)", path=f"{path}.hex")
        if pos.occupied[1 - counter.side] >> place & 1:
            raise BadDocument("both sides in one hex (8.14)", path=f"{path}.hex")

    def _sailing(self, counter: Unit) -> bool:
        """Whether a marine is in the middle of an amphibious move (8.11)."""
        moving = self.doc.moving
        return moving is not None and moving.mode == "sail" and moving.unit == counter.id

    def _check_stacks(self, pos: CityPosition) -> None:
        for side, phases in ((GERMAN, (G_ARRIVE, G_AIR, G_MOVE)), (SOVIET, (S_ARRIVE, S_MOVE))):
            over = pos.overstacked(side)
            if over and pos.phase_number not in phases:
                raise BadDocument(self._too_many(pos, next(members(over))), path="units")
            if pos.tiers[side * TIERS + TIERS - 1]:
                raise BadDocument("far too many units in one hex (6.1)", path="units")
        for h in members(pos.occupied[GERMAN]):
            divisions = {pos.unit(p).command for p in pos.stacks[h] if not pos.unit(p).leader} - {"56"}
            if len(divisions) > 1:
                raise BadDocument(f"two divisions in {pos.number(h)} (6.2)", path="units")

    def _too_many(self, pos: CityPosition, h: Hex) -> str:
        """Why the units in a hex may not stand together."""
        both = {pos.unit(p).command for p in pos.stacks[h] if not pos.unit(p).leader} >= {"42", "LFR"}
        if both and pos.doubled >> h & 1:
            return f"units of 42nd Army and of the Front Reserve in {pos.number(h)} (6.3)"
        return f"too many units in {pos.number(h)} for this phase (6.1)"

    def _demolished(self, pos: CityPosition, text: str, path: str) -> Hexside:
        first, _, second = text.partition("/")
        a, b = self.hex(path, first), self.hex(path, second)
        if not self.map.grid.adjacent(a, b) or not pos.ground.has_bridge(a, b):
            raise BadDocument("no bridge is printed there (10.17)", path=path)
        return hexside(a, b)

    def _pontoon(self, pos: CityPosition, name: str, there: str) -> tuple[int, Hex]:
        path = f"pontoons.{name}"
        piece, beyond = self.piece(name, path), self.hex(path, there)
        here = pos.where[piece]
        if not pos.unit(piece).bridges or here < 0 or beyond not in pos.ground.river_sides(here):
            raise BadDocument("a bridging engineer next to that river hexside is needed (8.10)", path=path)
        return piece, beyond

    def _state(self, pos: CityPosition) -> None:
        doc = self.doc
        if doc.moving is not None:
            if doc.moving.mode not in MODES:
                raise BadDocument(f"unknown mode {doc.moving.mode!r}; known: {', '.join(MODES)}", path="moving.mode")
            piece = self.piece(doc.moving.unit, "moving.unit")
            if pos.where[piece] < 0 or pos.unit(piece).side != pos.side or pos.phase_number not in (G_MOVE, S_MOVE):
                raise BadDocument(f"{doc.moving.unit} cannot be moving now (8.1)", path="moving.unit")
            most = allowance(pos, piece, doc.moving.mode)
            if not 0 <= doc.moving.left <= most:
                raise BadDocument(f"a move has from 0 to {most} points left", path="moving.left")
            pos.moving = Moving(piece, doc.moving.mode, doc.moving.left)
        if doc.attack is not None:
            attack = doc.attack
            pos.attack = Attack(
                attack.kind,
                self.hex("attack.target", attack.target),
                self.hex("attack.beyond", attack.beyond) if attack.beyond else -1,
                tuple(self.piece(name, f"attack.units[{i}]") for i, name in enumerate(attack.units)),
                attack.assault,
                attack.fanatic,
            )
            self._check_attack(pos, pos.attack)
        pos.pending = tuple(self._step(step, f"pending[{i}]") for i, step in enumerate(doc.pending))

    def _check_attack(self, pos: CityPosition, attack: Attack) -> None:
        """A fire that can be under way in this phase, by units that can fire."""
        defensive = attack.kind == "defensive"
        if pos.phase_number not in ((G_MOVE, S_MOVE) if defensive else (G_AIR, G_FIRE, S_FIRE)):
            raise BadDocument(f"no {attack.kind} attack in this phase", path="attack.kind")
        if attack.kind == "bridge":
            if attack.beyond < 0 or not self.map.grid.adjacent(attack.target, attack.beyond):
                raise BadDocument("a bridge has two adjacent hexes (10.17)", path="attack.beyond")
            if not pos.ground.has_bridge(attack.target, attack.beyond):
                raise BadDocument("no bridge is printed there (10.17)", path="attack.beyond")
        elif attack.beyond >= 0:
            raise BadDocument("only a bridge has a second hex (10.17)", path="attack.beyond")
        side = 1 - pos.side if defensive else pos.side
        for index, piece in enumerate(attack.units):
            counter = pos.unit(piece)
            there = pos.where[piece] >= 0 if counter.ground else pos.where[piece] == READY
            hidden = counter.back and not (defensive and self.doc.pending and self.doc.pending[0].kind == "offer")
            if counter.side != side or hidden or not there:
                raise BadDocument(f"{counter.id} cannot fire now (10.1)", path=f"attack.units[{index}]")
        if not self.doc.pending:
            if defensive:
                raise BadDocument("nobody is moving into a defensive fire (9.1)", path="attack.kind")
            self._check_composing(pos, attack)

    def _check_composing(self, pos: CityPosition, attack: Attack) -> None:
        """A fire still being composed must be one that could have been composed."""
        hexes = [attack.target] if attack.beyond < 0 else [attack.target, attack.beyond]
        made = target_of(pos, [pos.number(h) for h in hexes])
        for piece in attack.units:
            if isinstance(made, Attack):
                made = joined(pos, made, pos.unit(piece).id)
        if made != attack:
            why = made.message if isinstance(made, Refusal) else "no such fire can be composed (10.2)"
            raise BadDocument(why, path="attack")

    def _step(self, step: StepDoc, path: str) -> Step:
        return Step(
            step.kind,
            self.piece(step.unit, f"{path}.unit") if step.unit else -1,
            self.hex(f"{path}.hex", step.hex) if step.hex else -1,
            step.number,
            tuple(self.hex(f"{path}.path", number) for number in step.path),
            tuple(step.words),
        )

    def _check_pending(self, pos: CityPosition) -> None:
        for index, step in enumerate(pos.pending):
            if not pos.knows(step):
                raise BadDocument(f"unknown step {step.kind!r}", path=f"pending[{index}].kind")
            wrong = pos.cannot_wait(step, first=index == 0)
            if wrong:
                raise BadDocument(wrong, path=f"pending[{index}]")
        if pos.to_move == "chance" and pos.dice:
            try:
                pos._chance().outcome(pos.dice[0])
            except BadOrder as problem:
                raise BadDocument(str(problem), path="dice[0]") from None
