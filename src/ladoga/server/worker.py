"""A process beside the server, for whatever may take long: it thinks for computer players and reads what strangers
send. It gets plain values on its standard input, one job at a time, and gives plain values back.

A thinker keeps the players of games that go on, and sees views only: what a side may know, as a document. While one of
them thinks it says a few times a second how much of its time is used up, and hears when it is to make up its mind.
"""

from __future__ import annotations

import os
import random
import signal
import struct
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, BinaryIO

import msgspec

from ..kernel.errors import LadogaError
from ..kernel.orders import Order
from ..kernel.position import Position, View
from ..lab.peer import Allowance
from ..players import Player
from . import reading
from .aside import step_aside
from .library import Library
from .opponents import player
from .refused import Refused

SIZE = struct.Struct(">I")
MEMORY = 3 << 30
"""Bytes of address space that a worker may have."""
SIGNS = 0.25
"""Seconds between two signs of a player that thinks."""


class Left(Exception):
    """Nobody wants the answer any more."""


class Slow(Refused):
    """A job took longer than it may."""

    def __init__(self) -> None:
        super().__init__("slow", "this takes too long to work out here")


class Setting(msgspec.Struct):
    """How a worker is to be: how nice, with which corrections games are played, and on how many cores a player may
    think."""

    nice: int = 10
    data: str = ""
    data_game: str = ""
    cores: int = 1
    idle: bool = False
    """Whether its core counts as free for whoever else wants it."""
    seconds: float = 0.0
    """Of the processor's time, for one job; 0 where nobody counts them."""


@dataclass
class Seat:
    """A player in a game that goes on."""

    player: Player
    key: tuple[str, str, str]
    """The game, its side, and what it is called."""
    allowance: Allowance | None
    """How it shares its time over a player-turn, if it is given any."""
    last: tuple[Position, Order] | None = None
    """What it ordered last, and where."""


class Thinker:
    """Players in games that go on, by session."""

    def __init__(self, library: Library, cores: int = 1) -> None:
        self._library = library
        self._cores = cores
        self._seats: dict[str, Seat] = {}
        self._known: dict[tuple[str, str, str], float] = {}
        """How players spend their time in each game, from match to match."""
        self._thinking: Seat | None = None
        self._since = 0.0

    def think(
        self, session: str, name: str, game: str, overlay: dict[str, Any] | None, side: str,
        seen: dict[str, Any], imagined: dict[str, Any], seed: str,
    ) -> tuple[str, str]:  # fmt: skip
        """The order that a player gives in a view, and why: what it has ``seen``, and a whole position that looks
        like that."""
        seat = self._seats.get(session)
        if seat is None:
            seat = self._seats[session] = self._sat_down((game, side, name))
        position = self._onward(seat, side, seen) or self._library.game(game, overlay).position(imagined)
        order = self._chosen(seat, position.view(side), random.Random(seed))
        seat.last = position, order
        return str(order), seat.player.reason

    def _sat_down(self, key: tuple[str, str, str]) -> Seat:
        fresh = player(key[2], self._cores)
        if fresh.think is None:
            return Seat(fresh, key, None)
        allowance = Allowance(fresh.think)
        allowance.ratio = self._known.get(key, 1.0)
        return Seat(fresh, key, allowance)

    def _chosen(self, seat: Seat, view: View, rng: random.Random) -> Order:
        """The player's order, for which it takes its share of the time of its player-turn."""
        if seat.allowance is not None:
            seat.player.think = seat.allowance.think(view.turn)
        seat.player.told.clear()
        self._thinking, self._since = seat, time.monotonic()
        try:
            return seat.player.choose(view, rng)
        finally:
            self._thinking = None
            if seat.allowance is not None:
                seat.allowance.spend(time.monotonic() - self._since)
                self._known[seat.key] = seat.allowance.ratio

    @property
    def used(self) -> float | None:
        """The share of its time in this player-turn that whoever thinks has used up; nothing if it has no time to
        share, or nobody thinks."""
        if self._thinking is None or self._thinking.allowance is None:
            return None
        return self._thinking.allowance.used(time.monotonic() - self._since)

    def stop(self) -> None:
        """Whoever thinks is to make up its mind."""
        if self._thinking is not None:
            self._thinking.player.stop()

    @staticmethod
    def _onward(seat: Seat, side: str, seen: dict[str, Any]) -> Position | None:
        """The position after a player's last order, if that is where it is now: most is known of it already."""
        if seat.last is None:
            return None
        position, order = seat.last
        try:
            onward = position.play(order)
        except LadogaError:
            return None
        return onward if plain(onward.view(side).document()) == seen else None

    def forget(self, session: str) -> None:
        """A player is not needed any more."""
        self._seats.pop(session, None)


def plain(value: Any) -> Any:
    """A value as it is after its way through a pipe."""
    return msgspec.msgpack.decode(msgspec.msgpack.encode(value, enc_hook=str))


def read_frame(source: BinaryIO) -> Any:
    """One message; ``None`` at the end."""
    head = source.read(SIZE.size)
    if len(head) < SIZE.size:
        return None
    return msgspec.msgpack.decode(source.read(SIZE.unpack(head)[0]))


def frame(message: Any) -> bytes:
    """One message, packed."""
    body = msgspec.msgpack.encode(message, enc_hook=str)
    return SIZE.pack(len(body)) + body


def _leave(number: int, _: FrameType | None) -> None:
    raise Left


def _late(number: int, _: FrameType | None) -> None:
    raise Slow


def _jobs(library: Library, thinker: Thinker) -> dict[str, Callable[..., Any]]:
    jobs = {name: getattr(reading, name) for name in reading.JOBS}
    readers = {name: lambda *values, job=job: job(library, *values) for name, job in jobs.items()}
    return {**readers, "think": thinker.think, "forget": thinker.forget}


@contextmanager
def _within(seconds: float) -> Iterator[None]:
    """``Slow`` after so many seconds of the processor's time."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


@contextmanager
def _telling(thinker: Thinker, line: int) -> Iterator[None]:
    """Say now and then how much of its time a player has used up, and let it be told to make up its mind. That it does
    not take another thread lets players think on several cores."""

    def tell(*_: Any) -> None:
        used = thinker.used
        if used is not None:
            os.write(line, frame(["used", used]))

    signal.signal(signal.SIGALRM, tell)
    signal.signal(signal.SIGUSR2, lambda *_: thinker.stop())
    signal.setitimer(signal.ITIMER_REAL, SIGNS, SIGNS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _done(jobs: dict[str, Callable[..., Any]], name: str, values: list[Any], seconds: float) -> list[Any]:
    try:
        with _within(seconds):
            return ["ok", jobs[name](*values)]
    except Left:
        return ["left"]
    except Refused as problem:
        return ["refused", problem.code, problem.message, problem.case]
    except LadogaError as problem:
        return ["refused", "bad", str(problem), getattr(problem, "case", "")]
    except RecursionError:
        return ["refused", "bad", "this is nested too deeply", ""]
    except MemoryError:
        return ["refused", "long", "this takes more room than there is", ""]
    except Exception:
        return ["failed", traceback.format_exc()]


def main() -> None:
    """Do one job after another until the server goes."""
    setting = msgspec.json.decode(sys.argv[1], type=Setting)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    step_aside(setting.nice, idle=setting.idle)
    library = Library(Path(setting.data) if setting.data else None, setting.data_game or None)
    thinker = Thinker(library, setting.cores)
    jobs = _jobs(library, thinker)
    source, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints does not disturb the answers
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    signal.signal(signal.SIGPROF, _late)
    while (message := read_frame(source)) is not None:
        name, *values = message
        signal.signal(signal.SIGUSR1, _leave)
        try:
            with _telling(thinker, answers.fileno()):
                answer = _done(jobs, name, values, setting.seconds)
        except Left:
            answer = ["left"]
        signal.signal(signal.SIGUSR1, signal.SIG_IGN)
        answers.write(frame(answer))
        answers.flush()


if __name__ == "__main__":
    main()
