"""A lobby with everything behind it."""

from __future__ import annotations

from pathlib import Path

from .hooks import Messenger
from .house import House
from .library import Library
from .lobby import Lobby
from .store import open_store
from .store.memos import Hook
from .thinking import Thinkers
from .workers import Pool


def assemble(
    where: str | Path, library: Library | None = None, *, thinkers: int = 0, cores: int = 1, delay: float = 0.0,
    here: str = "", webhook: Hook | None = None, inside: bool = False, wait: float = 0.0,
) -> Lobby:  # fmt: skip
    """The lobby of a server that keeps its matches there, is to be found ``here``, and tells turns to a ``webhook``;
    ``inside`` lets people be told at addresses in the server's own network."""
    library, store = library or Library(), open_store(where, wait)
    messenger = Messenger(store, here, webhook, inside=inside)
    thinking = Thinkers(library, thinkers, cores)
    return Lobby(House(store, library, thinking, Pool(library), delay=delay, messenger=messenger))
