"""The store for more than one process or machine: PostgreSQL, which also tells every process what the others wrote."""

from __future__ import annotations

import json
import logging
import re
import select
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any

from ...kernel.errors import BadData, LadogaError
from .engine import Lost, Store
from .kept import Deed, Rows, Unwritable
from .schema import POSTGRES

try:
    import psycopg
    from psycopg import sql
except ImportError:  # the embedded store needs nothing more
    psycopg = None  # type: ignore[assignment]

log = logging.getLogger("ladoga.server")

CHANNEL = "ladoga"
READERS = 3
WAITS = {
    "connect_timeout": 5, "keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}  # fmt: skip
"""A database that does not answer counts as out of reach after these."""
AGAIN = 0.5
"""Seconds between two tries to reach a database that is not there yet."""
SOON = re.compile("starting up|shutting down|recovery|not yet accepting|too many|remaining connection slots")
"""What a database says that will let us in by and by."""
HEARS_WITHIN = 10.0
"""Seconds that the first word with the others may take; who hears later looks at everything again."""
HOLDS = 5.0
"""Seconds after which a line on which nothing is said is tried."""
SET_AGAIN = 60.0
"""Seconds after which the database is asked for the time again."""
LOCK = 4_107_1941
"""What processes hold that bring the tables to this edition, one after another."""


DEED = """
    WITH counted AS (
        UPDATE matches SET revision = revision + 1, offers = '{}', ended = coalesce(nullif(%(outcome)s, ''), ended),
            clock = coalesce(nullif(%(clock)s, ''), clock)
        WHERE id = %(match)s AND revision = %(revision)s::bigint
            AND NOT EXISTS (SELECT 1 FROM actions WHERE match = %(match)s AND action = %(action)s)
        RETURNING id, revision
    ), numbered AS (
        SELECT counted.*, (SELECT coalesce(max(seq), 0) + 1 FROM events WHERE match = %(match)s) AS first FROM counted
    ), acted AS (
        INSERT INTO actions SELECT id, %(action)s, revision FROM counted
    ), happened AS (
        INSERT INTO events (match, seq, mover, text, at, revision)
        SELECT id, first + place - 1, event ->> 0, event ->> 1, %(now)s::double precision, revision
        FROM numbered, json_array_elements(%(events)s::json) WITH ORDINALITY AS e (event, place)
    ), reasoned AS (
        INSERT INTO reasons SELECT id, first, %(reason)s FROM numbered WHERE %(reason)s <> ''
    )
    SELECT first, pg_notify(%(channel)s, %(note)s) FROM numbered
"""
"""One action, if the match stands where it expects it: counted, written and told. The row of the match is locked first;
whoever waited for it finds another revision there and writes nothing."""
WORDS = ("match", "action", "revision", "outcome", "clock", "now", "events", "reason", "channel", "note")
NUMBERED = DEED % {word: f"${n}" for n, word in enumerate(WORDS, 1)}
"""The same with numbers for its words, as the database itself reads it."""


FORGOTTEN = b"26000"
"""What the database says of a statement that it does not know."""


@cache
def _spelled(query: str) -> bytes:
    return query.replace("?", "%s").encode()


class Answer:
    """What PostgreSQL answers, which is waited for only where somebody wants to know it."""

    def __init__(self, connection: Connection, cursor: psycopg.Cursor[Any]) -> None:
        self._connection, self._cursor = connection, cursor

    @property
    def rowcount(self) -> int:
        """How many rows were written."""
        self._connection.hear()
        return self._cursor.rowcount

    def fetchall(self) -> list[Any]:
        """The rows found."""
        return self._cursor.fetchall()


class Timepiece:
    """The database's clock: those of several machines may differ, and any may be set. The database is asked when a
    connection is made and once a minute by the thread that listens; in between its clock is reckoned from how long it
    is since then, so that an order asks for nothing."""

    def __init__(self) -> None:
        self._ahead = 0.0
        self._asked = -SET_AGAIN

    @property
    def due(self) -> bool:
        """Whether it is time to ask again."""
        return time.monotonic() >= self._asked + SET_AGAIN

    def set(self, line: psycopg.pq.abc.PGconn) -> None:
        """Ask the database; its answer is of the middle of the time that it took."""
        began = time.monotonic()
        told = _checked(line.exec_(b"SELECT extract(epoch FROM clock_timestamp())")).get_value(0, 0)
        self._asked = time.monotonic()
        self._ahead = float(told or 0) - (began + self._asked) / 2

    def time(self) -> float:
        """What time it is there."""
        return time.monotonic() + self._ahead


class Connection:
    """A PostgreSQL connection as the ledger wants one."""

    def __init__(self, where: str, process: str, timepiece: Timepiece) -> None:
        self.db = psycopg.connect(where, autocommit=True, **WAITS)  # type: ignore[arg-type]
        self.db.execute("SET synchronous_commit = on")
        self.db.execute("SET statement_timeout = '30s'")
        self.db.execute("SET idle_in_transaction_session_timeout = '60s'")
        timepiece.set(self.db.pgconn)
        self._timepiece = timepiece
        self._process = process
        self._line: psycopg.Pipeline | None = None

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Statements go out together, and their answers come back together."""
        try:
            with self.db.pipeline() as self._line:
                yield
        finally:
            self._line = None

    def hear(self) -> None:
        """Wait for every answer that is due."""
        if self._line is not None:
            self._line.sync()

    def run(self, query: str, values: tuple[Any, ...] = ()) -> Answer:
        """Carry out one statement."""
        return Answer(self, self.db.execute(_spelled(query), values))

    def tell(self, note: dict[str, Any]) -> None:
        """Tell the other processes when this is committed."""
        self.db.execute("SELECT pg_notify(%s, %s)", (CHANNEL, self._note(note)))

    def time(self) -> float:
        """What time it is by the database's clock."""
        return self._timepiece.time()

    def deed(self, deed: Deed, now: float) -> Answer | Rows:
        """Write a whole deed with one statement."""
        note = {"match": deed.match, "kind": "turn", "revision": deed.revision + 1}
        values = {
            "match": deed.match, "action": deed.action, "revision": str(deed.revision),
            "outcome": "" if deed.outcome is None else json.dumps(deed.outcome),
            "clock": "" if deed.clock is None else json.dumps(deed.clock), "now": repr(now),
            "events": json.dumps(deed.events), "reason": deed.reason, "channel": CHANNEL, "note": self._note(note),
        }  # fmt: skip
        if self._line is not None:
            return Answer(self, self.db.execute(DEED, values, prepare=True))
        return self._asked([values[word].encode() for word in WORDS])

    def _asked(self, values: list[bytes]) -> Rows:
        """The answer to a deed that is written alone. The driver is asked directly and once, so that everybody else in
        this process goes on until the answer is there. The statement is prepared the first time, and again when the
        database has forgotten it, as it does with every transaction that the driver sees broken off."""
        line = self.db.pgconn
        told = line.exec_prepared(b"deed", values)
        if told.error_field(psycopg.pq.DiagnosticField.SQLSTATE) == FORGOTTEN:
            _checked(line.prepare(b"deed", NUMBERED.encode()))
            told = line.exec_prepared(b"deed", values)
        _checked(told)
        return Rows([(int(told.get_value(row, 0) or 0),) for row in range(told.ntuples)])

    def _note(self, note: dict[str, Any]) -> str:
        return json.dumps({**note, "process": self._process})


def _checked(told: psycopg.pq.abc.PGresult) -> psycopg.pq.abc.PGresult:
    """What the database answers, unless it is a problem."""
    if told.status in (psycopg.pq.ExecStatus.TUPLES_OK, psycopg.pq.ExecStatus.COMMAND_OK):
        return told
    code = told.error_field(psycopg.pq.DiagnosticField.SQLSTATE)
    problem = psycopg.OperationalError if code is None else psycopg.errors.lookup(code.decode())
    raise problem(told.error_message.decode(errors="replace"))


class PostgresStore(Store):
    """Matches kept in a PostgreSQL database that any number of processes use."""

    alone = False
    _look = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

    def __init__(self, where: str, wait: float = 0.0) -> None:
        """``wait`` is for how many seconds a database that is not there yet is waited for."""
        if psycopg is None:
            raise LadogaError("PostgreSQL needs psycopg: pip install 'ladoga[postgres]'")
        super().__init__(where, READERS)
        self._here = threading.local()
        self._readers_have: list[Connection] = []
        self._connection: Connection | None = None
        self._timepiece = Timepiece()
        try:
            self._connection = self._reached(wait)
            self._migrate()
        except psycopg.Error as problem:
            raise BadData(f"matches cannot be kept there: {_first_line(problem)}", source=self.shown) from None
        self._listening: psycopg.Connection[Any] | None = None
        self._listener = threading.Thread(target=self._listen, name="listener", daemon=True)
        self._hears = threading.Event()
        """Set once nothing more can be missed that others write."""
        self._open()
        self._listener.start()
        self._hears.wait(HEARS_WITHIN)

    def time(self) -> float:
        """What time it is by the database's clock, which is asked now and then and not for every order."""
        return self._timepiece.time()

    def _reached(self, wait: float) -> Connection:
        """The first connection. A database that is not there yet may come; one that refuses us will not change its
        mind."""
        end, told = time.monotonic() + wait, False
        while True:
            try:
                return Connection(self.where, self.process, self._timepiece)
            except psycopg.OperationalError as problem:
                words = str(problem)
                if time.monotonic() >= end or ("FATAL:" in words and not SOON.search(words)):
                    raise
                if not told:
                    words = "the database does not answer yet (%s): %s; waiting for up to %.0f seconds"
                    log.warning(words, self.shown, _first_line(problem), wait)
                told = True
            time.sleep(AGAIN)

    @property
    def shown(self) -> str:
        """Where it is, without its password."""
        facts = psycopg.conninfo.conninfo_to_dict(self.where)
        return " ".join(f"{key}={value}" for key, value in facts.items() if key != "password")

    def _migrate(self) -> None:
        """Make the tables or bring them to this edition, while no other process does."""
        assert self._connection is not None
        db = self._connection.db
        with db.transaction():
            db.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
            db.execute("CREATE TABLE IF NOT EXISTS edition (number INTEGER NOT NULL)")
            row = db.execute("SELECT max(number) FROM edition").fetchone()
            version = int(row[0]) if row and row[0] is not None else 0
            if version > len(POSTGRES):
                edition = f"a later edition ({version}) than this program's ({len(POSTGRES)})"
                raise BadData(f"matches are kept there by {edition}", source=self.shown)
            for number, script in enumerate(POSTGRES[version:], version + 1):
                db.execute(script.encode())
                db.execute("INSERT INTO edition VALUES (%s)", (number,))

    def _writing(self) -> Connection:
        if self._connection is None:
            self._connection = Connection(self.where, self.process, self._timepiece)
        return self._connection

    def _reading(self) -> Connection:
        if getattr(self._here, "connection", None) is None:
            self._here.connection = Connection(self.where, self.process, self._timepiece)
            self._readers_have.append(self._here.connection)
        return self._here.connection  # type: ignore[no-any-return]

    def _drop(self) -> None:
        mine: Connection | None = getattr(self._here, "connection", None)
        if mine is not None:
            with suppress(psycopg.Error):
                mine.db.close()
            self._here.connection = None
        if threading.current_thread() is self._writer and self._connection is not None:
            with suppress(psycopg.Error):
                self._connection.db.close()
            self._connection = None

    def _drop_readers(self) -> None:
        for connection in self._readers_have:
            with suppress(psycopg.Error):
                connection.db.close()

    def _failed(self, problem: Exception) -> Exception:
        if isinstance(problem, psycopg.errors.DiskFull):
            return Unwritable(_first_line(problem))
        passing = psycopg.OperationalError, psycopg.InterfaceError, psycopg.errors.ReadOnlySqlTransaction
        if isinstance(problem, passing):  # one that only reads stands in for one that writes
            return Lost(_first_line(problem))
        return problem

    def close(self) -> None:
        """Write what waits, and close."""
        super().close()
        if self._listening is not None:
            with suppress(psycopg.Error):
                self._listening.close()

    # Hearing from the others --------------------------------------------------------------------

    def _listen(self) -> None:
        """Hand on what other processes wrote. After a break nobody knows what was missed, so everything is looked
        at again."""
        broken, begun = False, time.monotonic()
        while not self._closed:
            try:
                with psycopg.connect(self.where, autocommit=True, **WAITS) as db:  # type: ignore[arg-type]
                    self._listening = db
                    _checked(db.pgconn.exec_(f"LISTEN {CHANNEL}".encode()))
                    late = not self._hears.is_set() and time.monotonic() > begun + HEARS_WITHIN
                    self._hears.set()
                    if broken or late:
                        self._hear({"match": "", "kind": "everything"})
                    while not self._closed:
                        self._hear_out(db.pgconn)
            except psycopg.Error:
                broken = True
                threading.Event().wait(0.5)

    def _hear_out(self, line: psycopg.pq.abc.PGconn) -> None:
        """Hand on what has come, and wait for more; where nothing comes ask for the time, and so see that the line
        still holds. The driver is asked directly: every order of every process comes by here, and most concern nobody
        in this one."""
        mine = self.process.encode()
        while (note := line.notifies()) is not None:
            if mine not in note.extra:
                self._hear(_read(note.extra))
        wait = select.poll()
        wait.register(line.socket, select.POLLIN)
        if wait.poll(1000 * HOLDS) and not self._timepiece.due:
            line.consume_input()
        else:
            self._timepiece.set(line)

    def _hear(self, note: dict[str, Any]) -> None:
        if note.get("process") != self.process and self.heard is not None:
            with suppress(RuntimeError):  # the loop is closed
                self.heard(note)

    def quick_check(self) -> list[str]:
        """Nothing to see from outside: the database looks after its pages itself."""
        return []

    def check(self) -> list[str]:
        """Read every row; what cannot be read is told."""
        found: list[str] = []
        with psycopg.connect(self.where, autocommit=True) as db:
            rows = db.execute("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()").fetchall()
            for (table,) in rows:
                try:
                    db.execute(sql.SQL("SELECT count(t::text) FROM {} t").format(sql.Identifier(table)))
                except psycopg.Error as problem:
                    found.append(f"{table}: {_first_line(problem)}")
        return found


def _read(payload: bytes) -> dict[str, Any]:
    """What another process said; whatever cannot be understood may have been anything."""
    try:
        note: dict[str, Any] = json.loads(payload)
        return {**note, "match": str(note["match"]), "kind": str(note["kind"])}
    except (ValueError, TypeError, KeyError):
        return {"match": "", "kind": "everything"}


def _first_line(problem: Exception) -> str:
    return str(problem).strip().partition("\n")[0] or type(problem).__name__
