"""A position of an Assault game, and the sequence of play (4.0)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from ...hexes import NOWHERE, Hex, mask_of, members, nth, pick
from ...kernel.chance import Chance
from ...kernel.errors import Illegal, LadogaError
from ...kernel.orders import END, Order
from ...kernel.position import (
    CHANCE,
    Event,
    Explanation,
    Outcome,
    Phase,
    Reach,
    Reachable,
    Reached,
    Refusal,
    Trace,
    passed,
)
from ...kernel.sequence import DeclaredPosition
from ...kernel.table import Table
from . import air, arrivals, attack, combat, display, fleet, inset, movement, results, supply, victory
from .figures import GERMAN, SIDES, SIXTHS, SOVIET
from .pending import (
    Advance,
    Availability,
    Bombing,
    Crowd,
    Draw,
    Fight,
    Pending,
    Plan,
    Roll,
    Shelter,
    Summons,
    Transfers,
    Victim,
)
from .state import Board, PhaseSheet, UnitMask
from .zones import Lay

if TYPE_CHECKING:
    from .game import AssaultGame

PHASES = (
    Phase("soviet-set-up", "soviet", "5.1", "Place the units that start in the city"),
    Phase("german-air-bombardment", "german", "12.3", "German air bombardment"),
    Phase("german-supply", "german", "11.1", "German supply determination"),
    Phase("german-movement", "german", "6.1", "German movement"),
    Phase("german-combat", "german", "10.1", "German combat"),
    Phase("german-mechanized-movement", "german", "6.2", "German mechanized movement"),
    Phase("soviet-air-bombardment", "soviet", "12.3", "Soviet air bombardment"),
    Phase("soviet-supply", "soviet", "11.1", "Soviet supply determination"),
    Phase("soviet-movement", "soviet", "6.1", "Soviet movement"),
    Phase("soviet-naval-fire", "soviet", "13.4", "Lay the fleet's guns for attack"),
    Phase("soviet-combat", "soviet", "10.1", "Soviet combat"),
    Phase("soviet-naval-cover", "soviet", "13.5", "Lay the fleet's guns for defence"),
    Phase("game-over", "", "17.0", "The game is over"),
)
PHASE_INDEX = {phase.id: index for index, phase in enumerate(PHASES)}
FIRST, LAST, OVER = 1, len(PHASES) - 2, len(PHASES) - 1
NAVAL_PHASES = frozenset({"soviet-naval-fire", "soviet-naval-cover"})
SUPPLY_PHASES = frozenset({"german-supply", "soviet-supply"})
AIR_PHASES = frozenset({"german-air-bombardment", "soviet-air-bombardment"})
UNCHECKED_PHASES = SUPPLY_PHASES | AIR_PHASES | {"soviet-set-up"}
"""Phases in which the supply check of the player-turn is still to come (4.0)."""
COMBAT_PHASES = frozenset({"german-combat", "soviet-combat"})
GERMAN_PHASES = frozenset(phase.id for phase in PHASES if phase.side == "german")
MOVEMENT_PHASES = frozenset({"german-movement", "german-mechanized-movement", "soviet-movement"})
_MOVEMENT_STAGES = frozenset(PHASE_INDEX[phase] for phase in MOVEMENT_PHASES)
_COMBAT_STAGES = frozenset(PHASE_INDEX[phase] for phase in COMBAT_PHASES)
_AIR_STAGES = frozenset(PHASE_INDEX[phase] for phase in AIR_PHASES)
_MECHANIZED = PHASE_INDEX["german-mechanized-movement"]
_SIDE_OF_STAGE = tuple(GERMAN if phase.side == "german" else SOVIET for phase in PHASES)


class Stage(NamedTuple):
    """What can be done at one point of the sequence of play."""

    orders: Callable[[AssaultPosition], Iterable[Order]]
    refusal: Callable[[AssaultPosition, Order], Refusal | None]
    apply: Callable[[AssaultPosition, Order], None]


class ChanceStage(NamedTuple):
    """A die or a draw at one point of the sequence of play."""

    chance: Callable[[AssaultPosition], Chance]
    apply: Callable[[AssaultPosition, Order], None]


class AssaultPosition(DeclaredPosition, Board, PhaseSheet):
    """Where every unit is and what has happened so far in the phase."""

    game: AssaultGame

    # Reading --------------------------------------------------------------------------------------

    @property
    def phase(self) -> Phase:
        """The phase of the sequence of play (4.0)."""
        return self.game.stages[self.stage]

    @property
    def side(self) -> int:
        """The phasing side."""
        return _SIDE_OF_STAGE[self.stage]

    @property
    def to_move(self) -> str | None:
        """Who decides next."""
        if self.pending is not None:
            return self.pending.mover
        return self.phase.side or None

    @property
    def prompt(self) -> str:
        """What the side to move is asked."""
        return PROMPTS.get(type(self.pending), self.phase.title) if self.pending is not None else self.phase.title

    @property
    def choice(self) -> str | None:
        """The choice in hand, or nothing while the phase itself is open."""
        return CHOICES.get(type(self.pending)) if self.pending is not None else None

    @property
    def outcome(self) -> Outcome | None:
        """The result, once the last turn is over."""
        return victory.outcome(self) if self.stage == OVER else None

    @property
    def standing(self) -> Outcome:
        """The result if the game ended now."""
        return victory.outcome(self)

    def lay(self, side: int) -> Lay:
        """How a side's units lie, with their zones."""
        return self.lays[side]

    @property
    def germans_on_inset(self) -> bool:
        """Whether a German unit is anywhere on the inset (8.32)."""
        return bool(self.lays[GERMAN].occupied & self.ground.inset)

    @property
    def summons_due(self) -> bool:
        """Whether the first German on the inset would bring the city's units off the main map (8.33)."""
        return not self.germans_on_inset and bool(self.lay(SOVIET).occupied & self.ground.capital)

    def grade(self, index: int) -> str:
        """Class of a unit as it is."""
        return self.roster[index].faces[-self.steps[index]].grade

    def frozen(self, unit_id: str) -> int:
        """The last turn on which a unit may not move; 0 if it is free (5.6)."""
        scenario = self.game.scenario
        option = scenario.frozen_if.get(unit_id)
        if option is not None and not self.options[option]:
            return 0
        return scenario.frozen.get(unit_id, 0)

    def reach(self, units: Iterable[str] | str) -> Mapping[str, Reached]:
        """Where a unit can go in this phase."""
        names = [units] if isinstance(units, str) else list(units)
        for name in names:
            if name not in self.index:
                raise LadogaError(f"there is no unit {name!r}")
        if len(names) != 1 or self.stage not in _MOVEMENT_STAGES:
            return {}
        index = self.index[names[0]]
        unit = self.roster[index]
        if unit.side != self.side or self.pending is not None:
            return {}
        if self.where[index] >= 0:
            if movement.standstill(self, index) is not None:
                return {}
            if unit.is_naval:
                return movement.waters(self, index)
            found = movement.reach_of(self, index)
        elif index not in arrivals.waiting(self, unit.side) or self.stage == _MECHANIZED:
            return {}
        elif arrivals.by_city(self, index):
            free = Fraction(unit.movement, SIXTHS)
            hexes = self.ground.unsorted(arrivals.city_entry(self, index))
            return {number: Reached(free, (number,), Fraction(0)) for number in hexes}
        else:
            found = movement.reach_of(self, index, arrivals.entry_hexes(self, index))
        ground = self.ground
        start = (ground.number(self.where[index]),) if self.where[index] >= 0 else ()

        def detail(number: str) -> Reached:
            h = ground.grid.hex(number)
            cost = found.cost(h) or 0
            path = start + tuple(map(ground.number, movement.way_to(self, index, found, h)))
            left = 0 if found.mover.only_one else found.mover.budget - cost
            return Reached(Fraction(left, SIXTHS), path, Fraction(cost, SIXTHS))

        return Reach(ground.unsorted(movement.destinations(self, index, found)), detail)

    def zoc(self, side: str) -> frozenset[str]:
        """Hexes in the zones of control of a side, rigid and fluid, and those its units stand in (9.0)."""
        return frozenset(self.ground.unsorted(self._lay_of(side).zone))

    def rigid_zone(self, side: str) -> frozenset[str]:
        """Hexes in a rigid zone of a side (9.2, 9.6)."""
        return frozenset(self.ground.unsorted(self._lay_of(side).rigid))

    def _lay_of(self, side: str) -> Lay:
        self.game.check_side(side)
        return self.lays[SIDES.index(side)]

    def supply(self, unit: str) -> Trace:
        """A unit's supply: its status since the last check, and the line as it runs now."""
        if unit not in self.index:
            raise LadogaError(f"there is no unit {unit!r}")
        return supply.trace(self, self.index[unit])

    def extent(self, unit: str) -> Reachable | None:
        """From where the units of its corps can trace supply to a headquarters that has it itself (11.13, 11.34)."""
        index = self.index.get(unit, -1)
        if index not in self.headquarters or self.where[index] < 0:
            return None
        mask = supply.lines(self).german.get(self.roster[index].corps, 0)
        return Reachable("command", "11.13", frozenset(self.ground.numbers(mask)))

    def explain(self, order: Order | str) -> Explanation:
        """An attack in numbers, before it is made."""
        if not isinstance(order, Order):
            order = self.game.parse(order)
        plan, refusal = self.pending, None
        hexes, units = order.hexes, order.units
        if order.verb == "attack":
            refusal = attack.battle_refusal(self, order)
        elif not isinstance(plan, Plan | Roll):
            refusal = Refusal("10.1", f"{order} is not an attack")
        elif isinstance(plan, Plan) and order.verb in ("add", "target"):
            refusal = attack.plan_refusal(self, order)
            hexes, units = (*plan.hexes, *hexes), (*plan.units, *units)
        else:
            hexes, units = plan.hexes, plan.units
        if refusal is not None:
            raise Illegal(self.case(refusal.case), refusal.message)
        if not units:
            return Explanation(order, str(order))
        return combat.explained(self, order, tuple(map(self.ground.grid.hex, hexes)), [self.index[u] for u in units])

    def table(self) -> Table:
        """Everything there is to draw."""
        return display.table(self)

    def document(self) -> dict[str, Any]:
        """The position as plain values."""
        from .documents import document

        return document(self)

    # Orders ---------------------------------------------------------------------------------------

    def _stage(self) -> Stage:
        if self.pending is not None:
            return PENDING_STAGES[type(self.pending)]
        return PHASE_STAGES[self.phase.id]

    def _orders(self) -> Iterable[Order]:
        return self._stage().orders(self)

    def _orders_of(self, unit: str) -> Iterable[Order]:
        index = self.index.get(unit, -1)
        if index < 0 or self.to_move != SIDES[self.roster[index].side]:
            return ()
        if self.pending is None and self.stage in _MOVEMENT_STAGES:
            return chain.from_iterable(_movement_orders_of(self, index))
        return self._stage().orders(self)

    def _cost(self, order: Order) -> Fraction:
        if len(order.hexes) == 1:
            return super()._cost(order)
        return Fraction(movement.cost_along(self, self.index[order.units[0]], order.hexes), SIXTHS)

    def _refusal(self, order: Order) -> Refusal | None:
        refusal = self._stage().refusal(self, order)
        return None if refusal is None else Refusal(self.case(refusal.case), refusal.message)

    def case(self, case: str) -> str:
        """A case of the common rules as this game numbers it."""
        return self.ground.book.stand_ins.get(case, case)

    def _random(self, rng: random.Random) -> Order:
        if self.pending is None and self.stage in _MOVEMENT_STAGES:
            return _random_move(self, rng)
        if self.pending is None and self.stage in _COMBAT_STAGES:
            return rng.choice(list(attack.phase_orders(self)))
        if self.pending is None and self.stage in _AIR_STAGES:
            return air.random_order(self, rng)
        if self.pending is None and self.stage == 0:
            return arrivals.random_set_up(self, rng)
        orders = list(self._stage().orders(self))
        if len(orders) > 1 and orders[-1].verb == "cancel":
            orders.pop()
        return rng.choice(orders)

    def _chance(self) -> Chance:
        return CHANCE_STAGES[type(self.pending)].chance(self)

    def _apply(self, order: Order) -> None:
        if self.to_move == CHANCE:
            CHANCE_STAGES[type(self.pending)].apply(self, order)
            return
        if self.marching and self.pending is None and (order.verb != "move" or order.units[0] != self.marching):
            self.marching, self.spent = "", 0
        self._stage().apply(self, order)

    def out_of_place(self, order: Order) -> Refusal:
        """The refusal of an order that has no place at this point of the sequence of play."""
        return Refusal("4.0", f"{order.verb!r} is not an order that can be given now ({self.prompt.lower()})")

    def own_unit(self, unit_id: str) -> int | Refusal:
        """Index of a unit of the phasing side."""
        index = self.index.get(unit_id)
        if index is None:
            return Refusal("3.2", f"there is no unit {unit_id!r}")
        if self.roster[index].side != self.side:
            return Refusal("4.0", f"{unit_id} is not a unit of the phasing player")
        return index

    def hex_path(self, numbers: Iterable[str]) -> list[Hex] | Refusal:
        """Hexes by their numbers."""
        found = []
        for number in numbers:
            if number not in self.ground.grid:
                return Refusal("3.1", f"the map has no hex {number}")
            found.append(self.ground.grid.hex(number))
        return found or Refusal("3.1", "the order names no hex")

    # Changing a fresh copy ------------------------------------------------------------------------

    def event(self, kind: str, case: str, template: str, *facts: Any, fact: Any = None) -> None:
        """Note that something happened."""
        self.events = (*self.events, Event(kind, self.case(case), template, facts, self.phase.side, fact=fact))

    def summon(self) -> None:
        """A German has appeared on the inset (8.33)."""
        self.event("summons", "8.33", "German units are at the city: its defenders man the districts")
        self.pending = Summons()

    # The sequence of play -------------------------------------------------------------------------

    def open_phase(self) -> None:
        """Begin a phase; one in which nothing can be done passes (4.0)."""
        if not self._begins():
            self.next_phase()

    def settle(self) -> None:
        """After the dice or draws a phase begins with: one in which nothing can be done passes."""
        if not self._waits():
            self.next_phase()

    def _begins(self) -> bool:
        self._begin_phase()
        return self._waits()

    def _waits(self) -> bool:
        """Whether the phase just entered waits for somebody; if it passes, that is told (supply needs no word)."""
        if self.pending is not None or self._has_choice():
            return True
        if self.phase.id not in SUPPLY_PHASES and self.phase in self.game.phases:
            self.events = (*self.events, passed(self.phase))
        return False

    def _has_choice(self) -> bool:
        """Whether anything can be done in the phase that is entered."""
        if self.pending is None and self.stage in _COMBAT_STAGES:
            return combat.has_target(self) or (self.side == SOVIET and inset.can_transfer(self))
        if self.pending is None and self.stage in _MOVEMENT_STAGES and self._has_move():
            return True
        return any(order != END for order in self._stage().orders(self))

    def _has_move(self) -> bool:
        """Whether a unit on the map may enter some hex, which is soon said."""
        units = members(_unmoved(self) & self.placed)
        return any(movement.standstill(self, index) is None and movement.has_step(self, index) for index in units)

    def next_phase(self) -> None:
        """End the phase and begin the next in which there is something to decide or to roll (4.0)."""
        while self.stage != OVER:
            if not self._end_phase():
                return
            if self.stage < LAST:
                self.stage += 1
            elif self.turn < self.game.turns:
                self.turn += 1
                self.stage = FIRST
            else:
                self.stage = OVER
                self.event("end", "17.0", "The game is over")
                return
            if inset.offer_transfers(self) or self._begins():
                return

    def _begin_phase(self) -> None:
        phase = self.phase.id
        if phase in AIR_PHASES:
            air.begin(self)
        elif phase == "german-movement":
            arrivals.withdraw(self)
            arrivals.return_headquarters(self)
        elif phase == "soviet-movement":
            arrivals.begin_draws(self)

    def _end_phase(self) -> bool:
        """What the end of a phase brings; false if a choice has to be made first."""
        phase = self.phase.id
        if phase in SUPPLY_PHASES:
            supply.check(self)
        elif phase in AIR_PHASES:
            if self.air:
                self.support_left, self.air = self.air, 0
        elif phase in MOVEMENT_PHASES:
            self.moved = self.transferred = 0
            self.marching, self.spent = "", 0
        if phase in COMBAT_PHASES:
            self.support, self.support_left, self.fought, self.sorties = 0, 0, 0, ()
            self.attacked = self.transferred = 0
            self.retreated &= self.teams[self.side]
        if phase in ("german-mechanized-movement", "soviet-combat"):
            return self._end_player_turn()
        if phase == "soviet-naval-cover":
            arrivals.refill_cup(self)
        return True

    def _end_player_turn(self) -> bool:
        """Units come back from the fringe, markers come off (8.37, 12.41, 13.10, 17.25)."""
        if not inset.clear_fringe(self):
            return False
        self.disrupted &= ~self.teams[self.side]
        self.retreated &= ~self.teams[self.side]
        self.fire_on = NOWHERE
        if self.side == GERMAN:
            victory.check_garrisons(self)
        return True


# Movement phases ----------------------------------------------------------------------------------


def _movement_orders(pos: AssaultPosition) -> Iterable[Order]:
    found: list[Order] = []
    for some in _movement_lists(pos):
        found += some
    return found


def _movement_lists(pos: AssaultPosition) -> Iterator[Sequence[Order]]:
    """The orders of a movement phase, unit by unit: those on the map, those waiting to come in, those that cannot
    move but may be transferred (12.45)."""
    side = pos.side
    transfers = side == SOVIET and not pos.germans_on_inset
    city = pos.ground.city if transfers else 0
    outlook = movement.outlook_of(pos, side)
    away = pos.turn == 1 and pos.options.get("guerrillas-away")
    for index in members(_unmoved(pos)):
        known = None if away or pos.marching else outlook.listed(pos, index)
        if known is not None or movement.standstill(pos, index) is None:
            yield movement.orders_of_unit(pos, index) if known is None else known
            if city >> pos.where[index] & 1 and index != pos.fleet_index:
                yield inset.transfer_orders(pos, index)
    if pos.stage != _MECHANIZED:
        for index in arrivals.waiting(pos, side):
            yield arrivals.enter_orders(pos, index)
    if transfers:
        for index in inset.city_units(pos):
            if movement.standstill(pos, index) is not None:
                yield inset.transfer_orders(pos, index)
    if not arrivals.guerrillas_due(pos):
        yield (END,)


def _unmoved(pos: AssaultPosition) -> UnitMask:
    """Units of the phasing side on the map that have not ended their move."""
    units = pos.placed & pos.teams[pos.side]
    fleet = pos.fleet_index
    if fleet is not None and pos.where[fleet] >= 0:
        units |= 1 << fleet & pos.teams[pos.side]
    units &= ~pos.moved
    return units | 1 << pos.index[pos.marching] if pos.marching else units


def _movement_orders_of(pos: AssaultPosition, index: int) -> Iterator[Sequence[Order]]:
    if pos.where[index] < 0:
        if pos.stage != _MECHANIZED and index in arrivals.waiting(pos, pos.side):
            yield arrivals.enter_orders(pos, index)
        return
    if movement.standstill(pos, index) is None:
        yield movement.orders_of_unit(pos, index)
    if pos.side == SOVIET and not pos.roster[index].is_naval:
        yield inset.transfer_orders(pos, index)


def _movement_refusal(pos: AssaultPosition, order: Order) -> Refusal | None:
    if order == END:
        due = arrivals.guerrillas_due(pos)
        return Refusal("18.21", f"{pos.roster[due[0]].id} must get away from the city first") if due else None
    if order.verb == "move":
        return movement.move_refusal(pos, order)
    if order.verb == "enter":
        if pos.phase.id == "german-mechanized-movement":
            return Refusal("16.16", "reinforcements come in the movement phase")
        return arrivals.enter_refusal(pos, order)
    if order.verb == "transfer":
        return inset.transfer_refusal(pos, order)
    return pos.out_of_place(order)


def _movement_apply(pos: AssaultPosition, order: Order) -> None:
    if order.verb == "move":
        movement.apply_move(pos, order)
    elif order.verb == "enter":
        arrivals.enter_apply(pos, order)
    elif order.verb == "transfer":
        inset.transfer_apply(pos, order)
    else:
        pos.next_phase()


def _random_move(pos: AssaultPosition, rng: random.Random) -> Order:
    """Some order of a movement phase, without listing them all: a unit first, then where it goes."""
    must = arrivals.guerrillas_due(pos)
    units = _unmoved(pos)
    if pos.stage != _MECHANIZED:
        units |= mask_of(arrivals.waiting(pos, pos.side))
    while units:
        number = int(rng.random() * (units.bit_count() + (0 if must else 1)))
        if number == units.bit_count():
            return END
        index = nth(units, number)
        order = _random_move_of(pos, index, rng)
        if order is not None:
            return order
        units ^= 1 << index
    return rng.choice(list(pos._stage().orders(pos))) if must else END


def _random_move_of(pos: AssaultPosition, index: int, rng: random.Random) -> Order | None:
    here, name = pos.where[index], (pos.roster[index].id,)
    if here < 0:
        path = arrivals.wander_in(pos, index, rng)
        return Order("enter", name, tuple(map(pos.ground.number, path))) if path else None
    still = movement.standstill(pos, index)
    mask = 0
    if index == pos.fleet_index:
        mask = 0 if still else pos.ground.fleet & ~(1 << here)
    elif pos.side == SOVIET and pos.ground.city >> here & 1 and (still or rng.random() < 0.2):
        mask = inset.transfer_hexes(pos, index)
        if mask:
            return Order("transfer", name, (pos.ground.number(pick(mask, rng)),))
    if not still and not mask:
        path = movement.wander(pos, index, rng)
        if path:
            return Order("move", name, tuple(map(pos.ground.number, path)))
        mask = movement.destinations(pos, index, movement.reach_of(pos, index))
    return Order("move", name, (pos.ground.number(pick(mask, rng)),)) if mask else None


# Combat phases: transfers apart, all is in combat.py ----------------------------------------------


def _combat_refusal(pos: AssaultPosition, order: Order) -> Refusal | None:
    if order.verb == "transfer":
        return inset.transfer_refusal(pos, order)
    return attack.phase_refusal(pos, order)


def _combat_orders(pos: AssaultPosition) -> Iterator[Order]:
    if pos.side == SOVIET and not pos.germans_on_inset:
        for index in inset.city_units(pos):
            yield from inset.transfer_orders(pos, index)
    yield from attack.phase_orders(pos)


def _combat_apply(pos: AssaultPosition, order: Order) -> None:
    if order.verb == "transfer":
        inset.transfer_apply(pos, order)
    else:
        attack.phase_apply(pos, order)


def _no_orders(pos: AssaultPosition) -> Iterable[Order]:
    return (END,) if pos.stage != OVER else ()


def _only_end(pos: AssaultPosition, order: Order) -> Refusal | None:
    return None if order == END else pos.out_of_place(order)


def _go_on(pos: AssaultPosition, order: Order) -> None:
    pos.next_phase()


_MOVEMENT = Stage(_movement_orders, _movement_refusal, _movement_apply)
_COMBAT = Stage(_combat_orders, _combat_refusal, _combat_apply)
_AIR = Stage(air.phase_orders, air.phase_refusal, air.phase_apply)
_FIRE = Stage(fleet.phase_orders, fleet.phase_refusal, fleet.phase_apply)
_QUIET = Stage(_no_orders, _only_end, _go_on)

PHASE_STAGES: dict[str, Stage] = {
    "soviet-set-up": Stage(arrivals.set_up_orders, arrivals.set_up_refusal, arrivals.set_up_apply),
    "german-air-bombardment": _AIR,
    "german-supply": _QUIET,
    "german-movement": _MOVEMENT,
    "german-combat": _COMBAT,
    "german-mechanized-movement": _MOVEMENT,
    "soviet-air-bombardment": _AIR,
    "soviet-supply": _QUIET,
    "soviet-movement": _MOVEMENT,
    "soviet-naval-fire": _FIRE,
    "soviet-combat": _COMBAT,
    "soviet-naval-cover": _FIRE,
    "game-over": _QUIET,
}

PENDING_STAGES: dict[type[Pending], Stage] = {
    Victim: Stage(air.victim_orders, air.victim_refusal, air.victim_apply),
    Shelter: Stage(air.shelter_orders, air.shelter_refusal, air.shelter_apply),
    Summons: Stage(inset.summons_orders, inset.summons_refusal, inset.summons_apply),
    Transfers: Stage(inset.offer_orders, inset.offer_refusal, inset.offer_apply),
    Plan: Stage(attack.plan_orders, attack.plan_refusal, attack.plan_apply),
    Fight: Stage(results.fight_orders, results.fight_refusal, results.fight_apply),
    Advance: Stage(results.advance_orders, results.advance_refusal, results.advance_apply),
    Crowd: Stage(inset.crowd_orders, inset.crowd_refusal, inset.crowd_apply),
}

CHANCE_STAGES: dict[type[Pending] | type[None], ChanceStage] = {
    Availability: ChanceStage(air.availability_chance, air.availability_apply),
    Bombing: ChanceStage(air.bombing_chance, air.bombing_apply),
    Roll: ChanceStage(results.roll_chance, results.roll_apply),
    Draw: ChanceStage(arrivals.draw_chance, arrivals.draw_apply),
}

PROMPTS: dict[type[Pending], str] = {
    Availability: "Roll for air units",
    Bombing: "Roll for air bombardment",
    Victim: "Name the unit that is disrupted",
    Shelter: "Run for the harbour or stay at sea",
    Summons: "Man the districts of the city",
    Transfers: "Transfer units before the German phase begins",
    Plan: "Put the attack together",
    Roll: "Roll for the attack",
    Fight: "Take a penalty: retreat or lose a step",
    Advance: "Advance after combat",
    Crowd: "Too many units for the hex: give one up",
    Draw: "Draw from the cup",
}

CHOICES: dict[type[Pending], str] = {
    Availability: "the roll for air units",
    Bombing: "the roll of the bombers",
    Victim: "the naming of the unit that is disrupted",
    Shelter: "the fleet's run for the harbour",
    Summons: "the manning of the city",
    Transfers: "the transfer of units in the city",
    Plan: "the attack that is being put together",
    Roll: "the roll of the attack",
    Fight: "the penalty that is being taken",
    Advance: "the advance after combat",
    Crowd: "the unit for which there is no room",
    Draw: "the draw from the cup",
}
"""What comes before the end of the phase."""
