"""Lines to browsers: somebody who says nothing, or half a request, does not keep one."""

from __future__ import annotations

import asyncio
import zlib
from collections import Counter
from functools import lru_cache
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.extensions.permessage_deflate import PerMessageDeflate, ServerPerMessageDeflateFactory
from websockets.frames import Frame, Opcode

from .gate import Trusted, household
from .limits import Bucket

HEADERS_WITHIN = 10.0
"""Seconds in which a request's headers have to be there."""
BUSY = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nContent-Length: 40\r\nRetry-After: 5\r\n"
    b"Connection: close\r\n\r\nToo many are here just now; come again.\n"
)
UNCLEAR = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
TAKEN_WITHIN = 30.0
"""Seconds in which some of what waits for a browser has to be taken."""
EACH = 600
"""Lines from one address that bring requests, if there may be so many."""
SMALL = 256
"""Bytes up to which a message is not worth packing."""
PIECE = 1024
"""Bytes that are taken in before anybody counts how many frames they were."""
FRAMES = (600, 100)
"""Frames that a line may bring at once, and in a second after that: messages, parts of them, and signs of life."""
AHEAD = 8
"""Messages that a browser may send while it waits for an answer; then it is not read from until it has one."""


@lru_cache(32)
def squeezed(text: bytes, bits: int) -> bytes:
    """A message as it goes out packed, with little effort: twice the effort makes a table a tenth smaller, and
    everybody waits for it."""
    packing = zlib.compressobj(1, zlib.DEFLATED, -bits, 5)
    return (packing.compress(text) + packing.flush(zlib.Z_SYNC_FLUSH))[:-4]


class Packing(PerMessageDeflate):
    """Packs every message by itself: whoever sits at a table gets the same bytes, which are packed once for all."""

    def encode(self, frame: Frame) -> Frame:
        """A message as it goes out."""
        if frame.opcode is not Opcode.TEXT or len(frame.data) <= SMALL:
            return frame
        return Frame(Opcode.TEXT, squeezed(bytes(frame.data), self.local_max_window_bits), rsv1=True)


class Packer(ServerPerMessageDeflateFactory):
    """Agrees with a browser on how messages are packed."""

    def __init__(self) -> None:
        super().__init__(server_no_context_takeover=True, client_max_window_bits=12)

    def process_request_params(self, *asked: Any) -> tuple[Any, Packing]:
        """What a browser is told, and what packs its messages."""
        told, agreed = super().process_request_params(*asked)
        windows = agreed.remote_max_window_bits, agreed.local_max_window_bits
        return told, Packing(agreed.remote_no_context_takeover, agreed.local_no_context_takeover, *windows)


class Taking(asyncio.Protocol):
    """A line whose other end takes what it is sent, or loses it."""

    transport: asyncio.Transport
    loop: asyncio.AbstractEventLoop
    _waiting: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        """More waits than the other end takes."""
        super().pause_writing()
        self._waiting = self.loop.call_later(TAKEN_WITHIN, self.transport.abort)

    def resume_writing(self) -> None:
        """The other end has taken most of it."""
        self._taken()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Somebody goes."""
        self._taken()
        super().connection_lost(exc)

    def _taken(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None


class Socket(Taking, WebSocketsSansIOProtocol):
    """The line of a table."""

    def __init__(self, *values: Any, **named: Any) -> None:
        super().__init__(*values, **named)
        self._frames = Bucket(*FRAMES)
        if self.conn.available_extensions:
            self.conn.available_extensions = [Packer()]

    def data_received(self, data: bytes) -> None:
        """Something came; of what is much, no more is looked at than a line may bring."""
        for begin in range(0, len(data), PIECE):
            if self.transport.is_closing():
                return
            super().data_received(data[begin : begin + PIECE])

    def handle_events(self) -> None:
        """Some frames came. A line that brings too many is cut: every frame costs more than it weighs."""
        if self._frames.take(len(self.conn.events)):
            super().handle_events()
        else:
            self.transport.abort()

    def send_receive_event_to_app(self) -> None:
        """Somebody said something. Only whoever says much at a time is made to wait: to stop reading and to begin again
        costs more than a message."""
        self.read_paused = self.queue.qsize() < AHEAD
        if not _legible(self.frames):
            self.curr_msg_data_type = "bytes"
        super().send_receive_event_to_app()

    def keepalive_timeout(self) -> None:
        """Nobody has been there for a while: what still waits for them will not be taken."""
        super().keepalive_timeout()
        self.transport.abort()

    async def send(self, message: Any) -> None:
        """Send something. What is ``said`` is text as it goes out; what is followed by ``more`` at once goes out
        together with that."""
        said = message.get("said")
        if said is None:
            await super().send(message)
            self.handshake_complete |= self.close_sent  # who is refused has been answered too
            return
        await self.writable.wait()
        if self.disconnected or self.close_sent or self.transport.is_closing():
            raise ClientDisconnected
        try:
            self.conn.send_text(said)
        except InvalidState:
            raise ClientDisconnected from None
        if not message["more"]:
            self.transport.write(b"".join(self.conn.data_to_send()))


def _legible(frames: list[bytes]) -> bool:
    """Whether a message is text, as browsers write it."""
    try:
        b"".join(frames).decode()
    except UnicodeDecodeError:
        return False
    return True


class Line(Taking, H11Protocol):
    """An HTTP connection with a limit on how long its headers may take, and on how many there are, in all and from one
    address."""

    most = 1000
    trusted = Trusted()
    """Proxies, whose lines are many people's."""
    _from: ClassVar[Counter[str]] = Counter()
    """How many lines there are from each address."""

    def __init__(self, *values: Any, **named: Any) -> None:
        super().__init__(*values, **named)
        self._patience: asyncio.TimerHandle | None = None
        self._full = False
        self._address: str | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody comes."""
        super().connection_made(transport)
        self._address = household({"client": self.client})
        self._from[self._address] += 1
        each = self.most if self.client and self.client[0] in self.trusted else min(EACH, self.most // 2)
        self._full = len(self.connections) > self.most or self._from[self._address] > each
        self._wait(1.0 if self._full else HEADERS_WITHIN)

    def data_received(self, data: bytes) -> None:
        """Something came; whoever is one too many is told so, once they have said what they want."""
        if self._full:
            self.transport.write(BUSY)
            self.transport.close()
        else:
            super().data_received(data)

    def _wait(self, seconds: float) -> None:
        self._calm()
        self._patience = self.loop.call_later(seconds, self._enough)

    def _calm(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _enough(self) -> None:
        if self.cycle is None or self.cycle.response_complete:
            self.transport.close()

    def handle_events(self) -> None:
        """Something came."""
        super().handle_events()
        if self.cycle is not None and not self.cycle.response_complete:
            self._calm()

    def on_response_complete(self) -> None:
        """An answer went out: the next request may take its time within the keep-alive limit."""
        super().on_response_complete()
        if not self.transport.is_closing():
            self._wait(HEADERS_WITHIN)

    def handle_websocket_upgrade(self, event: Any) -> None:
        """The line becomes a socket, unless nobody can tell what was asked for."""
        self._leave()
        super().handle_websocket_upgrade(event)
        line = self.transport.get_protocol()
        if isinstance(line, Socket) and not line.handshake_initiated:
            self.transport.write(UNCLEAR)
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Somebody goes."""
        self._leave()
        super().connection_lost(exc)

    def _leave(self) -> None:
        """No request will come any more."""
        self._calm()
        if self._address is not None:
            self._from[self._address] -= 1
            if not self._from[self._address]:
                del self._from[self._address]
            self._address = None
