"""Headquarters: with friends, and so that as many units as may be obey somebody."""

from __future__ import annotations

from collections.abc import Sequence

from ...hexes import Hex
from ...kernel.orders import END, Order
from ..doctrines.tijvin_staff.lie import BODY
from .reading import Reading

ORPHAN = 0.6
"""What it is worth to reach a unit that no other headquarters reaches, against one of its own."""
ALONE = 30.0
"""What it costs a headquarters to stand where an enemy can walk in."""
COMPANY = 3.0
"""What friends in the hex are worth."""


def seat_worth(lie: Reading, q: int, h: Hex) -> float:
    """What it is worth to have a headquarters in a hex."""
    p, reach = lie.p, lie.p.tables.command.of(lie.side)
    away_from, value = lie.chart.away(h), 0.0
    others = lie.reached_by_others(q)
    for u in p.roster.of[lie.side]:
        at = p.hexes[u]
        if at < 0:
            continue
        away = away_from[at]
        weight = 1.0 if p.hq[u] == q else 0.0 if others >> at & 1 else ORPHAN
        value += weight * p.cf[u] * lie.worth(u) * (1.0 - 0.02 * away if away <= reach else -0.1 * (away - reach))
    friends = p.stacked(h, lie.side)
    if friends:
        beaten = lie.danger(h, friends, 1.5, 0)
        value += COMPANY * (1.0 if friends >= BODY else 0.6) - 4.0 * beaten
    elif lie.reached >> h & 1:
        value -= ALONE
    for city, worth in lie.cities.items():
        if lie.held >> city & 1 and lie.threat(city)[0] and away_from[city] <= 1:
            value += 0.1 * worth
    return value


def headquarters_move(lie: Reading, orders: Sequence[Order]) -> Order:
    """The hex from which most units are in command, safe with friends or out of the enemy's reach."""
    p, q = lie.p, lie.p.active_hq
    here = p.hq_hex[q]
    hexes = {here: END}
    hexes.update({lie.grid.hex(order.hexes[0]): order for order in orders if order.verb == "move"})
    best = max(hexes, key=lambda h: (seat_worth(lie, q, h) + (0.1 if h == here else 0.0), -h))
    return hexes[best]


def returning(lie: Reading, orders: Sequence[Order]) -> Order:
    """A headquarters comes back where it commands most."""
    q = lie.p.roster.hq_index[orders[0].units[0]]
    return max(orders, key=lambda order: (seat_worth(lie, q, lie.grid.hex(order.hexes[0])), str(order)))
