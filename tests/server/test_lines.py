"""What goes over the line of a table: packed once for everybody, as each browser can unpack it, and in order."""

import asyncio
import json
import logging
import socket
import time
from collections import Counter
from contextlib import contextmanager, suppress
from unittest.mock import Mock

import pytest
from uvicorn.protocols.utils import ClientDisconnected
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory
from websockets.frames import Frame, Opcode
from websockets.sync.client import connect

from ladoga.server import protocol, showing
from ladoga.server.company import Watcher
from ladoga.server.limits import Turns
from ladoga.server.routes import games
from ladoga.server.routes import socket as lines
from ladoga.server.slices import SLICE


def some_order(table):
    return table.ask("of", units=[next(iter(table.state()["offers"]["units"]))])["orders"][0]["text"]


def test_a_table_is_packed_once_for_all_who_see_the_same(guest, another, sit):
    match = guest.begin(german="me", soviet="me")["id"]
    table = sit(guest, match)
    watching = [sit(another(), match) for _ in range(4)]
    table.state()
    for watcher in watching:
        watcher.hear("state")
        watcher.drain()
    table.drain()
    text = some_order(table)
    table.drain()
    protocol.squeezed.cache_clear()  # other tables may have stood like this
    before = protocol.squeezed.cache_info()
    reply = table.give(text)
    for watcher in watching:
        watcher.see(reply["version"])
    after = protocol.squeezed.cache_info()
    assert after.misses - before.misses == 2  # what its player sees, and what everybody else does
    assert after.hits - before.hits == len(watching) - 1
    assert len({watcher.last["state"]["raw"] for watcher in watching}) == 1


@pytest.mark.parametrize(
    "how",
    [
        {"compression": None},
        {"extensions": [ClientPerMessageDeflateFactory(server_max_window_bits=9)]},
        {"extensions": [ClientPerMessageDeflateFactory(server_max_window_bits=15, client_max_window_bits=9)]},
        {"extensions": [ClientPerMessageDeflateFactory(client_no_context_takeover=True)]},
    ],
    ids=["unpacked", "small", "large", "each by itself"],
)
def test_every_browser_can_unpack_what_it_is_told(running, guest, how):
    match = guest.begin(german="me", soviet="me")["id"]
    cookie = f"ladoga={guest.http.cookies['ladoga']}"
    url = f"ws://127.0.0.1:{running.port}/ws/{match}"
    with connect(url, additional_headers={"Cookie": cookie}, max_size=None, close_timeout=1, **how) as line:
        heard = {}
        while "state" not in heard:
            message = json.loads(line.recv(15))
            heard[message["t"]] = message
        units = [next(iter(heard["state"]["offers"]["units"]))]
        for number in range(3):  # what was said before is of use where a line remembers it
            line.send(json.dumps({"t": "of", "id": number, "units": units}))
            while heard.get("reply", {}).get("id") != number:
                message = json.loads(line.recv(15))
                heard[message["t"]] = message
            assert heard["reply"]["ok"]


def test_much_said_at_once_is_answered_in_order(guest, sit):
    """More than may wait is read only when there is room for it."""
    table = sit(guest, guest.begin(german="me", soviet="me")["id"])
    table.state()
    table.drain()
    count = 5 * protocol.AHEAD
    for number in range(1000, 1000 + count):
        table.ws.send(json.dumps({"t": "hex", "id": number, "hex": "0101"}))
    answers = [table.hear("reply") for _ in range(count)]
    assert [answer["id"] for answer in answers] == list(range(1000, 1000 + count))
    assert all(answer["ok"] for answer in answers)


def test_whoever_does_not_read_keeps_nobody_waiting(running, guest, another, sit):
    """A browser that asks for much and takes nothing is not answered for ever; its table goes on for everybody else."""
    match = guest.begin(german="me", soviet="me")["id"]
    table = sit(guest, match)
    table.state()
    with deaf(running, another(), match) as line:
        for number in range(90):
            line.sendall(framed({"t": "at", "id": number, "n": 0}))
        for _ in range(3):
            assert table.give(some_order(table))["ok"]
        assert len(table.last["people"]["seats"]) == 2
        assert table.last["people"]["watching"] == 1
    while table.last["people"]["watching"]:
        table.hear("people")


def test_whoever_does_not_read_loses_the_line(running, guest, another, sit, monkeypatch):
    monkeypatch.setattr(protocol, "TAKEN_WITHIN", 0.3)
    match = guest.begin(german="me", soviet="me")["id"]
    table = sit(guest, match)
    table.state()
    with deaf(running, another(), match) as line:
        while table.hear("people")["watching"] != 1:
            pass
        with suppress(ConnectionError):
            for number in range(400):
                line.sendall(framed({"t": "at", "id": number, "n": 0}))
                time.sleep(0.025)  # no faster than anybody may ask
        while table.last["people"]["watching"]:
            table.hear("people")


def test_what_waits_for_somebody_who_is_gone_does_not_keep_the_line():
    line = object.__new__(protocol.Socket)
    line.transport, line.conn, line.logger = Mock(), Mock(), Mock(level=logging.ERROR)
    line.transport.is_closing.return_value = line.close_sent = False
    line.conn.data_to_send.return_value = [b""]
    line.keepalive_timeout()
    line.transport.abort.assert_called_once_with()


def test_much_said_at_once_is_answered_a_little_at_a_time(running, guest, another, sit, monkeypatch):
    """However many lines it comes by, and however quickly each is answered: everybody else is heard in between."""
    match = guest.begin(german="me", soviet="me")["id"]
    tables = [sit(guest, match) for _ in range(6)]
    for table in tables:
        table.state()
        table.drain()
    rounds, round_now, going = Counter(), [0], [True]
    answered = lines.answered

    def next_round(loop):
        round_now[0] += 1
        if going[0]:
            loop.call_soon(next_round, loop)

    async def counted(*values):
        if not round_now[0]:
            next_round(asyncio.get_running_loop())
        rounds[round_now[0]] += 1
        return await answered(*values)

    monkeypatch.setattr(lines, "answered", counted)
    for table in tables:
        frames = [framed({"t": "hex", "id": number, "hex": "0101"}) for number in range(1000, 1030)]
        table.ws.socket.sendall(b"".join(frames))
    for table in tables:
        for _ in range(30):
            assert table.hear("reply")["ok"]
    going[0] = False
    assert sum(rounds.values()) == 180
    assert max(rounds.values()) <= 2


@pytest.mark.parametrize(
    "frames",
    [
        [Frame(Opcode.PING, b"")],
        [Frame(Opcode.PONG, b"")],
        [Frame(Opcode.TEXT, b"")],
        [Frame(Opcode.TEXT, b"", fin=False), *[Frame(Opcode.CONT, b"", fin=False)] * 200],
    ],
    ids=["pings", "pongs", "empty messages", "empty pieces"],
)
def test_a_line_that_brings_more_frames_than_anybody_needs_is_cut(running, guest, another, sit, monkeypatch, frames):
    """A frame of six bytes takes as long to look at as a question: of 256 kB of them only the first few are."""
    match = guest.begin(german="me", soviet="me")["id"]
    table, looked_at, parse = sit(guest, match), [], Frame.parse

    def counted(*values, **named):
        looked_at.append(1)
        return parse(*values, **named)

    monkeypatch.setattr(Frame, "parse", counted)
    with deaf(running, another(), match) as line, suppress(ConnectionError):
        much = b"".join(frame.serialize(mask=True) for frame in frames)
        line.sendall(much * (262_144 // len(much)))
        while line.recv(65536):
            pass
    assert 10 < len(looked_at) < 2000
    assert table.ask("hex", hex="0101")["ok"]


def test_whoever_comes_is_shown_the_table_and_nobody_else_is_shown_it_again(guest, another, sit):
    match = guest.begin(german="me", soviet="me")["id"]
    table = sit(guest, match)
    table.state()
    table.drain()
    del table.heard[:]
    assert sit(another(), match).hear("state")["n"] == 0
    assert table.hear("people")["watching"] == 1
    table.drain()
    assert {message["t"] for message in table.heard} == {"people"}


class Slowly:
    """Takes two slices for everything, and counts in how many rounds of the loop it did something."""

    def __init__(self):
        self.rounds, self._now, self._going = set(), 0, True

    def _next(self, loop):
        self._now += 1
        if self._going:
            loop.call_soon(self._next, loop)

    def work(self):
        if not self._now:
            self._next(asyncio.get_running_loop())
        self.rounds.add(self._now)
        end = time.perf_counter() + 2 * SLICE
        while time.perf_counter() < end:
            pass

    def stop(self):
        self._going = False


@pytest.fixture
def slowly():
    slow = Slowly()
    yield slow
    slow.stop()


def test_many_new_counters_are_drawn_a_little_at_a_time(guest, monkeypatch, slowly):
    def drawn_slowly(counter, palette):
        slowly.work()
        return counter.id

    monkeypatch.setattr(games, "counter_face", drawn_slowly)
    counters = [{"id": f"u{number}", "side": "german", "name": "x"} for number in range(40)]
    drawn = guest.http.post("/api/faces/classic", json=counters).json()
    assert drawn == [counter["id"] for counter in counters]
    assert len(slowly.rounds) == len(counters)


def test_the_table_of_whoever_comes_is_worked_out_a_little_at_a_time(guest, sit, monkeypatch, slowly):
    def prepared(match, audience):
        for _ in range(30):
            slowly.work()
            yield

    monkeypatch.setattr(showing, "preparing", prepared)
    sit(guest, guest.begin(german="me", soviet="me")["id"]).hear("state")
    assert len(slowly.rounds) == 30


def test_nothing_is_said_on_a_line_that_is_closing():
    """The system would say so in the log, once for every message."""
    line = object.__new__(protocol.Socket)
    line.writable, line.transport, line.conn = asyncio.Event(), Mock(), Mock()
    line.disconnected = line.close_sent = False
    line.writable.set()
    line.transport.is_closing.return_value = True
    with pytest.raises(ClientDisconnected):
        asyncio.run(line.send({"type": "websocket.send", "said": b"{}", "more": False}))
    line.transport.write.assert_not_called()


@contextmanager
def deaf(running, guest, match):
    """A line to a table that nobody reads from, with room for little."""
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.settimeout(15)
        line.connect(("127.0.0.1", running.port))
        words = {
            "Host": "localhost", "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "c29tZXRoaW5nIHJhbmRvbQ==", "Cookie": f"ladoga={guest.http.cookies['ladoga']}",
        }  # fmt: skip
        head = "".join(f"{name}: {value}\r\n" for name, value in words.items())
        line.sendall(f"GET /ws/{match} HTTP/1.1\r\n{head}\r\n".encode())
        assert line.recv(12) == b"HTTP/1.1 101"
        yield line


def framed(message):
    return Frame(Opcode.TEXT, json.dumps(message).encode()).serialize(mask=True)


def test_others_are_heard_while_many_are_told_something():
    """A few of those who only watch are told the table at a time; whoever plays is told at once."""

    class Line:
        def __init__(self):
            self.told = 0

        async def send(self, _):
            self.told += 1

    async def show(watching, sides):
        lines_, turns = [Line() for _ in range(watching)], Turns(8)
        watchers = [Watcher(None, sides) for _ in lines_]
        speakers = [
            lines.Speaker(line, w, lambda: turns.one("there")) for line, w in zip(lines_, watchers, strict=True)
        ]
        sending = [asyncio.create_task(speaker.run()) for speaker in speakers]
        await asyncio.sleep(0.01)
        for watcher in watchers:
            watcher.tell(b"the table")
        at_a_time = []
        while (told := sum(line.told for line in lines_)) < watching:
            await asyncio.sleep(0)
            at_a_time.append(sum(line.told for line in lines_) - told)
        for task in sending:
            task.cancel()
        return max(at_a_time)

    assert asyncio.run(show(200, [])) <= 16
    assert asyncio.run(show(200, ["german"])) == 200
