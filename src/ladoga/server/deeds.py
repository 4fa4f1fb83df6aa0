"""What changes a match: an order carried out, orders taken back, the end. All of it happens under the room's lock.

An order is checked by the rules, stored, and only then taken in and acknowledged. What the table looks like then is
worked out when the answer is on its way.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..kernel.errors import Illegal, LadogaError
from . import clock
from .company import Watcher
from .match import Match, refusal
from .refused import Refused
from .store import Doubled, Ledger

if TYPE_CHECKING:
    from .room import Room


Safe = Callable[[int], None]
"""Told the version that a match has come to, as soon as that is on the disk."""


def unheard(_: int) -> None:
    """Nobody waits for an answer."""


def on_move(match: Match, watcher: Watcher, version: int) -> str:
    """The side that somebody orders for; refused if it is not theirs to order, or the table has changed."""
    if match.over:
        raise Refused("over", "the game is over")
    mover = match.to_move
    if mover is None or mover not in watcher.sides:
        whom = mover or "nobody"
        raise Refused("turn", f"{whom} is to move" if watcher.sides else "you are watching this match")
    if version != match.version:
        raise Refused("stale", "the table has changed since; look again")
    return mover


def _clocked(match: Match, side: str | None) -> str | None:
    """The side to move if it has a clock: a person's; neither a computer nor an empty seat runs out of time."""
    return side if any(seat.side == side and seat.person is not None for seat in match.seats) else None


async def carry_out(
    room: Room, side: str, action: str, text: str, reason: str = "", safe: Safe = unheard
) -> None:  # fmt: skip
    """Carry an order of a side out; ``reason`` is why a computer gives it. Whoever gave it hears that it is ``safe``
    before the table is shown."""
    match, house = room.match, room.house
    try:
        order = match.game.parse(text)
        view = match.view(side)
        why_not = None if view.shows(match.position) else view.why_not(order)
        if why_not is not None:
            raise Illegal(*why_not)
        steps = match.following(order)
    except LadogaError as problem:
        told = refusal(problem)
        raise Refused("illegal", told["message"], told["case"]) from None
    last, now = steps[-1].position, house.store.time()
    outcome = None if last.outcome is None else {**last.outcome.as_json(), "seats": dict(last.seats)}
    ticking = clock.turned(match.kept.clock, _clocked(match, last.to_move), now, running=outcome is None)
    events = [(step.mover, str(step.order)) for step in steps]
    with house.work.order():
        try:
            with house.metrics.timed("store"):
                seqs = await house.store.write(
                    Ledger.add, room.id, action, match.version, events, outcome, ticking, reason
                )  # fmt: skip
        except Doubled:
            await room.read_again()
            return
        before = dict(match.position.seats)
        match.advance(steps, seqs, now)
        if reason:
            match.reasons[seqs[0]] = reason
        match.kept = match.kept._replace(ended=outcome, offers={}, clock=ticking)
        if match.position.seats != before:
            room.usher()
        house.metrics.count("orders")
        await _answered(room, safe)
    await room.show_calmly()
    _tell(room, side)


async def _answered(room: Room, safe: Safe) -> None:
    """What was done is on the disk: whoever did it is answered, before everybody sees it."""
    safe(room.match.version)
    await asyncio.sleep(0)  # the answer goes out


def check_undo(match: Match, watcher: Watcher, version: int, to: int) -> None:
    """Refuse to take back what somebody may not take back."""
    side = match.passed
    if side not in watcher.sides:
        if match.kept.kind != "study" or not watcher.sides:
            on_move(match, watcher, version)
        side = match.to_move
    if version != match.version:
        raise Refused("stale", "the table has changed since; look again")
    allowed = match.undoable(side or "")
    if allowed.to is None:
        raise Refused("undo", f"cannot be taken back: {allowed.text}")
    lowest = 0 if match.kept.kind == "study" else min(match.floor, allowed.to)
    if not lowest <= to < len(match.orders):
        raise Refused("undo", "that far back it cannot be taken back")


async def retract(
    room: Room, action: str, to: int, asked: dict[str, Any] | None = None, safe: Safe = unheard
) -> None:  # fmt: skip
    """Take back every event after the first ``to``, if need be as somebody ``asked`` and still does."""
    match = room.match
    now = room.house.store.time()
    ticking = clock.turned(match.kept.clock, _clocked(match, match.at(to).to_move), now)
    with room.house.work.order():
        try:
            await room.house.store.write(Ledger.undo, room.id, action, match.version, match.seqs[to], ticking, asked)
        except Doubled:
            await room.read_again()
            return
        match.retract(to)
        match.kept = match.kept._replace(offers={}, clock=ticking)
        room.usher()
        room.computer.rest()
        await _answered(room, safe)
    await room.show_calmly()


async def end(room: Room, outcome: dict[str, Any]) -> None:
    """Close the match as it stands."""
    match = room.match
    outcome = {**outcome, "seats": dict(match.position.seats)}
    await room.house.store.write(Ledger.end, room.id, f"end-{secrets.token_hex(8)}", match.version, outcome)
    match.kept = match.kept._replace(ended=outcome, offers={})
    match.version += 1
    room.computer.dismiss()
    room.show()
    _tell(room, "")


def _tell(room: Room, before: str) -> None:
    """Those who are not at the table are told when it is their turn, or when all is over."""
    if room.house.messenger is not None:
        room.house.messenger.moved(room.match, before, room.company.present)
