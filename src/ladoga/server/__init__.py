"""The server: keeps matches, checks orders, shows each side its own view.

``play`` is for one person at their own machine, ``serve`` for several over a network.
"""

from __future__ import annotations

import os
import threading
import webbrowser
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..analysis.links import LONGEST, PORT, fragment
from ..kernel.errors import BadData, LadogaError
from .claim import Claim, Taken
from .door import Door, Names

if TYPE_CHECKING:
    from .lobby import Lobby
    from .store.memos import Hook

__all__ = ["data_home", "play", "serve"]

WAIT = 60.0
"""Seconds that a server waits for a database that is not there yet."""


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
    record: str = "",
    cores: int | None = None,
) -> None:
    """A server for this machine alone, and a browser looking at it, at a ``record`` if one is given. If one keeps these
    matches already, the browser looks at that one."""
    where = Path(db or data_home() / "matches.db")
    try:
        claim = Claim(where)
    except Taken as taken:
        if taken.sign is None or not taken.sign.secret:
            raise
        url = _entrance(taken.sign.url, Door(taken.sign.secret), game, record)
        print(f"Ladoga is running already, at {_told(url, open_browser)}", flush=True)
        if open_browser:
            webbrowser.open(url)
        return
    from ..players.cores import every_core
    from .app import application
    from .running import free_socket, listening, run, set_up_logs

    with claim:
        set_up_logs(as_json=False)
        lobby = _lobby(where, data, game, cores=cores or every_core())
        bound = listening("127.0.0.1", port) if port else free_socket("127.0.0.1", PORT)
        here, door = f"http://127.0.0.1:{bound.getsockname()[1]}/", Door()
        url = _entrance(here, door, game, record)
        claim.say(here, door.secret)
        print(f"Ladoga is at {_told(url, open_browser)}  (Ctrl-C ends it; nothing is lost)", flush=True)
        if open_browser:
            threading.Timer(0.6, webbrowser.open, [url]).start()
        home = data_home()
        app = application(
            lobby, local=True, door=door, pictures_folder=home / "maps", corrections=home / "corrections"
        )  # fmt: skip
        run(app, lobby, bound)


def _entrance(here: str, door: Door, game: str | None, record: str = "") -> str:
    """Where the owner comes in: the address works once. It may bring a record along, to be opened at the table."""
    onward = fragment(record) if record else game or ""
    if len(onward) > LONGEST:
        raise LadogaError("the record is too long for this: open it on the front page of ladoga play")
    return f"{here}enter/{door.key()}" + (f"#{onward}" if onward else "")


def _told(url: str, open_browser: bool) -> str:
    """An address as it is printed: the record that it may bring along only where somebody has to copy it."""
    return url.partition("#record=")[0] if open_browser else url


def serve(
    host: str = "127.0.0.1", port: int = PORT, store: str | Path | None = None, data: str | Path | None = None, *,
    editor: bool = False, names: Sequence[str] = (), proxies: Sequence[str] = (), secure: bool = False,
    metrics: tuple[str, int] | None = None, json_logs: bool = False, thinkers: int = 0, cores: int = 1,
    delay: float = 0.0, webhook: str = "", inside: bool = False, wait: float = WAIT,
) -> None:  # fmt: skip
    """A server for several people, by the ``names`` it is known under. The ``store`` is a file or the address of a
    PostgreSQL database, which several servers may share and which is waited for if it is not there yet; with ``editor``
    guests may correct maps for their own matches.
    Turns that wait for somebody who is away are told to the ``webhook``, and to people's own, ``inside`` this network
    too if so wished.
    """
    from .app import application
    from .gate import Trusted
    from .running import listening, run, set_up_logs
    from .store import is_address

    where = store or data_home() / "matches.db"
    alone = not is_address(where)
    with Claim(Path(where)) if alone else nullcontext() as claim:
        set_up_logs(as_json=json_logs)
        shown = f"[{host}]" if ":" in host else host
        known = f"{'https' if secure else 'http'}://{names[0]}" if names else f"http://{shown}:{port}"
        lobby = _lobby(
            where, data, None, thinkers=thinkers, cores=cores, delay=delay, here=known, webhook=_webhook(webhook),
            inside=inside, wait=wait,
        )  # fmt: skip
        bound = listening(host, port)
        url = f"http://{shown}:{bound.getsockname()[1]}/"
        if claim is not None:
            claim.say(url)
        print(f"Ladoga is at {url}", flush=True)
        app = application(
            lobby, secure=secure, pictures_folder=data_home() / "maps", editing=editor, names=Names([host, *names]),
            trusted=Trusted(proxies),
        )  # fmt: skip
        run(app, lobby, bound, None if metrics is None else listening(*metrics), proxies)


def _webhook(url: str) -> Hook | None:
    """Where turns are told; what they are signed with is not given where others can read it."""
    from .hooks import checked
    from .store.memos import Hook

    secret = os.environ.get("LADOGA_WEBHOOK_SECRET", "")
    if url and not secret:
        raise BadData("what messages to --webhook are signed with is to be in LADOGA_WEBHOOK_SECRET")
    return Hook(checked(url), secret) if url else None


def _lobby(where: str | Path, data: str | Path | None, game: str | None, **wishes: Any) -> Lobby:
    """The matches that are kept, opened before anybody is told where to find them."""
    from .assembly import assemble
    from .library import Library

    library = Library(None if data is None else Path(data), game)
    if game is not None:
        library.game(game)
    return assemble(where, library, **wishes)
