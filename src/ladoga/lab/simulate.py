"""Many games of one kind, on one core or on a cluster, always with the same result.

Game number ``i`` depends only on the match and ``i``, so it does not matter who plays it, where, or in
which order: the digest of a simulation is the same for any executor.
"""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .. import __version__
from ..kernel.chance import Dice
from ..kernel.errors import LadogaError
from ..kernel.game import load_game
from ..kernel.record import Header, Record
from ..players import make

MOST_ORDERS = 200_000
"""A game that takes more orders than this is reported as an error, not waited for."""


@dataclass(frozen=True)
class Match:
    """What is played: a game, a scenario and options, and a player for each side."""

    game: str
    players: Mapping[str, str]
    seed: int = 0
    scenario: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    data: str | None = None
    think: float | None = None


@dataclass(frozen=True)
class Played:
    """One game played: its outcome, its length, and a fingerprint of the last position."""

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

    def as_json(self) -> dict[str, Any]:
        """The fields used from outside."""
        return {
            "winner": self.winner, "level": self.level, "margin": self.margin, "turns": self.turns,
            "orders": self.orders, "seconds": round(self.seconds, 4),
        }  # fmt: skip


def seed_of(match: Match, index: int) -> bytes:
    """The dice seed of one game of a match."""
    return hashlib.sha256(f"{match.seed}:{index}".encode()).digest()


def play_match(match: Match, index: int, *, keep_record: bool = False) -> Played:
    """Play game ``index`` of a match from set-up to the end."""
    started = time.perf_counter()
    game = load_game(match.game, match.data)
    dice = Dice(seed_of(match, index))
    position = game.start(match.scenario, match.options)
    header = Header(
        game.id, __version__, position.scenario, dict(position.options), dict(match.players),
        dice.commitment, dice.seed.hex(), list(game.changes),
    )  # fmt: skip
    record = Record(header)
    seats = {
        side: (make(match.players.get(side, "random"), seed=match.seed, think=match.think),
               random.Random(f"{match.seed}:{index}:{side}"))
        for side in game.sides
    }  # fmt: skip
    rolls = count = 0
    error = ""
    try:
        while (mover := position.to_move) is not None:
            chance = position.chance
            if chance is not None:
                order = dice.roll(chance, rolls)
                rolls += 1
            else:
                player, rng = seats[mover]
                order = player.choose(position.view(mover), rng)
            record.add(position, order)
            position = position.play(order)
            count += 1
            if count > MOST_ORDERS:
                raise LadogaError(f"no end after {count} orders")
    except (LadogaError, LookupError, AssertionError) as problem:
        error = f"{type(problem).__name__}: {problem}"
    outcome = position.standing
    fingerprint = record.digest = position.digest()
    return Played(
        index, outcome.winner if not error else None, outcome.level, float(outcome.margin), position.turn, count,
        time.perf_counter() - started, fingerprint, error, record.text() if keep_record else "",
    )  # fmt: skip


def _chunk(match: Match, indices: range, keep_record: bool) -> list[Played]:
    return [play_match(match, index, keep_record=keep_record) for index in indices]


def simulate(
    match: Match,
    games: int,
    *,
    executor: Executor | None = None,
    chunk: int | None = None,
    records: Path | None = None,
    skip: Iterable[int] = (),
) -> Iterator[Played]:
    """Play many games and yield each as it is done; ``skip`` resumes an earlier run.

    ``executor`` may be any ``concurrent.futures.Executor``: a process pool, Dask's
    ``Client.get_executor()``, MPI's pool. With ``records`` every game's record is kept in that folder.
    """
    done = set(skip)
    wanted = [range(i, min(i + (chunk or 1), games)) for i in range(0, games, chunk or 1)]
    wanted = [part for part in wanted if not all(index in done for index in part)]
    if records is not None:
        records.mkdir(parents=True, exist_ok=True)
    if executor is None:
        for part in wanted:
            for index in part:
                if index not in done:
                    yield _kept(play_match(match, index, keep_record=records is not None), records)
        return
    waiting: set[Future[list[Played]]] = set()
    parts = iter(wanted)
    more = True
    while more or waiting:
        while more and len(waiting) < 64:
            part = next(parts, None)
            if part is None:
                more = False
            else:
                waiting.add(executor.submit(_chunk, match, part, records is not None))
        finished, waiting = wait(waiting, return_when=FIRST_COMPLETED) if waiting else (set(), waiting)
        for future in finished:
            for played in future.result():
                if played.index not in done:
                    yield _kept(played, records)


def _kept(played: Played, records: Path | None) -> Played:
    if records is not None:
        (records / f"{played.index:06}.ladoga").write_text(played.record, encoding="utf-8")
    return played


def digest(played: Iterable[Played]) -> str:
    """One fingerprint for a whole simulation, whatever the order the games came in."""
    lines = sorted(f"{p.index} {p.winner} {p.margin} {p.orders} {p.fingerprint}" for p in played)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
