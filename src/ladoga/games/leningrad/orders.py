"""The verbs of Leningrad, and what several chapters share of refusing and carrying them out."""

from __future__ import annotations

from pathlib import Path

from ...hexes import Hex
from ...kernel.errors import Illegal, LadogaError
from ...kernel.events import Stays
from ...kernel.orders import Grammar, Order
from ...kernel.position import Refusal, first_case, forbid
from .edition import SIDES
from .pieces import Slot
from .position import LeningradPosition

GRAMMAR = Grammar.read(Path(__file__).with_name("verbs.yaml"))


BELONGS = {"move": "4.0", "overrun": "7.0", "attack": "8.0", "target": "8.0", "advance": "10.9"}
"""The case that says when an order can be given, where the sequence of play (3.0) is not the best to name."""

NO_ADVANCE = {
    "10.3": ("no advance after a split result", "{0}: no advance for the defender after a split result"),
    "7.7": ("no advance after an overrun", "{0}: no advance for those who were overrun"),
}
"""How it is told that defenders stay where they are, by case."""

FIGHTING = ("attack", "target", "overrun")
"""Orders that begin a fight: not before the last is carried out (9.0), and in movement only overruns (4.0)."""

LEAVING = ("move", "retreat", "advance")
"""Orders that might take a unit off the map."""


def end_phase(pos: LeningradPosition, _: object) -> None:
    """``end``: the phase is over, and the next begins (3.0)."""
    pos.interrupt("phase over", pos.mover)


def wrong_phase(pos: LeningradPosition, order: Order) -> Refusal:
    """An order that belongs to another phase, or to none: the limit of a phase, or a fight just over, may be why."""
    case = BELONGS.get(order.verb, "3.0")
    if order.verb in FIGHTING:
        case = "9.0" if pos.fight is not None else "4.0" if pos.phase.id.endswith("movement") else case
    limit = _limit_reached(pos, order.verb) or _stays(pos, order)
    return limit or Refusal(case, f"{order.verb!r} is not possible now: {pos.prompt}")


def _stays(pos: LeningradPosition, order: Order) -> Refusal | None:
    """Why a defender of the fight that is just over does not advance (10.3, 7.7)."""
    stays = [event.fact for event in pos.events if isinstance(event.fact, Stays)] if order.verb == "advance" else []
    fact = next((fact for fact in stays if order.units[0] in fact.units), None)
    return fact and Refusal(fact.case, NO_ADVANCE[fact.case][1].format(", ".join(fact.units)))


def _limit_reached(pos: LeningradPosition, verb: str) -> Refusal | None:
    """The limit that ended the phase an order belongs to: of forts (15.4) or of air units (13.5)."""
    scenario, air = pos.game.edition.scenario, pos.game.edition.air_units[pos.turn]
    return first_case(
        (verb == "fort" and pos.forts_placed == scenario.forts_per_turn, "15.4",
         "{} forts have been placed this turn", pos.forts_placed),
        (verb == "interdict" and pos.air_used + sum(pos.air_on.values()) >= air, "13.5",
         "no air unit is left this turn"),
    )  # fmt: skip


def why_all_water(pos: LeningradPosition, a: Hex, b: Hex) -> Refusal | None:
    """Neighbours that an all-sea or all-lake hexside keeps apart (4.9)."""
    names, grid = pos.ground.names, pos.ground.grid
    if not grid.adjacent(a, b) or pos.ground.around[a] >> b & 1:
        return None
    return Refusal("4.9", f"the hexside from {names[a]} to {names[b]} is all water")


def named_slots(pos: LeningradPosition, order: Order) -> tuple[Slot, ...]:
    """The pieces an order names, sorted."""
    try:
        if len(order.units) == 1:
            return (pos.slot(order.units[0]),)
        return tuple(sorted([pos.slot(name) for name in order.units]))
    except LadogaError as problem:
        raise Illegal("2.4", str(problem)) from None


def named_unit(pos: LeningradPosition, order: Order) -> Slot:
    """The one piece an order names."""
    forbid(
        len(order.units) != 1, "10.6" if order.verb == "retreat" else "3.0", "{} takes one unit at a time", order.verb
    )
    return named_slots(pos, order)[0]


def named_hexes(pos: LeningradPosition, order: Order) -> tuple[Hex, ...]:
    """The hexes an order names; no unit leaves the map (4.8)."""
    numbered = pos.ground.grid.by_number
    try:
        return tuple(map(numbered.__getitem__, order.hexes))
    except KeyError as unknown:
        case = "4.8" if order.verb in LEAVING else "2.1"
        raise Illegal(case, f"there is no hex {unknown.args[0]} on the map") from None


def named_hex(pos: LeningradPosition, order: Order) -> Hex:
    """The one hex an order names."""
    forbid(len(order.hexes) != 1, "3.0", "{} takes one hex", order.verb)
    return named_hexes(pos, order)[0]


def not_mine(pos: LeningradPosition, slots: tuple[Slot, ...], side: int) -> Refusal | None:
    """Orders go to one's own units on the map (4.0)."""
    for slot in slots:
        if pos.pieces[slot].side != side or pos.hexes[slot] < 0:
            whose = f"not a {SIDES[side].capitalize()} unit" if pos.pieces[slot].side != side else "not on the map"
            return Refusal("4.0", f"{pos.name(slot)} is {whose}")
    return None


def air_word(order: Order) -> int:
    """The number of air units after ``air`` at the end of an order."""
    words = order.words or ("air", "0")
    forbid(len(words) != 2 or words[0] != "air" or words[1] not in ("0", "1", "2"), "13.1",
           "{!r} is not 'air 1' or 'air 2'", " ".join(order.words))  # fmt: skip
    return int(words[1])
