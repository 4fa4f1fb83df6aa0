"""The web application, put together: its parts, what runs beside it, and what holds for every request."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from fastapi import FastAPI, Request, Response
from starlette.middleware.gzip import GZipMiddleware

from ..drawing import shores_of
from ..kernel.errors import LadogaError
from .desk import Desk, Visit, answer
from .door import Door, Names
from .editor import Shelf
from .hub import Hub, Refused
from .pictures import Atlas
from .routes import games, maps, matches, pages, socket

CSP = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self';"
    " connect-src 'self' ws: wss:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
)

TAKEN_UP = 20
"""How many matches the server goes on with by itself when it starts."""


def application(
    hub: Hub, *, owner: str = "", local: bool = False, secure: bool = False, pictures_folder: Path | None = None,
    corrections: Path | None = None, editing: bool = False, door: Door | None = None, names: Names | None = None,
) -> FastAPI:  # fmt: skip
    """The application. In ``local`` mode whoever comes by a link through the ``door`` is the owner of the machine.

    ``corrections`` is where the owner's corrected maps are kept; ``editing`` lets guests of a server
    use the map editor too, without keeping anything here.
    """
    shelf = None if corrections is None else Shelf(corrections)
    desk = Desk(hub, Atlas(pictures_folder), owner, local, secure, editing, shelf, door or Door(), names or Names())

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        ahead = [asyncio.create_task(_take_up(hub))]
        if pictures_folder is not None:
            ahead.append(asyncio.create_task(_draw_ahead(desk)))
        yield
        for task in ahead:
            task.cancel()
        await asyncio.gather(*ahead, return_exceptions=True)
        hub.close()

    app = FastAPI(title="Ladoga", lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.desk = desk
    app.add_middleware(GZipMiddleware, minimum_size=2000, compresslevel=6)
    app.middleware("http")(_guard)
    app.add_exception_handler(404, pages.nowhere)
    for part in (pages, games, matches, maps, socket):
        app.include_router(part.router)
    return app


async def _take_up(hub: Hub) -> None:
    """Go on with the latest matches, in case the computer was thinking when the server stopped."""
    for match in hub.store.unfinished()[:TAKEN_UP]:
        with suppress(LadogaError, Refused):
            await hub.room(match)


async def _draw_ahead(desk: Desk) -> None:
    """Draw what did not come drawn with the program, so that it is there when somebody asks."""
    for game in desk.hub.games():
        game_map = desk.hub.game(game).map
        for board in game_map.grid.boards:
            await desk.atlas.map(game_map, shores_of(game), board.name, "classic")


async def _guard(request: Request, go_on: Callable[[Request], Awaitable[Response]]) -> Response:
    """Origins, floods and errors, the same for every request."""
    visit = Visit(request)
    response: Response
    if not visit.known_name:
        response = answer({"code": "name", "message": "this server does not go by that name"}, 421)
    elif request.method not in ("GET", "HEAD") and not visit.same_origin:
        response = answer({"code": "origin", "message": "this request comes from another site"}, 403)
    elif not visit.desk.people.take(request.client.host if request.client else ""):
        response = answer({"code": "flood", "message": "too many requests; wait a little"}, 429)
    else:
        try:
            response = await go_on(request)
        except Refused as problem:
            status = 404 if problem.code == "unknown" else 400
            response = answer({"code": problem.code, "message": problem.message, "case": problem.case}, status)
        except LadogaError as problem:
            response = answer({"code": "bad", "message": str(problem)}, 400)
    response.headers["Content-Security-Policy"] = CSP
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "no-referrer"
    return response
