"""Draws one map in a process of its own, so that a server that plays never waits for its pencils.

Reads what to draw from standard input and writes the SVG to standard output.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import msgspec

from ..drawing import map_sheet
from ..kernel.map import GameMap, MapChange, MapFile


class Wish(msgspec.Struct):
    """Everything a drawing of a board depends on."""

    file: MapFile
    change: MapChange
    shores: Any
    board: str
    palette: str


def draw(wish: Wish) -> str:
    """The land of one board as SVG, in the typefaces of the page that shows it."""
    game_map = GameMap.of(wish.file).changed(wish.change)
    drawn = map_sheet(game_map, wish.shores, palette=wish.palette, board=wish.board, prefix=wish.board)
    return drawn.svg(fonts=False)


def main() -> None:
    """From standard input to standard output."""
    if hasattr(os, "nice"):
        os.nice(5)
    wish = msgspec.json.decode(sys.stdin.buffer.read(), type=Wish)
    try:
        sys.stdout.buffer.write(draw(wish).encode())
        sys.stdout.buffer.flush()
    except BrokenPipeError:  # whoever wanted it is gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


if __name__ == "__main__":
    main()
