"""Headquarters: with friends, and so that as many units as may be obey somebody."""

from __future__ import annotations

from collections.abc import Sequence

from ....hexes import Hex, HexMask
from ....kernel.orders import END, Order
from .lie import BODY, Lie

SHARED, OWN = 0.1, 0.25
"""What it is worth to reach a unit that another headquarters reaches too, against one that nobody else does: who obeys
whom is settled anew each turn (9), so what counts is that everybody has somebody to obey; and one of its own."""
TOWARDS = 0.06
"""What it costs to be a hex further from a factor that nobody reaches."""
FAR = 6
"""Hexes beyond its reach from which on a headquarters does not think of a unit."""
ALONE = 12.0
"""What it costs a headquarters to stand where an enemy can walk in: caught, it is back next turn (11)."""
COMPANY = 3.0
"""What friends in the hex are worth."""


def seat_worth(lie: Lie, q: int, h: Hex) -> float:
    """What it is worth to have a headquarters in a hex."""
    p, reach = lie.p, lie.p.tables.command.of(lie.side)
    away_from, value = lie.chart.away(h), 0.0
    others = _reached_by_others(lie, q)
    for u in p.roster.of[lie.side]:
        at = p.hexes[u]
        if at < 0:
            continue
        away = away_from[at]
        weight = 1.0 if not others >> at & 1 else OWN if p.hq[u] == q else SHARED
        near = 1.0 - 0.02 * away if away <= reach else -TOWARDS * min(away - reach, FAR)
        value += weight * p.cf[u] * lie.worth(u) * near
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


def headquarters_move(lie: Lie, orders: Sequence[Order]) -> Order:
    """The hex from which most units are in command, safe with friends or out of the enemy's reach."""
    p, q = lie.p, lie.p.active_hq
    here = p.hq_hex[q]
    hexes = {here: END}
    hexes.update({lie.grid.hex(order.hexes[0]): order for order in orders if order.verb == "move"})
    best = max(hexes, key=lambda h: (seat_worth(lie, q, h) + (0.1 if h == here else 0.0), -h))
    return hexes[best]


def returning(lie: Lie, orders: Sequence[Order]) -> Order:
    """A headquarters comes back where it commands most."""
    q = lie.p.roster.hq_index[orders[0].units[0]]
    return max(orders, key=lambda order: (seat_worth(lie, q, lie.grid.hex(order.hexes[0])), str(order)))


def _reached_by_others(lie: Lie, q: int) -> HexMask:
    """The hexes that other headquarters of the side reach."""
    p = lie.p
    seats = sum({1 << p.hq_hex[x] for x in p.roster.hqs_of[lie.side] if x != q and p.hq_hex[x] >= 0})
    return lie.grid.within(seats, p.tables.command.of(lie.side)) if seats else 0
