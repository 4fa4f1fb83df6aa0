"""What is remembered, and of what it was made. No rule begins or ends here: every answer could be worked out anew.

What follows from where the counters stand is kept in ``cache`` until one of them moves. How far units get is kept in
``memo`` along the whole game, with everything that had a say in it, and looked at again only where that has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, NamedTuple, TypeVar

from ...hexes import Hex, HexMask
from ...kernel.flood import Costs, Flood, flood
from ...kernel.state import Part


class Derived(Part):
    """What is remembered of a position."""

    memo: dict[Any, Any] = {}
    """What was worked out along the game, with what it was worked out from; all its positions share it."""
    cache: dict[Any, Any] = {}
    """What follows from where the counters stand; copies share it until one moves."""

    def disturbed(self) -> None:
        """A counter has come, gone or moved."""
        self.cache = {}


S = TypeVar("S", bound=Derived)
A = TypeVar("A", bound=Hashable)
T = TypeVar("T")


def remembered(question: Callable[[S, A], T]) -> Callable[[S, A], T]:
    """A question about one thing whose answer follows from where the counters stand."""
    name = question.__name__

    @wraps(question)
    def asked(pos: S, about: A) -> T:
        cache = pos.cache
        known: T | None = cache.get((name, about))
        if known is None:
            known = cache[name, about] = question(pos, about)
        return known

    return asked


class Known(NamedTuple):
    """How far a unit got when it was last asked, and what that depended on."""

    flood: Flood
    costs: Costs
    barred: HexMask
    covered: HexMask
    """Every hex reached; that in which the unit stands does not matter, whoever else comes or goes there."""
    zone: HexMask
    """The same with those next to them: nothing beyond can matter."""


MOST = 5_000
"""Answers that are kept along a game before the memory starts afresh."""


def spoilt(then: HexMask, now: HexMask, covered: HexMask, zone: HexMask) -> HexMask:
    """The hexes because of which a reach does not hold any more: one that it covers has been closed, or one that it
    covers or borders on has been opened."""
    return now & ~then & covered | then & ~now & zone


def reach(
    pos: Derived, kind: tuple[int, str, bool], start: Hex, budget: int, costs: Costs, barred: HexMask, stops: HexMask
) -> Known:
    """How far a unit of a kind gets in some way of moving; what was found out earlier, of it or of another that stood
    there, holds while nothing that it depended on has changed."""
    memo, key = pos.memo, (start, budget, kind)
    old: Known | None = memo.get(key)
    if old is not None and old.costs is costs and not spoilt(old.barred, barred, old.covered, old.zone):
        return old
    reached = flood(costs, 1 << start, budget, barred=barred, stops=stops)
    covered = reached.reached & ~(1 << start)
    if len(memo) >= MOST:
        memo.clear()
    zone = covered | costs.grid.ring(reached.reached) & ~(1 << start)
    new = memo[key] = Known(reached, costs, barred, covered, zone)
    return new
