"""Processes that share long work. One that dies costs nothing but its time: what it was at is done again."""

from __future__ import annotations

import os
import queue
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, ParamSpec, TypeVar

from ..kernel.errors import LadogaError

P = ParamSpec("P")
T = TypeVar("T")

TRIES = 3
"""How often a piece of work is begun; what kills three workers is not begun again."""


class Died(LadogaError):
    """A piece of work that kills whoever does it."""


def _work(line: Connection, alive: Connection) -> None:
    """Do one piece of work after another, as long as whoever gives it lives."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)

    def watch() -> None:
        with suppress(EOFError, OSError):
            alive.recv()
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
    with suppress(EOFError, OSError):
        while True:
            work, values, named = line.recv()
            try:
                answer = (True, work(*values, **named))
            except Exception as problem:
                answer = (False, problem)
            line.send(answer)


class _Worker:
    """One process, started again when it is needed and gone."""

    def __init__(self) -> None:
        self._context = get_context("forkserver")
        self._ending = threading.Lock()
        self.process: BaseProcess | None = None

    def ask(self, job: tuple[Any, ...]) -> Any:
        """Have work done; ``EOFError`` if the process dies over it."""
        if self.process is None or not self.process.is_alive():
            self._start()
        self._line.send(job)
        return self._line.recv()

    def _start(self) -> None:
        self._line, theirs = self._context.Pipe()
        self._alive, watched = self._context.Pipe()
        self.process = self._context.Process(target=_work, args=(theirs, watched), daemon=True)
        self.process.start()
        theirs.close()
        watched.close()

    def kill(self) -> None:
        """Stop at once; whoever waits for an answer hears of it."""
        process = self.process
        if process is not None:
            process.kill()

    def end(self) -> None:
        """Stop, and close the lines, once."""
        with self._ending:
            process, self.process = self.process, None
            if process is not None:
                process.kill()
                process.join(5)
                self._line.close()
                self._alive.close()


class Crew(Executor):
    """An executor like a process pool, that goes on when a process is killed, and leaves none behind."""

    def __init__(self, workers: int) -> None:
        self._jobs: queue.SimpleQueue[tuple[Future[Any], tuple[Any, ...]] | None] = queue.SimpleQueue()
        self._workers = [_Worker() for _ in range(workers)]
        self._threads = [threading.Thread(target=self._hand_out, args=(w,), daemon=True) for w in self._workers]
        self._stopped = False
        for thread in self._threads:
            thread.start()

    @property
    def processes(self) -> list[int]:
        """The ids of the processes at work."""
        return [w.process.pid for w in self._workers if w.process is not None and w.process.pid is not None]

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Have something done by whoever is free."""
        future: Future[T] = Future()
        self._jobs.put((future, (fn, args, kwargs)))
        return future

    def _hand_out(self, worker: _Worker) -> None:
        while (job := self._jobs.get()) is not None and not self._stopped:
            future, work = job
            if future.set_running_or_notify_cancel():
                self._done(worker, future, work)
        self._jobs.put(None)

    def _done(self, worker: _Worker, future: Future[Any], work: tuple[Any, ...]) -> None:
        for _ in range(TRIES):
            try:
                good, answer = worker.ask(work)
            except (EOFError, OSError):
                worker.end()
                if self._stopped:
                    return
                continue
            except Exception as problem:  # it cannot be sent
                future.set_exception(problem)
                return
            if good:
                future.set_result(answer)
            else:
                future.set_exception(answer)
            return
        future.set_exception(Died(f"{TRIES} workers died over the same piece of work"))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Finish what is under way, or (with ``cancel_futures``) stop at once."""
        if cancel_futures:
            self._stopped = True
        self._jobs.put(None)
        if cancel_futures:
            for worker in self._workers:
                worker.kill()
        for thread in self._threads if wait or cancel_futures else ():
            thread.join(5 if cancel_futures else None)
        for worker in self._workers:
            worker.end()
