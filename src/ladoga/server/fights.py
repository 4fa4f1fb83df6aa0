"""The fights of a match, read on from where its record was read last."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from ..analysis.fights import Fight, Reading
from .match import Match


@dataclass
class _Mark:
    """How far the record of a match has been read."""

    reading: Reading = field(default_factory=Reading)
    done: int = 0
    last: int = 0
    """How the store numbers the last event that was read: another number, and orders were taken back since."""
    known: dict[Hashable, Any] = field(default_factory=dict)
    """What was worked out about them so far and cannot change any more."""


T = TypeVar("T")

_marks: WeakKeyDictionary[Match, _Mark] = WeakKeyDictionary()


def fights(match: Match) -> list[Fight]:
    """Every fight that has been committed so far, in order; the last may still wait for its dice."""
    return _read(match).fights


def other_throws(match: Match) -> int:
    """How many throws and draws settled no fight."""
    return len(_read(match).other)


def settled(match: Match, key: Hashable, work_out: Callable[[], T]) -> T:
    """Something about events that have been read, worked out once as long as none of them is taken back."""
    _read(match)
    known = _marks[match].known
    if key not in known:
        known[key] = work_out()
    found: T = known[key]
    return found


def _read(match: Match) -> Reading:
    """Read on; start afresh where orders were taken back."""
    mark = _marks.get(match)
    if mark is None or not _holds(mark, match):
        mark = _marks[match] = _Mark()
    for n, before, after in match.onward(mark.done):
        mark.reading.take(n + 1, before, after, match.orders[n], match.movers[n])
    mark.done, mark.last = len(match.orders), match.seqs[-1] if match.seqs else 0
    return mark.reading


def _holds(mark: _Mark, match: Match) -> bool:
    """Whether what was read is still the beginning of the record."""
    return mark.done <= len(match.orders) and (not mark.done or match.seqs[mark.done - 1] == mark.last)
