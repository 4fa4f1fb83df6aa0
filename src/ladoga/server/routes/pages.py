"""Pages, and the files that they are made of."""

from __future__ import annotations

import mimetypes
from importlib import resources
from os.path import isfile
from pathlib import Path

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from ..desk import Visit, Visited, answer, static_folder
from ..livery import stylesheet
from ..store import Ledger

router = APIRouter()

USED = "This link has let somebody in already. Say ladoga play again for a fresh one.\n"
LASTING = {"Cache-Control": "public, max-age=31536000"}


def fonts_folder() -> Path:
    """Where the typefaces lie; maps and pages share them."""
    return Path(str(resources.files("ladoga.drawing"))) / "fonts"


@router.get("/")
async def home(visit: Visited) -> Response:
    """The front page."""
    return await visit.page()


@router.get("/g/{match}")
async def table(visit: Visited, match: str) -> Response:
    """A match; the page says at once which map to fetch."""
    ground = visit.library.ground(await visit.house.store.read(Ledger.match, match))
    head = f'<meta name="ground" content="/api/games/{" ".join(ground)}" />' if ground else ""
    return await visit.page(head=head)


@router.get("/enter/{key}")
async def enter(visit: Visited, key: str) -> Response:
    """The owner comes in by a link that works once; whoever is in already just comes to the front page."""
    desk = visit.desk
    onward = RedirectResponse("/", 303, headers={"Cache-Control": "no-store"})
    if not await visit.is_owner():
        if desk.owner is None or not visit.at_home or not desk.door.opens(key):
            return Response(USED, 403, media_type="text/plain; charset=utf-8")
        token = desk.people.fresh()
        await visit.house.store.write(Ledger.welcome, token, visit.label, desk.owner)
        visit.greet(onward, token)
    return onward


@router.get("/rules/{game}")
async def rules(visit: Visited, game: str) -> Response:
    """The cases of a game."""
    return await visit.page()


@router.get("/edit/{game}")
async def editor(visit: Visited, game: str) -> Response:
    """The map editor."""
    return await visit.page()


@router.get("/sides.css")
async def sides() -> Response:
    """How the sides of all games look."""
    return Response(stylesheet(), media_type="text/css", headers={"Cache-Control": "no-cache"})


@router.get("/debrief.js")
async def debrief_keys() -> Response:
    """The keys of a debrief."""
    script = resources.files("ladoga.web") / "debrief.js"
    return Response(script.read_bytes(), media_type="text/javascript", headers={"Cache-Control": "no-cache"})


@router.get("/assets/{name:path}")
async def asset(name: str) -> Response:
    """A file of the built client."""
    folder = static_folder() / "assets"
    path = (folder / name).resolve()
    if not path.is_relative_to(folder.resolve()) or not isfile(path):
        return answer({"code": "unknown", "message": "there is no such file"}, 404)
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    kind = "font/woff2" if path.suffix == ".woff2" else kind
    return Response(path.read_bytes(), media_type=kind, headers={"Cache-Control": "no-cache"})


@router.get("/fonts/{name}")
async def typeface(name: str) -> Response:
    """A typeface."""
    path = fonts_folder() / name
    if path.suffix != ".woff2" or path.parent != fonts_folder() or not isfile(path):
        return answer({"code": "unknown", "message": "there is no such file"}, 404)
    return Response(path.read_bytes(), media_type="font/woff2", headers=LASTING)


async def nowhere(request: Request, _: Exception) -> Response:
    """No such page: the page itself says so; a program is told in its own words."""
    if request.method != "GET" or request.url.path.startswith("/api/"):
        return answer({"code": "unknown", "message": "there is no such page"}, 404)
    return await Visit(request).page(status=404)
