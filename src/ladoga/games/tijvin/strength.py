"""Phase II of combat (section 13): factors, ratio, terrain, efficiency, supporting fire, special modifiers."""

from __future__ import annotations

from dataclasses import dataclass

from ...hexes import Hex, members
from ...kernel.position import Modifier
from .battle import Battle
from .book import RatioColumn, UnitMask, enemy_of
from .position import TijvinPosition


@dataclass(frozen=True)
class Reckoning:
    """Both sides of a combat in numbers; the attacker's figure comes first in every pair."""

    attack: int
    defence: int
    column: RatioColumn
    ratings: tuple[int, int]
    modifiers: tuple[tuple[Modifier, ...], tuple[Modifier, ...]]
    weaker: int
    """Factors of the weaker side with its firing artillery, for the size of the battle (13 IV)."""

    @property
    def totals(self) -> tuple[int, int]:
        """The sum of each side's modifiers."""
        attacker, defender = (sum(int(m.amount) for m in side) for side in self.modifiers)
        return attacker, defender


def efficiency(p: TijvinPosition, u: int) -> int:
    """A unit's efficiency, one less out of supply, at least 1 (10)."""
    printed = p.roster.units[u].efficiency
    return max(printed - 1, 1) if p.unsupplied >> u & 1 else printed


WHOLE = 12
"""Factors are counted in twelfths until a hex is rounded down: halves, thirds, and halves of both come out even."""


def crossing(p: TijvinPosition, u: int, target: Hex) -> int:
    """Twelfths of its factors that a river between a unit and its target leaves it (13 II a, 7)."""
    river = p.ground.river(p.hexes[u], target)
    if not river or (river == "minor-river" and p.frozen and p.roster.foot_infantry >> u & 1):
        return WHOLE
    if river == "major-river" or p.tables.weather.effects[p.weather].river:
        return WHOLE // 3
    return WHOLE // 2


def attacking_factors(p: TijvinPosition, b: Battle, u: int) -> int:
    """Twelfths of factors of an attacking unit after rivers and supply, before rounding."""
    factors = p.cf[u] * crossing(p, u, b.target)
    return factors // 2 if p.unsupplied >> u & 1 else factors


def defending_factors(p: TijvinPosition, b: Battle, u: int) -> int:
    """Twelfths of factors of a defending unit after its command roll and supply, before rounding."""
    factors = p.cf[u]
    if b.reduced and p.uncommanded >> u & 1:
        factors = max(factors - 1, 1)
    return factors * (WHOLE // 2 if p.unsupplied >> u & 1 else WHOLE)


def fighters(p: TijvinPosition, b: Battle) -> UnitMask:
    """Defenders that count with their factors: artillery only if nobody else is there (13 artillery)."""
    others = b.defenders & ~p.roster.artillery
    return others or b.defenders


def shares(p: TijvinPosition, b: Battle, attacking: bool) -> dict[int, int]:
    """Twelfths of factors of a side by efficiency, firing artillery included (13 II d)."""
    result: dict[int, int] = {}
    units, factors_of = (b.attackers, attacking_factors) if attacking else (fighters(p, b), defending_factors)
    for u in members(units):
        rating = efficiency(p, u)
        result[rating] = result.get(rating, 0) + factors_of(p, b, u)
    for u in members(b.guns if attacking else b.defending_guns):
        rating = efficiency(p, u)
        result[rating] = result.get(rating, 0) + WHOLE
    return result


def leading(p: TijvinPosition, b: Battle, attacking: bool) -> list[int]:
    """The efficiencies with the largest share, best first: more than one is the owner's choice (13 II d)."""
    by_rating = shares(p, b, attacking)
    top = max(by_rating.values())
    return sorted((rating for rating, share in by_rating.items() if share == top), reverse=True)


def by_hex(p: TijvinPosition, b: Battle, attacking: bool) -> dict[Hex, int]:
    """Twelfths of factors of a side in each hex it fights from, before rounding."""
    units, factors_of = (b.attackers, attacking_factors) if attacking else (fighters(p, b), defending_factors)
    result: dict[Hex, int] = {}
    for u in members(units):
        result[p.hexes[u]] = result.get(p.hexes[u], 0) + factors_of(p, b, u)
    return result


def strengths(p: TijvinPosition, b: Battle) -> tuple[int, int]:
    """Factors of both sides, rounded down once for each hex and at least 1 there (2, 13 II a)."""
    attack, defence = (sum([max(n // WHOLE, 1) for n in by_hex(p, b, side).values()]) for side in (True, False))
    return attack, max(defence, 1)


def scant(p: TijvinPosition, b: Battle, attacking: bool) -> int:
    """Hexes whose factors halving for lack of supply would take below 1 (10): nothing falls below 1 (2), and the
    combat roll pays instead. Where other factors stand in the hex the halving is felt in their sum, and nothing is
    to be paid for."""
    units = b.attackers if attacking else fighters(p, b)
    cut = {p.hexes[u] for u in members(units & p.unsupplied)}
    return sum(1 for h, factors in by_hex(p, b, attacking).items() if factors < WHOLE and h in cut)


def reckon(p: TijvinPosition, b: Battle) -> Reckoning:
    """The whole of phase II for the units and support announced so far."""
    attack, defence = strengths(p, b)
    column = p.tables.ratios.column(attack, defence)
    ratings = (b.ratings[0] or leading(p, b, True)[0], b.ratings[1] or leading(p, b, False)[0])
    ours = [Modifier(f"ratio {column.name}", column.modifier, "13.IIb")]
    amount, label = p.ground.modifier(b.target, p.frozen)
    theirs = [Modifier(label, amount, "13.IIc")]
    difference = ratings[0] - ratings[1]
    if difference:
        label = f"efficiency {max(ratings)} to {min(ratings)}"
        (ours if difference > 0 else theirs).append(Modifier(label, abs(difference), "13.IId"))
    ours += _support(p, b.guns, b.air, p.side)
    theirs += _support(p, b.defending_guns, b.air, enemy_of(p.side))
    ours += _special(p, b)
    _general(p, ours, p.side, scant(p, b, True))
    _general(p, theirs, enemy_of(p.side), scant(p, b, False))
    with_guns = attack + b.guns.bit_count(), defence + b.defending_guns.bit_count()
    return Reckoning(attack, defence, column, ratings, (tuple(ours), tuple(theirs)), min(with_guns))


def _support(p: TijvinPosition, guns: UnitMask, air: int, side: str) -> list[Modifier]:
    fire = [Modifier(p.roster.units[u].name, p.roster.units[u].support, "13.IIe") for u in members(guns)]
    flights = [p.roster.air[i] for i in members(air)]
    return fire + [Modifier(unit.name, unit.support, "13.IIe") for unit in flights if unit.side == side]


def _special(p: TijvinPosition, b: Battle) -> list[Modifier]:
    """Shock and envelopment (13 II f)."""
    modifiers = []
    if b.attackers & p.roster.tanks and p.ground.is_clear(b.target, p.frozen):
        cancelled = any(p.roster.units[u].type in ("tank", "antitank") for u in members(b.defenders))
        if not cancelled:
            modifiers.append(Modifier("shock of tanks", p.tables.shock, "13.IIf"))
    around = p.tables.envelopment.of(len({p.hexes[u] for u in members(b.attackers)}))
    if around:
        modifiers.append(Modifier("envelopment", around, "13.IIf"))
    return modifiers


def _general(p: TijvinPosition, modifiers: list[Modifier], side: str, hexes: int) -> None:
    """Winter (7) and single factors out of supply (10)."""
    if side == "german" and p.turn >= p.tables.turns.winter:
        modifiers.append(Modifier("winter", p.tables.winter_modifier, "7.T"))
    if hexes:
        modifiers.append(Modifier("a single factor out of supply", -hexes, "10"))
