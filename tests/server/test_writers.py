"""One writer a match: whatever comes too late is refused by the store itself, and nobody loses an order."""

import asyncio
import json
import os
import re
import select
import signal
import subprocess
import sys
import threading
from concurrent.futures import Future
from pathlib import Path

import pytest

import ladoga
from ladoga.kernel.game import load_game
from ladoga.server import dealings
from ladoga.server import lobby as lobbies
from ladoga.server.assembly import assemble
from ladoga.server.beginning import create
from ladoga.server.claim import Claim, Taken
from ladoga.server.refused import Refused
from ladoga.server.store import Ledger, Unwritable

GAME = "leningrad-1979"


def orders(room, count):
    position, found = room.match.position, []
    for _ in range(count):
        found.append(str(next(iter(position.legal))))
        position = position.play(found[-1])
    return found


def test_two_who_keep_a_match_in_memory_do_not_destroy_it(tmp_path):
    """The one who is behind reads again what the other wrote, shows it, and may go on."""

    async def play():
        one, two = assemble(tmp_path / "store.db"), assemble(tmp_path / "store.db")
        person = one.house.store.now(Ledger.welcome, "somebody")
        match, _ = await create(one, person, GAME, {"german": "me", "soviet": "me"})
        first, second = await one.room(match), await two.room(match)
        mine, yours = await first.join(person), await second.join(person)
        a, b = orders(first, 2)
        await first.give(mine, "action-1", first.match.version, a)
        with pytest.raises(Refused, match="changed since"):
            await second.give(yours, "action-2", second.match.version, a)
        assert second.match.version == first.match.version
        assert second.match.position.digest() == first.match.position.digest()
        await second.give(yours, "action-3", second.match.version, b)
        with pytest.raises(Refused, match="changed since"):
            await first.undo(mine, "action-4", first.match.version, len(first.match.orders) - 1)
        await first.undo(mine, "action-5", first.match.version, len(first.match.orders) - 1)
        with pytest.raises(Refused, match="changed since"):
            await dealings.resign(second, yours)
        await dealings.resign(second, yours)
        with pytest.raises(Refused):
            await dealings.peace(first, mine, True)
        again = assemble(tmp_path / "store.db")
        assert [str(o) for o in (await again.room(match)).match.orders] == [a]
        for lobby in (one, two, again):
            await lobby.close()

    asyncio.run(play())


def test_there_is_one_room_a_match_however_many_are_watched(tmp_path, monkeypatch):
    monkeypatch.setattr(lobbies, "KEPT_MATCHES", 3)

    async def visit():
        lobby = assemble(tmp_path / "store.db")
        person = lobby.house.store.now(Ledger.welcome, "somebody")
        tables = []
        for _ in range(6):
            match, _ = await create(lobby, person, GAME, {"german": "me", "soviet": "me"})
            tables.append(await lobby.room(match))
            await tables[-1].join(person)
        for room in tables:
            assert await lobby.room(room.id) is room
        assert len(lobby._lately) == 3
        await lobby.close()

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


def test_the_dice_are_drawn_anew_whatever_happens_meanwhile(tmp_path):
    """Somebody sits down at a match whose seed is known while another process plays on, or dies before it is done."""

    async def play():
        one, two = assemble(tmp_path / "store.db"), assemble(tmp_path / "store.db")
        store = one.house.store
        mine, yours, theirs = (store.now(Ledger.welcome, name) for name in ("mine", "yours", "theirs"))
        side = load_game(GAME).start().to_move
        other = next(name for name in load_game(GAME).sides if name != side)
        match, invites = await create(one, mine, GAME, {side: "me", other: "open"}, kind="study")
        first, second = await one.room(match), await two.room(match)
        watcher = await second.join(mine)
        seed = second.match.kept.seed
        await second.give(watcher, "action-1", second.match.version, orders(second, 1)[0])
        assert await one.sit(match, invites[other], yours) == other
        assert not first.match.kept.known
        assert first.match.kept.seed != seed

        left, invites = await create(one, mine, GAME, {side: "me", other: "open"}, kind="study")
        seed = store.now(Ledger.match, left).seed
        store.now(Ledger.sit, left, invites[other], theirs)  # and whoever wrote this was killed
        opened = await two.room(left)
        assert not opened.match.kept.known
        assert opened.match.kept.seed != seed
        for lobby in (one, two):
            await lobby.close()

    asyncio.run(play())


async def at_a_table(tmp_path):
    """Somebody who plays both sides at a table: the lobby, the room, who it is and how they hear."""
    lobby = assemble(tmp_path / "store.db")
    person = lobby.house.store.now(Ledger.welcome, "somebody")
    match, _ = await create(lobby, person, GAME, {"german": "me", "soviet": "me"})
    room = await lobby.room(match)
    return lobby, room, person, await room.join(person)


def test_what_was_given_up_while_it_was_written_is_shown_to_the_next_who_comes(tmp_path):
    """A computer's order is on its way to the disk when everybody leaves: it stands, and nobody sees the table without
    it."""

    async def play():
        lobby, room, person, mine = await at_a_table(tmp_path)
        store = lobby.house.store
        held, go = threading.Event(), threading.Event()

        def slow(ledger):
            held.set()
            go.wait(10)

        store.submit(slow)
        held.wait(10)
        (text,) = orders(room, 1)
        version = room.match.version
        giving = asyncio.create_task(room.play_for(room.match.to_move, version, text))
        await asyncio.sleep(0.05)
        room.leave(mine)
        giving.cancel()
        go.set()
        with pytest.raises(asyncio.CancelledError):
            await giving
        store.now(Ledger.well)
        assert room.match.version == version
        again = await (await lobby.room(room.id)).join(person)
        shown = []
        while again.waiting:
            shown.append(json.loads(again.take()))
        assert [message["version"] for message in shown if message["t"] == "state"][-1] == version + 1
        await lobby.close()

    asyncio.run(play())


@pytest.mark.parametrize("problem", [None, Unwritable("the disk is full")])
def test_what_is_being_written_is_answered_and_shown_only_then(tmp_path, problem):
    """While the disk writes nobody hears or sees anything of it, and never if it cannot be written; then whoever gave
    the order is answered, and then everybody is shown the table."""

    async def play():
        lobby, room, _, mine = await at_a_table(tmp_path)
        store = lobby.house.store
        while mine.waiting:
            mine.take()
        written, add = Future(), store.submit
        store.submit = lambda *_: written
        (text,) = orders(room, 1)
        version, position = room.match.version, room.match.position
        answers = []

        def safe(version):
            assert not mine.waiting
            answers.append(version)

        giving = asyncio.create_task(room.give(mine, "action-1", version, text, safe))
        await asyncio.sleep(0.1)
        assert not giving.done()
        assert not mine.waiting
        assert not answers
        assert room.match.position is position
        store.submit = add
        if problem is None:
            written.set_result(store.now(Ledger.add, room.id, "action-1", version, [("soviet", text)]))
            assert (await giving)["version"] == version + 1
            assert answers == [version + 1]
            assert json.loads(mine.take())["version"] == version + 1
        else:
            written.set_exception(problem)
            with pytest.raises(Refused, match="cannot be written"):
                await giving
            assert not mine.waiting
            assert not answers
            assert room.match.position is position
        await lobby.close()

    asyncio.run(play())
