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
from ..kernel.orders import Order
from ..kernel.position import Explanation, Position, View
from ..players.attacks import halves
from ..players.tuning import Results, tuning

FAR = 200
"""So many orders are looked ahead for the enemy's chance to attack."""
MOST = 14
"""Most units in one attack."""
QUIET = ("end", "pass", "stand", "stay", "commit", "remove")
"""What a side does that only waits, most waiting first."""


def threats(view: View, side: str) -> dict[str, dict[str, Any]]:
    """For every hex of ``side`` that can be attacked: the best column, how likely the defender is hurt, by whom."""
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
        if position.to_move == side and Order("end") in position.legal:
            position = position.play(Order("end"))
            continue
        orders = list(position.legal)
        if position.to_move != side:
            if any(order.verb == "target" for order in orders):
                yield position
                return
            called = [order for order in orders if order.verb == "activate"]
            if called:
                for order in called:
                    yield from _attacks(position.play(order), side, min(left, 6))
                return
        position = position.play(_waiting(orders))


def _waiting(orders: Iterable[Order]) -> Order:
    """The order that changes least."""
    listed = list(orders)
    return min(listed, key=lambda o: QUIET.index(o.verb) if o.verb in QUIET else len(QUIET))


def _composed(position: Position, side: str) -> Iterator[tuple[tuple[str, ...], Explanation, list[str]]]:
    """Every target with all the units that may join, and its odds as ``side`` may know them."""
    for order in [order for order in position.legal if order.verb == "target"]:
        fight = position.play(order)
        units: list[str] = []
        while len(units) < MOST and fight.to_move == position.to_move:
            joining = next((o for o in fight.legal if o.verb == "add"), None)
            if joining is None:
                break
            units += joining.units
            fight = fight.play(joining)
        try:
            yield order.hexes, fight.view(side).explain(Order("commit")), units
        except LadogaError:
            continue
