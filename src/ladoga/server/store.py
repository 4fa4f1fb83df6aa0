"""The store: one SQLite file in which every acknowledged order survives a pulled plug.

Events are only ever added. An undone event stays, marked, so that a record of what was tried is
never lost; the game is the events that are not marked, in order.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from ..kernel.errors import BadData

MIGRATIONS: tuple[str, ...] = (
    """
    CREATE TABLE facts (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    CREATE TABLE people (
        id INTEGER PRIMARY KEY, token TEXT NOT NULL UNIQUE, name TEXT NOT NULL DEFAULT '', since REAL NOT NULL
    ) STRICT;
    CREATE TABLE matches (
        id TEXT PRIMARY KEY, game TEXT NOT NULL, kind TEXT NOT NULL, scenario TEXT NOT NULL,
        options TEXT NOT NULL, position TEXT, seed BLOB NOT NULL, engine TEXT NOT NULL,
        begun REAL NOT NULL, ended TEXT NOT NULL DEFAULT ''
    ) STRICT;
    CREATE TABLE seats (
        match TEXT NOT NULL REFERENCES matches (id), side TEXT NOT NULL, player TEXT NOT NULL DEFAULT '',
        person INTEGER REFERENCES people (id), invite TEXT NOT NULL DEFAULT '', PRIMARY KEY (match, side)
    ) STRICT;
    CREATE TABLE events (
        match TEXT NOT NULL REFERENCES matches (id), seq INTEGER NOT NULL, mover TEXT NOT NULL,
        text TEXT NOT NULL, at REAL NOT NULL, undone INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (match, seq)
    ) STRICT;
    CREATE TABLE actions (
        match TEXT NOT NULL REFERENCES matches (id), action TEXT NOT NULL, PRIMARY KEY (match, action)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE chat (
        match TEXT NOT NULL REFERENCES matches (id), n INTEGER NOT NULL, author TEXT NOT NULL,
        text TEXT NOT NULL, at REAL NOT NULL, PRIMARY KEY (match, n)
    ) STRICT;
    CREATE INDEX seats_of_person ON seats (person);
    """,
    """
    CREATE TABLE bookmarks (
        match TEXT NOT NULL REFERENCES matches (id), person INTEGER NOT NULL REFERENCES people (id),
        n INTEGER NOT NULL, label TEXT NOT NULL, PRIMARY KEY (match, person, n)
    ) STRICT;
    """,
    "ALTER TABLE matches ADD COLUMN overlay TEXT;",
    "ALTER TABLE matches ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;",
)


class Doubled(Exception):
    """This action has been carried out before."""


class Behind(Exception):
    """The match has changed since it was read; read it again."""


class Seat(NamedTuple):
    """Who plays a side: a computer player by name, a person, or nobody yet."""

    side: str
    player: str
    person: int | None
    name: str
    invited: bool


class Kept(NamedTuple):
    """A match as the store keeps it."""

    id: str
    game: str
    kind: str
    scenario: str
    options: dict[str, Any]
    position: dict[str, Any] | None
    seed: bytes
    engine: str
    begun: float
    ended: dict[str, Any] | None
    overlay: dict[str, Any] | None = None
    """The owner's corrections it is played with, file by file; ``None`` in matches older than this."""
    revision: int = 0
    """Counts what has happened to it; whoever adds something says how much they have seen."""


class Line(NamedTuple):
    """A line of chat."""

    n: int
    author: str
    text: str
    at: float


def hashed(token: str) -> str:
    """Tokens are kept only as hashes; they are random, so one round is enough."""
    return hashlib.sha256(token.encode()).hexdigest()


class Store:
    """Everything a server keeps. Methods are short, and safe to call from any thread."""

    def __init__(self, path: Path | str) -> None:
        if path != ":memory:":
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        self._lock = threading.RLock()
        self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        try:
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.execute("PRAGMA foreign_keys = ON")
            self._migrate(str(path))
        except sqlite3.Error as problem:
            self._db.close()
            raise BadData(f"matches cannot be kept there: {problem}", source=str(path)) from None

    def _migrate(self, source: str) -> None:
        version = int(self._db.execute("PRAGMA user_version").fetchone()[0])
        if version > len(MIGRATIONS):
            edition = f"a later edition ({version}) than this program's ({len(MIGRATIONS)})"
            raise BadData(f"matches are kept there by {edition}", source=source)
        for number, script in enumerate(MIGRATIONS[version:], version + 1):
            self._db.executescript(f"BEGIN; {script} PRAGMA user_version = {number}; COMMIT;")

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def _rows(self, query: str, *values: Any) -> list[Any]:
        with self._lock:
            return self._db.execute(query, values).fetchall()

    # People -----------------------------------------------------------------------------------

    def fact(self, key: str, made: str) -> str:
        """A lasting fact of this store, made the first time it is asked for."""
        with self._writing() as db:
            db.execute("INSERT OR IGNORE INTO facts VALUES (?, ?)", (key, made))
        return str(self._rows("SELECT value FROM facts WHERE key = ?", key)[0][0])

    def person(self, token: str) -> int | None:
        """The person a token belongs to."""
        rows = self._rows("SELECT id FROM people WHERE token = ?", hashed(token))
        return int(rows[0][0]) if rows else None

    def welcome(self, token: str) -> int:
        """The person a token belongs to, entered now if new."""
        with self._writing() as db:
            db.execute("INSERT OR IGNORE INTO people (token, since) VALUES (?, ?)", (hashed(token), time.time()))
        person = self.person(token)
        assert person is not None
        return person

    def call(self, person: int, name: str) -> None:
        """Give a person a name."""
        with self._writing() as db:
            db.execute("UPDATE people SET name = ? WHERE id = ?", (name, person))

    def name(self, person: int) -> str:
        """A person's name."""
        rows = self._rows("SELECT name FROM people WHERE id = ?", person)
        return str(rows[0][0]) if rows else ""

    # Matches ----------------------------------------------------------------------------------

    def create(
        self,
        kept: Kept,
        seats: Iterable[tuple[str, str, int | None, str]],
        events: Iterable[tuple[str, str]] = (),
    ) -> None:
        """A new match with its seats (side, computer player, person, hash of the invitation) and
        whatever happened before anybody could order anything."""
        position = None if kept.position is None else json.dumps(kept.position)
        with self._writing() as db:
            db.execute(
                "INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    kept.id, kept.game, kept.kind, kept.scenario, json.dumps(kept.options), position, kept.seed,
                    kept.engine, kept.begun, "" if kept.ended is None else json.dumps(kept.ended),
                    None if kept.overlay is None else json.dumps(kept.overlay), kept.revision,
                ),
            )  # fmt: skip
            db.executemany(
                "INSERT INTO seats (match, side, player, person, invite) VALUES (?, ?, ?, ?, ?)",
                [(kept.id, *seat) for seat in seats],
            )
            _add(db, kept.id, events)

    def match(self, match: str) -> Kept | None:
        """A match by its id."""
        rows = self._rows("SELECT * FROM matches WHERE id = ?", match)
        return _kept(rows[0]) if rows else None

    def matches_of(self, person: int) -> list[Kept]:
        """The matches a person sits at, latest first."""
        rows = self._rows(
            "SELECT DISTINCT m.* FROM matches m JOIN seats s ON s.match = m.id WHERE s.person = ?"
            " ORDER BY m.begun DESC LIMIT 200",
            person,
        )
        return [_kept(row) for row in rows]

    def unfinished(self) -> list[str]:
        """The ids of all matches that go on, latest first."""
        return [str(row[0]) for row in self._rows("SELECT id FROM matches WHERE ended = '' ORDER BY begun DESC")]

    def end(self, match: str, revision: int, outcome: dict[str, Any]) -> None:
        """Close a match as it stands at a revision."""
        with self._writing() as db:
            _seen(db, match, revision)
            db.execute("UPDATE matches SET ended = ? WHERE id = ?", (json.dumps(outcome), match))

    def forget(self, match: str) -> None:
        """Drop a match and everything about it."""
        with self._writing() as db:
            db.execute("DELETE FROM bookmarks WHERE match = ?", (match,))
            db.execute("DELETE FROM chat WHERE match = ?", (match,))
            db.execute("DELETE FROM actions WHERE match = ?", (match,))
            db.execute("DELETE FROM events WHERE match = ?", (match,))
            db.execute("DELETE FROM seats WHERE match = ?", (match,))
            db.execute("DELETE FROM matches WHERE id = ?", (match,))

    def seats(self, match: str) -> list[Seat]:
        """The seats of a match."""
        rows = self._rows(
            "SELECT s.side, s.player, s.person, coalesce(p.name, ''), s.invite <> '' FROM seats s"
            " LEFT JOIN people p ON p.id = s.person WHERE s.match = ? ORDER BY s.rowid",
            match,
        )
        return [Seat(side, player, person, name, bool(invited)) for side, player, person, name, invited in rows]

    def invite(self, match: str, side: str) -> str:
        """A fresh invitation to a free seat; any earlier one stops working."""
        token = secrets.token_urlsafe(18)
        with self._writing() as db:
            db.execute(
                "UPDATE seats SET invite = ? WHERE match = ? AND side = ? AND player = '' AND person IS NULL",
                (hashed(token), match, side),
            )
        return token

    def sit(self, match: str, token: str, person: int) -> str | None:
        """Take the seat an invitation is for; the side, or ``None`` if it is no good any more."""
        rows = self._rows("SELECT side FROM seats WHERE match = ? AND invite = ?", match, hashed(token))
        if not rows:
            return None
        side = str(rows[0][0])
        with self._writing() as db:
            taken = db.execute(
                "UPDATE seats SET person = ?, invite = '' WHERE match = ? AND side = ? AND person IS NULL",
                (person, match, side),
            )
        return side if taken.rowcount == 1 else None

    # Events -----------------------------------------------------------------------------------

    def events(self, match: str) -> list[tuple[int, str, str, float]]:
        """The events that count: number in the store, who, what, when."""
        return self._rows("SELECT seq, mover, text, at FROM events WHERE match = ? AND NOT undone ORDER BY seq", match)

    def count(self, match: str) -> int:
        """How many events count."""
        return int(self._rows("SELECT count(*) FROM events WHERE match = ? AND NOT undone", match)[0][0])

    def later(self, match: str, seq: int) -> tuple[int, list[tuple[int, str, str, float]]]:
        """What has become of a match of which events up to ``seq`` are known: the last of those that still counts
        (0 if none does), and the events after it."""
        last = self._rows("SELECT max(seq) FROM events WHERE match = ? AND NOT undone AND seq <= ?", match, seq)[0][0]
        query = "SELECT seq, mover, text, at FROM events WHERE match = ? AND NOT undone AND seq > ? ORDER BY seq"
        return last or 0, self._rows(query, match, seq)

    def add(
        self, match: str, action: str, revision: int, events: Iterable[tuple[str, str]],
        outcome: dict[str, Any] | None = None,
    ) -> list[int]:  # fmt: skip
        """Add the events of one action to a match as it stood at a revision, and its outcome if they end it;
        ``Doubled`` if that action has been carried out already, ``Behind`` if the match has changed since."""
        with self._writing() as db:
            _once(db, match, action)
            _seen(db, match, revision)
            if outcome is not None:
                db.execute("UPDATE matches SET ended = ? WHERE id = ?", (json.dumps(outcome), match))
            return _add(db, match, events)

    def undo(self, match: str, action: str, revision: int, seq: int) -> None:
        """Mark every event from ``seq`` on as undone."""
        with self._writing() as db:
            _once(db, match, action)
            _seen(db, match, revision)
            db.execute("UPDATE events SET undone = 1 WHERE match = ? AND seq >= ?", (match, seq))

    def done(self, match: str, action: str) -> bool:
        """Whether an action has been carried out."""
        return bool(self._rows("SELECT 1 FROM actions WHERE match = ? AND action = ?", match, action))

    # Talk and bookmarks -----------------------------------------------------------------------

    def say(self, match: str, author: str, text: str) -> Line:
        """Add a line of chat."""
        now = time.time()
        with self._writing() as db:
            n = int(db.execute("SELECT coalesce(max(n), 0) + 1 FROM chat WHERE match = ?", (match,)).fetchone()[0])
            db.execute("INSERT INTO chat VALUES (?, ?, ?, ?, ?)", (match, n, author, text, now))
        return Line(n, author, text, now)

    def talk(self, match: str) -> list[Line]:
        """The last lines of chat."""
        rows = self._rows("SELECT n, author, text, at FROM chat WHERE match = ? ORDER BY n DESC LIMIT 200", match)
        return [Line(*row) for row in reversed(rows)]

    def bookmark(self, match: str, person: int, n: int, label: str) -> None:
        """Set a bookmark, or take it away with an empty label."""
        with self._writing() as db:
            db.execute("DELETE FROM bookmarks WHERE match = ? AND person = ? AND n = ?", (match, person, n))
            if label:
                db.execute("INSERT INTO bookmarks VALUES (?, ?, ?, ?)", (match, person, n, label))

    def bookmarks(self, match: str, person: int) -> list[tuple[int, str]]:
        """A person's bookmarks in a match."""
        query = "SELECT n, label FROM bookmarks WHERE match = ? AND person = ? ORDER BY n"
        return [(int(n), str(label)) for n, label in self._rows(query, match, person)]


def _kept(row: Any) -> Kept:
    id_, game, kind, scenario, options, position, seed, engine, begun, ended, overlay, revision = row
    return Kept(
        id_, game, kind, scenario, json.loads(options), None if position is None else json.loads(position),
        seed, engine, begun, json.loads(ended) if ended else None, None if overlay is None else json.loads(overlay),
        revision,
    )  # fmt: skip


def _once(db: sqlite3.Connection, match: str, action: str) -> None:
    """Note an action that is carried out now; ``Doubled`` if it has been before."""
    if not db.execute("INSERT OR IGNORE INTO actions VALUES (?, ?)", (match, action)).rowcount:
        raise Doubled(action)


def _seen(db: sqlite3.Connection, match: str, revision: int) -> None:
    """Count a change of a match that stands at a revision; ``Behind`` if it does not."""
    query = "UPDATE matches SET revision = revision + 1 WHERE id = ? AND revision = ?"
    if not db.execute(query, (match, revision)).rowcount:
        raise Behind(match)


def _add(db: sqlite3.Connection, match: str, events: Iterable[tuple[str, str]]) -> list[int]:
    first = int(db.execute("SELECT coalesce(max(seq), 0) + 1 FROM events WHERE match = ?", (match,)).fetchone()[0])
    now = time.time()
    rows = [(match, seq, mover, text, now) for seq, (mover, text) in enumerate(events, first)]
    db.executemany("INSERT INTO events (match, seq, mover, text, at) VALUES (?, ?, ?, ?, ?)", rows)
    return [row[1] for row in rows]
