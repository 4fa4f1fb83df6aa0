"""Headquarters: with friends, and so that as many units as may be obey somebody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ....hexes import Hex, HexMask
from ....kernel.orders import END, Order
from .flight import BODY
from .lie import Lie

SHARED, OWN = 0.1, 0.25
"""What it is worth to reach a unit that another headquarters reaches too, against one that nobody else does: who obeys
whom is settled anew each turn (9), so what counts is that everybody has somebody to obey; and one of its own."""
TOWARDS = 0.06
"""What it costs to be a hex further from a factor that nobody reaches."""
BEYOND = 6
"""Hexes beyond its reach from which on a headquarters does not think of a unit."""
ALONE = 25.0
"""What it costs a headquarters to stand alone where an enemy is near or can walk in: caught, its units act alone
(11)."""
COMPANY, REAR = 13.0, 1.5
"""What friends in the hex are worth where an enemy can come near, and elsewhere."""


def flock(lie: Lie, q: int) -> dict[Hex, float]:
    """What a headquarters is to reach: for each hex with units of the side what it counts to reach them. Where nobody
    can be assigned anew before he acts (15.1) only its own count."""
    p, others, found = lie.p, _reached_by_others(lie, q), dict[Hex, float]()
    scenario = p.game.book.set_up.scenarios[p.scenario]
    settled = lie.side == "soviet" and p.stage.startswith("set-up") and scenario.soviet_assignment > p.turn
    for u in p.roster.of[lie.side]:
        at = p.hexes[u]
        if at >= 0 and (p.hq[u] == q or not settled):
            weight = 1.0 if settled or not others >> at & 1 else OWN if p.hq[u] == q else SHARED
            found[at] = found.get(at, 0.0) + weight * p.cf[u] * lie.worth(u)
    return found


def seat_worth(lie: Lie, h: Hex, units: Mapping[Hex, float]) -> float:
    """What it is worth to have a headquarters in a hex, for what it is to reach."""
    p, reach = lie.p, lie.p.tables.command.of(lie.side)
    away_from, value = lie.chart.away(h), 0.0
    for at, weight in units.items():
        away = away_from[at]
        value += weight * (1.0 - 0.02 * away if away <= reach else -TOWARDS * min(away - reach, BEYOND))
    friends = p.stacked(h, lie.side)
    if friends:
        beaten = lie.danger(h, friends, 1.5, 0)
        company = COMPANY * lie.temper_of("company") if lie.approached >> h & 1 else REAR
        value += company * (1.0 if friends >= BODY else 0.6) - 4.0 * beaten
    elif (lie.reached | lie.near) >> h & 1:
        value -= ALONE * lie.temper_of("alone")
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
    units = flock(lie, q)
    best = max(hexes, key=lambda h: (seat_worth(lie, h, units) + (0.1 if h == here else 0.0), -h))
    return hexes[best]


def returning(lie: Lie, orders: Sequence[Order]) -> Order:
    """A headquarters comes back where it commands most."""
    units = flock(lie, lie.p.roster.hq_index[orders[0].units[0]])
    return max(orders, key=lambda order: (seat_worth(lie, lie.grid.hex(order.hexes[0]), units), str(order)))


def _reached_by_others(lie: Lie, q: int) -> HexMask:
    """The hexes that other headquarters of the side reach."""
    p = lie.p
    seats = sum({1 << p.hq_hex[x] for x in p.roster.hqs_of[lie.side] if x != q and p.hq_hex[x] >= 0})
    return lie.grid.within(seats, p.tables.command.of(lie.side)) if seats else 0
