"""Position documents: any situation as plain values, and back to the same position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, cast, get_args

import msgspec
from msgspec.structs import replace

from ...hexes import NOWHERE, mask_of, members
from ...kernel.data import Strict, shape
from ...kernel.documents import PRINTED, Head, Reader, exclude, keys, marked, plain, require, said, stranger
from ...kernel.errors import BadDocument
from ...kernel.matters import HEXES, Kind, Matter, as_it_is, kinds_of_units
from ...kernel.position import Refusal, why_refused
from . import air, bidding, combat, reinforcements
from .edition import GERMAN, SIDES, SOVIET, Arrival, Side, UnitSpec, UnitType, halves
from .fight import Auction, Fight
from .pieces import DEAD, Piece, Slot
from .position import LeningradPosition

if TYPE_CHECKING:
    from .game import Leningrad


MARKS = {name: name for name in ("moved", "stepped", "attacked", "defended", "displaced")}


class UnitEntry(Strict):
    """A unit of a document: a printed one by its id, an untried piece (``i1``, ``a1``), or a made-up one."""

    hex: str = ""
    steps: int | None = None
    eliminated: bool = False
    was: str = ""
    """The untried piece a revealed Soviet unit turned out to be, such as ``i7``."""
    due: str = ""
    """Line of the reinforcement schedule it waits for."""
    since: int | None = None
    """Turn in which it entered its hex or was reduced (16.6)."""
    fought: bool = False
    """It is since then that it has not fought in its hex (14.9)."""
    moved: bool = False
    left: str | int | float = ""
    """Points left, for units of the group now moving."""
    stack: int = 0
    """Units now moving that have moved together all the way have the same number (7.4)."""
    stepped: bool = False
    """Has entered a hex in this phase (13.4)."""
    attacked: bool = False
    defended: bool = False
    displaced: bool = False
    side: str = ""
    type: str = ""
    combat: int | None = None
    """The one strength of a German unit, for attack and defence alike (2.5)."""
    attack: int | None = None
    defence: int | None = None
    movement: int | None = None
    corps: str = ""
    reduced: tuple[int, int, int] | None = None
    untried: bool = False
    """A made-up Soviet unit whose strength is still to be drawn (14.0)."""


NUMBER = as_it_is(int)
_, UNITS, _ = kinds_of_units(lambda pos, slot: pos.name(slot))


def _result(reader: Reader, path: str, told: str) -> tuple[str, str]:
    defender, slash, attacker = told.partition("/")
    require(slash and defender in "-12E" and attacker in "-12E", f"{told!r} is not a result such as 1/-", path)
    return defender, attacker


FIGHT = Matter(
    Fight, stage=as_it_is(Literal["compose", "air", "reveal", "roll", "defend", "attack", "advance", "counter"]),
    targets=HEXES, origins=HEXES, posts=HEXES, passed=HEXES, attackers=UNITS, defenders=UNITS, bystanders=UNITS,
    retreated=UNITS, advanced=UNITS, overrun=as_it_is(bool, False), air=NUMBER, guard_air=NUMBER,
    column=Kind(int | None, lambda _, column: column or None, lambda _, __, told: told or 0),
    toll=NUMBER, retreat=NUMBER, result=Kind(str, lambda _, codes: "/".join(codes), _result),
)  # fmt: skip
"""A combat in hand."""


class Document(Head):
    """A position document of Leningrad."""

    units: dict[str, Any] = {}
    forts: list[str] = []
    forts_used: int | None = None
    forts_placed: int = 0
    air_used: int = 0
    interdiction: dict[str, int] = {}
    on_time: int = 0
    rebuilt: int = 0
    origin: str = ""
    surplus: bool = False
    bids: list[int] = []
    """Bids for the German side written down so far, that of the German seat first (18.4)."""
    swapped: bool = False
    """The players have changed seats, because the bid of the Soviet seat won."""
    fight: Any = None
    dice: list[int | str] = []


WORDS = {"document keys": keys(Document), "unit keys": keys(UnitEntry), "fight keys": keys(FIGHT.entry)}


def read(game: Leningrad, raw: Any) -> LeningradPosition:
    """The position a document describes; errors name the path of the bad value."""
    return _Reader(game, shape(raw, Document, error=BadDocument)).position


class _Reader(Reader):
    """Builds a position from a document, refusing what cannot be."""

    def __init__(self, game: Leningrad, doc: Document) -> None:
        self.game, self.doc = game, doc
        scenario, options = game.settled_in_document(doc.scenario, doc.options)
        game_map = game.map.changed(doc.map, error=BadDocument)
        pos = self.position = game.empty(game_map, scenario, options)
        self.grid = game_map.grid
        steps = {phase.id: step for step, phase in game.phase_at.items()}
        doc.check_moment(game.turns, steps)
        pos.turn = doc.turn
        pos.enter(*steps[doc.phase])
        self.entries = {
            name: self.entry(shape(entry, UnitEntry, error=BadDocument, path=f"units.{name}"), f"units.{name}")
            for name, entry in doc.units.items()
        }
        for name, entry in self.entries.items():
            self.place(name, entry)
        self.spare_counters()
        self.state()
        self.auction()
        self.check_stacking()
        self.check_counters()
        exclude(reinforcements.spare_dead(pos) < 0,
                "no eliminated division is left to raise all those late arrivals from", "units")  # fmt: skip
        exclude(pos.to_move in SIDES and not pos.legal, "no order is possible in such a position", "phase")
        pos.dice = tuple(map(str, doc.dice))
        for index, result in enumerate(pos.dice):
            require(result.rpartition(" ")[2] in {*"123456", *game.counter_numbers, *SIDES},
                    "expected a face of the die, 1 to 6, or a unit that is drawn", f"dice[{index}]")  # fmt: skip

    # Units ------------------------------------------------------------------------------------

    def entry(self, entry: UnitEntry, path: str) -> UnitEntry:
        """An entry in which the combat strength of a made-up German unit stands for attack and defence (2.5)."""
        if entry.combat is None:
            return entry
        exclude(entry.side != "german" or entry.attack is not None or entry.defence is not None,
                "only a made-up German unit has it, instead of attack and defence", f"{path}.combat")  # fmt: skip
        require(1 <= entry.combat <= 99, "expected 1 to 99", f"{path}.combat")
        return msgspec.structs.replace(entry, combat=None, attack=entry.combat, defence=entry.combat)

    def place(self, name: str, entry: UnitEntry) -> None:
        pos, path = self.position, f"units.{name}"
        slot = self.slot(name, entry, path)
        piece = pos.pieces[slot]
        spec = pos.spec(slot)
        most = spec.full_steps if spec else 1
        steps = most if entry.steps is None else entry.steps
        require(1 <= steps <= most, f"{name} has 1 to {most} steps, not {steps}", f"{path}.steps")
        pos.steps[slot] = steps
        exclude(bool(entry.hex) + entry.eliminated + bool(entry.due) > 1,
                "a unit is in a hex, or eliminated, or due: one of them", path)  # fmt: skip
        if entry.due:
            self.due(slot, entry.due, f"{path}.due")
        elif entry.eliminated:
            pos.hexes[slot] = DEAD
        elif entry.hex:
            h = self.hex(f"{path}.hex", entry.hex)
            require(pos.ground.land >> h & 1, f"{entry.hex} is all water", f"{path}.hex")
            there = pos.side_at(h)
            exclude(there is not None and there != piece.side, f"an enemy unit is in {entry.hex}", f"{path}.hex")
            pos.put(slot, h)
        since = pos.turn if entry.since is None else entry.since
        require(0 <= since <= pos.turn, f"expected a turn up to {pos.turn}", f"{path}.since")
        pos.since[slot] = since
        exclude(entry.was and name not in self.game.counter_numbers, "only a revealed Soviet unit was an untried piece",
                f"{path}.was")  # fmt: skip
        exclude(entry.fought and not (piece.side == GERMAN and steps == 1 and entry.hex),
                "only a reduced German unit on the map waits to be rebuilt", f"{path}.fought")  # fmt: skip
        self.mark(pos, slot, entry, {"fought": "fought", **MARKS})
        if entry.left != "":
            self.left(slot, str(entry.left), entry.stack, f"{path}.left")

    def left(self, slot: Slot, left: str, stack: int, path: str) -> None:
        pos = self.position
        try:
            points = halves(left)
        except (ValueError, ZeroDivisionError):
            raise BadDocument(f"{left!r} is not a number of points", path=path) from None
        exclude(not pos.phase.id.endswith("movement") or pos.pieces[slot].side != pos.mover or pos.hexes[slot] < 0,
                "only a unit of the side that moves, on the map, has points left", path)  # fmt: skip
        require(0 <= points <= 2 * pos.pieces[slot].movement, f"expected 0 to {pos.pieces[slot].movement} points", path)
        pos.active = {**pos.active, slot: points}
        pos.stacks = {**pos.stacks, slot: stack}
        pos.moved |= 1 << slot

    def slot(self, name: str, entry: UnitEntry, path: str) -> Slot:
        """The piece of a name: one of the roster, one that turned out to be a printed Soviet unit, or a made-up one."""
        game, figures = self.game, (entry.side, entry.type, entry.attack, entry.defence, entry.movement)
        if name not in game.slots and name not in game.counter_numbers:
            if entry.untried:
                return self.made_up_untried(name, entry, path)
            exclude(any(value in ("", None) for value in figures),
                    stranger("side, type, attack and defence (or combat), and movement"), path)  # fmt: skip
            return self.made_up(name, entry, path)
        exclude(any(value not in ("", None) for value in figures) or entry.corps or entry.reduced or entry.untried,
                PRINTED, path)  # fmt: skip
        if name in game.slots:
            return game.slots[name]
        mobile = game.edition.units[name].type != "infantry"
        slot = self.was(entry.was, mobile, f"{path}.was") if entry.was else self.unrevealed(mobile, path)
        self.position.turn_over(slot, game.counter_numbers[name])
        return slot

    def unrevealed(self, mobile: bool, path: str) -> Slot:
        """Some untried piece of a kind that the document does not name."""
        taken = {self.game.slots[n] for n in self.doc.units if n in self.game.slots}
        taken |= {self.game.slots[e.was] for e in self.entries.values() if e.was in self.game.slots}
        pos = self.position
        free = [s for s, p in enumerate(pos.pieces) if p.spec is None and not p.recycled and p.mobile == mobile
                and pos.faces[s] < 0 and s not in taken]  # fmt: skip
        require(free, "there are more Soviet units than counters", path)
        return free[0]

    def was(self, untried: str, mobile: bool, path: str) -> Slot:
        """The untried piece that a revealed unit was, which may have been made up."""
        pos, game = self.position, self.game
        known = untried in game.slots or untried in self.doc.units
        slot = game.slots.get(untried, -1)
        unfit = slot < 0 or pos.pieces[slot].spec is not None or pos.pieces[slot].mobile != mobile
        exclude(unfit if known else untried in pos.by_name or untried in game.counter_numbers,
                f"{untried!r} is not an untried piece of that kind", path)  # fmt: skip
        exclude(known and (pos.faces[slot] >= 0 or untried in self.doc.units), f"{untried} is named twice", path)
        return slot if known else self.untried_piece(untried, mobile, path)

    def made_up_untried(self, name: str, entry: UnitEntry, path: str) -> Slot:
        """A made-up unit of which only the kind is known; its strength will be that of a printed counter (14.0)."""
        self.words(entry, path)
        require(entry.side == "soviet", "only Soviet units are untried", f"{path}.untried")
        exclude(entry.attack is not None or entry.defence is not None or entry.corps or entry.reduced,
                "an untried unit has no strengths yet: leave attack and defence out", f"{path}.untried")  # fmt: skip
        slot = self.untried_piece(name, entry.type != "infantry", path)
        movement = self.position.pieces[slot].movement
        require(entry.movement in (None, movement), f"expected {movement}, as all untried units of that kind have",
                f"{path}.movement")  # fmt: skip
        return slot

    def untried_piece(self, name: str, mobile: bool, path: str) -> Slot:
        movement = next(p.movement for p in self.game.roster if p.spec is None and p.mobile == mobile)
        return self.piece(Piece(name, SOVIET, mobile, movement, None, -1), path)

    def words(self, entry: UnitEntry, path: str) -> None:
        for key, word, known in (("side", entry.side, SIDES), ("type", entry.type, get_args(UnitType))):
            require(word in known, f"expected one of {', '.join(known)}, got {word!r}", f"{path}.{key}")

    def made_up(self, name: str, entry: UnitEntry, path: str) -> Slot:
        assert entry.attack is not None
        assert entry.defence is not None
        assert entry.movement is not None
        self.words(entry, path)
        exclude(entry.corps and entry.side != "german", "only German units belong to a panzer corps", f"{path}.corps")
        for figure in ("attack", "defence", "movement"):
            least = 0 if figure == "movement" else 1
            require(least <= getattr(entry, figure) <= 99, f"expected {least} to 99", f"{path}.{figure}")
        reduced = entry.reduced
        exclude(reduced is not None and (min(reduced[:2]) < 1 or max(reduced[:2]) > 99 or reduced[2] != entry.movement),
                "expected strengths of 1 to 99 and the movement of the full face", f"{path}.reduced")  # fmt: skip
        if reduced is None and entry.side == "german":
            reduced = ((entry.attack + 1) // 2, (entry.defence + 1) // 2, entry.movement)
        spec = UnitSpec(
            side=cast(Side, entry.side), type=cast(UnitType, entry.type), attack=entry.attack, defence=entry.defence,
            movement=entry.movement, from_="judged", name=name, corps=entry.corps, reduced=reduced,
            why="made up for this position",
        )  # fmt: skip
        side = SIDES.index(entry.side)
        return self.piece(Piece(name, side, entry.type != "infantry", entry.movement, spec, -1), path)

    def piece(self, piece: Piece, path: str) -> Slot:
        """A piece more than the roster has."""
        pos, name = self.position, piece.name
        require(name.replace("/", "").replace("-", "").isalnum(), "a unit's name is letters, figures, / and -", path)
        pos.pieces += (piece,)
        for state, value in ((pos.hexes, NOWHERE), (pos.steps, 1), (pos.faces, -1), (pos.since, pos.turn)):
            state.append(value)
        pos.by_name[name] = len(pos.labels)
        pos.labels.append(name)
        return len(pos.pieces) - 1

    def due(self, slot: Slot, due: str, path: str) -> None:
        pos, arrivals = self.position, self.game.edition.scenario.arrivals
        lines = [arrival.id for arrival in arrivals]
        require(due in lines, f"the schedule has no line {due!r}; lines: {', '.join(lines)}", path)
        number = lines.index(due)
        require(arrivals[number].side == SIDES[pos.pieces[slot].side], f"{due} is not for this side", path)
        require(self.brought(pos.pieces[slot], arrivals[number]), f"{due} does not bring {pos.name(slot)}", path)
        pieces = list(pos.pieces)
        pieces[slot] = replace(pieces[slot], arrival=number)
        pos.pieces = tuple(pieces)
        pos.reserve = tuple(sorted((*pos.reserve, slot), key=lambda s: (arrivals[pieces[s].arrival].turn, s)))

    def brought(self, piece: Piece, arrival: Arrival) -> bool:
        """Whether a line of the schedule brings such a unit: of the kind it names, and of the panzer corps."""
        if piece.side == SOVIET:
            return bool(arrival.armor if piece.mobile else arrival.infantry)
        named = [self.game.units[name] for name in arrival.units]
        return piece.spec is not None and (piece.spec.type, piece.spec.corps) in [(u.type, u.corps) for u in named]

    # State ------------------------------------------------------------------------------------

    def state(self) -> None:
        pos, doc = self.position, self.doc
        for index, number in enumerate(doc.forts):
            h = self.hex(f"forts[{index}]", number)
            exclude(pos.forts >> h & 1, f"{number} has a fort already", f"forts[{index}]")
            exclude(pos.crowd[GERMAN][0] >> h & 1, f"a German unit is in {number}", f"forts[{index}]")
            require(pos.ground.land >> h & 1, f"{number} is all water", f"forts[{index}]")
            pos.forts |= 1 << h
        pos.forts_used = len(doc.forts) if doc.forts_used is None else doc.forts_used
        pos.forts_placed = doc.forts_placed
        scenario = self.game.edition.scenario
        all_forts = sum(scenario.forts.values())
        exclude(len(doc.forts) > all_forts, f"there are {all_forts} forts in all, not {len(doc.forts)}", "forts")
        require(
            len(doc.forts) <= pos.forts_used <= all_forts, f"expected {len(doc.forts)} to {all_forts}", "forts_used"
        )
        army = sum(a.infantry + a.armor for a in scenario.arrivals if a.bonus)
        for key, value, most in (
            ("forts_placed", doc.forts_placed, scenario.forts_per_turn),
            ("on_time", doc.on_time, army),
            ("rebuilt", doc.rebuilt, 999),
            ("air_used", doc.air_used, 2),
        ):
            require(0 <= value <= most, f"expected 0 to {most}", key)
        pos.air_used = doc.air_used
        air_on = {self.hex("interdiction", number): units for number, units in doc.interdiction.items()}
        exclude(any(units < 1 for units in air_on.values()), "air units are counted from 1", "interdiction")
        if sum(air_on.values()) + doc.air_used > air.at_hand(pos):
            units = f"{air.at_hand(pos)} German air {'unit has' if air.at_hand(pos) == 1 else 'units have'}"
            key = "interdiction" if air_on else "air_used"
            raise BadDocument(
                f"{units} arrived by turn {pos.turn}, and no more may be used in combat or interdict", path=key
            )
        pos.place_air(air_on)
        pos.on_time, pos.rebuilt = doc.on_time, doc.rebuilt
        pos.origin = self.hex("origin", doc.origin) if doc.origin else NOWHERE
        if doc.surplus and pos.agenda:
            pos.interrupt("removal", 1 - pos.mover)
        if doc.fight is not None:
            self.in_hand()

    def in_hand(self) -> None:
        """A fight that interrupts the phase, at the stage of it that its document names."""
        pos, entry = self.position, FIGHT.shaped("fight", self.doc.fight)
        require(entry.targets, "an attack has a target", "fight.targets")
        fight, stage = FIGHT.made(self, "fight", entry, side=pos.mover), entry.stage
        self.check_fight(fight, stage)
        fight = self.composing(fight) if stage == "compose" else self.announced(fight, stage, entry.column)
        sides = {"air": GERMAN, "defend": 1 - fight.side, "counter": 1 - fight.side}
        pos.interrupt(stage, sides.get(stage, fight.side), fight)

    def auction(self) -> None:
        """The bids that a phase of bidding needs, and no other has (18.4)."""
        pos, bids = self.position, self.doc.bids
        secret = pos.options.bid == bidding.SECRET
        require(
            secret == pos.sides_open, "a secret bid belongs to the phases of bidding alone", f"options.{bidding.OPTION}"
        )
        wanted = {"soviet-bid": 1, "lot": 2}.get(pos.phase.id, 0)
        exclude(len(bids) != wanted or (wanted == 2 and bids[0] != bids[1]),
                f"expected {('no bid', 'one bid', 'two equal bids')[wanted]} in this phase", "bids")  # fmt: skip
        for index, bid in enumerate(bids):
            require(0 <= bid <= bidding.MOST, f"expected 0 to {bidding.MOST}", f"bids[{index}]")
        exclude(self.doc.swapped and (pos.sides_open or bidding.OPTION not in self.game.options),
                "seats change only when a bid has won", "swapped")  # fmt: skip
        if pos.sides_open or self.doc.swapped:
            pos.auction = Auction(tuple(bids), self.doc.swapped)

    def unit(self, path: str, name: str) -> Slot:
        """A piece by the name that it has now."""
        try:
            return self.position.slot(name)
        except ValueError as problem:
            raise BadDocument(str(problem), path=path) from None

    def check_fight(self, fight: Fight, stage: str) -> None:
        """A combat that can have arisen: in the right phase, with units that can be in it."""
        pos = self.position
        require(pos.phase.id.endswith("movement" if fight.overrun else "combat"),
                f"{'an overrun' if fight.overrun else 'an attack'} cannot be in hand in this phase",
                "fight")  # fmt: skip
        for field, value, most in (("air", fight.air, 2), ("guard_air", fight.guard_air, 2), ("toll", fight.toll, 2),
                                   ("retreat", fight.retreat, 2)):  # fmt: skip
            require(0 <= value <= most, f"expected 0 to {most}", f"fight.{field}")
        for field, slots, side in (
            ("attackers", fight.attackers, fight.side),
            ("defenders", fight.defenders, 1 - fight.side),
        ):
            for slot in slots:
                require(pos.pieces[slot].side == side, f"{pos.name(slot)} is on the other side", f"fight.{field}")
                untouched = stage in ("compose", "air", "reveal", "roll") or (stage, field) == ("defend", "attackers")
                exclude(untouched and pos.hexes[slot] < 0, f"{pos.name(slot)} is not on the map", f"fight.{field}")

    def allowed(self, path: str, refused: Refusal | None) -> None:
        if refused is not None:
            raise BadDocument(refused.message, path=path)

    def composing(self, fight: Fight) -> Fight:
        """An attack that is being composed, held to the rules for each of its steps (8.0, 8.5, 13.1)."""
        pos, so_far = self.position, None
        exclude(fight.overrun, "an overrun is not composed", "fight.overrun")
        for index, h in enumerate(fight.targets):
            self.allowed(f"fight.targets[{index}]", why_refused(combat.check_target, pos, so_far, h))
            so_far = Fight(False, fight.side, fight.targets[: index + 1])
        for index, slot in enumerate(fight.attackers):
            exclude(
                slot in fight.attackers[:index], f"{pos.name(slot)} takes part already", f"fight.attackers[{index}]"
            )
            self.allowed(f"fight.attackers[{index}]", combat.why_no_attacker(pos, fight.targets, slot))
        self.allowed("fight.air", air.why_no_air(pos, fight.side, fight.air))
        return replace(fight, attackers=tuple(sorted(fight.attackers)))

    def announced(self, fight: Fight, stage: str, column: int | None) -> Fight:
        """A combat that can no longer be called off; what follows from where the units stand may be left out."""
        pos = self.position
        if not (fight.defenders or fight.origins or fight.posts) and stage not in ("advance", "counter"):
            self.check_posts(fight)
            fight = combat.manned(pos, replace(fight, attackers=tuple(sorted(fight.attackers))))
        elif stage in ("air", "reveal", "roll"):
            self.check_posts(fight)
        exclude(len(fight.origins) != len(fight.attackers) or len(fight.posts) != len(fight.defenders),
                "every attacker has its origin, every defender its post", "fight")  # fmt: skip
        exclude(not fight.attackers or not fight.defenders, "a fight has attackers and defenders", "fight")
        exclude(fight.air + fight.guard_air > pos.air_used,
                f"expected {fight.air + fight.guard_air} at least, those in the fight", "air_used")  # fmt: skip
        exclude(stage == "air" and fight.side == GERMAN, "the Germans are asked for air units when they are attacked",
                "fight.stage")  # fmt: skip
        exclude((stage == "reveal") != bool(pos.hidden(fight)) and stage != "air",
                "untried units are revealed first, and only then", "fight.stage")  # fmt: skip
        if stage == "roll" and column is None:
            fight = replace(fight, column=combat.column(pos, fight))
        if stage in ("defend", "attack") and not (fight.toll or fight.retreat):
            code = fight.result[0 if stage == "defend" else 1]
            require(code in ("1", "2"), "expected a result that leaves something to decide", "fight.result")
            fight = replace(fight, toll=int(code))
        if not fight.overrun:
            pos.attacked |= mask_of(fight.attackers)
            pos.defended |= mask_of(fight.defenders)
        return fight

    def check_posts(self, fight: Fight) -> None:
        """Attackers and defenders that still stand where they did when the combat was announced."""
        pos = self.position
        for index, h in enumerate(fight.targets):
            require(pos.side_at(h) == 1 - fight.side, f"there is no enemy unit in {pos.ground.names[h]}",
                    f"fight.targets[{index}]")  # fmt: skip
        for index, slot in enumerate(fight.attackers):
            path, name = f"fight.attackers[{index}]", pos.name(slot)
            exclude(pos.hexes[slot] < 0, f"{name} is not on the map", path)
            exclude(any(not pos.ground.around[pos.hexes[slot]] >> h & 1 for h in fight.targets),
                    f"{name} is not next to all targets", path)  # fmt: skip
            exclude(fight.overrun and slot not in pos.active, f"{name} is on the march: say what it has left", path)

    def spare_counters(self) -> None:
        """Where few units are in play counters are left, and late arrivals need not be raised from the dead (14.0)."""
        pos = self.position
        if "set-up" in pos.phase.id:
            return
        pieces = list(pos.pieces)
        told = [slot for slot, p in enumerate(pieces) if p.spec is None and not p.mobile
                and (pos.hexes[slot] != NOWHERE or slot in pos.reserve)]  # fmt: skip
        late = [slot for slot in told if pieces[slot].recycled]
        spare = len(self.game.drawn[False]) - (len(told) - len(late))
        for slot in late[: max(spare, 0)]:
            pieces[slot] = replace(pieces[slot], recycled=False)
        pos.pieces = tuple(pieces)

    def check_counters(self) -> None:
        """Every untried unit made up for this position has a counter left that it can turn out to be (14.0)."""
        pos = self.position
        for slot in range(len(self.game.roster), len(pos.pieces)):
            alike = [s for s, p in enumerate(pos.pieces) if p.mobile == pos.pieces[slot].mobile and not p.recycled
                     and pos.untried(s) and (pos.hexes[s] >= 0 or p.arrival >= 0)]  # fmt: skip
            exclude(pos.untried(slot) and len(alike) > len(pos.pool(slot)),
                    "there are more Soviet units than counters", f"units.{pos.name(slot)}")  # fmt: skip

    def check_stacking(self) -> None:
        """More than three units in a hex arise only at German set-up and before it is cleared (4.6)."""
        pos = self.position
        limit = self.game.edition.tables.stacking.limit
        early = ("german-set-up", "soviet-set-up", "german-replacement", "german-movement")
        exempt = pos.turn == 1 and pos.phase.id in early
        loose = self.game.edition.tables.stacking.checked == "phase-end" and pos.phase.id.endswith("movement")
        for side in (GERMAN, SOVIET):
            for h in members(pos.crowd[side][2]):
                exclude(
                    len(pos.at[h]) > limit and not (exempt and side == GERMAN) and not (loose and side == pos.mover),
                    f"{len(pos.at[h])} units in {pos.ground.names[h]}; the limit is {limit}",
                    "units",
                )


# Writing --------------------------------------------------------------------------------------------


def document(pos: LeningradPosition) -> dict[str, Any]:
    """A position as plain values."""
    names, printed, auction = pos.ground.names, len(pos.game.roster), pos.auction or Auction()
    told = [slot for slot in range(printed) if pos.hexes[slot] != NOWHERE or pos.pieces[slot].arrival >= 0]
    made_up = range(printed, len(pos.pieces))  # these keep the order in which they were read
    return said({
        "game": pos.game.id,
        "scenario": pos.scenario,
        "turn": pos.turn,
        "phase": pos.phase.id,
        "options": dict(pos.options),
        "map": plain(pos.map.change) or None,
        "units": {pos.name(slot): _unit(pos, slot) for slot in (*sorted(told, key=pos.name), *made_up)},
        "forts": [names[h] for h in pos.ground.grid.members(pos.forts)],
        "forts_used": pos.forts_used,
        "forts_placed": pos.forts_placed or None,
        "air_used": pos.air_used or None,
        "on_time": pos.on_time or None,
        "rebuilt": pos.rebuilt or None,
        "surplus": "removal" in [item.at for item in pos.agenda],
        "interdiction": {names[h]: units for h, units in sorted(pos.air_on.items())} or None,
        "origin": None if pos.origin == NOWHERE else names[pos.origin],
        "bids": ["sealed" if bid == bidding.SEALED else bid for bid in auction.bids] or None,
        "swapped": auction.swapped,
        "fight": None if pos.fight is None else FIGHT.tell(pos, pos.fight, stage=pos.agenda[0].at),
        "dice": list(pos.dice) or None,
    })  # fmt: skip


def _unit(pos: LeningradPosition, slot: Slot) -> dict[str, Any]:
    piece, spec, h, steps, since = pos.pieces[slot], pos.spec(slot), pos.hexes[slot], pos.steps[slot], pos.since[slot]
    entry: dict[str, Any] = {}
    if slot >= len(pos.game.roster) and spec is None:
        kind = "armor" if piece.mobile else "infantry"
        entry = {"side": "soviet", "type": kind, "movement": piece.movement, "untried": True}
    elif slot >= len(pos.game.roster) and piece.spec is not None:
        keys = ("side", "type", "attack", "defence", "movement")
        entry = {key: getattr(spec, key) for key in keys}
        entry |= {"corps": piece.spec.corps or None, "reduced": piece.spec.reduced and list(piece.spec.reduced)}
    left = pos.active.get(slot)
    return said(entry | {
        "was": piece.name if pos.faces[slot] >= 0 else None,
        "hex": pos.ground.names[h] if h >= 0 else None,
        "eliminated": h == DEAD,
        "due": pos.game.edition.scenario.arrivals[piece.arrival].id if h == NOWHERE and piece.arrival >= 0 else None,
        "steps": steps if spec is not None and steps != spec.full_steps else None,
        "since": since if piece.side == GERMAN and h >= 0 and since != pos.turn else None,
        "fought": bool(pos.fought >> slot & 1 and steps == 1 and pos.turn - since < 2),
        **dict.fromkeys(marked(pos, slot, MARKS), True),
        "stack": pos.stacks.get(slot) or None if slot in pos.active else None,
        "left": None if left is None else str(left // 2) if left % 2 == 0 else f"{left}/2",
    })  # fmt: skip
