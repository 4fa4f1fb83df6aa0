"""What is asked of a store and written into it, in words that SQLite and PostgreSQL both understand.

Events are only ever added. An undone event stays, marked, so that a record of what was tried is never lost; the
game is the events that are not marked, in order.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from typing import Any, Protocol

from .kept import Behind, Deed, Device, Doubled, Gone, Happened, Kept, Later, Line, Seat, hashed

MATCH = (
    "m.id, m.game, m.kind, m.scenario, m.options, m.position, m.seed, m.engine, m.begun, m.ended, m.overlay,"
    " m.revision, m.offers, m.clock, m.known"
)


class Answer(Protocol):
    """What a database answers."""

    @property
    def rowcount(self) -> int:
        """How many rows were written."""
        ...

    def fetchall(self) -> list[Any]:
        """The rows found."""
        ...


class Database(Protocol):
    """A connection inside a transaction."""

    def at_once(self) -> AbstractContextManager[Any]:
        """What is asked of the database in here may be sent to it together."""
        ...

    def run(self, query: str, values: tuple[Any, ...] = ()) -> Answer:
        """Carry out one statement."""
        ...

    def tell(self, note: dict[str, Any]) -> None:
        """Tell every process that uses this store, once all this is written."""
        ...

    def time(self) -> float:
        """What time it is for everybody who uses this store."""
        ...

    def deed(self, deed: Deed, now: float) -> Answer:
        """Write a whole deed with one statement: its answer is a row with the number of the deed's first event, or none
        if the match does not stand where the deed expects it or knows its action."""
        ...


class Ledger:
    """The statements of a store, on one connection inside one transaction."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def _rows(self, query: str, *values: Any) -> list[Any]:
        return self._db.run(query, values).fetchall()

    def _run(self, query: str, *values: Any) -> int:
        return self._db.run(query, values).rowcount

    def time(self) -> float:
        """What time it is for everybody who uses this store."""
        return self._db.time()

    def tell(self, match: str, kind: str, more: dict[str, Any] | None = None) -> None:
        """Tell the other processes what has happened to a match, or is to be shown at its table."""
        self._db.tell({"match": match, "kind": kind, **(more or {})})

    def well(self) -> bool:
        """Whether the store answers."""
        return self._rows("SELECT 1") != []

    # People and their devices -----------------------------------------------------------------

    def fact(self, key: str, made: str) -> str:
        """A lasting fact of this store, made the first time it is asked for."""
        self._run("INSERT INTO facts VALUES (?, ?) ON CONFLICT DO NOTHING", key, made)
        return str(self._rows("SELECT value FROM facts WHERE key = ?", key)[0][0])

    def person(self, token: str) -> int | None:
        """The person a token belongs to."""
        found = self.bearer(token)
        return None if found is None else found[0]

    def welcome(self, token: str, label: str = "", person: int | None = None) -> int:
        """The person a token belongs to, entered now if new; or one more device of a person."""
        known = self.person(token)
        if known is not None:
            return known
        now = self.time()
        if person is None:
            person = int(self._rows("INSERT INTO people (since) VALUES (?) RETURNING id", now)[0][0])
        query = "INSERT INTO devices (token, person, label, since, seen) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
        if not self._run(query, hashed(token), person, label, now, now):
            raise Doubled(label)
        return person

    def owner(self) -> int:
        """The owner of the machine."""
        fact = self.fact("owner", "")
        if not fact.isdigit():
            person = self.person(fact) if fact else None
            fact = str(self.welcome(secrets.token_urlsafe(24)) if person is None else person)
            self._run("UPDATE facts SET value = ? WHERE key = ?", fact, "owner")
        return int(fact)

    def seen(self, token: str, label: str) -> None:
        """A device has been used."""
        query = "UPDATE devices SET seen = ?, label = CASE WHEN label = '' THEN ? ELSE label END WHERE token = ?"
        self._run(query, self.time(), label, hashed(token))

    def devices(self, person: int) -> list[Device]:
        """A person's devices, latest first."""
        query = "SELECT id, label, since, seen FROM devices WHERE person = ? ORDER BY seen DESC"
        return [Device(*row) for row in self._rows(query, person)]

    def bearer(self, token: str) -> tuple[int, int] | None:
        """The person and the device a token belongs to."""
        rows = self._rows("SELECT person, id FROM devices WHERE token = ?", hashed(token))
        return (int(rows[0][0]), int(rows[0][1])) if rows else None

    def lasting(self, devices: Iterable[int]) -> set[int]:
        """Those of some devices that are still somebody's."""
        query = "SELECT id FROM devices WHERE id = ?"
        return {device for device in devices if self._rows(query, device)}

    def revoke(self, person: int, device: int) -> bool:
        """Forget a device of a person; every process is told."""
        gone = self._run("DELETE FROM devices WHERE id = ? AND person = ?", device, person) == 1
        self.tell("", "revoked", {"person": person})
        return gone

    def grant(self, person: int, kind: str, key: str, seconds: float) -> None:
        """A key that lets a person in for so long; of a kind there is one at a time."""
        self._run("DELETE FROM passes WHERE (person = ? AND kind = ?) OR until < ?", person, kind, self.time())
        self._run("INSERT INTO passes VALUES (?, ?, ?, ?)", hashed(key), person, kind, self.time() + seconds)

    def admit(self, key: str, token: str, label: str) -> int | None:
        """The person a key lets in, on the device with this token; it works once."""
        rows = self._rows("SELECT person FROM passes WHERE hash = ? AND until >= ?", hashed(key), self.time())
        if not rows or not self._run("DELETE FROM passes WHERE hash = ?", hashed(key)):
            return None
        return self.welcome(token, label, int(rows[0][0]))

    def call(self, person: int, name: str) -> list[str]:
        """Give a person a name; the matches they sit at."""
        self._run("UPDATE people SET name = ? WHERE id = ?", name, person)
        matches = [str(row[0]) for row in self._rows("SELECT DISTINCT match FROM seats WHERE person = ?", person)]
        for match in matches[:50]:
            self.tell(match, "seats")
        return matches

    def name(self, person: int) -> str:
        """A person's name."""
        rows = self._rows("SELECT name FROM people WHERE id = ?", person)
        return str(rows[0][0]) if rows else ""

    # Matches ----------------------------------------------------------------------------------

    def create(
        self, kept: Kept, seats: Iterable[tuple[str, str, int | None, str]], events: Iterable[tuple[str, str]] = ()
    ) -> None:
        """A new match with its seats (side, computer player, person, hash of the invitation) and whatever happened
        before anybody could order anything."""
        values = (
            kept.id, kept.game, kept.kind, kept.scenario, json.dumps(kept.options), _packed(kept.position), kept.seed,
            kept.engine, kept.begun, _packed(kept.ended) or "", _packed(kept.overlay), kept.revision,
            json.dumps(kept.offers), _packed(kept.clock), int(kept.known),
        )  # fmt: skip
        columns = MATCH.replace("m.", "")
        query = f"INSERT INTO matches ({columns}) VALUES ({', '.join('?' * len(values))}) ON CONFLICT DO NOTHING"  # noqa: S608
        if not self._run(query, *values):
            return
        for place, seat in enumerate(seats):
            query = "INSERT INTO seats (match, side, player, person, invite, place) VALUES (?, ?, ?, ?, ?, ?)"
            self._run(query, kept.id, *seat, place)
        now = self.time()
        for seq, (mover, text) in enumerate(events, 1):
            query = "INSERT INTO events (match, seq, mover, text, at) VALUES (?, ?, ?, ?, ?)"
            self._run(query, kept.id, seq, mover, text, now)

    def match(self, match: str) -> Kept | None:
        """A match by its id."""
        rows = self._rows(f"SELECT {MATCH} FROM matches m WHERE id = ?", match)  # noqa: S608
        return _kept(rows[0]) if rows else None

    def whole(self, match: str) -> tuple[Kept, list[Happened], list[Seat]] | None:
        """A match with its events and seats, all of one moment."""
        kept = self.match(match)
        return None if kept is None else (kept, self.events(match), self.seats(match))

    def since(self, match: str, seq: int) -> tuple[Kept, int, list[Happened], list[Seat]] | None:
        """A match, what has become of it since event ``seq`` (see ``later``) and its seats, all of one moment."""
        kept = self.match(match)
        return None if kept is None else (kept, *self.later(match, seq), self.seats(match))

    def matches_of(self, person: int) -> list[Kept]:
        """The matches a person sits at, latest first."""
        query = (
            f"SELECT DISTINCT {MATCH} FROM matches m JOIN seats s ON s.match = m.id WHERE s.person = ?"  # noqa: S608
            " ORDER BY m.begun DESC LIMIT 200"
        )
        return [_kept(row) for row in self._rows(query, person)]

    def revision(self, match: str) -> int:
        """How far a match has come; -1 if there is none."""
        rows = self._rows("SELECT revision FROM matches WHERE id = ?", match)
        return int(rows[0][0]) if rows else -1

    def timed(self) -> list[Kept]:
        """Matches that go on and have clocks."""
        query = f"SELECT {MATCH} FROM matches m WHERE m.ended = '' AND m.clock IS NOT NULL"  # noqa: S608
        return [_kept(row) for row in self._rows(query)]

    def end(self, match: str, action: str, revision: int, outcome: dict[str, Any]) -> None:
        """Close a match as it stands at a revision."""
        self._count(match, action, revision)
        self._run("UPDATE matches SET ended = ?, offers = '{}' WHERE id = ?", json.dumps(outcome), match)

    def forget(self, match: str) -> None:
        """Drop a match and everything about it."""
        for table in ("claims", "bookmarks", "chat", "actions", "board", "reasons", "guides", "events", "seats"):
            self._run(f"DELETE FROM {table} WHERE match = ?", match)  # noqa: S608
        self._run("DELETE FROM matches WHERE id = ?", match)
        self.tell(match, "gone")

    def reseed(self, match: str, revision: int, seed: bytes, document: dict[str, Any]) -> None:
        """A match begins afresh from a position, with dice that nobody knows."""
        self._count(match, f"reseed-{revision}", revision)
        self._run("UPDATE events SET undone = 1 WHERE match = ?", match)
        query = "UPDATE matches SET seed = ?, position = ?, known = 0 WHERE id = ?"
        self._run(query, seed, json.dumps(document), match)

    # Seats ------------------------------------------------------------------------------------

    def seats(self, match: str) -> list[Seat]:
        """The seats of a match."""
        query = (
            "SELECT s.side, s.player, s.person, coalesce(p.name, ''), s.invite <> '' FROM seats s"
            " LEFT JOIN people p ON p.id = s.person WHERE s.match = ? ORDER BY s.place"
        )
        rows = self._rows(query, match)
        return [Seat(side, player, person, name, bool(invited)) for side, player, person, name, invited in rows]

    def invite(self, match: str, side: str, token: str) -> None:
        """A fresh invitation to a free seat; any earlier one stops working."""
        query = "UPDATE seats SET invite = ? WHERE match = ? AND side = ? AND player = '' AND person IS NULL"
        self._run(query, hashed(token), match, side)
        self._run("DELETE FROM board WHERE match = ? AND side = ?", match, side)
        self.tell(match, "seats")

    def sit(self, match: str, token: str, person: int) -> str | None:
        """Take the seat an invitation is for; the side, or ``None`` if it is no good any more."""
        query = (
            "UPDATE seats SET person = ?, invite = '' WHERE match = ? AND invite = ? AND person IS NULL RETURNING side"
        )
        rows = self._rows(query, person, match, hashed(token))
        if not rows:
            return None
        self._run("DELETE FROM board WHERE match = ?", match)
        self.tell(match, "seats")
        return str(rows[0][0])

    # Events -----------------------------------------------------------------------------------

    def events(self, match: str) -> list[Happened]:
        """The events that count."""
        query = "SELECT seq, mover, text, at FROM events WHERE match = ? AND undone = 0 ORDER BY seq"
        return [tuple(row) for row in self._rows(query, match)]

    def later(self, match: str, seq: int) -> tuple[int, list[Happened]]:
        """What has become of a match of which events up to ``seq`` are known: the last of those that still counts
        (0 if none does), and the events after it."""
        query = "SELECT max(seq) FROM events WHERE match = ? AND undone = 0 AND seq <= ?"
        last = self._rows(query, match, seq)[0][0]
        query = "SELECT seq, mover, text, at FROM events WHERE match = ? AND undone = 0 AND seq > ? ORDER BY seq"
        return last or 0, [tuple(row) for row in self._rows(query, match, seq)]

    def count(self, match: str) -> int:
        """How many events count."""
        return int(self._rows("SELECT count(*) FROM events WHERE match = ? AND undone = 0", match)[0][0])

    def add(
        self, match: str, action: str, revision: int, events: Iterable[tuple[str, str]],
        outcome: dict[str, Any] | None = None, clock: dict[str, Any] | None = None, reason: str = "",
    ) -> list[int] | Later[list[int]]:  # fmt: skip
        """Add the events of one action to a match as it stood at a revision, the outcome if they end it, the clock
        as it stands then and why a computer did it; ``Doubled`` if that action has been carried out already,
        ``Behind`` if the match has changed since. The answer is the numbers of the events."""
        deed = Deed(match, action, revision, list(events), outcome, clock, reason)
        answer = self._db.deed(deed, self.time())
        return Later(lambda: self._numbers(deed, answer))

    def _numbers(self, deed: Deed, answer: Answer) -> list[int]:
        rows = answer.fetchall()
        if not rows:
            raise self._refusal(deed.match, deed.action)
        return list(range(rows[0][0], rows[0][0] + len(deed.events)))

    def undo(
        self, match: str, action: str, revision: int, seq: int, clock: dict[str, Any] | None = None,
        asked: dict[str, Any] | None = None,
    ) -> None:  # fmt: skip
        """Mark every event from ``seq`` on as undone; what was ``asked`` for only as long as it still is."""
        if asked is not None and self._offers(match, revision).get("undo") != asked:
            raise self._refusal(match, action)
        self._count(match, action, revision)
        self._run("UPDATE events SET undone = 1 WHERE match = ? AND seq >= ?", match, seq)
        if clock is not None:
            self._run("UPDATE matches SET clock = ? WHERE id = ?", json.dumps(clock), match)

    def done(self, match: str, action: str) -> bool:
        """Whether an action has been carried out."""
        return bool(self._rows("SELECT 1 FROM actions WHERE match = ? AND action = ?", match, action))

    def _count(self, match: str, action: str, revision: int) -> None:
        """Count one action at a match that stands at a revision. The database lets one writer do this at a time."""
        query = "UPDATE matches SET revision = revision + 1, offers = '{}' WHERE id = ? AND revision = ?"
        if not self._run(query, match, revision):
            raise self._refusal(match, action)
        query = "INSERT INTO actions VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        if not self._run(query, match, action, revision + 1):
            raise Doubled(action)
        self.tell(match, "turn", {"revision": revision + 1})

    def _refusal(self, match: str, action: str) -> Exception:
        """Why an action could not be counted."""
        if self.done(match, action):
            return Doubled(action)
        return Behind(match) if self.revision(match) >= 0 else Gone(match)

    def offer(self, match: str, revision: int, change: Callable[[dict[str, Any]], dict[str, Any]]) -> dict[str, Any]:
        """Change what the players of a match offer one another, as it stands at a revision."""
        offers = change(self._offers(match, revision))
        self._run("UPDATE matches SET offers = ? WHERE id = ?", json.dumps(offers), match)
        self.tell(match, "offers")
        return offers

    def _offers(self, match: str, revision: int) -> dict[str, Any]:
        """What the players of a match that stands at a revision offer one another; nobody changes it meanwhile."""
        query = "UPDATE matches SET offers = offers WHERE id = ? AND revision = ? RETURNING offers"
        rows = self._rows(query, match, revision)
        if not rows:
            raise Behind(match) if self.revision(match) >= 0 else Gone(match)
        offers: dict[str, Any] = json.loads(rows[0][0])
        return offers

    # Talk and bookmarks -----------------------------------------------------------------------

    def say(self, match: str, action: str, author: str, text: str) -> Line:
        """Add a line of chat."""
        if not self._run("UPDATE matches SET revision = revision WHERE id = ?", match):
            raise Gone(match)
        if self.done(match, action):
            raise Doubled(action)
        self._run("INSERT INTO actions VALUES (?, ?, 0)", match, action)
        n, now = int(self._rows("SELECT coalesce(max(n), 0) + 1 FROM chat WHERE match = ?", match)[0][0]), self.time()
        self._run("INSERT INTO chat VALUES (?, ?, ?, ?, ?)", match, n, author, text, now)
        self.tell(match, "talk", {"n": n})
        return Line(n, author, text, now)

    def talk(self, match: str, after: int = 0) -> list[Line]:
        """The last lines of chat."""
        query = "SELECT n, author, text, at FROM chat WHERE match = ? AND n > ? ORDER BY n DESC LIMIT 200"
        return [Line(*row) for row in reversed(self._rows(query, match, after))]

    def bookmark(self, match: str, person: int, n: int, label: str) -> None:
        """Set a bookmark, or take it away with an empty label."""
        self._run("DELETE FROM bookmarks WHERE match = ? AND person = ? AND n = ?", match, person, n)
        if label:
            self._run("INSERT INTO bookmarks VALUES (?, ?, ?, ?)", match, person, n, label)

    def bookmarks(self, match: str, person: int) -> list[tuple[int, str]]:
        """A person's bookmarks in a match."""
        query = "SELECT n, label FROM bookmarks WHERE match = ? AND person = ? ORDER BY n"
        return [(int(n), str(label)) for n, label in self._rows(query, match, person)]

    # Processes --------------------------------------------------------------------------------

    def alive(self, process: str, seconds: float, *, alone: bool = False) -> None:
        """A process says that it lives, and will for so long; ``alone`` it knows that no other does."""
        if alone:
            self._run("DELETE FROM processes WHERE id <> ?", process)
        until = self.time() + seconds
        query = "INSERT INTO processes VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET until = excluded.until"
        self._run(query, process, until)

    def living(self) -> list[str]:
        """The processes that live."""
        return [str(row[0]) for row in self._rows("SELECT id FROM processes WHERE until > ?", self.time())]

    def farewell(self, process: str) -> None:
        """A process goes."""
        self._run("DELETE FROM claims WHERE process = ?", process)
        self._run("DELETE FROM processes WHERE id = ?", process)

    def claim(self, match: str, process: str) -> bool:
        """Whether a process is the one that thinks for a match: the first that asks, as long as it lives."""
        if self.revision(match) < 0:
            return False
        query = (
            "INSERT INTO claims VALUES (?, ?) ON CONFLICT (match) DO UPDATE SET process = excluded.process"
            " WHERE claims.process = excluded.process"
            " OR NOT EXISTS (SELECT 1 FROM processes p WHERE p.id = claims.process AND p.until > ?)"
        )
        return self._run(query, match, process, self.time()) == 1

    def release(self, match: str, process: str) -> None:
        """A process thinks for a match no more; another may."""
        if self._run("DELETE FROM claims WHERE match = ? AND process = ?", match, process):
            self.tell(match, "released")


def _packed(value: Any) -> str | None:
    return None if value is None else json.dumps(value)


def _kept(row: Any) -> Kept:
    (
        id_, game, kind, scenario, options, position, seed, engine, begun, ended, overlay, revision, offers, clock,
        known,
    ) = row  # fmt: skip
    return Kept(
        id_, game, kind, scenario, json.loads(options), None if position is None else json.loads(position),
        bytes(seed), engine, begun, json.loads(ended) if ended else None,
        None if overlay is None else json.loads(overlay), revision, json.loads(offers),
        None if clock is None else json.loads(clock), bool(known),
    )  # fmt: skip
