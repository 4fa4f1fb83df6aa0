"""Work that gives way to whoever waits for an answer: what a table is shown, and questions that take long to answer."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Generator
from contextlib import asynccontextmanager
from typing import TypeVar

from .store import Store

T = TypeVar("T")

SLICE = 0.001
"""Seconds that work goes on before it looks whether somebody has come."""
PATIENCE = 0.003
"""Seconds that it waits for orders on their way to the disk."""
CROWD = 4
"""With so many tables waiting to be shown, none of them gives way any more: they would wait for ever."""


class Afterwards:
    """Work in small pieces: between two of them everybody who has come meanwhile is heard. What a table is shown is not
    begun while an order is on its way to the disk, which would be slower for it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._one = asyncio.Lock()
        self.waiting = 0

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Work when it is one's turn: one table after another, unless too many wait."""
        self.waiting += 1
        try:
            if self._crowded:
                await asyncio.sleep(0)
                yield
                return
            async with self._one:
                await asyncio.sleep(0)
                if not self._crowded:
                    await self._store.quiet(PATIENCE)
                yield
        finally:
            self.waiting -= 1

    @property
    def _crowded(self) -> bool:
        return self.waiting >= CROWD

    async def through(self, steps: Generator[None, None, T]) -> T:
        """Take small steps to an answer, and let others go first now and then."""
        until = time.perf_counter() + SLICE
        while True:
            try:
                next(steps)
            except StopIteration as done:
                answer: T = done.value
                return answer
            if time.perf_counter() > until and not self._crowded:
                await asyncio.sleep(0)
                until = time.perf_counter() + SLICE
