"""Pictures for the browser: the land of each board, drawn once, and where every hex lies on it."""

from __future__ import annotations

import asyncio
import hashlib
import os
import sys
from asyncio.subprocess import PIPE
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec

from ..drawing.plan import HEX, Plan, plans
from ..kernel.map import GameMap
from ..kernel.record import write_whole
from .draw import Wish

PALETTES = ("classic", "dark", "distinct")

GAP = 1.0 * HEX
"""Room between two boards lying side by side."""


class Shelf:
    """Keeps the last few things that took long to make."""

    def __init__(self, size: int = 64) -> None:
        self._size = size
        self._kept: OrderedDict[Any, str] = OrderedDict()

    def find(self, key: Any) -> str | None:
        """The thing under a key, if it is there."""
        return self._kept.get(key)

    def get(self, key: Any, make: Callable[[], str]) -> str:
        """The thing under a key, made if it is not there."""
        if key not in self._kept:
            self._kept[key] = make()
        self._kept.move_to_end(key)
        while len(self._kept) > self._size:
            self._kept.popitem(last=False)
        return self._kept[key]


def geometry(game_map: GameMap) -> dict[str, Any]:
    """Where boards and hexes lie: boards side by side, in drawing units."""
    boards: list[dict[str, Any]] = []
    hexes: dict[str, list[float]] = {}
    across = 0.0
    for plan in plans(game_map):
        left, top, right, _ = plan.frame
        dx, dy = across - left, -top
        for h in plan.hexes:
            x, y = plan.centre(h)
            hexes[plan.grid.number(h)] = [round(x + dx, 2), round(y + dy, 2)]
        boards.append(_board(plan, dx, dy))
        across += right - left + GAP
    return {"hex": HEX, "boards": boards, "hexes": hexes}


def _board(plan: Plan, dx: float, dy: float) -> dict[str, Any]:
    left, top, right, bottom = plan.frame
    return {
        "name": plan.board.name,
        "title": plan.spec.title,
        "shape": plan.board.shape,
        "north": plan.spec.north,
        "km": plan.spec.hex_km,
        "dx": round(dx, 2),
        "dy": round(dy, 2),
        "frame": [round(v, 2) for v in (left + dx, top + dy, right + dx, bottom + dy)],
    }


class Atlas:
    """Drawn maps, kept in a folder under the fingerprint of everything they are drawn from."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._shelf = Shelf()
        self._drawing: dict[str, asyncio.Lock] = {}

    async def map(
        self, game_map: GameMap, shores: Any, board: str, palette: str, *, alone: bool = False, keep: bool = True
    ) -> str:
        """A board's land, found or drawn now; a draft is not worth keeping in the folder."""
        wish = Wish(game_map.file, game_map.change, shores, board, palette, alone)
        asked = msgspec.json.encode(wish)
        key = hashlib.sha256(_drawing_code() + asked).hexdigest()[:40]
        async with self._drawing.setdefault(key, asyncio.Lock()):
            found = self._shelf.find(key) or self._read(key)
            if found is None:
                found = await _drawn(asked)
                if keep:
                    self._write(key, found)
        return self._shelf.get(key, lambda: found)

    def _read(self, key: str) -> str | None:
        path = None if self._folder is None else self._folder / f"{key}.svg"
        return path.read_text(encoding="utf-8") if path is not None and path.is_file() else None

    def _write(self, key: str, drawing: str) -> None:
        if self._folder is not None:
            with suppress(OSError):
                write_whole(self._folder / f"{key}.svg", drawing)


async def _drawn(asked: bytes) -> str:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "ladoga.server.draw", stdin=PIPE, stdout=PIPE, env=_environment()
    )
    try:
        drawing, _ = await process.communicate(asked)
    except asyncio.CancelledError:
        process.kill()
        raise
    if process.returncode:
        raise RuntimeError("the map could not be drawn")
    return drawing.decode()


def _environment() -> dict[str, str]:
    """The same program, from wherever this one was loaded."""
    here = str(Path(str(resources.files("ladoga"))).parent)
    return {**os.environ, "PYTHONPATH": os.pathsep.join([here, os.environ.get("PYTHONPATH", "")])}


@cache
def _drawing_code() -> bytes:
    files = sorted(Path(str(resources.files("ladoga.drawing"))).glob("*.py"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).digest()
