"""Advice and reckoning for those who play: worked out by the workers, from what a side may know."""

from __future__ import annotations

import random
from typing import Any

from fastapi import APIRouter, Response

from .. import wire
from ..desk import Visit, Visited, answer
from ..match import audience_of
from ..refused import Refused
from ..room import Room

router = APIRouter(prefix="/api")

SECONDS = 3.0
"""Seconds that the staff thinks about its advice."""
LIMIT = 12.0
"""Seconds after which nobody waits for it any more."""
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


@router.get("/matches/{match}/advice")
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


@router.post("/matches/{match}/reckon")
async def reckon(visit: Visited, match: str) -> Response:
    """What counters would come to against a hex."""
    room, side = await _seat(visit, match)
    if side not in room.match.game.sides:
        raise Refused("turn", "lift the curtain first")
    wish = await visit.form(wire.Reckon)
    return answer(await visit.read("reckoned", *_question(room, side), wish.hex, list(wish.units), wish.want))
