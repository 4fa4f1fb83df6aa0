"""Position documents: every fact of a position in plain words, read back to the same position."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from ...hexes import Hex, mask_of, members
from ...kernel.data import Strict, document_values, shape
from ...kernel.documents import PRINTED, Head, Reader, exclude, keys, plain, require, stranger
from ...kernel.errors import BadDocument, BadOrder
from ...kernel.matters import HEX, HEX_SET, HEXES, Kind, Matter, as_it_is, kinds_of_units
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


UNIT, UNITS, _ = kinds_of_units(lambda pos, piece: pos.unit(piece).id)
PIECE = UNIT._replace(field="piece")
YES, NUMBER, WORD = as_it_is(bool), as_it_is(int), as_it_is(str)
TEXTS = Kind(list[str], lambda _, words: list(words), lambda _, __, told: tuple(told))
STEP = Matter(Step, kind=WORD, unit=PIECE, hex=HEX, number=NUMBER, path=HEXES, words=TEXTS)
"""A pending step."""
MOVER = PIECE._replace(read=lambda reader, path, name: reader.unit(path, name))
MOVING = Matter(Moving, unit=MOVER, mode=WORD, left=NUMBER)
"""The unit in the middle of its move."""
TARGET = HEX._replace(read=lambda reader, path, number: reader.hex(path, number))
ATTACK = Matter(Attack, kind=as_it_is(FireKind), target=TARGET, beyond=HEX, units=UNITS, assault=YES, fanatic=YES)
"""A fire being composed or resolved."""


PIECES = Kind(
    list[str], lambda pos, mask: [pos.unit(p).id for p in members(mask)],
    lambda reader, path, names: reader.all_known(path, names, reader.roster.index),
)  # fmt: skip
COMMANDS = Kind(
    list[str], lambda pos, mask: [pos.roster.commands[c] for c in members(mask)],
    lambda reader, path, names: reader.commands(path, names),
)  # fmt: skip
PLAINLY = {
    "rubble": HEX_SET, "moved": PIECES, "fired": PIECES, "attacked": HEX_SET, "placed": HEX_SET, "bridging": PIECES,
    "turned": PIECES, "arrivals": PIECES, "dropped": PIECES, "shown": PIECES, "finished": COMMANDS,
    "entered": COMMANDS, "sailed": YES, "replacements": NUMBER,
}  # fmt: skip
"""What documents call as it is called here."""


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
    moving: Any = None
    command: str = ""
    finished: list[str] = []
    bridging: list[str] = []
    turned: list[str] = []
    sailed: bool = False
    attack: Any = None
    pending: list[Any] = []
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


WORDS = {"document keys": keys(PositionDoc), "unit keys": keys(UnitDoc), "attack keys": keys(ATTACK.entry),
         "pending keys": keys(STEP.entry)}  # fmt: skip


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
    plainly = {key: kind.tell(pos, getattr(pos, key)) for key, kind in PLAINLY.items()}
    doc: dict[str, Any] = {
        "game": pos.game.id,
        "scenario": pos.scenario,
        "turn": pos.turn,
        "phase": pos.phase.id,
        "options": dict(pos.options),
        "map": plain(pos.map.change),
        "units": _units(pos),
        "control": HEX_SET.tell(pos, pos.control & ~pos.occupied[GERMAN]),
        "rubble": plainly["rubble"],
        "demolished": sorted("/".join(sorted(map(pos.number, edge))) for edge in pos.broken),
        "pontoons": {pos.unit(p).id: pos.number(h) for p, h in pos.pontoons},
        "moved": plainly["moved"],
        "fired": plainly["fired"],
        "attacked": plainly["attacked"],
        "moving": MOVING.tell(pos, pos.moving) if pos.moving is not None else None,
        "command": pos.roster.commands[pos.active] if pos.active >= 0 else "",
        "finished": plainly["finished"],
        "bridging": plainly["bridging"],
        "turned": plainly["turned"],
        "sailed": plainly["sailed"],
        "attack": ATTACK.tell(pos, pos.attack) if pos.attack is not None else None,
        "pending": [STEP.tell(pos, step) for step in pos.pending],
        "begun": pos.phase_number in (G_ARRIVE, S_ARRIVE),
        "replacements": plainly["replacements"],
        "placed": plainly["placed"],
        "arrivals": plainly["arrivals"],
        "entered": plainly["entered"],
        "dropped": plainly["dropped"],
        "fleet-returns": pos.fleet_back,
        "flieger-arrives": pos.flieger_due,
        "defensive-states": pos.states,
        "shown": plainly["shown"],
        "result": pos.result,
        "fog": pos.masked,
        "dice": list(pos.dice),
    }
    always = ("game", "scenario", "turn", "phase", "options", "units")
    return {key: value for key, value in doc.items() if value or key in always}


def _units(pos: State) -> dict[str, Any]:
    doc: dict[str, Any] = {}
    for piece, counter in enumerate(pos.roster.units):
        place = pos.where[piece]
        entry: dict[str, Any] = plain(_made_up(counter)) if counter.made_up else {}
        if place == BEHIND:
            if counter.made_up:
                doc[counter.id] = {**entry, "at": "behind"}
            continue
        if place >= 0:
            entry["hex"] = pos.number(place)
        elif place != usual_place(pos.game, counter):
            entry["at"] = PLACE_NAMES[place]
        if counter.back and place != GONE:
            behind = pos.hidden(piece)
            if behind != NOBODY:
                entry["is"] = "?" if behind == SECRET else pos.unit(behind).id
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
        doc.check_moment(game.turns, PHASE_IDS)
        self.map = game.map.changed(doc.map, error=BadDocument)
        self.grid = self.map.grid
        self.roster = self._roster()
        self.moving = MOVING.read(self, "moving", doc.moving) if doc.moving is not None else None
        self.attack = ATTACK.read(self, "attack", doc.attack) if doc.attack is not None else None
        self.pending = tuple(STEP.read(self, f"pending[{i}]", step) for i, step in enumerate(doc.pending))

    def _roster(self) -> Roster:
        extra: list[Unit] = []
        for name, entry in self.doc.units.items():
            path = f"units.{name}"
            if name in self.game.roster.index:
                own = (entry.side, entry.command, entry.type, entry.size, entry.fire, entry.range, entry.radius)
                exclude(any(value not in ("", 0) for value in own) or entry.traits, PRINTED, path)
                continue
            exclude(not entry.side or not entry.type, stranger("side, type and figures"), path)
            self.check_name(name, path)
            require(entry.type in {**GROUND_TYPES, **OTHER_TYPES}, f"unknown type {entry.type!r}", f"{path}.type")
            strange = {*entry.traits.split()} - TRAITS
            exclude(strange, f"unknown traits {', '.join(sorted(strange))}", f"{path}.traits")
            command = entry.command or _USUAL_COMMANDS[entry.side, entry.type == "air-strike"]
            group = self.game.roster.groups.get(command)
            exclude(group is None or group.side != entry.side, f"{command!r} is no {entry.side} sub-command",
                    f"{path}.command")  # fmt: skip
            reach = ("U" if entry.type in OTHER_TYPES else 1) if entry.range == "" else entry.range
            for key, value in (("fire", entry.fire), ("range", reach), ("radius", entry.radius)):
                exclude(value != "U" and value < 0, "no figure is below 0", f"{path}.{key}")
            implied = (IMPLIED.get(entry.type, ""), IMPLIED.get(command, ""))
            traits = " ".join((entry.traits, *implied))
            figures = UnitEntry(entry.type, entry.size, entry.fire, reach, entry.radius, traits)
            extra.append(unit(name, entry.side, command, figures, made_up=True))
        return self.game.roster.with_units(extra) if extra else self.game.roster

    def unit(self, path: str, name: str) -> int:
        """A counter by its name."""
        return self.known(path, name, self.roster.index)

    def commands(self, path: str, names: Iterable[str]) -> int:
        """Sub-commands by their names, as a set."""
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
        soviet = mask_of(pos.where[piece] for piece in pos.on_map(SOVIET) if pos.unit(piece).type != "gunboat")
        held = self.hexes("control", doc.control)
        for h in members(held & soviet):
            raise BadDocument(f"{pos.number(h)} is held by the Soviet unit in it (4.2)", path="control")
        pos.control = held | pos.occupied[GERMAN]
        for key, kind in PLAINLY.items():
            setattr(pos, key, kind.read(self, key, getattr(doc, key)))
        exclude(pos.rubble & ~pos.ground.built, "only urban and objective hexes can be rubble (10.18)", "rubble")
        pos.broken = frozenset(self._demolished(pos, text, f"demolished[{i}]") for i, text in enumerate(doc.demolished))
        pos.pontoons = tuple(self._pontoon(pos, name, there) for name, there in doc.pontoons.items())
        for piece, counter in enumerate(self.roster.units):
            come = pos.where[piece] >= 0 or pos.where[piece] in (WAITING, DEAD)
            if come and counter.side == GERMAN and not counter.leader:
                pos.entered |= 1 << self.roster.command[piece]
        if doc.command:
            pos.active = self.commands("command", [doc.command]).bit_length() - 1
        airborne = self.roster.of_command[self.game.tables.german_arrivals.airborne]
        arrived = pos.turn if any(pos.where[p] == WAITING for p in airborne) else 0  # this turn, if not told (18.1)
        pos.fleet_back, pos.flieger_due = doc.fleet_returns, doc.flieger_arrives or arrived
        exclude(doc.result and doc.result not in CASES, f"unknown result {doc.result!r}; known: {', '.join(CASES)}",
                "result")  # fmt: skip
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
        exclude(pos.phase_number == S_ARRIVE and pos.turn < self.game.tables.soviet_arrivals.from_turn,
                "the Soviet reinforcement phase is skipped on turn 1 (5.2)", "phase")  # fmt: skip
        if pos.phase_number not in (G_ARRIVE, S_ARRIVE) or doc.begun or doc.result:
            return False
        hand = any(pos.where[back] == HAND for back in self.roster.backs)
        return not (doc.pending or doc.replacements or doc.placed or doc.arrivals or hand)

    def _place(self, pos: CityPosition) -> None:
        backs = {self.roster.units[p].id for p in self.roster.backs}
        for name, entry in sorted(self.doc.units.items(), key=lambda item: item[0] not in backs):
            path = f"units.{name}"
            piece = self.unit(path, name)
            counter = pos.unit(piece)
            exclude(entry.hex and entry.at, "a unit is in a hex or beside the map, not both", path)
            exclude(entry.at and entry.at not in PLACES, f"unknown place {entry.at!r}; known: {', '.join(PLACES)}",
                    f"{path}.at")  # fmt: skip
            place = self.hex(f"{path}.hex", entry.hex) if entry.hex else PLACES[entry.at] if entry.at else None
            if place is not None and place < 0:
                self._check_place(pos, counter, place, path)
            if counter.back:
                self._back(pos, piece, entry, HAND if place is None else place, path)
                continue
            if place is None:
                continue
            if entry.face == "down":
                exclude(counter.command != "42" or place < 0 or counter.leader,
                        "only 42nd Army units on the map lie face down (6.6)", f"{path}.face")  # fmt: skip
                self._check_hex(pos, counter, place, path)
                laid = pos.where[self.roster.backs.start :]
                require(GONE in laid, "far too many face-down units (3.6)", path)
                pos.take_back(piece, place)
                continue
            self._check_hex(pos, counter, place, path)
            pos.put(piece, place)
        for back in self.roster.backs:
            if pos.hidden(back) >= 0:
                pos.where[pos.hidden(back)] = BEHIND
        self._check_backs(pos)

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
        require(place in allowed, f"{counter.id} cannot be {PLACE_NAMES[place]!r}", f"{path}.at")

    def _check_backs(self, pos: CityPosition) -> None:
        """There are units enough for the backs that nobody has looked under (3.6)."""
        backs = [p for p in self.roster.backs if pos.where[p] != GONE]
        behind = [pos.hidden(p) for p in backs]
        pool = UNKNOWN if self.doc.fog else UNDRAWN
        free = sum(pos.where[p] == pool for p in self.roster.of_command["42"])
        exclude(sum(unit < 0 for unit in behind) > free,
                f"more face-down units than the {free} that can be under them (3.6)", "units")  # fmt: skip

    def _back(self, pos: CityPosition, piece: int, entry: UnitDoc, place: int, path: str) -> None:
        behind = NOBODY
        if entry.is_ == "?":
            behind = SECRET
        elif entry.is_:
            behind = self.unit(f"{path}.is", entry.is_)
            counter = pos.unit(behind)
            exclude(counter.command != "42" or counter.back or counter.leader,
                    "only 42nd Army units lie face down (6.6)", f"{path}.is")  # fmt: skip
            named = self.doc.units.get(entry.is_)
            elsewhere = named is not None and named.hex + named.at not in ("", "behind")
            exclude(elsewhere or behind in pos.behind, f"{entry.is_} cannot be in two places", f"{path}.is")
        pos.behind[piece - self.roster.backs.start] = behind
        self._check_hex(pos, pos.unit(piece), place, path)
        pos.put(piece, place)

    def _check_hex(self, pos: CityPosition, counter: Unit, place: int, path: str) -> None:
        if place < 0:
            return
        require(counter.ground, "air and naval markers stay beside the map", f"{path}.hex")
        ground = pos.ground
        if counter.type == "gunboat":
            require(ground.water >> place & 1,
                    "the gunboat keeps to water (15.2)", f"{path}.hex")  # fmt: skip
        else:
            exclude(counter.type == "railroad-artillery" and not ground.rail_hexes >> place & 1,
                    "the rail gun keeps to railroads (15.1)", f"{path}.hex")  # fmt: skip
            sailing = self.moving is not None and self.moving[:2] == (self.roster.index[counter.id], "sail")  # (8.11)
            exclude(ground.sea >> place & 1 and not sailing, "ground units cannot be at sea (8.13)", f"{path}.hex")
        exclude(pos.occupied[1 - counter.side] >> place & 1, "both sides in one hex (8.14)", f"{path}.hex")

    def _check_stacks(self, pos: CityPosition) -> None:
        for side, phases in ((GERMAN, (G_ARRIVE, G_AIR, G_MOVE)), (SOVIET, (S_ARRIVE, S_MOVE))):
            for h in members(pos.overstacked(side) if pos.phase_number not in phases else 0):
                raise BadDocument(self._too_many(pos, h), path="units")
            exclude(pos.tiers[side * TIERS + TIERS - 1], "far too many units in one hex (6.1)", "units")
        for h in members(pos.occupied[GERMAN]):
            divisions = {pos.unit(p).command for p in pos.stacks[h] if not pos.unit(p).leader} - {"56"}
            exclude(len(divisions) > 1, f"two divisions in {pos.number(h)} (6.2)", "units")

    def _too_many(self, pos: CityPosition, h: Hex) -> str:
        """Why the units in a hex may not stand together."""
        both = {pos.unit(p).command for p in pos.stacks[h] if not pos.unit(p).leader} >= {"42", "LFR"}
        if both and pos.doubled >> h & 1:
            return f"units of 42nd Army and of the Front Reserve in {pos.number(h)} (6.3)"
        return f"too many units in {pos.number(h)} for this phase (6.1)"

    def _demolished(self, pos: CityPosition, text: str, path: str) -> Hexside:
        first, _, second = text.partition("/")
        a, b = self.hex(path, first), self.hex(path, second)
        exclude(not self.map.grid.adjacent(a, b) or not pos.ground.has_bridge(a, b),
                "no bridge is printed there (10.17)", path)  # fmt: skip
        return hexside(a, b)

    def _pontoon(self, pos: CityPosition, name: str, there: str) -> tuple[int, Hex]:
        path = f"pontoons.{name}"
        piece, beyond = self.unit(path, name), self.hex(path, there)
        here = pos.where[piece]
        exclude(not pos.unit(piece).bridges or here < 0 or beyond not in pos.ground.river_sides(here),
                "a bridging engineer next to that river hexside is needed (8.10)", path)  # fmt: skip
        return piece, beyond

    def _state(self, pos: CityPosition) -> None:
        if self.moving is not None:
            piece, mode, left = pos.moving = self.moving
            require(mode in MODES, f"unknown mode {mode!r}; known: {', '.join(MODES)}", "moving.mode")
            moves = pos.where[piece] >= 0 and pos.unit(piece).side == pos.side and pos.phase_number in (G_MOVE, S_MOVE)
            require(moves, f"{pos.unit(piece).id} cannot be moving now (8.1)", "moving.unit")
            most = allowance(pos, piece, mode)
            require(0 <= left <= most, f"a move has from 0 to {most} points left", "moving.left")
        if self.attack is not None:
            pos.attack = self.attack
            self._check_attack(pos, self.attack)
        pos.pending = self.pending

    def _check_attack(self, pos: CityPosition, attack: Attack) -> None:
        """A fire that can be under way in this phase, by units that can fire."""
        defensive = attack.kind == "defensive"
        phases = (G_MOVE, S_MOVE) if defensive else (G_AIR, G_FIRE, S_FIRE)
        require(pos.phase_number in phases, f"no {attack.kind} attack in this phase", "attack.kind")
        if attack.kind == "bridge":
            exclude(attack.beyond < 0 or not self.map.grid.adjacent(attack.target, attack.beyond),
                    "a bridge has two adjacent hexes (10.17)", "attack.beyond")  # fmt: skip
            require(pos.ground.has_bridge(attack.target, attack.beyond), "no bridge is printed there (10.17)",
                    "attack.beyond")  # fmt: skip
        else:
            exclude(attack.beyond >= 0, "only a bridge has a second hex (10.17)", "attack.beyond")
        side = 1 - pos.side if defensive else pos.side
        for index, piece in enumerate(attack.units):
            counter = pos.unit(piece)
            there = pos.where[piece] >= 0 if counter.ground else pos.where[piece] == READY
            hidden = counter.back and not (defensive and self.pending and self.pending[0].kind == "offer")
            exclude(counter.side != side or hidden or not there, f"{counter.id} cannot fire now (10.1)",
                    f"attack.units[{index}]")  # fmt: skip
        if not self.pending:
            exclude(defensive, "nobody is moving into a defensive fire (9.1)", "attack.kind")
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

    def _check_pending(self, pos: CityPosition) -> None:
        for index, step in enumerate(pos.pending):
            require(pos.knows(step), f"unknown step {step.kind!r}", f"pending[{index}].kind")
            wrong = pos.cannot_wait(step, first=index == 0)
            exclude(wrong, wrong, f"pending[{index}]")
        if pos.to_move == "chance" and pos.dice:
            try:
                pos._chance().outcome(pos.dice[0])
            except BadOrder as problem:
                raise BadDocument(str(problem), path="dice[0]") from None
