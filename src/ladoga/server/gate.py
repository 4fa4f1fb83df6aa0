"""The gate: what holds for every request and socket before anybody looks at what it wants.

Names, origins, framing that means two things, floods, and too much at once; and the headers of every answer.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import secrets
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .door import Names
from .limits import Buckets
from .logs import about
from .metrics import Metrics
from .wire import encoder

log = logging.getLogger("ladoga.server")

CSP = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self';"
    " connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
)
HEADERS = {
    "content-security-policy": CSP,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
HSTS = "max-age=31536000"

AT_ONCE = 200
"""Requests that are answered at the same time, and of one address."""
AT_ONCE_EACH = 50
SOCKETS = 2000
"""Sockets in all, and of one address: as long as half of those that are free would be as many, and always a few."""
SOCKETS_EACH = 500
SOCKETS_ALWAYS = 20
LONGEST = 8192
"""Bytes of an address, or of all headers."""
LATE = 1.0
"""Seconds the server may be behind before newcomers are sent away."""
CROWD = 12
"""Requests or tables from which on being late is the doing of those who are here, not of a busy machine."""


class Trusted:
    """Proxies whose word about where a visitor comes from is taken."""

    def __init__(self, given: Iterable[str] = ()) -> None:
        self._networks = [ipaddress.ip_network(word, strict=False) for word in given]

    def __contains__(self, address: str) -> bool:
        try:
            number = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(number in network for network in self._networks)


class Pulse:
    """How far the server is behind: it means to look at the clock ten times a second."""

    def __init__(self, metrics: Metrics) -> None:
        self.lag = 0.0
        self._metrics = metrics

    async def run(self) -> None:
        """Look at the clock for ever."""
        while True:
            due = time.monotonic() + 0.1
            await asyncio.sleep(0.1)
            late = max(0.0, time.monotonic() - due)
            self._metrics.took("lag", late)
            self.lag = 0.7 * self.lag + 0.3 * late


class Gate:
    """Lets in what may come in, and sends the rest away in words."""

    def __init__(
        self, app: ASGIApp, *, names: Names, people: Buckets, metrics: Metrics, pulse: Pulse, secure: bool = False,
        trusted: Trusted | None = None,
    ) -> None:  # fmt: skip
        self._app = app
        self._names = names
        self._people = people
        self._metrics = metrics
        self._pulse = pulse
        self._secure = secure
        self._trusted = trusted or Trusted()
        self.requests: Counter[str] = Counter()
        self.sockets: Counter[str] = Counter()
        headers = {**HEADERS, "strict-transport-security": HSTS} if secure else HEADERS
        self._headers = [(key.encode(), value.encode()) for key, value in headers.items()]
        metrics.gauge("requests_now", "Requests being answered.", self.requests.total)
        metrics.gauge("sockets_now", "Sockets open.", self.sockets.total)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request or socket."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        self._believe(scope, headers)
        address = household(scope)
        with about(request=secrets.token_hex(4), path=scope["path"]):
            problem = self._problem(scope, headers, address)
            if scope["type"] == "http":
                await self._answered(scope, receive, send, address, problem)
            elif problem is not None:
                await self._refuse(_before_the_socket(send), *problem)
            else:
                with _counted(self.sockets, address):
                    await self._app(scope, receive, send)

    def _believe(self, scope: Scope, headers: dict[bytes, bytes]) -> None:
        """Where a visitor comes from, if a proxy that we trust says so."""
        client = scope.get("client")
        if client is None or client[0] not in self._trusted:
            return
        chain = [part.strip() for part in headers.get(b"x-forwarded-for", b"").decode("latin-1").split(",")]
        for address in reversed([part for part in chain if part]):
            scope["client"] = (address, 0)
            if address not in self._trusted:
                break
        if headers.get(b"x-forwarded-proto") == b"https":
            scope["scheme"] = "wss" if scope["type"] == "websocket" else "https"

    def _problem(self, scope: Scope, headers: dict[bytes, bytes], address: str) -> tuple[int, str, str] | None:
        """Why this is not let in: status, code, words."""
        host = headers.get(b"host", b"").decode("latin-1")
        kinds = [key for key, _ in scope["headers"]]
        if not self._names.know(host):
            return 421, "name", "this server does not go by that name"
        if (b"transfer-encoding" in kinds and b"content-length" in kinds) or kinds.count(b"host") != 1:
            return 400, "form", "this request can be read in two ways"
        if sum(len(key) + len(value) for key, value in scope["headers"]) > LONGEST:
            return 431, "long", "that is too much to say beforehand"
        if len(scope["path"]) + len(scope["query_string"]) > LONGEST:
            return 414, "long", "that address is too long"
        if "\0" in scope["path"]:
            return 400, "form", "there is no such address"
        origin = headers.get(b"origin")
        asking = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if asking and origin is not None and _site(origin.decode("latin-1")) != host:
            return 403, "origin", "this request comes from another site"
        if scope["path"].startswith("/health"):
            return None
        if scope["type"] == "websocket":
            here = self.sockets.total()
            if here >= SOCKETS or self._late():
                return 503, "busy", "too many are here just now; try again in a moment"
            if self.sockets[address] >= min(SOCKETS_EACH, max(SOCKETS_ALWAYS, (SOCKETS - here) // 2)):
                return 429, "flood", "too many tables are open from there"
        else:
            if self.requests.total() >= AT_ONCE or (self._late() and not scope["path"].startswith("/assets")):
                return 503, "busy", "too much is asked for just now; try again in a moment"
            if self.requests[address] >= AT_ONCE_EACH:
                return 429, "flood", "too much is asked for from there at a time"
        if not self._people.take(address):
            return 429, "flood", "too many requests; wait a little"
        return None

    def _late(self) -> bool:
        """Whether those who are here keep the server from answering in time."""
        return self._pulse.lag > LATE and self.requests.total() + self.sockets.total() >= CROWD

    async def _answered(
        self, scope: Scope, receive: Receive, send: Send, address: str, problem: tuple[int, str, str] | None
    ) -> None:  # fmt: skip
        begun = False

        async def sent(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                message["headers"] = [*message.get("headers", ()), *self._headers]
                self._metrics.count("requests", "status", str(message["status"]))
            await send(message)

        if problem is not None:
            await self._refuse(sent, *problem)
            return
        try:
            with _counted(self.requests, address):
                await self._app(scope, receive, sent)
        except Exception:
            log.exception("could not answer %s %s", scope["method"], scope["path"])
            if not begun:
                await self._refuse(sent, 500, "server", "the server failed; nothing is lost")

    async def _refuse(self, send: Send, status: int, code: str, message: str) -> None:
        body = encoder.encode({"code": code, "message": message, "case": ""})
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        if status in (429, 503):
            self._metrics.count("shed", "status", str(status))
            headers.append((b"retry-after", b"2"))
        if status in (400, 414, 421, 431, 503):
            headers.append((b"connection", b"close"))
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})


@contextmanager
def _counted(here: Counter[str], address: str) -> Iterator[None]:
    """Count somebody as long as they are here."""
    here[address] += 1
    try:
        yield
    finally:
        here[address] -= 1
        if not here[address]:
            del here[address]


def _before_the_socket(send: Send) -> Send:
    """A socket is refused with a plain answer."""

    async def sent(message: Message) -> None:
        await send({**message, "type": message["type"].replace("http.", "websocket.http.", 1)})

    return sent


def _site(origin: str) -> str:
    """The name of the site that a request comes from."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


def household(scope: Scope) -> str:
    """Whom a visitor counts as: an address, or the network of one household."""
    client = scope.get("client")
    host = client[0] if client else ""
    try:
        number = ipaddress.ip_address(host)
    except ValueError:
        return host
    if number.version == 6 and number.ipv4_mapped is None:
        return str(ipaddress.ip_network((number, 64), strict=False))
    return host
