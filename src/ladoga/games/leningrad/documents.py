"""Position documents: any situation as plain values, and back to the same position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, cast, get_args

import msgspec
from msgspec.structs import replace

from ...hexes import NOWHERE, mask_of, members
from ...kernel.data import Strict, shape
from ...kernel.documents import PRINTED, Head, Reader, check_phase, check_turn, plain, stranger
from ...kernel.errors import BadDocument
from ...kernel.position import Refusal
from . import air, bidding, combat, reinforcements
from .edition import GERMAN, SIDES, SOVIET, Arrival, Side, UnitSpec, UnitType, halves
from .fight import Auction, Fight, pool
from .pieces import DEAD, Piece, Slot

if TYPE_CHECKING:
    from .game import Leningrad
    from .position import LeningradPosition


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


class FightEntry(Strict):
    """A combat in hand."""

    stage: Literal["compose", "air", "reveal", "roll", "defend", "attack", "advance", "counter"]
    targets: list[str]
    attackers: list[str | int] = []
    overrun: bool = False
    air: int = 0
    guard_air: int = 0
    defenders: list[str | int] = []
    bystanders: list[str | int] = []
    origins: list[str] = []
    posts: list[str] = []
    column: int | None = None
    result: str = "-/-"
    toll: int = 0
    retreat: int = 0
    retreated: list[str | int] = []
    passed: list[str] = []
    advanced: list[str | int] = []


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
    fight: FightEntry | None = None
    dice: list[int | str] = []


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
        check_turn(doc.turn, game.turns)
        pos.turn = doc.turn
        steps = {phase.id: step for step, phase in game.phase_at.items()}
        check_phase(doc.phase, steps)
        pos.enter(*steps[doc.phase])
        self.entries = {
            name: self.entry(shape(entry, UnitEntry, error=BadDocument, path=f"units.{name}"), f"units.{name}")
            for name, entry in doc.units.items()
        }
        for name, entry in self.entries.items():
            self.unit(name, entry)
        self.spare_counters()
        self.state()
        self.auction()
        self.check_stacking()
        self.check_counters()
        if reinforcements.spare_dead(pos) < 0:
            raise BadDocument("no eliminated division is left to raise all those late arrivals from", path="units")
        if pos.to_move in SIDES and not pos.legal:
            raise BadDocument("no order is possible in such a position", path="phase")
        pos.dice = tuple(map(str, doc.dice))
        for index, result in enumerate(pos.dice):
            if result.rpartition(" ")[2] not in {*"123456", *game.counter_numbers, *SIDES}:
                raise BadDocument("expected a face of the die, 1 to 6, or a unit that is drawn", path=f"dice[{index}]")

    # Units ------------------------------------------------------------------------------------

    def entry(self, entry: UnitEntry, path: str) -> UnitEntry:
        """An entry in which the combat strength of a made-up German unit stands for attack and defence (2.5)."""
        if entry.combat is None:
            return entry
        if entry.side != "german" or entry.attack is not None or entry.defence is not None:
            raise BadDocument("only a made-up German unit has it, instead of attack and defence", path=f"{path}.combat")
        if not 1 <= entry.combat <= 99:
            raise BadDocument("expected 1 to 99", path=f"{path}.combat")
        return msgspec.structs.replace(entry, combat=None, attack=entry.combat, defence=entry.combat)

    def unit(self, name: str, entry: UnitEntry) -> None:
        pos, path = self.position, f"units.{name}"
        slot = self.slot(name, entry, path)
        piece = pos.pieces[slot]
        spec = pos.spec(slot)
        most = spec.full_steps if spec else 1
        steps = most if entry.steps is None else entry.steps
        if not 1 <= steps <= most:
            raise BadDocument(f"{name} has 1 to {most} steps, not {steps}", path=f"{path}.steps")
        pos.steps[slot] = steps
        places = [bool(entry.hex), entry.eliminated, bool(entry.due)]
        if sum(places) > 1:
            raise BadDocument("a unit is in a hex, or eliminated, or due: one of them", path=path)
        if entry.due:
            self.due(slot, entry.due, f"{path}.due")
        elif entry.eliminated:
            pos.hexes[slot] = DEAD
        elif entry.hex:
            h = self.hex(f"{path}.hex", entry.hex)
            if not pos.ground.land >> h & 1:
                raise BadDocument(f"{entry.hex} is all water", path=f"{path}.hex")
            there = pos.side_at(h)
            if there is not None and there != piece.side:
                raise BadDocument(f"an enemy unit is in {entry.hex}", path=f"{path}.hex")
            pos.put(slot, h)
        since = pos.turn if entry.since is None else entry.since
        if not 0 <= since <= pos.turn:
            raise BadDocument(f"expected a turn up to {pos.turn}", path=f"{path}.since")
        pos.since[slot] = since
        if entry.was and name not in self.game.counter_numbers:
            raise BadDocument("only a revealed Soviet unit was an untried piece", path=f"{path}.was")
        if entry.fought and not (piece.side == GERMAN and steps == 1 and entry.hex):
            raise BadDocument("only a reduced German unit on the map waits to be rebuilt", path=f"{path}.fought")
        for flag in ("fought", "moved", "stepped", "attacked", "defended", "displaced"):
            if getattr(entry, flag):
                setattr(pos, flag, getattr(pos, flag) | 1 << slot)
        if entry.left != "":
            self.left(slot, str(entry.left), entry.stack, f"{path}.left")

    def left(self, slot: Slot, left: str, stack: int, path: str) -> None:
        pos = self.position
        try:
            points = halves(left)
        except (ValueError, ZeroDivisionError):
            raise BadDocument(f"{left!r} is not a number of points", path=path) from None
        if not pos.phase.id.endswith("movement") or pos.pieces[slot].side != pos.mover or pos.hexes[slot] < 0:
            raise BadDocument("only a unit of the side that moves, on the map, has points left", path=path)
        if not 0 <= points <= 2 * pos.pieces[slot].movement:
            raise BadDocument(f"expected 0 to {pos.pieces[slot].movement} points", path=path)
        pos.active = {**pos.active, slot: points}
        pos.stacks = {**pos.stacks, slot: stack}
        pos.moved |= 1 << slot

    def slot(self, name: str, entry: UnitEntry, path: str) -> Slot:
        pos, game = self.position, self.game
        made_up = [entry.side, entry.type, entry.attack, entry.defence, entry.movement]
        if name in game.slots or name in game.counter_numbers:
            if any(value not in ("", None) for value in made_up) or entry.corps or entry.reduced or entry.untried:
                raise BadDocument(PRINTED, path=path)
            if name in game.slots:
                return game.slots[name]
            number = game.counter_numbers[name]
            mobile = game.edition.units[name].type != "infantry"
            if entry.was:
                return self.was(entry.was, number, mobile, f"{path}.was")
            taken = {game.slots[n] for n in self.doc.units if n in game.slots}
            taken |= {game.slots[e.was] for e in self.entries.values() if e.was in game.slots}
            for slot in (s for s, p in enumerate(pos.pieces) if p.spec is None and not p.recycled):
                if pos.pieces[slot].mobile == mobile and pos.faces[slot] < 0 and slot not in taken:
                    pos.turn_over(slot, number)
                    return slot
            raise BadDocument("there are more Soviet units than counters", path=path)
        if entry.untried:
            return self.made_up_untried(name, entry, path)
        if any(value in ("", None) for value in made_up):
            raise BadDocument(stranger("side, type, attack and defence (or combat), and movement"), path=path)
        return self.made_up(name, entry, path)

    def was(self, untried: str, number: int, mobile: bool, path: str) -> Slot:
        pos = self.position
        if untried not in self.game.slots and untried not in self.doc.units:
            return self.was_made_up(untried, number, mobile, path)
        slot = self.game.slots.get(untried, -1)
        if slot < 0 or pos.pieces[slot].spec is not None or pos.pieces[slot].mobile != mobile:
            raise BadDocument(f"{untried!r} is not an untried piece of that kind", path=path)
        if pos.faces[slot] >= 0 or untried in self.doc.units:
            raise BadDocument(f"{untried} is named twice", path=path)
        pos.turn_over(slot, number)
        return slot

    def was_made_up(self, untried: str, number: int, mobile: bool, path: str) -> Slot:
        """A made-up untried unit that has been revealed."""
        if untried in self.position.by_name or untried in self.game.counter_numbers:
            raise BadDocument(f"{untried!r} is not an untried piece of that kind", path=path)
        slot = self.untried_piece(untried, mobile, path)
        self.position.turn_over(slot, number)
        return slot

    def made_up_untried(self, name: str, entry: UnitEntry, path: str) -> Slot:
        """A made-up unit of which only the kind is known; its strength will be that of a printed counter (14.0)."""
        self.words(entry, path)
        if entry.side != "soviet":
            raise BadDocument("only Soviet units are untried", path=f"{path}.untried")
        if entry.attack is not None or entry.defence is not None or entry.corps or entry.reduced:
            raise BadDocument(
                "an untried unit has no strengths yet: leave attack and defence out", path=f"{path}.untried"
            )
        slot = self.untried_piece(name, entry.type != "infantry", path)
        movement = self.position.pieces[slot].movement
        if entry.movement not in (None, movement):
            raise BadDocument(f"expected {movement}, as all untried units of that kind have", path=f"{path}.movement")
        return slot

    def untried_piece(self, name: str, mobile: bool, path: str) -> Slot:
        movement = next(p.movement for p in self.game.roster if p.spec is None and p.mobile == mobile)
        return self.piece(Piece(name, SOVIET, mobile, movement, None, -1), path)

    def words(self, entry: UnitEntry, path: str) -> None:
        for key, known in (("side", SIDES), ("type", get_args(UnitType))):
            word = getattr(entry, key)
            if word not in known:
                raise BadDocument(f"expected one of {', '.join(known)}, got {word!r}", path=f"{path}.{key}")

    def made_up(self, name: str, entry: UnitEntry, path: str) -> Slot:
        assert entry.attack is not None
        assert entry.defence is not None
        assert entry.movement is not None
        self.words(entry, path)
        if entry.corps and entry.side != "german":
            raise BadDocument("only German units belong to a panzer corps", path=f"{path}.corps")
        for figure in ("attack", "defence", "movement"):
            least = 0 if figure == "movement" else 1
            if not least <= getattr(entry, figure) <= 99:
                raise BadDocument(f"expected {least} to 99", path=f"{path}.{figure}")
        reduced = entry.reduced
        if reduced is not None and (min(reduced[:2]) < 1 or max(reduced[:2]) > 99 or reduced[2] != entry.movement):
            raise BadDocument("expected strengths of 1 to 99 and the movement of the full face", path=f"{path}.reduced")
        if reduced is None and entry.side == "german":
            reduced = ((entry.attack + 1) // 2, (entry.defence + 1) // 2, entry.movement)
        spec = UnitSpec(
            cast(Side, entry.side), cast(UnitType, entry.type), entry.attack, entry.defence, entry.movement, "judged",
            name, entry.corps, reduced, "made up for this position",
        )  # fmt: skip
        side = SIDES.index(entry.side)
        return self.piece(Piece(name, side, entry.type != "infantry", entry.movement, spec, -1), path)

    def piece(self, piece: Piece, path: str) -> Slot:
        """A piece more than the roster has."""
        pos, name = self.position, piece.name
        if not name.replace("/", "").replace("-", "").isalnum():
            raise BadDocument("a unit's name is letters, figures, / and -", path=path)
        pos.pieces += (piece,)
        for state, value in ((pos.hexes, NOWHERE), (pos.steps, 1), (pos.faces, -1), (pos.since, pos.turn)):
            state.append(value)
        pos.by_name[name] = len(pos.labels)
        pos.labels.append(name)
        return len(pos.pieces) - 1

    def due(self, slot: Slot, due: str, path: str) -> None:
        pos = self.position
        arrivals = self.game.edition.scenario.arrivals
        number = next((n for n, a in enumerate(arrivals) if a.id == due), None)
        if number is None:
            raise BadDocument(
                f"the schedule has no line {due!r}; lines: {', '.join(a.id for a in arrivals)}", path=path
            )
        if arrivals[number].side != SIDES[pos.pieces[slot].side]:
            raise BadDocument(f"{due} is not for this side", path=path)
        arrival, piece = arrivals[number], pos.pieces[slot]
        if not self.brought(piece, arrival):
            raise BadDocument(f"{due} does not bring {pos.name(slot)}", path=path)
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
            if pos.forts >> h & 1:
                raise BadDocument(f"{number} has a fort already", path=f"forts[{index}]")
            if pos.crowd[GERMAN][0] >> h & 1:
                raise BadDocument(f"a German unit is in {number}", path=f"forts[{index}]")
            if not pos.ground.land >> h & 1:
                raise BadDocument(f"{number} is all water", path=f"forts[{index}]")
            pos.forts |= 1 << h
        pos.forts_used = len(doc.forts) if doc.forts_used is None else doc.forts_used
        pos.forts_placed = doc.forts_placed
        scenario = self.game.edition.scenario
        all_forts = sum(scenario.forts.values())
        if len(doc.forts) > all_forts:
            raise BadDocument(f"there are {all_forts} forts in all, not {len(doc.forts)}", path="forts")
        if not len(doc.forts) <= pos.forts_used <= all_forts:
            raise BadDocument(f"expected {len(doc.forts)} to {all_forts}", path="forts_used")
        army = sum(a.infantry + a.armor for a in scenario.arrivals if a.bonus)
        for key, value, most in (
            ("forts_placed", doc.forts_placed, scenario.forts_per_turn),
            ("on_time", doc.on_time, army),
            ("rebuilt", doc.rebuilt, 999),
            ("air_used", doc.air_used, 2),
        ):
            if not 0 <= value <= most:
                raise BadDocument(f"expected 0 to {most}", path=key)
        pos.air_used = doc.air_used
        air_on = {self.hex("interdiction", number): units for number, units in doc.interdiction.items()}
        if any(units < 1 for units in air_on.values()):
            raise BadDocument("air units are counted from 1", path="interdiction")
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
            self.in_hand(doc.fight)

    def in_hand(self, entry: FightEntry) -> None:
        """A fight that interrupts the phase, at the stage of it that its document names."""
        pos, stage = self.position, entry.stage
        fight = self.fight(entry)
        self.check_fight(fight, stage)
        fight = self.composing(fight) if stage == "compose" else self.announced(fight, stage, entry.column)
        sides = {"air": GERMAN, "defend": 1 - fight.side, "counter": 1 - fight.side}
        pos.interrupt(stage, sides.get(stage, fight.side), fight)

    def auction(self) -> None:
        """The bids that a phase of bidding needs, and no other has (18.4)."""
        pos, bids = self.position, self.doc.bids
        secret = pos.options.bid == bidding.SECRET
        if secret != pos.sides_open:
            raise BadDocument("a secret bid belongs to the phases of bidding alone", path=f"options.{bidding.OPTION}")
        wanted = {"soviet-bid": 1, "lot": 2}.get(pos.phase.id, 0)
        if len(bids) != wanted or (wanted == 2 and bids[0] != bids[1]):
            raise BadDocument(f"expected {('no bid', 'one bid', 'two equal bids')[wanted]} in this phase", path="bids")
        for index, bid in enumerate(bids):
            if not 0 <= bid <= bidding.MOST:
                raise BadDocument(f"expected 0 to {bidding.MOST}", path=f"bids[{index}]")
        if self.doc.swapped and (pos.sides_open or bidding.OPTION not in self.game.options):
            raise BadDocument("seats change only when a bid has won", path="swapped")
        if pos.sides_open or self.doc.swapped:
            pos.auction = Auction(tuple(bids), self.doc.swapped)

    def fight(self, entry: FightEntry) -> Fight:
        pos = self.position

        def slots(field: str) -> tuple[Slot, ...]:
            found = []
            for index, name in enumerate(getattr(entry, field)):
                try:
                    found.append(pos.slot(str(name)))
                except ValueError as problem:
                    raise BadDocument(str(problem), path=f"fight.{field}[{index}]") from None
            return tuple(found)

        def hexes(field: str) -> tuple[int, ...]:
            return tuple(self.hex(f"fight.{field}", number) for number in getattr(entry, field))

        defender, slash, attacker = entry.result.partition("/")
        if not slash or defender not in "-12E" or attacker not in "-12E":
            raise BadDocument(f"{entry.result!r} is not a result such as 1/-", path="fight.result")
        if not entry.targets:
            raise BadDocument("an attack has a target", path="fight.targets")
        return Fight(
            entry.overrun, pos.mover, hexes("targets"), slots("attackers"), entry.air, entry.guard_air,
            slots("defenders"), slots("bystanders"), hexes("origins"), hexes("posts"), entry.column or 0,
            (defender, attacker), entry.toll, entry.retreat, slots("retreated"), hexes("passed"), slots("advanced"),
        )  # fmt: skip

    def check_fight(self, fight: Fight, stage: str) -> None:
        """A combat that can have arisen: in the right phase, with units that can be in it."""
        pos = self.position
        if not pos.phase.id.endswith("movement" if fight.overrun else "combat"):
            raise BadDocument(
                f"{'an overrun' if fight.overrun else 'an attack'} cannot be in hand in this phase", path="fight"
            )
        for field, value, most in (("air", fight.air, 2), ("guard_air", fight.guard_air, 2), ("toll", fight.toll, 2),
                                   ("retreat", fight.retreat, 2)):  # fmt: skip
            if not 0 <= value <= most:
                raise BadDocument(f"expected 0 to {most}", path=f"fight.{field}")
        for field, slots, side in (
            ("attackers", fight.attackers, fight.side),
            ("defenders", fight.defenders, 1 - fight.side),
        ):
            for slot in slots:
                if pos.pieces[slot].side != side:
                    raise BadDocument(f"{pos.name(slot)} is on the other side", path=f"fight.{field}")
                untouched = stage in ("compose", "air", "reveal", "roll") or (stage, field) == ("defend", "attackers")
                if untouched and pos.hexes[slot] < 0:
                    raise BadDocument(f"{pos.name(slot)} is not on the map", path=f"fight.{field}")

    def allowed(self, path: str, refused: Refusal | None) -> None:
        if refused is not None:
            raise BadDocument(refused.message, path=path)

    def composing(self, fight: Fight) -> Fight:
        """An attack that is being composed, held to the rules for each of its steps (8.0, 8.5, 13.1)."""
        pos, so_far = self.position, None
        if fight.overrun:
            raise BadDocument("an overrun is not composed", path="fight.overrun")
        for index, h in enumerate(fight.targets):
            self.allowed(f"fight.targets[{index}]", combat.why_no_target(pos, so_far, h))
            so_far = Fight(False, fight.side, fight.targets[: index + 1])
        for index, slot in enumerate(fight.attackers):
            if slot in fight.attackers[:index]:
                raise BadDocument(f"{pos.name(slot)} takes part already", path=f"fight.attackers[{index}]")
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
        if len(fight.origins) != len(fight.attackers) or len(fight.posts) != len(fight.defenders):
            raise BadDocument("every attacker has its origin, every defender its post", path="fight")
        if not fight.attackers or not fight.defenders:
            raise BadDocument("a fight has attackers and defenders", path="fight")
        if fight.air + fight.guard_air > pos.air_used:
            raise BadDocument(f"expected {fight.air + fight.guard_air} at least, those in the fight", path="air_used")
        if stage == "air" and fight.side == GERMAN:
            raise BadDocument("the Germans are asked for air units when they are attacked", path="fight.stage")
        if (stage == "reveal") != bool(fight.hidden(pos)) and stage != "air":
            raise BadDocument("untried units are revealed first, and only then", path="fight.stage")
        if stage == "roll" and column is None:
            fight = replace(fight, column=combat.column(pos, fight))
        if stage in ("defend", "attack") and not (fight.toll or fight.retreat):
            code = fight.result[0 if stage == "defend" else 1]
            if code not in ("1", "2"):
                raise BadDocument("expected a result that leaves something to decide", path="fight.result")
            fight = replace(fight, toll=int(code))
        if not fight.overrun:
            pos.attacked |= mask_of(fight.attackers)
            pos.defended |= mask_of(fight.defenders)
        return fight

    def check_posts(self, fight: Fight) -> None:
        """Attackers and defenders that still stand where they did when the combat was announced."""
        pos = self.position
        for index, h in enumerate(fight.targets):
            if pos.side_at(h) != 1 - fight.side:
                raise BadDocument(f"there is no enemy unit in {pos.ground.names[h]}", path=f"fight.targets[{index}]")
        for index, slot in enumerate(fight.attackers):
            path, name = f"fight.attackers[{index}]", pos.name(slot)
            if pos.hexes[slot] < 0:
                raise BadDocument(f"{name} is not on the map", path=path)
            if any(not pos.ground.around[pos.hexes[slot]] >> h & 1 for h in fight.targets):
                raise BadDocument(f"{name} is not next to all targets", path=path)
            if fight.overrun and slot not in pos.active:
                raise BadDocument(f"{name} is on the march: say what it has left", path=path)

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
            if pos.untried(slot) and len(alike) > len(pool(pos, slot)):
                raise BadDocument("there are more Soviet units than counters", path=f"units.{pos.name(slot)}")

    def check_stacking(self) -> None:
        """More than three units in a hex arise only at German set-up and before it is cleared (4.6)."""
        pos = self.position
        limit = self.game.edition.tables.stacking.limit
        early = ("german-set-up", "soviet-set-up", "german-replacement", "german-movement")
        exempt = pos.turn == 1 and pos.phase.id in early
        loose = self.game.edition.tables.stacking.checked == "phase-end" and pos.phase.id.endswith("movement")
        for side in (GERMAN, SOVIET):
            for h in members(pos.crowd[side][2]):
                if len(pos.at[h]) > limit and not (exempt and side == GERMAN) and not (loose and side == pos.mover):
                    raise BadDocument(
                        f"{len(pos.at[h])} units in {pos.ground.names[h]}; the limit is {limit}", path="units"
                    )


# Writing --------------------------------------------------------------------------------------------


def document(pos: LeningradPosition) -> dict[str, Any]:
    """A position as plain values."""
    names = pos.ground.names
    result: dict[str, Any] = {
        "game": pos.game.id,
        "scenario": pos.scenario,
        "turn": pos.turn,
        "phase": pos.phase.id,
        "options": dict(pos.options),
    }
    if change := plain(pos.map.change):
        result["map"] = change
    printed = len(pos.game.roster)
    told = [slot for slot in range(printed) if pos.hexes[slot] != NOWHERE or pos.pieces[slot].arrival >= 0]
    made_up = range(printed, len(pos.pieces))  # these keep the order in which they were read
    result["units"] = {pos.name(slot): _unit(pos, slot) for slot in (*sorted(told, key=pos.name), *made_up)}
    result["forts"] = [names[h] for h in pos.ground.grid.members(pos.forts)]
    result["forts_used"] = pos.forts_used
    surplus = "removal" in [item.at for item in pos.agenda]
    for key, value in (("forts_placed", pos.forts_placed), ("air_used", pos.air_used), ("on_time", pos.on_time),
                       ("rebuilt", pos.rebuilt), ("surplus", surplus)):  # fmt: skip
        if value:
            result[key] = value
    if pos.air_on:
        result["interdiction"] = {names[h]: units for h, units in sorted(pos.air_on.items())}
    if pos.origin != NOWHERE:
        result["origin"] = names[pos.origin]
    if pos.auction is not None:
        if pos.auction.bids:
            result["bids"] = ["sealed" if bid == bidding.SEALED else bid for bid in pos.auction.bids]
        if pos.auction.swapped:
            result["swapped"] = True
    if pos.fight is not None:
        result["fight"] = _fight(pos, pos.fight)
    if pos.dice:
        result["dice"] = list(pos.dice)
    return result


def _unit(pos: LeningradPosition, slot: Slot) -> dict[str, Any]:
    piece, h = pos.pieces[slot], pos.hexes[slot]
    spec = pos.spec(slot)
    entry: dict[str, Any] = {}
    if slot >= len(pos.game.roster) and spec is None:
        kind = "armor" if piece.mobile else "infantry"
        entry |= {"side": "soviet", "type": kind, "movement": piece.movement, "untried": True}
    elif slot >= len(pos.game.roster) and piece.spec is not None:
        assert spec is not None
        entry |= {"side": spec.side, "type": spec.type, "attack": spec.attack, "defence": spec.defence,
                  "movement": spec.movement}  # fmt: skip
        if spec.corps:
            entry["corps"] = spec.corps
        if spec.reduced:
            entry["reduced"] = list(spec.reduced)
    if pos.faces[slot] >= 0:
        entry["was"] = piece.name
    if h >= 0:
        entry["hex"] = pos.ground.names[h]
    elif h == DEAD:
        entry["eliminated"] = True
    elif piece.arrival >= 0:
        entry["due"] = pos.game.edition.scenario.arrivals[piece.arrival].id
    if spec is not None and pos.steps[slot] != spec.full_steps:
        entry["steps"] = pos.steps[slot]
    if piece.side == GERMAN and h >= 0 and pos.since[slot] != pos.turn:
        entry["since"] = pos.since[slot]
    if pos.fought >> slot & 1 and pos.steps[slot] == 1 and pos.turn - pos.since[slot] < 2:
        entry["fought"] = True
    for flag in ("moved", "stepped", "attacked", "defended", "displaced"):
        if getattr(pos, flag) >> slot & 1:
            entry[flag] = True
    if slot in pos.active:
        if pos.stacks.get(slot):
            entry["stack"] = pos.stacks[slot]
        left = pos.active[slot]
        entry["left"] = str(left // 2) if left % 2 == 0 else f"{left}/2"
    return entry


def _fight(pos: LeningradPosition, fight: Fight) -> dict[str, Any]:
    names = pos.ground.names
    plain: dict[str, Any] = {"stage": pos.agenda[0].at}
    for key in ("targets", "origins", "posts", "passed"):
        if getattr(fight, key):
            plain[key] = [names[h] for h in getattr(fight, key)]
    for key in ("attackers", "defenders", "bystanders", "retreated", "advanced"):
        if getattr(fight, key):
            plain[key] = [pos.name(slot) for slot in getattr(fight, key)]
    for key in ("overrun", "air", "guard_air", "column", "toll", "retreat"):
        if getattr(fight, key):
            plain[key] = getattr(fight, key)
    if fight.result != ("-", "-"):
        plain["result"] = "/".join(fight.result)
    return plain
