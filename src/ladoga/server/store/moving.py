"""Moving what is kept: from one store to another, into a backup and out of it; and looking whether it is well."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, nullcontext
from pathlib import Path
from typing import Any

from ...kernel.errors import BadData, LadogaError
from ..claim import Claim
from ..library import Library
from ..match import Match
from . import is_address, open_store
from .engine import Store
from .kept import Unwritable
from .ledger import Ledger
from .schema import SQLITE, TABLES

MANY = 2000
"""Rows that are moved at a time."""
COUNTED = ("people", "devices")
"""Tables whose rows are numbered by the database."""


class _File:
    """An SQLite file as one end."""

    def __init__(self, path: Path | str, *, source: bool) -> None:
        self._source = source
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.execute("BEGIN" if source else "BEGIN IMMEDIATE")

    def columns(self, table: str) -> list[str]:
        return [str(row[1]) for row in self._db.execute(f"PRAGMA table_info({table})")]

    def rows(self, table: str, columns: list[str]) -> Iterator[list[Any]]:
        found = self._db.execute(f"SELECT {', '.join(columns)} FROM {table}")  # noqa: S608
        while batch := found.fetchmany(MANY):
            yield batch

    def add(self, table: str, columns: list[str], rows: list[Any]) -> None:
        holes = ", ".join("?" * len(columns))
        self._db.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({holes})", rows)  # noqa: S608

    def done(self) -> None:
        self._db.execute("COMMIT")

    def close(self) -> None:
        self._db.close()


class _Database:
    """A PostgreSQL database as one end."""

    def __init__(self, where: str, *, source: bool) -> None:
        import psycopg

        self._db = psycopg.connect(where, autocommit=True)
        self._db.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" if source else "BEGIN")

    def columns(self, table: str) -> list[str]:
        query = (
            "SELECT column_name FROM information_schema.columns WHERE table_schema = current_schema()"
            " AND table_name = %s ORDER BY ordinal_position"
        )
        return [str(row[0]) for row in self._db.execute(query, (table,)).fetchall()]

    def rows(self, table: str, columns: list[str]) -> Iterator[list[Any]]:
        with self._db.cursor(name="moving") as found:
            found.execute(f"SELECT {', '.join(columns)} FROM {table}".encode())  # noqa: S608
            while batch := found.fetchmany(MANY):
                yield batch

    def add(self, table: str, columns: list[str], rows: list[Any]) -> None:
        holes = ", ".join(["%s"] * len(columns))
        query = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({holes})"  # noqa: S608
        with self._db.cursor() as cursor:
            cursor.executemany(query.encode(), rows)

    def done(self) -> None:
        for table in COUNTED:
            last = f"coalesce(max(id), 0) + 1, false) FROM {table}"
            self._db.execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), {last}".encode())
        self._db.execute("COMMIT")

    def close(self) -> None:
        self._db.close()


def _end(where: str | Path, *, source: bool) -> _File | _Database:
    return _Database(str(where), source=source) if is_address(where) else _File(where, source=source)


def _check_source(where: str | Path) -> None:
    if is_address(where):
        return
    if not Path(where).is_file():
        raise BadData("there is no such file", source=str(where))
    try:
        with closing(sqlite3.connect(f"file:{where}?mode=ro", uri=True)) as db:
            version = int(db.execute("PRAGMA user_version").fetchone()[0])
    except sqlite3.DatabaseError as problem:
        raise BadData(f"matches cannot be read there: {problem}", source=str(where)) from None
    if not 0 < version <= len(SQLITE):
        raise BadData("no matches of this program are kept there", source=str(where))


def copy(source: str | Path, target: str | Path, *, running: bool = False) -> dict[str, int]:
    """Copy everything that is kept into an empty store; how many rows of each table. No server may use a file at
    either end, unless it is only read while ``running``."""
    _check_source(source)
    with ExitStack() as held:
        for where, used in ((source, running), (target, False)):
            held.enter_context(nullcontext() if is_address(where) or used else Claim(Path(where)))
        if not is_address(source) and not running:
            open_store(source).close()
        if is_address(source):
            open_store(source).close()
        made = open_store(target)
        kept = made.now(_counted)
        made.close()
        if kept:
            raise BadData("matches or people are kept there already", source=_shown(target))
        return _copied(_end(source, source=True), _end(target, source=False))


def _shown(where: str | Path) -> str:
    return "the database" if is_address(where) else str(where)


def _counted(ledger: Ledger) -> int:
    return sum(int(ledger._rows(f"SELECT count(*) FROM {table}")[0][0]) for table in ("matches", "people"))  # noqa: S608


def _copied(source: _File | _Database, target: _File | _Database) -> dict[str, int]:
    counts = {}
    with closing(source), closing(target):
        for table in TABLES:
            columns = [name for name in source.columns(table) if name in target.columns(table)]
            counts[table] = 0
            for batch in source.rows(table, columns):
                target.add(table, columns, batch)
                counts[table] += len(batch)
        target.done()
    return counts


def backup(where: str | Path, file: Path) -> dict[str, int]:
    """Everything that is kept, as it is at one moment, in an SQLite file; servers may go on meanwhile."""
    if file.exists():
        raise BadData("there is such a file already", source=str(file))
    _check_source(where)
    partial = file.with_name(f"{file.name}.partial")
    for old in file.parent.glob(f"{partial.name}*"):
        old.unlink()
    try:
        if is_address(where):
            counts = copy(where, partial, running=True)
            partial.with_name(f"{partial.name}.server").unlink(missing_ok=True)
        else:
            readonly = sqlite3.connect(f"file:{where}?mode=ro", uri=True)
            with closing(readonly) as source, closing(sqlite3.connect(partial)) as made:
                source.backup(made, pages=1024)
                made.execute("PRAGMA journal_mode = DELETE")
                counts = {t: int(made.execute(f"SELECT count(*) FROM {t}").fetchone()[0]) for t in TABLES}  # noqa: S608
        with open(partial, "rb") as written:
            os.fsync(written.fileno())
        os.chmod(partial, 0o600)
        os.replace(partial, file)
    except sqlite3.Error as problem:
        raise BadData(f"could not be written: {problem}", source=str(file)) from None
    return counts


def restore(file: Path, where: str | Path) -> dict[str, int]:
    """Put a backup into an empty store."""
    return copy(file, where)


def check(where: str | Path) -> Iterator[str]:
    """Everything that is wrong with a store: what cannot be read, and matches that do not replay."""
    _check_source(where)
    store = open_store(where)
    try:
        yield from (f"damaged: {problem}" for problem in store.check())
        library = Library()
        for match in _ids(store):
            problem = _replayed(store, library, match)
            if problem:
                yield f"match {match}: {problem}"
    finally:
        store.close()


def _ids(store: Store) -> list[str]:
    try:
        return store.now(lambda ledger: [str(row[0]) for row in ledger._rows("SELECT id FROM matches ORDER BY begun")])
    except (Unwritable, sqlite3.Error):
        return []


def _replayed(store: Store, library: Library, match: str) -> str:
    """Why a match cannot be gone on with; nothing if it can."""
    try:
        kept, events = store.now(Ledger.match, match), store.now(Ledger.events, match)
        if kept is None:
            return "cannot be found under its own name"
        Match(kept, library.as_played(kept.game, kept.overlay, kept.engine), events, store.now(Ledger.seats, match))
    except (Unwritable, sqlite3.Error) as problem:
        return f"cannot be read: {problem}"
    except LadogaError as problem:
        return f"does not replay with this edition: {problem}"
    return ""
