"""The verbs of the Assaults, and what their chapters share: names turned into units and hexes, common refusals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from ...hexes import Hex
from ...kernel.errors import Illegal
from ...kernel.orders import Grammar, Order
from ...kernel.position import Refusal, refuse
from .state import State

GRAMMAR = Grammar.read(Path(__file__).with_name("verbs.yaml"), hex_pattern=r"\d{4}|[A-Z]\d{1,2}")


class Placement(NamedTuple):
    """A unit that goes to a hex without spending points: set up, transferred, retreating, advancing."""

    unit: int
    hex: Hex


def end_phase(pos: State, _: object) -> None:
    """``end``: the phase is over, and the next begins (4.0)."""
    pos.interrupt("phase over", pos.side)


def out_of_place(pos: State, order: Order) -> Refusal:
    """An order that has no place at this point of the sequence of play."""
    return Refusal("4.0", f"{order.verb!r} is not an order that can be given now ({pos.prompt.lower()})")


def but(said: Mapping[str, Refusal]) -> Callable[[State, Order], Refusal]:
    """Nothing else has a place now, and for some verbs there is a better case to say so."""
    return lambda pos, order: said.get(order.verb) or out_of_place(pos, order)


def own_unit(pos: State, name: str) -> int:
    """A unit of the phasing side by its name."""
    index = pos.index.get(name)
    if index is None:
        raise Illegal("3.2", f"there is no unit {name!r}")
    if pos.roster[index].side != pos.side:
        raise Illegal("4.0", f"{name} is not a unit of the phasing player")
    return index


def one_unit(pos: State, order: Order) -> int:
    """The one unit that an order names, whosever it is; a number that no unit has for a stranger."""
    if len(order.units) != 1:
        refuse(out_of_place(pos, order))
    return pos.index.get(order.units[0], -1)


def named_hexes(pos: State, order: Order) -> tuple[Hex, ...]:
    """The hexes an order names."""
    numbered = pos.ground.grid.by_number
    if not order.hexes:
        raise Illegal("3.1", "the order names no hex")
    try:
        return tuple(map(numbered.__getitem__, order.hexes))
    except KeyError as unknown:
        raise Illegal("3.1", f"the map has no hex {unknown.args[0]}") from None
