"""The sequence of play (5.0): phases, the choices and dice that come before they go on, and what happens by itself.

The die or draw that is due, the choice that play waits for and what goes on by itself are items of the agenda whose
matter is a ``Step``.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...kernel.chance import Chance, die
from ...kernel.orders import END, Order
from ...kernel.position import Refusal, passed
from ...kernel.sequence import Action, Automatic, Decision, Planned, Roll, Sequence
from . import arrivals, fire, flips, listing, marching, movement, pontoons, sampling, set_up, striking, victory
from .state import (
    G_AIR,
    G_ARRIVE,
    G_FIRE,
    G_MOVE,
    PHASES,
    S_ARRIVE,
    S_FIRE,
    S_MOVE,
    SET_UP,
    PhaseSheet,
    State,
    Step,
    unknown,
)

if TYPE_CHECKING:
    from .position import CityPosition


Actions = dict[str, Action[Any, Any]]


def concede(pos: State, _: Order) -> None:
    """A player gives up, at any decision of his (5.4)."""
    side = pos.to_move
    pos.result = f"{side}-concedes"
    pos.tell("end", "5.4", "The {} player concedes", str(side).capitalize())


CONCEDE: Actions = {"concede": Action.unlisted(lambda _, order: order, concede)}


# Phases -----------------------------------------------------------------------------------------------


def _phase(
    number: int, short: str, actions: Actions, some: Callable[[State, random.Random], Order | Planned],
    part: Callable[[State, random.Random], list[Order]] | None = None,
) -> Decision[Any]:  # fmt: skip
    phase = PHASES[number]
    return Decision(
        phase.id, phase.case, phase.title, short, phase.title, actions | CONCEDE,
        otherwise=lambda pos, order: unknown(order, pos), sample=some, part=part,
    )  # fmt: skip


def _next_phase(pos: State, _: Order) -> None:
    """``end`` where the end of a phase brings nothing else."""
    pos.push(Step("next-phase"))


SETTING_UP: Actions = {
    "place": Action(set_up.placement, set_up.place, set_up.placements),
    "end": Action.unless("end", set_up.why_not_ready, set_up.end),
}
REPLACING: Actions = {
    "replace": Action(
        arrivals.replacement,
        arrivals.replace,
        lambda pos: [Order("replace", words=(name,)) for name in arrivals.replaceable(pos)],
    ),
    "end": Action.plain("end", _next_phase),
}
FLIP: Actions = {"flip": Action(flips.flip_of, flips.flip, flips.flips)}
ARRIVING: Actions = {
    "place": Action(arrivals.placement, arrivals.place, arrivals.placements),
    "end": Action.unless("end", arrivals.why_not_all_placed, arrivals.end_soviet),
}
MOVEMENT: Actions = {
    "move": Action(movement.march_of, marching.march, listing.orders),
    "enter": Action.unlisted(movement.entry_of, marching.march),
    "bridge": Action.unlisted(movement.bridge_of, marching.bridge),
    "sail": Action.unlisted(movement.voyage_of, marching.march),
    "metro": Action.unlisted(movement.metro_of, marching.metro),
    "drop": Action.unlisted(movement.landing_of, marching.drop),
    "flip": Action.unlisted(movement.flip_of, flips.flip),
    "end": Action.unless("end", movement.end_refusal, marching.end),
}
"""What each verb does in a movement phase; the list of moves has everything that a unit can do, unit by unit."""
FIRE: Actions = {
    "target": Action(fire.aim_of, striking.compose, lambda pos: fire.targets(pos) if pos.attack is None else ()),
    "end": Action.unless("end", lambda pos: fire.ONE_AT_A_TIME if pos.attack is not None else None, _next_phase),
    "add": Action(fire.added, striking.compose,
                  lambda pos: fire.additions(pos, pos.attack) if pos.attack is not None else ()),
    "commit": Action(lambda pos, order: unknown(order, pos) if pos.attack is None
                     else fire.declared(pos, pos.attack, order.words), striking.commit,
                     lambda pos: fire.declarations(pos, pos.attack) if pos.attack is not None else ()),
    "cancel": Action(lambda pos, order: unknown(order, pos) if pos.attack is None else order, striking.cancel,
                     lambda pos: (fire.CANCEL,) if pos.attack is not None else ()),
    "attack": Action.unlisted(lambda pos, order: fire.ONE_AT_A_TIME if pos.attack is not None
                              else fire.composed(pos, order), striking.commit),
}  # fmt: skip
"""What each verb does in a fire phase (10.2)."""

DECISIONS = (
    _phase(SET_UP, "set-up", SETTING_UP, sampling.set_up),
    _phase(G_ARRIVE, "replace and reinforce", REPLACING, sampling.any_order),
    _phase(G_AIR, "strikes", FIRE, sampling.fire),
    _phase(G_MOVE, "move", MOVEMENT, sampling.move, sampling.orders_of_one),
    _phase(G_FIRE, "fire", FIRE, sampling.fire),
    _phase(S_ARRIVE, "reinforce", FLIP | ARRIVING, sampling.soviet_arrival),
    _phase(S_MOVE, "move", MOVEMENT, sampling.move, sampling.orders_of_one),
    _phase(S_FIRE, "fire", FLIP | FIRE, sampling.flip_or_fire),
)

BUSY = {
    SET_UP: lambda pos: bool(set_up.in_hand(pos)),
    G_ARRIVE: lambda pos: bool(arrivals.replaceable(pos)),
    G_AIR: fire.busy,
    G_MOVE: listing.busy,
    G_FIRE: fire.busy,
    S_ARRIVE: arrivals.soviet_busy,
    S_MOVE: listing.busy,
    S_FIRE: fire.busy,
}
"""Whether anything can be done in a phase at all."""


def open_phase(pos: State, _: object) -> None:
    """The dice that open a phase have fallen. It lasts until its player ends it, even if nothing is left to do in it
    (5.1); one in which nothing can be done from the first passes."""
    if next(flips.flips(pos), None) is None and not BUSY[pos.phase_number](pos):
        pos.events += (passed(pos.phase),)
        DECISIONS[pos.phase_number].actions["end"].carry_out(pos, END)


def next_phase(pos: State, _: object) -> None:
    """Go on in the sequence of play (5.2); the Soviet reinforcement phase is skipped on turn 1."""
    pos.renew(PhaseSheet)
    pos.disturbed()
    number = pos.phase_number + 1
    if number > S_FIRE:
        end_turn(pos)
        return
    skipped = number == S_ARRIVE and pos.turn < pos.tables.soviet_arrivals.from_turn
    pos.open_phase(number + skipped)
    begin_phase(pos)


def end_turn(pos: State) -> None:
    """The end of a complete game turn (4.3-4.5, 5.2)."""
    pos.result = victory.check(pos)
    if pos.result:
        winner, level, case = victory.CASES[pos.result]
        pos.tell("end", case, "The game ends: {} {}", winner.capitalize(), level)
        return
    pos.turn += 1
    pos.open_phase(G_ARRIVE)
    pos.tell("turn", "5.2", "Turn {}", pos.turn)
    arrivals.fleet_returns(pos)
    begin_phase(pos)


def begin_phase(pos: State) -> None:
    """A phase begins with its dice and draws; then it shows whether anything can be done in it."""
    number = pos.phase_number
    pos.tell("phase", pos.phase.case, "{}", pos.phase.title, side=pos.side)
    pos.push(Step("open"))
    if number == G_ARRIVE:
        arrivals.begin_german(pos)
    elif number == S_ARRIVE:
        arrivals.begin_soviet(pos)
    elif number in (G_MOVE, S_MOVE):
        pontoons.stand_all(pos)


# What comes before a phase goes on ----------------------------------------------------------------------


def _automatic(kind: str, case: str, happens: Callable[[State, Step], None]) -> Automatic[CityPosition]:
    """What a step of the agenda brings by itself; it is done with then."""
    return Automatic(kind, case, lambda pos: happens(pos, pos.pop()))


AUTOMATIC = (
    _automatic("walk", "8.1", marching.walk),
    _automatic("settle-stacks", "6.4", marching.settle_stacks),
    _automatic("strike", "10.3", striking.strike),
    _automatic("aftermath", "10.14", striking.aftermath),
    _automatic("finish", "10.3", striking.finish),
    _automatic("join", "9.2", striking.join),
    _automatic("shoot", "9.2", striking.shoot),
    _automatic("after-defensive", "9.3", striking.after_defensive),
    _automatic("next-phase", "5.2", next_phase),
    _automatic("open", "5.1", open_phase),
)


def _choice(
    kind: str, case: str, title: str, prompt: str, actions: Actions,
    otherwise: Callable[[State, Order], Refusal] | Refusal,
    some: Callable[[State, random.Random], Order | Planned] = sampling.any_order,
) -> Decision[CityPosition]:  # fmt: skip
    """A choice that a step of the agenda asks for."""

    def asks(pos: State) -> str:
        return prompt + (f": {pos.unit(pos.step.piece).id}" if pos.step.piece >= 0 else "")

    return Decision(kind, case, title, kind, asks, actions | CONCEDE, otherwise=otherwise, sample=some)


CHOICES = (
    _choice("host", "7.6", "Place of the replacement", "Place the replacement on a unit of its sub-command", {
        "place": Action(arrivals.host, arrivals.place_replacement,
                        lambda pos: arrivals.host_orders(pos, pos.step.piece)),
    }, arrivals.host_first),
    _choice("offer", "9.2", "Defensive fire that is offered", "Fire at the moving unit, or let it pass", {
        "add": Action(lambda pos, order: fire.volley(pos, pos.step, order.units), striking.compose, fire.gunners),
        "commit": Action(fire.made, striking.fire_back,
                         lambda pos: (fire.COMMIT,) if pos.attack and pos.attack.units else ()),
        "cancel": Action(lambda pos, order: fire.FIRE_OR_END if pos.attack is None else order, striking.cancel,
                         lambda pos: (fire.CANCEL,) if pos.attack and pos.attack.units else ()),
        "attack": Action.unlisted(fire.made_at_once, striking.fire_back),
        "end": Action.plain("end", striking.let_pass),
    }, fire.FIRE_OR_END, sampling.offer),
    _choice("lose", "17.3", "Loss for a fanatical assault", "Choose the assaulting unit that is lost", {
        "lose": Action(fire.price, fire.pay, fire.price_orders),
    }, fire.PRICE_FIRST),
    _choice("advance", "10.15", "Advance after combat", "Advance into the vacated hex, or end", {
        "advance": Action(fire.advance_of, fire.advance, fire.advances),
        "end": Action.plain("end", lambda pos, _: pos.done()),
    }, fire.ADVANCE_FIRST),
    _choice("repair", "6.4", "Over-stack that is to be settled", "Settle the over-stack", {
        "repair": Action(marching.repair_of, marching.repair, lambda pos: marching.repairs(pos, pos.step.hex)),
    }, marching.repair_first),
)  # fmt: skip


def _die(
    word: str, case: str | Callable[[State], str], title: str | Callable[[State], str],
    rolled: Callable[[State, Step, int], None],
) -> Roll[CityPosition]:  # fmt: skip
    """A die that is due, by the word of its step; its title has a hole for the unit that it is about."""

    def node(pos: State) -> Chance:
        told = title if isinstance(title, str) else title(pos)
        return die(told.format(pos.unit(pos.step.piece).id), case if isinstance(case, str) else case(pos))

    def fall(pos: State, order: Order) -> None:
        face, at = order.words[0], node(pos)
        pos.tell("die", at.case, "Rolled {} for {}", face, at.title.removeprefix("the die for "))
        rolled(pos, pos.pop(), int(face))

    return Roll(word, "5.1", word.capitalize(), word, node, fall)


DICE = (
    _die("states", "16.2", "the die for Leningrad's defensive state", set_up.set_states),
    _die("corps", "19.1", "the die for 56th Corps units", lambda pos, _, face: pos.push(
        Step("draw", number=pos.tables.german_arrivals.corps[face - 1], words=("56",)))),
    _die("first-division", "19.1", "the die for the first division", lambda pos, _, face: arrivals.summon(
        pos, pos.tables.german_arrivals.first_division[face - 1])),
    _die("third-division", "19.1", "the die for the third division", lambda pos, _, face: arrivals.summon(
        pos, pos.tables.german_arrivals.third_division[face - 1])),
    _die("later", "19.1", "the German reinforcement die", arrivals.later_die),
    _die("tie", "19.1", arrivals.tie_title, arrivals.tie_rolled),
    _die("lfr", "19.3", "the die for Front Reserve units", lambda pos, _, face: pos.push(
        Step("draw", number=face, words=("LFR",)))),
    _die("metro", "15.5", "the Metro die of {}", marching.metro_rolled),
    _die("landing", "18.2", "the airborne table for {}", marching.landing_rolled),
    _die("drift", "18.2", "the direction of the drift for {}", marching.drifted),
    _die("fire", "10.3", "the fire at {}", striking.fire_rolled),
    _die("bridge", "10.17", "the bridge demolition", striking.bridge_rolled),
    _die("structure", "10.19", "the structure demolition", striking.structure_rolled),
    _die("rubble", striking.rubble_case, "the rubble die", striking.rubble_rolled),
    _die("fleet", "15.3", "the return of the fleet", striking.fleet_gone),
)  # fmt: skip


def _drawing(
    kind: str, case: str, chance: Callable[[State, Step], Chance], drawn: Callable[[State, Step, int], None]
) -> Roll[CityPosition]:
    """A counter that is drawn or turned over."""
    return Roll(
        kind, case, kind.capitalize(), kind, lambda pos: chance(pos, pos.step),
        lambda pos, order: drawn(pos, pos.pop(), pos.roster.index[order.units[0]]),
    )  # fmt: skip


DRAWS = (
    _drawing("draw", "7.1", arrivals.draw_chance, arrivals.drawn),
    _drawing("reveal", "6.6", flips.reveal_chance, flips.revealed),
)

SEQUENCE = Sequence(*DECISIONS, *CHOICES, *DICE, *DRAWS, *AUTOMATIC)


PASSES: dict[str, tuple[Callable[[State, Step], object], Callable[[State, Step], object]]] = {
    "draw": (lambda pos, step: step.number <= 0 or not arrivals.left_in_pool(pos, step.words[0]), lambda _, __: None),
    "reveal": (
        lambda pos, step: pos.hidden(step.piece) >= 0,
        lambda pos, step: flips.revealed(pos, step, pos.hidden(step.piece)),
    ),
    "advance": (lambda pos, step: not fire.advancers(pos, step), lambda _, __: None),
    "offer": (lambda pos, step: not fire.firers(pos, step), striking.cancel),
}
"""Choices and draws that pass by themselves: when there is nothing to choose or draw, and what that brings; a back is
turned over at once if somebody knows what it is (6.6)."""
