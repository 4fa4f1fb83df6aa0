"""What a store keeps, and how it refuses."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

T = TypeVar("T")

Happened = tuple[int, str, str, float]
"""An event as it is kept: number in the store, who, what, when."""


class Doubled(Exception):
    """This action has been carried out before."""


class Behind(Exception):
    """The match has changed since it was read; read it again."""


class Gone(Exception):
    """There is no such match any more."""


class Unwritable(Exception):
    """Nothing can be written now: the disk is full, or the database is out of reach. Nothing that was
    acknowledged is lost; whether the last thing was written may be in doubt, and doing it again is safe."""


class Damaged(Unwritable):
    """This cannot be read: its page of the file is damaged. Other matches may be well."""


@dataclass(frozen=True)
class Later(Generic[T]):
    """What is only known once everything is committed; asked for then, it may refuse like anything else."""

    told: Callable[[], T]


class Rows(NamedTuple):
    """What a database answered, with nothing left to be asked for."""

    rows: list[Any]

    @property
    def rowcount(self) -> int:
        """How many there are."""
        return len(self.rows)

    def fetchall(self) -> list[Any]:
        """The rows found."""
        return self.rows


class Deed(NamedTuple):
    """One action at a match that stands at a revision, with all that it brings about."""

    match: str
    action: str
    revision: int
    events: list[tuple[str, str]]
    outcome: dict[str, Any] | None
    clock: dict[str, Any] | None
    reason: str


class Seat(NamedTuple):
    """Who plays a side: a computer player by name, a person, or nobody yet."""

    side: str
    player: str
    person: int | None
    name: str
    invited: bool


class Kept(NamedTuple):
    """A match as the store keeps it."""

    id: str
    game: str
    kind: str
    scenario: str
    options: dict[str, Any]
    position: dict[str, Any] | None
    seed: bytes
    engine: str
    begun: float
    ended: dict[str, Any] | None
    overlay: dict[str, Any] | None = None
    """The owner's corrections it is played with, file by file; ``None`` in matches older than this."""
    revision: int = 0
    """Counts what has happened to it; whoever adds something says how much they have seen."""
    offers: dict[str, Any] = {}
    """What the players offer one another: peace, taking orders back."""
    clock: dict[str, Any] | None = None
    """The time each side has left; ``None`` in a match without clocks."""
    known: bool = False
    """Whether somebody brought the seed along, who could tell every roll beforehand."""


class Line(NamedTuple):
    """A line of chat."""

    n: int
    author: str
    text: str
    at: float


class Device(NamedTuple):
    """A browser that a person uses."""

    id: int
    label: str
    since: float
    seen: float


def hashed(token: str) -> str:
    """Tokens are kept only as hashes; they are random, so one round is enough."""
    return hashlib.sha256(token.encode()).hexdigest()
