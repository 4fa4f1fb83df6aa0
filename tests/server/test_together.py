"""Two servers on one database are one server to everybody at the table."""

import time

import psycopg
import pytest

from ladoga.server.store import Ledger

from .serving import Guest, Running, Table


@pytest.fixture(scope="module")
def both(cluster):
    address = cluster.fresh()
    servers = [Running(address), Running(address)]
    yield servers
    for server in servers:
        server.stop()


@pytest.fixture
def at(both):
    """People at the first or the second server, and tables they sit at."""
    open_ = []

    class Ways:
        def guest(self, number):
            open_.append(Guest(both[number]))
            return open_[-1]

        def same(self, guest, number):
            """The same person at the other server."""
            other = self.guest(number)
            other.http.cookies.clear()
            other.http.cookies.set("ladoga", guest.http.cookies["ladoga"])
            return other

        def sit(self, guest, match):
            open_.append(Table(guest, match))
            open_[-1].hear("state")
            return open_[-1]

    yield Ways()
    for thing in reversed(open_):
        thing.close()


def until(table, kind, good, timeout=15):
    """Hear messages of a kind until one is good."""
    end = time.monotonic() + timeout
    while True:
        message = table.last.get(kind)
        if message is not None and good(message):
            return message
        assert time.monotonic() < end, f"never heard such a {kind}"
        try:
            table._take(0.5)
        except TimeoutError:
            continue


def some_order(table):
    state = table.state()
    alone = state["offers"]["orders"] + [t for texts in state["offers"]["hexes"].values() for t in texts]
    if alone:
        return alone[0]
    return table.ask("of", units=[next(iter(state["offers"]["units"]))])["orders"][0]["text"]


def test_an_order_given_at_one_is_shown_at_the_other(at):
    mine = at.guest(0)
    match = mine.begin(german="me", soviet="me")["id"]
    here, there = at.sit(mine, match), at.sit(at.same(mine, 1), match)
    for giving, seeing in ((here, there), (there, here), (here, there)):
        assert giving.give(some_order(giving))["ok"]
        version = giving.state()["version"]
        shown = until(seeing, "state", lambda m, v=version: m["version"] == v)
        assert shown["table"] == giving.state()["table"]
    undo = here.state()["undo"]
    assert here.ask("undo", action="undo-me-1", version=here.state()["version"], to=undo["to"])["ok"]
    until(there, "state", lambda m: m["n"] == undo["to"])
    assert there.ask("resign")["ok"]
    assert until(here, "state", lambda m: m["over"])["outcome"]["level"] == "by resignation"


def test_an_order_for_what_the_other_has_changed_is_stale_and_may_be_given_again(at):
    mine = at.guest(0)
    match = mine.begin(german="me", soviet="me")["id"]
    here, there = at.sit(mine, match), at.sit(at.same(mine, 1), match)
    old, text = there.state()["version"], some_order(there)
    assert here.give(some_order(here))["ok"]
    late = there.ask("order", action="late-order", version=old, text=text)
    assert late["ok"] is False
    assert late["code"] == "stale"
    until(there, "state", lambda m: m["version"] == here.state()["version"])
    assert there.give(some_order(there))["ok"]


def test_an_action_repeated_at_the_other_server_counts_once(at, both):
    mine = at.guest(0)
    match = mine.begin(german="me", soviet="me")["id"]
    here, there = at.sit(mine, match), at.sit(at.same(mine, 1), match)
    version, text = here.state()["version"], some_order(here)
    assert here.ask("order", action="the-same-one", version=version, text=text)["version"] == version + 1
    assert there.ask("order", action="the-same-one", version=version, text=text)["ok"]
    until(there, "state", lambda m: m["version"] == version + 1)
    assert there.ask("order", action="the-same-one", version=version, text=text)["again"]
    assert [row[2] for row in both[0].store.now(Ledger.events, match)].count(text) == 1


def test_presence_talk_names_and_offers_cross_over(at):
    one, two = at.guest(0), at.guest(1)
    made = one.begin(german="me", soviet="open")
    here = at.sit(one, made["id"])
    seat = made["invites"]["soviet"].split("seat=")[1]
    assert two.post(f"/api/matches/{made['id']}/sit", token=seat, name="Vera").json()["side"] == "soviet"
    until(here, "people", lambda m: m["seats"][1]["taken"] and m["seats"][1]["name"] == "Vera")
    there = at.sit(two, made["id"])
    until(here, "people", lambda m: m["seats"][1]["here"])
    until(there, "people", lambda m: m["seats"][0]["here"])
    watcher = at.sit(at.guest(1), made["id"])
    until(here, "people", lambda m: m["watching"] == 1)
    watcher.close()
    until(here, "people", lambda m: m["watching"] == 0)
    assert there.ask("say", text="Hello over there")["ok"]
    assert here.hear("talk")["line"]["text"] == "Hello over there"
    assert there.ask("peace", offer=True)["ok"]
    until(here, "state", lambda m: m["peace"] == ["soviet"])
    mover = {"german": here, "soviet": there}[here.state()["to_move"]]
    other = there if mover is here else here
    assert mover.give(some_order(mover))["ok"]
    until(other, "state", lambda m: m["version"] == mover.state()["version"] and m["peace"] == [])
    asked = mover.state()["n"] - 1
    assert mover.ask("askback", to=asked)["ok"]
    until(other, "state", lambda m: (m["takeback"] or {}).get("to") == asked)
    assert mover.ask("answerback", action="not-mine-to-say", accept=True)["code"] == "undo"
    assert other.ask("answerback", action="very-well-then", accept=True)["ok"]
    until(mover, "state", lambda m: m["n"] == asked and m["takeback"] is None)


def test_one_of_them_thinks_and_the_other_takes_over(at, both):
    mine = at.guest(0)
    match = mine.begin(german="random", soviet="random")["id"]
    here, there = at.sit(mine, match), at.sit(at.same(mine, 1), match)
    here.ask("pace", wait=100)
    until(there, "state", lambda m: m["n"] > 3, 30)
    rooms = [server.lobby.rooms[match] for server in both]
    thinking = [room for room in rooms if room.computer.thinking]
    assert len(thinking) == 1
    leaving, staying = (here, there) if thinking[0] is rooms[0] else (there, here)
    leaving.close()
    n = staying.state()["n"]
    until(staying, "state", lambda m: m["n"] > n + 3, 30)
    events = both[0].store.now(Ledger.events, match)
    assert [row[0] for row in events] == list(range(1, len(events) + 1))


def test_a_match_thrown_away_is_gone_everywhere(at):
    mine = at.guest(0)
    match = mine.begin(german="me", soviet="me")["id"]
    there = at.sit(at.same(mine, 1), match)
    assert mine.http.delete(f"/api/matches/{match}").status_code == 200
    assert there.hear("error")["code"] == "unknown"


def test_a_device_let_go_at_one_is_unknown_at_the_other(at):
    mine = at.guest(0)
    mine.begin(german="me", soviet="me")
    there = at.same(mine, 1)
    assert len(there.http.get("/api/matches").json()["matches"]) == 1
    assert mine.http.post("/api/sign-out").status_code == 200
    end = time.monotonic() + 10
    while there.http.get("/api/matches").json()["matches"]:
        assert time.monotonic() < end
        time.sleep(0.1)


def test_a_table_that_nobody_watches_is_up_to_date_for_whoever_comes(at, both):
    """What the other process does is not followed where nobody looks, and is there for the first who asks."""
    mine = at.guest(0)
    match = mine.begin(german="me", soviet="me")["id"]
    assert mine.http.get(f"/api/matches/{match}/record").status_code == 200  # the first has it in memory
    other = at.same(mine, 1)
    there = at.sit(other, match)
    for _ in range(2):
        assert there.give(some_order(there))["ok"]
    state = there.state()
    here = at.sit(mine, match)
    assert (here.state()["version"], here.state()["table"]) == (state["version"], state["table"])
    here.close()
    assert there.give(some_order(there))["ok"]
    record = mine.http.get(f"/api/matches/{match}/record").text
    assert record == other.http.get(f"/api/matches/{match}/record").text
    assert other.http.delete(f"/api/matches/{match}").status_code == 200
    end = time.monotonic() + 10
    while mine.http.get(f"/api/matches/{match}/record").status_code != 404:
        assert time.monotonic() < end, "a match that was thrown away is still there"
        time.sleep(0.05)


@pytest.mark.parametrize("words", ["", "not json", "[]", "17", '{"match": 3}', '{"kind": "turn", "match": "none"}'])
def test_words_that_nobody_understands_do_not_keep_a_server_from_hearing(at, both, words):
    """Whoever may write into the database may also say anything on its channel."""
    mine = at.guest(0)
    match = mine.begin(german="me", soviet="me")["id"]
    here, there = at.sit(mine, match), at.sit(at.same(mine, 1), match)
    with psycopg.connect(both[0].store.where, autocommit=True) as other:
        other.execute("SELECT pg_notify('ladoga', %s)", (words,))
    assert here.give(some_order(here))["ok"]
    until(there, "state", lambda m: m["version"] == here.state()["version"])
