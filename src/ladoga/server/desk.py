"""The front desk: what every request has in common, and who comes with it."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, TypeVar
from urllib.parse import urlsplit

import msgspec
from fastapi import Depends, Request, Response
from starlette.requests import HTTPConnection

from ..drawing import shores_of
from ..kernel.map import GameMap
from . import pictures, wire
from .door import Door, Names
from .editor import Shelf
from .hub import Hub, Refused
from .limits import FRAME, Buckets

COOKIE = "ladoga"
YEAR = 365 * 24 * 3600

T = TypeVar("T")


def static_folder() -> Path:
    """Where the built client lies."""
    return Path(str(resources.files("ladoga.web"))) / "static"


@dataclass(frozen=True)
class Desk:
    """What the application has to answer with."""

    hub: Hub
    atlas: pictures.Atlas
    owner: str = ""
    """The token of the owner of the machine."""
    local: bool = False
    """Whether this is a server for one machine, with an owner."""
    secure: bool = False
    editing: bool = False
    """Whether guests may use the map editor."""
    shelf: Shelf | None = None
    """The owner's corrected maps."""
    door: Door = field(default_factory=Door)
    """Where the owner comes in."""
    names: Names = field(default_factory=Names)
    """What this server is called."""
    faces: pictures.Shelf[str] = field(default_factory=lambda: pictures.Shelf(4000))
    people: Buckets = field(default_factory=lambda: Buckets(size=120, rate=20))
    drawings: Buckets = field(default_factory=lambda: Buckets(size=60, rate=4))
    matches: Buckets = field(default_factory=lambda: Buckets(size=60, rate=0.5))


class Visit:
    """One request or socket: who comes with it, what it brings, and the desk it comes to."""

    def __init__(self, connection: HTTPConnection) -> None:
        self.connection = connection
        self.desk: Desk = connection.app.state.desk
        self.hub: Hub = self.desk.hub

    # Who is it ------------------------------------------------------------------------------

    @property
    def token(self) -> str:
        """What the browser shows for its person."""
        return self.connection.cookies.get(COOKIE, "")

    @property
    def person(self) -> int | None:
        """The person this comes from, if we know them."""
        return self.hub.store.person(self.token) if self.token else None

    def someone(self) -> int:
        """The person this comes from, who has to be known."""
        person = self.person
        if person is None:
            raise Refused("stranger", "open the front page first")
        return person

    @property
    def is_owner(self) -> bool:
        """Whether this comes from the owner's browser, and to this machine by its own name."""
        return self.desk.local and self.at_home and bool(self.desk.owner) and self.token == self.desk.owner

    @property
    def at_home(self) -> bool:
        """Whether this machine is addressed by its own name."""
        return self.connection.url.hostname in ("127.0.0.1", "localhost", "::1")

    @property
    def known_name(self) -> bool:
        """Whether this is addressed to us by a name of ours."""
        return self.desk.names.know(self.connection.headers.get("host", ""))

    @property
    def same_origin(self) -> bool:
        """Whether this comes from a page of ours."""
        origin = self.connection.headers.get("origin")
        return origin is None or urlsplit(origin).netloc == self.connection.headers.get("host", "")

    def hurried(self, person: int) -> None:
        """Refuse somebody who begins matches too fast."""
        if not self.desk.matches.take(str(person)):
            raise Refused("flood", "too many new matches; wait a little")

    # What it brings -------------------------------------------------------------------------

    async def body(self, limit: int) -> bytes:
        """The body of a request; too long a one is refused."""
        assert isinstance(self.connection, Request)
        body = bytearray()
        async for chunk in self.connection.stream():
            body += chunk
            if len(body) > limit:
                raise Refused("long", "that is too long")
        return bytes(body)

    async def form(self, kind: type[T], limit: int = FRAME) -> T:
        """The body of a request as a value; anything unknown in it is refused."""
        body = await self.body(limit)
        try:
            return msgspec.json.decode(body, type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError) as problem:
            raise Refused("form", str(problem)) from None

    # What it gets ---------------------------------------------------------------------------

    def page(self, *, head: str = "", status: int = 200) -> Response:
        """The page, which looks at its own address to know what to show; a newcomer gets a token of their own."""
        text = (static_folder() / "index.html").read_text(encoding="utf-8").replace("</head>", f"{head}</head>")
        response = Response(text, status, media_type="text/html", headers={"Cache-Control": "no-cache"})
        if self.person is None:
            self.greet(response, secrets.token_urlsafe(24))
        return response

    def greet(self, response: Response, token: str) -> None:
        """Give the browser the token of its person."""
        self.hub.store.welcome(token)
        secure = self.desk.secure
        response.set_cookie(COOKIE, token, max_age=2 * YEAR, httponly=True, samesite="lax", secure=secure)

    def picture(self, picture: pictures.Picture) -> Response:
        """A drawing, unless the browser has it already."""
        asked, tag = self.connection.headers, f'"{picture.key}"'
        headers = {"Cache-Control": "no-cache", "ETag": tag, "Vary": "Accept-Encoding"}
        if asked.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        if "gzip" not in asked.get("accept-encoding", ""):
            return Response(picture.text, media_type="image/svg+xml", headers=headers)
        return Response(picture.packed, media_type="image/svg+xml", headers={**headers, "Content-Encoding": "gzip"})

    async def land(self, game_map: GameMap, game: str, board: str, palette: str, *, keep: bool = True) -> Response:
        """The land of a board, drawn."""
        if palette not in pictures.PALETTES or board not in [b.name for b in game_map.grid.boards]:
            raise Refused("unknown", "there is no such map")
        return self.picture(await self.desk.atlas.map(game_map, shores_of(game), board, palette, keep=keep))


Visited = Annotated[Visit, Depends()]
"""The visit that a request is, as its answer takes it."""


def answer(value: Any, status: int = 200) -> Response:
    """A value as JSON."""
    return Response(wire.encoder.encode(value), status, media_type="application/json")


def attachment(text: str, name: str) -> Response:
    """A text to be kept as a file."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="text/plain; charset=utf-8", headers=headers)
