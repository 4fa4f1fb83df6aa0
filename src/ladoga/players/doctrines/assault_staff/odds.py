"""The combat results table as a player reads it: what an attack brings on average (10.2)."""

from __future__ import annotations

from bisect import bisect_right
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ....games.assault.combat import penalties

if TYPE_CHECKING:
    from ....games.assault.game import AssaultGame

ALL = 99
"""Penalties that leave nobody."""


class Roll(NamedTuple):
    """One line of what may come of an attack."""

    chance: float
    attacker: int
    """Penalties of the attacker."""
    defender: int


def _penalties(result: str) -> tuple[int, int]:
    """Penalties of attacker and defender."""
    return (ALL, 0) if result == "AE" else (0, ALL) if result == "DE" else penalties(result)


@lru_cache(maxsize=2000)
def _rolls(game: AssaultGame, column: int, shift: int) -> tuple[Roll, ...]:
    found: dict[tuple[int, int], float] = {}
    for die in range(1, 7):
        key = _penalties(game.result(column, die + shift))
        found[key] = found.get(key, 0.0) + 1 / 6
    return tuple(Roll(chance, *key) for key, chance in found.items())


SURE = (Roll(1.0, 0, ALL),)


@lru_cache(maxsize=16)
def _ladder(game: AssaultGame) -> tuple[float, ...]:
    """The odds columns as plain figures, the automatic one last."""
    return (*map(float, game.columns), float(Fraction(game.tables.results.automatic.replace(":", "/"))))


def rolled(game: AssaultGame, attack: float, defence: float, shift: int, die: int) -> Roll:
    """What one die brings in an attack that may be made and is not a sure one."""
    column = bisect_right(_ladder(game), attack / defence) - 1
    return Roll(1.0, *_penalties(game.result(column, die + shift)))


def rolls(game: AssaultGame, attack: float, defence: float, shift: int) -> tuple[Roll, ...]:
    """Every outcome of an attack with its chance; none if the odds are too low to attack (10.21)."""
    ladder = _ladder(game)
    column = bisect_right(ladder, attack / defence if defence else float(ALL)) - 1
    if column < 0:
        return ()
    return SURE if column == len(ladder) - 1 else _rolls(game, column, shift)
