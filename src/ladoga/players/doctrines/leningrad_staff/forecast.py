"""Forecast: the final margin to expect, as a position stands when a side's player-turn begins.

What is seen of a position is counted in plain figures; what each is worth to the Germans in points of the final margin,
by turn and by whose player-turn begins, follows from games (``fit``).
"""

from __future__ import annotations

from functools import cache
from operator import mul
from typing import NamedTuple

from ....games.leningrad.edition import GERMAN, SOVIET
from ....games.leningrad.position import LeningradPosition
from ....games.leningrad.prospect import LeningradProspect
from ....hexes import HexMask, members
from ....kernel.data import load
from ....kernel.position import Position
from ...judgement import on_turn
from ...planner.appraisal import PLAIN, Appraiser
from ...tuning import FOLDER

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

    level: float = 0.0
    lost: float = 0.0
    """Points that the Soviets have scored ..."""
    held: float = 0.0
    """... and that the Germans hold."""
    infantry: float = 0.0
    """Steps of German infantry ..."""
    panzers: float = 0.0
    """... and of panzers;"""
    hungry_infantry: float = 0.0
    """steps of infantry out of supply ..."""
    hungry_panzers: float = 0.0
    """... and of panzers."""
    foot_0: float = 0.0
    """Strength of infantry next to the goals, and within some half points of march from there ..."""
    foot_8: float = 0.0
    foot_16: float = 0.0
    foot_30: float = 0.0
    foot_60: float = 0.0
    mobile_0: float = 0.0
    """... and of panzers."""
    mobile_8: float = 0.0
    mobile_16: float = 0.0
    mobile_30: float = 0.0
    mobile_60: float = 0.0
    corps: float = 0.0
    """Panzer corps complete in one hex."""
    rifles: float = 0.0
    """Soviet infantry divisions ..."""
    armored: float = 0.0
    """... and armored ones;"""
    defence: float = 0.0
    """their strength in defence,"""
    inside: float = 0.0
    """that of those in the goals and next to them,"""
    near: float = 0.0
    """near by,"""
    around: float = 0.0
    """and not far."""
    starving: float = 0.0
    """Soviet divisions out of supply in the open ..."""
    besieged: float = 0.0
    """... and near the city;"""
    behind: float = 0.0
    """those in the rear of the Germans."""
    garrison: float = 0.0
    """Soviet divisions in the goals,"""
    walls: float = 0.0
    """their strength,"""
    armor: float = 0.0
    """goals with armor in them,"""
    fortified: float = 0.0
    """with a fort,"""
    empty: float = 0.0
    """and with nobody."""
    access: float = 0.0
    """Hexes from which Germans could attack them, as far as no Soviets stand there ..."""
    storm: float = 0.0
    """... and the German strength that stands there."""
    forts: float = 0.0
    """Forts in the goals and next to them."""
    blows: float = 0.0
    """What blows that the side whose player-turn begins can strike are worth,"""
    worst: float = 0.0
    """what the best of them is,"""
    march: float = 0.0
    """what its march is,"""
    cut: float = 0.0
    """and what it could cut off."""


NOTHING = Measures()
Lines = dict[str, dict[str, dict[str, float]]]


@cache
def weights_of(game_id: str, side: str) -> tuple[tuple[int, Measures], ...]:
    """The weights of a game at some turns, for positions in which a side's player-turn begins."""
    lines: Lines = load(FOLDER / "judgement" / f"{game_id}.yaml", Lines)
    return tuple((int(turn), NOTHING._replace(**line)) for turn, line in lines[side].items())


def forecast(position: LeningradPosition) -> float:
    """The final margin to expect, as the Germans see it."""
    weights = on_turn(weights_of(position.game.id, position.phase.side), position.turn)
    return float(sum(map(mul, weights, measures(position))))


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
    return Measures(**seen)


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
