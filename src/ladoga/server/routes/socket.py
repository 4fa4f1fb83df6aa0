"""The socket of a table: what a browser says there, and what it gets for an answer."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, suppress
from typing import Any

import msgspec
from fastapi import APIRouter, WebSocket
from starlette.websockets import WebSocketDisconnect, WebSocketState

from ...kernel.errors import LadogaError
from .. import dealings, showing, wire
from ..company import Watcher
from ..deeds import Safe, unheard
from ..desk import Visit
from ..limits import FRAME, Bucket
from ..logs import about
from ..match import Match, audience_of
from ..metrics import Metrics
from ..moment import joined, logged
from ..people import WELL_FORMED, Known
from ..refused import Refused
from ..room import LONG, Room
from ..shapes import LogEntry
from ..store import Unwritable

log = logging.getLogger("ladoga.server")

router = APIRouter()

STRIKES = 200
"""So many messages too many, or malformed, and the line is cut."""
OF_A_PERSON = 30
"""Sockets that one person may have."""

DEEDS = (
    wire.Give, wire.Undo, wire.Say, wire.Bookmark, wire.Resign, wire.Peace, wire.AskBack, wire.AnswerBack, wire.Ready,
    wire.Pace, wire.Now, wire.Point,
)  # fmt: skip
"""What changes something, and may have to wait for the store; anything else is a question."""

_open: Counter[str] = Counter()


@router.websocket("/ws/{match}")
async def socket(ws: WebSocket, match: str) -> None:
    """Sit at a table until the browser goes."""
    visit = Visit(ws)
    known = await visit.known()
    if known is None and not WELL_FORMED.match(visit.token):
        await ws.close(4403)
        return
    if _open[visit.token] >= OF_A_PERSON:
        await ws.close(4429)
        return
    _open[visit.token] += 1
    try:
        with about(match=match), suppress(WebSocketDisconnect):  # the browser may go at any time
            await _sit(visit, ws, match)
    finally:
        _open[visit.token] -= 1
        if not _open[visit.token]:
            del _open[visit.token]


async def _sit(visit: Visit, ws: WebSocket, match: str) -> None:
    try:
        await ws.accept()
        known = await visit.known()
        room = await visit.lobby.room(match)
        person, device = (known.person, known.device) if known else (None, 0)
        watcher = await room.join(person, device)
    except (Refused, LadogaError, Unwritable) as problem:
        code = "disk" if isinstance(problem, Unwritable) else getattr(problem, "code", "bad")
        await ws.send_text(wire.packed(t="error", code=code, message=str(problem)).decode())
        await ws.close(4404)
        return
    speaker = Speaker(ws, watcher, lambda: visit.desk.telling.one(visit.address))
    sending = asyncio.create_task(speaker.run())
    try:
        if known is not None and await _let_go(visit, known):
            watcher.dismiss()
        await _listen(visit, ws, room, watcher, speaker)
    finally:
        room.leave(watcher)
        sending.cancel()
        await asyncio.wait([sending])


async def _let_go(visit: Visit, known: Known) -> bool:
    """Whether the device that somebody came with was let go before they sat down."""
    try:
        return await visit.known() != known
    except Unwritable:
        return True


class Speaker:
    """Sends a watcher what waits for them, in order: when it comes, and at once where they wait for an answer. Whoever
    only watches waits for their ``turn``: however many look at a table, everybody else is heard in between."""

    def __init__(self, ws: WebSocket, watcher: Watcher, turn: Callable[[], AbstractAsyncContextManager[None]]) -> None:
        self._ws = ws
        self._watcher = watcher
        self._turn = turn
        self._lock = asyncio.Lock()

    async def run(self) -> None:
        """Send until the browser is gone or too far behind."""
        with suppress(WebSocketDisconnect, RuntimeError):  # the line was closed at the other end, or at this one
            while not self._watcher.let_go:
                await self._watcher.called()
                if not self._watcher.sides:
                    async with self._turn():
                        pass  # the next need not wait until this browser takes what it is sent
                await self.send()
            await self._ws.close(4408)

    async def send(self) -> None:
        """Send all that waits now."""
        waiting = self._watcher.waiting
        async with self._lock:
            while waiting:
                message = self._watcher.take()
                try:
                    await self._ws.send({"type": "websocket.send", "said": message, "more": bool(waiting)})
                except RuntimeError:  # the line was closed from this side
                    raise WebSocketDisconnect(1006) from None


async def _heard(ws: WebSocket) -> str | None:
    """What the browser says; nothing but text of a fair length is listened to."""
    message = await ws.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code") or 1005)
    text: str | None = message.get("text")
    if text is None or len(text) > FRAME:
        await ws.close(1003 if text is None else 1009)
        return None
    return text


async def _listen(visit: Visit, ws: WebSocket, room: Room, watcher: Watcher, speaker: Speaker) -> None:
    """Answer one message after another until the browser goes, or asks for too much."""
    bucket = Bucket(size=100, rate=40)
    strikes = 0
    metrics = visit.house.metrics
    while ws.application_state == WebSocketState.CONNECTED:
        if strikes > STRIKES:
            await ws.close(4429)
            return
        text = await _heard(ws)
        if text is None:
            return
        try:
            said = wire.decoder.decode(text)
        except (msgspec.DecodeError, RecursionError) as problem:
            watcher.tell(wire.packed(t="error", code="form", message=str(problem)))
            strikes += 1
            continue
        kind = type(said).__name__.lower()
        answer = Answer(watcher, said, metrics)
        try:
            if not bucket.take():
                strikes += 1
                raise Refused("flood", "too many messages; wait a little")
            if isinstance(said, wire.Say) and not visit.desk.talk.take(visit.address):
                raise Refused("flood", "that is a lot to say at once; wait a moment")
            metrics.count("answers", "kind", kind)
            turns = visit.desk.deeds if isinstance(said, DEEDS) else visit.desk.questions
            async with turns.one(visit.address):
                reply = await answered(room, watcher, said, answer.safe)
        except Refused as problem:
            metrics.count("refusals", "code", problem.code)
            reply = {"ok": False, "code": problem.code, "message": problem.message, "case": problem.case}
        except LadogaError as problem:
            reply = {"ok": False, "code": "bad", "message": str(problem), "case": ""}
        except Unwritable:
            reply = {"ok": False, "code": "disk", "message": "the store cannot be reached; try again", "case": ""}
        except Exception:
            log.exception("could not answer %s", kind)
            reply = {"ok": False, "code": "server", "message": "the server failed; nothing is lost", "case": ""}
        answer.tell(reply)
        await speaker.send()


class Answer:
    """The answer to one message, given once. What is safe is acknowledged at once, whatever becomes of showing it."""

    def __init__(self, watcher: Watcher, said: wire.Said, metrics: Metrics) -> None:
        self._watcher, self._said, self._metrics = watcher, said, metrics
        self._began, self._told = time.perf_counter(), False

    def tell(self, reply: dict[str, Any]) -> None:
        """Answer, unless that has happened."""
        if self._told:
            return
        self._told = True
        self._watcher.tell(wire.packed(t="reply", id=self._said.id, **reply))
        kind = "answer" if isinstance(self._said, wire.Give) else "question"
        self._metrics.took(kind, time.perf_counter() - self._began)

    def safe(self, version: int) -> None:
        """What was asked for is on the disk."""
        self.tell({"ok": True, "version": version})


async def answered(room: Room, watcher: Watcher, said: wire.Said, safe: Safe = unheard) -> dict[str, Any]:
    """What a message gets for an answer: deeds first, questions after."""
    match said:
        case wire.Give():
            return await room.give(watcher, said.action, said.version, said.text, safe)
        case wire.Undo():
            return await room.undo(watcher, said.action, said.version, said.to, safe)
        case wire.Say():
            return await dealings.say(room, watcher, said.text)
        case wire.Bookmark():
            return await dealings.bookmark(room, watcher, said.n, said.label)
        case wire.Resign():
            return await dealings.resign(room, watcher)
        case wire.Peace():
            return await dealings.peace(room, watcher, said.offer)
        case wire.AskBack():
            return await dealings.ask_back(room, watcher, said.to)
        case wire.AnswerBack():
            return await dealings.answer_back(room, watcher, said.action, said.accept)
        case wire.Ready():
            if said.side in watcher.sides:
                watcher.ready = said.side
                room.show()
            return {"ok": True}
        case wire.Pace():
            return _set_pace(room, watcher, said.wait / 1000)
        case wire.Now():
            return _move_now(room, watcher)
        case wire.Point():
            return _pointed(room, watcher, said.hex)
        case wire.Log():
            return {"ok": True, "log": await _log(room, watcher, said.n)}
        case wire.Layer():
            if watcher.limit is not None:
                raise Refused("late", "this is not shown to those who watch later than it happens")
            return {"ok": True, "layer": await _layer(room.match, audience_of(room.match, watcher.sides), said.kind)}
        case wire.Of():
            view = room.match.view(audience_of(room.match, watcher.sides), watcher.limit)
            return {"ok": True, **await room.house.work.through(showing.choosing(view, said.units))}
        case wire.At():
            match = room.match
            last = min(said.n, len(match.orders) if watcher.limit is None else watcher.limit)
            steps = showing.looking_back(match, audience_of(match, watcher.sides), last)
            return {"ok": True, "state": await room.house.work.through(steps)}
    return _told(room.match, watcher, said)


def _told(match: Match, watcher: Watcher, said: wire.Said) -> dict[str, Any]:
    """What a question gets for an answer."""
    eyes = audience_of(match, watcher.sides)
    view = match.view(eyes, watcher.limit)
    match said:
        case wire.Why():
            told = showing.why(view, said.text) if said.text else showing.why_there(view, said.units, said.hex)
            return {"ok": True, **told}
        case wire.Explain():
            attackers = joined(match) if watcher.limit is None else ()
            return {"ok": True, "explanation": showing.explained(view, said.text, attackers)}
        case wire.Hex():
            return {"ok": True, "facts": showing.hex_facts(view, said.hex)}
    raise Refused("form", "nobody answers to that")


async def _layer(match: Match, eyes: str, kind: str) -> dict[str, Any]:
    """An overlay of the map, worked out once for what somebody sees now, beside everything else."""
    known = match.view(eyes).layers
    if kind in known:
        return known[kind]
    found = await asyncio.to_thread(showing.layer, match, eyes, kind)
    if found and match.view(eyes).layers is known:
        known[kind] = found
    return found


async def _log(room: Room, watcher: Watcher, n: int) -> list[LogEntry]:
    """The log from the ``n``-th event on; a long one is worked out beside everything else."""
    async with room.lock:
        match = room.match
        eyes = audience_of(match, watcher.sides)
        if match.unlogged(eyes) > LONG:
            log = await asyncio.to_thread(logged, match, eyes, n)
        else:
            log = logged(match, eyes, n)
    return log if watcher.limit is None else [entry for entry in log if entry["n"] <= watcher.limit]


def _set_pace(room: Room, watcher: Watcher, wait: float) -> dict[str, Any]:
    """Whoever plays sets the pace of the computer; where nobody does, whoever watches."""
    if not watcher.sides and any(seat.person is not None for seat in room.match.seats):
        raise Refused("turn", "you are watching this match")
    room.computer.set_pace(wait)
    room.note("pace", wait=wait)
    return {"ok": True}


def _move_now(room: Room, watcher: Watcher) -> dict[str, Any]:
    """Whoever plays may have the computer make up its mind."""
    if not watcher.sides:
        raise Refused("turn", "you are watching this match")
    room.computer.move_now()
    room.note("now")
    return {"ok": True}


def _pointed(room: Room, watcher: Watcher, hex_: str) -> dict[str, Any]:
    """Show the others a hex of the map, and nothing else."""
    if hex_ not in room.match.position.map.grid:
        raise Refused("unknown", "there is no such hex")
    if not watcher.sides:
        raise Refused("turn", "you are watching this match")
    room.company.tell(wire.packed(t="point", hex=hex_), but=watcher)
    room.note("point", hex=hex_)
    return {"ok": True}
