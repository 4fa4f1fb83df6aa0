"""The book of problems: positions from games that were lost, and what a good player makes of them.

A problem is a position at the beginning of a side's player-turn. The player that is tried plays the side, a sparring
partner plays the enemy, until the same phase of the next turn or the end of the game: what counts is how things stand
after the enemy's whole reply. That is repeated on several dice, measured by figures that anybody can check on the map,
and averaged; the problem is solved when every condition holds. Half of the problems are held out: nothing may be tuned
on them, and both halves are reported.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from ..kernel.data import Strict, load
from ..kernel.game import game_ids, load_game
from ..kernel.position import CHANCE, Position
from ..players import Player, make
from ..players.situation import Situation
from .peer import cpu_clock, give_clock
from .simulate import MOST_ORDERS, lead

BOOK = Path(__file__).parent / "book"
"""A folder a game, a file a problem."""


class Condition(Strict):
    """What must hold of a measure, on average over the dice."""

    measure: str
    least: float | None = None
    most: float | None = None

    def holds(self, value: float) -> bool:
        """Whether a value is good enough."""
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)

    def __str__(self) -> str:
        low = f"{self.least:g} <= " if self.least is not None else ""
        high = f" <= {self.most:g}" if self.most is not None else ""
        return f"{low}{self.measure}{high}"


class Problem(Strict, rename="kebab"):
    """A position and what to make of it."""

    title: str
    source: str
    """The game it comes from."""
    side: str
    held_out: bool
    accept: list[Condition]
    position: dict[str, Any]
    reply: str = "raider"
    """Who plays the enemy."""
    seeds: int = 6

    @property
    def game(self) -> str:
        """The game it belongs to."""
        return str(self.position["game"])


@dataclass(frozen=True)
class Tried:
    """A problem, tried by a player."""

    name: str
    title: str
    side: str
    held_out: bool
    values: Mapping[str, float]
    failed: tuple[str, ...]
    seconds: float
    """Processor time a player-turn."""
    error: str = ""

    @property
    def solved(self) -> bool:
        """Whether every condition holds."""
        return not self.failed and not self.error

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "problem": self.name, "title": self.title, "side": self.side, "held-out": self.held_out,
            "solved": self.solved, "failed": list(self.failed), "error": self.error,
            "measures": {name: round(value, 3) for name, value in self.values.items()},
            "seconds": round(self.seconds, 3),
        }  # fmt: skip


def problems_of(game_id: str) -> dict[str, Problem]:
    """The problems of a game by name."""
    found: dict[str, Problem] = {}
    for path in sorted((BOOK / game_id).glob("*.yaml")):
        found[path.stem] = load(path, Problem)
    return found


def book(games: Iterable[str] = ()) -> Iterator[tuple[str, Problem]]:
    """All problems, or those of some games."""
    for game_id in games or game_ids():
        for name, problem in problems_of(game_id).items():
            yield f"{game_id}/{name}", problem


# Measures -----------------------------------------------------------------------------------------

Measure = Callable[[Position, Position, str], float]
"""From the position at the beginning, the one at the end and the side."""


def _strength(position: Position, side: str) -> float:
    situation = Situation(position, side)
    return sum(p.worth * p.steps * (1 if p.side == side else -1) for p in situation.pieces.values())


def _balance(before: Position, after: Position, side: str) -> float:
    """By how much our strength on the map grew against the enemy's, in points of strength."""
    return _strength(after, side) - _strength(before, side)


def _margin(before: Position, after: Position, side: str) -> float:
    """How far the side is ahead in the points of the game."""
    standing = after.standing
    first = after.game.sides[0]
    return lead(standing.winner, float(standing.margin), first) * (1 if side == first else -1)


def _held(before: Position, after: Position, side: str) -> float:
    """Objectives in which a unit of the side stands."""
    situation = Situation(after, side)
    return float(sum(situation.occupied[side] >> h & 1 for h in situation.objectives))


def _fed(before: Position, after: Position, side: str) -> float:
    """The part of the side's units on the map that has a line of supply."""
    units = [c for c in after.table().counters if c.side == side and c.hex]
    return sum("unsupplied" not in c.states for c in units) / len(units) if units else 0.0


def _posts(position: Position, side: str) -> int:
    return sum(c.symbol in ("hq", "leader") and c.side == side and bool(c.hex) for c in position.table().counters)


def _headquarters(before: Position, after: Position, side: str) -> float:
    """By how many our headquarters and leaders on the map grew against the enemy's."""
    other = next(s for s in after.game.sides if s != side)
    return float(_posts(after, side) - _posts(after, other) - _posts(before, side) + _posts(before, other))


def _entered(before: Position, after: Position, side: str) -> float:
    """Units of the side that came onto the map."""
    there = {c.id for c in before.table().counters if c.side == side and c.hex}
    return float(sum(c.side == side and bool(c.hex) and c.id not in there for c in after.table().counters))


MEASURES: dict[str, Measure] = {
    "balance": _balance,
    "margin": _margin,
    "held": _held,
    "fed": _fed,
    "headquarters": _headquarters,
    "entered": _entered,
}


# Trying -------------------------------------------------------------------------------------------


@cache
def _start(game_id: str, text: bytes) -> Position:
    return load_game(game_id).position(msgspec.json.decode(text))


def start_of(problem: Problem) -> Position:
    """The position of a problem."""
    return _start(problem.game, msgspec.json.encode(problem.position))


@contextmanager
def by_processor() -> Iterator[Callable[[], None]]:
    """While players who think on one core count processor time, so that a busy machine takes nothing from them; to be
    called before each decision, for what a game needs may be imported with its first one."""
    clock = cpu_clock()
    try:
        yield lambda: give_clock(clock)
    finally:
        give_clock(time, instead_of=clock)


def played_on(
    start: Position, side: str, seats: Mapping[str, Player], luck: int, before: Callable[[], None] = lambda: None
) -> tuple[Position, float]:  # fmt: skip
    """The position after the enemy's whole reply, and the processor time that the side took."""
    position, rng, dice = start, random.Random(f"{luck} players"), random.Random(f"{luck} dice")
    until, phase, seconds = start.turn + 1, start.phase.id, 0.0
    for _ in range(MOST_ORDERS):
        mover = position.to_move
        if mover is None or position.turn > until or (position.turn == until and position.phase.id == phase):
            return position, seconds
        if mover == CHANCE:
            position = position.play(position.legal.random(dice))
            continue
        before()
        started = time.process_time()
        order = seats[mover].choose(position.view(mover), rng)
        if mover == side:
            seconds += time.process_time() - started
        position = position.play(order)
    return position, seconds


def measured(
    problem: Problem, seat: Callable[[int], Player], seeds: int | None = None, before: Callable[[], None] = lambda: None
) -> tuple[dict[str, float], float]:
    """What a player makes of a problem, on average over the dice, and the time a player-turn took."""
    start, side = start_of(problem), problem.side
    other = next(s for s in start.game.sides if s != side)
    totals, spent, count = dict.fromkeys(MEASURES, 0.0), 0.0, seeds or problem.seeds
    for luck in range(count):
        seats = {side: seat(luck), other: make(problem.reply, seed=luck)}
        after, seconds = played_on(start, side, seats, luck, before)
        spent += seconds
        for name, measure in MEASURES.items():
            totals[name] += measure(start, after, side)
    return {name: total / count for name, total in totals.items()}, spent / count


def attempt(
    name: str, problem: Problem, player: str, *, think: float | None = None, cores: int = 1, seeds: int | None = None
) -> Tried:
    """Let a player try a problem; on one core a time to think is processor time."""
    try:
        with by_processor() as before:
            values, seconds = measured(
                problem, lambda luck: make(player, seed=luck, think=think, cores=cores), seeds,
                before if cores == 1 else lambda: None,
            )  # fmt: skip
    except Exception as broken:  # a player that breaks has not solved it
        why = f"{type(broken).__name__}: {broken}"
        return Tried(name, problem.title, problem.side, problem.held_out, {}, (), 0.0, why)
    failed = tuple(str(c) for c in problem.accept if not c.holds(values[c.measure]))
    return Tried(name, problem.title, problem.side, problem.held_out, values, failed, seconds)


def halves(tried: Sequence[Tried]) -> dict[str, tuple[int, int]]:
    """Solved and tried, of the open half and of the one held out."""
    parts = {"open": [t for t in tried if not t.held_out], "held-out": [t for t in tried if t.held_out]}
    return {word: (sum(t.solved for t in part), len(part)) for word, part in parts.items()}
