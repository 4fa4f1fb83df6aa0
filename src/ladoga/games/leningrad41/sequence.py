"""The sequence of play (5.0): phases, the choices and dice that come before they go on, and what happens by itself.

The chapters judge, list and carry out the orders of a phase together; the die or draw that is due, the choice that play
waits for and what goes on by itself are items of the agenda whose matter is a ``Step``.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from ...kernel.chance import Chance
from ...kernel.orders import END, Order
from ...kernel.position import Refusal, passed
from ...kernel.sequence import Action, Automatic, Decision, Planned, Roll, Sequence
from . import arrivals, fire, marching, movement, pontoons, sampling, set_up, striking, victory
from .counters import SOVIET
from .orders import VERBS
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
    State,
    Step,
    unknown,
)

if TYPE_CHECKING:
    from .position import CityPosition


Actions = dict[str, Action["CityPosition", Any]]


def concede(pos: State, _: Order) -> None:
    """A player gives up, at any decision of his (5.4)."""
    side = pos.to_move
    pos.result = f"{side}-concedes"
    pos.say("end", "5.4", "The {} player concedes", str(side).capitalize())


CONCEDE: Actions = {"concede": Action.unlisted(lambda _, order: order, concede)}


def checked(
    orders: Callable[[State], Iterable[Order]],
    refusal: Callable[[State, Order], Refusal | None],
    apply: Callable[[State, Order], None],
) -> Actions:
    """The verbs of a chapter that judges, lists and carries them out together: its list comes with the first of them.
    A player may concede whatever is asked of him."""

    def plan(pos: State, order: Order) -> Order | Refusal:
        return refusal(pos, order) or order

    verbs = [verb.name for verb in VERBS]
    actions: Actions = {verb: Action.unlisted(plan, apply) for verb in verbs}
    actions[verbs[0]] = Action(plan, apply, orders)
    return actions | CONCEDE


# Phases -----------------------------------------------------------------------------------------------


class Chapter(NamedTuple):
    """The rules of a phase while no step is pending: what each verb does, some order at random, whether anything can be
    done in the phase at all, and its end."""

    actions: Actions
    some: Callable[[State, random.Random], Order | Planned]
    busy: Callable[[State], bool]
    end: Callable[[State], None]


def whole(
    orders: Callable[[State], Iterable[Order]],
    refusal: Callable[[State, Order], Refusal | None],
    apply: Callable[[State, Order], None],
    some: Callable[[State, random.Random], Order],
    busy: Callable[[State], bool],
) -> Chapter:
    """A chapter that judges and carries out its verbs together; what it draws need not be judged again."""

    def draw(pos: State, rng: random.Random) -> Planned:
        order = some(pos, rng)
        return Planned(order, apply, order)

    return Chapter(checked(orders, refusal, apply), draw, busy, lambda pos: apply(pos, END))


_MOVEMENT = whole(movement.orders, movement.refusal, marching.apply, sampling.move, movement.busy)
_FIRE = Chapter(striking.FIRE | CONCEDE, sampling.fire, fire.busy, striking.end)

CHAPTERS = {
    SET_UP: whole(set_up.orders, set_up.refusal, set_up.apply, sampling.set_up, set_up.busy),
    G_ARRIVE: whole(
        arrivals.german_orders, arrivals.german_refusal, arrivals.german_apply, sampling.german_arrival,
        arrivals.german_busy,
    ),
    G_AIR: _FIRE,
    G_MOVE: _MOVEMENT,
    G_FIRE: _FIRE,
    S_ARRIVE: whole(
        arrivals.soviet_orders, arrivals.soviet_refusal, arrivals.soviet_apply, sampling.soviet_arrival,
        arrivals.soviet_busy,
    ),
    S_MOVE: _MOVEMENT,
    S_FIRE: _FIRE,
}  # fmt: skip


def flips(pos: State) -> Iterator[Order]:
    """``flip UNIT`` for the face-down units on the map, unless a fire is being composed (6.6)."""
    if pos.phase_number in (S_ARRIVE, S_FIRE) and pos.attack is None:
        units, backs = pos.roster.units, pos.roster.backs.start
        for piece in pos.on_map(SOVIET):
            if piece >= backs:
                yield Order("flip", (units[piece].id,))


def flip_plan(pos: State, order: Order) -> Order | Refusal:
    """One unit that lies face down (6.6)."""
    if pos.attack is not None:
        return unknown(order, pos)
    piece = pos.piece(order.units[0]) if len(order.units) == 1 else None
    if piece is None:
        return Refusal("6.6", "flip one unit at a time")
    return movement.flip_refusal(pos, piece) or order


def flip(pos: State, order: Order) -> None:
    """A unit is turned face up."""
    pos.push(Step("reveal", pos.roster.index[order.units[0]]))


def some_flip_or_fire(pos: State, rng: random.Random) -> Order | Planned:
    """Half of the time a unit is flipped, if any lies face down."""
    if pos.attack is None and rng.random() < 0.5:
        found = list(flips(pos))
        if found:
            return rng.choice(found)
    return sampling.fire(pos, rng)


def _phase(number: int) -> Decision[CityPosition]:
    phase, chapter = PHASES[number], CHAPTERS[number]
    actions: Actions = chapter.actions
    if number in (S_ARRIVE, S_FIRE):
        first: Actions = {"flip": Action(flip_plan, flip, flips)}
        actions = first | {verb: action for verb, action in actions.items() if verb != "flip"}
    some = some_flip_or_fire if number == S_FIRE else chapter.some
    word = phase.id.partition("-")[2]
    return Decision(
        phase.id, phase.case, phase.title, word, phase.title, actions,
        otherwise=lambda pos, order: unknown(order, pos), sample=some,
    )  # fmt: skip


def anything_to_do(pos: State) -> bool:
    """Whether the phase that opens has an order but its end."""
    return next(flips(pos), None) is not None or CHAPTERS[pos.phase_number].busy(pos)


def open_phase(pos: State) -> None:
    """The dice that open a phase have fallen. It lasts until its player ends it, even if nothing is left to do in it
    (5.1); one in which nothing can be done from the first passes."""
    pos.pop()
    if not anything_to_do(pos):
        pos.events += (passed(pos.phase),)
        CHAPTERS[pos.phase_number].end(pos)


def next_phase(pos: State) -> None:
    """Go on in the sequence of play (5.2); the Soviet reinforcement phase is skipped on turn 1."""
    pos.pop()
    pos.clear_phase()
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
        pos.say("end", case, "The game ends: {} {}", winner.capitalize(), level)
        return
    pos.turn += 1
    pos.open_phase(G_ARRIVE)
    pos.say("turn", "5.2", "Turn {}", pos.turn)
    arrivals.fleet_returns(pos)
    begin_phase(pos)


def begin_phase(pos: State) -> None:
    """A phase begins with its dice and draws; then it shows whether anything can be done in it."""
    number = pos.phase_number
    pos.say("phase", pos.phase.case, "{}", pos.phase.title, side=pos.phase.side)
    pos.push(Step("open"))
    if number == G_ARRIVE:
        arrivals.begin_german(pos)
    elif number == S_ARRIVE:
        arrivals.begin_soviet(pos)
    elif number in (G_MOVE, S_MOVE):
        pontoons.stand_all(pos)


# What comes before a phase goes on ----------------------------------------------------------------------


def _automatic(kind: str, case: str, happens: Callable[[State, Step], None]) -> Automatic[CityPosition]:
    return Automatic(kind, case, lambda pos: happens(pos, pos.agenda[0].matter))


AUTOMATIC = (
    _automatic("walk", "8.1", marching.walk),
    _automatic("settle-stacks", "6.4", marching.settle_stacks),
    _automatic("strike", "10.3", striking.strike),
    _automatic("aftermath", "10.14", striking.aftermath),
    _automatic("finish", "10.3", striking.finish),
    _automatic("join", "9.2", striking.join),
    _automatic("shoot", "9.2", striking.shoot),
    _automatic("after-defensive", "9.3", striking.after_defensive),
    Automatic("next-phase", "5.2", next_phase),
    Automatic("open", "5.1", open_phase),
)


def _choice(
    kind: str, case: str, title: str, prompt: str, orders: Callable[[State, Step], Iterator[Order]],
    refusal: Callable[[State, Step, Order], Refusal | None], apply: Callable[[State, Step, Order], None],
    some: Callable[[State, Step, random.Random], Order] | None = None,
) -> Decision[CityPosition]:  # fmt: skip
    """A choice that a step of the agenda asks for."""

    def asks(pos: State) -> str:
        step: Step = pos.agenda[0].matter
        return prompt + (f": {pos.unit(step.piece).id}" if step.piece >= 0 else "")

    actions = checked(
        lambda pos: orders(pos, pos.agenda[0].matter),
        lambda pos, order: refusal(pos, pos.agenda[0].matter, order),
        lambda pos, order: apply(pos, pos.agenda[0].matter, order),
    )

    def draw(pos: State, rng: random.Random) -> Planned:
        step: Step = pos.agenda[0].matter
        order = rng.choice(list(orders(pos, step))) if some is None else some(pos, step, rng)
        return Planned(order, actions[order.verb].carry_out, order)

    return Decision(kind, case, title, kind, asks, actions, sample=draw)


CHOICES = (
    _choice("host", "7.6", "Place of the replacement", "Place the replacement on a unit of its sub-command",
            arrivals.host_orders, arrivals.host_refusal, arrivals.host_apply),
    _choice("offer", "9.2", "Defensive fire that is offered", "Fire at the moving unit, or let it pass",
            fire.offer_orders, fire.offer_refusal, striking.offer_apply, sampling.offer),
    _choice("lose", "17.3", "Loss for a fanatical assault", "Choose the assaulting unit that is lost",
            fire.lose_orders, fire.lose_refusal, fire.lose_apply),
    _choice("advance", "10.15", "Advance after combat", "Advance into the vacated hex, or end",
            fire.advance_orders, fire.advance_refusal, fire.advance_apply),
    _choice("repair", "6.4", "Over-stack that is to be settled", "Settle the over-stack",
            marching.repair_orders, marching.repair_refusal, marching.repair_apply),
)  # fmt: skip


def _die(
    word: str, chance: Callable[[State, Step], Chance], rolled: Callable[[State, Step, int], None]
) -> Roll[CityPosition]:
    """A die that is due, by the word of its step."""

    def node(pos: State) -> Chance:
        return chance(pos, pos.agenda[0].matter)

    def fall(pos: State, order: Order) -> None:
        face, at = order.words[0], node(pos)
        pos.say("die", at.case, "Rolled {} for {}", face, at.title)
        rolled(pos, pos.agenda[0].matter, int(face))

    return Roll(word, "5.1", word.capitalize(), word, node, fall)


DICE = (
    _die("states", set_up.states_die, set_up.set_states),
    *(_die(word, arrivals.die_chance, arrivals.die_rolled)
      for word in ("corps", "first-division", "third-division", "later", "tie", "lfr")),
    _die("metro", marching.metro_die, marching.metro_rolled),
    *(_die(word, marching.landing_die, marching.landing_rolled) for word in ("landing", "drift")),
    *(_die(word, striking.fire_die, striking.fire_rolled)
      for word in ("fire", "bridge", "structure", "rubble", "fleet")),
)  # fmt: skip


def _drawing(
    kind: str, case: str, chance: Callable[[State, Step], Chance], drawn: Callable[[State, Step, int], None]
) -> Roll[CityPosition]:
    """A counter that is drawn or turned over."""
    return Roll(
        kind, case, kind.capitalize(), kind, lambda pos: chance(pos, pos.agenda[0].matter),
        lambda pos, order: drawn(pos, pos.agenda[0].matter, pos.roster.index[order.units[0]]),
    )  # fmt: skip


DRAWS = (
    _drawing("draw", "7.1", arrivals.draw_chance, arrivals.drawn),
    _drawing("reveal", "6.6", arrivals.reveal_chance, arrivals.revealed),
)

SEQUENCE = Sequence(*(_phase(number) for number in CHAPTERS), *CHOICES, *DICE, *DRAWS, *AUTOMATIC)


def _drawn_out(pos: State, step: Step) -> bool:
    over = step.number <= 0 or not arrivals.left_in_pool(pos, step.words[0])
    if over:
        pos.pop()
    return over


def _nobody_advances(pos: State, step: Step) -> bool:
    over = not fire.advancers(pos, step)
    if over:
        pos.pop()
    return over


def _nobody_fires(pos: State, step: Step) -> bool:
    over = not fire.firers(pos, step)
    if over:
        pos.pop()
        pos.attack = None
    return over


PASSES: dict[str, Callable[[State, Step], bool]] = {
    "draw": _drawn_out,
    "reveal": arrivals.uncover,
    "advance": _nobody_advances,
    "offer": _nobody_fires,
}
"""Choices and draws that pass by themselves once there is nothing to choose or draw; each says whether it did."""
