"""What a position answers: how a hex is reached, whether a unit is fed, how a game stands, an attack in numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from .orders import Order


def some(things: Iterable[object]) -> str:
    """The first few of many, for people."""
    shown = [str(thing) for thing, _ in zip(things, range(9), strict=False)]
    return ", ".join([*shown[:8], "..."] if len(shown) > 8 else shown)


class Reached(NamedTuple):
    """How a hex is reached: points left afterwards, the way there from where the unit stands, and what it costs.

    >>> import ladoga
    >>> position = ladoga.load("leningrad-1979").position({
    ...     "game": "leningrad-1979", "turn": 2, "phase": "german-movement", "map": {"blank": [8, 6]},
    ...     "units": {"1/41": {"hex": "0303"}},
    ... })
    >>> found = position.reach(["1/41"])["0503"]
    >>> found.left, found.cost, found.path
    (Fraction(2, 1), Fraction(2, 1), ('0303', '0403', '0503'))
    """

    left: Fraction
    path: tuple[str, ...]
    cost: Fraction


class Reach(Mapping[str, Reached]):
    """Where units can go, by hex number; numbers, ways and costs are worked out only when asked for."""

    __slots__ = ("_count", "_detail", "_given", "_known")

    def __init__(self, numbers: Iterable[str], detail: Callable[[str], Reached], *, count: int | None = None) -> None:
        self._given = numbers
        self._known: dict[str, None] | None = None
        self._detail = detail
        self._count = count

    @property
    def _numbers(self) -> dict[str, None]:
        if self._known is None:
            self._known = dict.fromkeys(self._given)
        return self._known

    def __getitem__(self, number: str) -> Reached:
        if number not in self._numbers:
            raise KeyError(number)
        return self._detail(number)

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers) if self._count is None else self._count

    def __contains__(self, number: object) -> bool:
        return number in self._numbers

    def __repr__(self) -> str:
        return f"<Reach: {some(self)}>"


class Line(NamedTuple):
    """A line of supply in words: the hexes it runs through, or where it is cut."""

    path: tuple[str, ...] = ()
    source: str = ""
    cut: str = ""
    case: str = ""
    message: str = ""


class Trace:
    """Whether a unit is in supply, and its line, which may be traced only when somebody asks for it.

    >>> trace = Trace(True, ("0101", "0102"), "0102", case="11.0")
    >>> bool(trace), trace.source
    (True, '0102')
    >>> trace == Trace(True, later=lambda: trace.line)
    True
    """

    __slots__ = ("_line", "supplied")

    path: tuple[str, ...]
    """The hexes the line runs through."""
    source: str
    """Where it ends."""
    cut: str
    """Where it is cut."""
    case: str
    """The case that says so."""
    message: str
    """In words."""

    def __init__(
        self,
        supplied: bool,
        path: tuple[str, ...] = (),
        source: str = "",
        cut: str = "",
        case: str = "",
        message: str = "",
        *,
        later: Callable[[], Line] | None = None,
    ) -> None:
        self.supplied = supplied
        self._line: Line | Callable[[], Line] = later or Line(path, source, cut, case, message)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trace) and (self.supplied, self.line) == (other.supplied, other.line)

    def __hash__(self) -> int:
        return hash((self.supplied, self.line))

    @property
    def line(self) -> Line:
        """The line, traced once."""
        if not isinstance(self._line, Line):
            self._line = self._line()
        return self._line

    def __getattr__(self, name: str) -> Any:
        if name not in Line._fields:
            raise AttributeError(f"a line of supply has no {name!r}")
        return getattr(self.line, name)

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return {"supplied": self.supplied, **self.line._asdict()}

    def __bool__(self) -> bool:
        return self.supplied

    def __repr__(self) -> str:
        parts = ", ".join(f"{key}={value!r}" for key, value in self.as_json().items())
        return f"Trace({parts})"


class Reachable(NamedTuple):
    """How far something of a unit's reaches: its command, its fire. ``hexes`` are those it reaches, ``beyond``
    those that are near enough but out of its sight."""

    kind: str
    case: str
    hexes: frozenset[str]
    beyond: frozenset[str] = frozenset()


class Entry(NamedTuple):
    """One line of the victory ledger.

    >>> import ladoga
    >>> ledger = ladoga.load("leningrad-1979").start().standing.ledger
    >>> all(isinstance(entry, Entry) and entry.case for entry in ledger)
    True
    """

    side: str
    points: int | Fraction
    label: str
    case: str


def won(winner: str | None, level: str) -> str:
    """Who won, and how; some books name the side in the level.

    >>> won("soviet", "victory on points"), won("german", "German tactical"), won(None, "draw")
    ('Soviet: victory on points', 'German tactical', 'draw')
    """
    return level if winner is None or winner in level.lower() else f"{winner.title()}: {level}"


@dataclass(frozen=True)
class Outcome:
    """How a game ended (or stands): who won, at which level, by how much, and every point.

    >>> import ladoga
    >>> standing = ladoga.load("assault-leningrad").start().standing
    >>> standing.winner, standing.level
    ('soviet', 'victory on points')
    """

    winner: str | None
    level: str
    margin: int | Fraction
    """As the game's own book counts it: the winner's lead, or in games with one running total (both
    Leningrads) that total, which is negative when the other side is ahead."""
    ledger: tuple[Entry, ...] = ()
    case: str = ""

    @property
    def words(self) -> str:
        """Who won, and how."""
        return won(self.winner, self.level)

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "winner": self.winner,
            "level": self.level,
            "margin": _number(self.margin),
            "case": self.case,
            "ledger": [{**entry._asdict(), "points": _number(entry.points)} for entry in self.ledger],
        }


class Modifier(NamedTuple):
    """A shift or modifier of a combat, with its case; ``counts`` is false where a case says that
    it does not apply here after all, ``sure`` where it applies to some defenders only, or only if a hidden
    unit turns out that way.

    >>> swamp = Modifier("Defender in swamp 0403", -1, "9.6")
    >>> swamp.counts and swamp.sure
    True
    """

    label: str
    amount: int | Fraction
    case: str
    counts: bool = True
    sure: bool = True


@dataclass(frozen=True)
class Explanation:
    """An attack before it is made: strengths, every modifier, the column, and exact odds.

    Strengths, columns and results are distributions (value and probability), certain ones
    have a single value. ``meaning`` says in words what each result code does.

    >>> import ladoga
    >>> position = ladoga.load("leningrad-1979").position({
    ...     "game": "leningrad-1979", "turn": 4, "phase": "german-combat",
    ...     "map": {
    ...         "blank": [8, 6], "hexes": {"0403": "swamp"},
    ...         "places": {"0303": ["german-supply"], "0403": ["soviet-supply"]},
    ...     },
    ...     "units": {
    ...         "1/41": {"hex": "0303"},
    ...         "x1": {"side": "soviet", "type": "infantry", "attack": 4, "defence": 3, "movement": 5, "hex": "0403"},
    ...     },
    ... })
    >>> told = position.explain("attack 1/41 0403")
    >>> told.columns[0][0], {code: str(chance) for code, chance in told.results}
    ('2-1', {'-/1': '1/6', '1/-': '1/6', '1/1': '1/6', '1/2': '1/6', '2/1': '1/6', '2/2': '1/6'})
    """

    order: Order
    title: str
    attack: tuple[tuple[int | Fraction, Fraction], ...] = ()
    defence: tuple[tuple[int | Fraction, Fraction], ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    initial: tuple[tuple[str, Fraction], ...] = ()
    columns: tuple[tuple[str, Fraction], ...] = ()
    results: tuple[tuple[str, Fraction], ...] = ()
    meaning: Mapping[str, str] = field(default_factory=dict)
    table: str = ""
    notes: tuple[str, ...] = ()
    to_die: bool = False
    """Whether the modifiers are added to the die instead of shifting the column."""

    @property
    def net(self) -> int | Fraction:
        """All modifiers that count for certain, added up."""
        return sum((m.amount for m in self.modifiers if m.counts and m.sure), 0)

    def as_json(self) -> dict[str, Any]:
        """Plain values; probabilities as exact fractions and as numbers."""

        def spread(pairs: Iterable[tuple[Any, Fraction]]) -> list[dict[str, Any]]:
            return [
                {"value": _number(v) if isinstance(v, Fraction) else v, "exact": str(p), "probability": float(p)}
                for v, p in pairs
            ]

        return {
            "order": str(self.order),
            "title": self.title,
            "attack": spread(self.attack),
            "defence": spread(self.defence),
            "modifiers": [{**m._asdict(), "amount": _number(m.amount)} for m in self.modifiers],
            "net": _number(self.net),
            "initial": spread(self.initial),
            "columns": spread(self.columns),
            "results": spread(self.results),
            "meaning": dict(self.meaning),
            "table": self.table,
            "notes": list(self.notes),
            "to_die": self.to_die,
        }


def _number(value: int | Fraction) -> int | str:
    """A whole number as such, a fraction as ``7/2``."""
    if isinstance(value, int):
        return value
    return value.numerator if value.denominator == 1 else str(value)
