"""What players may choose before a game: optional rules, and readings of unclear cases.

An ``Option`` is declared in the data of a game: what it is called, what it can be and what it usually is. What was
chosen is ``Chosen``: a family declares it with a typed attribute for each of its options, so that a rule asks
``p.options.river_on_road``; by its name in the data it is read as ``p.options["river-on-road"]``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, TypeAlias

from .data import Strict
from .errors import LadogaError, UnknownGame

__all__ = ["Chosen", "Option", "read_options"]

Value: TypeAlias = bool | int | str
Kind: TypeAlias = Literal["switch", "number", "word"]


def typed(value: object) -> str:
    """A value of an option as it is typed."""
    return str(value).lower() if isinstance(value, bool) else str(value)


class Option(Strict):
    """An optional rule, or a reading of an unclear case, that can be switched.

    >>> import ladoga
    >>> option = ladoga.load("leningrad41").options["fanaticism"]
    >>> option.default, option.kind, option.read("true")
    (False, 'switch', True)
    """

    title: str
    case: str
    default: Value
    choices: tuple[Value, ...] = (True, False)
    text: str = ""

    def __post_init__(self) -> None:
        if not self.allows(self.default):
            raise ValueError(f"what it usually is, {typed(self.default)!r}, is none of its choices: {self.allowed}")

    @property
    def kind(self) -> Kind:
        """What it is by its usual value: a switch, a number, or a word."""
        return "switch" if isinstance(self.default, bool) else "number" if isinstance(self.default, int) else "word"

    def allows(self, value: object) -> bool:
        """Whether it can be that: 1 is no switch."""
        return any(value == choice and type(value) is type(choice) for choice in self.choices)

    @property
    def allowed(self) -> str:
        """What it can be, for people; numbers that follow one another are told from the first to the last.

        >>> Option("Points bid", "16.4", 0, (0, "secret", 1, 2, 3)).allowed
        '0 to 3, secret'
        """
        numbers = sorted(choice for choice in self.choices if type(choice) is int)
        if len(numbers) < 3 or numbers != list(range(numbers[0], numbers[-1] + 1)):
            return ", ".join(map(typed, self.choices))
        words = [typed(choice) for choice in self.choices if type(choice) is not int]
        return ", ".join((f"{numbers[0]} to {numbers[-1]}", *words))

    def read(self, text: str) -> Value:
        """What a typed text stands for; a text that stands for none of the choices is what it is."""
        return next((choice for choice in self.choices if typed(choice) == text), text)

    def check(self, name: str, value: object) -> None:
        """Refuse what it cannot be."""
        if not self.allows(value):
            raise UnknownGame(f"option {name!r} cannot be {typed(value)!r}; it can be: {self.allowed}")


def read_options(words: Iterable[str], options: Mapping[str, Option]) -> dict[str, Value]:
    """``name=value`` words as options of a game; names that it does not have are for it to refuse.

    >>> import ladoga
    >>> read_options(["fog-of-war=true", "weather=mud"], ladoga.load("tijvin-1941").options)
    {'fog-of-war': True, 'weather': 'mud'}
    """
    read: dict[str, Value] = {}
    for word in words:
        name, equals, text = word.partition("=")
        if not equals or not name:
            raise LadogaError(f"an option is written NAME=VALUE, not {word!r}")
        read[name] = options[name].read(text) if name in options else text
    return read


class Chosen(Mapping[str, Value]):
    """The options that are played. The attributes that a family declares say what holds where a game leaves no choice.

    >>> class MarshOptions(Chosen):
    ...     long_nights: bool = False
    ...     otters: bool = False
    >>> chosen = MarshOptions({"long-nights": True})
    >>> chosen.long_nights, chosen.otters, dict(chosen)
    (True, False, {'long-nights': True})
    """

    def __init__(self, values: Mapping[str, Value]) -> None:
        self._values = dict(values)
        for name, value in values.items():
            setattr(self, name.replace("-", "_"), value)

    def __getitem__(self, name: str) -> Value:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._values!r})"
