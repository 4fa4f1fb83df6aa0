"""Matters in hand as position documents tell them: a table of fields, from which writing and reading follow."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, signature
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from ..hexes import NOWHERE, members
from .data import Strict, shape
from .documents import plain
from .errors import BadDocument

T = TypeVar("T")


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
