"""Many games of one kind, on one core or on a cluster, always with the same result.

Game number ``i`` depends only on the match and ``i``, so it does not matter who plays it, where, or in
which order: the digest of a simulation is the same for any executor.
"""

from __future__ import annotations

import hashlib
import random
import time
from collections import Counter as Count
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

from .. import __version__
from ..kernel.chance import Chance, Dice
from ..kernel.errors import LadogaError
from ..kernel.files import write_whole
from ..kernel.game import Game, load_game
from ..kernel.orders import Order, Role
from ..kernel.position import Position
from ..kernel.record import Header, Record
from ..players import Player, make
from .audit import Auditor

Shown: TypeAlias = Callable[[Iterable[Any], int, str], Iterable[Any]]
"""Lets a person watch long work: takes what is done one by one, how many there are and what they are called."""


def unseen(items: Iterable[Any], total: int, what: str) -> Iterable[Any]:
    """Nobody is watching."""
    return items


MOST_ORDERS = 200_000
"""A game that takes more orders than this is reported as an error, not waited for."""


UNSUPPLIED = "unsupplied"
"""What a counter says that is out of supply."""


@dataclass(frozen=True)
class Match:
    """What is played: a game, a scenario and options, and a player for each side; ``random`` where none is named.

    >>> match = Match("tijvin-1941", {"german": "greedy"}, seed=7)
    >>> match.load().title, match.scenario
    ('Tijvin 1941', None)
    """

    game: str
    players: Mapping[str, str]
    seed: int = 0
    scenario: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    data: str | None = None
    think: float | None = None

    def load(self) -> Game:
        """The game with its corrections; players of sides that it does not have are refused."""
        game = load_game(self.game, self.data)
        for side in self.players:
            game.check_side(side)
        return game


@dataclass(frozen=True)
class Snapshot:
    """How things stood when a turn ended (or the game did).

    >>> played = play_match(Match("tijvin-1941", {"german": "random", "soviet": "random"}, seed=1), 0, watch=True)
    >>> [snapshot.turn for snapshot in played.snapshots][:3]
    [1, 2, 3]
    """

    turn: int
    margin: float
    """How far the first side of the game is ahead; negative when the other is."""
    held: Mapping[str, tuple[str, ...]]
    """For each side the hexes its units stood on last."""
    units: Mapping[str, int]
    """Counters of each side on the map."""
    luck: Mapping[str, float]
    """How far each side's dice so far lie above (or below) what they should show on average, in pips."""
    seconds: Mapping[str, float] = field(default_factory=dict, compare=False)
    """Processor time each side thought in this turn."""
    fought: Mapping[str, int] = field(default_factory=dict)
    """Hexes attacked in this turn, and how often."""
    lost: Mapping[str, int] = field(default_factory=dict)
    """Hexes where units stood when the last turn ended that are gone now, and how many."""
    stood: Mapping[str, int] = field(default_factory=dict)
    """Hexes with units, and how many."""
    marched: Mapping[str, int] = field(default_factory=dict)
    """Hexes that units went to in this turn, and how often."""
    hungry: Mapping[str, int] = field(default_factory=dict)
    """Hexes with units out of supply, and how many."""


@dataclass(frozen=True)
class Played:
    """One game played: its outcome, its length, and a fingerprint of the last position.

    >>> played = play_match(Match("tijvin-1941", {"german": "random", "soviet": "random"}, seed=1), 0)
    >>> played.winner, played.turns, played.error
    ('soviet', 15, '')
    """

    index: int
    winner: str | None
    level: str
    margin: float
    turns: int
    orders: int
    seconds: float
    fingerprint: str
    error: str = ""
    record: str = ""
    snapshots: tuple[Snapshot, ...] = ()
    audit: Mapping[str, Any] = field(default_factory=dict)
    """For each side what the audit found, if there was one."""

    def as_json(self) -> dict[str, Any]:
        """The fields used from outside."""
        return {
            "winner": self.winner, "level": self.level, "margin": self.margin, "turns": self.turns,
            "orders": self.orders, "seconds": round(self.seconds, 4),
        }  # fmt: skip


def lead(winner: str | None, margin: float, first: str) -> float:
    """A margin as seen by the first side: games count it for the winner or always for one side.

    >>> lead("soviet", 12, "german"), lead("soviet", -12, "german"), lead("german", 3, "german")
    (-12, -12, 3)
    """
    return margin if winner is None else abs(margin) if winner == first else -abs(margin)


def seed_of(match: Match, index: int) -> bytes:
    """The dice seed of one game of a match."""
    return hashlib.sha256(f"{match.seed}:{index}".encode()).digest()


def pips(order: Order) -> int:
    """What one die shows, or two together.

    >>> pips(Order("die", words=("4",))), pips(Order("die", words=("6-4",)))
    (4, 10)
    """
    return sum(int(face) for face in order.words[0].split("-"))


class _Watcher:
    """Takes a snapshot at the end of every turn."""

    def __init__(self, sides: Iterable[str]) -> None:
        self.luck = dict.fromkeys(sides, 0.0)
        self.seconds = dict.fromkeys(self.luck, 0.0)
        self.held: dict[str, str] = {}
        self.fought: Count[str] = Count()
        self.marched: Count[str] = Count()
        self.standing: dict[str, str] = {}
        """Where each unit stood when the last turn ended."""
        self.snapshots: list[Snapshot] = []

    def rolled(self, side: str, order: Order, chance: Chance) -> None:
        if order.verb == "die" and side in self.luck:
            mean = sum(probability * pips(outcome) for outcome, probability in chance.outcomes)
            self.luck[side] += float(pips(order) - mean)

    def ordered(self, position: Position, order: Order) -> None:
        role = position.game.role(order)
        if role in (Role.AIM, Role.STRIKE):
            self.fought.update(order.hexes if role is Role.AIM else order.hexes[-1:])
        elif role in (Role.GO, Role.ENTER):
            self.marched.update(order.hexes[-1:])

    def turn_ended(self, position: Position, turn: int) -> None:
        units = dict.fromkeys(self.luck, 0)
        now: dict[str, str] = {}
        hungry: Count[str] = Count()
        for counter in position.table().counters:
            if counter.hex and counter.side in units:
                hungry[counter.hex] += UNSUPPLIED in counter.states
                units[counter.side] += 1
                self.held[counter.hex] = counter.side
                now[counter.id] = counter.hex
        lost = Count(hex_ for unit, hex_ in self.standing.items() if unit not in now)
        held = {side: tuple(sorted(h for h, owner in self.held.items() if owner == side)) for side in self.luck}
        standing = position.standing
        margin = lead(standing.winner, float(standing.margin), position.game.sides[0])
        stood = Count(now.values())
        self.snapshots.append(Snapshot(
            turn, margin, held, units, dict(self.luck), self.seconds, dict(self.fought), dict(lost), dict(stood),
            dict(self.marched), dict(+hungry),
        ))  # fmt: skip
        self.seconds = dict.fromkeys(self.luck, 0.0)
        self.fought, self.marched, self.standing = Count(), Count(), now


class _Clerk:
    """Notes of a game what somebody wants to know of it: snapshots of its turns, what each side left undone."""

    def __init__(self, position: Position, watch: bool, audit: bool) -> None:
        self.watcher = _Watcher(position.game.sides) if watch else None
        self.auditor = Auditor(position) if audit else None
        self.decider = ""
        """Who decided last: dice are thrown for him."""

    def rolled(self, order: Order, chance: Chance) -> None:
        if self.watcher is not None:
            self.watcher.rolled(self.decider, order, chance)

    def ordered(self, position: Position, side: str, order: Order, seconds: float) -> None:
        self.decider = side
        if self.watcher is not None:
            self.watcher.seconds[side] += seconds
            self.watcher.ordered(position, order)
        if self.auditor is not None:
            self.auditor.ordered(position, order)

    def played(self, before: Position, after: Position) -> None:
        if self.auditor is not None:
            self.auditor.played(before, after)
        if self.watcher is not None and (after.turn != before.turn or after.to_move is None):
            self.watcher.turn_ended(after, before.turn)

    @property
    def snapshots(self) -> tuple[Snapshot, ...]:
        return tuple(self.watcher.snapshots) if self.watcher is not None else ()

    @property
    def ledgers(self) -> dict[str, Any]:
        found = self.auditor.ledgers.items() if self.auditor is not None else ()
        return {side: ledger.as_json() for side, ledger in found}


def _header(match: Match, position: Position, dice: Dice) -> Header:
    game = position.game
    return Header(
        game.id, __version__, position.scenario, dict(position.options), dict(match.players),
        dice.commitment, dice.seed.hex(), list(game.changes), overlay=dict(game.overlay),
    )  # fmt: skip


def _seat(match: Match, index: int, side: str) -> tuple[Player, random.Random]:
    """Who plays a side in one game of a match, and what is random about it."""
    player = make(match.players.get(side, "random"), seed=match.seed, think=match.think)
    return player, random.Random(f"{match.seed}:{index}:{side}")


def play_match(
    match: Match,
    index: int,
    *,
    game: Game | None = None,
    keep_record: bool = False,
    watch: bool = False,
    audit: bool = False,
) -> Played:
    """Play game ``index`` of a match from set-up to the end; ``watch`` keeps a snapshot of every turn, ``audit`` what
    each side left undone, and a ``game`` that is loaded already need not be loaded again.

    >>> match = Match("tijvin-1941", {"german": "random", "soviet": "random"}, seed=1)
    >>> played = play_match(match, 0, keep_record=True)
    >>> played.record.splitlines()[0]
    '# Ladoga record 1'
    """
    started = time.perf_counter()
    game = game or match.load()
    dice = Dice(seed_of(match, index))
    position = game.start(match.scenario, match.options)
    record = Record(_header(match, position, dice))
    seats = {side: _seat(match, index, side) for side in game.sides}
    rolls = count = 0
    error = ""
    clerk = _Clerk(position, watch, audit)
    try:
        while (mover := position.to_move) is not None:
            chance = position.chance
            if chance is not None:
                order = dice.roll(chance, rolls)
                rolls += 1
                clerk.rolled(order, chance)
            else:
                player, rng = seats[position.seats[mover]]
                thinking = time.process_time()
                order = player.choose(position.view(mover), rng)
                clerk.ordered(position, mover, order, time.process_time() - thinking)
            record.add(position, order)
            before, position = position, position.play(order)
            clerk.played(before, position)
            count += 1
            if count > MOST_ORDERS:
                raise LadogaError(f"no end after {count} orders")
    except Exception as problem:  # whatever breaks one game is that game's error, not the end of the run
        error = f"{type(problem).__name__}: {problem}"
    outcome = position.standing
    fingerprint = record.digest = position.digest()
    return Played(
        index, outcome.winner if not error else None, outcome.level, float(outcome.margin), position.turn, count,
        time.perf_counter() - started, fingerprint, error, record.text() if keep_record else "",
        clerk.snapshots, clerk.ledgers,
    )  # fmt: skip


@lru_cache(4)
def _loaded(game: str, data: str) -> Game:
    """A game with its corrections, read once in each process however many pieces of work come to it."""
    return load_game(game, data)


def _chunk(match: Match, indices: Sequence[int], keep_record: bool, watch: bool, audit: bool) -> list[Played]:
    game = _loaded(match.game, match.data) if match.data else match.load()
    return [play_match(match, index, game=game, keep_record=keep_record, watch=watch, audit=audit) for index in indices]


AHEAD = 64
"""Pieces of work handed out at a time, so that a million games are not all queued at once; on a large cluster more."""


def simulate(
    match: Match,
    games: int,
    *,
    executor: Executor | None = None,
    chunk: int = 1,
    records: Path | None = None,
    skip: Iterable[int] = (),
    watch: bool = False,
    audit: bool = False,
) -> Iterator[Played]:
    """Play many games and yield each as it is done; ``skip`` resumes an earlier run.

    ``executor`` may be any ``concurrent.futures.Executor``: a process pool, Dask's
    ``Client.get_executor()``, MPI's pool; each piece of work is ``chunk`` games. With ``records`` every
    game's record is kept in that folder.

    >>> match = Match("tijvin-1941", {"german": "random", "soviet": "random"}, seed=1)
    >>> [played.index for played in simulate(match, 2)]
    [0, 1]
    """
    if chunk < 1:
        raise LadogaError(f"a piece of work is at least one game, not {chunk}")
    done = set(skip)
    wanted = [index for index in range(games) if index not in done]
    if records is not None:
        records.mkdir(parents=True, exist_ok=True)
    if executor is None:
        game = match.load()
        for index in wanted:
            keep_record = records is not None
            yield _kept(play_match(match, index, game=game, keep_record=keep_record, watch=watch, audit=audit), records)
        return
    parts = (wanted[i : i + chunk] for i in range(0, len(wanted), chunk))
    waiting: set[Future[list[Played]]] = set()
    while True:
        ahead = max(AHEAD, 3 * getattr(executor, "workers", 0))
        for part in islice(parts, ahead - len(waiting)):
            waiting.add(executor.submit(_chunk, match, part, records is not None, watch, audit))
        if not waiting:
            return
        finished, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        for future in finished:
            for played in future.result():
                yield _kept(played, records)


def _kept(played: Played, records: Path | None) -> Played:
    if records is not None:
        write_whole(records / f"{played.index:06}.ladoga", played.record, sync=False)
    return played


def digest(played: Iterable[Played]) -> str:
    """One fingerprint for a whole simulation, whatever the order the games came in.

    >>> match = Match("tijvin-1941", {"german": "random", "soviet": "random"}, seed=1)
    >>> len(digest(simulate(match, 1)))
    64
    """
    lines = sorted(f"{p.index} {p.winner} {p.margin} {p.orders} {p.fingerprint}" for p in played)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
