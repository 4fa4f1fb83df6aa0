"""Pictures for the browser: the land of each board, drawn once, and where every hex lies on it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from ..drawing import map_svg
from ..drawing.plan import HEX, Plan, plans
from ..kernel.map import GameMap

PALETTES = ("classic", "dark", "distinct")

GAP = 1.0 * HEX
"""Room between two boards lying side by side."""


class Shelf:
    """Keeps the last few things that took long to make."""

    def __init__(self, size: int = 64) -> None:
        self._size = size
        self._kept: OrderedDict[Any, Any] = OrderedDict()

    def get(self, key: Any, make: Callable[[], Any]) -> Any:
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

