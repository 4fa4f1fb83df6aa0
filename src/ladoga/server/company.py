"""The company at a table: who is there, on this process and on others, and what each of them is shown."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Generator
from typing import Any, NamedTuple

from . import clock, showing
from .match import Match, audience_of, eyes_of
from .store import LIVES, Seat
from .wire import packed

MESSAGES, BYTES = 256, 2_000_000
"""How much may wait for a browser that does not take it."""


class Watcher:
    """Somebody connected to a match: what they are told waits until their browser takes it, up to a bound."""

    def __init__(self, person: int | None, sides: list[str], device: int = 0) -> None:
        self.person = person
        self.device = device
        self.sides = sides
        self.waiting: deque[bytes] = deque()
        self.let_go = False
        """Whether the browser did not keep up."""
        self._bytes = 0
        self._called = asyncio.Event()
        self.ready = ""
        """The side whose view may be shown at a shared screen."""
        self.limit: int | None = None
        """How many events somebody who watches with a delay has been shown."""
        self.people: Told | None = None
        """Who is there, as they were told last."""

    def tell(self, message: bytes) -> None:
        """Queue a message; a browser too slow to keep up is let go and will come back for a fresh state."""
        if self.let_go:
            return
        if len(self.waiting) < MESSAGES and self._bytes <= BYTES:
            self.waiting.append(message)
            self._bytes += len(message)
        else:
            self.let_go = True
            self.waiting.clear()
        self._called.set()

    def dismiss(self) -> None:
        """They look at the table with a device that is theirs no more: nothing is done for them from now on."""
        self.person, self.sides = None, []
        self.tell(packed(t="again"))
        self.let_go = True

    async def called(self) -> None:
        """Come back when there is something to send, or the browser is let go."""
        await self._called.wait()

    def take(self) -> bytes:
        """The next message to be sent."""
        message = self.waiting.popleft()
        self._bytes -= len(message)
        if not self.waiting and not self.let_go:
            self._called.clear()
        return message


class Told(NamedTuple):
    """What somebody is told about who is there: who sits where and is here, how many watch, and who is thinking."""

    seats: tuple[tuple[Seat, bool], ...]
    watching: int
    thinking: str | None
    since: float
    you: tuple[str, ...]


class Elsewhere(NamedTuple):
    """Who is at the table on another process, as it said last."""

    here: frozenset[int]
    watching: int
    until: float


class Company:
    """Everybody at one table."""

    def __init__(self, delay: float, now: Callable[[], float]) -> None:
        self.watchers: set[Watcher] = set()
        self.elsewhere: dict[str, Elsewhere] = {}
        self.thinking: str | None = None
        """The side that the computer thinks for."""
        self.since = 0.0
        self._used = 0.0
        """The share of its time in this turn that the computer has used up, as it was told last."""
        self._delay = delay
        self._now = now

    def __bool__(self) -> bool:
        return bool(self.watchers)

    @property
    def persons(self) -> list[int]:
        """The people who sit here on this process."""
        return sorted({watcher.person for watcher in self.watchers if watcher.person is not None and watcher.sides})

    @property
    def present(self) -> set[int]:
        """The people who sit here, on whichever process."""
        return set(self.persons).union(*(other.here for other in self.elsewhere.values()))

    @property
    def watching(self) -> int:
        """How many only watch here on this process."""
        return sum(1 for watcher in self.watchers if not watcher.sides)

    @property
    def elsewhere_watched(self) -> bool:
        """Whether somebody is at the table on another process."""
        return any(other.here or other.watching for other in self.elsewhere.values())

    def heard(self, process: str, here: list[int], watching: int) -> None:
        """Another process says who is with it."""
        self.elsewhere[process] = Elsewhere(frozenset(here), watching, time.monotonic() + LIVES)

    def living(self, processes: set[str]) -> bool:
        """Drop those who were with processes that are gone; whether there were any."""
        gone = [process for process in self.elsewhere if process not in processes]
        for process in gone:
            del self.elsewhere[process]
        return bool(gone)

    def tell(self, message: bytes, but: Watcher | None = None) -> None:
        """Tell everybody here."""
        for watcher in self.watchers:
            if watcher is not but:
                watcher.tell(message)

    def show_used(self, used: float) -> None:
        """Tell those who keep up how much of its time the computer has used up."""
        used = round(used, 2)
        if used == self._used:
            return
        self._used, message = used, packed(t="used", used=used)
        for watcher in self.watchers:
            if not watcher.waiting:
                watcher.tell(message)

    def preparing(self, match: Match) -> Generator[None, None, None]:
        """Work out in small steps what everybody is about to be shown."""
        to_move = match.to_move
        for audience in {eyes_of(watcher.sides, to_move) for watcher in self.watchers}:
            yield from showing.preparing(match, audience)
        if to_move is not None and any(self._asks_for_secrets(watcher, to_move) for watcher in self.watchers):
            match.secret()
            yield

    def _asks_for_secrets(self, watcher: Watcher, to_move: str) -> bool:
        """Whether what somebody is shown depends on whether there is anything to hide."""
        if not watcher.sides:
            return bool(self._delay)
        return len(watcher.sides) > 1 and watcher.ready != eyes_of(watcher.sides, to_move)

    def show(self, match: Match, only: Watcher | None = None) -> None:
        """Send everybody, or only one of them, the table as they may see it."""
        messages: dict[tuple[str, bool], bytes] = {}
        secret: bool | None = None
        for watcher in self.watchers if only is None else (only,):
            audience = audience_of(match, watcher.sides)
            curtain = False
            if len(watcher.sides) > 1 and watcher.ready != audience and not match.over:
                secret = match.secret() if secret is None else secret
                curtain = secret
                if not secret:
                    watcher.ready = ""
            if not watcher.sides and self._delay and not match.over:
                secret = match.secret() if secret is None else secret
                if secret:
                    self._show_late(match, watcher)
                    continue
            watcher.limit = None
            key = (audience, curtain)
            if key not in messages:
                messages[key] = _curtain(match, audience) if curtain else _state(match, audience, self._now())
            watcher.tell(messages[key])
        self.show_people(match)

    def _show_late(self, match: Match, watcher: Watcher) -> None:
        """Somebody who only watches a game with secrets sees the table as it was a while ago."""
        n = match.events_until(self._now() - self._delay)
        loop = asyncio.get_running_loop()
        if watcher.limit is None or n > watcher.limit or watcher.limit > len(match.orders):
            watcher.limit = n
            watcher.tell(_state(match, audience_of(match, ()), self._now(), n))
        if n < len(match.orders):
            wait = match.times[n] + self._delay - self._now()
            loop.call_later(max(0.05, wait), self._again, match, watcher)

    def _again(self, match: Match, watcher: Watcher) -> None:
        if watcher in self.watchers and watcher.limit is not None:
            if match.over:
                self.show(match)
            elif match.events_until(self._now() - self._delay) > watcher.limit:
                self._show_late(match, watcher)

    def show_people(self, match: Match) -> None:
        """Tell everybody who is there and who is thinking, unless they know."""
        here = self.present
        seats = tuple((seat, seat.person in here) for seat in match.seats)
        watching = self.watching + sum(other.watching for other in self.elsewhere.values())
        messages: dict[Told, bytes] = {}
        for watcher in self.watchers:
            told = Told(seats, watching, self.thinking, self.since, tuple(watcher.sides))
            if watcher.people != told:
                watcher.people = told
                watcher.tell(messages.get(told) or messages.setdefault(told, _people(told)))


def _people(told: Told) -> bytes:
    seats = [
        {
            "side": seat.side, "player": seat.player, "name": seat.name, "here": here,
            "taken": bool(seat.player) or seat.person is not None, "invited": seat.invited,
        }
        for seat, here in told.seats
    ]  # fmt: skip
    return packed(t="people", **{**told._asdict(), "seats": seats})


def _state(match: Match, audience: str, now: float, n: int | None = None) -> bytes:
    undo = match.undoable(audience)
    own = undo.to is not None and match.movers[undo.to] == audience
    offered: dict[str, Any] | None = match.kept.offers.get("undo")
    return packed(
        t="state", undo={"to": undo.to, "text": undo.text, "floor": match.floor,
              "order": str(match.orders[undo.to or 0]) if own else ""},
        over=match.over, peace=sorted(match.peace), seed=match.dice.seed.hex() if match.over else "",
        takeback=offered, clock=clock.shown(match.kept.clock, now), **showing.state(match, audience, n),
    )  # fmt: skip


def _curtain(match: Match, audience: str) -> bytes:
    return packed(t="curtain", side=audience, version=match.version)
