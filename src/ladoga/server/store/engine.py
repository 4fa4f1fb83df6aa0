"""A store: one thread writes, whatever waits together goes into one commit, and readers do not wait for it.

Somebody who asks for something to be written gets an answer once it is safe on the disk. A lost connection is made
again and what was under way is done again, which is safe: every action counts once.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import secrets
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import Future, InvalidStateError, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from typing import Any, Concatenate, ParamSpec, TypeVar

from ..logs import Seldom
from .kept import Behind, Doubled, Gone, Later, Unwritable
from .ledger import Database, Ledger

log = logging.getLogger("ladoga.server")

P = ParamSpec("P")
T = TypeVar("T")

TOGETHER = 64
"""How many writes go into one commit at most."""
LIVES = 15.0
"""Seconds after which a process that says nothing counts as dead."""

AT_ONE_STROKE = frozenset[Callable[..., Any]]({Ledger.add})
"""What writes with one statement, which is a transaction by itself if nothing else is written with it."""

Heard = Callable[[dict[str, Any]], None]


@dataclass
class Job:
    """Something to be written, and who waits for it."""

    work: Callable[[Ledger], Any]
    key: str
    at_one_stroke: bool = False
    future: Future[Any] = field(default_factory=Future)
    asked: float = field(default_factory=time.monotonic)
    answer: Any = None
    problem: Exception | None = None


class Lost(Exception):
    """The connection to the database is gone."""


class Store(ABC):
    """Everything a server keeps. Its methods may be called from any thread."""

    alone = True
    """Whether no other process uses this store."""
    patience = 10.0
    """Seconds that a write waits for a database that is out of reach."""

    def __init__(self, where: str, readers: int = 1) -> None:
        self.where = where
        self.process = secrets.token_hex(6)
        """What this process is called among those that use the store."""
        self.heard: Heard | None = None
        self.committed: Callable[[int, float], None] = lambda *_: None
        """Told of every commit: how many writes, how long it took."""
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._readers = ThreadPoolExecutor(readers, thread_name_prefix="reader")
        self._writer = threading.Thread(target=self._write_all, name="writer", daemon=True)
        self._closed = False
        self._trouble = Seldom()

    # For a database to fill in ------------------------------------------------------------------

    @abstractmethod
    def _writing(self) -> Database:
        """The connection that writes, made if it is not there; ``Lost`` if it cannot be made."""

    @abstractmethod
    def _reading(self) -> Database:
        """The connection that this thread reads with."""

    @abstractmethod
    def _drop(self) -> None:
        """Close every connection of this thread that is broken."""

    @abstractmethod
    def _drop_readers(self) -> None:
        """Close the connections of all readers, who are gone."""

    @abstractmethod
    def _failed(self, problem: Exception) -> Exception:
        """A problem of the database in our words: ``Lost``, ``Unwritable``, or as it is."""

    @abstractmethod
    def quick_check(self) -> list[str]:
        """What is wrong at first sight."""

    @abstractmethod
    def check(self) -> list[str]:
        """Everything that is wrong with what is kept; the whole of it is read."""

    def time(self) -> float:
        """What time it is for everybody who uses this store."""
        return time.time()

    # Reading and writing ------------------------------------------------------------------------

    def _open(self) -> None:
        self._writer.start()

    async def write(
        self, what: Callable[Concatenate[Ledger, P], T | Later[T]], *values: P.args, **named: P.kwargs
    ) -> T:
        """Have something written; comes back when it is safe."""
        return await asyncio.wrap_future(self.submit(what, *values, **named))

    async def read(self, what: Callable[Concatenate[Ledger, P], T], *values: P.args, **named: P.kwargs) -> T:
        """Have something read."""
        reading = self._readers.submit(self._read, lambda ledger: what(ledger, *values, **named))
        return await asyncio.wrap_future(reading)

    def now(self, what: Callable[Concatenate[Ledger, P], T | Later[T]], *values: P.args, **named: P.kwargs) -> T:
        """Read or write something and wait for it here."""
        return self.submit(what, *values, **named).result()

    def submit(
        self, what: Callable[Concatenate[Ledger, P], T | Later[T]], *values: P.args, **named: P.kwargs
    ) -> Future[T]:
        """Queue something to be written."""
        if self._closed:
            raise Unwritable("the store is closed")
        key = str(values[0]) if values else ""
        job = Job(lambda ledger: what(ledger, *values, **named), key, what in AT_ONE_STROKE)
        self._jobs.put(job)
        return job.future

    @property
    def waiting(self) -> int:
        """How many writes wait."""
        return self._jobs.qsize()

    def close(self) -> None:
        """Write what waits, and close."""
        if self._closed:
            return
        self._closed = True
        self._jobs.put(None)
        if self._writer.is_alive():
            self._writer.join(30)
        self._readers.shutdown(wait=True)
        self._drop_readers()

    def _read(self, work: Callable[[Ledger], T]) -> T:
        for attempt in range(2):
            try:
                return self._transacted(self._reading(), work)
            except Exception as problem:
                told = self._failed(problem)
                if isinstance(told, Lost):
                    self._drop()
                    if attempt == 0:
                        continue
                    raise Unwritable(str(told)) from None
                raise told from None
        raise AssertionError("unreachable")

    def _transacted(self, db: Database, work: Callable[[Ledger], T]) -> T:
        """Reading happens in one go, so that it is all of one moment."""
        with self._together(db, self._look):
            return work(Ledger(db))

    # The thread that writes -----------------------------------------------------------------------

    def _write_all(self) -> None:
        going = True
        while going:
            first = self._jobs.get()
            if first is None:
                break
            jobs = [first]
            while len(jobs) < TOGETHER:
                try:
                    another = self._jobs.get_nowait()
                except queue.Empty:
                    break
                if another is None:
                    going = False
                    break
                jobs.append(another)
            self._written(sorted(jobs, key=lambda job: job.key))
        self._drop()

    def _written(self, jobs: list[Job]) -> None:
        """Write jobs in one commit and answer them; sorted, so that two processes never wait for one another."""
        while True:
            try:
                began = time.monotonic()
                db = self._writing()
                alone = len(jobs) == 1
                with nullcontext() if alone and jobs[0].at_one_stroke else self._together(db, self._begin):
                    for job in jobs:
                        self._attempt(db, job, alone=alone)
                for job in jobs:
                    self._learn(job)
                self.committed(len(jobs), time.monotonic() - began)
                break
            except Exception as problem:
                told = self._failed(problem)
                if isinstance(told, Lost | Unwritable):
                    self._trouble.error(log, "nothing can be written just now: %s", told)
                if isinstance(told, Lost):
                    self._drop()
                    late = [job for job in jobs if time.monotonic() - job.asked > self.patience or self._closed]
                    for job in late:
                        _answer(job, Unwritable(str(told)))
                    jobs = [job for job in jobs if job not in late]
                    time.sleep(0.2)
                elif len(jobs) > 1:
                    for job in jobs:
                        self._written([job])
                    return
                else:
                    jobs[0].answer, jobs[0].problem = None, told
                    break
            if not jobs:
                return
        for job in jobs:
            _answer(job, job.problem)

    @contextmanager
    def _together(self, db: Database, begin: str) -> Iterator[None]:
        """One transaction; nothing of it stands if anything fails."""
        try:
            with db.at_once():
                db.run(begin)
                yield
                db.run("COMMIT")
        except BaseException:
            with suppress(Exception):
                db.run("ROLLBACK")
            raise

    _begin = "BEGIN"
    _look = "BEGIN"

    @staticmethod
    def _attempt(db: Database, job: Job, *, alone: bool) -> None:
        """One job of several: if it is refused, the others are written all the same."""
        job.problem = None
        if not alone:
            db.run("SAVEPOINT job")
        try:
            job.answer = job.work(Ledger(db))
        except (Doubled, Behind, Gone) as refused:
            job.problem = refused
            db.run("ROLLBACK" if alone else "ROLLBACK TO SAVEPOINT job")
            if alone:
                db.run("BEGIN")
        if not alone:
            db.run("RELEASE SAVEPOINT job")

    @staticmethod
    def _learn(job: Job) -> None:
        """What the database only says with the commit."""
        if isinstance(job.answer, Later):
            try:
                job.answer = job.answer.told()
            except (Doubled, Behind, Gone) as refused:
                job.problem = refused


def _answer(job: Job, problem: Exception | None) -> None:
    """Tell whoever asked; one who went away in the meantime is not told, and the writer goes on."""
    with suppress(InvalidStateError):
        if problem is not None:
            job.future.set_exception(problem)
        else:
            job.future.set_result(job.answer)
