"""Thinking for computer players: processes of low priority, and a queue in which every person has one turn at a time.

A session is one player at one table; the worker that began it keeps its player, what it has planned and how much of its
time it has used up, until the table is left. A worker keeps so many players and no more, and none for ever: those that
have not been asked for longest are forgotten, and begin anew when they are asked again.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import random
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..kernel.position import View
from .library import Library
from .match import Match
from .refused import Busy
from .workers import Worker, settings

WORK = 60.0
"""Seconds of the processor's time that one order may take."""
LIMIT = 600.0
"""Seconds after which a worker that has not answered is ended, however little of the processor it was given."""
UNATTENDED = 4
"""Games without a person that are thought about at the same time."""
WAITING = 500
"""Orders that may wait to be thought about."""
KEPT = 16
"""Players that a worker keeps at a time."""
IDLE = 1800.0
"""Seconds for which it keeps one that is not asked for anything."""


@dataclass
class Thought:
    """An order to be thought about."""

    session: Session
    question: tuple[Any, ...]
    answer: asyncio.Future[str]
    asked: float = field(default_factory=time.monotonic)


@dataclass(eq=False)
class Session:
    """A player at a table."""

    thinkers: Thinkers
    id: str
    name: str
    who: str
    """The person it plays against, in whose name it waits."""
    match: Match
    attended: bool
    worker: Worker | None = None
    reason: str = ""
    """Why the player gave its last order."""
    used: Callable[[float], None] = lambda _: None
    """Told now and then how much of its time the player has used up while it thinks."""
    hurried: bool = False
    """Whether it is to make up its mind about what it is asked."""
    asked: float = 0.0
    """When it was asked for an order last."""

    async def order(self, view: View, seed: str) -> str:
        """The order that the player gives."""
        game = self.match.game
        imagined = view.imagine(random.Random(seed)).document()
        await asyncio.sleep(0)  # others are heard between two pieces of work
        question = (self.id, self.name, game.id, dict(game.overlay), view.side, view.document(), imagined, seed)
        return await self.thinkers.think(self, question)

    def hurry(self) -> None:
        """Let the player make up its mind, if it is thinking or about to."""
        self.hurried = True
        if self.worker is not None and self.worker.reserved == self.id:
            self.worker.hurry()

    def close(self) -> None:
        """The player is not needed any more, or nobody wants to know."""
        self.thinkers.close_session(self)


class Thinkers:
    """The workers that think, and who waits for them."""

    def __init__(self, library: Library, size: int = 0, cores: int = 1) -> None:
        setting = settings(library, 15, cores=cores, idle=True, seconds=WORK)
        self.workers = [Worker(setting) for _ in range(size or max(1, os.cpu_count() or 1))]
        self.took: Callable[[str, float, float], None] = lambda *_: None
        """Told of every order: whose, how long it waited, how long it took."""
        self._queues: OrderedDict[str, deque[Thought]] = OrderedDict()
        self._numbers = itertools.count(1)
        self._sessions: set[Session] = set()
        self._over: dict[Worker, list[str]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def session(self, name: str, match: Match) -> Session:
        """A player for a match."""
        people = [seat.person for seat in match.seats if seat.person is not None]
        who = str(people[0]) if people else f"nobody {match.kept.id}"
        session = Session(self, f"{match.kept.id} {next(self._numbers)}", name, who, match, bool(people))
        self._sessions.add(session)
        return session

    @property
    def waiting(self) -> int:
        """How many orders wait."""
        return sum(map(len, self._queues.values()))

    @property
    def busy(self) -> int:
        """How many orders are being thought about."""
        return sum(worker.busy for worker in self.workers)

    async def think(self, session: Session, question: tuple[Any, ...]) -> str:
        """Wait for a turn and have an order thought about."""
        if self.waiting >= WAITING:
            raise Busy("too many games are being played by computers just now")
        session.asked, session.hurried = time.monotonic(), False
        self._forget_some()
        thought = Thought(session, question, asyncio.get_running_loop().create_future())
        self._queues.setdefault(session.who, deque()).append(thought)
        self._hand_out()
        try:
            return await thought.answer
        finally:
            thought.answer.cancel()

    def _hand_out(self) -> None:
        """Give free workers the next thought of whoever has waited longest since their last one."""
        for who in list(self._queues):
            queue = self._queues[who]
            for thought in list(queue):
                if thought.answer.done():
                    queue.remove(thought)
            if not queue:
                del self._queues[who]
                continue
            found = next(((t, w) for t in queue if (w := self._free(t.session)) is not None), None)
            if found is not None:
                thought, worker = found
                queue.remove(thought)
                self._queues.move_to_end(who)
                thought.session.worker = worker
                worker.reserved = thought.session.id
                task = asyncio.get_running_loop().create_task(self._work(worker, thought))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    def _free(self, session: Session) -> Worker | None:
        """The worker that has the session's player, if it is free; for a new session, the one with fewest players."""
        if session.worker is not None:
            return None if session.worker.reserved else session.worker
        if not session.attended:
            held = {s.match.kept.id for s in self._sessions if not s.attended and s.worker is not None}
            if len(held - {session.match.kept.id}) >= UNATTENDED:
                return None
        idle = [worker for worker in self.workers if not worker.reserved]
        return min(idle, key=self._load, default=None)

    def _load(self, worker: Worker) -> int:
        return sum(1 for session in self._sessions if session.worker is worker)

    async def _work(self, worker: Worker, thought: Thought) -> None:
        asking = asyncio.ensure_future(self._asked(worker, thought))
        thought.answer.add_done_callback(lambda answer: asking.cancel() if answer.cancelled() else None)
        try:
            order = await asking
            if not thought.answer.done():
                thought.answer.set_result(order)
        except asyncio.CancelledError:
            thought.answer.cancel()
        except Exception as problem:
            self._let_go(thought.session)
            if not thought.answer.done():
                thought.answer.set_exception(problem)
        finally:
            worker.reserved = ""
            self._hand_out()

    async def _asked(self, worker: Worker, thought: Thought) -> str:
        for session in self._over.pop(worker, []):
            await worker.ask(LIMIT, "forget", session)
        began = time.monotonic()
        worker.used = thought.session.used
        if thought.session.hurried:
            worker.hurry()
        order, thought.session.reason = map(str, await worker.ask(LIMIT, "think", *thought.question))
        self.took(thought.session.name, began - thought.asked, time.monotonic() - began)
        return order

    def close_session(self, session: Session) -> None:
        """Its worker may forget the player."""
        if session in self._sessions:
            self._sessions.discard(session)
            self._let_go(session)
            self._hand_out()

    def _let_go(self, session: Session) -> None:
        """A worker forgets a player before it does anything else."""
        if session.worker is not None:
            self._over.setdefault(session.worker, []).append(session.id)
            session.worker = None

    def _forget_some(self) -> None:
        """Let go of players that have not been asked for long, and of those that are too many."""
        idle = [s for s in self._sessions if s.worker is not None and s.worker.reserved != s.id]
        idle.sort(key=lambda s: s.asked)
        most, now = KEPT * len(self.workers), time.monotonic()
        for n, session in enumerate(idle):
            if now - session.asked > IDLE or len(idle) - n > most:
                self._let_go(session)

    async def close(self) -> None:
        """End all workers; nobody waits for them any more."""
        for thought in [thought for queue in self._queues.values() for thought in queue]:
            thought.answer.cancel()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(worker.close() for worker in self.workers))
