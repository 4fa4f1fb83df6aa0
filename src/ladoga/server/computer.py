"""The computer at a table: it thinks when it is to move and somebody watches, in a process beside the server."""

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


class Computer:
    """Plays the sides of a match that nobody sits at, one order after another, until a person is to move."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._task: asyncio.Task[None] | None = None
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
        """Stop thinking: the table was left, or what was thought about is undone."""
        if self._task is not None:
            self._task.cancel()

    def set_pace(self, wait: float) -> None:
        """How long it waits between orders, so that people can follow."""
        self.wait = wait
        self.hurry.set()

    def _done(self, task: asyncio.Task[None]) -> None:
        room = self._room
        self._task = None
        room.company.thinking = None
        if not task.cancelled() and task.exception() is not None:
            log.error("the computer player failed in %s", room.match.kept.id, exc_info=task.exception())
            room.company.tell(packed(t="error", code="player", message="the computer player failed; nothing is lost"))
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
        sessions: dict[str, Session] = {}
        try:
            room.company.since = room.house.store.time()
            while room.company and not room.gone and (name := self.player(room.match)) is not None:
                side = str(room.match.to_move)
                room.company.thinking = side
                if not sessions.get(side):
                    room.company.show_people(room.match)
                    sessions[side] = room.house.thinkers.session(name, room.match)
                await self._move(side, sessions)
                for over in [s for s in sessions if s != room.match.to_move]:
                    sessions.pop(over).close()
        finally:
            for session in sessions.values():
                session.close()
            with suppress(Unwritable):
                await asyncio.shield(room.release())

    async def _move(self, side: str, sessions: dict[str, Session]) -> None:
        room, began = self._room, time.monotonic()
        version = room.match.version
        try:
            text = await sessions[side].order(room.match.view(side), f"{room.match.kept.id} {len(room.match.orders)}")
        except Busy:
            sessions.pop(side).close()
            await asyncio.sleep(0.5)
            return
        await self._pause(began)
        with suppress(Refused):
            await room.play_for(side, version, text, sessions[side].reason)

    async def _pause(self, began: float) -> None:
        """Wait long enough for people to follow, unless they are in a hurry."""
        left = self.wait - (time.monotonic() - began)
        if left > 0:
            self.hurry.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self.hurry.wait(), left)
