"""The computer at a table: it thinks when it is to move and somebody watches, in a process beside the server.

Its players stay for as long as somebody is at the table, with what they have planned and the time they have used up,
also while a person is asked something in the middle of the computer's turn.
"""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from .match import Match
from .refused import Busy, Refused
from .store import Unwritable
from .thinking import Session
from .wire import packed

if TYPE_CHECKING:
    from .room import Room

log = logging.getLogger("ladoga.server")

GRACE = 10.0
"""Seconds for which it goes on thinking, and gives no order, when nobody is at the table: somebody may come back."""


class Computer:
    """Plays the sides of a match that nobody sits at, one order after another, until a person is to move."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._task: asyncio.Task[None] | None = None
        self._leaving: asyncio.TimerHandle | None = None
        self._sessions: dict[str, Session] = {}
        """The players of the sides it plays."""
        self._ordered: dict[str, int] = {}
        """The last order of each side that its player knows of, by its number in the store."""
        self._watched = asyncio.Event()
        self.denied = False
        """Whether another process thinks for this match."""
        self.wait = 0.6
        self.hurry = asyncio.Event()

    def player(self, match: Match) -> str | None:
        """The computer player that is to move, if one is."""
        return next((seat.player for seat in match.seats if seat.player and seat.side == match.to_move), None)

    @property
    def thinking(self) -> bool:
        """Whether it is at work."""
        return self._task is not None

    def wake(self) -> None:
        """Let it think if it is to move, somebody watches, and it is not thinking yet."""
        room = self._room
        if room.company:
            self._watched.set()
            self._stay()
        if self._task is not None or self.denied or room.gone or not room.company:
            return
        if self.player(room.match) is not None:
            self._task = asyncio.get_running_loop().create_task(self._play())
            self._task.add_done_callback(self._done)

    def may_think(self) -> None:
        """The process that thought for this match may do so no more."""
        self.denied = False
        self.wake()

    def rest(self) -> None:
        """Stop thinking: what was thought about is undone."""
        if self._task is not None:
            self._task.cancel()

    def left(self) -> None:
        """Nobody is at the table here: it goes on for a while, unless somebody is there on another process, which then
        thinks."""
        self._watched.clear()
        self._stay()
        if self._room.company.elsewhere_watched:
            self.dismiss()
        else:
            self._leaving = asyncio.get_running_loop().call_later(GRACE, self.dismiss)

    def dismiss(self) -> None:
        """Stop thinking and let the players go: the table was left, or the game is over."""
        self._stay()
        if self._task is not None:
            self._task.cancel()
        else:
            self._let_all_go()

    def move_now(self) -> None:
        """Whoever thinks is to make up its mind, and gives its order without waiting."""
        session = self._sessions.get(str(self._room.match.to_move))
        if self._task is not None and session is not None:
            session.hurry()
            self.hurry.set()

    def set_pace(self, wait: float) -> None:
        """How long it waits between orders, so that people can follow."""
        self.wait = wait
        self.hurry.set()

    def _stay(self) -> None:
        if self._leaving is not None:
            self._leaving.cancel()
            self._leaving = None

    def _done(self, task: asyncio.Task[None]) -> None:
        room = self._room
        self._task = None
        room.company.thinking = None
        if not task.cancelled() and task.exception() is not None:
            log.error("the computer player failed in %s", room.match.kept.id, exc_info=task.exception())
            room.company.tell(packed(t="error", code="player", message="the computer player failed; nothing is lost"))
        if room.match.over or room.gone or (not room.company and self._leaving is None):
            self._let_all_go()
        if room.company:
            room.company.show_people(room.match)
            if task.cancelled():
                self.wake()

    async def _play(self) -> None:
        """Claim the thinking for this process, think, and let go of it when a person is to move or nobody watches."""
        room = self._room
        self.denied = not await room.claim()
        if self.denied:
            return
        try:
            room.company.since = room.house.store.time()
            while not room.gone and (name := self.player(room.match)) is not None:
                side = str(room.match.to_move)
                session = self._player_of(side, name)
                if room.company.thinking != side:
                    room.company.thinking = side
                    room.company.show_people(room.match)
                phase = room.match.position.phase
                await self._move(side, session)
                if not session.attended and room.match.position.phase.side != phase.side:
                    self._let_all_go()  # others that nobody plays wait for their places
        finally:
            with suppress(Unwritable):
                await asyncio.shield(room.release())

    def _player_of(self, side: str, name: str) -> Session:
        """The player of a side. One that does not know what has happened, because its orders were taken back or others
        were given for its side, goes, and another one sits down."""
        room = self._room
        last, session = room.match.last_of(side), self._sessions.get(side)
        if session is not None and (session.name != name or self._ordered[side] != last):
            self._let_go(side)
        if side not in self._sessions:
            self._sessions[side] = session = room.house.thinkers.session(name, room.match)
            session.used = room.company.show_used
            self._ordered[side] = last
        return self._sessions[side]

    def _let_go(self, side: str) -> None:
        session = self._sessions.pop(side, None)
        if session is not None:
            session.close()

    def _let_all_go(self) -> None:
        for side in list(self._sessions):
            self._let_go(side)

    async def _move(self, side: str, session: Session) -> None:
        """One order. A player whose order is not carried out after all has lost the thread, and goes."""
        room, began = self._room, time.monotonic()
        version, known = room.match.version, self._ordered[side]
        try:
            text = await session.order(room.match.view(side), f"{room.match.kept.id} {len(room.match.orders)}")
            if not session.hurried:
                await self._pause(began)
            await self._watched.wait()
            with suppress(Refused):
                await room.play_for(side, version, text, session.reason)
            self._ordered[side] = room.match.last_of(side)
        except Busy:
            await asyncio.sleep(0.5)
        finally:
            if self._ordered[side] == known:
                self._let_go(side)

    async def _pause(self, began: float) -> None:
        """Wait long enough for people to follow, unless they are in a hurry."""
        left = self.wait - (time.monotonic() - began)
        if left > 0:
            self.hurry.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self.hurry.wait(), left)
