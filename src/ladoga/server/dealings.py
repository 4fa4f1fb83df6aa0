"""What people at a table settle with one another: resigning, peace, taking back more than is free; and talk."""

from __future__ import annotations

import secrets
from typing import Any

from . import clock
from .company import Watcher
from .deeds import end, retract
from .match import audience_of
from .refused import Refused
from .room import Room
from .store import Ledger
from .wire import packed


async def resign(room: Room, watcher: Watcher) -> dict[str, Any]:
    """Give the game up."""
    async with room.alone() as match:
        if match.over or not watcher.sides:
            raise Refused("over", "there is nothing to resign")
        loser = audience_of(match, watcher.sides)
        winner = next(side for side in match.game.sides if side != loser)
        outcome = match.position.standing.as_json()
        await end(room, {**outcome, "winner": winner, "level": "by resignation", "by": loser})
    return {"ok": True}


async def adjudicate(room: Room) -> bool:
    """End a match in which a side's time has run out; whether it has."""
    async with room.alone() as match:
        loser = clock.fallen(match.kept.clock, room.house.store.time())
        if match.over or not loser:
            return False
        winner = next(side for side in match.game.sides if side != loser)
        outcome = match.position.standing.as_json()
        await end(room, {**outcome, "winner": winner, "level": "on time", "by": loser})
    return True


async def peace(room: Room, watcher: Watcher, offer: bool) -> dict[str, Any]:
    """Offer to end the game as it stands, accept, or withdraw; the computer accepts when it is ahead, and says at once
    if it does not."""
    async with room.alone() as match:
        if match.over or not watcher.sides:
            raise Refused("over", "there is nothing to end")
        standing = match.position.standing
        computers = {seat.side for seat in match.seats if seat.player}
        if offer and computers - {standing.winner}:
            raise Refused("declined", "the computer is not ahead, and plays on")
        agreeing = computers.union(watcher.sides)

        def change(offers: dict[str, Any]) -> dict[str, Any]:
            held = set(offers.get("peace", ()))
            held = held | agreeing if offer else held - set(watcher.sides)
            return {**offers, "peace": sorted(held)}

        offers = await room.house.store.write(Ledger.offer, room.id, match.version, change)
        match.kept = match.kept._replace(offers=offers)
        if match.peace >= set(match.game.sides):
            await end(room, {**standing.as_json(), "agreed": True})
        else:
            room.show()
    return {"ok": True, "over": room.match.over}


async def ask_back(room: Room, watcher: Watcher, to: int) -> dict[str, Any]:
    """Ask the other side to let orders be taken back until ``to`` events are left, or withdraw that."""
    async with room.alone() as match:
        if match.over or not watcher.sides:
            raise Refused("over", "there is nothing to take back")
        if not 0 <= to < len(match.orders):
            raise Refused("undo", "that far back it cannot be taken back")
        mine = audience_of(match, watcher.sides)
        others = [seat for seat in match.seats if seat.side not in watcher.sides]
        if any(seat.player for seat in others):
            raise Refused("undo", "the computer takes nothing back")
        asked = {"side": mine, "to": to}
        offers = await room.house.store.write(
            Ledger.offer, room.id, match.version, lambda offers: {**offers, "undo": asked}
        )
        match.kept = match.kept._replace(offers=offers)
        room.show()
    return {"ok": True}


async def answer_back(room: Room, watcher: Watcher, action: str, accept: bool) -> dict[str, Any]:
    """Let the other side take back what it asked for, or not; whoever asked may withdraw."""
    async with room.alone() as match:
        asked = match.kept.offers.get("undo")
        if asked is None or not watcher.sides or match.over:
            raise Refused("undo", "nobody asks to take anything back")
        if accept and asked["side"] in watcher.sides and len(watcher.sides) < len(match.game.sides):
            raise Refused("undo", "the other side has to agree")
        if accept:
            await retract(room, action, int(asked["to"]), asked)
        else:
            offers = await room.house.store.write(
                Ledger.offer, room.id, match.version, lambda offers: {k: v for k, v in offers.items() if k != "undo"}
            )
            match.kept = match.kept._replace(offers=offers)
            room.show()
    return {"ok": True, "version": room.match.version}


async def say(room: Room, watcher: Watcher, text: str) -> dict[str, Any]:
    """Say something at the table."""
    if not text.strip():
        raise Refused("empty", "nothing was said")
    store = room.house.store
    name = "" if watcher.person is None else await store.read(Ledger.name, watcher.person)
    who = "/".join(side.capitalize() for side in watcher.sides) or "Watching"
    author = f"{name} ({who})" if name else who
    async with room.alone():
        line = await store.write(Ledger.say, room.id, f"say-{secrets.token_hex(8)}", author, text.strip())
    room.company.tell(packed(t="talk", line=line._asdict()))
    return {"ok": True}


async def bookmark(room: Room, watcher: Watcher, n: int, label: str) -> dict[str, Any]:
    """Set a bookmark, or take it away with an empty label."""
    if watcher.person is None:
        raise Refused("stranger", "open the front page first")
    store = room.house.store
    async with room.alone() as match:
        if n > (len(match.orders) if watcher.limit is None else watcher.limit):
            raise Refused("unknown", "nothing has happened there yet")
        await store.write(Ledger.bookmark, room.id, watcher.person, n, label)
        kept = await store.read(Ledger.bookmarks, room.id, watcher.person)
    return {"ok": True, "bookmarks": kept}
