"""What other processes that use the same store have done, and what this one does about it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ..kernel.errors import LadogaError
from . import clock, dealings
from .refused import Refused
from .room import Room
from .store import LIVES, Damaged, Ledger, Unwritable
from .wire import packed

if TYPE_CHECKING:
    from .lobby import Lobby

log = logging.getLogger("ladoga.server")

_tasks: set[asyncio.Task[Any]] = set()


def _soon(work: Coroutine[Any, Any, Any]) -> None:
    """Do something by and by; what cannot be read now is read when the store is there again."""

    async def quietly() -> None:
        try:
            await work
        except (Unwritable, Refused):
            pass
        except Exception:
            log.exception("could not follow another process")

    task = asyncio.get_running_loop().create_task(quietly())
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)


def hear(lobby: Lobby, note: dict[str, Any]) -> None:
    """Follow what another process did."""
    kind = note["kind"]
    if kind == "everything":
        lobby.house.metrics.count("reconnects")
        _soon(lobby.forget_people())
        for each in list(lobby.rooms.values()):
            _look_again(each)
            each.say_who()
        return
    if kind == "revoked":
        _soon(lobby.forget_people(note.get("person")))
        return
    room = lobby.rooms.get(note["match"])
    if room is not None:
        _heard_at(room, kind, note)


def _look_again(room: Room, revision: int | None = None) -> None:
    """Take in what another process did, at once where somebody watches."""
    if room.company:
        _soon(room.refresh(revision))
    else:
        room.doubt()


def _heard_at(room: Room, kind: str, note: dict[str, Any]) -> None:
    match kind:
        case "turn":
            _look_again(room, note["revision"])
        case "seats":
            _soon(room.reseat())
        case "offers" | "gone":
            _look_again(room)
        case "released":
            room.computer.may_think()
        case "talk":
            _soon(_talk(room, note["n"]))
        case "who":
            if room.company:
                room.say_who()
        case "people":
            room.company.heard(note["process"], note["here"], note["watching"])
            room.company.show_people(room.match)
            if not room.company and room.company.elsewhere_watched:
                room.computer.dismiss()
        case "point":
            room.company.tell(packed(t="point", hex=note["hex"]))
        case "pace":
            room.computer.set_pace(note["wait"])
        case "now":
            room.computer.move_now()


async def _talk(room: Room, n: int) -> None:
    for line in await room.house.store.read(Ledger.talk, room.id, n - 1):
        if line.n == n:
            room.company.tell(packed(t="talk", line=line._asdict()))


async def beat(lobby: Lobby) -> None:
    """Say every few seconds that this process lives, and look who else does."""
    store = lobby.house.store
    while True:
        try:
            await store.write(Ledger.alive, store.process, LIVES)
            living = set(await store.read(Ledger.living))
            for room in list(lobby.rooms.values()):
                if room.company.living(living):
                    room.company.show_people(room.match)
                room.computer.may_think()
        except Unwritable:
            pass
        except Exception:
            log.exception("could not say that this process lives")
        await asyncio.sleep(LIVES / 3)


async def watch_clocks(lobby: Lobby, every: float = 5.0) -> None:
    """End matches in which a side's time has run out. One that cannot be read is told of once, and keeps no other
    from ending."""
    unread: set[str] = set()
    while True:
        with suppress(Unwritable):
            now = lobby.house.store.time()
            for kept in await lobby.house.store.read(Ledger.timed):
                if clock.fallen(kept.clock, now) and kept.id not in unread and not await _ended(lobby, kept.id):
                    unread.add(kept.id)
        await asyncio.sleep(every)


async def _ended(lobby: Lobby, match: str) -> bool:
    """End a match if a side's time has run out; whether it could be read."""
    try:
        await dealings.adjudicate(await lobby.room(match))
    except Refused:
        return True
    except (LadogaError, Damaged) as problem:
        log.warning("match %s is out of time and cannot be read: %s", match, problem)
        return False
    return True
