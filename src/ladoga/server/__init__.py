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
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .claim import Claim, Taken
from .door import Door, Names

if TYPE_CHECKING:
    from .store import Store

__all__ = ["play", "serve"]

PORT = 4107
"""The port tried first; any free one will do."""
BACKLOG = 128
"""Visitors that may wait at the door."""


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
    """A server for this machine alone, and a browser looking at it. If one keeps these matches already, the browser
    looks at that one."""
    try:
        claim = Claim(_file(db))
    except Taken as taken:
        if taken.sign is None or not taken.sign.secret:
            raise
        url = _entrance(taken.sign.url, Door(taken.sign.secret), game)
        print(f"Ladoga is running already, at {url}", flush=True)
        if open_browser:
            webbrowser.open(url)
        return
    with claim:
        store = _store(db)
        bound = listening("127.0.0.1", port) if port else _free("127.0.0.1", PORT)
        here, door = f"http://127.0.0.1:{bound.getsockname()[1]}/", Door()
        url = _entrance(here, door, game)
        claim.say(here, door.secret)
        print(f"Ladoga is at {url}  (Ctrl-C ends it; nothing is lost)", flush=True)
        if open_browser:
            threading.Timer(0.6, webbrowser.open, [url]).start()
        _run(bound, store, data, game, local=True, door=door)


def _entrance(here: str, door: Door, game: str | None) -> str:
    """Where the owner comes in: the address works once."""
    return f"{here}enter/{door.key()}" + (f"#{game}" if game else "")


def serve(
    host: str = "127.0.0.1", port: int = PORT, db: str | Path | None = None, data: str | Path | None = None,
    editor: bool = False, names: Sequence[str] = (),
) -> None:  # fmt: skip
    """A server for several people, by the ``names`` it is known under; with ``editor`` they may correct maps for
    their own matches."""
    with Claim(_file(db)) as claim:
        store = _store(db)
        bound = listening(host, port)
        shown = f"[{host}]" if ":" in host else host
        url = f"http://{shown}:{bound.getsockname()[1]}/"
        claim.say(url)
        print(f"Ladoga is at {url}", flush=True)
        _run(bound, store, data, None, local=False, editor=editor, names=Names([host, *names]))


def _file(db: str | Path | None) -> Path:
    """Where matches are kept."""
    return Path(db or data_home() / "matches.db")


def _store(db: str | Path | None) -> Store:
    """The matches that are kept, opened before anybody is told where to find them."""
    from .store import Store

    return Store(_file(db))


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


def _free(host: str, wanted: int) -> socket.socket:
    try:
        return listening(host, wanted)
    except OSError:
        return listening(host, 0)


def _run(
    bound: socket.socket, store: Store, data: str | Path | None, game: str | None, *, local: bool, editor: bool = False,
    door: Door | None = None, names: Names | None = None,
) -> None:  # fmt: skip
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
        corrections=home / "corrections" if local else None, door=door, names=names,
    )  # fmt: skip
    config = uvicorn.Config(app, log_level="warning", ws_max_size=FRAME, access_log=False, timeout_graceful_shutdown=2)
    try:
        uvicorn.Server(config).run(sockets=[bound])
    except KeyboardInterrupt:
        sys.exit(0)
