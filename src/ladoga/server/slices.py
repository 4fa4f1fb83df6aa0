"""Long work in small pieces: between two of them everybody who has come meanwhile is heard, however much there is."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Generator
from typing import TypeVar

from .limits import Turns

T = TypeVar("T")

SLICE = 0.001
"""Seconds that work goes on before it looks whether somebody has come."""
IN_A_ROW = 0.01
"""Seconds after which work that is not done yet goes on behind all other work."""
_turns = Turns(1)
"""Of all that is being worked out, one thing at a time: whoever comes waits for one piece, however much there is."""


async def through(steps: Generator[None, None, T]) -> T:
    """Take small steps to an answer, and let others go first now and then."""
    while True:
        async with _turns.one("work"):
            over = time.perf_counter() + IN_A_ROW
            while (now := time.perf_counter()) < over:
                while time.perf_counter() <= now + SLICE:
                    try:
                        next(steps)
                    except StopIteration as done:
                        answer: T = done.value
                        return answer
                await asyncio.sleep(0)
