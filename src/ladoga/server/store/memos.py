"""Small things that a store keeps beside the matches: invitations to anybody, why computers did what they did, how far
a seat has come in the guide, set-ups that somebody keeps, and where somebody is told that it is their turn.

Each is a function of a ledger, to be handed to ``Store.read`` or ``Store.write``.
"""

from __future__ import annotations

import json
import secrets
from typing import NamedTuple

from .ledger import Ledger

POSTED = 100
"""Invitations to anybody that are kept at the same time."""
SETUPS = 40
"""Set-ups that a person may keep."""


class Posted(NamedTuple):
    """An invitation to anybody; what it takes to sit down is no secret."""

    match: str
    side: str
    token: str


class Hook(NamedTuple):
    """Where a person is told that it is their turn, and what the message is signed with."""

    url: str
    secret: str


def post(ledger: Ledger, match: str, side: str, token: str) -> None:
    """Invite anybody to a free seat; the oldest invitations go when there are too many."""
    query = (
        "INSERT INTO board VALUES (?, ?, ?, ?) ON CONFLICT (match) DO UPDATE"
        " SET side = excluded.side, token = excluded.token, at = excluded.at"
    )
    ledger._run(query, match, side, token, ledger.time())
    query = "DELETE FROM board WHERE match NOT IN (SELECT match FROM board ORDER BY at DESC LIMIT ?)"
    ledger._run(query, POSTED)


def posted(ledger: Ledger) -> list[Posted]:
    """Seats that wait for anybody, the newest first."""
    query = (
        "SELECT b.match, b.side, b.token FROM board b JOIN seats s ON s.match = b.match AND s.side = b.side"
        " JOIN matches m ON m.id = b.match WHERE s.person IS NULL AND s.player = '' AND m.ended = '' ORDER BY b.at DESC"
    )
    return [Posted(*row) for row in ledger._rows(query)]


def reasons(ledger: Ledger, match: str) -> dict[int, str]:
    """Why computers did what they did, by the number of the event in the store."""
    return {int(seq): str(text) for seq, text in ledger._rows("SELECT seq, text FROM reasons WHERE match = ?", match)}


def guides(ledger: Ledger, match: str) -> dict[str, dict[str, object]]:
    """How far each seat of a match has come in the guide: steps that were met, and whether it was left."""
    rows = ledger._rows("SELECT side, steps FROM guides WHERE match = ?", match)
    return {str(side): json.loads(steps) for side, steps in rows}


def keep_guide(ledger: Ledger, match: str, side: str, done: list[str], left: bool) -> None:
    """How far a seat has come."""
    query = "INSERT INTO guides VALUES (?, ?, ?) ON CONFLICT (match, side) DO UPDATE SET steps = excluded.steps"
    ledger._run(query, match, side, json.dumps({"done": done, "left": left}))


def setups(ledger: Ledger, person: int, game: str, side: str) -> dict[str, list[str]]:
    """A person's own set-ups of a side, by name, the latest first."""
    query = "SELECT name, orders FROM setups WHERE person = ? AND game = ? AND side = ? ORDER BY at DESC"
    return {str(name): json.loads(orders) for name, orders in ledger._rows(query, person, game, side)}


def keep_setup(ledger: Ledger, person: int, game: str, side: str, name: str, orders: list[str]) -> None:
    """Keep a set-up under a name; an earlier one of that name goes, and so does the oldest of too many."""
    query = (
        "INSERT INTO setups VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (person, game, side, name) DO UPDATE"
        " SET orders = excluded.orders, at = excluded.at"
    )
    ledger._run(query, person, game, side, name, json.dumps(orders), ledger.time())
    query = (
        "DELETE FROM setups WHERE person = ? AND at < (SELECT min(at) FROM"
        " (SELECT at FROM setups WHERE person = ? ORDER BY at DESC LIMIT ?) AS kept)"
    )
    ledger._run(query, person, person, SETUPS)


def drop_setup(ledger: Ledger, person: int, game: str, side: str, name: str) -> bool:
    """Forget a set-up; whether there was one."""
    query = "DELETE FROM setups WHERE person = ? AND game = ? AND side = ? AND name = ?"
    return ledger._run(query, person, game, side, name) == 1


def hook(ledger: Ledger, person: int) -> Hook | None:
    """Where a person is told that it is their turn."""
    rows = ledger._rows("SELECT url, secret FROM hooks WHERE person = ?", person)
    return Hook(*rows[0]) if rows else None


def set_hook(ledger: Ledger, person: int, url: str) -> Hook | None:
    """Tell a person there from now on, with a fresh secret; nowhere with an empty address."""
    ledger._run("DELETE FROM hooks WHERE person = ?", person)
    if not url:
        return None
    made = Hook(url, secrets.token_urlsafe(24))
    ledger._run("INSERT INTO hooks VALUES (?, ?, ?)", person, *made)
    return made
