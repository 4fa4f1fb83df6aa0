"""Long work in small pieces: between two of them everybody who has come meanwhile is heard, however much there is, and
whoever waits for an order to be answered goes first."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import TypeVar

from .limits import Turns

T = TypeVar("T")

SLICE = 0.0003
"""Seconds that work goes on before it looks whether somebody has come."""
ROUNDS = 3
"""How often it looks: an order is read, then taken up, and one that is written is taken in, answered, and sent."""
ASIDE = 0.001
"""Seconds that it steps aside, once, for an order that is on its way to the disk and back."""
IN_A_ROW = 0.01
"""Seconds after which work that is not done yet goes on behind all other work."""


class Work:
    """What one server works out, and the orders on their way to an answer, for which all of it steps aside."""

    def __init__(self) -> None:
        self._turns = Turns(1)
        """One thing at a time: whoever comes waits for one piece, however much there is."""
        self._orders = 0

    @property
    def orders(self) -> int:
        """How many orders are on their way."""
        return self._orders

    @contextmanager
    def order(self) -> Iterator[None]:
        """An order is on its way to an answer: what is worked out steps aside meanwhile."""
        self._orders += 1
        try:
            yield
        finally:
            self._orders -= 1

    async def through(self, steps: Generator[None, None, T]) -> T:
        """Take small steps to an answer, and let others go first now and then."""
        stepped_aside = False
        while True:
            async with self._turns.one("work"):
                over = time.perf_counter() + IN_A_ROW
                while time.perf_counter() < over:
                    for _ in range(ROUNDS):
                        await asyncio.sleep(0)
                    if self._orders and not stepped_aside:
                        stepped_aside = True
                        await asyncio.sleep(ASIDE)
                    now = time.perf_counter()
                    while time.perf_counter() <= now + SLICE:
                        try:
                            next(steps)
                        except StopIteration as done:
                            await asyncio.sleep(0)  # what is made of the answer is a piece too
                            answer: T = done.value
                            return answer
