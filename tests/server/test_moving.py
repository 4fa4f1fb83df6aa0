"""Moving what is kept between stores, into backups and out of them, and finding what is damaged."""

import asyncio
import sqlite3
from contextlib import closing

import pytest

from ladoga.cli import main
from ladoga.kernel.errors import BadData
from ladoga.server.assembly import assemble
from ladoga.server.beginning import create
from ladoga.server.claim import Claim
from ladoga.server.store import Ledger, moving, open_store
from ladoga.server.store.schema import TABLES

from .serving import Guest, Running

GAME = "leningrad-1979"


def filled(where, matches=2):
    """A store with a little of everything; the ids of its matches."""

    async def fill():
        lobby = assemble(where)
        store = lobby.house.store
        person = store.now(Ledger.welcome, "token", "Firefox")
        store.now(Ledger.call, person, "Анна")
        store.now(Ledger.grant, person, "recovery", "code", 600)
        made = []
        for _ in range(matches):
            match, _ = await create(lobby, person, GAME, {"german": "me", "soviet": "open"}, ticking=("days", 3))
            store.now(Ledger.say, match, "say-1", "German", "Bonjour, Ёлка")
            store.now(Ledger.bookmark, match, person, 0, "start")
            made.append(match)
        await lobby.close()
        return made

    return asyncio.run(fill())


def contents(where):
    store = open_store(where)
    try:
        return {
            table: sorted(map(repr, store.now(lambda ledger, table=table: _plain(ledger, table)))) for table in TABLES
        }
    finally:
        store.close()


def _plain(ledger, table):
    columns = {"people": "id, name, since", "events": "match, seq, mover, text, at, undone"}.get(table, "*")
    rows = ledger._rows(f"SELECT {columns} FROM {table}")
    if table == "matches":
        return [ledger.match(row[0]) for row in rows]
    if table == "seats":
        return [(row[0], *seat) for row in rows for seat in ledger.seats(row[0])]
    return [tuple(row) for row in rows]


def test_a_store_goes_to_the_other_kind_and_back_whole(cluster, tmp_path):
    first, there, back = tmp_path / "first.db", cluster.fresh(), tmp_path / "back.db"
    filled(first)
    assert main(["store", "copy", str(first), there]) == 0
    assert main(["store", "copy", there, str(back)]) == 0
    assert contents(first) == contents(there) == contents(back)
    store = open_store(there)
    assert store.now(Ledger.welcome, "newcomer") > store.now(Ledger.person, "token")
    store.close()
    with pytest.raises(BadData, match="kept there already"):
        moving.copy(first, there)


def test_nothing_is_copied_while_a_server_has_the_file(tmp_path, capsys):
    filled(tmp_path / "first.db", 1)
    with Claim(tmp_path / "first.db") as claim:
        claim.say("http://127.0.0.1:9/")
        assert main(["store", "copy", str(tmp_path / "first.db"), str(tmp_path / "second.db")]) == 2
    assert "http://127.0.0.1:9/" in capsys.readouterr().err
    assert not (tmp_path / "second.db").exists()


def test_a_backup_of_a_running_server_brings_everything_back(where, tmp_path):
    server = Running(where)
    guest = Guest(server)
    try:
        match = guest.begin(german="me", soviet="me")["id"]
        assert main(["store", "backup", str(tmp_path / "kept.db"), "--store", str(where)]) == 0
        later = guest.begin(german="me", soviet="me")["id"]
    finally:
        guest.close()
        server.stop()
    assert main(["store", "restore", str(tmp_path / "kept.db"), "--store", str(tmp_path / "new.db")]) == 0
    store = open_store(tmp_path / "new.db")
    assert store.now(Ledger.match, match) is not None
    assert store.now(Ledger.match, later) is None
    assert store.now(Ledger.person, guest.http.cookies["ladoga"]) is not None
    store.close()
    assert list(moving.check(tmp_path / "new.db")) == []
    with pytest.raises(BadData, match="already"):
        moving.backup(where, tmp_path / "kept.db")


def test_what_is_no_store_is_refused_in_a_line(tmp_path, capsys):
    (tmp_path / "text").write_text("hello" * 1000)
    for words in (["check", "--store", str(tmp_path / "none")], ["copy", str(tmp_path / "text"), str(tmp_path / "x")]):
        assert main(["store", *words]) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_match_that_does_not_replay_is_named(where, capsys):
    good, bad = filled(where)
    store = open_store(where)
    store.now(Ledger.add, bad, "action-1", 0, [("soviet", "fly to the moon")])
    store.close()
    assert main(["store", "check", "--store", str(where)]) == 1
    told = capsys.readouterr().out
    assert f"match {bad}: does not replay" in told
    assert good not in told


def test_a_broken_page_is_named_and_other_games_go_on(tmp_path, capsys):
    """The page of one match's long event is overwritten on the disk."""
    path = tmp_path / "matches.db"
    good, bad = filled(path)
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode = DELETE")
        size = db.execute("PRAGMA page_size").fetchone()[0]
        for n in range(200):
            row = (bad, 100 + n, "soviet", "x" * 1500)
            db.execute("INSERT INTO events (match, seq, mover, text, at) VALUES (?, ?, ?, ?, 0)", row)
        db.commit()
    raw = bytearray(path.read_bytes())
    page = raw.rindex(b"x" * 1400) // size
    raw[page * size : page * size + 64] = b"\xff" * 64
    path.write_bytes(raw)
    assert main(["store", "check", "--store", str(path)]) == 1
    told = capsys.readouterr().out
    assert "damaged: " in told
    assert f"match {bad}: cannot be read" in told
    assert good not in told
    server = Running(path)
    store = server.store
    assert store.quick_check()
    token = "t" * 32
    person = store.now(Ledger.person, "token")
    store.now(Ledger.welcome, token, "", person)
    guest = Guest(server)
    guest.http.cookies.set("ladoga", token)
    try:
        assert [m["id"] for m in guest.http.get("/api/matches").json()["matches"]] == [good]
        assert guest.http.get(f"/api/matches/{good}/position").status_code == 200
        answer = guest.http.get(f"/api/matches/{bad}/position")
        assert (answer.status_code, answer.json()["code"]) == (500, "damaged")
    finally:
        guest.close()
        server.stop()
