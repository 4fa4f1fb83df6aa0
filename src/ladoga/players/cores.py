"""Thinking on several cores: the same work for many things, a part of them in processes that split off and come back
with nothing but their answers.

What a process that splits off knows is what its parent knew at that moment, so nothing has to be handed over. Where
that cannot be done (another system, or other threads in the process, which would be left behind half-way) one core does
it all.
"""

from __future__ import annotations

import os
import pickle
import signal
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def every_core() -> int:
    """The cores that this process may use.

    >>> every_core() >= 1
    True
    """
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def side_by_side(work: Callable[[T], R], things: Sequence[T], cores: int = 1) -> list[R]:
    """What comes of some work for each of many things; with several cores, worked out side by side.

    What a core was to work out and did not bring back (somebody may have ended its process) is worked out here.

    >>> side_by_side(lambda n: n * n, [1, 2, 3, 4], cores=2)
    [1, 4, 9, 16]
    """
    parts = min(cores, len(things))
    if parts < 2 or not hasattr(os, "fork") or threading.active_count() > 1:
        return [work(thing) for thing in things]
    split = [_split_off(work, things[part::parts]) for part in range(1, parts)]
    answers: list[list[R]] = []
    try:
        answers.append([work(thing) for thing in things[::parts]])
        for part, (_, line) in enumerate(split, 1):
            answers.append(_read(line) or [work(thing) for thing in things[part::parts]])
    finally:
        for process, line in split:
            with suppress(OSError):
                os.close(line)
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)
            with suppress(OSError):
                os.waitpid(process, 0)
    return [answers[number % parts][number // parts] for number in range(len(things))]


def _split_off(work: Callable[[T], R], things: Sequence[T]) -> tuple[int, int]:
    """A process that does some of the work, and the line on which it answers."""
    line, theirs = os.pipe()
    process = os.fork()
    if process:
        os.close(theirs)
        return process, line
    try:
        os.close(line)
        answer = pickle.dumps([work(thing) for thing in things])
        with os.fdopen(theirs, "wb") as out:
            out.write(answer)
    finally:
        os._exit(0)


def _read(line: int) -> list[R] | None:
    """What a process answered; nothing if it did not come to an end."""
    with os.fdopen(os.dup(line), "rb") as answer:
        packed = answer.read()
    try:
        found: list[R] = pickle.loads(packed)  # noqa: S301 - from a process of our own
    except (EOFError, pickle.UnpicklingError):
        return None
    return found
