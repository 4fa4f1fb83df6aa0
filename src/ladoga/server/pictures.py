"""Pictures for the browser: the land of each board, drawn once, and where every hex lies on it."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec

from ..drawing import map_svg
from ..drawing.plan import HEX, Plan, plans
from ..kernel.map import GameMap
from ..kernel.record import write_whole

PALETTES = ("classic", "dark", "distinct")

GAP = 1.0 * HEX
"""Room between two boards lying side by side."""


class Shelf:
    """Keeps the last few things that took long to make."""

    def __init__(self, size: int = 64) -> None:
        self._size = size
        self._kept: OrderedDict[Any, str] = OrderedDict()

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


def land(game_map: GameMap, shores: Any, board: str, palette: str, *, alone: bool = False) -> str:
    """The land of one board as SVG; ``alone`` it brings its own typefaces, on the table it uses the page's."""
    return map_svg(game_map, shores, palette=palette, board=board, prefix=board, fonts=alone)



class Atlas:
    """Drawn maps, kept in a folder under the fingerprint of everything they are drawn from."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._shelf = Shelf()

    def map(self, game_map: GameMap, shores: Any, board: str, palette: str, *, alone: bool = False) -> str:
        """A board's land, drawn now or found."""
        key = _fingerprint(game_map, shores, board, palette, alone)
        return self._shelf.get(key, lambda: self._found(key, game_map, shores, board, palette, alone))

    def _found(self, key: str, game_map: GameMap, shores: Any, board: str, palette: str, alone: bool) -> str:
        path = None if self._folder is None else self._folder / f"{key}.svg"
        if path is not None and path.is_file():
            return path.read_text(encoding="utf-8")
        drawing = land(game_map, shores, board, palette, alone=alone)
        if path is not None:
            with suppress(OSError):
                write_whole(path, drawing)
        return drawing


def _fingerprint(game_map: GameMap, shores: Any, *rest: Any) -> str:
    digest = hashlib.sha256(_drawing_code())
    digest.update(msgspec.json.encode((game_map.file, game_map.change)))
    digest.update(repr((shores, rest)).encode())
    return digest.hexdigest()[:40]


@cache
def _drawing_code() -> bytes:
    files = sorted(Path(str(resources.files("ladoga.drawing"))).glob("*.py"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).digest()
