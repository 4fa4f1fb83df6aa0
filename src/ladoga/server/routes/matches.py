"""Requests about matches: beginning them, sitting down, taking them along."""

from __future__ import annotations

from typing import Any

import yaml
from fastapi import APIRouter, Response

from ...kernel.errors import LadogaError
from ...kernel.record import MAGIC
from .. import beginning, pictures, shapes, showing, wire
from .. import clock as clocks
from ..desk import Visit, Visited, answer, attachment
from ..limits import DOCUMENT, RECORD
from ..match import Match, audience_of
from ..refused import Busy, Refused
from ..room import Room
from ..store import Ledger, Unwritable, memos
from .maps import chosen_overlay

router = APIRouter(prefix="/api")

SHOWN = 20
"""Invitations to anybody that are shown at a time."""


async def _match(visit: Visit, match: str) -> Match:
    return (await visit.lobby.room(match)).match


async def _eyes(visit: Visit, room: Room) -> tuple[str, int | None]:
    """Through whose eyes somebody looks at a match, and how many events of it they may see."""
    sides = room.sides_of(await visit.person())
    late = visit.house.delay and not sides and not room.match.over and room.match.secret()
    until = visit.house.store.time() - visit.house.delay
    return audience_of(room.match, sides), room.match.events_until(until) if late else None


@router.get("/matches")
async def mine(visit: Visited) -> Response:
    """A person's matches."""
    person = await visit.person()
    if person is None:
        return answer({"matches": [], "name": ""})
    name = await visit.house.store.read(Ledger.name, person)
    return answer({"matches": await visit.lobby.mine(person), "name": name})


@router.post("/matches")
async def begin(visit: Visited) -> Response:
    """Begin a match."""
    person = await visit.someone()
    visit.hurried(person)
    wish = await visit.form(wire.NewMatch, limit=DOCUMENT)
    kind = wish.kind if wish.kind in ("match", "study", "guide", "strict") else "match"
    overlay = await chosen_overlay(visit, wish)
    small = showing.first_position(wish.game) if wish.kind == "lesson" else None
    kind = "guide" if small is not None else kind
    match, invites = await beginning.create(
        visit.lobby, person, wish.game, wish.seats, wish.scenario, wish.options, position=small, kind=kind,
        overlay=overlay,
        ticking=(wish.clock, wish.time),
    )  # fmt: skip
    links = _links(match, invites)
    if wish.public and invites:
        await visit.house.store.write(memos.post, match, *next(iter(invites.items())))
    return answer({"id": match, "invites": links})


@router.get("/invitations")
async def invitations(visit: Visited) -> Response:
    """Seats that wait for anybody, the newest first; one's own are not among them."""
    person, found = await visit.person(), list[shapes.OpenSeat]()
    for posted in await visit.house.store.read(memos.posted):
        try:
            room = await visit.lobby.room(posted.match)
        except (Refused, LadogaError, Unwritable):
            continue
        seats, game = room.match.seats, room.match.game
        if room.sides_of(person):
            continue
        host = next((s.name for s in seats if s.person is not None), "") or "Somebody"
        clock = room.match.kept.clock
        found.append({
            "match": posted.match, "link": f"/g/{posted.match}?seat={posted.token}", "game": game.id,
            "title": game.title, "side": posted.side, "host": host, "begun": room.match.kept.begun,
            "clock": "" if clock is None else clocks.words(clock),
        })  # fmt: skip
        if len(found) == SHOWN:
            break
    return answer({"invitations": found})


def _links(match: str, invites: dict[str, str]) -> dict[str, str]:
    return {side: f"/g/{match}?seat={token}" for side, token in invites.items()}


@router.post("/open")
async def open_file(visit: Visited) -> Response:
    """Open a record or a position document."""
    person = await visit.someone()
    visit.hurried(person)
    wish = await visit.form(wire.Open, limit=2 * RECORD)
    if len(wish.text) > (RECORD if wish.text.lstrip().startswith(MAGIC) else DOCUMENT):
        raise Refused("long", "that is too long")
    if not visit.desk.readings.take(visit.address, 2.0):
        raise Busy("too much has come from there to be read; wait a little", 5)
    trusted = await visit.is_owner()
    match, invites = await beginning.open_file(visit.lobby, person, wish.text, wish.seats, trusted=trusted)
    return answer({"id": match, "invites": _links(match, invites)})


@router.post("/name")
async def call(visit: Visited) -> Response:
    """Give oneself a name."""
    await visit.lobby.call(await visit.someone(), (await visit.form(wire.Called)).name.strip())
    return answer({"ok": True})


@router.delete("/matches/{match}")
async def forget(visit: Visited, match: str) -> Response:
    """Throw a match away."""
    await visit.lobby.forget(match, await visit.someone())
    return answer({"ok": True})


@router.post("/matches/{match}/sit")
async def sit(visit: Visited, match: str) -> Response:
    """Take up an invitation."""
    person = await visit.someone()
    wish = await visit.form(wire.Sit)
    if wish.name.strip():
        await visit.lobby.call(person, wish.name.strip())
    return answer({"side": await visit.lobby.sit(match, wish.token, person)})


@router.get("/matches/{match}/invitation")
async def invitation(visit: Visited, match: str) -> Response:
    """What somebody is invited to: the game, the seat that is free, and who sits there already."""
    found = await _match(visit, match)
    free = [seat.side for seat in found.seats if not seat.player and seat.person is None]
    hosts = [seat.name for seat in found.seats if seat.person is not None and seat.name]
    told: shapes.Invitation = {
        "title": found.game.title, "side": free[0] if len(free) == 1 else "", "host": " and ".join(hosts),
        "turn": found.position.turn, "phase": found.position.phase.title,
    }  # fmt: skip
    return answer(told)


@router.post("/matches/{match}/invite")
async def invite(visit: Visited, match: str) -> Response:
    """A fresh invitation to a free seat."""
    person = await visit.someone()
    wish = await visit.form(wire.Invite)
    return answer({"link": f"/g/{match}?seat={await visit.lobby.invite(match, wish.side, person)}"})


@router.post("/matches/{match}/whatif")
async def what_if(visit: Visited, match: str) -> Response:
    """A board of one's own, from a moment of a match."""
    person = await visit.someone()
    visit.hurried(person)
    return answer({"id": await beginning.what_if(visit.lobby, person, match, (await visit.form(wire.WhatIf)).n)})


@router.get("/matches/{match}/map.json")
async def geometry(visit: Visited, match: str) -> Response:
    """Where the hexes lie on the map of a match."""
    return answer(pictures.geometry((await _match(visit, match)).position.map))


@router.get("/matches/{match}/map/{board}/{palette}.svg")
async def land(visit: Visited, match: str, board: str, palette: str) -> Response:
    """A board of the map of a match."""
    found = await _match(visit, match)
    return await visit.land(found.position.map, found.kept.game, board, palette)


@router.get("/matches/{match}/record")
async def record(visit: Visited, match: str) -> Response:
    """The record, for the players; with secrets in it, when the game is over."""
    room = await visit.lobby.room(match)
    found = room.match
    if not found.over and (found.secret() or not room.sides_of(await visit.person())):
        raise Refused("secret", "the whole record opens when the game is over")
    async with visit.desk.questions.one(visit.address):
        return attachment(found.record().text(), f"{found.kept.game}-{match}.txt")


@router.get("/matches/{match}/position")
async def position(visit: Visited, match: str, n: int | None = None) -> Response:
    """What one may know of the position, now or after ``n`` events, as a document."""
    room = await visit.lobby.room(match)
    found = room.match
    audience, most = await _eyes(visit, room)
    n = most if most is not None and (n is None or n > most) else n
    async with visit.desk.questions.one(visit.address):
        moment = found.position if n is None else await visit.house.work.through(found.going_to(n))
        document = found.sight(moment, audience).document()
        name = f"{found.kept.game}-{match}-{len(found.orders) if n is None else n}.yaml"
        return attachment(yaml.safe_dump(document, sort_keys=False, allow_unicode=True), name)


@router.get("/matches/{match}/proof")
async def proof(visit: Visited, match: str) -> Response:
    """What the dice were committed to, and when the game is over every roll."""
    found = await _match(visit, match)
    if not found.over:
        return answer({"commitment": found.dice.commitment, "seed": "", "rolls": []})
    return answer(await _worked_out(visit, "proved", found))


async def _worked_out(visit: Visit, what: str, match: Match) -> Any:
    """A report about a finished match, which a worker writes."""
    kept = match.kept._replace(overlay=dict(match.game.overlay))
    happened = zip(match.seqs, match.movers, map(str, match.orders), match.times, strict=True)
    return await visit.read(what, list(kept), list(happened), limit=30.0)


@router.get("/matches/{match}/luck")
async def lucky(visit: Visited, match: str) -> Response:
    """The luck of both sides in a finished match."""
    found = await _match(visit, match)
    if not found.over:
        raise Refused("secret", "luck is told when the game is over")
    return answer(await _worked_out(visit, "weighed", found))
