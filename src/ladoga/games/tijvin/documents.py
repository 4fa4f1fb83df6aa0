"""Position documents: any situation as plain values, and back again.

Beside the keys of every game (game, scenario, turn, phase, options, map, units, dice) a document knows
``hqs`` (hex, activated, supplied, lost), ``air`` (air units used), ``weather``, ``control`` (hexes of German
ground, or ``all``), ``active`` (the activated headquarters or units), ``passed``, ``bonus``, ``points``,
``bought``, ``step`` (the exact step of a combat) and ``battle``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from ...hexes import NOWHERE, Hex, HexMask, members
from ...kernel.data import Strict, document_values, numbers, shape
from ...kernel.documents import PRINTED, Reader, check_name, check_phase, check_turn, plain, stranger
from ...kernel.errors import BadData, BadDocument
from ...kernel.map import GameMap, MapChange
from ...kernel.options import Value
from ...kernel.sequence import OVER, Automatic, Item, Roll
from .battle import Activation, Battle, Purse
from .book import ABSENT, DESTROYED, DUE, EDGES, ON_MAP, SIDES, Roster, Side, Unit, UnitMask, UnitType, enemy_of
from .ground import Ground
from .sequence import PHASE_IDS, SEQUENCE

if TYPE_CHECKING:
    from .game import Tijvin
    from .position import TijvinPosition

FLAGS = ("activated", "moved", "attacked", "fired", "retreated", "shaken", "assigned", "delayed", "shifted")
_FLAG_FIELDS = {"activated": "spent"} | {name: name for name in FLAGS[1:]}


class UnitDoc(Strict):
    """A unit in a document; the printed figures only for a made-up one."""

    hex: str = ""
    cf: int | str | None = None
    hq: str = ""
    box: str = ""
    supplied: bool = True
    commanded: bool | None = None
    activated: bool = False
    moved: bool = False
    attacked: bool = False
    fired: bool = False
    retreated: bool = False
    shaken: bool = False
    assigned: bool = False
    delayed: bool = False
    shifted: bool = False
    known: int | None = None
    side: Side | None = None
    type: UnitType | None = None
    efficiency: int | None = None
    movement: int | None = None
    support: int | None = None
    division: str = ""
    arrives: int | None = None
    name: str = ""
    full: int | None = None


class HeadquartersDoc(Strict):
    """A headquarters in a document."""

    hex: str = ""
    lost: str = ""
    supplied: bool = True
    activated: bool = False


class BoughtDoc(Strict):
    """Factors bought in secret."""

    unit: str
    cf: int
    hex: str = ""


class BattleDoc(Strict):
    """A combat in progress."""

    target: str
    attackers: list[str] = []
    guns: list[str] = []
    air: list[str] = []
    defenders: list[str] = []
    defending_guns: list[str] = []
    exploitation: bool = False
    pursuit: bool = False
    routed: bool = False
    reduced: bool = False
    ratings: tuple[int, int] = (0, 0)
    dice: tuple[int, int] = (0, 0)
    winner: Literal["", "attacker", "defender", "draw"] = ""
    degree: int = 1
    due: tuple[int, int] = (0, 0)
    picked: int = 0
    hit: list[str] = []
    suffered: int = 0
    stood: bool = False
    held: bool = False
    retreating: list[str] = []
    penalty: int = 0
    group: list[str] = []
    refuge: str = ""
    retreated: list[str] = []
    trails: list[tuple[str, str]] = []
    wiped_out: bool = False
    advanced: list[str] = []
    exploiters: list[str] = []
    prey: list[str] = []


class Doc(Strict):
    """A whole document."""

    game: str = ""
    scenario: str = ""
    turn: int = 1
    phase: str = "german-activation"
    options: dict[str, Value] = {}
    map: MapChange = msgspec.field(default_factory=MapChange)
    units: dict[str, UnitDoc] = {}
    hqs: dict[str, HeadquartersDoc] = {}
    air: list[str] = []
    weather: str = "clear"
    control: list[str] | str | None = None
    active: str | list[str] | None = None
    passed: bool = False
    bonus: Literal["", "now", "used"] = ""
    points: int | None = None
    rolled: int = 0
    bought: list[BoughtDoc] = []
    step: str = ""
    mover: Side | None = None
    shown: list[str] | None = None
    battle: BattleDoc | None = None
    dice: list[int | str] = []


_UNIT_SETS = ("attackers", "guns", "defenders", "defending_guns", "hit", "retreating", "group", "retreated", "advanced",
              "exploiters")  # fmt: skip


# Writing --------------------------------------------------------------------------------------


def document(p: TijvinPosition) -> dict[str, Any]:
    """The position as plain values."""
    grid = p.ground.grid
    doc = Doc(p.game.id, p.scenario, p.turn, p.phase.id, dict(p.options), p.map.change, dice=list(p.dice))
    doc.units = {p.roster.units[u].id: entry for u in range(len(p.roster.units)) if (entry := _unit(p, u)) is not None}
    doc.hqs = {hq.id: _headquarters(p, q) for q, hq in enumerate(p.roster.hqs)}
    doc.air = [p.roster.air[i].id for i in members(p.air_used)]
    doc.weather = p.weather
    doc.control = [grid.number(h) for h in grid.members(p.control)]
    if p.active_hq >= 0:
        doc.active = p.roster.hqs[p.active_hq].id
    if p.active or (p.active_hq < 0 and p.phase.id.endswith(("-movement", "-combat"))):
        names = _names(p, p.active)
        doc.active = [p.roster.hqs[p.active_hq].id, *names] if p.active_hq >= 0 else names
    doc.passed, doc.bonus = p.passed, p.bonus  # type: ignore[assignment]
    if p.stage == "replacement":
        doc.points, doc.rolled = p.purse
    doc.bought = [BoughtDoc(p.roster.units[u].id, n, grid.number(h) if h >= 0 else "") for u, n, h in p.bought]
    if p.stage != _word(p.phase.id):
        doc.step = p.stage
    if p.agenda and p.mover != p.side:
        doc.mover = p.mover  # type: ignore[assignment]
    if p.shown is not None:
        doc.shown = [grid.number(h) for h in grid.members(p.shown)]
    doc.battle = _battle(p) if p.battle is not None else None
    result: dict[str, Any] = plain(doc)
    result.setdefault("turn", p.turn)
    result.setdefault("phase", p.phase.id)
    return result


def _names(p: TijvinPosition, units: UnitMask) -> list[str]:
    return [p.roster.units[u].id for u in members(units)]


def _unit(p: TijvinPosition, u: int) -> UnitDoc | None:
    unit = p.roster.units[u]
    doc = UnitDoc()
    if unit.made_up:
        doc.side, doc.type, doc.full, doc.efficiency = unit.side, unit.type, unit.cf, unit.efficiency  # type: ignore[assignment]
        doc.movement, doc.division, doc.name = unit.movement, unit.division, "" if unit.name == unit.id else unit.name
        doc.support = unit.support or None
        doc.arrives = unit.arrives or None
    if p.hexes[u] >= 0:
        doc.hex = p.ground.grid.number(p.hexes[u])
    elif p.box[u] == DESTROYED:
        doc.box = "destroyed"
    elif p.box[u] in EDGES:
        doc.box = EDGES[p.box[u]]
    elif p.box[u] == ABSENT:
        return None
    elif unit.arrives <= p.turn or unit.made_up:
        doc.box = "due"
    unknown = p.unknown >> u & 1
    if unknown:
        doc.cf = f"{p.cf[u]}?"
    elif p.cf[u] != unit.cf or unit.made_up:
        doc.cf = p.cf[u] if p.box[u] != DESTROYED else None
    if p.hq[u] != unit.hq:
        doc.hq = p.roster.hqs[p.hq[u]].id
    doc.supplied = not p.unsupplied >> u & 1
    if p.uncommanded >> u & 1:
        doc.commanded = False
    for flag in FLAGS:
        if getattr(p, _FLAG_FIELDS[flag]) >> u & 1:
            setattr(doc, flag, True)
    if p.known is not None and p.known[u] != p.cf[u]:
        doc.known = p.known[u]
    return None if doc == UnitDoc() else doc


def _headquarters(p: TijvinPosition, q: int) -> HeadquartersDoc:
    number = p.ground.grid.number
    return HeadquartersDoc(
        number(p.hq_hex[q]) if p.hq_hex[q] >= 0 else "",
        number(p.hq_lost[q]) if p.hq_lost[q] >= 0 else "",
        not p.hq_unsupplied >> q & 1,
        bool(p.hq_activated >> q & 1),
    )


def _battle(p: TijvinPosition) -> BattleDoc:
    b, number = p.battle, p.ground.grid.number
    assert b is not None
    doc = BattleDoc(number(b.target))
    for name in Battle.__struct_fields__:
        value = getattr(b, name)
        if name in _UNIT_SETS:
            value = _names(p, value)
        elif name == "air":
            value = [p.roster.air[i].id for i in members(value)]
        elif name == "prey":
            value = [number(h) for h in p.ground.grid.members(value)]
        elif name in ("target", "refuge"):
            value = number(value) if value >= 0 else ""
        elif name == "trails":
            value = [(number(a), number(z)) for a, z in value]
        setattr(doc, name, value)
    return doc


def _word(phase_id: str) -> str:
    for side in ("german-", "soviet-"):
        phase_id = phase_id.removeprefix(side)
    return phase_id


# Reading --------------------------------------------------------------------------------------


def read(game: Tijvin, document: Mapping[str, Any] | str) -> TijvinPosition:
    """The position a document describes."""
    doc = shape(document_values(document, game.id), Doc, error=BadDocument)
    scenario, options = game.settled_in_document(doc.scenario, doc.options)
    check_turn(doc.turn, game.scenarios[scenario].turns)
    return _Reader(game, doc, scenario, options).position()


class _Reader(Reader):
    """Turns a checked document into a position, refusing what cannot be."""

    def __init__(self, game: Tijvin, doc: Doc, scenario: str, options: dict[str, Value]) -> None:
        self.game, self.doc = game, doc
        self.map: GameMap = game.map.changed(doc.map, error=BadDocument)
        self.ground = game.ground if self.map is game.map else Ground(self.map, game.book.tables)
        self.grid = self.ground.grid
        self.p = game.empty(scenario, options, self.ground, self._roster())

    def position(self) -> TijvinPosition:
        """The position."""
        p, doc = self.p, self.doc
        p.turn = doc.turn
        if doc.weather not in p.tables.weather.effects:
            raise BadDocument(f"unknown weather; known: {', '.join(p.tables.weather.effects)}", path="weather")
        p.weather = doc.weather
        p.control = self._control()
        self._units()
        self._headquarters()
        self._stacking()
        self._phase()
        for index, name in enumerate(doc.air):
            flight = self._air(name, f"air[{index}]")
            if p.roster.air[flight].arrives > p.turn:
                raise BadDocument(f"{name} has not arrived yet", path=f"air[{index}]")
            p.air_used |= 1 << flight
        p.passed, p.bonus = doc.passed, doc.bonus
        self._replacements()
        self._active()
        self._fight()
        p.dice = tuple(map(str, doc.dice))
        if doc.shown is not None:
            if not p.fog:
                raise BadDocument("zones are shown under fog of war only", path="shown")
            p.shown = self.hexes("shown", doc.shown)
        self._check_decision()
        return p.begun()

    def _roster(self) -> Roster:
        printed = self.game.book.roster
        extra = [(name, spec) for name, spec in self.doc.units.items() if name not in printed.index]
        if not extra:
            return printed
        units = [self._made_up(name, spec, printed) for name, spec in extra]
        mobile = self.game.book.tables.movement.mobile
        return Roster([*printed.units, *units], printed.hqs, printed.air, mobile)

    def _made_up(self, name: str, spec: UnitDoc, printed: Roster) -> Unit:
        path = f"units.{name}"
        gun = spec.type == "artillery"
        if spec.side is None or spec.type is None or (spec.cf is None and spec.full is None and not gun):
            raise BadDocument(stranger("side, type and cf"), path=path)
        check_name(name, path)
        if name in printed:
            raise BadDocument("a headquarters or an air unit is called so", path=path)
        factors = next((given for given in (spec.full, spec.cf) if given is not None), 1)
        limit = self.game.book.tables.stacking.limit
        if not isinstance(factors, int) or not 1 <= factors <= limit:
            raise BadDocument(f"a unit has 1 to {limit} factors", path=f"{path}.cf")
        efficiency = 1 if spec.efficiency is None else spec.efficiency
        points = self.game.book.tables.movement.of(spec.side, spec.type)
        movement = points if spec.movement is None else spec.movement
        if not 1 <= efficiency <= 9 or not 1 <= movement <= 20:
            raise BadDocument("efficiency is 1 to 9 and movement 1 to 20", path=path)
        support = 0
        if gun:
            if factors != 1:
                raise BadDocument("artillery has 1 factor", path=f"{path}.cf")
            support = 1 if spec.support is None else spec.support
            if not 1 <= support <= 9:
                raise BadDocument("artillery supports with 1 to 9", path=f"{path}.support")
        elif spec.support:
            raise BadDocument("only artillery supports", path=f"{path}.support")
        if spec.arrives:
            check_turn(spec.arrives, self.game.turns, f"{path}.arrives")
        hq = printed.hqs_of[spec.side][0]
        return Unit(
            name, spec.name or name, spec.side, spec.type, factors, efficiency, movement, hq, support, spec.division,
            spec.arrives or 0, made_up=True,
        )  # fmt: skip

    def _hq_number(self, name: str, side: str, path: str) -> int:
        printed = self.game.book.roster
        q = printed.hq_index.get(name, -1)
        if q < 0 or printed.hqs[q].side != side:
            known = ", ".join(printed.hqs[x].id for x in printed.hqs_of[side])
            raise BadDocument(f"no {side} headquarters {name!r}; there are: {known}", path=f"{path}.hq")
        return q

    def _control(self) -> HexMask:
        given = self.doc.control
        if given is None:
            return self.ground.german_side
        if given == "all":
            return self.ground.land
        if isinstance(given, str):
            try:
                given = numbers(given)
            except BadData as problem:
                raise BadDocument(problem.message, path="control") from None
        return self.hexes("control", given)

    def _units(self) -> None:
        p = self.p
        for u, unit in enumerate(p.roster.units):
            if unit.arrives <= p.turn:
                p.box[u] = ABSENT
        for name, spec in self.doc.units.items():
            u, path = p.roster.index[name], f"units.{name}"
            unit = p.roster.units[u]
            if not unit.made_up:
                self._unchanged(spec, path)
            self._strength(u, spec, path)
            if spec.hq:
                p.hq[u] = self._hq_number(spec.hq, unit.side, path)
            self._place(u, spec, path)
            if not spec.supplied:
                p.unsupplied |= 1 << u
            if self._astray(u, spec) if spec.commanded is None else not spec.commanded:
                p.uncommanded |= 1 << u
            for flag in FLAGS:
                if getattr(spec, flag):
                    setattr(p, _FLAG_FIELDS[flag], getattr(p, _FLAG_FIELDS[flag]) | 1 << u)
            if p.known is not None:
                p.known[u] = spec.known if spec.known is not None else p.cf[u]
                if not 0 <= p.known[u] <= unit.cf:
                    raise BadDocument(f"{unit.name} has at most {unit.cf} factors", path=f"{path}.known")
            elif spec.known is not None:
                raise BadDocument("reckoned factors need fog of war", path=f"{path}.known")

    def _astray(self, u: int, spec: UnitDoc) -> bool:
        """Whether a unit on the map has lost its headquarters before it could act (11)."""
        hq = self.doc.hqs.get(self.p.roster.hqs[self.p.hq[u]].id, HeadquartersDoc())
        return bool(spec.hex and hq.lost) and not hq.activated and self.doc.phase.endswith(_OPERATIONS)

    def _unchanged(self, spec: UnitDoc, path: str) -> None:
        for key in ("side", "type", "efficiency", "movement", "support", "division", "arrives", "name", "full"):
            if getattr(spec, key) not in (None, ""):
                raise BadDocument(PRINTED, path=f"{path}.{key}")

    def _strength(self, u: int, spec: UnitDoc, path: str) -> None:
        p, unit, given = self.p, self.p.roster.units[u], spec.cf
        if given is None:
            return
        if isinstance(given, str):
            if not given.endswith("?") or not given[:-1].isdecimal():
                raise BadDocument("factors are a number, or a reckoned number such as 5?", path=f"{path}.cf")
            if p.known is None:
                raise BadDocument("reckoned factors need fog of war", path=f"{path}.cf")
            p.unknown |= 1 << u
            given = int(given[:-1])
        if not 0 <= given <= unit.cf:
            raise BadDocument(f"{unit.name} has at most {unit.cf} factors", path=f"{path}.cf")
        p.cf[u] = given

    def _place(self, u: int, spec: UnitDoc, path: str) -> None:
        p = self.p
        edges = {name: box for box, name in EDGES.items()}
        if spec.box and spec.hex:
            raise BadDocument("a unit is in a hex or in a box, not in both", path=path)
        if spec.box == "destroyed":
            p.box[u], p.cf[u] = DESTROYED, 0
        elif spec.box in edges:
            p.box[u] = edges[spec.box]
        elif spec.box == "due":
            p.box[u] = DUE
        elif spec.box:
            raise BadDocument(f"boxes are: due, destroyed, {', '.join(edges)}", path=f"{path}.box")
        elif spec.hex:
            h = self.hex(f"{path}.hex", spec.hex)
            if not self.ground.land >> h & 1:
                raise BadDocument(f"{spec.hex} is water", path=f"{path}.hex")
            if p.cf[u] == 0:
                raise BadDocument("a unit on the map has factors", path=f"{path}.cf")
            p.hexes[u], p.box[u] = h, ON_MAP
            side = p.roster.units[u].side
            p.control = p.control | 1 << h if side == "german" else p.control & ~(1 << h)
        elif p.cf[u] == 0:
            p.box[u] = DESTROYED
        elif p.box[u] == ABSENT:
            raise BadDocument("a unit that has arrived stands in a hex or is in a box", path=path)

    def _headquarters(self) -> None:
        p = self.p
        for name, spec in self.doc.hqs.items():
            path = f"hqs.{name}"
            q = p.roster.hq_index.get(name, -1)
            if q < 0:
                raise BadDocument(f"there is no headquarters {name!r}", path=path)
            if spec.hex:
                p.hq_hex[q] = self.hex(f"{path}.hex", spec.hex)
                if not self.ground.land >> p.hq_hex[q] & 1:
                    raise BadDocument(f"{spec.hex} is water", path=f"{path}.hex")
            if spec.lost:
                p.hq_lost[q] = self.hex(f"{path}.lost", spec.lost)
            if spec.hex and spec.lost:
                raise BadDocument("a headquarters on the map is not lost", path=path)
            p.hq_activated |= int(spec.activated) << q
            p.hq_unsupplied |= int(not spec.supplied) << q

    def _stacking(self) -> None:
        p = self.p
        both = p.occupied("german") & p.occupied("soviet")
        for h in members(both):
            raise BadDocument(f"both sides stand in {self.grid.number(h)}", path="units")
        for side in p.game.sides:
            spared = self._overfull(side)
            for h in members(p.occupied(side)):
                if p.room(h, side) < 0 and h != spared:
                    raise BadDocument(
                        f"{p.stacked(h, side)} factors stand in {self.grid.number(h)}, the limit is "
                        f"{p.tables.stacking.limit}", path="units",
                    )  # fmt: skip
            for q in p.roster.hqs_of[side]:
                if p.hq_hex[q] >= 0 and p.occupied(enemy_of(side)) >> p.hq_hex[q] & 1:
                    raise BadDocument("an enemy stands on that headquarters", path=f"hqs.{p.roster.hqs[q].id}")

    def _overfull(self, side: str) -> Hex:
        """The one hex in which too many factors of a side may stand for the moment: where it moves, or where
        those who retreated have yet to pay for it (4, 13 V)."""
        p, battle = self.p, self.doc.battle
        if battle is not None:
            return self.hex("battle.refuge", battle.refuge) if battle.refuge else NOWHERE
        if self.doc.phase != f"{side}-movement":
            return NOWHERE
        return next((h for h in members(p.occupied(side)) if p.room(h, side) < 0), NOWHERE)

    def _phase(self) -> None:
        """What is due, and whose it is; the matter in hand is read later."""
        p, doc = self.p, self.doc
        word = _word(doc.phase)
        check_phase(doc.phase, PHASE_IDS)
        name = p.tables.initiative(p.turn) if word == doc.phase else doc.phase.removesuffix(f"-{word}")
        if doc.step:
            moment = SEQUENCE.moments.get(doc.step)
            if moment is None or isinstance(moment, Automatic):
                raise BadDocument(f"unknown step {doc.step!r}", path="step")
            if (moment.phase or moment.id) != word:
                raise BadDocument(f"the step {doc.step!r} does not belong to that phase", path="step")
        at = doc.step or word
        if doc.mover and doc.mover != name and at not in _ANSWERS:
            raise BadDocument(f"in that step the {name} side decides", path="mover")
        if word == OVER.id:
            p.agenda = ()
            return
        side = SIDES.index(name)
        p.agenda = (Item(at, SIDES.index(doc.mover or name)),)
        if word == "combat" and at != "combat":
            p.agenda = (*p.agenda, Item("combat", side))

    def _replacements(self) -> None:
        p, doc = self.p, self.doc
        if p.stage == "replacement":
            if doc.points is None:
                p.go("replacement-roll")
            else:
                purse = Purse(doc.points, doc.rolled or doc.points)
                if not 0 <= purse.left <= purse.rolled:
                    raise BadDocument("the points left are 0 to those rolled", path="points")
                p.hold(purse)
        elif doc.points is not None:
            raise BadDocument("points are spent in a replacement phase", path="points")
        if doc.bought and _word(doc.phase) != "replacement":
            raise BadDocument("factors are bought in a replacement phase", path="bought")
        bought: list[tuple[int, int, Hex]] = []
        for index, entry in enumerate(doc.bought):
            path = f"bought[{index}]"
            u = self._unit(entry.unit, f"{path}.unit")
            h = self.hex(f"{path}.hex", entry.hex) if entry.hex else NOWHERE
            if (p.cf[u] == 0) != (h >= 0) or u in (v for v, _, _ in bought):
                raise BadDocument("a destroyed unit, and no other, is rebuilt in a hex, once", path=path)
            if not 1 <= entry.cf <= p.roster.units[u].cf - p.cf[u]:
                raise BadDocument(f"{entry.unit} lacks {p.roster.units[u].cf - p.cf[u]} factors", path=f"{path}.cf")
            bought.append((u, entry.cf, h))
        p.bought = tuple(sorted(bought))

    def _active(self) -> None:
        p, doc = self.p, self.doc
        if _word(doc.phase) not in ("movement", "combat", "hq-movement"):
            if doc.active is not None:
                raise BadDocument("nobody is activated in that phase", path="active")
            return
        given = [doc.active] if isinstance(doc.active, str) else doc.active
        active = Activation(p.on_map(p.side)) if given is None else self._activation(given)
        p.agenda = (*p.agenda[:-1], p.agenda[-1]._replace(matter=active))
        p.spent |= active.units
        if active.hq >= 0:
            p.hq_activated |= 1 << active.hq

    def _activation(self, given: list[str]) -> Activation:
        """The activated headquarters and units; a headquarters alone stands for all that obey it."""
        p, word = self.p, _word(self.doc.phase)
        units, hq = 0, -1
        for index, name in enumerate(given):
            path = f"active[{index}]"
            if name in p.roster.hq_index:
                if hq >= 0:
                    raise BadDocument("one headquarters is activated at a time", path=path)
                hq = p.roster.hq_index[name]
                if p.roster.hqs[hq].side != p.side:
                    raise BadDocument(f"{name} is not of that side", path=path)
                if len(given) == 1 and word != "hq-movement":
                    units = sum(1 << u for u in members(p.on_map(p.side) & ~p.uncommanded) if p.hq[u] == hq)
            else:
                u = self._unit(name, path)
                if p.roster.units[u].side != p.side:
                    raise BadDocument(f"{name} is not of that side", path=path)
                if p.hexes[u] < 0 and word == "movement":
                    raise BadDocument(f"{name} is not on the map", path=path)
                units |= 1 << u
        return Activation(units, hq)

    def _unit(self, name: str, path: str) -> int:
        return self.known(path, name, self.p.roster.index)

    def _air(self, name: str, path: str) -> int:
        return self.known(path, name, self.p.roster.air_index, "air unit")

    def _fight(self) -> None:
        """The combat in hand, in all steps of one and in no other."""
        p, fighting = self.p, len(self.p.agenda) > 1
        if self.doc.battle is not None:
            battle = self._battle(self.doc.battle)
            if not fighting:
                raise BadDocument("there is no battle in that step", path="battle")
            p.hold(battle)
        elif fighting:
            raise BadDocument("that step needs a battle", path="battle")

    def _battle(self, doc: BattleDoc) -> Battle:
        values: dict[str, Any] = {}
        for name in Battle.__struct_fields__:
            value: Any = getattr(doc, name)
            path = f"battle.{name}"
            if name in _UNIT_SETS:
                value = sum(1 << self._unit(unit, path) for unit in value)
            elif name == "air":
                value = sum(1 << self._air(unit, path) for unit in value)
            elif name == "prey":
                value = self.hexes(path, value)
            elif name in ("target", "refuge"):
                value = self.hex(path, value) if value else NOWHERE
            elif name == "trails":
                value = tuple((self.hex(path, a), self.hex(path, z)) for a, z in value)
            values[name] = value
        return Battle(**values)

    def _check_fighters(self, b: Battle | None) -> None:
        """Until somebody retreats, attackers stand next to the target and defenders in it; the dead nowhere."""
        p, ground = self.p, self.ground
        if b is None or (p.stage not in _ROLLING and p.stage not in _PAYING):
            return
        for path, units, side in (
            ("battle.attackers", b.attackers, p.side), ("battle.guns", b.guns, p.side),
            ("battle.defenders", b.defenders | b.defending_guns, enemy_of(p.side)),
        ):  # fmt: skip
            for u in members(units):
                h = p.hexes[u]
                if h < 0:
                    fits = p.stage in _PAYING
                elif side == p.side:
                    fits = ground.grid.adjacent(h, b.target) and ground.passable(h, b.target)
                else:
                    fits = h == b.target
                if not fits or p.roster.units[u].side != side:
                    raise BadDocument(f"{p.roster.units[u].id} cannot be in that combat", path=path)

    def _check_decision(self) -> None:
        """A position that nobody can go on from is refused."""
        p, b = self.p, self.p.battle
        where = "battle" if b is not None else "phase"
        if p.stage == "hq-movement" and (p.active_hq < 0 or p.hq_hex[p.active_hq] < 0):
            raise BadDocument("that phase needs an activated headquarters on the map", path="active")
        if p.stage == "compose" and b is not None and not p.at(b.target, enemy_of(p.side)):
            raise BadDocument("no enemy stands in the hex under attack", path="battle.target")
        if (
            b is not None
            and p.stage not in ("compose", "exploitation", "advance")
            and not (b.attackers and b.defenders)
        ):
            raise BadDocument("a combat in progress has attackers and defenders", path=where)
        self._check_fighters(b)
        if not p.agenda or isinstance(p.moment, Roll):
            return
        pending = b is None or {"losses": any(b.due), "penalty": b.penalty, "retreat": b.retreating}.get(p.stage, True)
        if not pending or next(iter(p.legal), None) is None:
            raise BadDocument("there is nothing to decide in that step", path=where)


_OPERATIONS = ("-activation", "-movement", "-combat")
"""How the phases are called in which units are commanded or not."""
_ANSWERS = ("support", "rating", "losses", "stand", "retreat", "penalty",
            *(moment.id for moment in SEQUENCE.moments.values() if isinstance(moment, Roll)))  # fmt: skip
"""Steps of a combat in which the other side may be the one to decide, or has just been."""
_ROLLING = ("compose", "command-roll", "support", "rating", "attack-die", "defence-die", "casualty-die")
"""Steps of a combat in which nobody has been lost."""
_PAYING = ("losses", "stand", "stand-die")
"""Steps in which some may have been, but nobody has left his hex."""
