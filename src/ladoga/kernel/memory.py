"""Answers worth keeping, each under exactly what it depends on.

A question about a place (how far does this unit get?) depends on sets of hexes: enemies, zones, full hexes. It
depends on them only where the search for the answer looked. So the sets are laid side by side in one integer, the
situation; an answer is kept with its care, the part of the situation that was looked at, and stands as long as that
part is the same, whatever changes elsewhere.

>>> memory: Memory[str] = Memory()
>>> situation = side_by_side(8, 0b0110, 0b0001)
>>> memory.keep("reach of a", situation, side_by_side(8, 0b1111, 0b0011), "three hexes")
>>> memory.find("reach of a", situation ^ 0b1000_0000)
'three hexes'
>>> memory.find("reach of a", situation ^ 0b0000_1000) is None
True
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache, partial, update_wrapper
from typing import Any, ClassVar, Concatenate, Generic, ParamSpec, TypeVar, cast

from ..hexes import HexMask

K = TypeVar("K")
S = TypeVar("S")
P = ParamSpec("P")
T = TypeVar("T")

Situation = int
"""Sets of hexes side by side."""

Care = int
"""The part of a situation that an answer depends on."""


def side_by_side(width: int, *sets: HexMask) -> Situation:
    """Several sets of hexes in one integer, each so many bits wide."""
    situation = 0
    for mask in reversed(sets):
        situation = situation << width | mask
    return situation


class Made(dict[K, T]):
    """Answers to questions that never change, each made when it is first asked for.

    >>> squares = Made(lambda n: n * n)
    >>> squares[7], squares
    (49, {7: 49})
    """

    __slots__ = ("_make",)

    def __init__(self, make: Callable[[K], T]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, question: K) -> T:
        answer = self[question] = self._make(question)
        return answer


class once(Generic[S, P, T]):
    """A question that an object answers the same way for ever: each is worked out once.

    >>> class Board:
    ...     @once
    ...     def square(self, n: int) -> int:
    ...         print("worked out")
    ...         return n * n
    >>> board = Board()
    >>> board.square(7), board.square(7)
    worked out
    (49, 49)
    """

    most: ClassVar[int | None] = None
    """Answers that are kept."""

    def __init__(self, work_out: Callable[Concatenate[S, P], T]) -> None:
        self._work_out = work_out
        update_wrapper(cast(Any, self), work_out)

    def __get__(self, asked: S, _: type) -> Callable[P, T]:
        known = lru_cache(self.most)(partial(self._work_out, asked))
        vars(asked)[self._work_out.__name__] = known
        return cast("Callable[P, T]", known)


class lately(once[S, P, T]):
    """The same where there is no end of questions, and answers are large: the last few hundred are kept."""

    most = 400


class few(once[S, P, T]):
    """The same where an answer is larger still: a whole map turned into masks."""

    most = 16


class Recent(dict[K, T]):
    """Answers under their questions, so many at most: then the memory starts afresh.

    >>> squares: Recent[int, int] = Recent(2)
    >>> [squares.find(n, pow, n, 2) for n in (1, 2, 3)], squares
    ([1, 4, 9], {3: 9})
    """

    __slots__ = ("most",)

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def find(self, question: K, make: Callable[P, T], *inputs: P.args, **words: P.kwargs) -> T:
        """The answer to a question, made of these inputs if it is not known."""
        answer = self.get(question)
        if answer is None:
            if len(self) >= self.most:
                self.clear()
            answer = self[question] = make(*inputs, **words)
        return answer


class Memory(Generic[T]):
    """Answers by question and situation."""

    __slots__ = ("_answers", "each", "most")

    def __init__(self, most: int = 6_000, each: int = 4) -> None:
        self._answers: dict[Hashable, list[tuple[Care, Situation, T]]] = {}
        self.most = most
        """Questions that are kept before the memory starts afresh; bounds the memory of long simulations."""
        self.each = each
        """Answers kept of one question, the newest."""

    def find(self, question: Hashable, situation: Situation) -> T | None:
        """The answer, if one is known that looked only at what is so here too."""
        for care, seen, answer in self._answers.get(question, ()):
            if situation & care == seen:
                return answer
        return None

    def keep(self, question: Hashable, situation: Situation, care: Care, answer: T) -> None:
        """Keep an answer found in a situation by looking at a part of it."""
        if len(self._answers) >= self.most:
            self._answers.clear()
        known = self._answers.setdefault(question, [])
        known.insert(0, (care, situation & care, answer))
        del known[self.each :]
