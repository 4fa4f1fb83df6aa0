"""The naval unit's firepower (13.0)."""

from __future__ import annotations

from collections.abc import Iterator

from ...hexes import NOWHERE, Hex, HexMask
from ...kernel.orders import Order
from ...kernel.position import Refusal, first_case, forbid, refuse
from .figures import GERMAN, SOVIET
from .orders import named_hexes
from .state import State


def why_silent(pos: State) -> Refusal | None:
    """Why the fleet cannot fire at all, or ``None`` (13.7, 13.10)."""
    index = pos.fleet_index
    if index is None or pos.where[index] < 0:
        return Refusal("13.1", "there is no fleet")
    return first_case(
        (pos.is_disrupted(index), "13.10", "the fleet is disrupted and cannot fire"),
        (pos.ground.harbour >> pos.where[index] & 1, "13.7", "the fleet does not fire from the harbour"),
    )


def in_range(pos: State) -> HexMask:
    """Main-map hexes the marker may lie on: in range of the fleet, outside the city (13.3, 13.8)."""
    assert pos.fleet_index is not None
    ground = pos.ground
    around = ground.grid.within(1 << pos.where[pos.fleet_index], ground.tables.fleet_range)
    return around & ground.main & ~ground.capital


def _held(pos: State) -> tuple[HexMask, str, str]:
    """The hexes fired at, German before Soviet combat and Soviet after it, with the word and the case (13.4, 13.5)."""
    if pos.agenda[-1].at == "naval-fire":
        return pos.lays[GERMAN].occupied, "German", "13.4"
    return pos.lays[SOVIET].occupied, "Soviet", "13.5"


def shot_at(pos: State, order: Order) -> Hex | Refusal:
    """Where an order lays the guns, or why the marker may not lie there (13.3, 13.4)."""
    refuse(why_silent(pos))
    found, ground = named_hexes(pos, order), pos.ground
    forbid(len(found) != 1, "13.6", "the firepower is never split")
    if pos.fire_on != NOWHERE:
        return Refusal("13.6", f"the guns are laid on {ground.number(pos.fire_on)} already")
    h = found[0]
    forbid(
        (ground.capital | ground.inset) >> h & 1, "13.8", "the marker is never placed in {}", ground.book.capital_name
    )
    forbid(not in_range(pos) >> h & 1, "13.3", "{} is more than {} hexes from the fleet", order.hexes[0],
           ground.tables.fleet_range)  # fmt: skip
    held, whose, case = _held(pos)
    return h if held >> h & 1 else Refusal(case, f"there is no {whose} unit in {order.hexes[0]}")


def shots(pos: State) -> Iterator[Order]:
    """Every hex the guns may be laid on."""
    if why_silent(pos) is None and pos.fire_on == NOWHERE:
        for number in pos.ground.numbers(in_range(pos) & _held(pos)[0]):
            yield Order("fire", (), (number,))


def fire(pos: State, h: Hex) -> None:
    """Place the marker (13.3)."""
    pos.fire_on = h
    pos.tell("fire", "13.3", "The fleet's guns are laid on {0}", pos.ground.number(h))
