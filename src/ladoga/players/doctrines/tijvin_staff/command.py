"""Command: which headquarters acts, where it goes, who obeys it, and who gets replacements."""

from __future__ import annotations

from collections.abc import Sequence

from ....games.tijvin import operations
from ....games.tijvin.book import UnitMask
from ....hexes import Hex, HexMask, members
from ....kernel.orders import END, Order
from .lie import BODY, Lie

ORPHAN = 0.6
"""What it is worth to reach a unit that no other headquarters reaches, against one of its own."""
LONE = 16.0
"""What it costs a headquarters to stand alone where the enemy can walk in."""
NEAR = 2
"""Hexes within which units can strike together."""


def activation(lie: Lie, orders: Sequence[Order]) -> Order:
    """The most urgent first; nobody passes while there is something to do."""
    acting = [order for order in orders if order.verb == "activate"]
    return by_urgency(lie, acting)[0] if acting else orders[0]


def by_urgency(lie: Lie, orders: Sequence[Order]) -> list[Order]:
    """Activations, the most urgent first."""
    return sorted(orders, key=lambda order: (_urgency(lie, order), -len(order.units), str(order)), reverse=True)


def _urgency(lie: Lie, order: Order) -> float:
    p = lie.p
    if order.units[0] in p.roster.hq_index:
        q = p.roster.hq_index[order.units[0]]
        units: UnitMask = operations.units_of(p, q) & ~p.spent
        if p.hq_activated >> q & 1:
            units = operations.bonus_units(p, q)
    else:
        units = sum(1 << p.roster.index[name] for name in order.units)
    total = 0.0
    for u in members(units):
        threat, _ = lie.threat(p.hexes[u])
        total += min(threat, 2.0 * p.cf[u]) * lie.worth(u)
    return total


def headquarters_move(lie: Lie, orders: Sequence[Order]) -> Order:
    """The hex from which most of its units are in command, safe with friends or away from the enemy."""
    p, q = lie.p, lie.p.active_hq
    here = p.hq_hex[q]
    hexes = {here: END}
    hexes.update({lie.grid.hex(order.hexes[0]): order for order in orders if order.verb == "move"})
    best = max(hexes, key=lambda h: (seat_worth(lie, q, h) + (0.1 if h == here else 0.0), -h))
    return hexes[best]


def seat_worth(lie: Lie, q: int, h: Hex) -> float:
    """What it is worth to have a headquarters in a hex."""
    p, reach = lie.p, lie.p.tables.command.of(lie.side)
    value = 0.0
    away_from, others = lie.chart.away(h), _reached_by_others(lie, q)
    for u in p.roster.of[lie.side]:
        if p.hexes[u] < 0:
            continue
        away = away_from[p.hexes[u]]
        weight = 1.0 if p.hq[u] == q else 0.0 if others >> p.hexes[u] & 1 else ORPHAN
        value += weight * p.cf[u] * lie.worth(u) * (1.0 - 0.02 * away if away <= reach else -0.1 * (away - reach))
    friends = p.stacked(h, lie.side)
    threat, efficiency = lie.threat(h)
    value += 2.0 if friends >= BODY else 1.0 if friends else 0.0
    if threat:
        value -= 1.0 + 3.0 * lie.danger(h, friends, efficiency, 0) if friends else LONE
    for city, worth in lie.cities.items():
        if lie.held >> city & 1 and lie.threat(city)[0] and away_from[city] <= 1:
            value += 0.1 * worth
    return value


def _reached_by_others(lie: Lie, q: int) -> HexMask:
    """The hexes that other headquarters of the side reach."""
    p = lie.p
    seats = sum({1 << p.hq_hex[x] for x in p.roster.hqs_of[lie.side] if x != q and p.hq_hex[x] >= 0})
    return lie.grid.within(seats, p.tables.command.of(lie.side))


def assignment(lie: Lie, orders: Sequence[Order]) -> Order | None:
    """Units out of command go to a headquarters in range; others to the one that leads those around them."""
    p, reach = lie.p, lie.p.tables.command.of(lie.side)
    best, gain = None, 0.5
    for order in orders:
        if order.verb != "assign":
            continue
        u, q = p.roster.index[order.units[0]], p.roster.hq_index[order.words[0]]
        if p.hexes[u] < 0 or p.hq_hex[q] < 0 or lie.chart.away(p.hexes[u])[p.hq_hex[q]] > reach:
            continue
        more = _company(lie, u, q) - _company(lie, u, p.hq[u])
        old = p.hq_hex[p.hq[u]]
        if old < 0 or lie.chart.away(p.hexes[u])[old] > reach:
            more += 10.0 + p.cf[u]
        elif more < 6.0:
            continue
        if more > gain:
            best, gain = order, more
    return best


def _company(lie: Lie, u: int, q: int) -> float:
    """Factors near a unit that obey a headquarters."""
    p = lie.p
    return sum(
        p.cf[v] for v in p.roster.of[lie.side]
        if v != u and p.hq[v] == q and p.hexes[v] >= 0 and lie.chart.away(p.hexes[u])[p.hexes[v]] <= NEAR
    )  # fmt: skip


def replacement(lie: Lie, orders: Sequence[Order]) -> Order:
    """Factors for those in contact and below strength, artillery rebuilt; cheap factors first."""

    def rate(order: Order) -> float:
        p = lie.p
        u = p.roster.index[order.units[0]]
        unit = p.roster.units[u]
        price = p.tables.replacements.price(unit) or 9
        if order.hexes:
            h = lie.grid.hex(order.hexes[0])
            friends = p.stacked(h, lie.side)
            worth = 2.0 if unit.type == "artillery" else 0.5
            return (worth + 0.05 * friends - 0.3 * bool(lie.threat(h)[0] and not friends)) / price
        h = p.hexes[u]
        contact = bool(lie.grid.ring(1 << h) & p.occupied(lie.enemy)) if h >= 0 else False
        stack = p.stacked(h, lie.side) if h >= 0 else 0
        worth = lie.worth(u) * (1.0 + 0.8 * contact + 0.4 * bool(h >= 0 and lie.threat(h)[0]))
        worth += 0.5 * (stack == BODY - 1) + 0.3 * (1.0 - p.cf[u] / unit.cf) + 0.05 * min(lie.cities.get(h, 0.0), 20.0)
        return worth / price

    buying = [order for order in orders if order.verb == "replace"]
    return max(buying, key=lambda order: (rate(order), str(order)), default=END)
