"""Advice and reckoning for those who play, from what a side may know, and debriefs: worked out by the workers."""

from __future__ import annotations

import asyncio
import random
from collections import OrderedDict
from collections.abc import Generator
from typing import Any
from weakref import WeakKeyDictionary

from fastapi import APIRouter, Response

from ...drawing import shores_of
from ...kernel.position import OBSERVER
from .. import pictures, shapes, wire
from ..desk import Visit, Visited, answer
from ..match import Match, audience_of
from ..reading import SCENE
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
    return answer(
        await visit.read(
            "reckoned", *_question(room, side), wish.hex, list(wish.units), wish.want, wish.air, wish.overrun
        )
    )


@router.get("/api/matches/{match}/curve")
async def curve(visit: Visited, match: str) -> Response:
    """The score had the game ended at the end of each phase so far, by what somebody may know."""
    room = await visit.lobby.room(match)
    sides = room.sides_of(await visit.person())
    if visit.house.delay and not sides and not room.match.over:
        raise Refused("secret", "the curve is shown to those who play")
    async with visit.desk.questions.one(visit.address):
        return answer(await visit.house.work.through(_curve(room.match, audience_of(room.match, sides))))


def _curve(match: Match, audience: str) -> Generator[None, None, list[shapes.Score]]:
    """A score for every phase, in small steps: phases that are over are remembered as long as nothing is taken back."""
    known = _curves.setdefault(match, {})
    marks = [n for n in range(1, len(match.orders)) if match.phase_at(n) != match.phase_at(n - 1)]
    found: list[shapes.Score] = []
    first = match.game.sides[0]
    for n in (*marks, len(match.orders)):
        if n > len(match.orders):  # taken back meanwhile
            break
        key = (audience, n, match.seqs[n - 1] if n else 0)
        if key not in known:
            view = match.sight((yield from match.going_to(n)), audience)
            told = view.outcome or view.standing
            points = sum(e.points if e.side == first else -e.points for e in told.ledger)
            turn = match.phase_at(n - 1)[0] if n else view.turn
            known[key] = {"n": n, "turn": turn, "score": float(points), "level": told.words}
        found.append(known[key])
        yield
    return found


_curves: WeakKeyDictionary[Match, dict[tuple[str, int, int], shapes.Score]] = WeakKeyDictionary()


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


async def _open(visit: Visit, match: str) -> Match:
    """A match that may be debriefed: one that is over, or a board of one's own."""
    room = await visit.lobby.room(match)
    found = room.match
    if not found.over and not (found.kept.kind == "study" and _all_theirs(room, await visit.person())):
        raise Refused("secret", "the debrief opens when the game is over")
    return found


async def _debrief(visit: Visit, match: str, kind: str) -> Response:
    found = await _open(visit, match)
    key = (match, found.version)
    if key not in _told:
        kept = found.kept._replace(overlay=dict(found.game.overlay))
        happened = zip(found.seqs, found.movers, map(str, found.orders), found.times, strict=True)
        players = {seat.side: seat.player or seat.name or "a player" for seat in found.chairs}
        _told[key] = await visit.read("debriefed", list(kept), list(happened), players, JUDGED, limit=60.0)
        while len(_told) > 24:
            _told.popitem(last=False)
    text = _told[key][kind]
    if kind == "svg":
        drawn = await _drawn(visit, found, len(found.orders), _told[key]["hex"], pictures.BESIDE)
        text = text.replace(SCENE, pictures.beside(drawn))
    return Response(text, media_type=f"{KINDS[kind]}; charset=utf-8")


@router.get("/g/{match}/scene.svg")
async def scene(visit: Visited, match: str, n: int = 0, hex: str = "") -> Response:
    """A piece of the map of a match that may be debriefed, as it was after ``n`` events."""
    found = await _open(visit, match)
    async with visit.desk.questions.one(visit.address):
        drawn = await _drawn(visit, found, n, hex, (720.0, 300.0))
    return Response(drawn, media_type="image/svg+xml", headers={"Cache-Control": "max-age=3600"})


async def _drawn(visit: Visit, match: Match, n: int, number: str, size: pictures.Size) -> str:
    """A piece of the map with what everybody could see there."""
    game_map = match.position.map
    board = pictures.board_of(game_map, number)
    land = await visit.desk.atlas.map(game_map, shores_of(match.kept.game), board, "classic")
    counters = match.sight(await visit.house.work.through(match.going_to(n)), OBSERVER).table().counters
    return await asyncio.to_thread(pictures.scene, game_map, land.text, board, counters, number, size)
