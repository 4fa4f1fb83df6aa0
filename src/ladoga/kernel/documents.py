"""Reading position documents: what is asked of them, and refused in the same words, in every game."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from inspect import Parameter, signature
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from ..hexes import NOWHERE, Grid, Hex, HexMask, members
from .data import Strict, shape
from .errors import BadDocument
from .map import MapChange
from .options import Value

__all__ = ["check_phase", "check_turn", "exclude", "require"]

T = TypeVar("T")

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


def check_name(name: str, path: str) -> None:
    """Refuse a name for a made-up unit that no order could name."""
    require(name and "+" not in name and not any(map(str.isspace, name)), "a unit's name has no blanks and no +", path)


def plain(value: Any) -> Any:
    """A structure as plain values, such as a file holds: lists, and no tuples.

    >>> plain({"blank": (8, 6)})
    {'blank': [8, 6]}
    """
    return msgspec.json.decode(msgspec.json.encode(value))


def mark(p: Any, unit: int, entry: Any, marks: Mapping[str, str]) -> None:
    """Put the marks on a unit that its entry names, each into the set of the position that holds it."""
    for name, field in marks.items():
        if getattr(entry, name):
            setattr(p, field, getattr(p, field) | 1 << unit)


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


# Matters in hand ----------------------------------------------------------------------------------


class Kind(NamedTuple):
    """How one field of a matter is told in a document, and read back."""

    type: Any
    """What it is there."""
    tell: Callable[[Any, Any], Any]
    """Of the position and the value what the document says."""
    read: Callable[[Any, str, Any], Any]
    """Of the reader, the path and what the document says the value."""
    usual: Any = msgspec.NODEFAULT
    """What a document need not say, where the matter itself has nothing usual."""
    field: str = ""
    """What the matter calls it, where documents have another word."""


def as_it_is(kind: Any, usual: Any = msgspec.NODEFAULT) -> Kind:
    """A field that is told as it is: a number, a word, yes or no."""
    return Kind(kind, lambda _, value: value, lambda _, __, told: told, usual)


HEX = Kind(
    str, lambda p, h: p.map.grid.number(h) if h >= 0 else "", lambda r, path, n: r.hex(path, n) if n else NOWHERE
)
"""A hex, or none."""
HEXES = Kind(
    list[str], lambda p, hexes: [p.map.grid.number(h) for h in hexes],
    lambda r, path, numbers: tuple(r.hex(path, number) for number in numbers),
)  # fmt: skip
"""Hexes in their order."""
HEX_SET = Kind(
    list[str], lambda p, mask: [p.map.grid.number(h) for h in p.map.grid.members(mask)] if mask else [],
    lambda r, path, numbers: r.hexes(path, numbers),
)  # fmt: skip


def kinds_of_units(name: Callable[[Any, int], str]) -> tuple[Kind, Kind, Kind]:
    """A unit or none, units in their order, a set of units; of a game in which a position calls them so."""
    one = Kind(str, lambda p, u: name(p, u) if u >= 0 else "", lambda r, path, said: r.unit(path, said) if said else -1)
    row = Kind(
        list[str | int], lambda p, units: [name(p, u) for u in units],
        lambda r, path, names: tuple(r.unit(f"{path}[{n}]", str(said)) for n, said in enumerate(names)),
    )  # fmt: skip
    mask = Kind(
        list[str], lambda p, units: [name(p, u) for u in members(units)],
        lambda r, path, names: sum(1 << r.unit(path, said) for said in names),
    )  # fmt: skip
    return one, row, mask


class Matter(Generic[T]):
    """A matter in hand as documents tell it: a table of its fields, from which writing, reading and the paths of bad
    values follow. What is as usual is left out.

    >>> class March(NamedTuple):
    ...     unit: int
    ...     left: int = 4
    >>> marching = Matter(March, unit=as_it_is(int), left=as_it_is(int))
    >>> marching.tell(None, March(3)), marching.read(None, "march", {"unit": 3, "left": 2})
    ({'unit': 3}, March(unit=3, left=2))
    >>> marching.read(None, "march", {"unit": 3, "left": "x"})
    Traceback (most recent call last):
    ...
    ladoga.kernel.errors.BadDocument: march.left: expected a whole number, got text
    """

    def __init__(self, make: Callable[..., T], **kinds: Kind) -> None:
        own = signature(make).parameters
        self._make = make
        self._kinds = {key: kind._replace(field=kind.field or key) for key, kind in kinds.items()}
        self._besides = {key for key, kind in self._kinds.items() if kind.field not in own}
        self._usual = {key: kind.usual for key, kind in self._kinds.items()}
        """What a document need not say; what has no usual value it must."""
        for key, kind in self._kinds.items():
            usual = own[kind.field].default if key not in self._besides else Parameter.empty
            if kind.usual is msgspec.NODEFAULT and usual is not Parameter.empty:
                self._usual[key] = kind.tell(None, usual)
        fields = [(key, kind.type, self._usual[key]) for key, kind in kinds.items()]
        self.entry = msgspec.defstruct("Entry", fields, bases=(Strict,), kw_only=True)
        """A matter as it stands in a document."""

    def tell(self, p: Any, matter: T, **besides: Any) -> dict[str, Any]:
        """A matter of a position as plain values; ``besides`` is what does not lie in the matter itself."""
        told = {
            key: besides[key] if key in self._besides else kind.tell(p, getattr(matter, kind.field))
            for key, kind in self._kinds.items()
        }
        values: dict[str, Any] = plain({key: said for key, said in told.items() if said != self._usual[key]})
        return values

    def read(self, reader: Any, path: str, told: Any, **besides: Any) -> T:
        """The matter that a document tells of; ``besides`` is what it does not say."""
        return self.made(reader, path, self.shaped(path, told), **besides)

    def shaped(self, path: str, told: Any) -> Any:
        """An entry of a document, with its keys and types as they must be."""
        return shape(told, self.entry, error=BadDocument, path=path)

    def made(self, reader: Any, path: str, entry: Any, **besides: Any) -> T:
        """The matter of an entry."""
        own = {
            kind.field: kind.read(reader, f"{path}.{key}", getattr(entry, key))
            for key, kind in self._kinds.items() if key not in self._besides
        }  # fmt: skip
        return self._make(**own, **besides)
