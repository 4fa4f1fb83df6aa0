"""The best attack the enemy could bring from where he stands, by the engine's own odds.

What a side knows is imagined as a whole position, both sides end their phases without moving until the
enemy may attack, and he composes the strongest attack on every hex he may choose. The odds are then
read through the eyes of the side that asks, so that they tell it nothing it does not know.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from ..kernel.errors import LadogaError
from ..kernel.orders import Order, Role
from ..kernel.position import Explanation, Position, View
from ..players.attacks import halves
from ..players.tuning import Results, tuning

__all__ = ["threats"]

FAR = 200
"""So many orders are looked ahead for the enemy's chance to attack."""
MOST = 14
"""Most units in one attack."""
QUIET = (Role.END, Role.WAIT, Role.COMMIT)
"""What a side does that only waits, most waiting first."""


def threats(view: View, side: str) -> dict[str, dict[str, Any]]:
    """For every hex of ``side`` that can be attacked: the best column, how likely the defender is hurt, by whom.

    >>> from ladoga.analysis.example import skirmish
    >>> position = skirmish()
    >>> sorted(threats(position.view("soviet"), "soviet"))
    ['0403']
    """
    position = view.imagine(random.Random(0))
    results = tuning(view.game.id).results
    held = {counter.hex for counter in view.table().counters if counter.side == side}
    worst: dict[str, tuple[Fraction, dict[str, Any]]] = {}
    for begun in _attacks(position, side, FAR):
        for hexes, explanation, units in _composed(begun, side):
            hurt = hurting(results, explanation)
            column = max(explanation.columns, key=lambda c: c[1])[0] if explanation.columns else ""
            for hex_ in held.intersection(hexes):
                if hex_ not in worst or hurt > worst[hex_][0]:
                    worst[hex_] = hurt, {"column": column, "hurt": float(hurt), "exact": str(hurt), "units": units}
    return {hex_: told for hex_, (_, told) in worst.items()}


def hurting(results: Results, explanation: Explanation) -> Fraction:
    """How likely an attack costs the defender anything."""
    hits = (p for code, p in explanation.results if any(results.steps.get(h, 0) > 0 for h in halves(results, code)[0]))
    return sum(hits, Fraction(0))


def _attacks(position: Position, side: str, left: int) -> Iterator[Position]:
    """The positions, from here on, in which the enemy chooses what to attack without anybody having moved."""
    while left and position.to_move is not None:
        left -= 1
        if position.chance is not None:
            position = position.play(max(position.chance.outcomes, key=lambda o: o[1])[0])
            continue
        orders = list(position.legal)
        ends = _for(Role.END, orders, position)
        if position.to_move == side and ends:
            position = position.play(ends[0])
            continue
        if position.to_move != side:
            if _for(Role.AIM, orders, position):
                yield position
                return
            called = _for(Role.CALL, orders, position)
            if called:
                for order in called:
                    yield from _attacks(position.play(order), side, min(left, 6))
                return
        position = position.play(_waiting(orders, position))


def _for(role: Role, orders: Iterable[Order], position: Position) -> list[Order]:
    """The orders among some that are for something."""
    return [order for order in orders if position.game.role(order) is role]


def _waiting(orders: Iterable[Order], position: Position) -> Order:
    """The order that changes least."""
    roles = [(position.game.role(order), order) for order in orders]
    return min(roles, key=lambda each: QUIET.index(each[0]) if each[0] in QUIET else len(QUIET))[1]


def _composed(position: Position, side: str) -> Iterator[tuple[tuple[str, ...], Explanation, list[str]]]:
    """Every target with all the units that may join, and its odds as ``side`` may know them."""
    for order in position.legal.with_role(Role.AIM):
        fight = position.play(order)
        units: list[str] = []
        while len(units) < MOST and fight.to_move == position.to_move:
            joining = next(iter(fight.legal.with_role(Role.JOIN)), None)
            if joining is None:
                break
            units += joining.units
            fight = fight.play(joining)
        commit = Order(next(verb.name for verb in position.game.grammar.verbs.values() if verb.role is Role.COMMIT))
        try:
            yield order.hexes, fight.view(side).explain(commit), units
        except LadogaError:
            continue
