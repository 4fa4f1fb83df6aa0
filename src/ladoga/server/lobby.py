"""The lobby: finds rooms, makes matches, seats people and lists what is theirs; and hears what other processes did."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import OrderedDict
from contextlib import suppress
from typing import Any
from weakref import WeakValueDictionary

from ..kernel.errors import LadogaError
from .book import finished, summary
from .fights import opened
from .hearing import hear
from .house import House
from .people import People
from .refused import Refused
from .room import Room
from .store import Damaged, Doubled, Kept, Ledger, Unwritable
from .store.memos import reasons

log = logging.getLogger("ladoga.server")

KEPT_MATCHES = 400
"""How many matches stay in memory when nobody looks at them."""


class Lobby:
    """All rooms of this process."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.rooms: WeakValueDictionary[str, Room] = WeakValueDictionary()
        """Every room that anybody has: there are never two of one match."""
        self._lately: OrderedDict[str, Room] = OrderedDict()
        """Rooms that stay although nobody has them."""
        self.people = People(house.store)
        self._opening: dict[str, asyncio.Future[Room]] = {}

    async def start(self) -> None:
        """Be told by the store what other processes do."""
        loop = asyncio.get_running_loop()

        def heard(note: dict[str, Any]) -> None:
            if not note["match"] or note["match"] in self.rooms:
                loop.call_soon_threadsafe(hear, self, note)

        self.house.store.heard = heard

    async def forget_people(self, person: int | None = None) -> None:
        """Some device, of a person or of anybody, may be theirs no more: whoever looks at a table with it is sent
        away."""
        self.people.forget(person)
        theirs = [
            watcher for room in list(self.rooms.values()) for watcher in room.company.watchers
            if watcher.device and person in (None, watcher.person)
        ]  # fmt: skip
        if not theirs:
            return
        lasting = await self.house.store.read(Ledger.lasting, {watcher.device for watcher in theirs})
        for watcher in theirs:
            if watcher.device not in lasting:
                watcher.dismiss()

    async def close(self) -> None:
        """Stop thinking and working, write what waits, and close the store."""
        self.house.closing = True
        for room in list(self.rooms.values()):
            room.computer.dismiss()
        await self.house.thinkers.close()
        await self.house.readers.close()
        await asyncio.to_thread(self.house.store.close)

    # Rooms --------------------------------------------------------------------------------------

    async def room(self, match_id: str) -> Room:
        """The room of a match, loaded from the store if nobody has been there lately."""
        room = self.rooms.get(match_id)
        if room is not None:
            with suppress(Unwritable):  # what cannot be read now is shown as it was known last
                await room.settle()
        if room is None or room.gone:
            room = await self._opened(match_id)
        self._lately[match_id] = room
        self._lately.move_to_end(match_id)
        while len(self._lately) > KEPT_MATCHES:
            self._lately.popitem(last=False)
        return room

    async def _opened(self, match_id: str) -> Room:
        """Load a room once, however many ask for it meanwhile."""
        if match_id not in self._opening:
            opening = asyncio.ensure_future(self._load(match_id))
            self._opening[match_id] = opening
            opening.add_done_callback(lambda _: self._opening.pop(match_id, None))
        return await asyncio.shield(self._opening[match_id])

    async def _load(self, match_id: str) -> Room:
        store = self.house.store
        whole = await store.read(Ledger.whole, match_id)
        if whole is None:
            raise Refused("unknown", "there is no such match")
        kept, events, seats = whole
        game = self.house.library.as_played(kept.game, kept.overlay, kept.engine)
        room = Room(await asyncio.to_thread(opened, kept, game, events, seats), self.house)
        room.match.reasons = await store.read(reasons, match_id)
        self.rooms[match_id] = room
        if await store.read(Ledger.revision, match_id) != kept.revision:
            await room.refresh()
        with suppress(Refused):  # what cannot be written now is refused where somebody wants it written
            await self._settle_dice(room)
        return room

    # Matches ------------------------------------------------------------------------------------

    async def sit(self, match_id: str, token: str, person: int) -> str:
        """Take up an invitation. Where somebody could know the rolls beforehand, the dice are drawn anew first."""
        room = await self.room(match_id)
        side = await self.house.store.write(Ledger.sit, match_id, token, person)
        if side is None:
            raise Refused("invite", "this invitation has been used or withdrawn")
        await room.reseat()
        await self._settle_dice(room)
        return side

    async def _settle_dice(self, room: Room) -> None:
        """Where more than one person sits, nobody knows the rolls beforehand: the dice are drawn anew, whatever else
        happens to the match meanwhile and whoever died while doing so."""
        while room.match.kept.known and not room.match.over and not room.gone:
            if len({seat.person for seat in room.match.seats if seat.person is not None}) < 2:
                return
            try:
                await self._draw_anew(room)
            except Refused as problem:
                if problem.code != "stale":
                    raise

    async def _draw_anew(self, room: Room) -> None:
        async with room.alone() as match:
            document, seed = match.position.document(), secrets.token_bytes(32)
            await self.house.store.write(Ledger.reseed, room.id, match.version, seed, document)
        await room.refresh()
        text = "Somebody sat down: the dice are drawn anew, and the record begins here."
        await self.house.store.write(Ledger.say, room.id, f"say-{secrets.token_hex(8)}", "Ladoga", text)

    async def invite(self, match_id: str, side: str, person: int) -> str:
        """A fresh invitation to a free seat, from somebody who plays; any earlier one stops working."""
        room = await self.room(match_id)
        free = any(seat.side == side and not seat.player and seat.person is None for seat in room.match.seats)
        if not free or not room.sides_of(person):
            raise Refused("seat", "that seat is not yours to give away")
        token = secrets.token_urlsafe(18)
        await self.house.store.write(Ledger.invite, match_id, side, token)
        return token

    async def call(self, person: int, name: str) -> None:
        """Give a person a name; the tables they sit at show it at once."""
        for match_id in await self.house.store.write(Ledger.call, person, name):
            room = self.rooms.get(match_id)
            if room is not None:
                await room.reseat()

    async def forget(self, match_id: str, person: int) -> None:
        """Throw a match away: only what is a person's own, with nobody else at the table."""
        room = await self.room(match_id)
        if not room.sides_of(person):
            raise Refused("seat", "that match is not yours")
        if any(seat.person not in (None, person) for seat in room.match.seats):
            raise Refused("seat", "somebody else plays there too; it is not yours alone to throw away")
        async with room.alone():
            await self.house.store.write(Ledger.forget, match_id)
            room.leave_for_good()
        self.rooms.pop(match_id, None)
        self._lately.pop(match_id, None)

    async def mine(self, person: int) -> list[dict[str, Any]]:
        """A person's matches for the home page."""
        listed = []
        for kept in (await self.house.store.read(Ledger.matches_of, person))[:60]:
            if kept.ended is not None and kept.id not in self.rooms:
                listed.append(await finished(self.house, kept, person))
                continue
            try:
                room = await self.room(kept.id)
            except Refused:  # thrown away meanwhile
                continue
            except LadogaError:
                log.warning("match %s does not replay with this edition", kept.id)
                continue
            except Damaged as problem:
                log.error("match %s cannot be read: %s", kept.id, problem)
                continue
            listed.append(summary(room.match, person))
        return listed

    async def add(
        self, kept: Kept, seats: list[tuple[str, str, int | None, str]], events: list[tuple[str, str]]
    ) -> str:
        """Keep a new match."""
        try:
            await self.house.store.write(Ledger.create, kept, seats, events)
        except Doubled:
            log.warning("match %s was made twice", kept.id)
        return kept.id
