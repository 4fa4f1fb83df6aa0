"""The web application, put together: its parts, what runs beside it, and what holds for every request."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.middleware.gzip import GZipMiddleware

from ..drawing import shores_of
from ..kernel.errors import LadogaError
from .desk import Desk, answer
from .door import Door, Names
from .editor import Shelf
from .gate import Gate, Pulse, Trusted
from .hearing import beat, watch_clocks
from .limits import Buckets
from .lobby import Lobby
from .logs import calm
from .pictures import Atlas
from .refused import Busy, Refused
from .routes import counsel, devices, games, health, maps, matches, memos, pages, socket
from .store import LIVES, Damaged, Ledger, Unwritable

FOREVER = 1e12


def application(
    lobby: Lobby, *, local: bool = False, secure: bool = False, pictures_folder: Path | None = None,
    corrections: Path | None = None, editing: bool = False, door: Door | None = None, names: Names | None = None,
    trusted: Trusted | None = None, people: Buckets | None = None,
) -> FastAPI:  # fmt: skip
    """The application. In ``local`` mode whoever comes by a link through the ``door`` is the owner of the machine.

    ``corrections`` is where the owner's corrected maps are kept; ``editing`` lets guests of a server
    use the map editor too, without keeping anything here. ``people`` is how many requests one address may make.
    """
    shelf = None if corrections is None else Shelf(corrections)
    store, house = lobby.house.store, lobby.house
    owner = store.now(Ledger.owner) if local else None
    desk = Desk(lobby, Atlas(pictures_folder), lobby.people, owner, secure, editing, shelf, door or Door())
    pulse = Pulse(house.metrics)
    _measure(lobby)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        calm(asyncio.get_running_loop())
        await lobby.start()
        await store.write(Ledger.alive, store.process, FOREVER if store.alone else LIVES, alone=store.alone)
        work: list[Coroutine[Any, Any, None]] = [pulse.run(), watch_clocks(lobby)]
        if house.messenger is not None:
            work.append(house.messenger.run())
        if not store.alone:
            work.append(beat(lobby))
        if pictures_folder is not None:
            work.append(_draw_ahead(desk))
        beside = [asyncio.create_task(part) for part in work]
        yield
        for task in beside:
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)
        await lobby.close()

    app = FastAPI(title="Ladoga", lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    app.state.desk = desk
    app.add_middleware(GZipMiddleware, minimum_size=2000, compresslevel=6)
    app.add_middleware(
        Gate, names=names or Names(), people=people or Buckets(size=120, rate=20), metrics=house.metrics, pulse=pulse,
        secure=secure, trusted=trusted,
    )  # fmt: skip
    app.add_exception_handler(404, pages.nowhere)
    app.add_exception_handler(405, _not_so)
    app.add_exception_handler(RequestValidationError, _unreadable)
    for kind in (Refused, LadogaError, Unwritable):
        app.add_exception_handler(kind, _told)
    for part in (pages, games, matches, memos, counsel, maps, devices, health, socket):
        app.include_router(part.router)
    return app


def _measure(lobby: Lobby) -> None:
    """What is so many just now."""
    house, metrics = lobby.house, lobby.house.metrics
    metrics.gauge("tables", "Matches in memory.", lambda: len(lobby.rooms))
    metrics.gauge("tables_watched", "Tables with company.", lambda: sum(bool(r.company) for r in lobby.rooms.values()))
    metrics.gauge("thinking_now", "Orders being thought about.", lambda: house.thinkers.busy)
    metrics.gauge("thinking_waiting", "Orders waiting to be thought about.", lambda: house.thinkers.waiting)
    metrics.gauge("writes_waiting", "Writes waiting for the store.", lambda: house.store.waiting)

    def committed(writes: int, seconds: float) -> None:
        metrics.count("commits")
        metrics.count("writes", by=writes)
        metrics.took("commit", seconds)

    def thought(name: str, waited: float, seconds: float) -> None:
        metrics.took("think", seconds)
        metrics.took("wait", waited)

    house.store.committed = committed
    house.thinkers.took = thought


async def _draw_ahead(desk: Desk) -> None:
    """Draw what did not come drawn with the program, so that it is there when somebody asks. All games are loaded by
    then and stay, so nobody need look again and again whether they are still wanted."""
    library = desk.lobby.house.library
    for game in library.games():
        game_map = library.game(game).map
        for board in game_map.grid.boards:
            await desk.atlas.map(game_map, shores_of(game), board.name, "classic")
    await asyncio.to_thread(gc.collect)
    gc.freeze()


async def _not_so(_: Request, problem: Exception) -> Response:
    """What is asked for is there, but not to be asked for like this."""
    response = answer({"code": "form", "message": "that cannot be done here", "case": ""}, 405)
    response.headers.update(getattr(problem, "headers", None) or {})
    return response


async def _unreadable(_: Request, __: Exception) -> Response:
    """A number is no number."""
    return answer({"code": "form", "message": "there is no such address", "case": ""}, 400)


async def _told(_: Request, problem: Exception) -> Response:
    """An error in words."""
    if isinstance(problem, Busy):
        response = answer({"code": problem.code, "message": problem.message, "case": ""}, 503)
        response.headers["Retry-After"] = str(problem.seconds)
        return response
    if isinstance(problem, Refused):
        status = {"unknown": 404, "disk": 503, "flood": 429}.get(problem.code, 400)
        return answer({"code": problem.code, "message": problem.message, "case": problem.case}, status)
    if isinstance(problem, Damaged):
        return answer({"code": "damaged", "message": "this match is damaged in the store; others go on"}, 500)
    if isinstance(problem, Unwritable):
        message = "this cannot be written just now; nothing is lost, try again"
        response = answer({"code": "disk", "message": message, "case": ""}, 503)
        response.headers["Retry-After"] = "5"
        return response
    return answer({"code": "bad", "message": str(problem)}, 400)
