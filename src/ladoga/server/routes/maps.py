"""Requests of the map editor, and the corrections that a match is played with."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter, Response

from ...kernel.game import load_game
from .. import editor, wire
from ..desk import Visit, Visited, answer
from ..hub import Refused

router = APIRouter(prefix="/api/editor")


def _may_edit(visit: Visit) -> None:
    if not (visit.desk.local or visit.desk.editing):
        raise Refused("closed", "maps are not corrected on this server; use ladoga play on your own machine")


def _own_shelf(visit: Visit) -> editor.Shelf | None:
    """The owner's shelf, if it is the owner who asks."""
    return visit.desk.shelf if visit.is_owner else None


def _shelf(visit: Visit) -> editor.Shelf:
    """The owner's shelf, for nobody else."""
    shelf = _own_shelf(visit)
    if shelf is None:
        raise Refused("closed", "corrections are kept only for the owner of the machine; download them instead")
    return shelf


def kept_maps(visit: Visit) -> dict[str, list[str]]:
    """The corrections the owner keeps, game by game."""
    shelf = _own_shelf(visit)
    if shelf is None:
        return {}
    return {game: names for game in visit.hub.games() if (names := shelf.names(load_game(game)))}


def chosen_overlay(visit: Visit, wish: wire.NewMatch) -> dict[str, Any] | None:
    """The corrections a match is to be played with: kept ones by name, or those sent along."""
    if wish.corrections:
        return _shelf(visit).overlay(load_game(wish.game), wish.corrections)
    if wish.map is None:
        return None
    _may_edit(visit)
    overlay = {editor.FILE: editor.tidy(load_game(wish.game).map, wish.map)}
    editor.playable(wish.game, overlay)
    return overlay


@router.get("/{game}")
async def land(visit: Visited, game: str) -> Response:
    """Everything on a map, and what the owner keeps for it."""
    _may_edit(visit)
    found, shelf = load_game(game), _own_shelf(visit)
    return answer(
        {
            **await asyncio.to_thread(editor.land, found),
            "kept": [] if shelf is None else shelf.names(found),
            "keeps": shelf is not None,
            "given": visit.hub.game(game).overlay.get(editor.FILE),
        }
    )


@router.post("/{game}/check")
async def check(visit: Visited, game: str) -> Response:
    """What corrections change, and what is wrong with them."""
    _may_edit(visit)
    visit.someone()
    wish = await visit.form(editor.Draft, limit=editor.LIMIT)
    overlay, shelf = {editor.FILE: wish.map}, _own_shelf(visit)
    if wish.name and shelf is not None and wish.name in shelf.names(load_game(game)):
        overlay = {**shelf.overlay(load_game(game), wish.name), **overlay}
    result = await asyncio.to_thread(editor.checked, game, overlay)
    return answer({"changes": result.changes, "problems": [p._asdict() for p in result.problems]})


@router.post("/{game}/map/{board}/{palette}.svg")
async def draw(visit: Visited, game: str, board: str, palette: str) -> Response:
    """A board with corrections, drawn."""
    _may_edit(visit)
    if not visit.desk.drawings.take(str(visit.someone())):
        raise Refused("flood", "too many drawings; wait a little")
    wish = await visit.form(editor.Draft, limit=editor.LIMIT)
    changed = load_game(game).map.changed(editor.corrections_of(wish.map).change)
    return await visit.land(changed, game, board, palette, keep=False)


@router.post("/{game}/read")
async def read(visit: Visited, game: str) -> Response:
    """The corrections in a file."""
    _may_edit(visit)
    visit.someone()
    values = editor.read(await visit.body(editor.LIMIT))
    return answer({"map": await asyncio.to_thread(editor.tidy, load_game(game).map, values)})


@router.post("/{game}/packed")
async def pack(visit: Visited, game: str) -> Response:
    """Corrections as a packed folder."""
    _may_edit(visit)
    visit.someone()
    wish = await visit.form(editor.Draft, limit=editor.LIMIT)
    found = load_game(game)
    content = await asyncio.to_thread(
        lambda: editor.packed(found, wish.name or "corrections", editor.tidy(found.map, wish.map))
    )
    return Response(content, media_type="application/zip")


@router.get("/{game}/kept/{name}")
async def load(visit: Visited, game: str, name: str) -> Response:
    """Kept corrections."""
    kept = await asyncio.to_thread(_shelf(visit).load, load_game(game), name)
    return answer(kept._asdict())


@router.delete("/{game}/kept/{name}")
async def forget(visit: Visited, game: str, name: str, was: str = "") -> Response:
    """Delete kept corrections."""
    return answer({"kept": await asyncio.to_thread(_shelf(visit).forget, load_game(game), name, was)})


@router.post("/{game}/kept")
async def save(visit: Visited, game: str) -> Response:
    """Keep corrections."""
    wish = await visit.form(editor.Save, limit=editor.LIMIT)
    kept = await asyncio.to_thread(_shelf(visit).save, load_game(game), wish.name, wish.map, wish.was)
    return answer(kept._asdict())
