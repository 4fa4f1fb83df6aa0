"""The verbs of the Assaults, and what their chapters share: names turned into units and hexes, common refusals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from ...hexes import Hex
from ...kernel.orders import Grammar, Order, Role, Verb
from ...kernel.position import Refusal

if TYPE_CHECKING:
    from .position import AssaultPosition

GRAMMAR = Grammar(
    [
        Verb("place", "units hexes", "set a unit up in the city", Role.PLACE),
        Verb(
            "bomb",
            "hexes word?",
            "send an air unit against a hex, or against the fleet in it (add: fleet)",
            said="Bomb the {word} in {hex}|Bomb {hex}",
        ),
        Verb("disrupt", "units", "name the unit in the city that a hit disrupts", said="Disrupt {units}"),
        Verb("shelter", "", "run for the harbour with the fleet", said="Run for the harbour"),
        Verb("stay", "", "keep the fleet at sea", Role.WAIT, said="Stay at sea"),
        Verb(
            "enter",
            "units hexes",
            "bring a reinforcement in, by the hex it ends in or by its whole path",
            Role.ENTER,
        ),
        Verb("move", "units hexes", "move a unit to a hex, or along a path of hexes", Role.GO),
        Verb(
            "transfer",
            "units hexes",
            "shift a unit between the city on the main map and on the inset",
            said="Transfer {units} to {hex}|Transfer {units}",
        ),
        Verb("fire", "hexes", "lay the fleet's guns on a hex", said="Lay the guns on {hex}"),
        Verb(
            "support",
            "hexes",
            "keep an air unit over a hex that will be attacked",
            Role.SUPPORT,
            said="Send air support to {hex}",
        ),
        Verb("target", "hexes", "begin an attack on a hex, or add a hex to it", Role.AIM),
        Verb("add", "units", "add a unit to the attack", Role.JOIN),
        Verb("commit", "", "make the attack", Role.COMMIT),
        Verb("cancel", "", "give up the attack that is being put together", Role.CANCEL),
        Verb("attack", "units hexes", "make a whole attack in one order", Role.STRIKE),
        Verb("lose", "units", "take a step loss from a unit", Role.LOSE),
        Verb("retreat", "units hexes", "retreat a unit one hex", Role.RETREAT),
        Verb("stand", "", "decline the first penalty after the attacker has retreated", Role.WAIT),
        Verb("advance", "units hexes", "advance a unit into a hex emptied by the attack", Role.ADVANCE),
        Verb("remove", "units", "give up a unit for want of room", said="Remove {units}"),
        Verb("end", "", "end the phase, or be content", Role.END),
        Verb("die", "word", "a roll of the die", Role.CHANCE),
        Verb("draw", "units", "a unit drawn from the cup", Role.CHANCE, said="Draw {units}"),
    ],
    hex_pattern=r"\d{4}|[A-Z]\d{1,2}",
)


class Placement(NamedTuple):
    """A unit that goes to a hex without spending points: set up, transferred, retreating, advancing."""

    unit: int
    hex: Hex


def end_phase(pos: AssaultPosition, _: object) -> None:
    """``end``: the phase is over, and the next begins (4.0)."""
    pos.interrupt("phase over", pos.side)


def out_of_place(pos: AssaultPosition, order: Order) -> Refusal:
    """An order that has no place at this point of the sequence of play."""
    return Refusal("4.0", f"{order.verb!r} is not an order that can be given now ({pos.prompt.lower()})")


def but(said: Mapping[str, Refusal]) -> Callable[[AssaultPosition, Order], Refusal]:
    """Nothing else has a place now, and for some verbs there is a better case to say so."""
    return lambda pos, order: said.get(order.verb) or out_of_place(pos, order)


def own_unit(pos: AssaultPosition, name: str) -> int | Refusal:
    """A unit of the phasing side by its name."""
    index = pos.index.get(name)
    if index is None:
        return Refusal("3.2", f"there is no unit {name!r}")
    if pos.roster[index].side != pos.side:
        return Refusal("4.0", f"{name} is not a unit of the phasing player")
    return index


def named_hexes(pos: AssaultPosition, order: Order) -> tuple[Hex, ...] | Refusal:
    """The hexes an order names."""
    numbered = pos.ground.grid.by_number
    try:
        found = tuple(map(numbered.__getitem__, order.hexes))
    except KeyError as unknown:
        return Refusal("3.1", f"the map has no hex {unknown.args[0]}")
    return found or Refusal("3.1", "the order names no hex")
