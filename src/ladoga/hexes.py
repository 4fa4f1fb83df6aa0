"""Hexes as bits, sets of hexes as plain integers.

Every hex of every map of a game has one bit. Bits are laid out along two of the three hex
axes, so that each of the six directions is one constant shift for the whole set, whatever the
shape of the map and however its hexes are numbered:

>>> grid = Grid([Board("main", shape="flat", columns=(1, 3), rows=(1, 3), shoved="even")])
>>> centre = grid.hex("0202")
>>> [grid.number(h) for h in grid.members(grid.ring(1 << centre))]
['0102', '0103', '0201', '0203', '0302', '0303']
>>> grid.distance(grid.hex("0101"), grid.hex("0303"))
3

A ``Hex`` is the number of a bit, a ``HexMask`` a set of them; beyond the edge lies ``NOWHERE``:

>>> corner: Hex = grid.hex("0101")
>>> around: HexMask = mask_of(h for h in grid.neighbours(corner) if h != NOWHERE)
>>> sorted(grid.number(h) for h in members(around))
['0102', '0201']
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import compress
from operator import or_
from typing import Literal, TypeAlias, TypeVar

import msgspec

__all__ = ["NOWHERE", "Board", "Grid", "Hex", "HexMask", "mask_of", "members"]

T = TypeVar("T")

Hex: TypeAlias = int
"""Index of a hex: the number of its bit."""

HexMask: TypeAlias = int
"""A set of hexes: bit ``h`` is set when hex ``h`` is a member."""

Direction: TypeAlias = int
"""0 to 5, once around (clockwise on flat boards); ``opposite`` gives the way back."""

DIRECTIONS: tuple[Direction, ...] = (0, 1, 2, 3, 4, 5)

NOWHERE: Hex = -1
"""Stands for "no hex": off the map, or a unit that is not on it."""


def opposite(direction: Direction) -> Direction:
    """The direction back again."""
    return direction + 3 if direction < 3 else direction - 3


def members(mask: HexMask) -> Iterator[Hex]:
    """The hexes of a set, lowest bit first.

    >>> list(members(0b10110))
    [1, 2, 4]
    """
    count = mask.bit_count()
    if count > 8:
        first = (mask & -mask).bit_length() - 1
        if mask.bit_length() - first < DENSE * count:
            return chosen(_NUMBERS, mask)
    found = []
    while mask:
        h = mask.bit_length() - 1
        found.append(h)
        mask ^= 1 << h
    return reversed(found)


DENSE = 16
"""Hexes to one of a set that are few enough to tell the set bit by bit, which is quicker then."""
_NUMBERS = tuple(range(1 << 13))


def chosen(values: Sequence[T], mask: HexMask) -> Iterator[T]:
    """Of a value for each hex, from the lowest bit on, those of the hexes of a set.

    >>> list(chosen("abcde", 0b10110)), list(chosen("abcde", 0))
    (['b', 'c', 'e'], [])
    """
    if not mask:
        return iter(())
    first = (mask & -mask).bit_length() - 1
    digits = bin(mask >> first)[:1:-1].encode().translate(_DIGITS)
    return compress(values[first : first + len(digits)], digits)


_DIGITS = bytes.maketrans(b"01", b"\0\1")


def nth(mask: int, n: int) -> int:
    """The n-th member of a set, lowest bit first, counted from nought; a far one is found by halving.

    >>> nth(0b10110, 2)
    4
    """
    if n < 24:
        for _ in range(n):
            mask &= mask - 1
        return (mask & -mask).bit_length() - 1
    at, width = 0, mask.bit_length()
    while width > 1:
        half = width >> 1
        lower = mask & (1 << half) - 1
        count = lower.bit_count()
        if n < count:
            mask, width = lower, half
        else:
            mask, width = mask >> half, width - half
            n, at = n - count, at + half
    return at


def pick(mask: int, rng: random.Random) -> int:
    """A random member of a set that has one."""
    return nth(mask, int(rng.random() * mask.bit_count()))


def mask_of(hexes: Iterable[Hex]) -> HexMask:
    """The set that holds just these hexes."""
    mask = 0
    for h in hexes:
        mask |= 1 << h
    return mask


def union(masks: Iterable[int]) -> int:
    """Everything that is in one of some sets.

    >>> bin(union([0b0011, 0b0110]))
    '0b111'
    """
    return reduce(or_, masks, 0)


class Layout(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """How a printed map is laid out: its extent, the stance of its hexes and how they are numbered.

    ``shape`` is ``flat`` (hexes stand in columns) or ``pointy`` (hexes lie in rows). ``shoved``
    names the lines (by the parity of their printed number) that sit half a hex further down
    (flat) or right (pointy). ``order`` is the order of the two figures in a hex number, and
    ``columns_from`` and ``rows_from`` the edge from which each is counted.

    >>> Layout(columns=(1, 3), rows=(1, 2)).number(0, 1)
    '0102'
    """

    columns: tuple[int, int]
    rows: tuple[int, int]
    shape: Literal["flat", "pointy"] = "flat"
    shoved: Literal["even", "odd"] = "even"
    columns_from: Literal["west", "east"] = "west"
    rows_from: Literal["north", "south"] = "north"
    order: Literal["ccrr", "rrcc"] = "ccrr"
    prefix: str = ""
    letters: bool = False
    """Rows are lettered from A and columns have no leading zero: ``F4``."""

    @property
    def width(self) -> int:
        """Number of columns."""
        return self.columns[1] - self.columns[0] + 1

    @property
    def height(self) -> int:
        """Number of rows."""
        return self.rows[1] - self.rows[0] + 1

    @property
    def lines(self) -> int:
        """Columns of a flat board, rows of a pointy one."""
        return self.width if self.shape == "flat" else self.height

    @property
    def length(self) -> int:
        """Hexes in a line."""
        return self.height if self.shape == "flat" else self.width

    def column_number(self, x: int) -> int:
        """Printed number of the ``x``-th column from the left of the sheet."""
        return self.columns[0] + x if self.columns_from == "west" else self.columns[1] - x

    def row_number(self, y: int) -> int:
        """Printed number of the ``y``-th row from the top of the sheet."""
        return self.rows[0] + y if self.rows_from == "north" else self.rows[1] - y

    def number(self, x: int, y: int) -> str:
        """Printed number of the hex in the ``x``-th column and ``y``-th row of the sheet."""
        if self.letters:
            return f"{self.prefix}{chr(ord('A') - 1 + self.row_number(y))}{self.column_number(x)}"
        column, row = f"{self.column_number(x):02}", f"{self.row_number(y):02}"
        return self.prefix + (column + row if self.order == "ccrr" else row + column)

    def is_shoved(self, line: int) -> bool:
        """Whether the line sits half a hex further along the sheet."""
        number = self.column_number(line) if self.shape == "flat" else self.row_number(line)
        return (number % 2 == 0) == (self.shoved == "even")


class Board(Layout, frozen=True):
    """One printed map by its name.

    >>> Board("marsh", columns=(1, 3), rows=(1, 2)).name
    'marsh'
    """

    name: str


class Grid:
    """All boards of a game in one bit space, with shifts, rings, distances and numbers.

    >>> grid = Grid([Board("marsh", columns=(1, 6), rows=(1, 6))])
    >>> here = grid.hex("0303")
    >>> sorted(grid.number(h) for h in members(grid.ring(mask_of([here]))))
    ['0202', '0203', '0302', '0304', '0402', '0403']
    >>> grid.distance(here, grid.hex("0603"))
    3
    """

    def __init__(self, boards: Iterable[Board]) -> None:
        self.boards: tuple[Board, ...] = tuple(boards)
        # Every line gets the same stride, so one shift serves all boards. Every second line of a board
        # slides back by a hex; two positions more than the longest line keep the lines apart even so.
        self.stride = stride = max(b.length for b in self.boards) + 2
        self.steps: tuple[int, ...] = (-1, stride - 1, stride, 1, 1 - stride, -stride)
        self.masks: dict[str, HexMask] = {}
        numbers: dict[str, Hex] = {}
        line_base = 1
        cells: dict[Hex, tuple[int, int, int]] = {}
        axes: dict[Hex, tuple[int, int]] = {}
        for index, board in enumerate(self.boards):
            mask = 0
            for line in range(board.lines):
                shift = 1 if board.is_shoved(line) else 0
                # centre of position p lies at p + shift/2; along the axis that is a + line/2.
                first_shift = 1 if board.is_shoved(0) else 0
                back = (line + first_shift - shift) // 2
                for position in range(board.length):
                    h = (line_base + line) * stride + position - back
                    x, y = (line, position) if board.shape == "flat" else (position, line)
                    number = board.number(x, y)
                    if number in numbers:
                        raise ValueError(f"hex number {number} stands for two hexes")
                    numbers[number] = h
                    cells[h] = (index, x, y)
                    axes[h] = (line, position - back)
                    mask |= 1 << h
            self.masks[board.name] = mask
            line_base += board.lines + 1
        self.size = line_base * stride + 1
        self.by_number = numbers
        self._number = {h: n for n, h in numbers.items()}
        self._cell = cells
        self.axes = axes
        """For each hex its line and its place along it, on axes on which every direction is one constant step."""
        self.all: HexMask = mask_of(cells)
        self._neighbours: dict[Hex, tuple[Hex, ...]] = {
            h: tuple(
                h + step if h + step in cells and cells[h + step][0] == cells[h][0] else NOWHERE for step in self.steps
            )
            for h in cells
        }

    def __contains__(self, number: str) -> bool:
        return number in self.by_number

    def hex(self, number: str) -> Hex:
        """The hex with this printed number; ``KeyError`` if the map has none."""
        return self.by_number[number]

    def number(self, h: Hex) -> str:
        """The printed number of a hex."""
        return self._number[h]

    @property
    def numbers(self) -> Iterable[str]:
        """Every hex number of the maps."""
        return self.by_number.keys()

    def board(self, h: Hex) -> Board:
        """The board a hex belongs to."""
        return self.boards[self._cell[h][0]]

    def mask(self, numbers: Iterable[str]) -> HexMask:
        """The set of the hexes with these printed numbers."""
        return mask_of(self.by_number[n] for n in numbers)

    def edge(self, name: str) -> HexMask:
        """The hexes along one edge of the first sheet.

        >>> grid = Grid([Board("marsh", columns=(1, 3), rows=(1, 2))])
        >>> [grid.number(h) for h in grid.members(grid.edge("west"))]
        ['0101', '0102']
        """
        board = self.boards[0]
        if name in ("north", "south"):
            y = 0 if name == "north" else board.height - 1
            return self.mask(board.number(x, y) for x in range(board.width))
        x = 0 if name == "west" else board.width - 1
        return self.mask(board.number(x, y) for y in range(board.height))

    def members(self, mask: HexMask) -> list[Hex]:
        """The hexes of a set in the order of their printed numbers."""
        return sorted(members(mask), key=self._number.__getitem__)

    def shift(self, mask: HexMask, direction: Direction) -> HexMask:
        """The whole set moved one hex in a direction; what leaves the map is dropped."""
        step = self.steps[direction]
        return (mask << step if step > 0 else mask >> -step) & self.all

    def ring(self, mask: HexMask) -> HexMask:
        """All hexes next to a hex of the set (members too, where they touch one another)."""
        s = self.stride
        across = mask | mask >> 1
        back = mask | mask << 1
        return (mask << 1 | mask >> 1 | across << s | back >> s) & self.all

    def within(self, mask: HexMask, distance: int) -> HexMask:
        """All hexes at most ``distance`` hexes from a member, members included."""
        for _ in range(distance):
            mask |= self.ring(mask)
        return mask

    def neighbours(self, h: Hex) -> tuple[Hex, ...]:
        """The six hexes around one, by direction; ``NOWHERE`` beyond the edge."""
        return self._neighbours[h]

    def direction(self, a: Hex, b: Hex) -> Direction:
        """The direction from a hex to the one next to it; ``ValueError`` if they do not touch."""
        return self._neighbours[a].index(b)

    def adjacent(self, a: Hex, b: Hex) -> bool:
        """Whether two hexes share a hexside."""
        return b in self._neighbours[a]

    def distance(self, a: Hex, b: Hex) -> int:
        """Hexes from one hex to another on the same board, counting the last."""
        (line_a, along_a), (line_b, along_b) = self.axes[a], self.axes[b]
        lines, along = line_b - line_a, along_b - along_a
        return max(abs(lines), abs(along), abs(lines + along))

    def centre(self, h: Hex) -> tuple[float, float]:
        """Middle of a hex on its own sheet, in hex heights (side to side), y downwards."""
        index, x, y = self._cell[h]
        board = self.boards[index]
        if board.shape == "flat":
            return x * 3**0.5 / 2, y + (0.5 if board.is_shoved(x) else 0.0)
        return x + (0.5 if board.is_shoved(y) else 0.0), y * 3**0.5 / 2

    def corners(self, h: Hex) -> list[tuple[float, float]]:
        """The six corners; corner ``d`` and ``d + 1`` bound the hexside in direction ``d``."""
        cx, cy = self.centre(h)
        side = 3**-0.5
        if self.board(h).shape == "flat":
            offsets = [
                (-0.5, -(3**0.5) / 2),
                (0.5, -(3**0.5) / 2),
                (1, 0),
                (0.5, 3**0.5 / 2),
                (-0.5, 3**0.5 / 2),
                (-1, 0),
            ]
        else:
            offsets = [
                (-(3**0.5) / 2, -0.5),
                (-(3**0.5) / 2, 0.5),
                (0, 1),
                (3**0.5 / 2, 0.5),
                (3**0.5 / 2, -0.5),
                (0, -1),
            ]
        return [(cx + dx * side, cy + dy * side) for dx, dy in offsets]
