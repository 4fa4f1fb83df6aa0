"""Processes beside the server and what is asked of them: each does one job at a time, with a limit on its time."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from .library import Library
from .refused import Busy, Refused
from .worker import SIZE, Setting, Slow, frame

log = logging.getLogger("ladoga.server")

SOURCE = str(Path(__file__).parents[2])


class Worker:
    """One process beside the server, started when it is first needed and again if it dies."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._process: Process | None = None
        self._starting: asyncio.Task[Process] | None = None
        self._killed: list[Process] = []
        """Those whose end has not been seen."""
        self._closed = False
        self.busy = False
        self.started = 0
        self.reserved = ""
        """Whom it works for, from the moment that is settled."""
        self.used: Callable[[float], None] = lambda _: None
        """Told now and then how much of its time whoever thinks there has used up."""
        self._hurried = False
        self._listens = False
        """Whether the process has said anything yet."""

    def hurry(self) -> None:
        """Let whoever thinks there, or is about to, make up its mind."""
        self._hurried = True
        self._say_hurry()

    def _say_hurry(self) -> None:
        """Say it to the process and to those that think with it. One that has just been started does not listen yet:
        whatever the process, it is told again with every sign that it gives."""
        if self._process is not None and self._listens:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGUSR2)

    async def ask(self, limit: float, name: str, *values: Any) -> Any:
        """Have a job done. Whoever stops waiting leaves: the job is broken off."""
        assert not self.busy
        if self._closed:
            raise Busy("nothing is worked out here any more")
        self.busy, process = True, None
        try:
            process = await self._running()
            assert process.stdin is not None
            process.stdin.write(frame([name, *values]))
            async with asyncio.timeout(limit):
                answer = await self._answer(process)
        except TimeoutError:
            self.kill()
            raise Slow from None
        except asyncio.CancelledError:
            if process is not None:
                await self._break_off(process)
            raise
        except (OSError, EOFError, asyncio.IncompleteReadError):
            self.kill()
            raise Busy("this could not be worked out just now; try again") from None
        finally:
            self.busy = self._hurried = False
        match answer:
            case ["ok", value]:
                return value
            case ["refused", code, message, case]:
                raise Refused(code, message, case)
            case ["left"]:
                raise asyncio.CancelledError
        raise RuntimeError(f"a worker failed:\n{answer[-1]}")

    async def _answer(self, process: Process) -> Any:
        """What the process says, after the signs it gives meanwhile."""
        assert process.stdout is not None
        while True:
            size = SIZE.unpack(await process.stdout.readexactly(SIZE.size))[0]
            said = msgspec.msgpack.decode(await process.stdout.readexactly(size))
            self._listens = process is self._process
            if said[0] != "used":
                return said
            self.used(said[1])
            if self._hurried:
                self._say_hurry()

    async def _break_off(self, process: Process) -> None:
        """Stop the job that is under way; a worker that does not listen is ended."""
        try:
            os.kill(process.pid, signal.SIGUSR1)
            async with asyncio.timeout(0.5):
                await self._answer(process)
        except (TimeoutError, asyncio.CancelledError, OSError, EOFError):
            self.kill()

    async def _running(self) -> Process:
        """The process, started if need be. It is started even if nobody waits for it any more: the next job is its, or
        it is ended with the worker."""
        if self._process is not None and self._process.returncode is None:
            return self._process
        if self._starting is None:
            self._starting = asyncio.create_task(self._start())
        return await asyncio.shield(self._starting)

    async def _start(self) -> Process:
        env = {**os.environ, "PYTHONPATH": os.pathsep.join([SOURCE, os.environ.get("PYTHONPATH", "")])}
        words = ["-m", "ladoga.server.worker", msgspec.json.encode(self._setting).decode()]
        try:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, *words, stdin=PIPE, stdout=PIPE, env=env, limit=1 << 26, start_new_session=True
            )
        finally:
            self._starting = None
        self._listens = False
        self.started += 1
        return self._process

    def kill(self) -> None:
        """End the process at once."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with suppress(ProcessLookupError):  # asked by its number: else it may be seen to its end twice over
                os.kill(process.pid, signal.SIGKILL)
            self._killed = [process, *(other for other in self._killed if other.returncode is None)]

    async def close(self) -> None:
        """End the process, even one that is only about to be there, and see it gone. There will be no other."""
        self._closed = True
        if self._starting is not None:
            with suppress(OSError):
                await asyncio.shield(self._starting)
        self.kill()
        await asyncio.gather(*(process.wait() for process in self._killed))


def settings(library: Library, nice: int, **wishes: Any) -> Setting:
    """How workers of a server are to be."""
    return Setting(nice, str(library.data.absolute()) if library.data else "", library.data_game or "", **wishes)


class Pool:
    """A few workers, and those who wait for one in turn; when too many wait, the next is sent away at once."""

    def __init__(self, library: Library, size: int = 2, waiting: int = 32, nice: int = 5) -> None:
        self._workers = [Worker(settings(library, nice)) for _ in range(size)]
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._most = waiting

    async def ask(self, name: str, *values: Any, limit: float = 10.0) -> Any:
        """Have a job done by whoever is free."""
        worker = await self._free()
        try:
            return await worker.ask(limit, name, *values)
        finally:
            while self._waiting:
                waiter = self._waiting.popleft()
                if not waiter.done():
                    waiter.set_result(None)
                    break

    async def _free(self) -> Worker:
        while True:
            idle = [worker for worker in self._workers if not worker.busy]
            if idle:
                return idle[0]
            if len(self._waiting) >= self._most:
                raise Busy("too much is being worked out just now; try again in a moment")
            waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(waiter)
            await waiter

    async def close(self) -> None:
        """End all workers."""
        await asyncio.gather(*(worker.close() for worker in self._workers))
