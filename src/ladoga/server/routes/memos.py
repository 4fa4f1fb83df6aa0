"""Requests about what is kept beside a match: progress in the guide, set-ups, and where one is told of one's turn."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Response

from ...kernel.orders import Role
from .. import shapes, wire
from ..desk import Visit, Visited, answer
from ..hooks import Messenger, checked, resolved
from ..match import Match, audience_of
from ..refused import Refused
from ..room import Room
from ..store import memos

router = APIRouter(prefix="/api")


async def _seat(visit: Visit, match: str) -> tuple[Room, str, int]:
    """The table, the side that somebody plays there now, and who it is."""
    room, person = await visit.lobby.room(match), await visit.person()
    sides = room.sides_of(person)
    if not sides or person is None:
        raise Refused("turn", "you are watching this match")
    return room, audience_of(room.match, sides), person


# The guide ----------------------------------------------------------------------------------------


@router.get("/matches/{match}/guide")
async def guide(visit: Visited, match: str) -> Response:
    """How far each seat has come in the guide."""
    await _seat(visit, match)
    return answer({"seats": await visit.house.store.read(memos.guides, match)})


@router.post("/matches/{match}/guide")
async def keep_guide(visit: Visited, match: str) -> Response:
    """How far one's own seat has come."""
    room, side, _ = await _seat(visit, match)
    wish = await visit.form(wire.Guided)
    if side not in room.match.game.sides:
        raise Refused("turn", "lift the curtain first")
    await visit.house.store.write(memos.keep_guide, match, side, list(wish.done), wish.left)
    return answer({"ok": True})


# Set-ups ------------------------------------------------------------------------------------------


def placed(match: Match, side: str) -> list[str]:
    """The orders with which a side set itself up: those of its first phase of placing."""
    found: list[str] = []
    phase = ""
    for n, (mover, order) in enumerate(zip(match.movers, match.orders, strict=True)):
        if mover != side:
            continue
        if match.game.role(order) is Role.PLACE:
            here = match.at(n).phase.id
            if phase in ("", here):
                phase = here
                found.append(str(order))
        elif phase and match.at(n).phase.id != phase:
            break
    return found


@router.get("/matches/{match}/setups")
async def setups(visit: Visited, match: str) -> Response:
    """One's own set-ups for the side one plays."""
    room, side, person = await _seat(visit, match)
    kept = await visit.house.store.read(memos.setups, person, room.match.game.id, side)
    told: shapes.Setups = {"side": side, "placed": len(placed(room.match, side)), "kept": kept}
    return answer(told)


@router.post("/matches/{match}/setups")
async def keep_setup(visit: Visited, match: str) -> Response:
    """Keep the set-up of this match under a name."""
    room, side, person = await _seat(visit, match)
    name = (await visit.form(wire.Called)).name.strip()
    orders = placed(room.match, side)
    if not name or not orders:
        raise Refused("setup", "give it a name" if orders else "nothing has been placed yet")
    await visit.house.store.write(memos.keep_setup, person, room.match.game.id, side, name, orders)
    return answer({"ok": True, "placed": len(orders)})


@router.post("/matches/{match}/setups/drop")
async def drop_setup(visit: Visited, match: str) -> Response:
    """Forget a set-up."""
    room, side, person = await _seat(visit, match)
    name = (await visit.form(wire.Called)).name.strip()
    if not await visit.house.store.write(memos.drop_setup, person, room.match.game.id, side, name):
        raise Refused("unknown", "there is no such set-up")
    return answer({"ok": True})


# Notices ------------------------------------------------------------------------------------------


def _messenger(visit: Visit) -> Messenger:
    if visit.house.messenger is None or visit.desk.local:
        raise Refused("hook", "on your own machine nobody else has to be told")
    return visit.house.messenger


@router.get("/notices")
async def notices(visit: Visited) -> Response:
    """Where one is told that it is one's turn, and what messages are signed with."""
    person = await visit.person()
    kept = None if person is None else await visit.house.store.read(memos.hook, person)
    url, secret = kept or ("", "")
    return answer({"url": url, "secret": secret, "possible": not visit.desk.local})


@router.post("/notices")
async def tell(visit: Visited) -> Response:
    """Be told there from now on; with an empty address nowhere."""
    messenger, person = _messenger(visit), await visit.someone()
    if not visit.desk.guesses.take(visit.address):
        raise Refused("flood", "too many tries; wait a few minutes")
    url = checked((await visit.form(wire.Notice)).url)
    if url:
        await asyncio.to_thread(resolved, url, inside=messenger.inside)
    made = await visit.house.store.write(memos.set_hook, person, url)
    return answer({"url": url, "secret": "" if made is None else made.secret, "possible": True})


@router.post("/notices/try")
async def try_out(visit: Visited) -> Response:
    """Send oneself a message, to see whether it arrives."""
    messenger, person = _messenger(visit), await visit.someone()
    if not visit.desk.guesses.take(visit.address):
        raise Refused("flood", "too many tries; wait a few minutes")
    return answer({"status": await messenger.try_out(person)})
