"""What comes to the door in any other way than a browser's: turned away in words, at once, and nobody else notices."""

import asyncio
import json
import logging
import socket
import time

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from ladoga.server import gate, protocol, showing
from ladoga.server.gate import Gate, Pulse, Trusted, household
from ladoga.server.limits import Buckets, Turns
from ladoga.server.metrics import Metrics

from .serving import Guest, Running, Table

GAME = "leningrad-1979"


def spoken(running, raw, timeout=10, source="127.0.0.1"):
    """What the server answers to bytes, until it closes the line or says no more."""
    with socket.create_connection(("127.0.0.1", running.port), timeout, (source, 0)) as line:
        line.sendall(raw)
        line.settimeout(timeout)
        heard = b""
        try:
            while part := line.recv(65536):
                heard += part
        except TimeoutError:
            return heard, False
        return heard, True


def request(path="/api/name", more="", body="", method="POST"):
    return f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{more}\r\n{body}".encode()


@pytest.mark.parametrize(
    "raw",
    [
        request(more="Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", body="0\r\n\r\n"),
        request(more="Transfer-Encoding: chunked\r\nContent-Length: 4\r\n", body="0\r\n\r\n"),
        request(more="Content-Length: 4\r\nContent-Length: 5\r\n", body="aaaaa"),
        request(more="Host: evil.example\r\n", method="GET", path="/"),
        request(path="/assets/%00", method="GET"),
        request(path="/assets/x%00.js", method="GET"),
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"x" * 70_000 + b": y\r\n\r\n",
        b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    ],
    ids=["cl-te", "te-cl", "cl-cl", "hosts", "nul", "nul-name", "no-host", "header-name", "path", "tls"],
)
def test_what_can_be_read_in_two_ways_or_never_ends_is_refused_and_the_line_closed(running, caplog, raw):
    with caplog.at_level(logging.ERROR):
        answer, closed = spoken(running, raw)
    assert closed
    assert answer.split(b" ")[1][:1] == b"4", answer[:200]
    assert b"Traceback" not in answer
    assert not caplog.records
    assert httpx.get(f"{running.url}/health/live").status_code == 200


UPGRADE = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"


@pytest.mark.parametrize(
    "more",
    [
        UPGRADE,
        UPGRADE + "Sec-WebSocket-Key: short\r\n",
        UPGRADE + "Sec-WebSocket-Key: \xff\xfe\r\n",
        UPGRADE.replace("13", "99") + "Sec-WebSocket-Key: c29tZXRoaW5nIHJhbmRvbQ==\r\n",
        UPGRADE + "Sec-WebSocket-Key: c29tZXRoaW5nIHJhbmRvbQ==\r\nSec-WebSocket-Extensions: ;;,=\r\n",
        UPGRADE + "Sec-WebSocket-Key: c29tZXRoaW5nIHJhbmRvbQ==\r\nSec-WebSocket-Key: b3RoZXIgYnl0ZXMgaGVyZQ==\r\n",
        UPGRADE.replace("Connection: Upgrade", "Connection: Upgrade, ,"),
    ],
    ids=["no key", "short key", "odd key", "edition", "extensions", "two keys", "words"],
)
def test_an_upgrade_that_nobody_understands_is_refused_and_the_line_closed(running, caplog, more):
    raw = request("/ws/none", more, method="GET")
    with caplog.at_level(logging.ERROR):
        answer, closed = spoken(running, raw)
    assert closed
    assert answer.startswith(b"HTTP/1.1 4"), answer[:200]
    assert not caplog.records


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "null", "//", "http://evil.example", "\xff\xfe"])
def test_whatever_says_that_it_comes_from_elsewhere_is_turned_away(running, caplog, origin):
    upgrade = f"{UPGRADE}Sec-WebSocket-Key: c29tZXRoaW5nIHJhbmRvbQ==\r\n"
    with caplog.at_level(logging.ERROR):
        for raw in (
            request("/api/name", f"Origin: {origin}\r\nConnection: close\r\nContent-Length: 2\r\n", "{}"),
            request("/ws/none", f"Origin: {origin}\r\n{upgrade}", method="GET"),
        ):
            answer, closed = spoken(running, raw)
            assert closed
            assert answer.startswith(b"HTTP/1.1 403 "), answer[:200]
    assert not caplog.records


def test_what_is_too_deep_to_be_read_is_refused(guest, another, sit, caplog):
    deep = "[" * 5000 + "]" * 5000
    with caplog.at_level(logging.ERROR):
        for body in (deep, '{"name": ' + deep + "}", '{"name": "x", "more": ' + deep + "}"):
            answer = guest.http.post("/api/name", content=body)
            assert (answer.status_code, answer.json()["code"]) == (400, "form")
        table = sit(guest, guest.begin(german="me", soviet="me")["id"])
        table.hear("state")
        for words in (deep, '{"t": "hex", "id": 1, "hex": ' + deep + "}"):
            table.ws.send(words)
            assert table.hear("error")["code"] == "form"
        assert table.ask("hex", hex="0101")["ok"]
    assert not caplog.records


def test_a_request_that_does_not_come_to_its_end_is_not_waited_for(running, monkeypatch):
    monkeypatch.setattr(protocol, "HEADERS_WITHIN", 0.4)
    began = time.monotonic()
    assert spoken(running, b"GET / HTTP/1.1\r\nHost: local") == (b"", True)
    assert spoken(running, b"") == (b"", True)
    assert time.monotonic() - began < 8


def test_one_too_many_is_told_to_come_again(running, monkeypatch):
    monkeypatch.setattr(protocol.Line, "most", 0)
    answer, closed = spoken(running, request(path="/", method="GET"))
    assert closed
    assert answer.startswith(b"HTTP/1.1 503 ")
    assert b"\r\nRetry-After: 5\r\n" in answer


GOOD_DAY = b"GET /api/games HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


def test_one_address_does_not_take_all_lines(running, monkeypatch):
    monkeypatch.setattr(protocol, "EACH", 3)
    lines = [socket.create_connection(("127.0.0.1", running.port), 10, ("127.0.0.7", 0)) for _ in range(3)]
    try:
        assert spoken(running, GOOD_DAY, source="127.0.0.7")[0].startswith(b"HTTP/1.1 503 ")
        assert spoken(running, GOOD_DAY, source="127.0.0.8")[0].startswith(b"HTTP/1.1 200 ")
        monkeypatch.setattr(protocol.Line, "trusted", Trusted(["127.0.0.7"]))
        assert spoken(running, GOOD_DAY, source="127.0.0.7")[0].startswith(b"HTTP/1.1 200 ")
    finally:
        for line in lines:
            line.close()
    monkeypatch.setattr(protocol.Line, "trusted", Trusted())
    while protocol.Line._from["127.0.0.7"]:
        time.sleep(0.01)
    assert spoken(running, GOOD_DAY, source="127.0.0.7")[0].startswith(b"HTTP/1.1 200 ")


def test_a_table_is_no_line_that_brings_requests(guest, sit, monkeypatch):
    match = guest.begin(german="me", soviet="me")["id"]
    monkeypatch.setattr(protocol, "EACH", protocol.Line._from["127.0.0.1"] + 1)
    for _ in range(3):
        assert sit(guest, match).hear("state")


def test_one_address_does_not_keep_everybody_from_being_answered(running, monkeypatch):
    """Requests that never come to their end wait for it, but only so many from one address."""
    monkeypatch.setattr(gate, "AT_ONCE_EACH", 3)
    slow = request("/api/open", f"Cookie: ladoga={'x' * 32}\r\nContent-Length: 100\r\n", "{")
    lines = [socket.create_connection(("127.0.0.1", running.port), 10, ("127.0.0.7", 0)) for _ in range(3)]
    try:
        for line in lines:
            line.sendall(slow)
        end = time.monotonic() + 10
        while not spoken(running, GOOD_DAY, source="127.0.0.7")[0].startswith(b"HTTP/1.1 429 "):
            assert time.monotonic() < end
        assert spoken(running, GOOD_DAY, source="127.0.0.8")[0].startswith(b"HTTP/1.1 200 ")
    finally:
        for line in lines:
            line.close()


def test_whoever_asks_for_much_and_takes_nothing_of_it_is_left(running, monkeypatch):
    monkeypatch.setattr(protocol, "TAKEN_WITHIN", 0.3)
    drawing = request(f"/api/games/{GAME}/map/main/classic.svg", method="GET")
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.settimeout(20)
        line.bind(("127.0.0.9", 0))
        line.connect(("127.0.0.1", running.port))
        line.sendall(drawing * 40)
        while not protocol.Line._from["127.0.0.9"]:
            time.sleep(0.01)
        end = time.monotonic() + 20
        while protocol.Line._from["127.0.0.9"]:
            assert time.monotonic() < end
            time.sleep(0.02)


def test_a_binary_frame_closes_its_own_line_without_a_failure(guest, another, sit, caplog):
    match = guest.begin(german="me", soviet="me")["id"]
    mine, other = sit(guest, match), sit(another(), match)
    mine.hear("state"), other.hear("state")
    with caplog.at_level(logging.WARNING):
        mine.ws.send(b"\x00\x01")
        with pytest.raises(ConnectionClosed) as closed:
            mine.hear("reply")
        assert closed.value.rcvd.code == 1003
        assert other.ask("log", n=0)["ok"]
    assert not caplog.records


@pytest.mark.parametrize("pieces", [[b"\xff\xfe"], [b'{"t": "\xc3', b'(", "id": 1}']], ids=["whole", "in pieces"])
def test_what_says_that_it_is_text_and_is_not_closes_its_own_line_without_a_failure(guest, sit, caplog, pieces):
    table = sit(guest, guest.begin(german="me", soviet="me")["id"])
    table.hear("state")
    with caplog.at_level(logging.WARNING):
        table.ws.send(iter(pieces) if len(pieces) > 1 else pieces[0], text=True)
        with pytest.raises(ConnectionClosed) as closed:
            table.hear("reply")
        assert closed.value.rcvd.code == 1003
    assert not caplog.records


def test_what_not_every_store_keeps_is_refused_by_all(where, caplog):
    server = Running(where)
    guest = Guest(server)
    try:
        match = guest.begin(german="me", soviet="me")["id"]
        table = Table(guest, match)
        version = table.hear("state")["version"]
        with caplog.at_level(logging.WARNING):
            for words in (
                {"t": "say", "text": "Hello\0"},
                {"t": "bookmark", "n": 0, "label": "\0"},
                {"t": "order", "action": "an-action\0", "version": version, "text": "end"},
            ):
                table.ws.send(json.dumps({"id": 1, **words}))
                assert table.hear("error")["code"] == "form"
            for path, body in (
                ("/api/name", {"name": "x\0"}),
                ("/api/open", {"text": "ladoga record 1\n\0"}),
                (f"/api/matches/{match}/setups", {"name": "\0"}),
            ):
                answer = guest.post(path, **body)
                assert (answer.status_code, answer.json()["code"]) == (400, "form")
        assert not caplog.records
        table.close()
    finally:
        guest.close()
        server.stop()


def test_endless_names_are_refused(guest):
    for path, body in (("/api/name", {"name": "x" * 65}), ("/api/matches", {"game": "x" * 65, "seats": {}})):
        answer = guest.post(path, **body)
        assert (answer.status_code, answer.json()["code"]) == (400, "form")


def test_pages_say_what_they_may_do(running, guest):
    headers = guest.http.get("/").headers
    assert "connect-src 'self';" in headers["content-security-policy"]
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert "camera=()" in headers["permissions-policy"]
    assert "server" not in headers
    assert "strict-transport-security" not in headers
    assert guest.http.get("/openapi.json").status_code == 404
    assert guest.http.get("/docs").status_code == 404


def test_behind_tls_cookies_and_pages_say_so(tmp_path):
    server = Running(tmp_path / "matches.db", secure=True, trusted=Trusted(["127.0.0.1"]))
    try:
        answer = httpx.get(server.url, headers={"X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.9"})
        assert answer.headers["strict-transport-security"].startswith("max-age=")
        assert "; Secure" in answer.headers["set-cookie"]
        assert "HttpOnly" in answer.headers["set-cookie"]
    finally:
        server.stop()


async def _nothing(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(scope["client"][0]).encode()})


@pytest.mark.parametrize(
    ("client", "forwarded", "seen"),
    [
        ("10.0.0.1", "203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "1.2.3.4, 203.0.113.9, 10.0.0.7", "203.0.113.9"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("198.51.100.2", "203.0.113.9", "198.51.100.2"),
    ],
)
def test_only_a_trusted_proxy_is_believed(client, forwarded, seen):
    inner = Gate(
        _nothing, names=gate.Names(), people=Buckets(9, 9), metrics=Metrics(), pulse=Pulse(Metrics()),
        trusted=Trusted(["10.0.0.0/8"]),
    )  # fmt: skip
    scope = {"type": "http", "client": (client, 5), "path": "/", "method": "GET"}
    inner._believe(scope, {b"x-forwarded-for": forwarded.encode()} if forwarded else {})
    assert scope["client"][0] == seen


def test_a_household_of_addresses_counts_as_one():
    one, two = ({"client": (f"2001:db8:1:2::{n}", 1)} for n in (1, 2))
    assert household(one) == household(two) == "2001:db8:1:2::/64"
    assert household({"client": ("203.0.113.9", 1)}) == "203.0.113.9"


def test_visitors_are_sent_away_before_everybody_waits(guest, sit, monkeypatch):
    match = guest.begin(german="me", soviet="me")["id"]
    table = sit(guest, match)
    table.hear("state")
    monkeypatch.setattr(gate, "AT_ONCE", 0)
    monkeypatch.setattr(gate, "SOCKETS", 0)
    answer = guest.http.get("/api/games")
    assert (answer.status_code, answer.headers["retry-after"], answer.json()["code"]) == (503, "2", "busy")
    with pytest.raises(Exception, match="503"):
        sit(guest, match)
    assert guest.http.get("/health/live").status_code == 200
    assert table.ask("log", n=0)["ok"], "whoever plays goes on"


def test_a_few_addresses_do_not_take_all_sockets():
    """The more are taken, the fewer an address may have; a newcomer finds one as long as there is any."""
    inner = Gate(_nothing, names=gate.Names(), people=Buckets(9999, 9), metrics=Metrics(), pulse=Pulse(Metrics()))
    headers = [(b"host", b"localhost")]
    scope = {"type": "websocket", "path": "/ws/any", "query_string": b"", "headers": headers}

    def take(address):
        taken = 0
        while inner._problem(scope, dict(headers), address) is None:
            inner.sockets[address] += 1
            taken += 1
        return taken

    taken = [take(f"203.0.113.{n}") for n in range(8)]
    assert taken[0] == gate.SOCKETS_EACH
    assert taken == sorted(taken, reverse=True)
    assert sum(taken) < gate.SOCKETS - gate.SOCKETS_ALWAYS
    assert take("198.51.100.1") >= gate.SOCKETS_ALWAYS


def test_a_page_view_writes_nothing(running):
    before = running.store.now(lambda ledger: ledger._rows("SELECT count(*) FROM people")[0][0])
    for path in ("/", "/rules/leningrad-1979", "/api/games", "/api/matches"):
        assert httpx.get(f"{running.url}{path}").status_code == 200
    assert running.store.now(lambda ledger: ledger._rows("SELECT count(*) FROM people")[0][0]) == before


def test_a_cookie_that_is_not_ours_makes_nobody(running):
    answer = httpx.post(f"{running.url}/api/name", json={"name": "x"}, cookies={"ladoga": "short"})
    assert (answer.status_code, answer.json()["code"]) == (400, "stranger")


def test_those_who_watch_neither_set_the_pace_nor_point_nor_mark_what_is_to_come(guest, another, sit):
    match = guest.begin(german="me", soviet="me")["id"]
    mine, other = sit(guest, match), sit(another(), match)
    mine.hear("state"), other.hear("state")
    assert other.ask("pace", wait=0)["code"] == "turn"
    assert other.ask("point", hex="1010")["code"] == "turn"
    assert mine.ask("point", hex="<b>boo</b>")["code"] == "unknown"
    assert mine.ask("point", hex="1010")["ok"]
    assert other.hear("point")["hex"] == "1010"
    assert mine.ask("bookmark", n=10_000, label="far")["code"] == "unknown"


def test_whoever_asks_for_much_waits_behind_their_own():
    """However much one address asks for at a time, the next one's question comes at once."""

    async def asked():
        turns, going, done = Turns(2), [], asyncio.Event()

        async def ask(who, n):
            async with turns.one(who):
                going.append((who, n))
                await done.wait()

        tasks = [asyncio.create_task(ask("greedy", n)) for n in range(50)]
        tasks.append(asyncio.create_task(ask("modest", 0)))
        for _ in range(5):
            await asyncio.sleep(0)
        assert going == [("greedy", 0), ("greedy", 1), ("modest", 0)]
        done.set()
        await asyncio.gather(*tasks)
        assert len(going) == 51
        assert not turns._gates, "nobody is remembered who has gone"

    asyncio.run(asked())


def test_an_overlay_is_worked_out_once_for_what_is_seen(guest, monkeypatch):
    table = Table(guest, guest.begin(german="me", soviet="me")["id"])
    table.hear("state")
    worked_out = []
    true = showing.layer
    monkeypatch.setattr(showing, "layer", lambda *values: worked_out.append(values) or true(*values))
    first = table.ask("layer", kind="zoc")
    assert table.ask("layer", kind="zoc")["layer"] == first["layer"]
    assert len(worked_out) == 1
    unit = next(iter(table.state()["offers"]["units"]))
    assert table.give(table.ask("of", units=[unit])["orders"][0]["text"])["ok"]
    assert table.ask("layer", kind="zoc")["ok"]
    assert len(worked_out) == 2
    table.close()


@pytest.mark.parametrize("folder", ["assets", "fonts", "g", "rules", "join"])
def test_an_address_longer_than_any_file_is_nowhere(guest, caplog, folder):
    with caplog.at_level(logging.ERROR):
        assert guest.http.get(f"/{folder}/{'a' * 300}.woff2").status_code in (200, 404)
    assert not caplog.records


def test_what_cannot_be_done_at_an_address_is_said_in_our_words(guest):
    answer = guest.http.put("/api/matches", json={})
    assert answer.status_code == 405
    assert answer.json() == {"code": "form", "message": "that cannot be done here", "case": ""}
    assert "GET" in answer.headers["allow"]
    answer = guest.http.delete("/api/devices/all")
    assert answer.status_code == 400
    assert answer.json() == {"code": "form", "message": "there is no such address", "case": ""}
