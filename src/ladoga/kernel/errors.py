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


class LadogaError(ValueError):
    """Base of all errors that input from outside can cause."""


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
    """A data file does not say what the game needs."""


class BadDocument(_Located):
    """A position document is malformed or impossible."""


class BadRecord(_Located):
    """A record is malformed, or does not replay."""


class BadOrder(LadogaError):
    """Order text that cannot be read; says what was expected."""


class UnknownGame(LadogaError):
    """No game, scenario, option or player of that name."""


class Illegal(LadogaError):
    """An order that a case of the rules forbids. The position is unchanged."""

    def __init__(self, case: str, message: str) -> None:
        self.case = case
        self.message = message
        super().__init__(f"{message} [{case}]")
