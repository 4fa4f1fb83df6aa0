"""The front desk: what every request has in common, and who comes with it."""

from __future__ import annotations

import asyncio
import re
import time
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec
from fastapi import Depends, Request, Response
from starlette.requests import ClientDisconnect, HTTPConnection

from ..drawing import shores_of
from ..kernel.map import GameMap
from . import pictures, wire
from .door import Door
from .editor import Shelf
from .gate import household
from .house import House
from .library import Library
from .limits import FRAME, Buckets, Turns
from .lobby import Lobby
from .people import Known, People
from .refused import Busy, Refused

COOKIE = "ladoga"
YEAR = 365 * 24 * 3600
SIDES = '<link rel="stylesheet" href="/sides.css" />'
"""The colours of the sides, which are the families' own."""
BODY_WITHIN = 20.0
"""Seconds in which a request's body has to be there."""

T = TypeVar("T")


def static_folder() -> Path:
    """Where the built client lies."""
    return Path(str(resources.files("ladoga.web"))) / "static"


@dataclass(frozen=True)
class Desk:
    """What the application has to answer with."""

    lobby: Lobby
    atlas: pictures.Atlas
    people: People
    owner: int | None = None
    """The owner of the machine, on a server for one machine."""
    secure: bool = False
    editing: bool = False
    """Whether guests may use the map editor."""
    shelf: Shelf | None = None
    """The owner's corrected maps."""
    door: Door = field(default_factory=Door)
    """Where the owner comes in."""
    faces: pictures.Shelf[str] = field(default_factory=lambda: pictures.Shelf(4000))
    drawings: Buckets = field(default_factory=lambda: Buckets(size=60, rate=4))
    matches: Buckets = field(default_factory=lambda: Buckets(size=60, rate=0.5))
    readings: Buckets = field(default_factory=lambda: Buckets(size=60, rate=1))
    """Seconds of work on what strangers send, by address."""
    guesses: Buckets = field(default_factory=lambda: Buckets(size=10, rate=0.05))
    talk: Buckets = field(default_factory=lambda: Buckets(size=30, rate=1))
    """Lines that are said at tables, by address."""
    deeds: Turns = field(default_factory=lambda: Turns(16))
    questions: Turns = field(default_factory=lambda: Turns(2))
    """What one address has done and answered at its tables at a time: the rest of it waits behind its own."""
    telling: Turns = field(default_factory=lambda: Turns(8))
    """How many who only watch are told something, of an address, before everybody else is heard."""

    @property
    def local(self) -> bool:
        """Whether this is a server for one machine, with an owner."""
        return self.owner is not None


class Visit:
    """One request or socket: who comes with it, what it brings, and the desk it comes to."""

    def __init__(self, connection: HTTPConnection) -> None:
        self.connection = connection
        self.desk: Desk = connection.app.state.desk
        self.lobby: Lobby = self.desk.lobby
        self.house: House = self.lobby.house
        self.library: Library = self.house.library

    # Who is it ------------------------------------------------------------------------------

    @property
    def token(self) -> str:
        """What the browser shows for its person."""
        return self.connection.cookies.get(COOKIE, "")

    @property
    def address(self) -> str:
        """Where it comes from: an address, or the network of one household."""
        return household(self.connection.scope)

    @property
    def label(self) -> str:
        """What a browser is called among a person's devices."""
        return device_label(self.connection.headers.get("user-agent", ""))

    async def known(self) -> Known | None:
        """The person and device this comes from, if we know them."""
        return await self.desk.people.find(self.token)

    async def person(self) -> int | None:
        """The person this comes from, if we know them."""
        known = await self.known()
        return None if known is None else known.person

    async def someone(self) -> int:
        """The person this comes from; somebody who has our cookie is entered now."""
        return await self.desk.people.welcome(self.token, self.label)

    async def is_owner(self) -> bool:
        """Whether this comes from the owner's browser, and to this machine by its own name."""
        return self.desk.local and self.at_home and await self.person() == self.desk.owner

    @property
    def at_home(self) -> bool:
        """Whether this machine is addressed by its own name."""
        return self.connection.url.hostname in ("127.0.0.1", "localhost", "::1")

    def hurried(self, person: int) -> None:
        """Refuse somebody who begins matches too fast."""
        if not self.desk.matches.take(str(person)):
            raise Refused("flood", "too many new matches; wait a little")

    async def read(self, name: str, *values: Any, limit: float = 10.0) -> Any:
        """Have a worker read what a stranger sent, within the budget of where it comes from."""
        if not self.desk.readings.take(self.address):
            raise Busy("too much has come from there to be read; wait a little", 5)
        began = time.monotonic()
        try:
            return await self.house.readers.ask(name, *values, limit=limit)
        finally:
            self.desk.readings.spend(self.address, max(0.0, time.monotonic() - began - 1))

    # What it brings -------------------------------------------------------------------------

    async def body(self, limit: int) -> bytes:
        """The body of a request; too long a one is refused."""
        assert isinstance(self.connection, Request)
        body = bytearray()
        try:
            async with asyncio.timeout(BODY_WITHIN):
                async for chunk in self.connection.stream():
                    body += chunk
                    if len(body) > limit:
                        raise Refused("long", "that is too long")
        except (TimeoutError, ClientDisconnect):
            raise Refused("form", "the request broke off") from None
        return bytes(body)

    async def form(self, kind: type[T], limit: int = FRAME) -> T:
        """The body of a request as a value; anything unknown in it is refused."""
        body = await self.body(limit)
        try:
            return msgspec.json.decode(body, type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
            raise Refused("form", str(problem)) from None

    # What it gets ---------------------------------------------------------------------------

    async def page(self, *, head: str = "", status: int = 200) -> Response:
        """The page, which looks at its own address to know what to show; a newcomer gets a token of their own."""
        text = (static_folder() / "index.html").read_text(encoding="utf-8").replace("</head>", f"{SIDES}{head}</head>")
        response = Response(text, status, media_type="text/html", headers={"Cache-Control": "no-cache"})
        if not self.token:
            self.greet(response, self.desk.people.fresh())
        return response

    def greet(self, response: Response, token: str) -> None:
        """Give the browser the token of its person."""
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

    @staticmethod
    def check_land(game_map: GameMap, board: str, palette: str) -> None:
        """Refuse a board or colours that there are not."""
        if palette not in pictures.PALETTES or board not in [b.name for b in game_map.grid.boards]:
            raise Refused("unknown", "there is no such map")

    async def land(self, game_map: GameMap, game: str, board: str, palette: str, *, keep: bool = True) -> Response:
        """The land of a board, drawn."""
        self.check_land(game_map, board, palette)
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


_BROWSERS = (("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("Chrom", "Chrome"), ("Safari", "Safari"))
_SYSTEMS = (
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("Mac OS", "Mac"),
    ("Linux", "Linux"),
)  # fmt: skip


def device_label(agent: str) -> str:
    """A browser in a few words.

    >>> device_label("Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0")
    'Firefox on Linux'
    """
    browser = next((name for mark, name in _BROWSERS if mark in agent), "")
    system = next((name for mark, name in _SYSTEMS if mark in agent), "")
    return " on ".join(part for part in (browser, system) if part) or re.sub(r"[^\w./ -]", "", agent)[:40]
