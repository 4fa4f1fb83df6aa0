"""Telling people elsewhere that it is their turn: a signed message to an address of theirs, or of the operator's.

Nothing waits for it: messages go into a short queue that one task empties. Whoever answered last time has threads of
their own, so that addresses that never answer only keep one another waiting. A person's address may not lead into the
network the server stands in: its name is resolved, every address it has must be a public one, and the connection is
made to that very address, so that a name cannot mean something else a moment later. Nobody is led on to elsewhere, and
after a few tries a message is dropped.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import http.client
import ipaddress
import json
import logging
import re
import socket
import ssl
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from weakref import WeakValueDictionary

from .match import Match
from .refused import Refused
from .store import Store, Unwritable
from .store.memos import Hook, hook

log = logging.getLogger("ladoga.server")

WITHIN = 5.0
"""Seconds that the other end has for each thing it does."""
IN_ALL = 12.0
"""Seconds after which the line is cut, whatever the other end still has to say."""
LINES = 8
"""Addresses that messages go to at once, of those that answered last time and of others."""
TRUSTED = 10_000
"""Addresses that are remembered as answering."""
PAUSES = (0.0, 2.0, 15.0, 120.0)
"""Seconds before each try."""
WAITING = 200
"""Messages that may wait."""
LONGEST = 400
"""Characters of an address."""
SIGNED = "X-Ladoga-Signature"


class Message(NamedTuple):
    """Something to be told somewhere."""

    hook: Hook
    body: dict[str, Any]
    inside: bool = False
    """Whether the address may be one of the server's own network."""


def checked(url: str) -> str:
    """An address somebody wants to be told at; refused if it cannot be one."""
    url = url.strip()
    if not url:
        return ""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise Refused("hook", "that is no address") from None
    if len(url) > LONGEST or parts.scheme not in ("http", "https") or not parts.hostname or port == 0:
        raise Refused("hook", "an address begins with https:// or http:// and names a server")
    if not re.fullmatch(r"[!-~]*", parts.path + parts.query):
        raise Refused("hook", "what follows the server in an address is written in plain letters, the rest with %")
    if parts.username or parts.password:
        raise Refused("hook", "an address to be told at has no name and password in it")
    return url


def resolved(url: str, *, inside: bool) -> list[str]:
    """The addresses that a server has; refused if one of them is not public, unless ``inside`` is allowed."""
    parts = urlsplit(url)
    try:
        asked = socket.getaddrinfo(parts.hostname, _port(url), type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Refused("hook", "that server is not known") from None
    found = {str(entry[4][0]) for entry in asked}
    if not inside and not all(public(address) for address in found):
        raise Refused("hook", "that address leads into this server's own network")
    return sorted(found)


def _port(url: str) -> int:
    parts = urlsplit(url)
    return parts.port or (443 if parts.scheme == "https" else 80)


def public(address: str) -> bool:
    """Whether an address is one of the open network.

    >>> [public(a) for a in ("93.184.216.34", "127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "::ffff:192.168.0.1")]
    [True, False, False, False, False, False]
    """
    found = ipaddress.ip_address(address.partition("%")[0])
    mapped = getattr(found, "ipv4_mapped", None) or getattr(found, "sixtofour", None)
    if mapped is not None:
        return public(str(mapped))
    return found.is_global and not found.is_multicast


def signature(secret: str, at: str, body: bytes) -> str:
    """What a message is signed with: whoever knows the secret can work it out, over its time and its text."""
    return "sha256=" + hmac.new(secret.encode(), at.encode() + b"." + body, hashlib.sha256).hexdigest()


def send(message: Message) -> int:
    """Send a message once; the other end's answer as a number."""
    parts = urlsplit(checked(message.hook.url))
    host, port = str(parts.hostname), _port(message.hook.url)
    address = resolved(message.hook.url, inside=message.inside)[0]
    body, at = json.dumps(message.body, ensure_ascii=False).encode(), str(int(time.time()))
    headers = {
        "Content-Type": "application/json", "User-Agent": "Ladoga", "X-Ladoga-Time": at,
        SIGNED: signature(message.hook.secret, at, body),
    }  # fmt: skip
    line = http.client.HTTPConnection(host, port, timeout=WITHIN)
    line.sock = socket.create_connection((address, port), WITHIN)
    if parts.scheme == "https":
        line.sock = ssl.create_default_context().wrap_socket(line.sock, server_hostname=host)
    cut = threading.Timer(IN_ALL, _cut, (line.sock,))
    cut.daemon = True
    cut.start()
    try:
        line.request("POST", (parts.path or "/") + (f"?{parts.query}" if parts.query else ""), body, headers)
        return line.getresponse().status
    finally:
        cut.cancel()
        line.close()


def _cut(line: socket.socket) -> None:
    with suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)


class Messenger:
    """Tells people elsewhere."""

    def __init__(
        self, store: Store, here: str = "", everybody: Hook | None = None, *, inside: bool = False,
        sent: Callable[[Message], int] = send, pauses: tuple[float, ...] = PAUSES,
    ) -> None:  # fmt: skip
        self._store, self._here, self._everybody, self.inside = store, here.rstrip("/"), everybody, inside
        self._sent, self._pauses = sent, pauses
        self._known = ThreadPoolExecutor(LINES, thread_name_prefix="messenger")
        self._others = ThreadPoolExecutor(LINES, thread_name_prefix="messenger-new")
        """Somebody else's server may take its time: rooms are opened and overlays worked out in other threads."""
        self._answering: OrderedDict[str, None] = OrderedDict()
        """Addresses that answered last time."""
        self._lines: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """Only one message at a time goes to an address."""
        self._queue: asyncio.Queue[tuple[int, dict[str, Any]]] = asyncio.Queue(WAITING)
        self.dropped = 0

    def moved(self, match: Match, before: str | None, here: set[int]) -> None:
        """Somebody else is to move, or the match is over: those who are not at the table are told."""
        side = match.to_move
        if side == before:
            return
        seats = [seat for seat in match.seats if seat.person is not None and seat.person not in here]
        for seat in seats if match.over else [seat for seat in seats if seat.side == side]:
            try:
                self._queue.put_nowait((seat.person or 0, self._told(match, seat.side, seat.name)))
            except asyncio.QueueFull:
                self.dropped += 1

    def _told(self, match: Match, side: str, name: str) -> dict[str, Any]:
        phase = match.position.phase
        return {
            "event": "over" if match.over else "turn", "match": match.kept.id, "game": match.game.id,
            "title": match.game.title, "side": side, "name": name, "turn": match.position.turn, "phase": phase.title,
            "url": f"{self._here}/g/{match.kept.id}",
            "text": f"{match.game.title}: "
            + ("the game is over" if match.over else f"your move, turn {match.position.turn}, {phase.title}"),
        }  # fmt: skip

    async def run(self) -> None:
        """Empty the queue, for ever; messages go out beside one another, and a pause before a try holds nobody up."""
        busy: set[asyncio.Task[None]] = set()
        while True:
            person, body = await self._queue.get()
            for one in await self._whither(person, body):
                while len(busy) >= WAITING:
                    await asyncio.wait(busy, return_when=asyncio.FIRST_COMPLETED)
                task = asyncio.create_task(self._tried(one))
                busy.add(task)
                task.add_done_callback(busy.discard)

    async def _whither(self, person: int, body: dict[str, Any]) -> list[Message]:
        found = [] if self._everybody is None else [Message(self._everybody, body, inside=True)]
        with suppress(Unwritable):
            own = await self._store.read(hook, person)
            if own is not None:
                found.append(Message(own, body, self.inside))
        return found

    async def _tried(self, message: Message) -> None:
        for pause in self._pauses:
            await asyncio.sleep(pause)
            try:
                status = await self._delivered(message)
            except Refused as problem:
                log.info("a turn is not told: %s", problem.message)
                return
            except (OSError, http.client.HTTPException) as problem:
                log.info("a turn could not be told: %s", type(problem).__name__)
                continue
            if status < 500 and status != 429:
                return
        self.dropped += 1

    async def _delivered(self, message: Message) -> int:
        url, loop = message.hook.url, asyncio.get_running_loop()
        line = self._lines.get(url)
        if line is None:
            line = self._lines[url] = asyncio.Lock()
        async with line:
            threads = self._known if self._answering.pop(url, 0) is None else self._others
            status = await loop.run_in_executor(threads, self._sent, message)
            if status < 500:
                self._answering[url] = None
                while len(self._answering) > TRUSTED:
                    self._answering.popitem(last=False)
            return status

    async def try_out(self, person: int) -> int:
        """Send a person a message now, to see whether it arrives; the answer of the other end as a number."""
        own = await self._store.read(hook, person)
        if own is None:
            raise Refused("hook", "there is no address yet")
        body = {"event": "test", "text": "Ladoga will tell you here when it is your turn."}
        try:
            return await self._delivered(Message(own, body, self.inside))
        except (OSError, http.client.HTTPException) as problem:
            raise Refused("hook", f"nobody answered there ({type(problem).__name__})") from None
