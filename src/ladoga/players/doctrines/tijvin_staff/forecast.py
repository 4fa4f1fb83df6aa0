"""Forecast: the German points to expect at the end of the game (14), as a position stands when a turn begins."""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

from ....games.tijvin.position import TijvinPosition
from ....games.tijvin.supply import supplied_hexes
from ....hexes import Hex, members
from ...judgement import Line, judged, on_turn, table, weighed
from ...tuning import tuning
from .lie import Lie

WIN = 6.0
"""What the game itself is worth, in points."""
DOUBT = (1.2, 0.1)
"""By how many points a forecast is wrong as a rule: on the last turn, and more for every turn that is left."""


class Measures(NamedTuple):
    """What is seen of a position; or what each of it is worth to the Germans, in points at the end."""

    level: float
    foot: float
    """Factors of Germans on foot ..."""
    mobile: float
    """... and of those with vehicles; the same of Soviets."""
    soviet: float
    riding: float
    guns: float
    """What guns that can fire add to German rolls ..."""
    batteries: float
    """... and to Soviet ones."""
    hungry: float
    """Factors of Germans out of supply ..."""
    starving: float
    """... and of Soviets."""
    astray: float
    """Factors of Germans out of command ..."""
    lost: float
    """... and of Soviets."""
    fresh: float
    """Factors of Germans who have yet to act in this turn ..."""
    rested: float
    """... and of Soviets."""
    major: float
    """German major cities ..."""
    minor: float
    """... and minor ones."""
    secure: float
    """The points of German cities that hold against what can come next ..."""
    defended: float
    """... and of Soviet ones."""
    open: float
    """What blows that the Soviets can strike next cost the Germans, beyond what they cost the Soviets ..."""
    exposed: float
    """... and those of the Germans the Soviets."""
    due: float
    """The same, times the part of the Soviets that have yet to act ..."""
    coming: float
    """... and of the Germans."""


@cache
def weights_of(game_id: str) -> tuple[tuple[int, Measures], ...]:
    """The weights of a game at some turns, as ``fit.py`` found them."""
    return table(Measures, judged(game_id, dict[str, Line]))


class _Army(NamedTuple):
    """What is seen of a side."""

    foot: int
    mobile: int
    guns: int
    cut: int
    lost: int
    fresh: int
    secure: float
    toll: float


def measures(p: TijvinPosition) -> Measures:
    """What is seen of a position."""
    held = p.ground.cities & p.control
    if p.turn >= p.game.scenarios[p.scenario].turns:
        held &= supplied_hexes(p, "german")
    g, s = _army(p, "german"), _army(p, "soviet")
    return Measures(
        1.0, g.foot, g.mobile, s.foot, s.mobile, g.guns, s.guns, g.cut, s.cut, g.lost, s.lost, g.fresh, s.fresh,
        (held & p.ground.major_city).bit_count(), (held & p.ground.minor_city).bit_count(), g.secure, s.secure,
        g.toll, s.toll, g.toll * s.fresh / max(s.foot + s.mobile, 1), s.toll * g.fresh / max(g.foot + g.mobile, 1),
    )  # fmt: skip


def _army(p: TijvinPosition, side: str) -> _Army:
    roster, cf, hexes = p.roster, p.cf, p.hexes
    there = p.on_map(side)
    fire = dict[Hex, int]()
    for u in members(there & roster.artillery & ~(p.unsupplied | p.uncommanded)):
        fire[hexes[u]] = fire.get(hexes[u], 0) + roster.units[u].support
    fighting = there & ~roster.artillery
    parts = [fighting & ~roster.mobile, fighting & roster.mobile]
    parts += [fighting & p.unsupplied, fighting & p.uncommanded, fighting & ~p.spent]
    foot, mobile, cut, lost, fresh = (sum([cf[u] for u in members(part)]) for part in parts)
    lie = Lie(p, side, tuning(p.game.id).side(side), {})
    load, quality = lie.stacks({u: hexes[u] for u in members(there)})
    stood = p.occupied(side)
    toll = sum([
        lie.toll(h, factors, round(quality[h] / factors), lie.gunfire(fire.get(h, 0)), snared=lie.snared(h, stood))
        for h, factors in load.items() if lie.threat(h)[0]
    ])  # fmt: skip
    secure, levels = 0.0, p.tables.victory
    for h in members(p.ground.cities & p.own_ground(side)):
        points = levels.major_city if p.ground.major_city >> h & 1 else levels.minor_city
        secure += points * lie.held_by(h, load.get(h, 0), lie.gunfire(fire.get(h, 0)))
    return _Army(foot, mobile, sum(fire.values()), cut, lost, fresh, secure, toll)


def prices(p: TijvinPosition) -> Measures:
    """What each is worth on the turn of a position; in a shorter game, so many turns before its end."""
    weights = weights_of(p.game.id)
    return on_turn(weights, p.turn + weights[-1][0] - p.game.scenarios[p.scenario].turns)


def points(p: TijvinPosition) -> float:
    """The German points to expect at the end."""
    if p.to_move is None:
        return float(sum(entry.points for entry in p.standing.ledger))
    return weighed(prices(p), measures(p))


def forecast(p: TijvinPosition, side: str) -> float:
    """How well a side stands: the points to expect, and what they promise for the game itself, the more surely the
    fewer turns are left."""
    total = points(p)
    scenario = p.game.book.set_up.scenarios[p.scenario]
    if scenario.objectives is None:
        levels, (sure, doubt) = p.tables.victory.levels, DOUBT
        won = min(level.at_least for level in levels if level.winner == "german") - 0.5
        lost = min(level.at_least for level in levels if level.winner == "nobody") - 0.5
        spread = sure + doubt * (p.game.scenarios[p.scenario].turns - p.turn)
        total += WIN * (_likely((total - won) / spread) - _likely((lost - total) / spread))
    return total if side == "german" else -total


def _likely(lead: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(min(lead, 30.0), -30.0)))
