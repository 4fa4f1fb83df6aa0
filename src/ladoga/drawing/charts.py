"""Charts and tables set in type: a heading, rows of figures, notes below."""

from __future__ import annotations

from dataclasses import dataclass

from ..kernel.table import Chart
from .svg import tag, text
from .type import width

_HEAD, _CELL, _NOTE = 14.0, 14.5, 12.5
_ROW = 21.0
_PAD = 9.0


@dataclass(slots=True)
class Block:
    """A piece of a sheet with its size; its own corner is the origin."""

    svg: str
    width: float
    height: float


def wrapped(words: str, face: str, size: float, room: float) -> list[str]:
    """Words in lines no wider than there is room for.

    >>> wrapped("one two three", "inter-400", 10, 40)
    ['one two', 'three']
    """
    lines: list[str] = []
    line = ""
    for word in words.split():
        longer = f"{line} {word}".strip()
        if line and width(longer, face, size) > room:
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line] if line else lines


def chart_block(chart: Chart, room: float) -> Block:
    """A chart as a block no wider than the room there is (long cells are broken into lines)."""
    count = max([len(chart.head), *(len(row) for row in chart.rows)], default=1)
    table = [row + [""] * (count - len(row)) for row in [chart.head, *chart.rows]]
    faces = ["barlow-600"] + ["barlow-500"] * len(chart.rows)
    wish = [
        max(width(row[c], face, _CELL) for row, face in zip(table, faces, strict=True)) + 2 * _PAD + 2
        for c in range(count)
    ]
    columns = _fitted(wish, room)
    lines = [
        [wrapped(cell, face, _CELL, columns[c] - 2 * _PAD) or [""] for c, cell in enumerate(row)]
        for row, face in zip(table, faces, strict=True)
    ]
    whole = max(sum(columns), min(room, width(chart.title, "spectral-600", 20) + 70))
    columns = [column * whole / sum(columns) for column in columns]
    parts = [text(chart.title, 0, 17, class_="chart-title")]
    if chart.case:
        parts.append(text(chart.case, whole, 17, class_="chart-case"))
    y = 28.0
    for index, row in enumerate(lines):
        depth = max(len(cell) for cell in row)
        height = _ROW + (depth - 1) * _CELL * 1.1
        if index == 0:
            parts.append(tag("rect", x=0, y=y, width=whole, height=height, class_="chart-head"))
        elif index % 2 == 0:
            parts.append(tag("rect", x=0, y=y, width=whole, height=height, class_="chart-band"))
        x = 0.0
        for c, cell in enumerate(row):
            for i, words in enumerate(cell):
                base = y + 15.2 + i * _CELL * 1.1
                name = "chart-heading" if index == 0 else "chart-cell"
                if c == 0:
                    parts.append(text(words, x + _PAD, base, class_=f"{name} start first"))
                else:
                    parts.append(text(words, x + columns[c] / 2, base, class_=name))
            x += columns[c]
        y += height
    parts.append(tag("path", d=f"M0 {y:.1f}H{whole:.1f}", class_="chart-rule"))
    for note in chart.notes:
        for words in wrapped(note, "inter-400", _NOTE, whole):
            y += 17
            parts.append(text(words, 0, y, class_="chart-note start"))
    return Block("".join(parts), whole, y + 8)


def _fitted(wish: list[float], room: float) -> list[float]:
    """Column widths within the room: the broad ones give way first."""
    columns = list(wish)
    for _ in range(40):
        over = sum(columns) - room
        if over <= 0.5:
            break
        broadest = max(columns)
        if broadest < 40:
            break
        next_broad = max([c for c in columns if c < broadest], default=40.0)
        share = [i for i, c in enumerate(columns) if c == broadest]
        cut = min(over / len(share), max(broadest - next_broad, 6.0))
        for i in share:
            columns[i] -= cut
    return columns


def track_block(calendar: list[str], room: float) -> Block:
    """The turn track: a numbered box for each turn with its dates."""
    least = 112.0
    across = max(1, min(len(calendar), int(room // least)))
    rows = -(-len(calendar) // across)
    across = -(-len(calendar) // rows)
    box = min(room / across, 220.0)
    parts = []
    for index, dates in enumerate(calendar):
        row, column = divmod(index, across)
        x, y = column * box, row * 74.0
        parts.append(tag("rect", x=x, y=y, width=box, height=70, class_="turn-box"))
        parts.append(text(str(index + 1), x + 10, y + 28, class_="turn-number start"))
        for i, words in enumerate(wrapped(dates, "barlow-500", 13, box - 22)[:2]):
            parts.append(text(words, x + 10, y + 46 + 14 * i, class_="turn-date start"))
    return Block("".join(parts), across * box, rows * 74.0)


def flowed(blocks: list[Block], room: float, gap: float = 36.0) -> Block:
    """Blocks set in rows from left to right, a new row when one is full."""
    parts: list[str] = []
    x = y = tallest = broadest = 0.0
    for block in blocks:
        if x and x + block.width > room:
            y += tallest + gap
            x = tallest = 0.0
        parts.append(tag("g", block.svg, transform=f"translate({x:.1f} {y:.1f})"))
        x += block.width + gap
        tallest = max(tallest, block.height)
        broadest = max(broadest, x - gap)
    return Block("".join(parts), broadest, y + tallest)
