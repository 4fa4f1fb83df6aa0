"""What need not be ready for an answer, such as what a table is shown: it gives way to whoever waits for one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from .store import Store

PATIENCE = 0.003
"""Seconds that it waits for orders on their way to the disk."""
CROWD = 4
"""With so many pieces waiting, none of them waits for the disk any more."""


class Afterwards:
    """Pieces of work, done one at a time: between two of them everybody who has come meanwhile is heard, and none
    begins while an order is on its way to the disk, which would be slower for it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._one = asyncio.Lock()
        self.waiting = 0

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Work when it is one's turn; what is done then must not wait for anything."""
        self.waiting += 1
        try:
            async with self._one:
                await asyncio.sleep(0)
                if self.waiting < CROWD:
                    await self._store.quiet(PATIENCE)
                yield
        finally:
            self.waiting -= 1
