"""A room: one match, in memory, with its lock, its company and its computer.

Under the lock an order is checked by the rules, stored, and only then acknowledged and shown: nobody ever sees an event
that a crash could take back. The store takes it only if nobody else has changed the match since; else the room reads it
again.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from . import deeds, showing
from .company import Company, Watcher
from .computer import Computer
from .fights import opened
from .house import House
from .match import Match, audience_of
from .refused import Refused
from .store import Behind, Gone, Ledger, Unwritable
from .store.memos import reasons
from .wire import packed

LONG = 50
"""What is behind by more events than this is worked out beside everything else."""


class Room:
    """The only place in this process where a match is changed."""

    def __init__(self, match: Match, house: House) -> None:
        self.match = match
        self.house = house
        self.lock = asyncio.Lock()
        self.gone = False
        """Whether the match has been thrown away."""
        self.company = Company(house.delay, house.store.time)
        self.computer = Computer(self)
        self._doubt = False
        """Whether something may have been written that is not known here."""

    @property
    def id(self) -> str:
        """The match's."""
        return self.match.kept.id

    def sides_of(self, person: int | None) -> list[str]:
        """The sides a person plays."""
        return [seat.side for seat in self.match.seats if person is not None and seat.person == person]

    # One at a time ------------------------------------------------------------------------------

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[Match]:
        """The match, which nobody else touches meanwhile. If another process has changed it since, it is read again
        and shown, and what was asked for is refused."""
        if self.house.closing:
            raise Refused("closing", "the server is being restarted; nothing is lost, try again in a moment")
        async with self.lock:
            if self._doubt:
                await self.read_again()
            if self.gone:
                raise Refused("unknown", "this match was thrown away")
            try:
                yield self.match
            except Behind:
                await self.read_again()
                raise Refused("stale", "the table has changed since; look again") from None
            except Gone:
                self.leave_for_good()
                raise Refused("unknown", "this match was thrown away") from None
            except Unwritable:
                self._doubt = True
                raise Refused("disk", "this cannot be written just now; nothing is lost, try again") from None
            except Refused:
                raise
            except BaseException:  # given up on the way: it may have been written all the same
                self._doubt = True
                raise
        self.computer.wake()

    async def settle(self) -> None:
        """Find out what may have happened that is not known here."""
        while self._doubt and not self.gone:
            async with self.lock:
                if self._doubt:
                    await self.read_again()

    def doubt(self) -> None:
        """Something has happened that need not be known before somebody asks."""
        self._doubt = True

    async def refresh(self, revision: int | None = None) -> None:
        """Take in what other processes have done, unless it is known."""
        async with self.lock:
            if not self.gone and (revision is None or revision > self.match.version):
                await self.read_again()
        self.computer.wake()

    async def read_again(self) -> None:
        """Read what others have done to the match; under the lock."""
        self._doubt = False
        try:
            await self._read()
        except BaseException:
            self._doubt = True
            raise

    async def _read(self) -> None:
        match, store, version = self.match, self.house.store, self.match.version
        changed = await store.read(Ledger.since, self.id, match.seqs[-1] if match.seqs else 0)
        if changed is None:
            self.leave_for_good()
            return
        kept, last, events, seats = changed
        if kept.seed != match.kept.seed or len(events) > LONG:
            whole = await store.read(Ledger.whole, self.id)
            if whole is not None:
                kept, events, seats = whole
                told, match = match.reasons, await asyncio.to_thread(opened, kept, match.game, events, seats)
                match.reasons, self.match = told, match
        else:
            match.catch_up(kept, last, events)
        match.chairs = seats
        match.reasons.update(await store.read(reasons, self.id))
        self.usher()
        if match.version != version:
            self.computer.rest()
        await self.show_calmly()

    def leave_for_good(self) -> None:
        """The match has been thrown away."""
        self.gone = True
        self.computer.dismiss()
        self.company.tell(packed(t="error", code="unknown", message="this match was thrown away"))

    # The company --------------------------------------------------------------------------------

    async def join(self, person: int | None, device: int = 0) -> Watcher:
        """Come to the table."""
        store = self.house.store
        talk = await store.read(Ledger.talk, self.id)
        bookmarks = [] if person is None else await store.read(Ledger.bookmarks, self.id, person)
        with suppress(Unwritable):
            await self.settle()
        await self.house.work.through(showing.preparing(self.match, audience_of(self.match, self.sides_of(person))))
        if self.gone:
            raise Refused("unknown", "this match was thrown away")
        watcher = Watcher(person, self.sides_of(person), device)
        kept = self.match.kept
        watcher.tell(
            packed(
                t="welcome", match=self.id, game=showing.about(self.match.game), kind=kept.kind, begun=kept.begun,
                scenario=kept.scenario, options=kept.options, commitment=self.match.dice.commitment,
                own_map=self.match.position.map is not self.house.library.game(kept.game).map,
                bookmarks=bookmarks, talk=[line._asdict() for line in talk], delay=self.house.delay,
            )
        )  # fmt: skip
        self.company.watchers.add(watcher)
        self.show(watcher)
        self.say_who()
        self.note("who")
        self.computer.wake()
        return watcher

    def leave(self, watcher: Watcher) -> None:
        """Go away from the table; when nobody is left and nobody comes back, the computer rests too."""
        self.company.watchers.discard(watcher)
        self.say_who()
        if self.company:
            self.company.show_people(self.match)
        else:
            self.computer.left()

    def note(self, kind: str, **more: Any) -> None:
        """Tell the other processes something that need not be kept."""
        if not self.house.store.alone and not self.house.closing:
            self.house.store.submit(Ledger.tell, self.id, kind, more)

    def say_who(self) -> None:
        """Tell the other processes who is here."""
        self.note("people", here=self.company.persons, watching=self.company.watching)

    def usher(self) -> None:
        """Everybody looks from where they sit now."""
        for watcher in self.company.watchers:
            watcher.sides = self.sides_of(watcher.person)

    async def reseat(self) -> None:
        """Read the seats again and tell everybody."""
        self.match.chairs = await self.house.store.read(Ledger.seats, self.id)
        self.usher()
        self.show()
        self.computer.wake()

    def show(self, only: Watcher | None = None) -> None:
        """Send everybody, or only one of them, the table as they may see it."""
        if self.company:
            with self.house.metrics.timed("show"):
                self.company.show(self.match, only)

    async def show_calmly(self) -> None:
        """Send everybody the table, worked out while others are heard; under the lock."""
        await self.house.work.through(self.company.preparing(self.match))
        self.show()

    # Orders -------------------------------------------------------------------------------------

    async def give(
        self, watcher: Watcher, action: str, version: int, text: str, safe: deeds.Safe = deeds.unheard
    ) -> dict[str, Any]:  # fmt: skip
        """Play an order somebody gives. Stored first, then acknowledged, then shown."""
        async with self.alone() as match:
            try:
                side = deeds.on_move(match, watcher, version)
            except Refused as problem:
                return await self._again(action, problem)
            await deeds.carry_out(self, side, action, text, safe=safe)
        return {"ok": True, "version": self.match.version}

    async def _again(self, action: str, problem: Refused) -> dict[str, Any]:
        """What cannot be done may have been done before."""
        if await self.house.store.read(Ledger.done, self.id, action):
            return {"ok": True, "again": True}
        raise problem

    async def play_for(self, side: str, version: int, text: str, reason: str = "") -> None:
        """Play an order that the computer gives for a side, and why, in the position it thought about."""
        async with self.alone() as match:
            if match.version == version and match.to_move == side:
                await deeds.carry_out(self, side, f"player-{version}-{secrets.token_hex(8)}", text, reason)

    async def undo(
        self, watcher: Watcher, action: str, version: int, to: int, safe: deeds.Safe = deeds.unheard
    ) -> dict[str, Any]:  # fmt: skip
        """Take orders back."""
        async with self.alone() as match:
            try:
                deeds.check_undo(match, watcher, version, to)
            except Refused as problem:
                return await self._again(action, problem)
            await deeds.retract(self, action, to, safe=safe)
        return {"ok": True, "version": self.match.version}

    # The computer -------------------------------------------------------------------------------

    async def claim(self) -> bool:
        """Whether this process is the one that thinks for the match."""
        store = self.house.store
        return store.alone or await store.write(Ledger.claim, self.id, store.process)

    async def release(self) -> None:
        """Another process may think for the match."""
        store = self.house.store
        if not store.alone:
            await store.write(Ledger.release, self.id, store.process)
