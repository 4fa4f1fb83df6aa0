"""Forecast: the objectives that the Germans may be expected to hold at the end, as a position stands when a side is to
march."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from ....games.leningrad41.counters import GERMAN, SIDES, SOVIET, Unit
from ....games.leningrad41.position import CityPosition
from ...judgement import on_turn, table, weighed
from .weights import judgement


class Measures(NamedTuple):
    """What is seen of a position; or what each of it is worth to the Germans, in objectives at the end."""

    level: float
    held: float
    """Objectives that are German ..."""
    left: float
    """... and of these those that nobody stands in."""
    garrisons: float
    """Objectives in which Soviets stand."""
    fire: float
    """Points of fire of German troops ..."""
    guns: float
    """... and of their guns."""
    engineers: float
    """German engineers."""
    army: float
    """Troops of 42nd Army ..."""
    reserve: float
    """... of the Front Reserve ..."""
    batteries: float
    """... and Soviet guns."""

    def of(self, unit: Unit) -> float:
        """What one unit is worth, if this is what things are worth."""
        if unit.leader:
            return 0.0
        if unit.side == GERMAN:
            return (self.guns if unit.indirect else self.fire) * unit.fire + self.engineers * unit.engineer
        return self.batteries if unit.indirect else self.reserve if unit.command == "LFR" else self.army


def measures(p: CityPosition) -> Measures:
    """What is seen of a position."""
    units, held, near = p.roster.units, p.objectives(GERMAN), p.occupied
    germans = [units[q] for q in p.on_map(GERMAN) if not units[q].leader]
    soviets = [units[q] for q in p.on_map(SOVIET) if not units[q].leader]
    foot = [unit for unit in soviets if not unit.indirect]
    reserve = sum(unit.command == "LFR" for unit in foot)
    return Measures(
        1.0, held.bit_count(), (held & ~near[GERMAN]).bit_count(), (p.objectives(SOVIET) & near[SOVIET]).bit_count(),
        sum(unit.fire for unit in germans if not unit.indirect), sum(unit.fire for unit in germans if unit.indirect),
        sum(unit.engineer for unit in germans), len(foot) - reserve, reserve, len(soviets) - len(foot),
    )  # fmt: skip


def worth(p: CityPosition) -> Measures:
    """What things are worth in a position, by its turn and by who is to march next."""
    return weights_on(SIDES[p.side], p.turn)


@cache
def weights_on(side: str, turn: int) -> Measures:
    """What things are worth when a side is to march."""
    return on_turn(weights_of(side), turn)


def weights_of(side: str) -> tuple[tuple[int, Measures], ...]:
    """The same, on the turns for which it was found."""
    return table(Measures, judgement().forecast[side])


def forecast(p: CityPosition) -> float:
    """The objectives to be expected in German hands at the end."""
    return weighed(worth(p), measures(p))
