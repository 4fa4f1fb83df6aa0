"""Long work in small pieces: between two of them everybody who has come meanwhile is heard."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Generator
from typing import TypeVar

T = TypeVar("T")

SLICE = 0.001
"""Seconds that work goes on before it looks whether somebody has come."""


async def through(steps: Generator[None, None, T]) -> T:
    """Take small steps to an answer, and let others go first now and then."""
    until = time.perf_counter() + SLICE
    while True:
        try:
            next(steps)
        except StopIteration as done:
            answer: T = done.value
            return answer
        if time.perf_counter() > until:
            await asyncio.sleep(0)
            until = time.perf_counter() + SLICE
