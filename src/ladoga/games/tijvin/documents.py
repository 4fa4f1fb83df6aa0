"""Position documents: any situation as plain values, and back again.

Beside the keys of every game (game, scenario, turn, phase, options, map, units, dice) a document knows
``hqs`` (hex, activated, supplied, lost), ``air`` (air units used), ``weather``, ``control`` (hexes of German
ground, or ``all``), ``active`` (the activated headquarters or units), ``passed``, ``bonus``, ``points``,
``bought``, ``step`` (the exact step of a combat) and ``battle``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, cast

import msgspec

from ...hexes import NOWHERE, Hex, HexMask, members
from ...kernel.data import Strict, document_values, numbers, shape
from ...kernel.documents import (
    PRINTED,
    Reader,
    check_phase,
    check_turn,
    exclude,
    keys,
    marked,
    plain,
    require,
    stranger,
)
from ...kernel.errors import BadData, BadDocument
from ...kernel.map import GameMap, MapChange
from ...kernel.matters import HEX, HEX_SET, HEXES, Kind, Matter, as_it_is, kinds_of_units
from ...kernel.options import Value
from ...kernel.sequence import OVER, Automatic, Item, Roll
from .battle import Activation, Battle, Purse, Winner
from .book import ABSENT, DESTROYED, DUE, EDGES, ON_MAP, SIDES, Roster, Side, Unit, UnitType, enemy_of
from .ground import Ground
from .position import TijvinPosition
from .sequence import PHASE_IDS, SEQUENCE

if TYPE_CHECKING:
    from .game import Tijvin

FLAGS = {"activated": "spent"} | {
    name: name for name in ("moved", "attacked", "fired", "retreated", "shaken", "assigned", "delayed", "shifted")
}
"""What a document calls the marks of a unit, and what they are called here."""


PRINTED_FIGURES = ("side", "type", "efficiency", "movement", "support", "division", "arrives", "name", "full")
"""What a counter of the game says itself."""


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


_, _, UNIT_SET = kinds_of_units(lambda p, u: p.roster.units[u].id)
AIR_SET = Kind(
    list[str], lambda p, mask: [p.roster.air[i].id for i in members(mask)],
    lambda reader, path, names: sum(1 << reader.flight(name, path) for name in names),
)  # fmt: skip
TRAILS = Kind(
    list[tuple[str, str]], lambda p, trails: [tuple(HEXES.tell(p, trail)) for trail in trails],
    lambda reader, path, trails: tuple(HEXES.read(reader, path, trail) for trail in trails),
)  # fmt: skip
YES, NUMBER = as_it_is(bool), as_it_is(int)
PAIR = Kind(tuple[int, int], lambda _, pair: list(pair), lambda _, __, told: told, (0, 0))
"""A figure of the attacker and one of the defender, which are always told."""
BATTLE = Matter(
    Battle, target=HEX, attackers=UNIT_SET, guns=UNIT_SET, air=AIR_SET, defenders=UNIT_SET, defending_guns=UNIT_SET,
    exploitation=YES, pursuit=YES, routed=YES, reduced=YES, ratings=PAIR, dice=PAIR, winner=as_it_is(Winner),
    degree=NUMBER, due=PAIR, picked=NUMBER, hit=UNIT_SET, suffered=NUMBER, stood=YES, held=YES, retreating=UNIT_SET,
    penalty=NUMBER, group=UNIT_SET, refuge=HEX, retreated=UNIT_SET, trails=TRAILS, wiped_out=YES, advanced=UNIT_SET,
    exploiters=UNIT_SET, prey=HEX_SET,
)  # fmt: skip
"""A combat in progress."""


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
    battle: Any = None
    dice: list[int | str] = []


WORDS = {"document keys": keys(Doc), "unit keys": keys(UnitDoc), "headquarters keys": keys(HeadquartersDoc),
         "battle keys": keys(BATTLE.entry)}  # fmt: skip


# Writing --------------------------------------------------------------------------------------


def document(p: TijvinPosition) -> dict[str, Any]:
    """The position as plain values."""
    roster, grid, active = p.roster, p.ground.grid, [] if p.active_hq < 0 else [p.roster.hqs[p.active_hq].id]
    moving = p.active or (not active and p.phase.id.endswith(("-movement", "-combat")))
    points, rolled = p.purse if p.stage == "replacement" else (None, 0)
    units = {unit.id: _unit(p, u) for u, unit in enumerate(roster.units)}
    doc = Doc(
        p.game.id, p.scenario, p.turn, p.phase.id, dict(p.options), p.map.change,
        units={name: entry for name, entry in units.items() if entry is not None},
        hqs={hq.id: _headquarters(p, q) for q, hq in enumerate(roster.hqs)},
        air=[roster.air[i].id for i in members(p.air_used)], weather=p.weather,
        control=[grid.number(h) for h in grid.members(p.control)],
        active=[*active, *UNIT_SET.tell(p, p.active)] if moving else active[0] if active else None,
        passed=p.passed, bonus=cast(Any, p.bonus), points=points, rolled=rolled,
        bought=[BoughtDoc(roster.units[u].id, n, grid.number(h) if h >= 0 else "") for u, n, h in p.bought],
        step=p.stage if p.stage != _word(p.phase.id) else "",
        mover=cast(Any, p.mover) if p.agenda and p.mover != p.side else None,
        shown=None if p.shown is None else [grid.number(h) for h in grid.members(p.shown)],
        battle=None if p.battle is None else BATTLE.tell(p, p.battle), dice=list(p.dice),
    )  # fmt: skip
    return {**plain(doc), "turn": p.turn, "phase": p.phase.id}


def _unit(p: TijvinPosition, u: int) -> UnitDoc | None:
    unit, h, box, factors = p.roster.units[u], p.hexes[u], p.box[u], p.cf[u]
    if h < 0 and box == ABSENT:
        return None
    figures: dict[str, Any] = dict.fromkeys(marked(p, u, FLAGS), True)
    if unit.made_up:
        keys = ("side", "type", "efficiency", "movement", "division", "support", "arrives")
        name = "" if unit.name == unit.id else unit.name
        figures |= {key: getattr(unit, key) or None for key in keys}
        figures |= {"division": unit.division, "full": unit.cf, "name": name}
    due = "due" if unit.arrives <= p.turn or unit.made_up else ""
    told = (factors != unit.cf or unit.made_up) and (h >= 0 or box != DESTROYED)
    doc = UnitDoc(
        hex=p.ground.names[h] if h >= 0 else "",
        box="" if h >= 0 else {DESTROYED: "destroyed", **EDGES}.get(box, due),
        cf=f"{factors}?" if p.unknown >> u & 1 else factors if told else None,
        hq=p.roster.hqs[p.hq[u]].id if p.hq[u] != unit.hq else "",
        supplied=not p.unsupplied >> u & 1, commanded=False if p.uncommanded >> u & 1 else None,
        known=p.known[u] if p.known is not None and p.known[u] != factors else None,
        **figures,
    )  # fmt: skip
    return None if doc == UnitDoc() else doc


def _headquarters(p: TijvinPosition, q: int) -> HeadquartersDoc:
    number = p.ground.grid.number
    return HeadquartersDoc(
        number(p.hq_hex[q]) if p.hq_hex[q] >= 0 else "",
        number(p.hq_lost[q]) if p.hq_lost[q] >= 0 else "",
        not p.hq_unsupplied >> q & 1,
        bool(p.hq_activated >> q & 1),
    )


def _word(phase_id: str) -> str:
    return phase_id.removeprefix("german-").removeprefix("soviet-")


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
        self.battle = BATTLE.read(self, "battle", doc.battle) if doc.battle is not None else None

    def position(self) -> TijvinPosition:
        """The position."""
        p, doc = self.p, self.doc
        p.turn = doc.turn
        require(doc.weather in p.tables.weather.effects,
                f"unknown weather; known: {', '.join(p.tables.weather.effects)}", "weather")  # fmt: skip
        p.weather = doc.weather
        p.control = self._control()
        self._units()
        self._headquarters()
        self._stacking()
        self._phase()
        for index, name in enumerate(doc.air):
            flight = self.flight(name, f"air[{index}]")
            exclude(p.roster.air[flight].arrives > p.turn, f"{name} has not arrived yet", f"air[{index}]")
            p.air_used |= 1 << flight
        p.passed, p.bonus = doc.passed, doc.bonus
        self._replacements()
        self._active()
        self._fight()
        p.dice = tuple(map(str, doc.dice))
        if doc.shown is not None:
            require(p.fog, "zones are shown under fog of war only", "shown")
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
        path, gun, tables = f"units.{name}", spec.type == "artillery", self.game.book.tables
        if spec.side is None or spec.type is None or (spec.cf is None and spec.full is None and not gun):
            raise BadDocument(stranger("side, type and cf"), path=path)
        self.check_name(name, path)
        exclude(name in printed, "a headquarters or an air unit is called so", path)
        factors = next((given for given in (spec.full, spec.cf) if given is not None), 1)
        if not isinstance(factors, int) or not 1 <= factors <= tables.stacking.limit:
            raise BadDocument(f"a unit has 1 to {tables.stacking.limit} factors", path=f"{path}.cf")
        efficiency = 1 if spec.efficiency is None else spec.efficiency
        movement = tables.movement.of(spec.side, spec.type) if spec.movement is None else spec.movement
        exclude(not 1 <= efficiency <= 9 or not 1 <= movement <= 20, "efficiency is 1 to 9 and movement 1 to 20", path)
        support = 0 if not gun else 1 if spec.support is None else spec.support
        exclude(gun and factors != 1, "artillery has 1 factor", f"{path}.cf")
        exclude(gun and not 1 <= support <= 9, "artillery supports with 1 to 9", f"{path}.support")
        exclude(not gun and spec.support, "only artillery supports", f"{path}.support")
        if spec.arrives:
            check_turn(spec.arrives, self.game.turns, f"{path}.arrives")
        return Unit(
            name, spec.name or name, spec.side, spec.type, factors, efficiency, movement,
            printed.hqs_of[spec.side][0], support, spec.division, spec.arrives or 0, made_up=True,
        )  # fmt: skip

    def _hq_number(self, name: str, side: str, path: str) -> int:
        printed = self.game.book.roster
        known = {printed.hqs[q].id: q for q in printed.hqs_of[side]}
        require(name in known, f"no {side} headquarters {name!r}; there are: {', '.join(known)}", f"{path}.hq")
        return known[name]

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
            for key in PRINTED_FIGURES if not unit.made_up else ():
                require(getattr(spec, key) in (None, ""), PRINTED, f"{path}.{key}")
            self._strength(u, spec, path)
            if spec.hq:
                p.hq[u] = self._hq_number(spec.hq, unit.side, path)
            self._place(u, spec, path)
            if not spec.supplied:
                p.unsupplied |= 1 << u
            if self._astray(u, spec) if spec.commanded is None else not spec.commanded:
                p.uncommanded |= 1 << u
            self.mark(p, u, spec, FLAGS)
            if p.known is not None:
                p.known[u] = spec.known if spec.known is not None else p.cf[u]
                require(0 <= p.known[u] <= unit.cf, f"{unit.name} has at most {unit.cf} factors", f"{path}.known")
            elif spec.known is not None:
                raise BadDocument("reckoned factors need fog of war", path=f"{path}.known")

    def _astray(self, u: int, spec: UnitDoc) -> bool:
        """Whether a unit on the map has lost its headquarters before it could act (11)."""
        hq = self.doc.hqs.get(self.p.roster.hqs[self.p.hq[u]].id, HeadquartersDoc())
        return bool(spec.hex and hq.lost) and not hq.activated and self.doc.phase.endswith(_OPERATIONS)

    def _strength(self, u: int, spec: UnitDoc, path: str) -> None:
        p, unit, given = self.p, self.p.roster.units[u], spec.cf
        if given is None:
            return
        if isinstance(given, str):
            exclude(not given.endswith("?") or not given[:-1].isdecimal(),
                    "factors are a number, or a reckoned number such as 5?", f"{path}.cf")  # fmt: skip
            exclude(p.known is None, "reckoned factors need fog of war", f"{path}.cf")
            p.unknown |= 1 << u
            given = int(given[:-1])
        require(0 <= given <= unit.cf, f"{unit.name} has at most {unit.cf} factors", f"{path}.cf")
        p.cf[u] = given

    def _place(self, u: int, spec: UnitDoc, path: str) -> None:
        p, boxes = self.p, {"destroyed": DESTROYED, "due": DUE} | {name: box for box, name in EDGES.items()}
        exclude(spec.box and spec.hex, "a unit is in a hex or in a box, not in both", path)
        exclude(
            spec.box and spec.box not in boxes, f"boxes are: due, destroyed, {', '.join(EDGES.values())}", f"{path}.box"
        )
        if spec.hex:
            h, side = self.hex(f"{path}.hex", spec.hex), p.roster.units[u].side
            require(self.ground.land >> h & 1, f"{spec.hex} is water", f"{path}.hex")
            exclude(p.cf[u] == 0, "a unit on the map has factors", f"{path}.cf")
            p.hexes[u], p.box[u] = h, ON_MAP
            p.control = p.control | 1 << h if side == "german" else p.control & ~(1 << h)
            return
        exclude(not spec.box and p.cf[u] and p.box[u] == ABSENT,
                "a unit that has arrived stands in a hex or is in a box", path)  # fmt: skip
        p.box[u] = boxes.get(spec.box, p.box[u] if p.cf[u] else DESTROYED)
        p.cf[u] = 0 if spec.box == "destroyed" else p.cf[u]

    def _headquarters(self) -> None:
        p = self.p
        for name, spec in self.doc.hqs.items():
            path = f"hqs.{name}"
            q = p.roster.hq_index.get(name, -1)
            exclude(q < 0, f"there is no headquarters {name!r}", path)
            if spec.hex:
                p.hq_hex[q] = self.hex(f"{path}.hex", spec.hex)
                require(self.ground.land >> p.hq_hex[q] & 1, f"{spec.hex} is water", f"{path}.hex")
            if spec.lost:
                p.hq_lost[q] = self.hex(f"{path}.lost", spec.lost)
            exclude(spec.hex and spec.lost, "a headquarters on the map is not lost", path)
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
                told = f"{p.stacked(h, side)} factors stand in {self.grid.number(h)}"
                over = p.room(h, side) < 0 and h != spared
                exclude(over, f"{told}, the limit is {p.tables.stacking.limit}", "units")
            for q in p.roster.hqs_of[side]:
                exclude(p.hq_hex[q] >= 0 and p.occupied(enemy_of(side)) >> p.hq_hex[q] & 1,
                        "an enemy stands on that headquarters", f"hqs.{p.roster.hqs[q].id}")  # fmt: skip

    def _overfull(self, side: str) -> Hex:
        """The one hex in which too many factors of a side may stand for the moment: where it moves, or where
        those who retreated have yet to pay for it (4, 13 V)."""
        p = self.p
        if self.battle is not None:
            return self.battle.refuge
        if self.doc.phase != f"{side}-movement":
            return NOWHERE
        return next((h for h in members(p.occupied(side)) if p.room(h, side) < 0), NOWHERE)

    def _phase(self) -> None:
        """What is due, and whose it is; the matter in hand is read later."""
        p, doc, word = self.p, self.doc, _word(self.doc.phase)
        check_phase(doc.phase, PHASE_IDS)
        name = p.tables.initiative(p.turn) if word == doc.phase else doc.phase.removesuffix(f"-{word}")
        if doc.step:
            moment = SEQUENCE.moments.get(doc.step)
            if moment is None or isinstance(moment, Automatic):
                raise BadDocument(f"unknown step {doc.step!r}", path="step")
            require((moment.phase or moment.id) == word, f"the step {doc.step!r} does not belong to that phase", "step")
        at, fighting = doc.step or word, (Item("combat", SIDES.index(name)),) if word == "combat" else ()
        exclude(
            doc.mover and doc.mover != name and at not in _ANSWERS, f"in that step the {name} side decides", "mover"
        )
        now = Item(at, SIDES.index(doc.mover or name))
        p.agenda = () if word == OVER.id else (now, *fighting) if at != "combat" else (now,)

    def _replacements(self) -> None:
        p, doc = self.p, self.doc
        if p.stage == "replacement":
            if doc.points is None:
                p.go("replacement-roll")
            else:
                purse = Purse(doc.points, doc.rolled or doc.points)
                require(0 <= purse.left <= purse.rolled, "the points left are 0 to those rolled", "points")
                p.hold(purse)
        elif doc.points is not None:
            raise BadDocument("points are spent in a replacement phase", path="points")
        exclude(doc.bought and _word(doc.phase) != "replacement", "factors are bought in a replacement phase", "bought")
        bought: list[tuple[int, int, Hex]] = []
        for index, entry in enumerate(doc.bought):
            path = f"bought[{index}]"
            u = self.unit(f"{path}.unit", entry.unit)
            h = self.hex(f"{path}.hex", entry.hex) if entry.hex else NOWHERE
            exclude((p.cf[u] == 0) != (h >= 0) or u in (v for v, _, _ in bought),
                    "a destroyed unit, and no other, is rebuilt in a hex, once", path)  # fmt: skip
            require(1 <= entry.cf <= p.roster.units[u].cf - p.cf[u],
                    f"{entry.unit} lacks {p.roster.units[u].cf - p.cf[u]} factors", f"{path}.cf")  # fmt: skip
            bought.append((u, entry.cf, h))
        p.bought = tuple(sorted(bought))

    def _active(self) -> None:
        p, doc = self.p, self.doc
        if _word(doc.phase) not in ("movement", "combat", "hq-movement"):
            exclude(doc.active is not None, "nobody is activated in that phase", "active")
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
                exclude(hq >= 0, "one headquarters is activated at a time", path)
                hq = p.roster.hq_index[name]
                require(p.roster.hqs[hq].side == p.side, f"{name} is not of that side", path)
                if len(given) == 1 and word != "hq-movement":
                    units = sum(1 << u for u in members(p.on_map(p.side) & ~p.uncommanded) if p.hq[u] == hq)
            else:
                u = self.unit(path, name)
                require(p.roster.units[u].side == p.side, f"{name} is not of that side", path)
                exclude(p.hexes[u] < 0 and word == "movement", f"{name} is not on the map", path)
                units |= 1 << u
        return Activation(units, hq)

    def unit(self, path: str, name: str) -> int:
        """A unit by its name."""
        return self.known(path, name, self.p.roster.index)

    def flight(self, name: str, path: str) -> int:
        """An air unit by its name."""
        return self.known(path, name, self.p.roster.air_index, "air unit")

    def _fight(self) -> None:
        """The combat in hand, in all steps of one and in no other."""
        fighting = len(self.p.agenda) > 1
        exclude(fighting and self.battle is None, "that step needs a battle", "battle")
        exclude(self.battle is not None and not fighting, "there is no battle in that step", "battle")
        if self.battle is not None:
            self.p.hold(self.battle)

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
                exclude(
                    not fits or p.roster.units[u].side != side, f"{p.roster.units[u].id} cannot be in that combat", path
                )

    def _check_decision(self) -> None:
        """A position that nobody can go on from is refused."""
        p, b = self.p, self.p.battle
        where = "battle" if b is not None else "phase"
        exclude(p.stage == "hq-movement" and (p.active_hq < 0 or p.hq_hex[p.active_hq] < 0),
                "that phase needs an activated headquarters on the map", "active")  # fmt: skip
        exclude(p.stage == "compose" and b is not None and not p.at(b.target, enemy_of(p.side)),
                "no enemy stands in the hex under attack", "battle.target")  # fmt: skip
        exclude(
            b is not None
            and p.stage not in ("compose", "exploitation", "advance")
            and not (b.attackers and b.defenders),
            "a combat in progress has attackers and defenders",
            where,
        )
        self._check_fighters(b)
        if not p.agenda or isinstance(p.moment, Roll):
            return
        pending = b is None or {"losses": any(b.due), "penalty": b.penalty, "retreat": b.retreating}.get(p.stage, True)
        exclude(not pending or next(iter(p.legal), None) is None, "there is nothing to decide in that step", where)


_OPERATIONS = ("-activation", "-movement", "-combat")
"""How the phases are called in which units are commanded or not."""
_ANSWERS = ("support", "rating", "losses", "stand", "retreat", "penalty",
            *(moment.id for moment in SEQUENCE.moments.values() if isinstance(moment, Roll)))  # fmt: skip
"""Steps of a combat in which the other side may be the one to decide, or has just been."""
_ROLLING = ("compose", "command-roll", "support", "rating", "attack-die", "defence-die", "casualty-die")
"""Steps of a combat in which nobody has been lost."""
_PAYING = ("losses", "stand", "stand-die")
"""Steps in which some may have been, but nobody has left his hex."""
