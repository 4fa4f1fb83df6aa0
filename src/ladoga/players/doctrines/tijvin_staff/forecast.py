"""Forecast: the German points to expect at the end of the game (14), as a position stands when a turn begins."""

from __future__ import annotations

import math
from functools import cache
from operator import mul
from typing import NamedTuple

from ....games.tijvin.position import TijvinPosition
from ....games.tijvin.supply import supplied_hexes
from ....hexes import members
from ....kernel.data import load
from ...judgement import on_turn
from ...tuning import FOLDER, tuning
from .lie import Lie

WIN = 6.0
"""What the game itself is worth, in points."""
DOUBT = (0.5, 0.25)
"""By how many points a forecast is wrong as a rule: on the last turn, and more for every turn that is left."""


class Measures(NamedTuple):
    """What is seen of a position; or what each of it is worth to the Germans, in points at the end."""

    level: float = 0.0
    foot: float = 0.0
    """Factors of Germans on foot ..."""
    mobile: float = 0.0
    """... and of those with vehicles."""
    soviet: float = 0.0
    """Factors of Soviets."""
    guns: float = 0.0
    """German artillery units ..."""
    batteries: float = 0.0
    """... and Soviet ones."""
    hungry: float = 0.0
    """Factors of Germans out of supply ..."""
    starving: float = 0.0
    """... and of Soviets."""
    major: float = 0.0
    """German major cities ..."""
    minor: float = 0.0
    """... and minor ones."""
    exposed: float = 0.0
    """What blows that the Germans can strike next cost the Soviets, beyond what they cost the Germans."""


NOTHING = Measures()


@cache
def weights_of(game_id: str) -> tuple[tuple[int, Measures], ...]:
    """The weights of a game at some turns, as ``fit.py`` found them."""
    lines: dict[str, dict[str, float]] = load(FOLDER / "judgement" / f"{game_id}.yaml", dict[str, dict[str, float]])
    return tuple((int(turn), NOTHING._replace(**line)) for turn, line in lines.items())


def measures(p: TijvinPosition) -> Measures:
    """What is seen of a position."""
    roster, cf, hexes = p.roster, p.cf, p.hexes
    factors = {"german": 0, "soviet": 0}
    guns, hungry, mobile = dict(factors), dict(factors), 0
    for u, unit in enumerate(roster.units):
        if hexes[u] < 0:
            continue
        if roster.artillery >> u & 1:
            guns[unit.side] += 1
        else:
            factors[unit.side] += cf[u]
        if p.unsupplied >> u & 1:
            hungry[unit.side] += cf[u]
    mobile = sum([cf[u] for u in members(roster.mobile & roster.side_mask["german"]) if hexes[u] >= 0])
    held = p.ground.cities & p.control
    if p.turn >= p.game.scenarios[p.scenario].turns:
        held &= supplied_hexes(p, "german")
    return Measures(
        1.0, factors["german"] - mobile, mobile, factors["soviet"], guns["german"], guns["soviet"], hungry["german"],
        hungry["soviet"], (held & p.ground.major_city).bit_count(), (held & p.ground.minor_city).bit_count(),
        _exposed(p),
    )  # fmt: skip


def _exposed(p: TijvinPosition) -> float:
    """The toll that the Germans can take of the Soviet stacks, each by itself."""
    lie = Lie(p, "soviet", tuning(p.game.id).side("soviet"), {})
    load, quality = lie.stacks({u: p.hexes[u] for u in p.roster.of["soviet"] if p.hexes[u] >= 0})
    return sum([lie.toll(h, factors, round(quality[h] / factors)) for h, factors in load.items() if lie.threat(h)[0]])


def prices(p: TijvinPosition) -> Measures:
    """What each is worth on the turn of a position; in a shorter game, so many turns before its end."""
    table = weights_of(p.game.id)
    return on_turn(table, p.turn + table[-1][0] - p.game.scenarios[p.scenario].turns)


def points(p: TijvinPosition) -> float:
    """The German points to expect at the end."""
    if p.to_move is None:
        return float(sum(entry.points for entry in p.standing.ledger))
    return float(sum(map(mul, prices(p), measures(p))))


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
