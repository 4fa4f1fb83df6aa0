"""Lines to browsers: somebody who says nothing, or half a request, does not keep one."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory

HEADERS_WITHIN = 10.0
"""Seconds in which a request's headers have to be there."""
BUSY = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nContent-Length: 40\r\nRetry-After: 5\r\n"
    b"Connection: close\r\n\r\nToo many are here just now; come again.\n"
)
PACKING = {"level": 1, "memLevel": 5}
"""Tables are packed with little effort: twice the effort makes them a tenth smaller, and everybody waits for it."""


class Socket(WebSocketsSansIOProtocol):
    """The line of a table."""

    def __init__(self, *values: Any, **named: Any) -> None:
        super().__init__(*values, **named)
        if self.conn.available_extensions:
            packing = ServerPerMessageDeflateFactory(
                server_max_window_bits=12, client_max_window_bits=12, compress_settings=PACKING
            )
            self.conn.available_extensions = [packing]

    async def send(self, message: Any) -> None:
        """Send something; what is said to be followed by ``more`` at once goes out together with that."""
        if message.get("more") and self.writable.is_set() and self.handshake_complete and not self.close_sent:
            with suppress(InvalidState):  # closed meanwhile, which whatever follows is told
                self.conn.send_text(message["text"].encode())
        else:
            await super().send(message)


class Line(H11Protocol):
    """An HTTP connection with a limit on how long its headers may take, and on how many there are."""

    most = 1000

    def __init__(self, *values: Any, **named: Any) -> None:
        super().__init__(*values, **named)
        self._patience: asyncio.TimerHandle | None = None
        self._full = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody comes."""
        super().connection_made(transport)
        self._full = len(self.connections) > self.most
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
        """The line becomes a socket."""
        self._calm()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        """Somebody goes."""
        self._calm()
        super().connection_lost(exc)
