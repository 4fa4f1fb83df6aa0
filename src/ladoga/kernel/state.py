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

A large state is told in parts, each a noun of its own. What is put together of them has all their fields as its own,
side by side, so that nobody pays for a way through one noun to the next; a part is renewed as a whole.

>>> class PhaseSheet(Part):
...     moved: int = 0
>>> class Situation(PhaseSheet, State):
...     hexes: Own[list[int]]
>>> situation = Situation(hexes=[3], moved=5)
>>> situation.renew(PhaseSheet)
>>> situation
Situation(moved=0, hexes=[3])
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
Anew = Annotated[T, "empty in every copy"]
"""A dictionary that is empty in every copy: what was worked out about one very value."""


class Declared(ABCMeta):
    """Makes slots and ``copy`` of a class from the fields that it annotates."""

    def __new__(mcs, name: str, bases: tuple[type, ...], names: dict[str, Any], **words: Any) -> Declared:
        """The class, with a slot for every field and a copying function written out field by field; a part has none of
        its own, what is put together of parts has one for every field of theirs."""
        here = {field: kind for field, kind in names.get("__annotations__", {}).items() if not _of_the_class(kind)}
        defaults = {field: names.pop(field) for field in here if field in names}
        parts = [base for base in bases if isinstance(base, Declared) and base._is_part]
        is_part = bool(parts) and len(parts) == len(bases)
        if is_part:
            names["__slots__"] = ()
        elif any(isinstance(base, Declared) or hasattr(base, "__slots__") for base in bases):
            names.setdefault("__slots__", (*here, *(field for part in parts for field in part._fields_owned)))
        made = super().__new__(mcs, name, bases, names, **words)
        fields: dict[str, str] = {}
        standing: dict[str, Any] = {}
        for base in reversed(made.__mro__[1:]):
            fields |= base.__dict__.get("_fields_owned", {})
            standing |= base.__dict__.get("_fields_usual", {})
        fields |= {field: _copied_how(kind) for field, kind in here.items()}
        made._fields_owned, made._fields_usual, made._is_part = fields, standing | defaults, is_part
        besides = getattr(made, "_besides", ())
        made._copied = _copying(name, dict.fromkeys(besides, SHARED) | fields)
        made._renewed = _renewing(name, made._fields_usual)
        setattr(made, getattr(made, "_copied_by", "_copied"), made._copied)
        return made

    _fields_owned: dict[str, str]
    _fields_usual: dict[str, Any]
    _is_part: bool
    _copied: Any
    _renewed: Any


def _of_the_class(kind: object) -> bool:
    return str(kind).startswith(("ClassVar", "typing.ClassVar"))


SHARED, OWN, ANEW = "old.{0}", "old.{0}.copy() if old.{0} is not None else None", "{{}}"
"""How a field is copied."""


def _copied_how(kind: object) -> str:
    for how, annotated in ((OWN, Own), (ANEW, Anew)):
        word = "Own[" if how is OWN else "Anew["
        if str(kind).startswith(word) or getattr(kind, "__metadata__", None) == annotated.__metadata__:
            return how
    return SHARED


def _copying(name: str, fields: dict[str, str]) -> Any:
    """A function that copies a value field by field; written out it takes a third of the time of a loop."""
    lines = [f"def copied(old):  # of {name}", "    new = make(old.__class__)"]
    lines += [f"    new.{field} = {how.format(field)}" for field, how in fields.items()]
    namespace: dict[str, Any] = {"make": object.__new__}
    exec("\n".join([*lines, "    return new"]), namespace)  # noqa: S102  # made of declared names alone
    return namespace["copied"]


def _renewing(name: str, usual: dict[str, Any]) -> Any:
    """A function that sets every field to what it usually is, written out too."""
    lines = [f"def renewed(self):  # of {name}"]
    lines += [f"    self.{field} = usual[{field!r}]" + ".copy()" * hasattr(usual[field], "copy") for field in usual]
    namespace: dict[str, Any] = {"usual": usual}
    exec("\n".join([*lines, "    return None"]), namespace)  # noqa: S102  # made of declared names alone
    return namespace["renewed"]


class Part(metaclass=Declared):
    """A noun of a larger state: its fields, with what they usually are, and what is done with them."""

    __slots__ = ()

    def renew(self, part: type[Part]) -> None:
        """All fields of a part are what they usually are."""
        part._renewed(self)


Part._is_part = True


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
        new: Self = type(self)._copied(self)
        return new

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(
            getattr(self, field) == getattr(other, field) for field in type(self)._fields_owned
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        told = ", ".join(f"{field}={getattr(self, field)!r}" for field in type(self)._fields_owned)
        return f"{type(self).__name__}({told})"
