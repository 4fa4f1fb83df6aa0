from collections.abc import Iterator
from contextlib import closing

import pytest
from database import MISSING, Cluster

from ladoga.server.store import open_store

from .serving import Guest, Running, Table

_missing = []


@pytest.fixture(scope="session")
def cluster():
    """A PostgreSQL server for whoever needs one; skipped loudly where there is none."""
    try:
        server = Cluster()
    except RuntimeError as problem:
        _missing.append(str(problem))
        pytest.skip(str(problem))
    yield server
    server.close()


def pytest_terminal_summary(terminalreporter):
    if _missing:
        terminalreporter.write_line(f"\n{MISSING}", red=True, bold=True)


@pytest.fixture(params=["sqlite", "postgres"])
def where(request, tmp_path):
    """Where matches are kept: one suite for both kinds of store."""
    if request.param == "sqlite":
        return tmp_path / "store.db"
    return request.getfixturevalue("cluster").fresh()


@pytest.fixture
def store(where):
    """A store of either kind, with nothing in it."""
    opened = open_store(where)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def running(tmp_path_factory) -> Iterator[Running]:
    server = Running(tmp_path_factory.mktemp("store") / "matches.db")
    yield server
    server.stop()


@pytest.fixture
def another(running):
    guests = []

    def newcomer():
        guests.append(Guest(running))
        return guests[-1]

    yield newcomer
    for guest in guests:
        guest.close()


@pytest.fixture
def guest(another) -> Guest:
    return another()


@pytest.fixture
def sit(running):
    tables = []

    def at(guest, match, **extra):
        table = Table(guest, match, **extra)
        tables.append(table)
        return table

    yield at
    for table in tables:
        with closing(table):
            pass
