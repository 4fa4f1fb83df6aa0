"""State as nouns: a class says once which fields it has, and its copying follows from that.

A field declared ``Own[list[Hex]]`` belongs to the value and is copied with it; every other field is shared and
therefore only ever replaced, never changed.

>>> class Board(State):
...     hexes: Own[list[int]]
...     turn: int
>>> board = Board(hexes=[3, 5], turn=1)
>>> other = board.copy()
>>> other.hexes.append(7)
>>> board.hexes, other.turn
([3, 5], 1)
>>> Board(hexes=[])
Traceback (most recent call last):
...
TypeError: Board: nothing is said of turn
"""

from __future__ import annotations

from abc import ABCMeta
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

if TYPE_CHECKING:
    from typing import Self

__all__ = ["Own", "State"]

T = TypeVar("T")

Own = Annotated[T, "copied with what it belongs to"]
"""A field that is copied when its value is."""


class Declared(ABCMeta):
    """Makes slots and ``copy`` of a class from the fields that it annotates."""

    def __new__(mcs, name: str, bases: tuple[type, ...], names: dict[str, Any], **words: Any) -> Declared:
        """The class, with a slot for every field and a copying function written out field by field."""
        here = {field: kind for field, kind in names.get("__annotations__", {}).items() if not _of_the_class(kind)}
        defaults = {field: names.pop(field) for field in here if field in names}
        if any(isinstance(base, Declared) or hasattr(base, "__slots__") for base in bases):
            names.setdefault("__slots__", tuple(here))
        made = super().__new__(mcs, name, bases, names, **words)
        fields: dict[str, bool] = {}
        standing: dict[str, Any] = {}
        for base in reversed(made.__mro__[1:]):
            fields |= base.__dict__.get("_fields_owned", {})
            standing |= base.__dict__.get("_fields_usual", {})
        fields |= {field: _is_own(kind) for field, kind in here.items()}
        made._fields_owned, made._fields_usual = fields, standing | defaults
        made._copied = _copying(name, fields)
        return made

    _fields_owned: dict[str, bool]
    _fields_usual: dict[str, Any]
    _copied: Any


def _of_the_class(kind: object) -> bool:
    return str(kind).startswith(("ClassVar", "typing.ClassVar"))


def _is_own(kind: object) -> bool:
    return str(kind).startswith("Own[") or getattr(kind, "__metadata__", None) == Own.__metadata__


def _copying(name: str, fields: dict[str, bool]) -> Any:
    """A function that copies a value field by field; written out it takes a third of the time of a loop."""
    lines = [f"def copied(old, new):  # of {name}"]
    for field, own in fields.items():
        lines.append(f"    new.{field} = old.{field}" if not own else f"    value = old.{field}")
        if own:
            lines.append(f"    new.{field} = value.copy() if value is not None else None")
    namespace: dict[str, Any] = {}
    exec("\n".join([*lines, "    return new"]), namespace)  # noqa: S102  # made of declared names alone
    return namespace["copied"]


class State(metaclass=Declared):
    """A part of a position: fields by annotation, each with a slot; made by name, copied as declared.

    >>> class March(State):
    ...     path: Own[list[int]]
    ...     left: int = 4
    >>> march = March(path=[7])
    >>> march.copy() == march, march.left
    (True, 4)
    """

    __slots__ = ()

    def __init__(self, **values: Any) -> None:
        usual = {field: value for field, value in type(self)._fields_usual.items() if field not in values}
        for field, value in {**usual, **values}.items():
            setattr(self, field, value.copy() if field in usual and hasattr(value, "copy") else value)
        missing = [field for field in type(self)._fields_owned if field not in values and field not in usual]
        if missing:
            raise TypeError(f"{type(self).__name__}: nothing is said of {', '.join(missing)}")

    def copy(self) -> Self:
        """An equal value that may be changed without changing this one."""
        new: Self = type(self)._copied(self, object.__new__(type(self)))
        return new

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(
            getattr(self, field) == getattr(other, field) for field in type(self)._fields_owned
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        told = ", ".join(f"{field}={getattr(self, field)!r}" for field in type(self)._fields_owned)
        return f"{type(self).__name__}({told})"
