"""The book of matches as the front page shows it: each in one line."""

from __future__ import annotations

from typing import Any

from .house import House
from .match import Match
from .store import Kept, Ledger, Seat


async def finished(house: House, kept: Kept, person: int) -> dict[str, Any]:
    """A finished match in one line, without playing it through again."""
    chairs = {seat.side: seat for seat in await house.store.read(Ledger.seats, kept.id)}
    where = (kept.ended or {}).get("seats") or {side: side for side in chairs}
    seats = [chairs[chair]._replace(side=side) for side, chair in where.items() if chair in chairs]
    return {
        "id": kept.id, "game": kept.game, "title": house.library.game(kept.game).title, "kind": kept.kind,
        "begun": kept.begun, "turn": 0, "phase": "", "to_move": None, "over": True, "outcome": kept.ended,
        "events": await house.store.read(Ledger.count, kept.id),
        "you": [seat.side for seat in seats if seat.person == person],
        "seats": [_seat(seat, person) for seat in seats],
    }  # fmt: skip


def summary(match: Match, person: int) -> dict[str, Any]:
    """A match in one line."""
    position, kept = match.position, match.kept
    return {
        "id": kept.id, "game": kept.game, "title": match.game.title, "kind": kept.kind, "begun": kept.begun,
        "moved": match.times[-1] if match.times else kept.begun,
        "turn": position.turn, "phase": position.phase.title, "to_move": match.to_move, "over": match.over,
        "outcome": kept.ended, "events": len(match.orders),
        "you": [seat.side for seat in match.seats if seat.person == person],
        "seats": [_seat(seat, person) for seat in match.seats],
    }  # fmt: skip


def _seat(seat: Seat, person: int) -> dict[str, Any]:
    return {
        "side": seat.side,
        "player": seat.player,
        "name": "you" if seat.person == person else seat.name,
        "taken": bool(seat.player) or seat.person is not None,
    }
