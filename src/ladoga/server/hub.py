"""The hub: every match that is being played, who is connected, and the order in which things happen.

One lock a match. Under it an order is checked by the rules, stored, and only then shown: nobody
ever sees an event that a crash could take back.
"""

from __future__ import annotations

import asyncio
import json
import logging
import random
import secrets
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from .. import __version__
from ..kernel.data import read_text
from ..kernel.errors import BadDocument, Illegal, LadogaError
from ..kernel.game import Game, Overlay, game_ids, load_game
from ..kernel.orders import Order
from ..kernel.record import MAGIC, Record
from ..players import Player
from . import showing
from .match import Match, audience_of, refusal
from .opponents import levels, player
from .store import Behind, Doubled, Kept, Seat, Store, hashed
from .wire import packed

log = logging.getLogger("ladoga.server")

OPEN_SEAT = "open"
OWN_SEAT = "me"
KEPT_MATCHES = 400
"""How many matches stay in memory when nobody looks at them."""
KEPT_CORRECTED = 24
"""How many games with corrections stay loaded."""


class Refused(Exception):
    """Something asked for that cannot be had; ``code`` is for programs, the message for people."""

    def __init__(self, code: str, message: str, case: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.case = case


class Watcher:
    """Somebody connected to a match: messages for them wait in a queue of bounded length."""

    def __init__(self, person: int, sides: list[str]) -> None:
        self.person = person
        self.sides = sides
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue(maxsize=256)
        self.ready = ""
        """The side whose view may be shown at a shared screen."""

    def tell(self, message: bytes) -> None:
        """Queue a message; a browser too slow to keep up is let go and will come back for a fresh state."""
        try:
            self.queue.put_nowait(message)
        except asyncio.QueueFull:
            with suppress(asyncio.QueueEmpty):
                self.queue.get_nowait()
            self.queue.put_nowait(None)


class Room:
    """A match with its lock, its watchers and the computer that may be thinking at it."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.lock = asyncio.Lock()
        self.gone = False
        """Whether the match has been thrown away."""
        self.watchers: set[Watcher] = set()
        self.thinking: asyncio.Task[None] | None = None
        self.since = 0.0
        self.wait = 0.6
        self.hurry = asyncio.Event()
        self.players: dict[str, Player] = {}


class Hub:
    """All matches of a server."""

    def __init__(self, store: Store, data: Path | None = None, data_game: str | None = None) -> None:
        self.store = store
        self._data = data
        self._data_game = data_game
        self._rooms: WeakValueDictionary[str, Room] = WeakValueDictionary()
        """Every room that anybody has: there are never two of one match."""
        self._lately: OrderedDict[str, Room] = OrderedDict()
        """Rooms that stay although nobody has them."""
        self._corrected: OrderedDict[tuple[str, str], Game] = OrderedDict()
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="store")
        self._thinkers = ThreadPoolExecutor(2, thread_name_prefix="player")

    def close(self) -> None:
        """Stop thinking and writing."""
        for room in self._rooms.values():
            if room.thinking is not None:
                room.thinking.cancel()
        self._thinkers.shutdown(wait=False, cancel_futures=True)
        self._writer.shutdown(wait=True)
        self.store.close()

    async def _store(self, method: Any, *values: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._writer, method, *values)

    # Games ------------------------------------------------------------------------------------

    def games(self) -> list[str]:
        """The ids of the games that can be played."""
        return game_ids()

    def game(self, game_id: str, overlay: Mapping[str, Any] | None = None) -> Game:
        """A game, with the given corrections, or else those the server was started with."""
        if overlay is not None:
            key = json.dumps(overlay, sort_keys=True)
            return self._loaded(game_id, key, overlay) if overlay else load_game(game_id)
        if self._data is not None:
            own = self._data / game_id
            if own.is_dir():
                return self._loaded(game_id, str(own), own)
            if game_id == self._data_game:
                return self._loaded(game_id, str(self._data), self._data)
        return load_game(game_id)

    def _loaded(self, game_id: str, key: str, overlay: Overlay) -> Game:
        """A corrected game; the last few stay loaded."""
        if (game_id, key) not in self._corrected:
            self._corrected[game_id, key] = load_game(game_id, overlay)
        self._corrected.move_to_end((game_id, key))
        while len(self._corrected) > KEPT_CORRECTED:
            self._corrected.popitem(last=False)
        return self._corrected[game_id, key]

    # Starting matches -------------------------------------------------------------------------

    async def create(
        self, person: int, game_id: str, seats: Mapping[str, str], scenario: str = "",
        options: Mapping[str, Any] | None = None, position: dict[str, Any] | None = None, kind: str = "match",
        overlay: Mapping[str, Any] | None = None,
    ) -> tuple[str, dict[str, str]]:  # fmt: skip
        """A new match; its id, and the invitations to its open seats."""
        game = self.game(game_id, overlay)
        for side in game.sides:
            who = seats.get(side, OPEN_SEAT)
            if who not in (OWN_SEAT, OPEN_SEAT, *levels()):
                raise Refused("seat", f"nobody is called {who!r}")
        if set(seats) - set(game.sides):
            raise Refused("seat", f"sides are: {', '.join(game.sides)}")
        if position is None:
            scenario, settled = game.settled(scenario or None, options)
        else:
            first = game.position(position)
            scenario, settled = first.scenario, dict(first.options)
        kept = Kept(
            secrets.token_urlsafe(9), game.id, kind, scenario, settled, position,
            secrets.token_bytes(32), __version__, time.time(), None, dict(game.overlay),
        )  # fmt: skip
        return kept.id, await self._begin(kept, game, seats, person)

    async def _begin(
        self, kept: Kept, game: Game, seats: Mapping[str, str], person: int, record: Record | None = None
    ) -> dict[str, str]:
        events = await asyncio.to_thread(_first_events, kept, game, record)
        invites: dict[str, str] = {}
        rows: list[tuple[str, str, int | None, str]] = []
        for side in game.sides:
            who = seats.get(side, OPEN_SEAT)
            if who == OPEN_SEAT:
                invites[side] = secrets.token_urlsafe(18)
                rows.append((side, "", None, hashed(invites[side])))
            else:
                rows.append((side, "" if who == OWN_SEAT else who, person if who == OWN_SEAT else None, ""))
        await self._store(self.store.create, kept, rows, events)
        return invites

    async def open(self, person: int, text: str, seats: Mapping[str, str], *, trusted: bool = False) -> str:
        """A match from a record or a position document. A record may bring corrections of the map along;
        those of other files only from somebody who is trusted."""
        if text.lstrip().startswith(MAGIC):
            record = Record.parse(text.lstrip())
            overlay = record.header.overlay
            if not trusted and set(overlay) - {"map.yaml"}:
                raise Refused("overlay", "this record changes more of the game than its map; it opens with ladoga play")
            game = self.game(record.header.game, overlay or None)
            last = await asyncio.to_thread(record.check, game)
            header = record.header
            over = last.outcome.as_json() if last.outcome else None
            first = record.start(game)
            scenario, options = first.scenario, dict(first.options)
            seed = bytes.fromhex(header.seed) if header.seed else secrets.token_bytes(32)
            kept = Kept(
                secrets.token_urlsafe(9), game.id, "study", scenario, options, header.position,
                seed, header.engine, time.time(), over, dict(game.overlay),
            )  # fmt: skip
            await self._begin(kept, game, seats or dict.fromkeys(game.sides, OWN_SEAT), person, record)
            return kept.id
        document = read_text(text, error=BadDocument)
        if not isinstance(document, dict) or not isinstance(document.get("game"), str):
            raise BadDocument("this is neither a record nor a position document: it names no game")
        game = self.game(document["game"])
        match, _ = await self.create(
            person, game.id, seats or dict.fromkeys(game.sides, OWN_SEAT), position=document, kind="study"
        )
        return match

    async def what_if(self, person: int, match_id: str, n: int) -> str:
        """A board of one's own, from what the person could know after ``n`` events."""
        room = await self.room(match_id)
        match = room.match
        audience = audience_of(match, self.sides_of(match, person))
        imagined = match.view(audience, n).imagine(random.Random(secrets.token_bytes(16)))
        seats = dict.fromkeys(match.game.sides, OWN_SEAT)
        created, _ = await self.create(
            person, match.game.id, seats, position=imagined.document(), kind="study", overlay=match.game.overlay
        )
        return created

    # Rooms ------------------------------------------------------------------------------------

    async def room(self, match_id: str) -> Room:
        """The room of a match, loaded from the store if nobody has been there lately."""
        room = self._rooms.get(match_id)
        if room is None:
            kept = await self._store(self.store.match, match_id)
            if kept is None:
                raise Refused("unknown", "there is no such match")
            events = await self._store(self.store.events, match_id)
            seats = await self._store(self.store.seats, match_id)
            match = await asyncio.to_thread(Match, kept, self.game(kept.game, kept.overlay), events, seats)
            room = self._rooms.setdefault(match_id, Room(match))
        self._lately[match_id] = room
        self._lately.move_to_end(match_id)
        while len(self._lately) > KEPT_MATCHES:
            self._lately.popitem(last=False)
        self._wake(room)
        return room

    async def ground(self, match_id: str) -> list[str]:
        """The game whose map lies on the table of a match and the map's boards, without opening the match; nothing
        if the match brings a map of its own."""
        kept = await self._store(self.store.match, match_id)
        if kept is None or "map" in (kept.position or {}):
            return []
        game_map = self.game(kept.game).map
        if self.game(kept.game, kept.overlay).map is not game_map:
            return []
        return [kept.game, *(board.name for board in game_map.grid.boards)]

    @asynccontextmanager
    async def _alone(self, room: Room) -> AsyncIterator[Match]:
        """A match that nobody else touches meanwhile, unless it has been thrown away. If another process has
        changed it since, it is read again and shown, and what was asked for is refused."""
        async with room.lock:
            if room.gone:
                raise Refused("unknown", "this match was thrown away")
            try:
                yield room.match
            except Behind:
                await self._read_again(room)
                raise Refused("stale", "the table has changed since; look again") from None

    async def _read_again(self, room: Room) -> None:
        match = room.match
        kept = await self._store(self.store.match, match.kept.id)
        if kept is None:
            room.gone = True
            raise Refused("unknown", "this match was thrown away")
        match.catch_up(kept, *await self._store(self.store.later, kept.id, match.seqs[-1] if match.seqs else 0))
        match.chairs = await self._store(self.store.seats, kept.id)
        self._usher(room)
        self.show(room)

    @staticmethod
    def sides_of(match: Match, person: int) -> list[str]:
        """The sides a person plays."""
        return [seat.side for seat in match.seats if seat.person == person]

    async def sit(self, match_id: str, token: str, person: int) -> str:
        """Take up an invitation."""
        side = await self._store(self.store.sit, match_id, token, person)
        if side is None:
            raise Refused("invite", "this invitation has been used or withdrawn")
        await self.reseat(match_id)
        return str(side)

    async def invite(self, match_id: str, side: str, person: int) -> str:
        """A fresh invitation to a free seat, from somebody who plays; any earlier one stops working."""
        match = (await self.room(match_id)).match
        free = any(seat.side == side and not seat.player and seat.person is None for seat in match.seats)
        if not free or not self.sides_of(match, person):
            raise Refused("seat", "that seat is not yours to give away")
        return str(await self._store(self.store.invite, match_id, side))

    async def call(self, person: int, name: str) -> None:
        """Give a person a name; the tables they sit at show it at once."""
        await self._store(self.store.call, person, name)
        for match_id, room in list(self._rooms.items()):
            if self.sides_of(room.match, person):
                await self.reseat(match_id)

    async def forget(self, match_id: str, person: int) -> None:
        """Throw a match away: only what is a person's own, with nobody else at the table."""
        room = await self.room(match_id)
        if not self.sides_of(room.match, person):
            raise Refused("seat", "that match is not yours")
        if any(seat.person not in (None, person) for seat in room.match.seats):
            raise Refused("seat", "somebody else plays there too; it is not yours alone to throw away")
        async with self._alone(room):
            if room.thinking is not None:
                room.thinking.cancel()
            await self._store(self.store.forget, match_id)
            room.gone = True
            self._rooms.pop(match_id, None)
            self._lately.pop(match_id, None)
            for watcher in list(room.watchers):
                watcher.tell(packed(t="error", code="unknown", message="this match was thrown away"))

    async def reseat(self, match_id: str) -> None:
        """Read the seats again and tell everybody."""
        room = await self.room(match_id)
        room.match.chairs = await self._store(self.store.seats, match_id)
        self._usher(room)
        self.show(room)

    def _usher(self, room: Room) -> None:
        """Everybody looks from where they sit now; the computer starts afresh on a side that is new to it."""
        for watcher in room.watchers:
            watcher.sides = self.sides_of(room.match, watcher.person)
        seated = {seat.side: seat.player for seat in room.match.seats}
        room.players = {side: player for side, player in room.players.items() if player.name == seated.get(side)}

    # Watching ---------------------------------------------------------------------------------

    async def join(self, match_id: str, person: int) -> tuple[Room, Watcher]:
        """Come to the table."""
        room = await self.room(match_id)
        watcher = Watcher(person, self.sides_of(room.match, person))
        room.watchers.add(watcher)
        bookmarks = await self._store(self.store.bookmarks, match_id, person)
        talk = await self._store(self.store.talk, match_id)
        kept = room.match.kept
        watcher.tell(
            packed(
                t="welcome", match=match_id, game=showing.about(room.match.game), kind=kept.kind, begun=kept.begun,
                scenario=kept.scenario, options=kept.options, commitment=room.match.dice.commitment,
                own_map=room.match.position.map is not self.game(kept.game).map,
                bookmarks=bookmarks, talk=[line._asdict() for line in talk],
            )
        )  # fmt: skip
        self.show(room)
        return room, watcher

    def leave(self, room: Room, watcher: Watcher) -> None:
        """Go away from the table."""
        room.watchers.discard(watcher)
        if room.watchers:
            self.show_people(room)

    def show(self, room: Room) -> None:
        """Send everybody the table as they may see it."""
        match = room.match
        messages: dict[tuple[str, bool], bytes] = {}
        secret: bool | None = None
        for watcher in room.watchers:
            audience = audience_of(match, watcher.sides)
            curtain = False
            if len(watcher.sides) > 1 and watcher.ready != audience and not match.over:
                secret = match.secret() if secret is None else secret
                curtain = secret
                if not secret:
                    watcher.ready = ""
            key = (audience, curtain)
            if key not in messages:
                messages[key] = self._curtain(room, audience) if curtain else self._state(room, audience)
            watcher.tell(messages[key])
        self.show_people(room)

    def _state(self, room: Room, audience: str) -> bytes:
        match = room.match
        undo = match.undoable(audience)
        return packed(
            t="state", undo={"to": undo.to, "text": undo.text, "floor": match.floor},
            over=match.over, peace=sorted(match.peace), seed=match.dice.seed.hex() if match.over else "",
            **showing.state(match, audience),
        )  # fmt: skip

    def _curtain(self, room: Room, audience: str) -> bytes:
        return packed(t="curtain", side=audience, version=room.match.version)

    def show_people(self, room: Room) -> None:
        """Tell everybody who is there and who is thinking."""
        here = {watcher.person for watcher in room.watchers}
        seats = [
            {
                "side": seat.side, "player": seat.player, "name": seat.name, "here": seat.person in here,
                "taken": bool(seat.player) or seat.person is not None, "invited": seat.invited,
            }
            for seat in room.match.seats
        ]  # fmt: skip
        watching = sum(1 for watcher in room.watchers if not watcher.sides)
        thinking = room.match.to_move if room.thinking is not None else None
        for watcher in room.watchers:
            you = watcher.sides
            watcher.tell(
                packed(t="people", seats=seats, watching=watching, thinking=thinking, you=you, since=room.since)
            )

    # Orders -----------------------------------------------------------------------------------

    async def give(self, room: Room, watcher: Watcher, action: str, version: int, text: str) -> dict[str, Any]:
        """Play an order somebody gives. Stored first, shown afterwards."""
        async with self._alone(room) as match:
            if await self._store(self.store.done, match.kept.id, action):
                return {"ok": True, "again": True}
            mover = self._on_move(match, watcher)
            if version != match.version:
                raise Refused("stale", "the table has changed since; look again")
            try:
                view = match.view(mover)
                order = match.game.parse(text)
                why_not = view.why_not(order)
                if why_not is not None:
                    raise Illegal(*why_not)
                await self._play(room, action, order)
            except Doubled:
                return {"ok": True, "again": True}
            except LadogaError as problem:
                told = refusal(problem)
                raise Refused("illegal", told["message"], told["case"]) from None
        self._wake(room)
        return {"ok": True, "version": room.match.version}

    @staticmethod
    def _on_move(match: Match, watcher: Watcher) -> str:
        if match.over:
            raise Refused("over", "the game is over")
        mover = match.to_move
        if mover is None or mover not in watcher.sides:
            whom = mover or "nobody"
            raise Refused("turn", f"{whom} is to move" if watcher.sides else "you are watching this match")
        return mover

    async def _play(self, room: Room, action: str, order: Order) -> None:
        match = room.match
        steps = match.following(order)
        events = [(step.mover, str(step.order)) for step in steps]
        last = steps[-1].position
        outcome = None if last.outcome is None else {**last.outcome.as_json(), "seats": dict(last.seats)}
        seqs = await self._store(self.store.add, match.kept.id, action, match.version, events, outcome)
        before = dict(match.position.seats)
        match.advance(steps, seqs)
        if match.position.seats != before:
            self._usher(room)
        if outcome is not None:
            match.kept = match.kept._replace(ended=outcome)
        self.show(room)

    async def _end(self, room: Room, outcome: dict[str, Any]) -> None:
        outcome = {**outcome, "seats": dict(room.match.position.seats)}
        await self._store(self.store.end, room.match.kept.id, room.match.version, outcome)
        room.match.kept = room.match.kept._replace(ended=outcome)
        room.match.version += 1

    async def undo(self, room: Room, watcher: Watcher, action: str, version: int, to: int) -> dict[str, Any]:
        """Take orders back."""
        async with self._alone(room) as match:
            if await self._store(self.store.done, match.kept.id, action):
                return {"ok": True, "again": True}
            if match.kept.kind != "study" or not watcher.sides:
                self._on_move(match, watcher)
            if version != match.version:
                raise Refused("stale", "the table has changed since; look again")
            allowed = match.undoable(match.to_move or "")
            if allowed.to is None:
                raise Refused("undo", f"cannot be taken back: {allowed.text}")
            lowest = 0 if match.kept.kind == "study" else match.floor
            if not lowest <= to < len(match.orders):
                raise Refused("undo", "that far back it cannot be taken back")
            await self._store(self.store.undo, match.kept.id, action, match.version, match.seqs[to])
            match.retract(to)
            self._usher(room)
            self.show(room)
        return {"ok": True, "version": room.match.version}

    async def resign(self, room: Room, watcher: Watcher) -> dict[str, Any]:
        """Give the game up."""
        async with self._alone(room) as match:
            if match.over or not watcher.sides:
                raise Refused("over", "there is nothing to resign")
            loser = audience_of(match, watcher.sides)
            winner = next(side for side in match.game.sides if side != loser)
            outcome = match.position.standing.as_json()
            await self._end(room, {**outcome, "winner": winner, "level": "by resignation", "by": loser})
            self.show(room)
        return {"ok": True}

    async def peace(self, room: Room, watcher: Watcher, offer: bool) -> dict[str, Any]:
        """Offer to end the game as it stands, accept, or withdraw; the computer accepts when it is ahead."""
        async with self._alone(room) as match:
            if match.over or not watcher.sides:
                raise Refused("over", "there is nothing to end")
            if not offer:
                match.peace -= set(watcher.sides)
            else:
                match.peace |= set(watcher.sides)
                standing = match.position.standing
                match.peace |= {seat.side for seat in match.seats if seat.player and standing.winner == seat.side}
                if match.peace >= set(match.game.sides):
                    await self._end(room, {**standing.as_json(), "agreed": True})
            self.show(room)
        return {"ok": True, "over": room.match.over}

    async def say(self, room: Room, watcher: Watcher, text: str) -> dict[str, Any]:
        """Say something at the table."""
        if not text.strip():
            raise Refused("empty", "nothing was said")
        name = await self._store(self.store.name, watcher.person)
        who = "/".join(side.capitalize() for side in watcher.sides) or "Watching"
        async with self._alone(room) as match:
            line = await self._store(self.store.say, match.kept.id, f"{name} ({who})" if name else who, text.strip())
        message = packed(t="talk", line=line._asdict())
        for other in room.watchers:
            other.tell(message)
        return {"ok": True}

    async def bookmark(self, room: Room, watcher: Watcher, n: int, label: str) -> dict[str, Any]:
        """Set a bookmark, or take it away with an empty label."""
        async with self._alone(room) as match:
            await self._store(self.store.bookmark, match.kept.id, watcher.person, n, label)
            kept = await self._store(self.store.bookmarks, match.kept.id, watcher.person)
        return {"ok": True, "bookmarks": kept}

    # The computer -----------------------------------------------------------------------------

    def _wake(self, room: Room) -> None:
        """Let the computer think if it is to move and not thinking yet."""
        if room.thinking is None and self._computer(room.match) is not None:
            room.since = time.time()
            room.thinking = asyncio.get_running_loop().create_task(self._think(room))
            room.thinking.add_done_callback(lambda task: self._thought(room, task))

    @staticmethod
    def _computer(match: Match) -> str | None:
        return next((seat.player for seat in match.seats if seat.player and seat.side == match.to_move), None)

    def _thought(self, room: Room, task: asyncio.Task[None]) -> None:
        room.thinking = None
        if not task.cancelled() and task.exception() is not None:
            log.error("the computer player failed in %s", room.match.kept.id, exc_info=task.exception())
            for watcher in room.watchers:
                watcher.tell(packed(t="error", code="player", message="the computer player failed; nothing is lost"))
        self.show_people(room)

    async def _think(self, room: Room) -> None:
        self.show_people(room)
        loop = asyncio.get_running_loop()
        match = room.match
        while not room.gone and (name := self._computer(match)) is not None:
            side = match.to_move
            assert side is not None
            rng = random.Random(f"{match.kept.id} {len(match.orders)}")
            began = loop.time()
            if side not in room.players:
                room.players[side] = player(name)
            order = await loop.run_in_executor(self._thinkers, room.players[side].choose, match.view(side), rng)
            await self._pause(room, began)
            with suppress(Refused):
                async with self._alone(room):
                    if match.to_move == side:
                        await self._play(room, f"player-{match.version}-{secrets.token_hex(8)}", order)

    @staticmethod
    async def _pause(room: Room, began: float) -> None:
        """Wait long enough for people to follow, unless they are in a hurry or not looking."""
        left = room.wait - (asyncio.get_running_loop().time() - began)
        if left > 0 and room.watchers:
            room.hurry.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(room.hurry.wait(), left)
        else:
            await asyncio.sleep(0)

    # Lists ------------------------------------------------------------------------------------

    async def mine(self, person: int) -> list[dict[str, Any]]:
        """A person's matches for the home page."""
        listed = []
        for kept in (await self._store(self.store.matches_of, person))[:60]:
            if kept.ended is not None and kept.id not in self._rooms:
                listed.append(await self._finished(kept, person))
                continue
            try:
                match = (await self.room(kept.id)).match
            except LadogaError:
                log.warning("match %s does not replay with this edition", kept.id)
                continue
            listed.append(self.summary(match, person))
        return listed

    async def _finished(self, kept: Kept, person: int) -> dict[str, Any]:
        """A finished match in one line, without playing it through again."""
        chairs = {seat.side: seat for seat in await self._store(self.store.seats, kept.id)}
        where = (kept.ended or {}).get("seats") or {side: side for side in chairs}
        seats = [chairs[chair]._replace(side=side) for side, chair in where.items() if chair in chairs]
        return {
            "id": kept.id, "game": kept.game, "title": self.game(kept.game).title, "kind": kept.kind,
            "begun": kept.begun, "turn": 0, "phase": "", "to_move": None, "over": True, "outcome": kept.ended,
            "events": await self._store(self.store.count, kept.id),
            "you": [seat.side for seat in seats if seat.person == person],
            "seats": [_seat(seat, person) for seat in seats],
        }  # fmt: skip

    def summary(self, match: Match, person: int) -> dict[str, Any]:
        """A match in one line."""
        position, kept = match.position, match.kept
        return {
            "id": kept.id,
            "game": kept.game,
            "title": match.game.title,
            "kind": kept.kind,
            "begun": kept.begun,
            "turn": position.turn,
            "phase": position.phase.title,
            "to_move": match.to_move,
            "over": match.over,
            "outcome": kept.ended,
            "events": len(match.orders),
            "you": self.sides_of(match, person),
            "seats": [_seat(seat, person) for seat in match.seats],
        }


def _first_events(kept: Kept, game: Game, record: Record | None) -> list[tuple[str, str]]:
    """What has happened before anybody can order anything: the record, and the chance that is due after it."""
    recorded: list[tuple[str, str]] = []
    if record is not None:
        recorded = list(zip(record.movers, map(str, record.orders), strict=True))
    match = Match(kept, game, [(n, who, text, 0.0) for n, (who, text) in enumerate(recorded)], [])
    due = [] if match.over else match.following(None)
    return [*recorded, *((step.mover, str(step.order)) for step in due)]


def _seat(seat: Seat, person: int) -> dict[str, Any]:
    return {
        "side": seat.side,
        "player": seat.player,
        "name": "you" if seat.person == person else seat.name,
        "taken": bool(seat.player) or seat.person is not None,
    }
