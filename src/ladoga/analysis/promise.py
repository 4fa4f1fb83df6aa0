"""What an attack promises: that the hex falls or holds, that nobody is hurt, and what it comes to in steps."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from ..kernel.position import Explanation
from ..players.attacks import halves
from ..players.tuning import Results


class Promise(NamedTuple):
    """The exact chances of an attack, as far as the codes of its results tell."""

    falls: Fraction
    depends: Fraction
    """It is for the owner of the hex to say."""
    holds: Fraction
    unhurt: Fraction
    """The attacker loses nothing."""


def promised(results: Results, told: Explanation, steps: int) -> Promise:
    """What an attack on defenders with so many steps promises."""
    sums = {"falls": Fraction(0), "depends": Fraction(0), "holds": Fraction(0)}
    unhurt = Fraction(0)
    for code, p in told.results:
        hit, paid = halves(results, str(code))
        sums[fate(results, hit, steps)] += p
        unhurt += p if not results.steps.get(paid, 0.0) else 0
    return Promise(sums["falls"], sums["depends"], sums["holds"], unhurt)


def fate(results: Results, hit: tuple[str, ...], steps: int) -> str:
    """Whether a hex falls, holds, or its owner decides, by what hits its defenders."""
    if results.each:
        return "falls" if all(results.frees.get(part, 0.0) >= 1 for part in hit) else "holds"
    freed = max((results.frees.get(part, 0.0) for part in hit), default=0.0)
    taken = max((results.takes.get(part, 0) for part in hit), default=0)
    if freed >= 1 or (steps and 0 < steps <= taken):
        return "falls"
    return "depends" if freed else "holds"


def in_steps(results: Results, code: str, theirs: int, ours: int) -> float:
    """What a result costs the defender less what it costs the attacker, in steps, neither more than he has."""
    hit, paid = halves(results, code)
    lost = sum(results.steps.get(part, 0.0) for part in hit)
    return min(lost, float(theirs or lost)) - min(results.steps.get(paid, 0.0), float(ours or 99))


def expected(results: Results, told: Explanation, theirs: int, ours: int) -> float:
    """What an attack comes to in steps, on average."""
    return sum(float(p) * in_steps(results, str(code), theirs, ours) for code, p in told.results)
