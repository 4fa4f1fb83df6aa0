"""The socket of a table: what a browser says there, and what it gets for an answer."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Any

import msgspec
from fastapi import APIRouter, WebSocket
from starlette.websockets import WebSocketDisconnect, WebSocketState

from ...kernel.errors import LadogaError
from .. import showing, wire
from ..desk import Visit
from ..hub import Hub, Refused, Room, Watcher
from ..limits import FRAME, Bucket
from ..match import audience_of

log = logging.getLogger("ladoga.server")

router = APIRouter()

STRIKES = 200
"""So many messages too many, or malformed, and the line is cut."""


@router.websocket("/ws/{match}")
async def socket(ws: WebSocket, match: str) -> None:
    """Sit at a table until the browser goes."""
    visit = Visit(ws)
    hub, person = visit.hub, visit.person
    if not visit.known_name or not visit.same_origin or person is None:
        await ws.close(4403)
        return
    try:
        await ws.accept()
        room, watcher = await hub.join(match, person)
    except (Refused, LadogaError) as problem:
        told = wire.packed(t="error", code=getattr(problem, "code", "bad"), message=str(problem))
        await ws.send_text(told.decode())
        await ws.close(4404)
        return
    sending = asyncio.create_task(_send(ws, watcher))
    try:
        await _listen(hub, ws, room, watcher)
    except WebSocketDisconnect:
        pass
    finally:
        hub.leave(room, watcher)
        sending.cancel()
        await asyncio.wait([sending])


async def _send(ws: WebSocket, watcher: Watcher) -> None:
    """Send what waits for a watcher, until the browser is gone or too far behind."""
    with suppress(WebSocketDisconnect, RuntimeError):  # the line was closed at the other end, or at this one
        while (message := await watcher.queue.get()) is not None:
            await ws.send_text(message.decode())
        await ws.close(4408)


async def _listen(hub: Hub, ws: WebSocket, room: Room, watcher: Watcher) -> None:
    """Answer one message after another until the browser goes, or asks for too much."""
    bucket = Bucket(size=100, rate=40)
    strikes = 0
    while ws.application_state == WebSocketState.CONNECTED:
        if strikes > STRIKES:
            await ws.close(4429)
            return
        text = await ws.receive_text()
        if len(text) > FRAME:
            await ws.close(1009)
            return
        try:
            said = wire.decoder.decode(text)
        except msgspec.DecodeError as problem:
            watcher.tell(wire.packed(t="error", code="form", message=str(problem)))
            strikes += 1
            continue
        try:
            if not bucket.take():
                strikes += 1
                raise Refused("flood", "too many messages; wait a little")
            reply = await answered(hub, room, watcher, said)
        except Refused as problem:
            reply = {"ok": False, "code": problem.code, "message": problem.message, "case": problem.case}
        except LadogaError as problem:
            reply = {"ok": False, "code": "bad", "message": str(problem), "case": ""}
        except Exception:
            log.exception("could not answer %s in %s", type(said).__name__, room.match.kept.id)
            reply = {"ok": False, "code": "server", "message": "the server failed; nothing is lost", "case": ""}
        watcher.tell(wire.packed(t="reply", id=said.id, **reply))


async def answered(hub: Hub, room: Room, watcher: Watcher, said: wire.Said) -> dict[str, Any]:
    """What a message gets for an answer."""
    match = room.match
    eyes = audience_of(match, watcher.sides)
    match said:
        case wire.Give():
            return await hub.give(room, watcher, said.action, said.version, said.text)
        case wire.Undo():
            return await hub.undo(room, watcher, said.action, said.version, said.to)
        case wire.Of():
            return {"ok": True, **showing.choices(match.view(eyes), said.units)}
        case wire.Why():
            view = match.view(eyes)
            told = showing.why(view, said.text) if said.text else showing.why_there(view, said.units, said.hex)
            return {"ok": True, **told}
        case wire.Explain():
            return {"ok": True, "explanation": showing.explained(match.view(eyes), said.text)}
        case wire.Hex():
            return {"ok": True, "facts": showing.hex_facts(match.view(eyes), said.hex)}
        case wire.Layer():
            return {"ok": True, "layer": await asyncio.to_thread(showing.layer, match, eyes, said.kind)}
        case wire.At():
            return {"ok": True, "state": showing.state(match, eyes, min(said.n, len(match.orders)))}
        case wire.Log():
            return {"ok": True, "log": match.log(eyes, said.n)}
        case wire.Say():
            return await hub.say(room, watcher, said.text)
        case wire.Pace():
            room.wait = said.wait / 1000
            room.hurry.set()
            return {"ok": True}
        case wire.Ready():
            if said.side in watcher.sides:
                watcher.ready = said.side
                hub.show(room)
            return {"ok": True}
        case wire.Point():
            for other in room.watchers - {watcher}:
                other.tell(wire.packed(t="point", hex=said.hex))
            return {"ok": True}
        case wire.Bookmark():
            return await hub.bookmark(room, watcher, said.n, said.label)
        case wire.Resign():
            return await hub.resign(room, watcher)
        case wire.Peace():
            return await hub.peace(room, watcher, said.offer)
