"""Work that gives way to whoever waits for an answer: what a table is shown, and questions that take long to answer."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Generator
from contextlib import asynccontextmanager
from typing import TypeVar

from .limits import Turns

T = TypeVar("T")

SLICE = 0.001
"""Seconds that work goes on before it looks whether somebody has come."""
EACH = 4
"""Tables that are shown at a time of those that one address plays at."""
CROWD = 4
"""With so many tables being shown, none of them gives way any more: they would wait for ever."""


class Afterwards:
    """Work in small pieces: between two of them everybody who has come meanwhile is heard."""

    def __init__(self) -> None:
        self._turns = Turns(EACH)
        self.shown = 0
        """Tables that are being shown just now."""

    @asynccontextmanager
    async def turn(self, whose: str) -> AsyncIterator[None]:
        """Show a table once the answer is on its way; whoever has many of them waits behind their own."""
        async with self._turns.one(whose):
            self.shown += 1
            try:
                await asyncio.sleep(0)
                yield
            finally:
                self.shown -= 1

    async def through(self, steps: Generator[None, None, T]) -> T:
        """Take small steps to an answer, and let others go first now and then."""
        until = time.perf_counter() + SLICE
        while True:
            try:
                next(steps)
            except StopIteration as done:
                answer: T = done.value
                return answer
            if time.perf_counter() > until and self.shown < CROWD:
                await asyncio.sleep(0)
                until = time.perf_counter() + SLICE
