"""Odds and results tables, with exact arithmetic.

>>> ratio(11, 4), ratio(3, 4), ratio(2, 5)
((2, 1), (1, 2), (1, 3))
>>> odds_index(11, 4), odds_index(3, 4), odds_index(12, 1)
(1, -1, 11)
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import comb
from typing import TypeVar

K = TypeVar("K")


def ratio(attack: int | Fraction, defence: int | Fraction) -> tuple[int, int]:
    """Odds rounded in the defender's favour: ``(n, 1)`` or ``(1, n)``."""
    if attack >= defence:
        return int(attack // defence), 1
    return 1, int(-(-defence // attack))


def odds_index(attack: int | Fraction, defence: int | Fraction) -> int:
    """Odds as a step on an endless ladder: 1-1 is 0, 2-1 is 1, 1-2 is -1, and so on."""
    if attack >= defence:
        return int(attack // defence) - 1
    return 1 - int(-(-defence // attack))


def odds_name(index: int) -> str:
    """``3-1`` for 2, ``1-2`` for -1.

    >>> odds_name(2), odds_name(0), odds_name(-1)
    ('3-1', '1-1', '1-2')
    """
    return f"{index + 1}-1" if index >= 0 else f"1-{1 - index}"


def draws(values: Iterable[K], count: int) -> dict[tuple[K, ...], Fraction]:
    """All unordered draws of ``count`` values without replacement, with their probabilities.

    Equal values are lumped together, so the number of outcomes stays small.

    >>> sorted(draws([1, 1, 2], 2).items())
    [((1, 1), Fraction(1, 3)), ((1, 2), Fraction(2, 3))]
    """
    counts: dict[K, int] = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    total = sum(counts.values())
    states: dict[tuple[tuple[K, ...], int], int] = {((), 0): 1}
    for value, available in counts.items():
        new: dict[tuple[tuple[K, ...], int], int] = {}
        for (drawn, used), ways in states.items():
            for take in range(min(available, count - used) + 1):
                key = (drawn + (value,) * take, used + take)
                new[key] = new.get(key, 0) + ways * comb(available, take)
        states = new
    every = comb(total, count)
    return {drawn: Fraction(ways, every) for (drawn, used), ways in states.items() if used == count}
