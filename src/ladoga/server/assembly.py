"""A lobby with everything behind it."""

from __future__ import annotations

from pathlib import Path

from .house import House
from .library import Library
from .lobby import Lobby
from .store import open_store
from .thinking import Thinkers
from .workers import Pool


def assemble(
    where: str | Path, library: Library | None = None, *, thinkers: int = 0, delay: float = 0.0, wait: float = 0.0
) -> Lobby:
    """The lobby of a server that keeps its matches there."""
    library = library or Library()
    return Lobby(House(open_store(where, wait), library, Thinkers(library, thinkers), Pool(library), delay=delay))
