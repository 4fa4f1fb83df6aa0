"""Forecast: the final margin to expect, as a position stands when a side's player-turn begins.

What is seen of a position is counted in plain figures; what each is worth to the Germans in points of the final margin,
by turn and by whose player-turn begins, follows from games (``fit``).
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from ....games.leningrad.edition import GERMAN, SOVIET
from ....games.leningrad.position import LeningradPosition
from ....games.leningrad.prospect import LeningradProspect
from ....hexes import HexMask, members
from ....kernel.position import Position
from ...judgement import Line, figures, judged, on_turn, table, weighed
from ...planner.appraisal import PLAIN, Appraiser

AWAY = (0, 8, 16, 30, 60)
"""Half points of march from the city within which German strength is counted."""
NEXT, NEAR, AROUND = 1, 3, 6
"""Hexes from the goals within which Soviet strength is counted."""
WIN = 20.0
"""What the game itself is worth beyond its points."""
BIG = 10
"""Points from which on a hex of the city is a goal."""


class Measures(NamedTuple):
    """What is seen of a position; or what each of it is worth to the Germans, in points at the end."""

    level: float
    lost: float
    """Points that the Soviets have scored ..."""
    held: float
    """... and that the Germans hold."""
    infantry: float
    """Steps of German infantry ..."""
    panzers: float
    """... and of panzers;"""
    hungry_infantry: float
    """steps of infantry out of supply ..."""
    hungry_panzers: float
    """... and of panzers."""
    foot_0: float
    """Strength of infantry next to the goals, and within some half points of march from there ..."""
    foot_8: float
    foot_16: float
    foot_30: float
    foot_60: float
    mobile_0: float
    """... and of panzers."""
    mobile_8: float
    mobile_16: float
    mobile_30: float
    mobile_60: float
    corps: float
    """Panzer corps complete in one hex."""
    rifles: float
    """Soviet infantry divisions ..."""
    armored: float
    """... and armored ones;"""
    defence: float
    """their strength in defence,"""
    inside: float
    """that of those in the goals and next to them,"""
    near: float
    """near by,"""
    around: float
    """and not far."""
    starving: float
    """Soviet divisions out of supply in the open ..."""
    besieged: float
    """... and near the city;"""
    behind: float
    """those in the rear of the Germans."""
    garrison: float
    """Soviet divisions in the goals,"""
    walls: float
    """their strength,"""
    armor: float
    """goals with armor in them,"""
    fortified: float
    """with a fort,"""
    empty: float
    """and with nobody."""
    access: float
    """Hexes from which Germans could attack them, as far as no Soviets stand there ..."""
    storm: float
    """... and the German strength that stands there."""
    forts: float
    """Forts in the goals and next to them."""
    blows: float
    """What blows that the side whose player-turn begins can strike are worth,"""
    worst: float
    """what the best of them is,"""
    march: float
    """what its march is,"""
    cut: float
    """and what it could cut off."""


@cache
def weights_of(game_id: str, side: str) -> tuple[tuple[int, Measures], ...]:
    """The weights of a game at some turns, for positions in which a side's player-turn begins."""
    return table(Measures, judged(game_id, dict[str, dict[str, Line]])[side])


def forecast(position: LeningradPosition) -> float:
    """The final margin to expect, as the Germans see it."""
    weights = on_turn(weights_of(position.game.id, position.phase.side), position.turn)
    return weighed(weights, measures(position))


def measures(position: LeningradPosition) -> Measures:
    """What is seen of a position."""
    prospect = LeningradProspect(position.view(position.game.sides[GERMAN]))
    seen: dict[str, float] = {"level": 1.0}
    for entry in position.standing.ledger:
        word = "held" if entry.side == position.game.sides[GERMAN] else "lost"
        seen[word] = seen.get(word, 0.0) + float(entry.points)
    _count_germans(prospect, seen)
    _count_soviets(prospect, seen)
    _look_at_goals(prospect, seen)
    _look_ahead(position, seen)
    return figures(Measures, **seen)


def _add(seen: dict[str, float], word: str, value: float) -> None:
    seen[word] = seen.get(word, 0.0) + value


def _count_germans(prospect: LeningradProspect, seen: dict[str, float]) -> None:
    stand, far = prospect.stand, prospect.far(GERMAN, False)
    for number in prospect.of(GERMAN):
        h, unit = stand.where[number], prospect.units[number]
        if h < 0:
            continue
        foot = unit.symbol == "infantry"
        name = "infantry" if foot else "panzers"
        _add(seen, name, unit.steps)
        if stand.hungry >> number & 1:
            _add(seen, f"hungry_{name}", unit.steps)
        for away in AWAY:
            if far.get(h, AWAY[-1] + 1) <= away:
                _add(seen, f"{'foot' if foot else 'mobile'}_{away}", unit.attack)
    seen["corps"] = prospect.whole_corps(stand)


def _count_soviets(prospect: LeningradProspect, seen: dict[str, float]) -> None:
    stand, goals = prospect.stand, goals_of(prospect)
    inside, near, around = (prospect.grid.within(goals, reach) for reach in (NEXT, NEAR, AROUND))
    far, rear = prospect.far(GERMAN, False), prospect.rear
    for number in prospect.of(SOVIET):
        h, unit = stand.where[number], prospect.units[number]
        if h < 0:
            continue
        _add(seen, "rifles" if unit.symbol == "infantry" else "armored", 1.0)
        for word, hexes in (("defence", -1), ("inside", inside), ("near", near), ("around", around)):
            if hexes >> h & 1:
                _add(seen, word, unit.defence)
        if stand.hungry >> number & 1:
            _add(seen, "besieged" if near >> h & 1 else "starving", 1.0)
        if far.get(h, 0) > rear:
            _add(seen, "behind", 1.0)


def goals_of(prospect: LeningradProspect) -> HexMask:
    """The hexes that score much."""
    return sum(1 << h for h, worth in prospect.scoring.items() if worth >= BIG)


def _look_at_goals(prospect: LeningradProspect, seen: dict[str, float]) -> None:
    stand, goals, forts = prospect.stand, goals_of(prospect), prospect.position.forts
    for h in members(goals):
        there = stand.at.get(h, ())
        if not there:
            _add(seen, "empty", 1.0)
        elif stand.held[SOVIET] >> h & 1:
            _add(seen, "garrison", len(there))
            _add(seen, "walls", sum(prospect.units[number].defence for number in there))
            _add(seen, "armor", any(prospect.units[number].symbol == "armor" for number in there))
            _add(seen, "fortified", forts >> h & 1)
        ring = prospect.near(h) & prospect.ground.land & ~stand.held[SOVIET]
        _add(seen, "access", ring.bit_count())
        before = [number for at in members(ring & stand.held[GERMAN]) for number in stand.at[at]]
        _add(seen, "storm", sum(prospect.units[number].attack for number in before))
    seen["forts"] = (forts & prospect.grid.within(goals, NEXT)).bit_count()


def _look_ahead(position: Position, seen: dict[str, float]) -> None:
    """What the side whose player-turn begins could do, as the other one fears it."""
    waiting = next(side for side in position.game.sides if side != position.phase.side)
    prospect = LeningradProspect(position.view(waiting))
    found = Appraiser(prospect, PLAIN).appraise(prospect.stand.copy(), striking=False)
    *_, seen["blows"], seen["march"], seen["cut"] = found.parts
    seen["worst"] = max((raid.worth for raid in found.raids), default=0.0)
