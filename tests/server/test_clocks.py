"""Clocks that survive anything, and people who watch a game with secrets later than it happens."""

import logging
import time

import pytest

from ladoga.server import clock, hearing
from ladoga.server.routes import socket as lines
from ladoga.server.store import Ledger, open_store

from .serving import Guest, Running, Table


def test_a_clock_for_the_whole_game_runs_down_and_one_for_each_turn_starts_afresh():
    whole = clock.wound("minutes", 2, ("german", "soviet"))
    whole = clock.turned(whole, "soviet", 100.0)
    whole = clock.turned(whole, "german", 130.0)
    assert whole["left"] == {"german": 120.0, "soviet": 90.0}
    assert clock.due(whole) == 250.0
    assert clock.fallen(whole, 249.0) == ""
    assert clock.fallen(whole, 250.0) == "german"
    assert clock.shown(whole, 140.0) == {
        "kind": "minutes", "each": 120.0, "left": {"german": 110.0, "soviet": 90.0}, "running": "german",
    }  # fmt: skip
    each = clock.turned(clock.wound("days", 1, ("german", "soviet")), "soviet", 0.0)
    each = clock.turned(each, "soviet", 40_000.0)
    assert each["left"]["soviet"] == 46_400.0
    each = clock.turned(each, "german", 50_000.0)
    assert each["left"]["soviet"] == 86_400.0
    assert clock.turned(each, None, 60_000.0)["side"] == ""
    assert clock.fallen(clock.turned(each, "german", 60_000.0, running=False), 1e9) == ""
    assert clock.wound("", 3, ("german",)) is None
    assert clock.turned(None, "german", 1.0) is None


def test_nobody_gains_time_when_the_machines_own_is_set_back():
    running = clock.turned(clock.wound("minutes", 2, ("german", "soviet")), "german", 1000.0)
    assert clock.shown(running, 400.0)["left"] == {"german": 120.0, "soviet": 120.0}
    assert clock.fallen(running, 400.0) == ""
    after = clock.turned(running, "soviet", 400.0)
    assert after["left"] == {"german": 120.0, "soviet": 120.0}
    assert clock.fallen(after, 519.0) == ""
    assert clock.fallen(after, 520.0) == "soviet"


@pytest.fixture
def quick(monkeypatch):
    watch = hearing.watch_clocks
    monkeypatch.setattr("ladoga.server.app.watch_clocks", lambda lobby: watch(lobby, every=0.1))


def an_order(table):
    state = table.state()
    alone = [*state["offers"]["orders"], *(t for texts in state["offers"]["hexes"].values() for t in texts)]
    return alone[0] if alone else table.ask("of", units=[next(iter(state["offers"]["units"]))])["orders"][0]["text"]


def test_whose_time_is_up_has_lost_even_after_a_restart(quick, where):
    server = Running(where)
    guest = Guest(server)
    seats = {"german": "me", "soviet": "me"}
    body = {"game": "leningrad-1979", "seats": seats, "clock": "minutes", "time": 0.02}
    try:
        match = guest.post("/api/matches", **body).json()["id"]
        table = Table(guest, match)
        assert table.hear("state")["clock"]["left"] == {"german": 1.2, "soviet": 1.2}
        assert table.state()["clock"]["running"] == ""
        assert table.give(an_order(table))["ok"]
        running = table.state()["clock"]["running"]
        assert running == table.state()["to_move"]
        table.close()
    finally:
        guest.close()
        server.stop()
    again = Running(where)
    try:
        end = time.monotonic() + 20
        while (kept := again.store.now(Ledger.match, match)).ended is None:
            assert time.monotonic() < end
            time.sleep(0.1)
        assert kept.ended["level"] == "on time"
        assert kept.ended["by"] == running
        assert kept.ended["winner"] not in (running, None)
    finally:
        again.stop()


def test_a_match_that_cannot_be_read_keeps_no_other_from_ending(quick, where, caplog):
    server = Running(where)
    guest = Guest(server)
    seats, made = {"german": "me", "soviet": "me"}, []
    try:
        for minutes in (0.001, 0.03):
            body = {"game": "leningrad-1979", "seats": seats, "clock": "minutes", "time": minutes}
            made.append(guest.post("/api/matches", **body).json()["id"])
            table = Table(guest, made[-1])
            table.hear("state")
            assert table.give(an_order(table))["ok"]
            table.close()
    finally:
        guest.close()
        server.stop()
    store = open_store(where)
    spoil = "UPDATE events SET text = 'place nobody anywhere' WHERE match = ? AND mover <> 'chance'"
    store.now(lambda ledger: ledger._run(spoil, made[0]))
    store.now(lambda ledger: ledger._run("UPDATE matches SET ended = '' WHERE id = ?", made[0]))
    store.close()
    with caplog.at_level(logging.WARNING):
        again = Running(where)
        try:
            end = time.monotonic() + 20
            while again.store.now(Ledger.match, made[1]).ended is None:
                assert time.monotonic() < end
                time.sleep(0.1)
            assert again.store.now(Ledger.match, made[0]).ended is None
        finally:
            again.stop()
    assert [record.args[0] for record in caplog.records] == [made[0]]


def test_a_computer_has_no_clock(guest, sit, running):
    body = {"german": "me", "soviet": "random"}
    made = guest.post("/api/matches", game="leningrad-1979", seats=body, clock="minutes", time=100).json()
    table = sit(guest, made["id"])
    table.hear("state")
    table.ask("pace", wait=0)
    while table.hear("state")["to_move"] != "german":
        pass
    while table.state()["clock"]["running"] != "german":
        table.hear("state")
    kept = running.store.now(Ledger.match, made["id"])
    assert kept.clock["left"]["soviet"] == 6000.0


def never(match):
    raise AssertionError("who has joined an attack by now")


def test_whoever_only_watches_a_game_with_secrets_sees_it_later(tmp_path, monkeypatch):
    server = Running(tmp_path / "matches.db", delay=3.0)
    me, spy = Guest(server), Guest(server)
    try:
        body = {"game": "tijvin-1941", "seats": {"german": "me", "soviet": "me"}, "options": {"fog-of-war": True}}
        match = me.post("/api/matches", **body).json()["id"]
        mine = Table(me, match)
        while mine._take(15)["t"] not in ("curtain", "state"):
            pass
        mine.ask("ready", side=(mine.last.get("curtain") or mine.last["state"]).get("side") or "german")
        mine.drain()
        given = 0
        while given < 2:
            state = mine.state()
            assert mine.give(an_order(mine))["ok"]
            given += 1
            if mine.last["curtain"]["version"] > state["version"] if "curtain" in mine.last else False:
                mine.ask("ready", side=mine.last["curtain"]["side"])
                mine.drain()
        n = len(server.lobby.rooms[match].match.orders)
        theirs = Table(spy, match)
        assert theirs.hear("welcome")["delay"] == 3.0
        first = theirs.hear("state")
        assert first["n"] < n
        assert theirs.ask("at", n=n)["state"]["n"] == first["n"]
        assert all(entry["n"] <= first["n"] for entry in theirs.ask("log", n=0)["log"])
        assert theirs.ask("layer", kind="zoc")["code"] == "late"
        monkeypatch.setattr(lines, "joined", never)
        assert theirs.ask("explain", text="end")["ok"]
        assert f"-{n}.yaml" not in spy.http.get(f"/api/matches/{match}/position").headers["content-disposition"]
        later = first
        while later["n"] < n:
            later = theirs.hear("state", timeout=20)
        mine.close(), theirs.close()
    finally:
        me.close(), spy.close()
        server.stop()
