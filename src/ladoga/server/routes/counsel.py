"""Advice and reckoning for those who play, from what a side may know, and debriefs: worked out by the workers."""

from __future__ import annotations

import random
from collections import OrderedDict
from typing import Any

from fastapi import APIRouter, Response

from .. import wire
from ..desk import Visit, Visited, answer
from ..match import audience_of
from ..refused import Refused
from ..room import Room

router = APIRouter()

SECONDS = 3.0
"""Seconds that the staff thinks about its advice."""
LIMIT = 12.0
"""Seconds after which nobody waits for it any more."""
JUDGED = 8.0
"""Seconds in which the turning points of a game are judged."""
KINDS = {"html": "text/html", "txt": "text/plain", "svg": "image/svg+xml"}
STRICT = "strict"
"""A match whose host lets nobody ask for advice."""


async def _seat(visit: Visit, match: str) -> tuple[Room, str]:
    """The table, and the side for which somebody there may ask."""
    room = await visit.lobby.room(match)
    sides = room.sides_of(await visit.person())
    if not sides:
        raise Refused("turn", "you are watching this match")
    return room, audience_of(room.match, sides)


def _question(room: Room, side: str) -> list[Any]:
    """A side's view for a worker: a whole position that looks to it like the one it is in."""
    match = room.match
    imagined = match.view(side).imagine(random.Random(match.version)).document()
    return [match.game.id, dict(match.game.overlay), side, imagined]


@router.get("/api/matches/{match}/advice")
async def advice(visit: Visited, match: str) -> Response:
    """What the staff says to whoever is to decide."""
    room, side = await _seat(visit, match)
    found = room.match
    if found.kept.kind == STRICT:
        raise Refused("advice", "no advice in this game: its host wished so")
    version = found.version
    if found.to_move != side:
        return answer({"version": version, "points": []})
    points = await visit.read("advised", *_question(room, side), SECONDS, limit=LIMIT)
    return answer({"version": version, "points": points})


@router.get("/api/matches/{match}/placing")
async def placing(visit: Visited, match: str) -> Response:
    """How the staff would set up what is still to be placed: orders for whoever is to place it."""
    room, side = await _seat(visit, match)
    if room.match.to_move != side:
        raise Refused("turn", "it is not your set-up")
    return answer({"orders": await visit.read("placed", *_question(room, side), limit=LIMIT)})


@router.post("/api/matches/{match}/reckon")
async def reckon(visit: Visited, match: str) -> Response:
    """What counters would come to against a hex."""
    room, side = await _seat(visit, match)
    if side not in room.match.game.sides:
        raise Refused("turn", "lift the curtain first")
    wish = await visit.form(wire.Reckon)
    return answer(await visit.read("reckoned", *_question(room, side), wish.hex, list(wish.units), wish.want))


_told: OrderedDict[tuple[str, int], dict[str, str]] = OrderedDict()
"""Debriefs that were asked for lately, by match and version."""


@router.get("/g/{match}/debrief")
async def debrief(visit: Visited, match: str) -> Response:
    """How a match went, as a page."""
    return await _debrief(visit, match, "html")


@router.get("/g/{match}/debrief.{kind}")
async def debrief_file(visit: Visited, match: str, kind: str) -> Response:
    """How a match went, as text or as a picture."""
    if kind not in KINDS:
        raise Refused("unknown", "there is no such page")
    return await _debrief(visit, match, kind)


def _all_theirs(room: Room, person: int | None) -> bool:
    """Whether somebody may know all there is: they sit there, and nobody else does who has secrets from them."""
    if not room.sides_of(person):
        return False
    return not any(seat.person not in (None, person) for seat in room.match.seats) or not room.match.secret()


async def _debrief(visit: Visit, match: str, kind: str) -> Response:
    room = await visit.lobby.room(match)
    found = room.match
    if not found.over and not (found.kept.kind == "study" and _all_theirs(room, await visit.person())):
        raise Refused("secret", "the debrief opens when the game is over")
    key = (match, found.version)
    if key not in _told:
        kept = found.kept._replace(overlay=dict(found.game.overlay))
        happened = zip(found.seqs, found.movers, map(str, found.orders), found.times, strict=True)
        players = {seat.side: seat.player or seat.name or "a player" for seat in found.chairs}
        _told[key] = await visit.read("debriefed", list(kept), list(happened), players, JUDGED, limit=60.0)
        while len(_told) > 24:
            _told.popitem(last=False)
    return Response(_told[key][kind], media_type=f"{KINDS[kind]}; charset=utf-8")
