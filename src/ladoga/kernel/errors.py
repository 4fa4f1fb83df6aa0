"""Everything that can go wrong with input from outside, in one tree.

::

    LadogaError (ValueError)
    ├── BadData         a data file or overlay of a game
    ├── BadDocument     a position document
    ├── BadRecord       a record of a game
    ├── BadOrder        order text nobody can read
    ├── UnknownGame     no such game, scenario, option or player
    └── Illegal         an order the rules forbid: has ``case`` and ``message``
"""

from __future__ import annotations

__all__ = ["BadData", "BadDocument", "BadOrder", "BadRecord", "Illegal", "LadogaError", "UnknownGame"]


class LadogaError(ValueError):
    """Base of all errors that input from outside can cause.

    >>> import ladoga
    >>> try:
    ...     ladoga.load("waterloo")
    ... except LadogaError as problem:
    ...     print(type(problem).__name__)
    UnknownGame
    """


class _Located(LadogaError):
    """An error with a source (file or text) and the path of the bad value inside it."""

    def __init__(self, message: str, *, path: str = "", source: str = "") -> None:
        self.message = message
        self.path = path
        self.source = source
        super().__init__(": ".join(part for part in (source, path, message) if part))

    def within(self, source: str) -> _Located:
        """The same error, naming the file it came from."""
        return type(self)(self.message, path=self.path, source=source)


class BadData(_Located):
    """A data file does not say what the game needs.

    >>> import ladoga
    >>> ladoga.load("leningrad41", {"tables.yaml": {"combat": {"eliminated_on": [1]}}})
    Traceback (most recent call last):
    ...
    ladoga.kernel.errors.BadData: combat: columns, least and eliminated_on must be equally long
    """


class BadDocument(_Located):
    """A position document is malformed or impossible.

    >>> import ladoga
    >>> ladoga.load("leningrad-1979").position("{game: leningrad-1979, turn: 99}")
    Traceback (most recent call last):
    ...
    ladoga.kernel.errors.BadDocument: missing 'phase'
    """


class BadRecord(_Located):
    """A record is malformed, or does not replay.

    >>> import ladoga
    >>> ladoga.Record.parse("once upon a time")
    Traceback (most recent call last):
    ...
    ladoga.kernel.errors.BadRecord: line 1: a record begins with '# Ladoga record 1'
    """


class BadOrder(LadogaError):
    """Order text that cannot be read; says what was expected.

    >>> import ladoga
    >>> ladoga.load("leningrad-1979").parse("charge 12 0403")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ladoga.kernel.errors.BadOrder: there is no order 'charge'; orders are: place, rebuild, ...
    """


class UnknownGame(LadogaError):
    """No game, scenario, option or player of that name.

    >>> import ladoga
    >>> ladoga.load("waterloo")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ladoga.kernel.errors.UnknownGame: there is no game 'waterloo'; games: assault-leningrad, ...
    """


class Illegal(LadogaError):
    """An order that a case of the rules forbids. The position is unchanged.

    >>> import ladoga
    >>> position = ladoga.load("leningrad-1979").start()
    >>> try:
    ...     position.play("attack 12 0403")
    ... except Illegal as refused:
    ...     print(refused.case, refused.message)
    8.0 'attack' is not possible now: Soviet set-up
    >>> str(Illegal("4.1", "{} is too far", "0403"))
    '0403 is too far [4.1]'
    """

    def __init__(self, case: str, message: str, *facts: object) -> None:
        super().__init__(case, message, *facts)
        self.case = case
        self._message = message
        self._facts = facts

    @property
    def message(self) -> str:
        """The reason, with every fact in its hole; put together when somebody reads it."""
        return self._message.format(*self._facts) if self._facts else self._message

    def __str__(self) -> str:
        return f"{self.message} [{self.case}]"
