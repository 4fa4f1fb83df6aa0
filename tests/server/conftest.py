from collections.abc import Iterator
from contextlib import closing

import pytest

from .serving import Guest, Running, Table


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
