"""What can be asked about the games: cases, charts, guides, maps and counters."""

from __future__ import annotations

import asyncio
from collections.abc import Generator

from fastapi import APIRouter, Response

from ...drawing import counter_face, shores_of
from ...kernel.table import Counter
from .. import pictures, showing
from ..desk import Visit, Visited, answer
from ..limits import DOCUMENT
from ..opponents import levels
from ..refused import Refused
from .maps import kept_maps

router = APIRouter(prefix="/api")

FACES = 400
"""Counters that are drawn for one request."""


@router.get("/games")
async def games(visit: Visited) -> Response:
    """Everything the front page needs."""
    library, desk = visit.library, visit.desk
    return answer(
        {
            "games": [showing.about(library.game(game)) for game in library.games()],
            "levels": levels(),
            "local": desk.local,
            "editor": desk.local or desk.editing,
            "corrections": await kept_maps(visit),
        }
    )


@router.get("/games/{game}/rules")
async def cases(visit: Visited, game: str) -> Response:
    """The cases and the charts of a game."""
    found = visit.library.game(game)
    return answer(
        {
            "title": found.title,
            "cases": [{"case": number, "title": c.title, "text": c.text} for number, c in found.cases.items()],
            "charts": found.charts(),
        }
    )


@router.get("/games/{game}/guide")
async def guide(visit: Visited, game: str) -> Response:
    """The guided first turn of a game."""
    steps = showing.guide(visit.library.game(game).id)
    if steps is None:
        raise Refused("unknown", "this game has no guide")
    return answer(steps)


@router.get("/games/{game}/map.json")
async def geometry(visit: Visited, game: str) -> Response:
    """Where the hexes of a game's map lie."""
    return answer(pictures.geometry(visit.library.game(game).map))


@router.get("/games/{game}/key")
async def key(visit: Visited, game: str) -> Response:
    """What is on the map of a game, and what it does."""
    return answer(await asyncio.to_thread(pictures.key, visit.library.game(game)))


@router.get("/games/{game}/map/{board}/{palette}.svg")
async def land(visit: Visited, game: str, board: str, palette: str) -> Response:
    """A board of a game's map."""
    return await visit.land(visit.library.game(game).map, game, board, palette)


@router.get("/games/{game}/card/{palette}.svg")
async def card(visit: Visited, game: str, palette: str) -> Response:
    """A game's picture on the front page."""
    _check_palette(palette)
    return visit.picture(await visit.desk.atlas.card(visit.library.game(game), shores_of(game), palette))


@router.post("/faces/{palette}")
async def faces(visit: Visited, palette: str) -> Response:
    """Counters drawn: the browser says what it sees of them and gets the drawing back."""
    _check_palette(palette)
    counters = await visit.form(list[Counter], limit=DOCUMENT)
    async with visit.desk.questions.one(visit.address):
        return answer(await visit.house.work.through(_drawing(visit, counters[:FACES], palette)))


def _drawing(visit: Visit, counters: list[Counter], palette: str) -> Generator[None, None, list[str]]:
    """Counters drawn, in small steps: a hundred new ones take longer than anybody else should wait."""
    drawn = []
    for counter in counters:
        drawn.append(_face(visit, counter, palette))
        yield
    return drawn


def _face(visit: Visit, counter: Counter, palette: str) -> str:
    return visit.desk.faces.get((palette, str(counter)), lambda: counter_face(counter, palette=palette))


def _check_palette(palette: str) -> None:
    if palette not in pictures.PALETTES:
        raise Refused("unknown", "there is no such palette")
