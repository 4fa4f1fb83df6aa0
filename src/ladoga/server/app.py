"""The web application: pages, a few plain requests, and one socket a table."""

from __future__ import annotations

import asyncio
import logging
import mimetypes
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar, cast
from urllib.parse import urlsplit

import msgspec
import yaml
from fastapi import FastAPI, Request, Response, WebSocket
from starlette.middleware.gzip import GZipMiddleware
from starlette.websockets import WebSocketDisconnect, WebSocketState

from ..drawing import counter_face, shores_of
from ..kernel.errors import LadogaError
from ..kernel.game import load_game
from ..kernel.map import GameMap
from ..kernel.table import Counter
from . import editor, pictures, showing, wire
from .hub import Hub, Refused, Room, Watcher
from .limits import FRAME, Bucket, Buckets
from .luck import luck
from .match import Match, audience_of
from .opponents import levels

log = logging.getLogger("ladoga.server")

COOKIE = "ladoga"
YEAR = 365 * 24 * 3600
CSP = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self';"
    " connect-src 'self' ws: wss:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
)

STRIKES = 200
"""So many messages too many, or malformed, and the line is cut."""

Form = TypeVar("Form", bound=msgspec.Struct)


def static_folder() -> Path:
    """Where the built client lies."""
    return Path(str(resources.files("ladoga.web"))) / "static"


def fonts_folder() -> Path:
    """Where the typefaces lie; maps and pages share them."""
    return Path(str(resources.files("ladoga.drawing"))) / "fonts"


class Asked:
    """What has been asked of the server by whom; refuses floods."""

    def __init__(self) -> None:
        self.people = Buckets(size=120, rate=20)
        self.drawings = Buckets(size=60, rate=4)
        self.matches = Buckets(size=60, rate=0.5)


def application(
    hub: Hub, *, owner: str = "", local: bool = False, secure: bool = False, pictures_folder: Path | None = None,
    corrections: Path | None = None, editing: bool = False,
) -> FastAPI:  # fmt: skip
    """The application. In ``local`` mode whoever opens the front page is the owner of the machine.

    ``corrections`` is where the owner's corrected maps are kept; ``editing`` lets guests of a server
    use the map editor too, without keeping anything here.
    """

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        ahead = [asyncio.create_task(draw_ahead()), asyncio.create_task(take_up())]
        yield
        for task in ahead:
            task.cancel()
        await asyncio.gather(*ahead, return_exceptions=True)
        hub.close()

    async def take_up() -> None:
        """Go on with the latest matches, in case the computer was thinking when the server stopped."""
        for match in hub.store.unfinished()[:20]:
            with suppress(LadogaError, Refused):
                await hub.room(match)

    async def draw_ahead() -> None:
        """Draw what did not come drawn with the program, so that it is there when somebody asks."""
        if pictures_folder is None:
            return
        for game in hub.games():
            game_map = hub.game(game).map
            for board in game_map.grid.boards:
                await atlas.map(game_map, shores_of(game), board.name, "classic")

    app = FastAPI(title="Ladoga", lifespan=lifespan, docs_url=None, redoc_url=None)
    app.add_middleware(GZipMiddleware, minimum_size=2000, compresslevel=6)
    asked = Asked()
    atlas = pictures.Atlas(pictures_folder)
    faces_shelf: pictures.Shelf[str] = pictures.Shelf(4000)

    # Who is it ------------------------------------------------------------------------------

    def person_of(request: Request | WebSocket) -> int | None:
        token = request.cookies.get(COOKIE, "")
        return hub.store.person(token) if token else None

    def introduced(request: Request, response: Response, *, guest: bool = False) -> Response:
        """Give a newcomer a token of their own."""
        if person_of(request) is None:
            token = owner if local and owner and not guest else secrets.token_urlsafe(24)
            hub.store.welcome(token)
            response.set_cookie(COOKIE, token, max_age=2 * YEAR, httponly=True, samesite="lax", secure=secure)
        return response

    async def form(request: Request, kind: type[Form], limit: int = FRAME) -> Form:
        """The body of a request as a form."""
        return cast(Form, await decoded(request, kind, limit))

    async def body_of(request: Request, limit: int) -> bytes:
        """The body of a request; too long a one is refused."""
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > limit:
                raise Refused("long", "that is too long")
        return body

    async def decoded(request: Request, kind: Any, limit: int) -> Any:
        """The body of a request as a value; anything unknown in it is refused."""
        body = await body_of(request, limit)
        try:
            return msgspec.json.decode(body, type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError) as problem:
            raise Refused("form", str(problem)) from None

    def answer(value: Any, status: int = 200) -> Response:
        return Response(wire.encoder.encode(value), status, media_type="application/json")

    def same_origin(request: Request | WebSocket) -> bool:
        origin = request.headers.get("origin")
        return origin is None or urlsplit(origin).netloc == request.headers.get("host", "")

    @app.middleware("http")
    async def guard(request: Request, go_on: Callable[[Request], Awaitable[Response]]) -> Response:
        """Origins, floods and errors, the same for every request."""
        response: Response
        if request.method not in ("GET", "HEAD") and not same_origin(request):
            response = answer({"code": "origin", "message": "this request comes from another site"}, 403)
        elif not asked.people.take(request.client.host if request.client else ""):
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

    def someone(request: Request) -> int:
        person = person_of(request)
        if person is None:
            raise Refused("stranger", "open the front page first")
        return person

    # Pages ----------------------------------------------------------------------------------

    def page(request: Request, *, guest: bool = False, head: str = "") -> Response:
        text = (static_folder() / "index.html").read_text(encoding="utf-8").replace("</head>", f"{head}</head>")
        response = Response(text, media_type="text/html", headers={"Cache-Control": "no-cache"})
        return introduced(request, response, guest=guest)

    @app.get("/")
    async def home(request: Request) -> Response:
        return page(request)

    @app.get("/g/{match}")
    async def table(request: Request, match: str) -> Response:
        ground = await hub.ground(match)
        head = f'<meta name="ground" content="/api/games/{" ".join(ground)}" />' if ground else ""
        return page(request, guest="seat" in request.query_params, head=head)

    @app.get("/rules/{game}")
    async def rules(request: Request, game: str) -> Response:
        return page(request)

    @app.exception_handler(404)
    async def nowhere(request: Request, _: Exception) -> Response:
        """No such page: the page itself says so; a program is told in its own words."""
        if request.method != "GET" or request.url.path.startswith("/api/"):
            return answer({"code": "unknown", "message": "there is no such page"}, 404)
        response = page(request)
        response.status_code = 404
        return response

    @app.get("/assets/{name:path}")
    async def asset(name: str) -> Response:
        folder = static_folder() / "assets"
        path = (folder / name).resolve()
        if not path.is_relative_to(folder.resolve()) or not path.is_file():
            return answer({"code": "unknown", "message": "there is no such file"}, 404)
        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        kind = "font/woff2" if path.suffix == ".woff2" else kind
        return Response(path.read_bytes(), media_type=kind, headers={"Cache-Control": "no-cache"})

    @app.get("/fonts/{name}")
    async def typeface(name: str) -> Response:
        path = fonts_folder() / name
        if path.suffix != ".woff2" or path.parent != fonts_folder() or not path.is_file():
            return answer({"code": "unknown", "message": "there is no such file"}, 404)
        lasting = {"Cache-Control": "public, max-age=31536000"}
        return Response(path.read_bytes(), media_type="font/woff2", headers=lasting)

    # Games ----------------------------------------------------------------------------------

    @app.get("/api/games")
    async def games(request: Request) -> Response:
        about = [showing.about(hub.game(game)) for game in hub.games()]
        return answer(
            {
                "games": about,
                "levels": levels(),
                "local": local,
                "editor": local or editing,
                "corrections": kept_maps(request),
            }
        )

    @app.get("/api/games/{game}/rules")
    async def cases(game: str) -> Response:
        found = hub.game(game)
        return answer(
            {
                "title": found.title,
                "cases": [{"case": number, "title": c.title, "text": c.text} for number, c in found.cases.items()],
                "charts": found.charts(),
            }
        )

    @app.get("/api/games/{game}/guide")
    async def guide(game: str) -> Response:
        steps = showing.guide(hub.game(game).id)
        if steps is None:
            raise Refused("unknown", "this game has no guide")
        return answer(steps)

    @app.post("/api/faces/{palette}")
    async def faces(request: Request, palette: str) -> Response:
        """Counters drawn: the browser says what it sees of them and gets the drawing back."""
        if palette not in pictures.PALETTES:
            raise Refused("unknown", "there is no such palette")
        counters = await decoded(request, list[Counter], limit=400_000)
        return answer([face(counter, palette) for counter in counters[:400]])

    def face(counter: Counter, palette: str) -> str:
        return faces_shelf.get((palette, str(counter)), lambda: counter_face(counter, palette=palette))

    def shown(request: Request, picture: pictures.Picture) -> Response:
        """A drawing, unless the browser has it already."""
        tag = f'"{picture.key}"'
        headers = {"Cache-Control": "no-cache", "ETag": tag, "Vary": "Accept-Encoding"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(picture.text, media_type="image/svg+xml", headers=headers)
        return Response(picture.packed, media_type="image/svg+xml", headers={**headers, "Content-Encoding": "gzip"})

    async def drawn(
        request: Request, game_map: GameMap, game: str, board: str, palette: str, *, keep: bool = True
    ) -> Response:
        if palette not in pictures.PALETTES or board not in [b.name for b in game_map.grid.boards]:
            raise Refused("unknown", "there is no such map")
        return shown(request, await atlas.map(game_map, shores_of(game), board, palette, keep=keep))

    @app.get("/api/games/{game}/map.json")
    async def geometry(game: str) -> Response:
        return answer(pictures.geometry(hub.game(game).map))

    @app.get("/api/games/{game}/map/{board}/{palette}.svg")
    async def land(request: Request, game: str, board: str, palette: str) -> Response:
        return await drawn(request, hub.game(game).map, game, board, palette)

    @app.get("/api/games/{game}/card/{palette}.svg")
    async def game_card(request: Request, game: str, palette: str) -> Response:
        if palette not in pictures.PALETTES:
            raise Refused("unknown", "there is no such palette")
        return shown(request, await atlas.card(hub.game(game), shores_of(game), palette))

    # Matches --------------------------------------------------------------------------------

    @app.get("/api/matches")
    async def mine(request: Request) -> Response:
        person = person_of(request)
        if person is None:
            return answer({"matches": [], "name": ""})
        return answer({"matches": await hub.mine(person), "name": hub.store.name(person)})

    @app.post("/api/matches")
    async def begin(request: Request) -> Response:
        person = someone(request)
        if not asked.matches.take(str(person)):
            raise Refused("flood", "too many new matches; wait a little")
        wish = await form(request, wire.NewMatch, limit=editor.LIMIT)
        kind = wish.kind if wish.kind in ("match", "study", "guide") else "match"
        overlay = await asyncio.to_thread(chosen_overlay, request, wish)
        match, invites = await hub.create(
            person, wish.game, wish.seats, wish.scenario, wish.options, kind=kind, overlay=overlay
        )
        return answer({"id": match, "invites": {side: f"/g/{match}?seat={token}" for side, token in invites.items()}})

    @app.post("/api/open")
    async def open_file(request: Request) -> Response:
        person = someone(request)
        if not asked.matches.take(str(person)):
            raise Refused("flood", "too many new matches; wait a little")
        wish = await form(request, wire.Open, limit=5_000_000)
        return answer({"id": await hub.open(person, wish.text, wish.seats, trusted=is_owner(request))})

    @app.post("/api/name")
    async def call(request: Request) -> Response:
        await hub.call(someone(request), (await form(request, wire.Called)).name.strip())
        return answer({"ok": True})

    @app.delete("/api/matches/{match}")
    async def forget(request: Request, match: str) -> Response:
        await hub.forget(match, someone(request))
        return answer({"ok": True})

    @app.post("/api/matches/{match}/sit")
    async def sit(request: Request, match: str) -> Response:
        person = someone(request)
        wish = await form(request, wire.Sit)
        if wish.name.strip():
            hub.store.call(person, wish.name.strip())
        return answer({"side": await hub.sit(match, wish.token, person)})

    @app.post("/api/matches/{match}/invite")
    async def invite(request: Request, match: str) -> Response:
        person = someone(request)
        wish = await form(request, wire.Invite)
        room = await hub.room(match)
        free = any(seat.side == wish.side and not seat.player and seat.person is None for seat in room.match.seats)
        if not free or not hub.sides_of(room.match, person):
            raise Refused("seat", "that seat is not yours to give away")
        return answer({"link": f"/g/{match}?seat={hub.store.invite(match, wish.side)}"})

    @app.post("/api/matches/{match}/whatif")
    async def what_if(request: Request, match: str) -> Response:
        person = someone(request)
        if not asked.matches.take(str(person)):
            raise Refused("flood", "too many new matches; wait a little")
        return answer({"id": await hub.what_if(person, match, (await form(request, wire.WhatIf)).n)})

    @app.get("/api/matches/{match}/map.json")
    async def own_geometry(match: str) -> Response:
        return answer(pictures.geometry((await hub.room(match)).match.position.map))

    @app.get("/api/matches/{match}/map/{board}/{palette}.svg")
    async def own_land(request: Request, match: str, board: str, palette: str) -> Response:
        found = (await hub.room(match)).match
        return await drawn(request, found.position.map, found.kept.game, board, palette)

    @app.get("/api/matches/{match}/record")
    async def record(request: Request, match: str) -> Response:
        found = (await hub.room(match)).match
        if not found.over and (found.secret() or not hub.sides_of(found, someone(request))):
            raise Refused("secret", "the whole record opens when the game is over")
        name = f"{found.kept.game}-{match}.txt"
        return Response(
            found.record().text(),
            media_type="text/plain; charset=utf-8",
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )

    # Correcting maps ------------------------------------------------------------------------

    def is_owner(request: Request) -> bool:
        """Whether this comes from the owner's browser, and to this machine by its own name."""
        here = request.url.hostname in ("127.0.0.1", "localhost", "::1")
        return local and here and bool(owner) and request.cookies.get(COOKIE, "") == owner

    def may_edit() -> None:
        if not (local or editing):
            raise Refused("closed", "maps are not corrected on this server; use ladoga play on your own machine")

    def shelf(request: Request) -> editor.Shelf:
        """The owner's shelf, for nobody else."""
        if corrections is None or not is_owner(request):
            raise Refused("closed", "corrections are kept only for the owner of the machine; download them instead")
        return editor.Shelf(corrections)

    def kept_maps(request: Request) -> dict[str, list[str]]:
        """The corrections the owner keeps, game by game."""
        if corrections is None or not is_owner(request):
            return {}
        return {game: names for game in hub.games() if (names := shelf(request).names(load_game(game)))}

    def chosen_overlay(request: Request, wish: wire.NewMatch) -> dict[str, Any] | None:
        """The corrections a match is to be played with: kept ones by name, or those sent along."""
        if wish.corrections:
            return shelf(request).overlay(load_game(wish.game), wish.corrections)
        if wish.map is None:
            return None
        may_edit()
        overlay = {editor.FILE: editor.tidy(load_game(wish.game).map, wish.map)}
        problems = editor.checked(wish.game, overlay).problems
        if problems:
            raise Refused("bad", ": ".join(part for part in problems[0] if part))
        return overlay

    @app.get("/edit/{game}")
    async def edit_page(request: Request, game: str) -> Response:
        return page(request)

    @app.get("/api/editor/{game}")
    async def edit_land(request: Request, game: str) -> Response:
        may_edit()
        found = load_game(game)
        keeps = corrections is not None and is_owner(request)
        return answer(
            {
                **await asyncio.to_thread(editor.land, found),
                "kept": shelf(request).names(found) if keeps else [],
                "keeps": keeps,
                "given": hub.game(game).overlay.get(editor.FILE),
            }
        )

    @app.post("/api/editor/{game}/check")
    async def edit_check(request: Request, game: str) -> Response:
        may_edit()
        someone(request)
        wish = await form(request, editor.Draft, limit=editor.LIMIT)
        overlay = {editor.FILE: wish.map}
        if wish.name and is_owner(request) and wish.name in shelf(request).names(load_game(game)):
            overlay = {**shelf(request).overlay(load_game(game), wish.name), **overlay}
        result = await asyncio.to_thread(editor.checked, game, overlay)
        return answer({"changes": result.changes, "problems": [p._asdict() for p in result.problems]})

    @app.post("/api/editor/{game}/map/{board}/{palette}.svg")
    async def edit_draw(request: Request, game: str, board: str, palette: str) -> Response:
        may_edit()
        if not asked.drawings.take(str(someone(request))):
            raise Refused("flood", "too many drawings; wait a little")
        wish = await form(request, editor.Draft, limit=editor.LIMIT)
        changed = load_game(game).map.changed(editor.corrections_of(wish.map).change)
        return await drawn(request, changed, game, board, palette, keep=False)

    @app.post("/api/editor/{game}/read")
    async def edit_read(request: Request, game: str) -> Response:
        may_edit()
        someone(request)
        values = editor.read(await body_of(request, editor.LIMIT))
        return answer({"map": await asyncio.to_thread(editor.tidy, load_game(game).map, values)})

    @app.post("/api/editor/{game}/packed")
    async def edit_pack(request: Request, game: str) -> Response:
        may_edit()
        someone(request)
        wish = await form(request, editor.Draft, limit=editor.LIMIT)
        found = load_game(game)
        content = await asyncio.to_thread(
            lambda: editor.packed(found, wish.name or "corrections", editor.tidy(found.map, wish.map))
        )
        return Response(content, media_type="application/zip")

    @app.get("/api/editor/{game}/kept/{name}")
    async def edit_load(request: Request, game: str, name: str) -> Response:
        kept = await asyncio.to_thread(shelf(request).load, load_game(game), name)
        return answer(kept._asdict())

    @app.delete("/api/editor/{game}/kept/{name}")
    async def edit_forget(request: Request, game: str, name: str, was: str = "") -> Response:
        return answer({"kept": await asyncio.to_thread(shelf(request).forget, load_game(game), name, was)})

    @app.post("/api/editor/{game}/kept")
    async def edit_save(request: Request, game: str) -> Response:
        wish = await form(request, editor.Save, limit=editor.LIMIT)
        kept = await asyncio.to_thread(shelf(request).save, load_game(game), wish.name, wish.map, wish.was)
        return answer(kept._asdict())

    def audience(request: Request, found: Match) -> str:
        person = person_of(request)
        return audience_of(found, [] if person is None else hub.sides_of(found, person))

    @app.get("/api/matches/{match}/position")
    async def position(request: Request, match: str, n: int | None = None) -> Response:
        found = (await hub.room(match)).match
        document = found.view(audience(request, found), n).document()
        name = f"{found.kept.game}-{match}-{len(found.orders) if n is None else n}.yaml"
        return Response(
            yaml.safe_dump(document, sort_keys=False, allow_unicode=True),
            media_type="text/plain; charset=utf-8",
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )

    @app.get("/api/matches/{match}/proof")
    async def proof(match: str) -> Response:
        found = (await hub.room(match)).match
        if not found.over:
            return answer({"commitment": found.dice.commitment, "seed": "", "rolls": []})
        return answer(await asyncio.to_thread(showing.proof, found))

    @app.get("/api/matches/{match}/luck")
    async def lucky(match: str) -> Response:
        found = (await hub.room(match)).match
        if not found.over:
            raise Refused("secret", "luck is told when the game is over")
        return answer(await asyncio.to_thread(luck, found))

    # The socket -----------------------------------------------------------------------------

    @app.websocket("/ws/{match}")
    async def socket(ws: WebSocket, match: str) -> None:
        person = person_of(ws)
        if not same_origin(ws) or person is None:
            await ws.close(4403)
            return
        try:
            await ws.accept()
            room, watcher = await hub.join(match, person)
        except (Refused, LadogaError) as problem:
            told = wire.packed(t="error", code=getattr(problem, "code", "bad"), message=str(problem))
            await ws.send_text(told.decode())
            await ws.close(4404)
            return
        sending = asyncio.create_task(_send(ws, watcher))
        try:
            await _listen(hub, ws, room, watcher)
        except WebSocketDisconnect:
            pass
        finally:
            hub.leave(room, watcher)
            sending.cancel()
            with suppress(asyncio.CancelledError):
                await sending

    return app


async def _send(ws: WebSocket, watcher: Watcher) -> None:
    while (message := await watcher.queue.get()) is not None:
        await ws.send_text(message.decode())
    await ws.close(4408)


async def _listen(hub: Hub, ws: WebSocket, room: Room, watcher: Watcher) -> None:
    """Answer one message after another until the browser goes, or asks for too much."""
    bucket = Bucket(size=100, rate=40)
    strikes = 0
    while ws.application_state == WebSocketState.CONNECTED:
        text = await ws.receive_text()
        if len(text) > FRAME:
            await ws.close(1009)
            return
        try:
            said = wire.decoder.decode(text)
        except msgspec.DecodeError as problem:
            watcher.tell(wire.packed(t="error", code="form", message=str(problem)))
            strikes += 1
            if strikes > STRIKES:
                await ws.close(4429)
                return
            continue
        try:
            if not bucket.take():
                strikes += 1
                if strikes > STRIKES:
                    await ws.close(4429)
                    return
                raise Refused("flood", "too many messages; wait a little")
            reply = await answered(hub, room, watcher, said)
        except Refused as problem:
            reply = {"ok": False, "code": problem.code, "message": problem.message, "case": problem.case}
        except LadogaError as problem:
            reply = {"ok": False, "code": "bad", "message": str(problem), "case": ""}
        except Exception:
            log.exception("could not answer %s in %s", type(said).__name__, room.match.kept.id)
            reply = {"ok": False, "code": "server", "message": "the server failed; nothing is lost", "case": ""}
        watcher.tell(wire.packed(t="reply", id=said.id, **reply))


async def answered(hub: Hub, room: Room, watcher: Watcher, said: wire.Said) -> dict[str, Any]:
    """What a message gets for an answer."""
    match = room.match
    eyes = audience_of(match, watcher.sides)
    match said:
        case wire.Give():
            return await hub.give(room, watcher, said.action, said.version, said.text)
        case wire.Undo():
            return await hub.undo(room, watcher, said.action, said.version, said.to)
        case wire.Of():
            return {"ok": True, **showing.choices(match.view(eyes), said.units)}
        case wire.Why():
            return {"ok": True, **showing.why(match.view(eyes), said.text)}
        case wire.Explain():
            return {"ok": True, "explanation": showing.explained(match.view(eyes), said.text)}
        case wire.Hex():
            return {"ok": True, "facts": showing.hex_facts(match.view(eyes), said.hex)}
        case wire.Layer():
            return {"ok": True, "layer": await asyncio.to_thread(showing.layer, match, eyes, said.kind)}
        case wire.At():
            return {"ok": True, "state": showing.state(match, eyes, min(said.n, len(match.orders)))}
        case wire.Log():
            return {"ok": True, "log": match.log(eyes, said.n)}
        case wire.Say():
            return await hub.say(room, watcher, said.text)
        case wire.Pace():
            room.wait = said.wait / 1000
            room.hurry.set()
            return {"ok": True}
        case wire.Ready():
            if said.side in watcher.sides:
                watcher.ready = said.side
                hub.show(room)
            return {"ok": True}
        case wire.Point():
            for other in room.watchers - {watcher}:
                other.tell(wire.packed(t="point", hex=said.hex))
            return {"ok": True}
        case wire.Bookmark():
            hub.store.bookmark(match.kept.id, watcher.person, said.n, said.label)
            return {"ok": True, "bookmarks": hub.store.bookmarks(match.kept.id, watcher.person)}
        case wire.Resign():
            return await hub.resign(room, watcher, said.action)
        case wire.Peace():
            return await hub.peace(room, watcher, said.action, said.offer)
