"""What is kept beside the matches, and people who are told elsewhere that it is their turn."""

import asyncio
import json
import threading
import time
from contextlib import ExitStack, closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from ladoga.server.hooks import SIGNED, Message, Messenger, checked, public, send, signature
from ladoga.server.refused import Refused
from ladoga.server.store import Ledger, memos, open_store
from ladoga.server.store.memos import Hook

from .serving import Guest, Running, Table

SEATS = {"german": "me", "soviet": "open"}


@pytest.fixture
def serve():
    """Servers, people who come to them and tables they sit at, all of them gone afterwards."""
    open_ = ExitStack()

    class Ways:
        def server(self, path, **wishes):
            server = Running(path, **wishes)
            open_.callback(server.stop)
            return server

        def guest(self, server, same=None):
            guest = open_.enter_context(closing(Guest(server)))
            if same is not None:
                guest.http.cookies.clear()
                guest.http.cookies.set("ladoga", same.http.cookies["ladoga"])
            return guest

        def sit(self, guest, match):
            return open_.enter_context(closing(Table(guest, match)))

    with open_:
        yield Ways()


def test_set_ups_are_a_persons_own_and_the_oldest_goes(store, monkeypatch):
    monkeypatch.setattr(memos, "SETUPS", 2)
    me, other = (store.now(Ledger.welcome, name) for name in ("me", "other"))
    for name in ("first", "second", "third"):
        store.now(memos.keep_setup, me, "a-game", "german", name, [f"place 1 {name}"])
        time.sleep(0.002)
    assert store.now(memos.setups, me, "a-game", "german") == {
        "third": ["place 1 third"], "second": ["place 1 second"],
    }  # fmt: skip
    store.now(memos.keep_setup, me, "a-game", "german", "second", ["place 2"])
    assert store.now(memos.setups, me, "a-game", "german")["second"] == ["place 2"]
    assert store.now(memos.setups, other, "a-game", "german") == {}
    assert store.now(memos.setups, me, "a-game", "soviet") == {}
    assert store.now(memos.drop_setup, me, "a-game", "german", "second")
    assert not store.now(memos.drop_setup, me, "a-game", "german", "second")


def test_where_somebody_is_told_has_a_fresh_secret_each_time(store):
    me = store.now(Ledger.welcome, "me")
    first = store.now(memos.set_hook, me, "https://one.example")
    second = store.now(memos.set_hook, me, "https://two.example")
    assert first.secret != second.secret
    assert store.now(memos.hook, me) == second
    assert store.now(memos.set_hook, me, "") is None
    assert store.now(memos.hook, me) is None


def test_two_servers_show_the_same_invitations_and_reasons(cluster, serve):
    address = cluster.fresh()
    servers = [serve.server(address), serve.server(address)]
    host, guest = map(serve.guest, servers)
    host.post("/api/name", name="Anna")
    made = host.post("/api/matches", game="leningrad-1979", seats=SEATS, public=True, clock="days", time=3).json()
    (found,) = guest.http.get("/api/invitations").json()["invitations"]
    assert (found["match"], found["side"], found["host"], found["clock"]) == (
        made["id"], "soviet", "Anna", "3 days a turn",
    )  # fmt: skip
    assert host.http.get("/api/invitations").json()["invitations"] == []
    token = found["link"].partition("seat=")[2]
    assert guest.post(f"/api/matches/{made['id']}/sit", token=token).json() == {"side": "soviet"}
    for server in servers:
        assert serve.guest(server).http.get("/api/invitations").json()["invitations"] == []
    store = servers[0].store
    seqs = store.now(Ledger.add, made["id"], "an-action", store.now(Ledger.revision, made["id"]),
                     [("soviet", "place i13 1809")], None, None, "to hold the road")  # fmt: skip
    assert servers[1].store.now(memos.reasons, made["id"]) == {seqs[0]: "to hold the road"}


def test_a_reason_outlives_the_server(tmp_path, serve):
    server = serve.server(tmp_path / "matches.db")
    guest = serve.guest(server)
    made = guest.begin("tijvin-1941", german="staff", soviet="staff")
    table = serve.sit(guest, made["id"])
    table.ask("pace", wait=0)
    told, end = [], time.monotonic() + 60
    while not told:
        assert time.monotonic() < end, "no computer ever says why"
        table.drain()
        told = [(entry["n"], entry["reason"]) for entry in table.ask("log", n=0)["log"] if entry.get("reason")]
    server.stop()
    again = serve.guest(serve.server(tmp_path / "matches.db"), same=guest)
    table = serve.sit(again, made["id"])
    table.hear("state")
    entries = {entry["n"]: entry.get("reason") for entry in table.ask("log", n=0)["log"]}
    assert all(entries[n] == reason for n, reason in told)


def test_the_guide_remembers_a_seat_on_any_device(guest, another):
    made = guest.begin("leningrad-1979", german="me", soviet="staff")
    path = f"/api/matches/{made['id']}/guide"
    assert guest.http.get(path).json() == {"seats": {}}
    assert guest.post(path, done=["one", "two"], left=True).status_code == 200
    other = another()
    key = guest.post("/api/devices/link").json()["link"].rpartition("/")[2]
    assert other.post("/api/devices/join", key=key).status_code == 200
    (kept,) = other.http.get(path).json()["seats"].values()
    assert kept == {"done": ["one", "two"], "left": True}
    assert another().http.get(path).status_code == 400


def test_a_set_up_is_kept_and_laid_again(guest, sit):
    made = guest.begin("leningrad-1979", german="me", soviet="me")
    path = f"/api/matches/{made['id']}/setups"
    table = sit(guest, made["id"])
    table.hear("state")
    assert guest.post(path, name="early").json()["message"] == "nothing has been placed yet"
    for _ in range(2):
        unit = next(iter(table.state()["offers"]["units"]))
        table.give(table.ask("of", units=[unit])["orders"][3]["text"])
    assert guest.post(path, name=" forward ").json() == {"ok": True, "placed": 2}
    kept = guest.http.get(path).json()
    assert (kept["side"], kept["placed"], len(kept["kept"]["forward"])) == ("soviet", 2, 2)
    later = guest.begin("leningrad-1979", german="me", soviet="me")
    again = sit(guest, later["id"])
    again.hear("state")
    for order in guest.http.get(f"/api/matches/{later['id']}/setups").json()["kept"]["forward"]:
        assert again.give(order)["ok"]
    assert guest.post(f"{path}/drop", name="forward").status_code == 200
    assert guest.http.get(path).json()["kept"] == {}


# Messages -------------------------------------------------------------------------------------------


class Post(ThreadingHTTPServer):
    """Somebody who is told."""

    def __init__(self, statuses=()):
        self.heard, self.statuses = [], list(statuses)
        post = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                post.heard.append((dict(self.headers), body))
                self.send_response(post.statuses.pop(0) if post.statuses else 204)
                self.end_headers()

            def log_message(self, *_):
                pass

        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}/told?by=ladoga"

    def wait(self, count):
        end = time.monotonic() + 10
        while len(self.heard) < count:
            assert time.monotonic() < end, f"heard {len(self.heard)} of {count}"
            time.sleep(0.02)
        return [json.loads(body) for _, body in self.heard]


@contextmanager
def listening(statuses=()):
    post = Post(statuses)
    thread = threading.Thread(target=post.serve_forever, daemon=True)
    thread.start()
    yield post
    post.shutdown()
    post.server_close()


def test_whoever_is_away_is_told_and_can_check_who_says_so(tmp_path, serve):
    with listening() as mine, listening() as operators:
        server = serve.server(tmp_path / "m.db", inside=True, webhook=Hook(operators.url, "of the operator"))
        host, guest = serve.guest(server), serve.guest(server)
        secret = guest.post("/api/notices", url=mine.url).json()["secret"]
        made = host.begin("leningrad-1979", german="open", soviet="me")
        token = made["invites"]["german"].partition("seat=")[2]
        guest.post(f"/api/matches/{made['id']}/sit", token=token, name="Karl")
        table = serve.sit(host, made["id"])
        table.hear("state")
        while table.state()["to_move"] == "soviet":
            units = table.state()["offers"]["units"]
            text = table.ask("of", units=[next(iter(units))])["orders"][0]["text"] if units else "end"
            assert table.give(text)["ok"]
        (told,) = mine.wait(1)
        assert (told["event"], told["side"], told["match"]) == ("turn", "german", made["id"])
        assert told["url"].endswith(f"/g/{made['id']}")
        headers, body = mine.heard[0]
        assert headers[SIGNED] == signature(secret, headers["X-Ladoga-Time"], body)
        assert headers[SIGNED] != signature("another", headers["X-Ladoga-Time"], body)
        assert operators.wait(1)[0]["name"] == "Karl"
        assert table.ask("resign")["ok"]
        assert mine.wait(2)[1]["event"] == "over"
        assert guest.post("/api/notices/try").json() == {"status": 204}


def test_nobody_is_told_who_sits_at_the_table(tmp_path, serve):
    with listening() as mine:
        host = serve.guest(serve.server(tmp_path / "m.db", inside=True))
        host.post("/api/notices", url=mine.url)
        made = host.begin("leningrad-1979", german="me", soviet="staff")
        table = serve.sit(host, made["id"])
        while table.hear("state", timeout=60)["to_move"] != "german":
            pass
        time.sleep(0.3)
        assert mine.heard == []


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1:9/", "http://localhost/", "https://[::1]/", "http://10.0.0.8/", "http://169.254.169.254/latest",
     "http://0.0.0.0/", "http://2130706433/", "http://[::ffff:127.0.0.1]/"],
)  # fmt: skip
def test_an_address_inside_is_refused(guest, url):
    answer = guest.post("/api/notices", url=url)
    assert answer.status_code == 400
    assert "own network" in answer.json()["message"]
    assert guest.http.get("/api/notices").json()["url"] == ""
    with pytest.raises(Refused):
        send(Message(Hook(url, "x"), {}))


def test_a_name_that_means_something_else_later_is_looked_up_again(monkeypatch):
    def elsewhere(*_, **__):
        return [(2, 1, 6, "", ("93.184.216.34", 80)), (2, 1, 6, "", ("192.168.7.7", 80))]

    monkeypatch.setattr("ladoga.server.hooks.socket.getaddrinfo", elsewhere)
    with pytest.raises(Refused, match="own network"):
        send(Message(Hook("http://games.example/", "x"), {}))


@pytest.mark.parametrize(
    "url",
    ["ftp://a.example/", "https://", "https://me:word@a.example/", "http://a:99999/", "x", "https://a.example/é",
     "https://a.example/?q=é", "https://a.example/a b", "https://a.example/\x7f"],
)  # fmt: skip
def test_what_is_no_address_is_refused(url):
    with pytest.raises(Refused):
        checked(url)
    assert checked("  ") == ""
    assert not public("224.0.0.1")


def test_tries_are_bounded_and_a_full_queue_waits_for_nobody(tmp_path):
    tried = []

    def sent(message):
        tried.append(message)
        return 503

    store = open_store(tmp_path / "m.db")
    messenger = Messenger(store, "", Hook("http://a.example", "x"), sent=sent, pauses=(0, 0, 0))
    asyncio.run(messenger._tried(Message(Hook("http://a.example", "x"), {})))
    assert len(tried) == 3
    assert messenger.dropped == 1
    store.close()


def test_addresses_that_never_answer_keep_nobody_else_waiting(tmp_path):
    """Thirty are silent; somebody who answered before is told at once."""
    store, silence, told = open_store(tmp_path / "m.db"), threading.Event(), []

    def sent(message):
        if "silent" in message.hook.url:
            silence.wait(20)
            raise TimeoutError
        told.append(message.hook.url)
        return 204

    async def play():
        messenger = Messenger(store, sent=sent, pauses=(0,))
        good = Message(Hook("http://good.example", "x"), {})
        await messenger._tried(good)
        silent = [Message(Hook(f"http://silent-{n}.example", "x"), {}) for n in range(30)]
        waiting = [asyncio.create_task(messenger._tried(one)) for one in silent]
        await asyncio.sleep(0.05)
        await asyncio.wait_for(messenger._tried(good), 5)
        silence.set()
        await asyncio.gather(*waiting)
        return messenger.dropped

    assert asyncio.run(play()) == 30
    assert told == ["http://good.example"] * 2
    store.close()
