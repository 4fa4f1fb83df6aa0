"""The fights of a game, read order by order: who attacked whom, at which odds, what the dice said.

A fight begins with the order that commits it and is settled by the throw that decides it. What the other
side does in between (aircraft, reserves) is an answer to it, not a fight of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..kernel.errors import LadogaError
from ..kernel.events import Odds, Result, Struck, together
from ..kernel.orders import Order, Role
from ..kernel.position import CHANCE, Event, Explanation, Position
from ..kernel.table import Counter

__all__ = ["Fight", "Reading"]

MARCHING = frozenset({Role.GO, Role.ENTER, Role.PLACE, Role.RETREAT, Role.ADVANCE})
"""Orders whose hexes are where units go, not what they strike."""


@dataclass
class Fight:
    """An attack from its commitment to its result.

    >>> from ladoga.analysis.example import skirmish
    >>> position = skirmish()
    >>> reading, order = Reading(), position.game.parse("attack 1/41 0403")
    >>> reading.take(1, position, position.play(order), order, "german")
    >>> reading.fights[0].hexes, round(sum(reading.fights[0].chances.values()), 6)
    (('0403',), 1.0)
    """

    began: int
    """The event that committed it."""
    turn: int
    phase: str
    side: str
    order: Order
    hexes: tuple[str, ...]
    units: tuple[str, ...]
    told: Explanation
    """Its odds, as the attacker could know them, after every answer."""
    steps: Mapping[str, int]
    """Steps of each side on the map when it was committed."""
    theirs: int
    """Steps of the defenders."""
    ours: int
    """Steps of the attackers."""
    defenders: tuple[str, ...] = ()
    column: str = ""
    """The column that was used, once it is known."""
    n: int = 0
    """The throw that settled it, or nothing yet."""
    code: str = ""
    struck: str = ""
    """What fell for one unit after the other, where each has a die."""
    dice: list[str] = field(default_factory=list)
    die: int = 0
    """The event of its first die."""
    odds: Event | None = None
    """The event that told its odds."""
    answered: int = 0
    """The last answer of the other side, as an event."""
    answer: Order | None = None

    @property
    def chances(self) -> dict[str, float]:
        """How likely each result was."""
        return {str(code): float(p) for code, p in self.told.results}


@dataclass
class Reading:
    """What was found so far in a game that is read order by order: give each to ``take``.

    The last fight may still wait for its dice.

    >>> from ladoga.analysis.example import skirmish
    >>> position = skirmish()
    >>> reading, order = Reading(), position.game.parse("attack 1/41 0403")
    >>> reading.take(1, position, position.play(order), order, "german")
    >>> reading.waiting.side, len(reading.fights)
    ('german', 1)
    """

    fights: list[Fight] = field(default_factory=list)
    waiting: Fight | None = None
    aimed: tuple[str, ...] = ()
    joined: tuple[str, ...] = ()
    other: list[int] = field(default_factory=list)
    """Throws that settled no fight, by event."""

    def take(self, n: int, before: Position, after: Position, order: Order, mover: str) -> None:
        """Take in event ``n``: an order, and the positions before and after it."""
        if mover == CHANCE:
            if self.waiting is None:
                self.other.append(n)
            else:
                _thrown(self, self.waiting, n, after, order)
            return
        role, waiting = before.game.role(order), self.waiting
        if role is Role.AIM:
            self.aimed, self.joined = order.hexes, ()
        elif role is Role.JOIN and waiting is not None and mover != waiting.side:
            _answered(waiting, n, before, order)
            return
        elif role is Role.JOIN:
            self.joined += order.units
        elif role not in MARCHING:
            _ordered(self, n, before, order, mover)
        waiting = self.waiting
        if waiting is not None and waiting.began < n and order.units:
            self.waiting = None  # play goes on: there was nothing to throw for
        elif waiting is not None:
            _column(waiting, after)
            if after.to_move != CHANCE and waiting.began == n:
                _settle(self, waiting, n, after)


def _ordered(reading: Reading, n: int, before: Position, order: Order, mover: str) -> None:
    """An order that commits a fight, or answers one."""
    waiting = reading.waiting
    if waiting is not None and mover != waiting.side and not order.units:
        _answered(waiting, n, before, order)
        return
    told = explained(before, mover, order)
    if told is None:
        return
    hexes, units = (reading.aimed, reading.joined) if not order.units else (order.hexes[-1:], order.units)
    counters = before.table().counters
    against = [c for c in counters if c.hex and c.hex in hexes and c.side != mover]
    fight = Fight(
        n, before.turn, before.phase.title, mover, order, hexes, units, told, steps_of(before),
        sum(c.steps for c in against), sum(c.steps for c in counters if c.id in units), tuple(c.id for c in against),
    )  # fmt: skip
    reading.fights = [f for f in reading.fights if f.n or f is not waiting]
    reading.fights.append(fight)
    reading.waiting = fight


def _answered(fight: Fight, n: int, before: Position, order: Order) -> None:
    """The other side puts something in, or lets it be."""
    fight.answered, fight.answer = n, order
    fight.told = explained(before, fight.side, order) or fight.told


def explained(position: Position, side: str, order: Order) -> Explanation | None:
    """An attack in numbers through the eyes of a side; nothing if the order is no attack."""
    try:
        told = position.view(side).explain(order)
    except LadogaError:
        return None
    return told if told.results else None


def _column(fight: Fight, after: Position) -> None:
    """The column as the events tell it, or the only one there is."""
    for event in after.events:
        if isinstance(event.fact, Odds):
            fight.odds, fight.column = event, event.fact.column
    if len(fight.told.columns) == 1 and not fight.column:
        fight.column = str(fight.told.columns[0][0])


def _thrown(reading: Reading, fight: Fight, n: int, after: Position, order: Order) -> None:
    if order.verb == "die":
        fight.dice += order.words
        fight.die = fight.die or n
    _column(fight, after)
    _settle(reading, fight, n, after)


def _settle(reading: Reading, fight: Fight, n: int, after: Position) -> None:
    """Note the result if it has just fallen."""
    result = _result(fight, after)
    if result is None:
        return
    fight.n, fight.code = n, result
    reading.waiting = None


def _result(fight: Fight, after: Position) -> str | None:
    """The result that has just fallen; ``None`` while dice are still to come."""
    for event in after.events:
        if isinstance(event.fact, Result):
            return event.fact.code
        if isinstance(event.fact, Struck):
            fight.struck += event.fact.code
    code = together(fight.struck)
    return code if code in fight.chances else None


def steps_of(position: Position) -> dict[str, int]:
    """Steps of each side on the map."""
    steps = dict.fromkeys(position.game.sides, 0)
    for counter in position.table().counters:
        if counter.hex:
            steps[counter.side] = steps.get(counter.side, 0) + counter.steps
    return steps


def of_units(position: Position, ids: tuple[str, ...]) -> list[Counter]:
    """The counters of these units, as they lie on the table."""
    by = {counter.id: counter for counter in position.table().counters}
    return [by[unit] for unit in ids if unit in by]
