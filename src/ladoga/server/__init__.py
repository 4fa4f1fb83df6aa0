"""The server: keeps matches, checks orders, shows each side its own view.

``play`` is for one person at their own machine, ``serve`` for several over a network.
"""

from __future__ import annotations

import os
import secrets
import socket
import sys
import threading
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .store import Store

__all__ = ["play", "serve"]

PORT = 4107
"""The port tried first; any free one will do."""


def data_home() -> Path:
    """Where a person's matches are kept."""
    base = os.environ.get("LADOGA_HOME") or os.path.join(
        os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share"), "ladoga"
    )
    return Path(base)


def play(
    game: str | None = None,
    open_browser: bool = True,
    data: str | Path | None = None,
    db: str | Path | None = None,
    port: int = 0,
) -> None:
    """A server for this machine alone, and a browser looking at it."""
    store = _store(db)
    bound = socket.create_server(("127.0.0.1", port)) if port else _free(("127.0.0.1", PORT))
    port = bound.getsockname()[1]
    url = f"http://127.0.0.1:{port}/" + (f"#{game}" if game else "")
    print(f"Ladoga is at {url}  (Ctrl-C ends it; nothing is lost)", flush=True)
    if open_browser:
        threading.Timer(0.6, webbrowser.open, [url]).start()
    _run(bound, store, data, game, local=True)


def serve(
    host: str = "127.0.0.1", port: int = PORT, db: str | Path | None = None, data: str | Path | None = None,
    editor: bool = False,
) -> None:  # fmt: skip
    """A server for several people; with ``editor`` they may correct maps for their own matches."""
    store = _store(db)
    bound = socket.create_server((host, port), reuse_port=False)
    shown = f"[{host}]" if ":" in host else host
    print(f"Ladoga is at http://{shown}:{bound.getsockname()[1]}/", flush=True)
    _run(bound, store, data, None, local=False, editor=editor)


def _store(db: str | Path | None) -> Store:
    """The matches that are kept, opened before anybody is told where to find them."""
    from .store import Store

    return Store(db or data_home() / "matches.db")


def _free(wanted: tuple[str, int]) -> socket.socket:
    try:
        return socket.create_server(wanted)
    except OSError:
        return socket.create_server((wanted[0], 0))


def _run(
    bound: socket.socket, store: Store, data: str | Path | None, game: str | None, *, local: bool, editor: bool = False
) -> None:
    import uvicorn

    from .app import application
    from .hub import Hub
    from .limits import FRAME

    hub = Hub(store, None if data is None else Path(data), game)
    if game is not None:
        hub.game(game)
    owner = store.fact("owner", secrets.token_urlsafe(24)) if local else ""
    home = data_home()
    app = application(
        hub, owner=owner, local=local, pictures_folder=home / "maps", editing=editor,
        corrections=home / "corrections" if local else None,
    )  # fmt: skip
    config = uvicorn.Config(app, log_level="warning", ws_max_size=FRAME, access_log=False, timeout_graceful_shutdown=2)
    try:
        uvicorn.Server(config).run(sockets=[bound])
    except KeyboardInterrupt:
        sys.exit(0)
