"""What a store promises, held by both kinds: SQLite's file and PostgreSQL."""

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from ladoga.kernel.errors import BadData
from ladoga.server.store import Behind, Doubled, Gone, Kept, Ledger, hashed, open_store, postgres
from ladoga.server.store.memos import reasons

GAME = "leningrad-1979"


def kept(match="m", **more):
    return Kept(match, GAME, "match", "campaign", {"fog": True}, None, b"seed\0", "0", 5.0, None, **more)


@pytest.fixture
def match(store):
    store.now(Ledger.create, kept(), [("german", "", None, ""), ("soviet", "staff", None, "")], [("chance", "die 1")])
    return "m"


def texts(store, match="m"):
    return [row[2] for row in store.now(Ledger.events, match)]


def test_a_match_comes_back_as_it_was_kept(store, match):
    ended = kept("n", overlay={"map.yaml": {"hexes": {}}}, clock={"kind": "days"}, known=True)
    store.now(Ledger.create, ended, [])
    assert store.now(Ledger.match, "m") == kept()
    assert store.now(Ledger.match, "n") == ended
    assert store.now(Ledger.match, "none") is None
    assert [(s.side, s.player, s.invited) for s in store.now(Ledger.seats, "m")] == [
        ("german", "", False), ("soviet", "staff", False),
    ]  # fmt: skip


def test_an_action_counts_once(store, match):
    assert store.now(Ledger.add, match, "action-1", 0, [("soviet", "a"), ("chance", "b")]) == [2, 3]
    for revision in (0, 1):
        with pytest.raises(Doubled):
            store.now(Ledger.add, match, "action-1", revision, [("soviet", "a")])
    store.now(Ledger.undo, match, "action-2", 1, 3)
    assert texts(store) == ["die 1", "a"]
    assert store.now(Ledger.add, match, "action-3", 2, [("soviet", "c")]) == [4]
    assert texts(store) == ["die 1", "a", "c"]


@pytest.mark.parametrize("others", [0, 3])
def test_all_that_an_action_brings_about_is_written_with_it_alone_or_with_others(store, match, others):
    held, go = threading.Event(), threading.Event()
    names = [f"other-{number}" for number in range(others)]
    for name in names:
        store.now(Ledger.create, kept(name), [])

    def slow(ledger):
        held.set()
        go.wait(5)

    store.now(Ledger.offer, match, 0, lambda _: {"peace": ["german"]})
    first = store.submit(slow)
    held.wait(5)
    events, outcome, clock = [("soviet", "a 'b' \"c\" –"), ("chance", "die 6")], {"winner": "soviet"}, {"kind": "days"}
    writing = store.submit(Ledger.add, match, "action-1", 0, events, outcome, clock, "it had to be")
    beside = [store.submit(Ledger.add, name, "action-1", 0, [("german", name)]) for name in names]
    go.set()
    first.result(5)
    assert writing.result(5) == [2, 3]
    assert [future.result(5) for future in beside] == [[1]] * others
    assert [row[1:3] for row in store.now(Ledger.events, match)] == [("chance", "die 1"), *events]
    now = store.now(Ledger.match, match)
    assert (now.revision, now.ended, now.clock, now.offers) == (1, outcome, clock, {})
    assert store.now(reasons, match) == {2: "it had to be"}
    assert store.now(Ledger.add, match, "action-2", 1, [("soviet", "d")]) == [4]
    now = store.now(Ledger.match, match)
    assert (now.ended, now.clock) == (outcome, clock)
    assert store.now(reasons, match) == {2: "it had to be"}


def test_what_was_not_written_for_the_last_event_is_refused(where, store, match):
    other = open_store(where)
    try:
        store.now(Ledger.add, match, "action-1", 0, [("soviet", "a")])
        with pytest.raises(Behind):
            other.now(Ledger.add, match, "action-2", 0, [("soviet", "b")])
        with pytest.raises(Behind):
            other.now(Ledger.undo, match, "action-3", 0, 1)
        with pytest.raises(Behind):
            other.now(Ledger.end, match, "action-4", 0, {"winner": "soviet"})
        with pytest.raises(Behind):
            other.now(Ledger.offer, match, 0, lambda offers: offers)
        other.now(Ledger.add, match, "action-2", 1, [("soviet", "b")])
        store.now(Ledger.undo, match, "action-5", 2, 3)
        with pytest.raises(Behind):
            other.now(Ledger.add, match, "action-6", 2, [("soviet", "c")])
        assert texts(store) == texts(other) == ["die 1", "a"]
        assert other.now(Ledger.later, match, 3) == (2, [])
    finally:
        other.close()


def test_orders_are_written_whatever_was_refused_before(store, match):
    """However often and however long the database has been asked for other things."""
    for n in range(4):
        assert store.now(Ledger.add, match, f"action-{n}", n, [("soviet", "a")]) == [n + 2]
        for word in range(8):
            store.now(Ledger.say, match, f"say-{n}-{word}", "German", "Hm.")
        with pytest.raises(Behind):
            store.now(Ledger.undo, match, f"undo-{n}", 77, 2)
        with pytest.raises(Behind):
            store.now(Ledger.add, match, f"late-{n}", 77, [("soviet", "never")])
    assert texts(store) == ["die 1", *"aaaa"]


def test_of_many_writers_one_wins_each_revision(where, store, match):
    """Two stores with many threads each: every revision is written by exactly one of them, and nothing is lost."""
    stores = [store, open_store(where)]
    won, doors = [], threading.Barrier(8)

    def write(number):
        mine = stores[number % 2]
        doors.wait()
        for revision in range(20):
            try:
                text = f"{number}-{revision}"
                mine.now(Ledger.add, match, f"action-{text}", revision, [("soviet", text)])
                won.append(text)
            except Behind:
                pass

    with ThreadPoolExecutor(8) as crowd:
        list(crowd.map(write, range(8)))
    stores[1].close()
    assert texts(store)[1:] == sorted(won, key=lambda text: int(text.split("-")[1]))
    assert len(won) == store.now(Ledger.match, match).revision > 0


def test_writes_that_wait_together_are_committed_together(store):
    commits, held, go = [], threading.Event(), threading.Event()
    store.committed = lambda writes, _: commits.append(writes)
    for name in "abcd":
        store.now(Ledger.create, kept(name), [])
    commits.clear()

    def slow(ledger):
        held.set()
        go.wait(5)

    first = store.submit(slow)
    held.wait(5)
    waiting = [store.submit(Ledger.add, name, f"action-{name}", 0, [("soviet", name)]) for name in "dcba"]
    late = store.submit(Ledger.add, "b", "action-late", 0, [("soviet", "late")])
    go.set()
    first.result(5)
    assert [future.result(5) for future in waiting] == [[1]] * 4
    with pytest.raises(Behind):
        late.result(5)
    assert commits == [1, 5]
    assert texts(store, "b") == ["b"]


def test_a_failure_among_writes_that_go_together_spoils_no_other(store):
    store.now(Ledger.create, kept(), [])
    held, go = threading.Event(), threading.Event()

    def slow(ledger):
        held.set()
        go.wait(5)

    def broken(ledger):
        ledger._run("INSERT INTO nowhere VALUES (1)")

    first = store.submit(slow)
    held.wait(5)
    bad, good = store.submit(broken), store.submit(Ledger.add, "m", "action-1", 0, [("soviet", "a")])
    go.set()
    assert good.result(5) == [1]
    with pytest.raises(Exception, match="nowhere"):
        bad.result(5)
    assert first.result(5) is None
    assert texts(store) == ["a"]


def test_what_is_gone_is_gone(store, match):
    store.now(Ledger.say, match, "say-1", "German", "Hello")
    store.now(Ledger.forget, match)
    for deed in (
        lambda: store.now(Ledger.add, match, "action-1", 0, [("soviet", "a")]),
        lambda: store.now(Ledger.say, match, "say-2", "German", "?"),
        lambda: store.now(Ledger.offer, match, 0, lambda offers: offers),
    ):
        with pytest.raises(Gone):
            deed()
    assert store.now(Ledger.match, match) is None


def test_offers_stand_until_something_happens(store, match):
    store.now(Ledger.offer, match, 0, lambda offers: {**offers, "peace": ["german"]})
    assert store.now(Ledger.offer, match, 0, lambda o: {**o, "undo": {"to": 1}})["peace"] == ["german"]
    store.now(Ledger.add, match, "action-1", 0, [("soviet", "a")], None, {"kind": "days"})
    assert store.now(Ledger.match, match).offers == {}
    assert store.now(Ledger.match, match).clock == {"kind": "days"}


def test_orders_are_taken_back_as_asked_only_while_somebody_asks(store, match):
    asked = {"side": "german", "to": 0}
    store.now(Ledger.offer, match, 0, lambda offers: {**offers, "undo": asked})
    store.now(Ledger.offer, match, 0, lambda _: {})
    with pytest.raises(Behind):
        store.now(Ledger.undo, match, "action-1", 0, 1, None, asked)
    store.now(Ledger.offer, match, 0, lambda offers: {**offers, "undo": {"side": "german", "to": 1}})
    with pytest.raises(Behind):
        store.now(Ledger.undo, match, "action-1", 0, 1, None, asked)
    assert texts(store) == ["die 1"]
    assert store.now(Ledger.match, match).revision == 0
    store.now(Ledger.offer, match, 0, lambda offers: {**offers, "undo": asked})
    store.now(Ledger.undo, match, "action-1", 0, 1, None, asked)
    assert texts(store) == []
    with pytest.raises(Doubled):
        store.now(Ledger.undo, match, "action-1", 1, 1, None, asked)


def test_people_have_devices_and_keys_that_work_once(store):
    person = store.now(Ledger.welcome, "first", "Firefox")
    assert store.now(Ledger.welcome, "first") == person == store.now(Ledger.person, "first")
    store.now(Ledger.grant, person, "device", "key", 60)
    assert store.now(Ledger.admit, "other", "second", "phone") is None
    assert store.now(Ledger.admit, "key", "second", "phone") == person
    assert store.now(Ledger.admit, "key", "third", "thief") is None
    store.now(Ledger.grant, person, "device", "old", -1)
    assert store.now(Ledger.admit, "old", "third", "late") is None
    store.now(Ledger.grant, person, "recovery", "one", 60), store.now(Ledger.grant, person, "recovery", "two", 60)
    assert store.now(Ledger.admit, "one", "third", "") is None
    devices = store.now(Ledger.devices, person)
    assert {d.label for d in devices} == {"Firefox", "phone"}
    phone = next(d.id for d in devices if d.label == "phone")
    assert not store.now(Ledger.revoke, person + 1, phone)
    assert store.now(Ledger.revoke, person, phone)
    assert store.now(Ledger.person, "second") is None
    assert store.now(Ledger.person, "first") == person


def test_a_seat_is_taken_once(store):
    store.now(Ledger.create, kept(), [("german", "", None, hashed("come")), ("soviet", "", None, "")])
    one, two = store.now(Ledger.welcome, "one"), store.now(Ledger.welcome, "two")
    assert store.now(Ledger.sit, "m", "come", one) == "german"
    assert store.now(Ledger.sit, "m", "come", two) is None
    assert store.now(Ledger.sit, "m", "", two) is None
    assert [m.id for m in store.now(Ledger.matches_of, one)] == ["m"]


def test_one_process_thinks_for_a_match_as_long_as_it_lives(store, match):
    store.now(Ledger.alive, "one", 60)
    store.now(Ledger.alive, "two", 60)
    assert store.now(Ledger.claim, match, "one")
    assert store.now(Ledger.claim, match, "one")
    assert not store.now(Ledger.claim, match, "two")
    store.now(Ledger.alive, "one", -1)
    assert store.now(Ledger.claim, match, "two")
    assert not store.now(Ledger.claim, match, "one")
    store.now(Ledger.release, match, "two")
    assert store.now(Ledger.claim, match, "one")
    assert not store.now(Ledger.claim, "gone", "one")


def test_everything_is_there_after_it_is_opened_again(where, store, match):
    store.now(Ledger.add, match, "action-1", 0, [("soviet", "a")], {"winner": "soviet"})
    store.close()
    again = open_store(where)
    try:
        assert texts(again) == ["die 1", "a"]
        assert again.now(Ledger.match, match).ended == {"winner": "soviet"}
        assert again.check() == again.quick_check() == []
    finally:
        again.close()


def test_what_is_read_together_is_of_one_moment(where, store, match):
    """While a match is read, another writer adds to it: the reader sees all of it or nothing."""
    other = open_store(where)

    def slowly(ledger):
        before = ledger.match(match).revision
        other.now(Ledger.add, match, "action-meanwhile", before, [("soviet", "meanwhile")])
        return before, [row[2] for row in ledger.events(match)], ledger.match(match).revision

    try:
        assert asyncio.run(store.read(slowly)) == (0, ["die 1"], 0)
        assert texts(store) == ["die 1", "meanwhile"]
    finally:
        other.close()


def test_the_other_process_is_told_of_what_was_written(cluster):
    where = cluster.fresh()
    one, two = open_store(where), open_store(where)
    heard, done = [], threading.Event()

    def hear(note):
        heard.append(note)
        if note["kind"] == "talk":
            done.set()

    try:
        two.heard = hear
        one.heard = lambda _: heard.append("my own")
        one.now(Ledger.create, kept(), [])
        with pytest.raises(Behind):
            one.now(Ledger.add, "m", "action-0", 7, [("soviet", "never")])
        one.now(Ledger.add, "m", "action-1", 0, [("soviet", "a")])
        one.now(Ledger.say, "m", "say-1", "German", "Hello")
        assert done.wait(10)
        assert [(n["match"], n["kind"]) for n in heard] == [("m", "turn"), ("m", "talk")]
        assert heard[0]["revision"] == 1
    finally:
        one.close(), two.close()


def test_a_database_that_only_reads_for_a_while_is_waited_for(cluster, caplog):
    """As one that stands in for another until it is made the one that writes."""
    where = cluster.fresh()
    store = open_store(where)
    name = psycopg.conninfo.conninfo_to_dict(where)["dbname"]
    others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()"
    try:
        store.now(Ledger.create, kept(), [])
        with psycopg.connect(where, autocommit=True, options="-c default_transaction_read_only=off") as database:
            database.execute(f'ALTER DATABASE "{name}" SET default_transaction_read_only = on')
            database.execute(others, (name,))
            writing = store.submit(Ledger.add, "m", "action-1", 0, [("soviet", "a")])
            with pytest.raises(TimeoutError):
                writing.result(2)
            database.execute(f'ALTER DATABASE "{name}" RESET default_transaction_read_only')
        assert sum("nothing can be written" in record.getMessage() for record in caplog.records) == 1
        assert writing.result(30) == [1]
    finally:
        store.close()


def test_everybody_who_uses_a_database_has_its_time(cluster, monkeypatch):
    """Whatever the clocks of their own machines say."""
    where = cluster.fresh()
    with monkeypatch.context() as wrong:
        wrong.setattr(time, "time", lambda: 5.0)
        one, two = open_store(where), open_store(where)
        try:
            one.now(Ledger.create, kept(), [])
            one.now(Ledger.add, "m", "action-1", 0, [("soviet", "a")])
            two.now(Ledger.add, "m", "action-2", 1, [("german", "b")])
            at = [one.time(), two.time(), one.now(Ledger.time)]
            theirs = one.now(lambda ledger: ledger._rows("SELECT extract(epoch FROM clock_timestamp())")[0][0])
            at += [row[3] for row in one.now(Ledger.events, "m")]
        finally:
            one.close(), two.close()
    assert len(at) == 5
    assert all(abs(said - float(theirs)) < 30 for said in at)


def test_a_database_is_asked_for_the_time_now_and_then_and_not_for_an_order(cluster, monkeypatch):
    asked, ask = [], postgres.Timepiece.set
    monkeypatch.setattr(postgres.Timepiece, "set", lambda self, line: asked.append(1) or ask(self, line))
    store = open_store(cluster.fresh())
    try:
        store.now(Ledger.create, kept(), [])
        before = len(asked)
        for revision in range(20):
            store.now(Ledger.add, "m", f"action-{revision}", revision, [("soviet", "a")])
        assert len(asked) - before <= 1  # while nothing came from others
        right = store.time()
        store._timepiece._ahead -= 3600
        store._timepiece._asked -= postgres.SET_AGAIN
        end = time.monotonic() + 30
        while store.time() < right:
            assert time.monotonic() < end
            store.now(Ledger.tell, "m", "nothing")
            time.sleep(0.05)
    finally:
        store.close()


def test_a_database_that_is_not_there_is_told_in_a_line():
    with pytest.raises(BadData, match="cannot be kept there"):
        open_store("postgresql://nobody:secret@127.0.0.1:1/nothing")
