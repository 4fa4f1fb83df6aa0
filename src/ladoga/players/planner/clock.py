"""How long the planner thinks: clocks, by time or by work, and when a search has had enough of one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class Clock(Protocol):
    """Tells how much of the time, or of the work, is used up."""

    def spend(self, looks: int) -> None:
        """So many stands have been judged."""

    def used(self) -> float:
        """The part that is used up; one and more at the end."""


def until(clock: Clock, share: float = 1.0, known: int = 0, most: float = 1e9) -> Callable[[int], bool]:
    """When a search has done enough, by the clock or ``most``; ``known`` are the looks that it has had before."""

    def enough(looks: int) -> bool:
        nonlocal known
        clock.spend(looks - known)
        known = looks
        return clock.used() >= share or looks >= most

    return enough
