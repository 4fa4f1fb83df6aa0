"""The fights of a match, read on from where its record was read last."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from ..analysis.fights import Fight, Reading
from ..kernel.game import Game
from .match import SNAPSHOT, Match
from .store import Happened, Kept, Seat


@dataclass
class _Mark:
    """How far the record of a match has been read."""

    reading: Reading = field(default_factory=Reading)
    done: int = 0
    last: int = 0
    """How the store numbers the last event that was read: another number, and orders were taken back since."""

    def holds(self, match: Match) -> bool:
        """Whether what was read is still the beginning of the record."""
        return self.done <= len(match.orders) and (not self.done or match.seqs[self.done - 1] == self.last)

    def copy(self) -> _Mark:
        """The same, to be read on from."""
        read = replace(self.reading, fights=list(self.reading.fights), other=list(self.reading.other))
        return _Mark(read, self.done, self.last)


@dataclass
class _Book:
    """A record being read, with marks to go back to when orders are taken back."""

    now: _Mark = field(default_factory=_Mark)
    marks: list[_Mark] = field(default_factory=list)
    known: dict[tuple[Any, ...], Any] = field(default_factory=dict)
    """What was worked out so far, by what it is; the last part of that is how many events came before."""

    def go_back(self, match: Match) -> None:
        """Forget what was taken back."""
        while self.marks and not self.marks[-1].holds(match):
            self.marks.pop()
        self.now = self.marks[-1].copy() if self.marks else _Mark()
        self.known = {key: value for key, value in self.known.items() if key[-1] < self.now.done}

    def read_on(self, match: Match) -> None:
        """Read to the end of the record."""
        if not self.now.holds(match):
            self.go_back(match)
        now = self.now
        for n, before, after in match.onward(now.done):
            now.reading.take(n + 1, before, after, match.orders[n], match.movers[n])
            now.done, now.last = n + 1, match.seqs[n]
            if now.done % SNAPSHOT == 0 and now.reading.waiting is None:
                self.marks.append(now.copy())


T = TypeVar("T")

_books: WeakKeyDictionary[Match, _Book] = WeakKeyDictionary()


def opened(kept: Kept, game: Game, events: Iterable[Happened], seats: list[Seat]) -> Match:
    """A match as it is kept, played through and its record read: what takes long, to be done beside everything else."""
    match = Match(kept, game, events, seats)
    _read(match)
    return match


def fights(match: Match) -> list[Fight]:
    """Every fight that has been committed so far, in order; the last may still wait for its dice."""
    return _read(match).now.reading.fights


def other_throws(match: Match) -> int:
    """How many throws and draws settled no fight."""
    return len(_read(match).now.reading.other)


def settled(match: Match, key: tuple[Any, ...], work_out: Callable[[], T]) -> T:
    """Something about events that have been read, worked out once as long as none of them is taken back. The last part
    of its key is how many events came before what it is about."""
    known = _read(match).known
    if key not in known:
        known[key] = work_out()
    found: T = known[key]
    return found


def _read(match: Match) -> _Book:
    """Read on from where the record was read last."""
    book = _books.get(match)
    if book is None:
        book = _books[match] = _Book()
    book.read_on(match)
    return book
