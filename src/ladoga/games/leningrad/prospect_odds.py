"""The odds of blows, as a planner reads them: what untried units may be worth, and what the table says."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

EXACT = 4
"""Untried units of a kind whose sums are drawn exactly; more are added up in fours."""
Draws = Mapping[tuple[int, bool], float]
"""Total strength, and whether an untried unit is armor, with their probability."""
Profile = tuple[float, float, float, float, float, float]
"""Chances of one step, two steps and all for the defender, and the same for the attacker."""


@lru_cache(maxsize=8)
def columns_of(rows: tuple[tuple[str, ...], ...]) -> list[Profile]:
    """For each column of the table the chances of 1, 2 and E for defender and attacker."""
    found = []
    for column in range(len(rows[0])):
        chances = [0.0] * 6
        for row in rows:
            for half, code in enumerate(row[column].split("/")):
                if code != "-":
                    chances[3 * half + "12E".index(code)] += 1 / len(rows)
        a, b, c, d, e, f = chances
        found.append((a, b, c, d, e, f))
    return found


@lru_cache(maxsize=4000)
def several(values: tuple[tuple[int, bool], ...], count: int) -> dict[tuple[int, bool], float]:
    """Sums of some draws without putting back, up to four; more are added up in fours."""
    if count == 0:
        return {(0, False): 1.0}
    if count > EXACT:
        return added(several(values, EXACT), several(values, count - EXACT))
    if len(values) < count:
        return added(several(values, 1), several(values, count - 1))
    ways: list[dict[tuple[int, bool], float]] = [{(0, False): 1.0}] + [{} for _ in range(count)]
    for value, armor in values:
        for drawn in range(count, 0, -1):
            into = ways[drawn]
            for (total, some), n in ways[drawn - 1].items():
                key = (total + value, some or armor)
                into[key] = into.get(key, 0.0) + n
    every = sum(ways[count].values())
    return {key: n / every for key, n in ways[count].items()}


def added(one: Draws, two: Draws) -> dict[tuple[int, bool], float]:
    """Sums of two draws."""
    if len(two) == 1 and (0, False) in two:
        return dict(one)
    found: dict[tuple[int, bool], float] = {}
    for (a, armor), p in one.items():
        for (b, other), q in two.items():
            key = (a + b, armor or other)
            found[key] = found.get(key, 0.0) + p * q
    return found
