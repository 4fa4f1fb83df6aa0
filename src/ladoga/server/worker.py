"""A process beside the server, for whatever may take long: it thinks for computer players and reads what strangers
send. It gets plain values on its standard input, one job at a time, and gives plain values back.

A thinker keeps the players whose player-turns are under way, and sees views only: what a side may know, as a document.
"""

from __future__ import annotations

import os
import random
import signal
import struct
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Any, BinaryIO

import msgspec

from ..kernel.errors import LadogaError
from ..kernel.orders import Order
from ..kernel.position import Position
from ..players import Player
from . import reading
from .aside import step_aside
from .library import Library
from .opponents import player
from .refused import Refused

SIZE = struct.Struct(">I")
MEMORY = 3 << 30
"""Bytes of address space that a worker may have."""


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


class Thinker:
    """Players whose player-turns are under way, by session."""

    def __init__(self, library: Library, cores: int = 1) -> None:
        self._library = library
        self._cores = cores
        self._players: dict[str, Player] = {}
        self._last: dict[str, tuple[Position, Order]] = {}
        """What each player ordered last, and where."""

    def think(
        self, session: str, name: str, game: str, overlay: dict[str, Any] | None, side: str,
        seen: dict[str, Any], imagined: dict[str, Any], seed: str,
    ) -> tuple[str, str]:  # fmt: skip
        """The order that a player gives in a view, and why: what it has ``seen``, and a whole position that looks
        like that."""
        if session not in self._players:
            self._players[session] = player(name, self._cores)
        position = self._onward(session, side, seen) or self._library.game(game, overlay).position(imagined)
        order = self._players[session].choose(position.view(side), random.Random(seed))
        self._last[session] = position, order
        return str(order), self._players[session].reason

    def _onward(self, session: str, side: str, seen: dict[str, Any]) -> Position | None:
        """The position after a player's last order, if that is where it is now: most is known of it already."""
        if session not in self._last:
            return None
        position, order = self._last[session]
        try:
            onward = position.play(order)
        except LadogaError:
            return None
        return onward if plain(onward.view(side).document()) == seen else None

    def forget(self, session: str) -> None:
        """A player-turn is over."""
        self._players.pop(session, None)
        self._last.pop(session, None)


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


def _jobs(library: Library, cores: int) -> dict[str, Callable[..., Any]]:
    thinker = Thinker(library, cores)
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
    jobs = _jobs(Library(Path(setting.data) if setting.data else None, setting.data_game or None), setting.cores)
    source, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints does not disturb the answers
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    signal.signal(signal.SIGPROF, _late)
    while (message := read_frame(source)) is not None:
        name, *values = message
        signal.signal(signal.SIGUSR1, _leave)
        try:
            answer = _done(jobs, name, values, setting.seconds)
        except Left:
            answer = ["left"]
        signal.signal(signal.SIGUSR1, signal.SIG_IGN)
        answers.write(frame(answer))
        answers.flush()


if __name__ == "__main__":
    main()
