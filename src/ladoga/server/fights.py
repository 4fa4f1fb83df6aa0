"""The fights of a match, read on from where its record was read last."""

from __future__ import annotations

from dataclasses import dataclass, field
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


_marks: WeakKeyDictionary[Match, _Mark] = WeakKeyDictionary()


def fights(match: Match) -> list[Fight]:
    """Every fight that has been committed so far, in order; the last may still wait for its dice."""
    return _read(match).fights


def other_throws(match: Match) -> int:
    """How many throws and draws settled no fight."""
    return len(_read(match).other)


def _read(match: Match) -> Reading:
    """Read on; start afresh where orders were taken back."""
    mark = _marks.get(match)
    if mark is None or not _holds(mark, match):
        mark = _marks[match] = _Mark()
    before = match.at(mark.done)
    for n in range(mark.done, len(match.orders)):
        after = before.play(match.orders[n])
        mark.reading.take(n + 1, before, after, match.orders[n], match.movers[n])
        before = after
    mark.done, mark.last = len(match.orders), match.seqs[-1] if match.seqs else 0
    return mark.reading


def _holds(mark: _Mark, match: Match) -> bool:
    """Whether what was read is still the beginning of the record."""
    return mark.done <= len(match.orders) and (not mark.done or match.seqs[mark.done - 1] == mark.last)
