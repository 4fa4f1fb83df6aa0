"""The colours and shapes of sides, as a stylesheet made from the families' data: the client names no side."""

from __future__ import annotations

from ..kernel.sides import SideStyle, liveries, styles

PALETTES = ("classic", "dark", "distinct")
CUT = "polygon(30% 0, 70% 0, 100% 30%, 100% 70%, 70% 100%, 30% 100%, 0 70%, 0 30%)"
SHAPES = {
    "round": "--rounded:2.5px;--cut:none;--bevel:8px;--dash:5 6",
    "cut": f"--rounded:0;--cut:{CUT};--bevel:17px;--dash:.1 7",
}
"""What tells sides apart without colour: corners, and how their zones are dashed."""


def stylesheet() -> str:
    """What an element of each side's class looks like, in each palette.

    >>> ".soviet{--seen:1;--rounded:0;" in stylesheet()
    True
    """
    rules = [f".{side}{{--seen:1;{SHAPES[style.corners]}}}" for side, style in styles().items()]
    for palette in PALETTES:
        rules += [f'[data-palette="{palette}"] .{side}{{{_colours(side, s, palette)}}}' for side, s in styles().items()]
    return "\n".join(rules) + "\n"


def _colours(side: str, style: SideStyle, palette: str) -> str:
    mark, line = getattr(style.marks or style.lines, palette), getattr(style.lines, palette)
    counter = liveries(palette)[side]
    return f"--side:{mark};--side-line:{line};--side-ground:{counter.ground};--side-ink:{counter.ink}"
