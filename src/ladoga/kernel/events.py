"""The typed part of what happened: what a program asks of an event, so that nobody reads the words meant for people."""

from __future__ import annotations

from typing import NamedTuple


class Result(NamedTuple):
    """The result of a fight.

    >>> Result("1/-").code
    '1/-'
    """

    code: str
    """As ``explain`` lists it."""


class Loss(NamedTuple):
    """Steps that a unit has lost.

    >>> Loss("12", 1).steps
    1
    """

    unit: str
    steps: int
