"""The typed part of what happened: what a program asks of an event, so that nobody reads the words meant for people."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple


class Odds(NamedTuple):
    """What a fight is fought at, once it is known.

    >>> Odds(12, 4, "3-1").column
    '3-1'
    """

    attack: int
    defence: int | None
    """Nothing where the table weighs the attack alone."""
    column: str
    """Its name on the table, as ``explain`` lists it."""


class Result(NamedTuple):
    """The result of a fight.

    >>> Result("1/-").code
    '1/-'
    """

    code: str
    """As ``explain`` lists it."""


class Struck(NamedTuple):
    """The die for one unit, in games that roll for each.

    >>> Struck("12", "E", 1).steps
    1
    """

    unit: str
    code: str
    """Its part of the result."""
    steps: int
    """What it has lost."""


def together(codes: Iterable[str]) -> str:
    """The results of several units as one, as ``explain`` lists it.

    >>> together("-E-")
    'E--'
    """
    return "".join(sorted(codes, reverse=True))


class Loss(NamedTuple):
    """Steps that a unit has lost.

    >>> Loss("12", 1).steps
    1
    """

    unit: str
    steps: int


class Moved(NamedTuple):
    """Units that have moved together: the hex they are in now, and the points that it took.

    >>> Moved(("12",), "0304", 2).hex
    '0304'
    """

    units: tuple[str, ...]
    hex: str
    cost: int | Fraction | None = None
    """Nothing where it was not worked out: ``position.cost(order)`` knows."""


class Stays(NamedTuple):
    """Units that might have advanced after a fight, and the case that forbids it.

    >>> Stays(("12",), "10.3").units
    ('12',)
    """

    units: tuple[str, ...]
    case: str


class Asked(NamedTuple):
    """A hex of which the other side had to tell something that does not show on its counters.

    >>> Asked("0304").hex
    '0304'
    """

    hex: str
