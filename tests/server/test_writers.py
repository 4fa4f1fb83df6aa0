"""One writer a match: whatever comes too late is refused by the store itself, and nobody loses an order."""

import asyncio
import os
import re
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import ladoga
from ladoga.server import hub as hubs
from ladoga.server.claim import Claim, Taken
from ladoga.server.hub import Hub, Refused
from ladoga.server.store import Behind, Kept, Store

GAME = "leningrad-1979"


def kept(match="m"):
    return Kept(match, GAME, "match", "campaign", {}, None, b"seed", "0", 0.0, None)


def test_what_was_not_written_for_the_last_event_is_refused(tmp_path):
    first, second = Store(tmp_path / "store.db"), Store(tmp_path / "store.db")
    first.create(kept(), [("german", "", None, ""), ("soviet", "", None, "")])
    assert first.add("m", "action-1", 0, [("soviet", "a")]) == [1]
    with pytest.raises(Behind):
        second.add("m", "action-2", 0, [("soviet", "b")])
    with pytest.raises(Behind):
        second.undo("m", "action-3", 0, 1)
    with pytest.raises(Behind):
        second.end("m", 0, {"winner": "soviet"})
    assert second.add("m", "action-2", 1, [("soviet", "b")]) == [2]
    first.undo("m", "action-4", 2, 2)
    with pytest.raises(Behind):
        second.add("m", "action-5", 2, [("soviet", "c")])
    assert [row[2] for row in first.events("m")] == ["a"]
    assert first.later("m", 2) == (1, [])
    first.close(), second.close()


def orders(room, count):
    position, found = room.match.position, []
    for _ in range(count):
        found.append(str(next(iter(position.legal))))
        position = position.play(found[-1])
    return found


def test_two_who_keep_a_match_in_memory_do_not_destroy_it(tmp_path):
    """The one who is behind reads again what the other wrote, shows it, and may go on."""

    async def play():
        one, two = Hub(Store(tmp_path / "store.db")), Hub(Store(tmp_path / "store.db"))
        person = one.store.welcome("somebody")
        match, _ = await one.create(person, GAME, {"german": "me", "soviet": "me"})
        (first, mine), (second, yours) = await one.join(match, person), await two.join(match, person)
        a, b = orders(first, 2)
        await one.give(first, mine, "action-1", first.match.version, a)
        with pytest.raises(Refused, match="changed since"):
            await two.give(second, yours, "action-2", second.match.version, a)
        assert second.match.version == first.match.version
        assert second.match.position.digest() == first.match.position.digest()
        await two.give(second, yours, "action-3", second.match.version, b)
        with pytest.raises(Refused, match="changed since"):
            await one.undo(first, mine, "action-4", first.match.version, len(first.match.orders) - 1)
        await one.undo(first, mine, "action-5", first.match.version, len(first.match.orders) - 1)
        with pytest.raises(Refused, match="changed since"):
            await two.resign(second, yours)
        await two.resign(second, yours)
        with pytest.raises(Refused):
            await one.peace(first, mine, True)
        again = Hub(Store(tmp_path / "store.db"))
        assert [str(o) for o in (await again.room(match)).match.orders] == [a]
        for hub in (one, two, again):
            hub.close()

    asyncio.run(play())


def test_there_is_one_room_a_match_however_many_are_watched(tmp_path, monkeypatch):
    monkeypatch.setattr(hubs, "KEPT_MATCHES", 3)

    async def visit():
        hub = Hub(Store(tmp_path / "store.db"))
        person = hub.store.welcome("somebody")
        tables = []
        for _ in range(6):
            match, _ = await hub.create(person, GAME, {"german": "me", "soviet": "me"})
            tables.append(await hub.join(match, person))
        for room, _ in tables:
            assert await hub.room(room.match.kept.id) is room
        assert len(hub._lately) == 3
        hub.close()

    asyncio.run(visit())


def test_a_file_has_one_server(tmp_path):
    with Claim(tmp_path / "matches.db") as first:
        first.say("http://127.0.0.1:9/")
        with pytest.raises(Taken, match=f"http://127.0.0.1:9/ .process {os.getpid()}"):
            Claim(tmp_path / "matches.db")
    Claim(tmp_path / "matches.db").close()


class Command:
    """``ladoga`` in a process of its own, up to the line that says where it is."""

    def __init__(self, folder, *words):
        source = str(Path(ladoga.__file__).parents[1])
        env = {**os.environ, "PYTHONPATH": source, "LADOGA_HOME": str(folder), "PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ladoga", *words],
            env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        assert select.select([self.process.stdout], [], [], 60)[0]
        self.line = self.process.stdout.readline()

    def end(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(30)
        self.process.stdout.close()


def test_a_second_play_finds_the_first_and_a_second_serve_is_refused(tmp_path):
    first = Command(tmp_path, "play", "--no-browser")
    try:
        again = Command(tmp_path, "play", GAME, "--no-browser")
        assert again.process.wait(30) == 0
        address = re.search(r"http://[\d.:]+/", first.line).group()
        assert again.line.startswith(f"Ladoga is running already, at {address}enter/")
        assert again.line.rstrip().endswith(f"#{GAME}")
        served = Command(tmp_path, "serve", "--port", "0", "--db", str(tmp_path / "matches.db"))
        assert served.process.wait(30) == 2
        assert f"by the server at {address} (process {first.process.pid})" in served.line
        again.process.stdout.close(), served.process.stdout.close()
    finally:
        first.end()
