"""How much anybody may ask for: buckets that refill with time."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

FRAME = 64 * 1024
"""The longest message a browser may send, in bytes."""
DOCUMENT = 256 * 1024
"""The longest document that is read, in bytes."""
RECORD = 2_000_000
"""The longest record that is read, in bytes."""


class Bucket:
    """Holds up to ``size`` tokens and gains ``rate`` of them a second."""

    __slots__ = ("_at", "_left", "rate", "size")

    def __init__(self, size: float, rate: float) -> None:
        self.size = size
        self.rate = rate
        self._left = size
        self._at = time.monotonic()

    def take(self, cost: float = 1.0) -> bool:
        """Take tokens if there are enough."""
        now = time.monotonic()
        self._left = min(self.size, self._left + (now - self._at) * self.rate)
        self._at = now
        if self._left < cost:
            return False
        self._left -= cost
        return True

    def spend(self, cost: float) -> None:
        """Take tokens, even more than there are."""
        self.take(0)
        self._left -= cost


class Buckets:
    """A bucket for every key, forgetting those that have not been used for longest."""

    def __init__(self, size: float, rate: float, keys: int = 4096) -> None:
        self.size = size
        self.rate = rate
        self.keys = keys
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, key: str, cost: float = 1.0) -> bool:
        """Take tokens from a key's bucket."""
        return self._bucket(key).take(cost)

    def spend(self, key: str, cost: float) -> None:
        """Take tokens that have been used already, whether they are there or not."""
        self._bucket(key).spend(cost)

    def _bucket(self, key: str) -> Bucket:
        bucket = self._buckets.pop(key, None) or Bucket(self.size, self.rate)
        self._buckets[key] = bucket
        while len(self._buckets) > self.keys:
            self._buckets.popitem(last=False)
        return bucket


class Turns:
    """So many of each key go on at a time; whoever asks for more waits behind their own, and nobody else does. A turn
    lasts until everybody else has been heard, however soon it is done with."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._gates: dict[str, asyncio.Semaphore] = {}
        self._here: Counter[str] = Counter()

    @asynccontextmanager
    async def one(self, key: str) -> AsyncIterator[None]:
        """Go on when it is one's turn."""
        gate = self._gates.setdefault(key, asyncio.Semaphore(self._most))
        self._here[key] += 1
        try:
            await gate.acquire()
        except BaseException:
            self._leave(key)
            raise
        try:
            yield
        finally:
            asyncio.get_running_loop().call_soon(self._over, key, gate)

    def _over(self, key: str, gate: asyncio.Semaphore) -> None:
        gate.release()
        self._leave(key)

    def _leave(self, key: str) -> None:
        self._here[key] -= 1
        if not self._here[key]:
            del self._here[key], self._gates[key]
