"""A server in its process: the listening socket, limits of the system, figures for Prometheus, and a calm end."""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import socket
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import uvicorn

from . import logs
from .gate import Trusted
from .limits import FRAME
from .lobby import Lobby
from .metrics import Metrics
from .protocol import Line, Socket
from .store import Ledger, Unwritable
from .wire import packed

log = logging.getLogger("ladoga.server")

BACKLOG = 128
"""Visitors that may wait at the door."""
SPARE = 200
"""Descriptors kept for files, workers and the database."""
SWITCH = 0.00005
"""Seconds after which a thread that works lets another go on: what is written does not wait for what is worked out."""
RUBBISH = (2_500, 2_000, 20)
"""How many new things make it worth looking for those that nobody wants any more: a few at a time, for everybody waits
meanwhile, and seldom through all of them, for what an order needs goes by itself."""
LAST = 8.0
"""Seconds that orders under way have when the server stops."""


def listening(host: str, port: int) -> socket.socket:
    """A socket that waits for visitors. Its answers go out at once: the event loop sees to that only where the
    protocol is named."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        bound.bind((host, port))
        bound.listen(BACKLOG)
    except OSError as problem:
        bound.close()
        raise OSError(problem.errno, f"{problem.strerror} ({host}, port {port})") from None
    return bound


def free_socket(host: str, wanted: int) -> socket.socket:
    """The port that is wanted, or any."""
    try:
        return listening(host, wanted)
    except OSError:
        return listening(host, 0)


def descriptors() -> int:
    """How many lines to browsers the system lets us have, after asking for as many as there are."""
    try:
        import resource
    except ImportError:
        return 400
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 1 << 16), hard))
        soft = min(hard, 1 << 16)
    return max(50, soft - SPARE)


class Serving(uvicorn.Server):
    """A server that says goodbye: the tables are told, nothing more is accepted, everything under way is written."""

    def __init__(self, config: uvicorn.Config, lobby: Lobby) -> None:
        super().__init__(config)
        self._lobby = lobby

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop calmly."""
        await drain(self._lobby)
        await super().shutdown(sockets)


async def drain(lobby: Lobby) -> None:
    """Accept nothing more, tell the tables, and wait for what is under way."""
    lobby.house.closing = True
    rooms = list(lobby.rooms.values())
    for room in rooms:
        room.company.tell(packed(t="closing", message="the server is being restarted; nothing is lost"))
    with suppress(TimeoutError):
        async with asyncio.timeout(LAST):
            for room in rooms:
                async with room.lock:
                    pass
    store = lobby.house.store
    with suppress(Unwritable, TimeoutError):
        async with asyncio.timeout(2):
            await store.write(Ledger.farewell, store.process)
    await asyncio.sleep(0.05)


@contextmanager
def ended_calmly() -> Iterator[None]:
    """Being asked to stop is no failure."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        yield
    except KeyboardInterrupt:
        sys.exit(0)


async def tell_figures(metrics: Metrics, bound: socket.socket) -> asyncio.Server:
    """Answer Prometheus, at an address of its own."""

    async def told(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            async with asyncio.timeout(5):
                asked = (await reader.readuntil(b"\r\n\r\n")).split(b" ", 2)
                found = asked[:2] == [b"GET", b"/metrics"]
                body = metrics.text().encode() if found else b"The figures are at /metrics.\n"
                head = f"HTTP/1.1 {'200 OK' if found else '404 Not Found'}\r\nContent-Type: text/plain; version=0.0.4"
                writer.write(f"{head}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body)
                await writer.drain()
        writer.close()

    return await asyncio.start_server(told, sock=bound)


def run(
    app: Any, lobby: Lobby, bound: socket.socket, figures: socket.socket | None = None, proxies: Iterable[str] = ()
) -> None:  # fmt: skip
    """Serve until somebody ends it."""
    Line.most, Line.trusted = descriptors(), Trusted(proxies)
    sys.setswitchinterval(SWITCH)
    gc.set_threshold(*RUBBISH)
    problems = lobby.house.store.quick_check()
    for problem in problems:
        log.error("the store is damaged: %s; other games go on", problem)
    config = uvicorn.Config(
        app, http=Line, ws=Socket, log_config=None, log_level="warning", access_log=False,
        server_header=False, proxy_headers=False, backlog=BACKLOG, timeout_keep_alive=15, timeout_graceful_shutdown=3,
        ws_max_size=FRAME, h11_max_incomplete_event_size=32_768,
    )  # fmt: skip
    server = Serving(config, lobby)

    async def serve() -> None:
        beside = None if figures is None else await tell_figures(lobby.house.metrics, figures)
        await server.serve(sockets=[bound])
        if beside is not None:
            beside.close()

    with ended_calmly():
        asyncio.run(serve())


def set_up_logs(*, as_json: bool) -> None:
    """Where problems are told."""
    logs.set_up(as_json=as_json)
