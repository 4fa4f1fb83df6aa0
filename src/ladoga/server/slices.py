"""Long work in small pieces: between two of them everybody who has come meanwhile is heard, however much there is."""

from __future__ import annotations

import time
from collections.abc import Generator
from typing import TypeVar

from .limits import Turns

T = TypeVar("T")

SLICE = 0.001
"""Seconds that work goes on before it looks whether somebody has come."""
_turns = Turns(1)
"""Of all that is being worked out, one piece at a time."""


async def through(steps: Generator[None, None, T]) -> T:
    """Take small steps to an answer, and let others go first now and then."""
    while True:
        async with _turns.one("work"):
            until = time.perf_counter() + SLICE
            while time.perf_counter() <= until:
                try:
                    next(steps)
                except StopIteration as done:
                    answer: T = done.value
                    return answer
