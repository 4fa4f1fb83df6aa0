"""Blows: what an attack of some units from some hexes is worth, by the exact odds of the rolls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from ....games.tijvin import combat
from ....games.tijvin.battle import Battle
from ....games.tijvin.book import UnitMask
from ....games.tijvin.strength import reckon
from ....hexes import Hex, members
from .flight import Cordon, cordon_of, cost_of_flight

if TYPE_CHECKING:
    from .lie import Lie

LEAST = 0.6
"""What a blow must be worth to be struck."""
EFFORT = 0.03
"""What a factor could do elsewhere."""
GUN_PRICE = 0.25
AIR_PRICE = 0.3
"""What supporting fire must add to be spent."""
STAYS = 0.8
"""How likely a beaten defender really leaves a city."""
OPENING = 0.3
"""What it is worth to open the line again to a factor of ours that is cut off."""
GIVING_WAY = 0.8
"""What it is worth to throw an enemy back, besides his losses and the ground."""


class Chances(NamedTuple):
    """How two modified rolls come out: winner, and losses on top by degree (13 III, IV)."""

    win: float
    draw: float
    lose: float
    theirs: float
    """Further factors the defender can expect to lose because he is doubled or tripled."""
    ours: float


@cache
def chances(ours: int, theirs: int) -> Chances:
    """The chances of an attacker with these modifiers."""
    win = draw = lose = hurt = pain = 0.0
    for (winner, degree), probability in combat.verdicts(ours, theirs).items():
        part = float(probability)
        if winner == "attacker":
            win, hurt = win + part, hurt + part * (degree - 1)
        elif winner == "defender":
            lose, pain = lose + part, pain + part * (degree - 1)
        else:
            draw += part
    return Chances(win, draw, lose, hurt, pain)


class Blow(NamedTuple):
    """An attack and what it is worth."""

    value: float
    target: Hex
    units: UnitMask
    guns: UnitMask
    air: int
    odds: str
    win: float

    @property
    def all(self) -> UnitMask:
        """Attackers and their artillery."""
        return self.units | self.guns


def least_of(lie: Lie) -> float:
    """What a blow must be worth to be struck."""
    return LEAST * lie.temper_of("least") + lie.style.least


def value_of(
    lie: Lie, target: Hex, units: UnitMask, guns: UnitMask, air: int, where: Mapping[int, Hex], cordon: Cordon
) -> Blow:
    """What it is worth to attack a hex with units that stand where the plan puts them; worked out once for a lie."""
    hexes, near = lie.p.hexes, lie.grid.ring(1 << target)
    from_ = tuple([where.get(u, hexes[u]) for u in members(units)])
    key = (target, units, guns, air, from_, cordon.stood & near, cordon.zone & near)
    known = lie.blows.get(key)
    if known is None:
        known = lie.blows[key] = _value_of(lie, target, units, guns, air, where, cordon)
    return known


def _value_of(
    lie: Lie, target: Hex, units: UnitMask, guns: UnitMask, air: int, where: Mapping[int, Hex], cordon: Cordon
) -> Blow:
    p = lie.p
    before = {u: p.hexes[u] for u in where}
    for u, h in where.items():
        p.hexes[u] = h
    defenders = combat.defenders_at(p, target)
    support = p.roster.artillery & defenders & ~p.fired & ~p.unsupplied & ~p.uncommanded
    firing = support if defenders & ~p.roster.artillery else 0
    battle = Battle(target, attackers=units, guns=guns, air=air, defenders=defenders, defending_guns=firing)
    r = reckon(p, battle)
    stood = cordon.stood | sum({1 << p.hexes[u] for u in members(units)})
    for u, h in before.items():
        p.hexes[u] = h
    odds = chances(*r.totals)
    base = sum(p.tables.casualties.winner) / 6 + p.tables.casualties.by_magnitude(r.weaker)
    there = p.factors(battle.defenders)
    lost = min(base + odds.win * p.tables.casualties.loser + odds.theirs, float(there))
    paid = base + odds.lose * p.tables.casualties.loser + odds.ours
    if there < base + 1:
        paid -= odds.win * min(base, base + 1 - there)
    gained = lie.boldness * lie.mean_worth(battle.defenders) * lost
    cleared = odds.win
    ground = lie.cities.get(target, 0.0) * (
        STAYS if p.ground.cities >> target & 1 else 1.0
    ) + GIVING_WAY * lie.temper_of("giving")
    ground += OPENING * lie.lines.barred_by(target)
    left = max(there - base - p.tables.casualties.loser, 0.0)
    if left:
        fled = cost_of_flight(lie, target, Cordon(stood, cordon.zone), left)
        gained += odds.win * lie.boldness * lie.mean_worth(battle.defenders) * min(fled, there - lost)
    cost = lie.mean_worth(units) * paid + EFFORT * lie.temper_of("effort") * p.factors(units)
    value = lie.temper_of("attack") * (gained + cleared * ground) - cost
    text = f"{r.attack} to {r.defence}, {r.totals[0]:+} against {r.totals[1]:+}"
    return Blow(value, target, units, guns, air, text, odds.win)


def supported(
    lie: Lie, blow: Blow, guns: UnitMask, air: Iterable[int], where: Mapping[int, Hex], cordon: Cordon
) -> Blow:
    """A blow with the artillery and aircraft that make it better by more than they are worth elsewhere."""
    p = lie.p
    hexes = {where.get(u, p.hexes[u]) for u in members(blow.units)}
    for u in sorted(members(guns), key=lambda u: -p.roster.units[u].support):
        if where.get(u, p.hexes[u]) in hexes and not (p.fired | p.unsupplied | p.uncommanded) >> u & 1:
            more = value_of(lie, blow.target, blow.units, blow.guns | 1 << u, blow.air, where, cordon)
            if more.value > blow.value + GUN_PRICE * lie.temper_of("gunprice") * p.roster.units[u].support:
                blow = more
    for i in air if blow.units & ~p.uncommanded else ():
        more = value_of(lie, blow.target, blow.units, blow.guns, blow.air | 1 << i, where, cordon)
        if more.value > blow.value + AIR_PRICE:
            blow = more
    return blow


def flights(lie: Lie) -> list[int]:
    """Air units of the side that can still fly this turn; nobody flies where the enemy runs without a fight (11)."""
    p = lie.p
    if p.battle is not None and p.battle.routed:
        return []
    left = combat.flights(p, lie.side)
    ready = [i for i in p.roster.air_of[lie.side] if p.roster.air[i].arrives <= p.turn]
    free = [i for i in ready if not p.air_used >> i & 1]
    return free[: max(left - (len(ready) - len(free)), 0)]


def best_blow(lie: Lie, targets: Iterable[Hex], ready: UnitMask, guns: UnitMask) -> Blow | None:
    """The best attack that units can make from where they stand."""
    p, best = lie.p, None
    air, cordon = flights(lie), cordon_of(lie, lie.p.field(lie.side).load)
    for target in targets:
        able = [u for u in members(ready) if combat.attack_refusal(p, u, target) is None]
        blow = _gathered(lie, target, able, guns, air, cordon)
        if blow is not None and (best is None or blow.value > best.value):
            best = blow
    return best


def _gathered(lie: Lie, target: Hex, able: list[int], guns: UnitMask, air: list[int], cordon: Cordon) -> Blow | None:
    """The attack on a hex that pays best, the strongest units first."""
    p, best, units = lie.p, None, 0
    able.sort(key=lambda u: (-p.cf[u] * p.roster.units[u].efficiency, u))
    for u in able:
        units |= 1 << u
        blow = supported(lie, value_of(lie, target, units, 0, 0, {}, cordon), guns, air, {}, cordon)
        if best is None or blow.value > best.value + 0.05:
            best = blow
    return best
