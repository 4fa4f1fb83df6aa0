"""Reading position documents: what is asked of them, and refused in the same words, in every game."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import msgspec

from ..hexes import Grid, Hex, HexMask
from .data import Strict
from .errors import BadDocument
from .map import MapChange
from .options import Value

__all__ = ["check_phase", "check_turn"]

PRINTED = "a printed unit has its own side and figures; a made-up one takes another name"
"""Said where a document gives figures to a unit that has them on its counter."""


def stranger(needs: str) -> str:
    """Said of a unit that is not in the box, and not described well enough to be made up."""
    return f"not a unit of the game; a made-up one needs {needs}"


def check_turn(turn: int, last: int, path: str = "turn") -> None:
    """Refuse a turn that the game does not have.

    >>> check_turn(3, 12)
    >>> check_turn(13, 12)
    Traceback (most recent call last):
    ...
    ladoga.kernel.errors.BadDocument: turn: the game has turns 1 to 12
    """
    if not 1 <= turn <= last:
        raise BadDocument(f"the game has turns 1 to {last}", path=path)


def check_phase(phase: str, known: Collection[str]) -> None:
    """Refuse a phase that the game does not have.

    >>> check_phase("fox-prowl", ["fox-prowl", "heron-prowl"])
    >>> check_phase("fox-sleep", ["fox-prowl", "heron-prowl"])
    Traceback (most recent call last):
    ...
    ladoga.kernel.errors.BadDocument: phase: there is no phase 'fox-sleep'; phases: fox-prowl, heron-prowl
    """
    if phase not in known:
        raise BadDocument(f"there is no phase {phase!r}; phases: {', '.join(known)}", path="phase")


def check_name(name: str, path: str) -> None:
    """Refuse a name for a made-up unit that no order could name."""
    if not name or "+" in name or any(c.isspace() for c in name):
        raise BadDocument("a unit's name has no blanks and no +", path=path)


def plain(value: Any) -> Any:
    """A structure as plain values, such as a file holds: lists, and no tuples.

    >>> plain({"blank": (8, 6)})
    {'blank': [8, 6]}
    """
    return msgspec.json.decode(msgspec.json.encode(value))


class Head(Strict):
    """What a position document begins with."""

    game: str
    phase: str
    turn: int = 1
    scenario: str = ""
    options: dict[str, Value] = {}
    map: MapChange = msgspec.field(default_factory=MapChange)


class Reader:
    """Base of a game's reader: hexes of the document's map by their numbers."""

    grid: Grid

    def hex(self, path: str, number: str) -> Hex:
        """A hex of the map."""
        if number not in self.grid:
            raise BadDocument(f"the map has no hex {number!r}", path=path)
        return self.grid.hex(number)

    def known(self, path: str, name: str, numbers: Mapping[str, int], what: str = "unit") -> int:
        """The number of something that the document names."""
        if name not in numbers:
            raise BadDocument(f"there is no {what} {name!r}", path=path)
        return numbers[name]

    def all_known(self, path: str, names: Iterable[str], numbers: Mapping[str, int], what: str = "unit") -> int:
        """A list of such things as a set."""
        return sum({1 << self.known(f"{path}[{place}]", name, numbers, what) for place, name in enumerate(names)})

    def hexes(self, path: str, numbers: Iterable[str]) -> HexMask:
        """A list of hexes as a set."""
        mask = 0
        for place, number in enumerate(numbers):
            mask |= 1 << self.hex(f"{path}[{place}]", number)
        return mask
