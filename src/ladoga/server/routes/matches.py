"""Requests about matches: beginning them, sitting down, taking them along."""

from __future__ import annotations

import asyncio

import yaml
from fastapi import APIRouter, Response

from .. import pictures, showing, wire
from ..desk import Visit, Visited, answer, attachment
from ..editor import LIMIT
from ..hub import Refused
from ..luck import luck
from ..match import Match, audience_of
from .maps import chosen_overlay

router = APIRouter(prefix="/api")

LONGEST = 5_000_000
"""The longest file that is opened, in bytes."""


async def _match(visit: Visit, match: str) -> Match:
    return (await visit.hub.room(match)).match


@router.get("/matches")
async def mine(visit: Visited) -> Response:
    """A person's matches."""
    person = visit.person
    if person is None:
        return answer({"matches": [], "name": ""})
    return answer({"matches": await visit.hub.mine(person), "name": visit.hub.store.name(person)})


@router.post("/matches")
async def begin(visit: Visited) -> Response:
    """Begin a match."""
    person = visit.someone()
    visit.hurried(person)
    wish = await visit.form(wire.NewMatch, limit=LIMIT)
    kind = wish.kind if wish.kind in ("match", "study", "guide") else "match"
    overlay = await asyncio.to_thread(chosen_overlay, visit, wish)
    match, invites = await visit.hub.create(
        person, wish.game, wish.seats, wish.scenario, wish.options, kind=kind, overlay=overlay
    )
    return answer({"id": match, "invites": {side: f"/g/{match}?seat={token}" for side, token in invites.items()}})


@router.post("/open")
async def open_file(visit: Visited) -> Response:
    """Open a record or a position document."""
    person = visit.someone()
    visit.hurried(person)
    wish = await visit.form(wire.Open, limit=LONGEST)
    return answer({"id": await visit.hub.open(person, wish.text, wish.seats, trusted=visit.is_owner)})


@router.post("/name")
async def call(visit: Visited) -> Response:
    """Give oneself a name."""
    await visit.hub.call(visit.someone(), (await visit.form(wire.Called)).name.strip())
    return answer({"ok": True})


@router.delete("/matches/{match}")
async def forget(visit: Visited, match: str) -> Response:
    """Throw a match away."""
    await visit.hub.forget(match, visit.someone())
    return answer({"ok": True})


@router.post("/matches/{match}/sit")
async def sit(visit: Visited, match: str) -> Response:
    """Take up an invitation."""
    person = visit.someone()
    wish = await visit.form(wire.Sit)
    if wish.name.strip():
        await visit.hub.call(person, wish.name.strip())
    return answer({"side": await visit.hub.sit(match, wish.token, person)})


@router.post("/matches/{match}/invite")
async def invite(visit: Visited, match: str) -> Response:
    """A fresh invitation to a free seat."""
    person = visit.someone()
    wish = await visit.form(wire.Invite)
    return answer({"link": f"/g/{match}?seat={await visit.hub.invite(match, wish.side, person)}"})


@router.post("/matches/{match}/whatif")
async def what_if(visit: Visited, match: str) -> Response:
    """A board of one's own, from a moment of a match."""
    person = visit.someone()
    visit.hurried(person)
    return answer({"id": await visit.hub.what_if(person, match, (await visit.form(wire.WhatIf)).n)})


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
    found = await _match(visit, match)
    if not found.over and (found.secret() or not visit.hub.sides_of(found, visit.someone())):
        raise Refused("secret", "the whole record opens when the game is over")
    return attachment(found.record().text(), f"{found.kept.game}-{match}.txt")


@router.get("/matches/{match}/position")
async def position(visit: Visited, match: str, n: int | None = None) -> Response:
    """What one may know of the position, now or after ``n`` events, as a document."""
    found = await _match(visit, match)
    person = visit.person
    audience = audience_of(found, [] if person is None else visit.hub.sides_of(found, person))
    document = found.view(audience, n).document()
    name = f"{found.kept.game}-{match}-{len(found.orders) if n is None else n}.yaml"
    return attachment(yaml.safe_dump(document, sort_keys=False, allow_unicode=True), name)


@router.get("/matches/{match}/proof")
async def proof(visit: Visited, match: str) -> Response:
    """What the dice were committed to, and when the game is over every roll."""
    found = await _match(visit, match)
    if not found.over:
        return answer({"commitment": found.dice.commitment, "seed": "", "rolls": []})
    return answer(await asyncio.to_thread(showing.proof, found))


@router.get("/matches/{match}/luck")
async def lucky(visit: Visited, match: str) -> Response:
    """The luck of both sides in a finished match."""
    found = await _match(visit, match)
    if not found.over:
        raise Refused("secret", "luck is told when the game is over")
    return answer(await asyncio.to_thread(luck, found))
