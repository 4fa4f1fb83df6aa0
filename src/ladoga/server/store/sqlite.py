"""The embedded store: one SQLite file in which every acknowledged order survives a pulled plug."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

from ...kernel.errors import BadData
from .engine import Store
from .kept import Damaged, Deed, Rows, Unwritable
from .schema import SQLITE

DEEDS = """
    CREATE TEMP VIEW deeds AS SELECT
        NULL AS match, NULL AS action, NULL AS revision, NULL AS outcome, NULL AS clock, NULL AS first, NULL AS events,
        NULL AS at, NULL AS reason;
    CREATE TEMP TRIGGER deed INSTEAD OF INSERT ON deeds BEGIN
        UPDATE matches SET revision = NEW.revision, offers = '{}', ended = coalesce(NEW.outcome, ended),
            clock = coalesce(NEW.clock, clock)
        WHERE id = NEW.match;
        INSERT INTO actions VALUES (NEW.match, NEW.action, NEW.revision);
        INSERT INTO events (match, seq, mover, text, at, revision)
        SELECT NEW.match, NEW.first + key, json_extract(value, '$[0]'), json_extract(value, '$[1]'), NEW.at,
            NEW.revision
        FROM json_each(NEW.events);
        INSERT INTO reasons SELECT NEW.match, NEW.first, NEW.reason WHERE NEW.reason <> '';
    END;
"""
DEED = """
    INSERT INTO deeds
    SELECT id, :action, revision + 1, :outcome, :clock, (SELECT coalesce(max(seq), 0) + 1 FROM events WHERE match = id),
        :events, :now, :reason
    FROM matches WHERE id = :match AND revision = :revision
        AND NOT EXISTS (SELECT 1 FROM actions WHERE match = :match AND action = :action)
    RETURNING first
"""
"""One action, if the match stands where it expects it: counted and written, by one statement. Between two statements
the thread that writes would wait for the one that works tables out."""


class Connection:
    """An SQLite connection as the ledger wants one. Nobody else uses the file, so there is nobody to tell."""

    def __init__(self, path: str) -> None:
        self.db = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=10)

    def run(self, query: str, values: tuple[Any, ...] = ()) -> sqlite3.Cursor:
        """Carry out one statement."""
        return self.db.execute(query, values)

    def at_once(self) -> AbstractContextManager[None]:
        """Nothing has to be sent anywhere."""
        return nullcontext()

    def tell(self, note: dict[str, Any]) -> None:
        """There is no other process."""

    def time(self) -> float:
        """What time it is here."""
        return time.time()

    def deed(self, deed: Deed, now: float) -> Rows:
        """Write a whole deed with one statement."""
        values = {
            "match": deed.match, "action": deed.action, "revision": deed.revision, "events": json.dumps(deed.events),
            "outcome": None if deed.outcome is None else json.dumps(deed.outcome),
            "clock": None if deed.clock is None else json.dumps(deed.clock), "now": now, "reason": deed.reason,
        }  # fmt: skip
        return Rows(self.db.execute(DEED, values).fetchall())


class SQLiteStore(Store):
    """Matches kept in one file."""

    _begin = "BEGIN IMMEDIATE"

    def __init__(self, path: Path | str) -> None:
        super().__init__(str(path))
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        self._here = threading.local()
        self._readers_have: list[Connection] = []
        self._connection: Connection | None = None
        try:
            self._connection = self._connected()
            self._migrate(str(path))
            self._connection.run("PRAGMA foreign_keys = ON")
            self._connection.db.executescript(DEEDS)
        except sqlite3.Error as problem:
            if self._connection is not None:
                self._connection.db.close()
            raise BadData(f"matches cannot be kept there: {problem}", source=str(path)) from None
        self._open()

    def _connected(self) -> Connection:
        connection = Connection(self.where)
        connection.run("PRAGMA journal_mode = WAL")
        connection.run("PRAGMA synchronous = FULL")
        return connection

    def _migrate(self, source: str) -> None:
        """Bring the file to this edition; foreign keys are not looked at meanwhile, since tables are replaced."""
        assert self._connection is not None
        db = self._connection.db
        version = int(db.execute("PRAGMA user_version").fetchone()[0])
        if version > len(SQLITE):
            db.close()
            edition = f"a later edition ({version}) than this program's ({len(SQLITE)})"
            raise BadData(f"matches are kept there by {edition}", source=source)
        db.execute("PRAGMA foreign_keys = OFF")
        for number, script in enumerate(SQLITE[version:], version + 1):
            db.executescript(f"BEGIN; {script} PRAGMA user_version = {number}; COMMIT;")

    def _writing(self) -> Connection:
        assert self._connection is not None
        return self._connection

    def _reading(self) -> Connection:
        if getattr(self._here, "connection", None) is None:
            self._here.connection = Connection(self.where)
            self._here.connection.run("PRAGMA query_only = ON")
            self._readers_have.append(self._here.connection)
        return self._here.connection  # type: ignore[no-any-return]

    def _drop(self) -> None:
        mine: Connection | None = getattr(self._here, "connection", None)
        if mine is not None:
            mine.db.close()
            self._here.connection = None
        if threading.current_thread() is self._writer and self._connection is not None:
            self._connection.db.close()

    def _drop_readers(self) -> None:
        for connection in self._readers_have:
            with suppress(sqlite3.Error):
                connection.db.close()

    def _failed(self, problem: Exception) -> Exception:
        if isinstance(problem, sqlite3.OperationalError):
            return Unwritable(str(problem))
        if type(problem) is sqlite3.DatabaseError:
            return Damaged(str(problem))
        return problem

    def quick_check(self) -> list[str]:
        """What is wrong with the file at first sight."""
        return _said(self.where, "PRAGMA quick_check(20)")

    def check(self) -> list[str]:
        """What is wrong with the file: pages, and rows that point nowhere."""
        found = _said(self.where, "PRAGMA integrity_check(100)")
        with _plain(self.where) as db:
            try:
                loose = db.execute("PRAGMA foreign_key_check").fetchall()
            except sqlite3.DatabaseError:
                loose = []
        return [*found, *(f"{table}: row {row} points to nothing in {parent}" for table, row, parent, _ in loose)]


@contextmanager
def _plain(path: str) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
        yield db


def _said(path: str, question: str) -> list[str]:
    with _plain(path) as db:
        try:
            return [str(row[0]) for row in db.execute(question) if row[0] != "ok"]
        except sqlite3.DatabaseError as problem:
            return [str(problem)]
