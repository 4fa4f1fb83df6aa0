"""Requests of the map editor, and the corrections that a match is played with."""

from __future__ import annotations

import asyncio
import hashlib
from typing import Any

from fastapi import APIRouter, Response

from ...kernel.game import load_game
from .. import editor, pictures, wire
from ..desk import Visit, Visited, answer
from ..limits import DOCUMENT
from ..refused import Refused

router = APIRouter(prefix="/api/editor")


def _may_edit(visit: Visit) -> None:
    if not (visit.desk.local or visit.desk.editing):
        raise Refused("closed", "maps are not corrected on this server; use ladoga play on your own machine")


async def _own_shelf(visit: Visit) -> editor.Shelf | None:
    """The owner's shelf, if it is the owner who asks."""
    return visit.desk.shelf if await visit.is_owner() else None


async def _shelf(visit: Visit) -> editor.Shelf:
    """The owner's shelf, for nobody else."""
    shelf = await _own_shelf(visit)
    if shelf is None:
        raise Refused("closed", "corrections are kept only for the owner of the machine; download them instead")
    return shelf


async def kept_maps(visit: Visit) -> dict[str, list[str]]:
    """The corrections the owner keeps, game by game."""
    shelf = await _own_shelf(visit)
    if shelf is None:
        return {}
    return {game: names for game in visit.library.games() if (names := shelf.names(load_game(game)))}


async def chosen_overlay(visit: Visit, wish: wire.NewMatch) -> dict[str, Any] | None:
    """The corrections a match is to be played with: kept ones by name, or those sent along."""
    if wish.corrections:
        return await asyncio.to_thread((await _shelf(visit)).overlay, load_game(wish.game), wish.corrections)
    if wish.map is None:
        return None
    _may_edit(visit)
    return {editor.FILE: await visit.read("tidied", load_game(wish.game).id, wish.map)}


@router.get("/{game}")
async def land(visit: Visited, game: str) -> Response:
    """Everything on a map, and what the owner keeps for it."""
    _may_edit(visit)
    found, shelf = load_game(game), await _own_shelf(visit)
    return answer(
        {
            **await asyncio.to_thread(editor.land, found),
            "kept": [] if shelf is None else shelf.names(found),
            "keeps": shelf is not None,
            "given": visit.library.game(game).overlay.get(editor.FILE),
        }
    )


@router.post("/{game}/check")
async def check(visit: Visited, game: str) -> Response:
    """What corrections change, and what is wrong with them."""
    _may_edit(visit)
    await visit.someone()
    wish = await visit.form(editor.Draft, limit=DOCUMENT)
    overlay, shelf = {editor.FILE: wish.map}, await _own_shelf(visit)
    if wish.name and shelf is not None and wish.name in shelf.names(load_game(game)):
        overlay = {**shelf.overlay(load_game(game), wish.name), **overlay}
    return answer(await visit.read("checked", load_game(game).id, overlay))


@router.post("/{game}/map/{board}/{palette}.svg")
async def draw(visit: Visited, game: str, board: str, palette: str) -> Response:
    """A board with corrections, drawn."""
    _may_edit(visit)
    if not visit.desk.drawings.take(str(await visit.someone())):
        raise Refused("flood", "too many drawings; wait a little")
    wish = await visit.form(editor.Draft, limit=DOCUMENT)
    visit.check_land(load_game(game).map, board, palette)
    text = await visit.read("drawn", game, wish.map, board, palette, limit=30.0)
    return visit.picture(pictures.Picture.of(hashlib.sha256(text.encode()).hexdigest()[:32], text))


@router.post("/{game}/read")
async def read(visit: Visited, game: str) -> Response:
    """The corrections in a file."""
    _may_edit(visit)
    await visit.someone()
    body = await visit.body(DOCUMENT)
    return answer({"map": await visit.read("corrections", load_game(game).id, body)})


@router.post("/{game}/packed")
async def pack(visit: Visited, game: str) -> Response:
    """Corrections as a packed folder."""
    _may_edit(visit)
    await visit.someone()
    wish = await visit.form(editor.Draft, limit=DOCUMENT)
    content = await visit.read("packed", load_game(game).id, wish.name or "corrections", wish.map)
    return Response(content, media_type="application/zip")


@router.get("/{game}/kept/{name}")
async def load(visit: Visited, game: str, name: str) -> Response:
    """Kept corrections."""
    kept = await asyncio.to_thread((await _shelf(visit)).load, load_game(game), name)
    return answer(kept._asdict())


@router.delete("/{game}/kept/{name}")
async def forget(visit: Visited, game: str, name: str, was: str = "") -> Response:
    """Delete kept corrections."""
    return answer({"kept": await asyncio.to_thread((await _shelf(visit)).forget, load_game(game), name, was)})


@router.post("/{game}/kept")
async def save(visit: Visited, game: str) -> Response:
    """Keep corrections."""
    wish = await visit.form(editor.Save, limit=DOCUMENT)
    kept = await asyncio.to_thread((await _shelf(visit)).save, load_game(game), wish.name, wish.map, wish.was)
    return answer(kept._asdict())
