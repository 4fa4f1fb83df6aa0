"""Computer players think beside the server, in turn, only while somebody watches, and see only views."""

import asyncio
import os
import random
import signal
import time
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from ladoga import load
from ladoga.server import aside, computer, thinking
from ladoga.server.aside import shared_by_sessions
from ladoga.server.library import Library
from ladoga.server.match import Match
from ladoga.server.refused import Busy, Refused
from ladoga.server.store import Kept, Ledger, Seat
from ladoga.server.thinking import Thinkers
from ladoga.server.worker import Setting
from ladoga.server.workers import Pool, Slow, Worker

GAME = "leningrad-1979"
LONG = "game: leningrad-1979\nunits: [" + ", ".join(["{a: 1}"] * 30_000) + "]\n"


def a_match(name, person, game=GAME, options=None):
    loaded = load(game)
    kept = Kept(name, game, "match", next(iter(loaded.scenarios)), options or {}, None, b"seed" * 8, "0", 0.0, None)
    seats = [Seat(loaded.sides[0], "", person, "", False), Seat(loaded.sides[1], "random", None, "", False)]
    return Match(kept, loaded, (), seats)


@pytest.fixture
def crew(monkeypatch):
    """Thinkers whose only worker takes a moment over each order, and writes down for whom."""
    served = []

    async def ask(self, limit, name, *values):
        self.busy = True
        await asyncio.sleep(0.01)
        self.busy = False
        if name == "think":
            served.append(values[0].split(" ")[0])
        return ["end", "nothing else to do"]

    monkeypatch.setattr(Worker, "ask", ask)
    return Thinkers(Library(), 1), served


async def _thoughts(thinkers, name, person, count):
    match = a_match(name, person)
    session = thinkers.session("random", match)
    for _ in range(count):
        await thinkers.think(session, (session.id,))
    session.close()


def test_nobody_waits_behind_all_the_games_of_a_stranger(crew):
    thinkers, served = crew

    async def play():
        greedy = [asyncio.create_task(_thoughts(thinkers, f"theirs-{n}", 1, 3)) for n in range(40)]
        await asyncio.sleep(0.05)
        await _thoughts(thinkers, "mine", 2, 3)
        at = [n for n, name in enumerate(served) if name == "mine"]
        await asyncio.gather(*greedy)
        return at

    at = asyncio.run(play())
    assert at[-1] - at[0] <= 6, "every other thought is mine"
    assert len(served) == 123


def test_few_games_without_a_person_are_thought_about_at_once(crew, monkeypatch):
    thinkers, served = crew
    monkeypatch.setattr(thinking, "UNATTENDED", 2)

    async def play():
        tasks = [asyncio.create_task(_thoughts(thinkers, f"game-{n}", None, 2)) for n in range(5)]
        await asyncio.sleep(0.015)
        begun = {session.match.kept.id for session in thinkers._sessions if session.worker is not None}
        await asyncio.gather(*tasks)
        return begun

    assert len(asyncio.run(play())) <= 2
    assert len(served) == 10


def test_a_worker_works_until_it_is_told_to_stop_and_then_is_free():
    async def think():
        worker = Worker(Setting(nice=0))
        start = load("leningrad-2010").start()
        view = start.view(start.to_move)
        imagined = view.imagine(random.Random(1)).document()
        question = ("s", "random", "leningrad-2010", {}, view.side, view.document(), imagined, "seed")
        first = await worker.ask(60, "think", *question)
        busy = asyncio.create_task(worker.ask(60, "opened", LONG, False, b""))
        await asyncio.sleep(0.3)
        began = time.monotonic()
        busy.cancel()
        with pytest.raises(asyncio.CancelledError):
            await busy
        took = time.monotonic() - began
        again = await worker.ask(60, "think", "u", *question[1:])
        with pytest.raises(Slow):
            await worker.ask(0.2, "opened", LONG, False, b"")
        last = await worker.ask(60, "think", "w", *question[1:])
        started = worker.started
        await worker.close()
        return first, again, last, took, started

    first, again, last, took, started = asyncio.run(think())
    assert first == again == last
    assert took < 2
    assert started >= 2, "one that does not come back in time is ended"


def test_a_job_may_take_so_much_of_the_processor_however_long_it_waits_for_it():
    async def work():
        worker = Worker(Setting(nice=0, seconds=0.3))
        with pytest.raises(Refused) as refused:
            await worker.ask(60, "opened", LONG, False, b"")
        assert await worker.ask(60, "forget", "s") is None
        await worker.close()
        return refused.value.code, worker.started

    assert asyncio.run(work()) == ("slow", 1)


@pytest.mark.skipif(not shared_by_sessions(), reason="sessions have no share of the processor here")
def test_who_thinks_leaves_its_core_free_in_the_eyes_of_the_system(slow_start):
    async def work():
        thinkers, pool = Thinkers(Library(), 1), Pool(Library(), 1)
        await thinkers.workers[0].ask(60, "forget", "s")
        await pool.ask("forget", "s")
        policies = [os.sched_getscheduler(process.pid) for process in slow_start]
        await thinkers.close()
        await pool.close()
        return policies

    assert asyncio.run(work()) == [os.SCHED_IDLE, os.SCHED_OTHER], "somebody waits for what strangers send to be read"


SERVICE = "0::/system.slice/ladoga.service"


@pytest.mark.parametrize(
    ("enabled", "groups", "weighed", "shared"),
    [
        ("1", "1:cpu,cpuacct:/\n0::/", "", True),
        ("0", "0::/", "", False),
        ("1", "4:memory:/docker/a\n3:cpu,cpuacct:/docker/a\n0::/", "", False),
        ("1", "4:memory:/docker/a\n3:cpuset,cpuacct:/docker/a\n0::/", "", True),
        ("1", SERVICE, "", True),
        ("1", SERVICE, "system.slice", False),
        ("1", SERVICE, "system.slice/ladoga.service", False),
        ("1", SERVICE, "user.slice", True),
        ("1", "0::/", ".", False),
    ],
)
def test_a_session_has_a_share_where_no_group_above_it_has_one(tmp_path, enabled, groups, weighed, shared):
    for name, text in (("proc/sys/kernel/sched_autogroup_enabled", enabled), ("proc/self/cgroup", groups)):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text + "\n")
    if weighed:
        (tmp_path / "sys/fs/cgroup" / weighed).mkdir(parents=True)
        (tmp_path / "sys/fs/cgroup" / weighed / "cpu.weight").write_text("100\n")
    assert shared_by_sessions(tmp_path) is shared


def test_a_session_that_the_system_does_not_hear_at_once_asks_again(monkeypatch):
    written, policies = [], []

    def write(self, text, encoding):
        written.append(text)
        if len(written) < 4:
            raise BlockingIOError

    monkeypatch.setattr(Path, "write_text", write)
    monkeypatch.setattr(os, "nice", lambda _: None)
    monkeypatch.setattr(os, "sched_setscheduler", lambda *values: policies.append(values[1]), raising=False)
    monkeypatch.setattr(aside, "shared_by_sessions", lambda: True)
    monkeypatch.setattr(aside, "AGAIN", 0.0)
    aside.step_aside(15, idle=True)
    assert written == ["15"] * 4
    assert policies == [os.SCHED_IDLE]


def test_where_the_system_tells_nothing_sessions_have_no_share(tmp_path):
    assert not shared_by_sessions(tmp_path)


@pytest.fixture
def slow_start(monkeypatch):
    """Processes that are there a while before anybody is handed them."""
    begun, create = [], asyncio.create_subprocess_exec

    async def slowly(*values, **named):
        begun.append(await create(*values, **named))
        await asyncio.sleep(0.3)
        return begun[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", slowly)
    return begun


async def until(true):
    while not true():
        await asyncio.sleep(0.01)


def test_a_worker_that_nobody_waits_for_while_it_starts_is_there_for_the_next_job(slow_start):
    async def work():
        worker = Worker(Setting(nice=0))
        asking = asyncio.create_task(worker.ask(60, "forget", "s"))
        await until(lambda: slow_start)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert not worker.busy
        assert await worker.ask(60, "forget", "s") is None
        await worker.close()
        return worker.started

    assert asyncio.run(work()) == len(slow_start) == 1
    assert slow_start[0].returncode is not None


@pytest.mark.parametrize("left", [False, True], ids=["waited for", "left"])
def test_a_worker_that_is_closed_while_it_starts_leaves_no_process(slow_start, left):
    async def work():
        worker = Worker(Setting(nice=0))
        asking = asyncio.create_task(worker.ask(60, "forget", "s"))
        await until(lambda: slow_start)
        if left:
            asking.cancel()
        await worker.close()
        with pytest.raises(asyncio.CancelledError if left else Busy):
            await asking
        with pytest.raises(Busy):
            await worker.ask(60, "forget", "s")

    asyncio.run(work())
    assert [process.returncode for process in slow_start] == [-signal.SIGKILL]


def test_a_worker_is_seen_gone_however_it_was_ended(slow_start):
    async def work():
        worker = Worker(Setting(nice=0))
        with pytest.raises(Slow):
            await worker.ask(0, "forget", "s")
        await worker.close()

    asyncio.run(work())
    assert [process.returncode for process in slow_start] == [-signal.SIGKILL]


@pytest.mark.parametrize(
    ("game", "options"), [("tijvin-1941", {"fog-of-war": True}), ("leningrad-2010", {"bid": "secret"})]
)
def test_what_a_worker_is_asked_tells_nothing_that_its_side_may_not_know(game, options):
    loaded = load(game)
    asked = []

    async def think(_, question):
        asked.append(msgspec.msgpack.encode(question))
        return "end"

    thinkers = SimpleNamespace(think=think)
    position, rng = loaded.start(None, options), random.Random(4)
    for _ in range(30):
        while position.chance is not None:
            position = position.play(position.chance.sample(rng))
        position = position.play(position.legal.random(rng))
    side = loaded.sides[0]
    worlds = [position.view(side).imagine(random.Random(n)) for n in range(4)]
    for world in worlds:
        session = thinking.Session(thinkers, "m 1", "random", "1", SimpleNamespace(game=loaded), True)
        asyncio.run(session.order(world.view(side), "seed"))
    assert len(set(asked)) == 1


@pytest.fixture
def watched(guest, sit):
    """A game between two players at random, without a pause, and somebody who has seen its first orders."""
    match = guest.begin(german="random", soviet="random")["id"]
    table = sit(guest, match)
    table.hear("state")
    table.ask("pace", wait=0)
    while table.hear("state")["n"] < 4:
        pass
    return match, table


def test_the_computer_rests_when_nobody_watches_and_goes_on_when_somebody_does(
    guest, sit, running, watched, monkeypatch
):
    monkeypatch.setattr(computer, "GRACE", 0.2)
    match, table = watched
    table.close()
    room = running.lobby.rooms[match]
    end = time.monotonic() + 10
    while room.computer.thinking:
        assert time.monotonic() < end
        time.sleep(0.02)
    count = running.store.now(Ledger.count, match)
    time.sleep(0.5)
    assert running.store.now(Ledger.count, match) == count
    again = sit(guest, match)
    assert again.hear("state")["n"] == count
    while again.hear("state")["n"] <= count:
        pass


def test_a_worker_that_is_killed_costs_the_game_nothing(running, watched):
    _, table = watched
    for worker in running.lobby.house.thinkers.workers:
        if worker._process is not None and worker._process.returncode is None:
            os.kill(worker._process.pid, signal.SIGKILL)
    n = table.state()["n"]
    while table.hear("state", timeout=30)["n"] < n + 5:
        pass
    assert "error" not in table.last
