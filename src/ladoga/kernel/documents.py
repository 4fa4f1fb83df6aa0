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

__all__ = ["check_phase", "check_turn", "exclude", "require"]

PRINTED = "a printed unit has its own side and figures; a made-up one takes another name"
"""Said where a document gives figures to a unit that has them on its counter."""


def stranger(needs: str) -> str:
    """Said of a unit that is not in the box, and not described well enough to be made up."""
    return f"not a unit of the game; a made-up one needs {needs}"


def require(fits: object, message: str, path: str) -> None:
    """Refuse a document in which something is not as it must be.

    >>> require(3 <= 4, "expected 4 at most", "turn")
    >>> require(5 <= 4, "expected 4 at most", "turn")
    Traceback (most recent call last):
    ...
    ladoga.kernel.errors.BadDocument: turn: expected 4 at most
    """
    if not fits:
        raise BadDocument(message, path=path)


def exclude(wrong: object, message: str, path: str) -> None:
    """Refuse a document in which something is so that cannot be.

    >>> exclude(5 > 4, "expected 4 at most", "turn")
    Traceback (most recent call last):
    ...
    ladoga.kernel.errors.BadDocument: turn: expected 4 at most
    """
    if wrong:
        raise BadDocument(message, path=path)


def check_turn(turn: int, last: int, path: str = "turn") -> None:
    """Refuse a turn that the game does not have.

    >>> check_turn(3, 12)
    >>> check_turn(13, 12)
    Traceback (most recent call last):
    ...
    ladoga.kernel.errors.BadDocument: turn: the game has turns 1 to 12
    """
    require(1 <= turn <= last, f"the game has turns 1 to {last}", path)


def check_phase(phase: str, known: Collection[str]) -> None:
    """Refuse a phase that the game does not have.

    >>> check_phase("fox-prowl", ["fox-prowl", "heron-prowl"])
    >>> check_phase("fox-sleep", ["fox-prowl", "heron-prowl"])
    Traceback (most recent call last):
    ...
    ladoga.kernel.errors.BadDocument: phase: there is no phase 'fox-sleep'; phases: fox-prowl, heron-prowl
    """
    require(phase in known, f"there is no phase {phase!r}; phases: {', '.join(known)}", "phase")


def plain(value: Any) -> Any:
    """A structure as plain values, such as a file holds: lists, and no tuples.

    >>> plain({"blank": (8, 6)})
    {'blank': [8, 6]}
    """
    return msgspec.json.decode(msgspec.json.encode(value))


def keys(struct: type[msgspec.Struct]) -> list[str]:
    """What a structure of a document may say.

    >>> keys(Head)
    ['game', 'phase', 'turn', 'scenario', 'options', 'map']
    """
    return [field.encode_name for field in msgspec.structs.fields(struct)]


def said(entries: Mapping[str, Any]) -> dict[str, Any]:
    """The entries of a document without those of which there is nothing to say.

    >>> said({"turn": 3, "surplus": False, "origin": None, "left": 0})
    {'turn': 3, 'left': 0}
    """
    return {key: value for key, value in entries.items() if value is not None and value is not False}


def marked(p: Any, unit: int, marks: Mapping[str, str]) -> list[str]:
    """The marks that a unit bears."""
    return [name for name, field in marks.items() if getattr(p, field) >> unit & 1]


class Head(Strict):
    """What a position document begins with."""

    game: str
    phase: str
    turn: int = 1
    scenario: str = ""
    options: dict[str, Value] = {}
    map: MapChange = msgspec.field(default_factory=MapChange)

    def check_moment(self, turns: int, phases: Collection[str]) -> None:
        """Refuse a turn or a phase that the game does not have."""
        check_turn(self.turn, turns)
        check_phase(self.phase, phases)


class Reader:
    """Base of a game's reader: hexes of the document's map by their numbers."""

    grid: Grid

    def hex(self, path: str, number: str) -> Hex:
        """A hex of the map."""
        require(number in self.grid, f"the map has no hex {number!r}", path)
        return self.grid.hex(number)

    def known(self, path: str, name: str, numbers: Mapping[str, int], what: str = "unit") -> int:
        """The number of something that the document names."""
        require(name in numbers, f"there is no {what} {name!r}", path)
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

    def unit(self, path: str, name: str) -> int:
        """A unit by its name; the families say how it is found."""
        raise NotImplementedError

    def mark(self, p: Any, unit: int, entry: Any, marks: Mapping[str, str]) -> None:
        """Put the marks on a unit that its entry names, each into the set of the position that holds it."""
        for name, field in marks.items():
            if getattr(entry, name):
                setattr(p, field, getattr(p, field) | 1 << unit)

    def check_name(self, name: str, path: str) -> None:
        """Refuse a name for a made-up unit that no order could name."""
        spaced = any(map(str.isspace, name))
        require(name and "+" not in name and not spaced, "a unit's name has no blanks and no +", path)
