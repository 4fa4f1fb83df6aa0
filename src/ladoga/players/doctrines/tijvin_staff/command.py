"""Command: which headquarters acts, who obeys it, and who gets replacements."""

from __future__ import annotations

from collections.abc import Sequence

from ....games.tijvin import movement, operations
from ....games.tijvin.book import UnitMask
from ....games.tijvin.position import TijvinPosition
from ....hexes import members
from ....kernel.orders import END, Order
from .flight import BODY
from .lie import Lie

NEAR_THE_END = 4
"""The last turns, on which Germans who are winning let the Soviets act first."""
LONE = 15.0
"""How urgent it is to get a headquarters away that is alone with an enemy near: caught, its units act alone (11)."""
NEAR = 2
"""Hexes within which units can strike together."""


def waits(lie: Lie) -> bool:
    """Whether to pass and let the enemy act first (11). Who moves last answers everything; but two passes in a row end
    the turn. The Soviets are glad of every turn that ends before the Germans have struck, and answer with all their
    armies what these have torn open; only on the last one they cannot afford it if they are losing as things stand.
    The Germans, who win by striking, wait if they are winning and the end is near."""
    p = lie.p
    if operations.may_pass(p) is not None or lie.habit("wait") <= 0.0:
        return False
    if lie.habit("rescue") > 0.0 and any(alone(lie, q) for q in operations.ready_hqs(p)):
        return False
    winner = p.standing.winner
    if lie.side == "soviet":
        patient = winner != lie.enemy or lie.left > lie.habit("restless")
    else:
        patient = lie.left < NEAR_THE_END + lie.habit("patience") and winner == lie.side
    return patient and (p.passed or _may_act(p, lie.enemy))


def marching(lie: Lie, orders: Sequence[Order]) -> Order | None:
    """An activation that waits as well as a pass, and brings up those whom the end of the turn would leave standing:
    of units far from any enemy, who do not stand in a city either."""
    if lie.habit("march") <= 0.0:
        return None
    far = [order for order in orders if order.verb == "activate" and _far(lie, _acting(lie.p, order))]
    return max(far, key=lambda order: (lie.p.factors(_acting(lie.p, order)), str(order)), default=None)


def _acting(p: TijvinPosition, order: Order) -> UnitMask:
    """The units that would act."""
    q = p.roster.hq_index.get(order.units[0])
    if q is None:
        return sum(1 << p.roster.index[name] for name in order.units)
    return operations.bonus_units(p, q) if p.hq_activated >> q & 1 else operations.units_of(p, q) & ~p.spent


def _far(lie: Lie, units: UnitMask) -> bool:
    """Whether no enemy can strike at any of some units this turn, and none of them at an enemy."""
    p, enemies = lie.p, lie.p.occupied(lie.enemy)
    hexes = sum({1 << p.hexes[u] for u in members(units)})
    if not units or hexes & p.ground.cities or any(lie.threat(h)[0] for h in members(hexes)):
        return False
    return not any(lie.grid.within(movement.range_of(p, u).reached | hexes, 1) & enemies for u in members(units))


def alone(lie: Lie, q: int) -> bool:
    """Whether a headquarters stands alone with an enemy near, or where one can walk in."""
    h = lie.p.hq_hex[q]
    return bool((lie.reached | lie.near) >> h & 1 and not lie.p.occupied(lie.side) >> h & 1)


def _may_act(p: TijvinPosition, side: str) -> bool:
    """Whether a side has anything left to activate."""
    other = p._copy()
    other.go("activation", other.game.sides.index(side))
    return next(iter(operations.activations(other)), None) is not None


def activation(lie: Lie, orders: Sequence[Order]) -> Order:
    """The most urgent first."""
    acting = [order for order in orders if order.verb == "activate"]
    return by_urgency(lie, acting)[0] if acting else orders[0]


def by_urgency(lie: Lie, orders: Sequence[Order]) -> list[Order]:
    """Activations, the most urgent first."""
    last = lie.habit("last") > 0.0
    found = sorted(orders, key=lambda order: (_urgency(lie, order), -len(order.units), str(order)), reverse=not last)
    if lie.habit("rescue") > 0.0:
        index = lie.p.roster.hq_index
        found.sort(key=lambda order: order.units[0] not in index or not alone(lie, index[order.units[0]]))
    return found


def _urgency(lie: Lie, order: Order) -> float:
    p, total = lie.p, 0.0
    q = p.roster.hq_index.get(order.units[0])
    if q is not None and not p.hq_activated >> q & 1 and alone(lie, q):
        total = LONE * lie.temper_of("lone")
    for u in members(_acting(p, order)):
        threat, _ = lie.threat(p.hexes[u])
        total += min(threat, 2.0 * p.cf[u]) * lie.worth(u)
    return total


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
        more, old = _company(lie, u, q), p.hq_hex[p.hq[u]]
        if old < 0 or lie.chart.away(p.hexes[u])[old] > reach:
            more += 10.0 + p.cf[u]
        else:
            more -= _company(lie, u, p.hq[u])
            if more < 6.0:
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
