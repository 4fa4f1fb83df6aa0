"""Many tables at once, and how long an order takes to its answer, beside an echo server in the same run.

    python tools/load.py                      100 and 400 tables, then 100 while four generals think; one process on
                                              SQLite, then two on PostgreSQL
    python tools/load.py --tables 100 --seconds 20 --generals 4 --postgres
    python tools/load.py --turns 5 --seconds 12
                                              100 tables beside nobody, four generals, four loops that only use the
                                              processor, and four such that are idle by their policy, by turns

Each table gives an order every three seconds or so. The echo server is the same stack with nothing behind it: it says
what a line and a loop cost here and now, and what they cost where the answer comes with a table as large as ours. The
store's fsync is measured on the same disk. What those who play the tables need for themselves (unpacking tables,
collecting rubbish) is in every figure, and told beside it. Afterwards the store is compared with what was acknowledged:
nothing lost, nothing twice.
"""

import argparse
import asyncio
import gc
import json
import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import msgspec
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from ladoga import game_ids
from ladoga.server.store import Ledger, open_store

SOURCE = Path(__file__).parents[1] / "src"
A_PERSON = 20
"""Matches that one person begins."""
GENERAL_GAME = "leningrad-1979"

ECHO = """
import sys, uvicorn
from ladoga.server.protocol import Line, Socket
from ladoga.server.running import listening

async def app(scope, receive, send):
    table = None
    if scope["type"] == "lifespan":
        while True:
            kind = (await receive())["type"]
            await send({"type": kind + ".complete"})
            if kind.endswith("shutdown"):
                return
    while True:
        message = await receive()
        if message["type"] == "websocket.connect":
            await send({"type": "websocket.accept"})
        elif message["type"] == "websocket.disconnect":
            return
        elif scope["path"] == "/table" and table is None:
            table = message["text"]
        else:
            said = message["text"].encode()
            if table is not None:
                await send({"type": "websocket.send", "said": table.encode() + b" " + said, "more": True})
            await send({"type": "websocket.send", "said": said, "more": False})

config = uvicorn.Config(app, http=Line, ws=Socket, log_level="error", access_log=False)
uvicorn.Server(config).run(sockets=[listening("127.0.0.1", int(sys.argv[1]))])
"""

LOOP = """
import sys
from ladoga.server.aside import step_aside
step_aside(15, idle=sys.argv[1] == "idle")
while True:
    pass
"""
"""Uses the processor as a thinker does, and nothing else of the server."""

BESIDE = {
    "nobody": {}, "four generals": {"generals": 4}, "four loops": {"loops": 4},
    "four idle loops": {"loops": 4, "idle": True},
}  # fmt: skip
"""What a hundred tables are played beside, by turns."""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


class Program:
    """A server in a process of its own, on a port of its own."""

    def __init__(self, folder: Path, source: str, *words: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.env = {**os.environ, "PYTHONPATH": str(SOURCE), "LADOGA_HOME": str(folder)}
        self._command = [sys.executable, "-c", source, str(self.port), *words]

    def start(self) -> None:
        self.process = subprocess.Popen(self._command, env=self.env, stdout=subprocess.DEVNULL)
        for _ in range(1200):
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=5).close()
                return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError("the server did not start")

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def busy(self) -> float:
        """Processor seconds it has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def looping(count: int, *, idle: bool) -> Iterator[list[subprocess.Popen]]:
    """So many processes that only use the processor."""
    command = [sys.executable, "-c", LOOP, "idle" if idle else "busy"]
    env = {**os.environ, "PYTHONPATH": str(SOURCE)}
    loops = [subprocess.Popen(command, env=env, start_new_session=True) for _ in range(count)]
    try:
        yield loops
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def server(folder: Path, store: str) -> Program:
    """A server that keeps its matches in a store."""
    source = "import sys; from ladoga.server import serve; serve('127.0.0.1', int(sys.argv[1]), sys.argv[2])"
    return Program(folder, source, store)


def percentile(values: list[float], part: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else 0.0


def fsync_p95(folder: Path, times: int = 60) -> float:
    """What it takes here to have a little written for good."""
    took = []
    with open(folder / "fsync", "wb") as file:
        for _ in range(times):
            began = time.perf_counter()
            file.write(b"x" * 4096)
            file.flush()
            os.fsync(file.fileno())
            took.append(time.perf_counter() - began)
    return percentile(took, 0.95)


@dataclass
class Seat:
    """Somebody who plays both sides of a match, and remembers what the server acknowledged."""

    match: str
    cookie: str
    rng: random.Random
    acknowledged: list[str] = field(default_factory=list)
    doubtful: str = ""
    """An order that was sent and not answered."""
    took: list[float] = field(default_factory=list)
    """From an order to its answer."""
    own: list[float] = field(default_factory=list)
    """How much of that went by here, with unpacking the table and collecting rubbish."""
    shown: list[float] = field(default_factory=list)
    """From an order to the table as it stands then."""
    refused: int = 0

    async def play(self, port: int, think: float, evening: "Evening") -> None:
        """Come, as often as it takes, and give orders until the time is up or the line breaks."""
        url = f"ws://127.0.0.1:{port}/ws/{self.match}"
        headers = {"Cookie": f"ladoga={self.cookie}"}
        try:
            while True:
                try:
                    line = await connect(url, additional_headers=headers, max_size=None, open_timeout=120)
                    break
                except InvalidStatus:
                    await asyncio.sleep(self.rng.uniform(0.5, 2))
            async with line:
                await self._sit(line, think, evening)
        except (ConnectionClosed, InvalidHandshake, OSError, EOFError):
            evening.come()

    async def _sit(self, line, think: float, evening: "Evening") -> None:
        state, number = await self._hear(line, "state"), 0
        evening.come(json.dumps(state))
        until = await evening.begun()
        await asyncio.sleep(self.rng.uniform(0, think))
        while time.monotonic() < until and not state["over"]:
            number += 1
            text = await self._choose(line, state, number)
            if text is None:
                return
            self.doubtful = text
            action = f"load-{self.match}-{time.monotonic_ns()}"
            message = {"t": "order", "id": 2 * number + 1, "action": action, "version": state["version"], "text": text}
            began, own = time.monotonic(), -rubbish.seconds
            await line.send(json.dumps(message))
            reply = None
            while reply is None:
                heard = await line.recv()
                now = time.monotonic()
                message = msgspec.json.decode(heard)
                if message["t"] != "reply":
                    own += time.monotonic() - now
                if message["t"] in ("state", "curtain"):
                    state = message
                if message["t"] == "reply" and message["id"] == 2 * number + 1:
                    reply = message
            self.took.append(now - began)
            self.own.append(min(own + rubbish.seconds, now - began))
            if reply["ok"]:
                self.acknowledged.append(text)
            else:
                self.refused += 1
            self.doubtful = ""
            while state["version"] < reply.get("version", 0):
                message = msgspec.json.decode(await line.recv())
                if message["t"] in ("state", "curtain"):
                    state = message
            self.shown.append(time.monotonic() - began)
            if state["t"] == "curtain":
                await line.send(json.dumps({"t": "ready", "id": 0, "side": state["side"]}))
                state = await self._hear(line, "state")
            await asyncio.sleep(self.rng.uniform(0.5, 1.5) * think)

    async def _hear(self, line, kind: str):
        while True:
            message = msgspec.json.decode(await line.recv())
            if message["t"] == "curtain":
                await line.send(json.dumps({"t": "ready", "id": 0, "side": message["side"]}))
            elif message["t"] == kind:
                return message

    async def _choose(self, line, state, number: int) -> str | None:
        """Some order: of the whole, of a hex, or of a unit, which has to be asked about."""
        offers = state["offers"]
        whole = [*offers["orders"], *(text for texts in offers["hexes"].values() for text in texts[:1])]
        units = list(offers["units"])
        if units and (not whole or self.rng.random() < 0.8):
            await line.send(json.dumps({"t": "of", "id": 2 * number, "units": [self.rng.choice(units)]}))
            while True:
                message = msgspec.json.decode(await line.recv())
                if message["t"] == "reply" and message["id"] == 2 * number:
                    break
            orders = message.get("orders") or []
            if orders:
                return self.rng.choice(orders)["text"]
        return self.rng.choice(whole) if whole else None


class Rubbish:
    """Counts the seconds in which this process does nothing but look for what it need not keep."""

    def __init__(self) -> None:
        self.seconds = 0.0
        gc.callbacks.append(self._collecting)

    def _collecting(self, when: str, _: dict) -> None:
        self.seconds += time.monotonic() * (1 if when == "stop" else -1)


rubbish = Rubbish()


class Evening:
    """Begins when everybody has come, and lasts so long."""

    def __init__(self, guests: int, seconds: float) -> None:
        self._missing, self._seconds, self._all, self.until = guests, seconds, asyncio.Event(), 0.0
        self._tables: list[str] = []

    @property
    def table(self) -> str:
        """A table of middling size."""
        return sorted(self._tables, key=len)[len(self._tables) // 2]

    def come(self, table: str = "") -> None:
        """Somebody has come, and perhaps seen a table."""
        self._tables.append(table)
        self._missing -= 1
        if not self._missing:
            self.until = time.monotonic() + self._seconds
            self._all.set()

    async def begun(self) -> float:
        await self._all.wait()
        return self.until


def seats_at(url: str, matches: int, seed: int = 1) -> list[Seat]:
    """Begin so many matches, of every game in turn."""
    games, seats = game_ids(), []
    with ExitStack() as people:
        for number in range(matches):
            if number % A_PERSON == 0:
                person = people.enter_context(httpx.Client(base_url=url, timeout=120))
                _patiently(person.get, "/")
            body = {"game": games[number % len(games)], "seats": {"german": "me", "soviet": "me"}}
            made = _patiently(person.post, "/api/matches", json=body).json()
            seats.append(Seat(made["id"], person.cookies["ladoga"], random.Random(seed + number)))
    return seats


def _patiently(ask, path, **more):
    """Ask again while the server says that it is too much."""
    while True:
        answer = ask(path, **more)
        if answer.status_code == 200:
            return answer
        if answer.status_code not in (429, 503):
            raise RuntimeError(answer.text)
        time.sleep(0.3)


async def _watch_generals(url: str, port: int, count: int, evening: Evening) -> int:
    """So many games of general against general, each with somebody who watches; how many states they showed."""
    shown = 0
    until = await evening.begun()

    async def watch(match: str, cookie: str) -> None:
        nonlocal shown
        headers = {"Cookie": f"ladoga={cookie}"}
        address = f"ws://127.0.0.1:{port}/ws/{match}"
        async with connect(address, additional_headers=headers, max_size=None, open_timeout=120) as line:
            while time.monotonic() < until:
                try:
                    message = await asyncio.wait_for(line.recv(), until - time.monotonic())
                except TimeoutError:
                    return
                shown += b'"t":"state"' in (message if isinstance(message, bytes) else message.encode())

    async with httpx.AsyncClient(base_url=url, timeout=120) as http:
        await http.get("/")
        made = []
        for _ in range(count):
            body = {"game": GENERAL_GAME, "seats": {"german": "general", "soviet": "general"}}
            made.append((await http.post("/api/matches", json=body)).json()["id"])
        await asyncio.gather(*(watch(match, http.cookies["ladoga"]) for match in made))
    return shown


ORDER = '{"t": "order", "id": 1, "action": "load-load-load", "version": 1, "text": "move a 0304"}'


async def _echo(port: int, evening: Evening) -> list[float]:
    """What the echo server takes, ten times a second."""
    took: list[float] = []
    until = await evening.begun()
    async with connect(f"ws://127.0.0.1:{port}/", open_timeout=120) as line:
        while time.monotonic() < until:
            began = time.monotonic()
            await line.send(ORDER)
            await line.recv()
            took.append(time.monotonic() - began)
            await asyncio.sleep(0.1)
    return took


async def _echo_of_a_table(port: int, evening: Evening) -> list[float]:
    """What it takes where a table as large as ours comes before the answer, and is read like ours."""
    took: list[float] = []
    until = await evening.begun()
    async with connect(f"ws://127.0.0.1:{port}/table", open_timeout=120, max_size=None) as line:
        await line.send(evening.table)
        while time.monotonic() < until:
            began = time.monotonic()
            await line.send(ORDER.replace(" 1,", f" {time.monotonic_ns()},", 1))
            table = await line.recv()
            msgspec.json.decode(table[: len(evening.table)])
            await line.recv()
            took.append(time.monotonic() - began)
            await asyncio.sleep(0.1)
    return took


async def _all(programs, echo, seats: list[Seat], think: float, seconds: float, generals: int):
    evening = Evening(len(seats), seconds)
    playing = [seat.play(programs[n % len(programs)].port, think, evening) for n, seat in enumerate(seats)]
    echoes = [asyncio.create_task(heard(echo.port, evening)) for heard in (_echo, _echo_of_a_table)]
    watching = None
    if generals:
        watching = asyncio.create_task(_watch_generals(programs[0].url, programs[0].port, generals, evening))
    await asyncio.gather(*playing)
    return [await heard for heard in echoes], (await watching) if watching else 0


def live(
    tables: int, seconds: float, think: float = 3.0, *, generals: int = 0, postgres: bool = False, servers: int = 1,
    loops: int = 0, idle: bool = False,
) -> dict:  # fmt: skip
    """So many tables at once: how long the answers took, beside the echo."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        store = str(folder / "matches.db")
        if postgres:
            from database import Cluster

            cluster = stack.enter_context(closing(Cluster()))
            store = cluster.fresh()
        programs = [server(folder, store) for _ in range(servers)]
        echo = Program(folder, ECHO)
        for program in (*programs, echo):
            program.start()
            stack.callback(program.kill)
        seats = seats_at(programs[0].url, tables)
        fsync = fsync_p95(folder)
        stack.enter_context(looping(loops, idle=idle))
        before, here = sum(p.busy() for p in programs), time.process_time()
        echoes, shown = asyncio.run(_all(programs, echo, seats, think, seconds, generals))
        busy, here = sum(p.busy() for p in programs) - before, time.process_time() - here
        kept = open_store(store)
        wrong = [problem for seat in seats if (problem := differing(kept, seat))]
        kept.close()
    report = {"tables": tables, "servers": servers, "store": "postgresql" if postgres else "sqlite"}
    orders = sum(len(seat.took) for seat in seats)
    return report | {"generals": generals} | _times(seats, *echoes, fsync) | {
        "orders": orders, "orders a second": round(orders / seconds, 1),
        "refused": sum(seat.refused for seat in seats), "server busy": round(busy / seconds, 2),
        "server's ms an order": _ms(busy / orders), "players' ms an order": _ms(here / orders),
        "generals' orders": shown, "lost or doubled": len(wrong),
    }  # fmt: skip


def _times(seats: list[Seat], echoes: list[float], tables: list[float], fsync: float) -> dict[str, float]:
    """How long orders took, and beside them the echo with its bar: of a few words, and of a whole table. What the
    players needed for themselves is a part of the first figures, and taken off in the last."""
    took, seen = [t for seat in seats for t in seat.took], [t for seat in seats for t in seat.shown]
    own = [t for seat in seats for t in seat.own]
    return {
        "median ms": _ms(percentile(took, 0.5)), "p95 ms": _ms(percentile(took, 0.95)), "worst ms": _ms(max(took)),
        "shown p95 ms": _ms(percentile(seen, 0.95)),
        "echo median ms": _ms(percentile(echoes, 0.5)), "echo p95 ms": _ms(percentile(echoes, 0.95)),
        "fsync p95 ms": _ms(fsync), "bar ms": _ms(3 * percentile(echoes, 0.95) + fsync),
        "table's echo median ms": _ms(percentile(tables, 0.5)), "table's echo p95 ms": _ms(percentile(tables, 0.95)),
        "table's bar ms": _ms(3 * percentile(tables, 0.95) + fsync),
        "players' own median ms": _ms(percentile(own, 0.5)), "players' own p95 ms": _ms(percentile(own, 0.95)),
        "p95 less that ms": _ms(percentile([all_ - part for all_, part in zip(took, own, strict=True)], 0.95)),
    }  # fmt: skip


def _ms(seconds: float) -> float:
    return round(1000 * seconds, 1)


def differing(store, seat: Seat) -> str:
    """How the store differs from what was acknowledged; empty if it does not."""
    kept = [text for _, mover, text, _ in store.now(Ledger.events, seat.match) if mover != "chance"]
    if kept == seat.acknowledged:
        return ""
    if seat.doubtful and kept == [*seat.acknowledged, seat.doubtful]:
        return ""
    return f"{seat.match}: {len(seat.acknowledged)} acknowledged, {len(kept)} kept, {kept[-3:]} {seat.doubtful!r}"


def bars(seconds: float) -> bool:
    """The bars of the project, one after another; whether all were met."""
    good = True
    for how in ({}, {"postgres": True, "servers": 2}):
        hundred = live(100, seconds, **how)
        many = live(400, seconds, **how)
        thinking = live(100, seconds, generals=4, **how)
        for report, bar, words in (
            (hundred, hundred["bar ms"], "within three echoes and an fsync"),
            (many, 100.0, "under 100 ms"),
            (thinking, 2 * hundred["p95 ms"], "at most doubled beside four generals"),
        ):
            met = report["p95 ms"] <= bar and not report["lost or doubled"]
            good = good and met
            print(" ".join(f"{name}: {value};" for name, value in report.items()))
            print(f"    p95 {report['p95 ms']} ms, {words} ({bar} ms): {'met' if met else 'NOT MET'}", flush=True)
    return good


def by_turns(turns: int, seconds: float, **how) -> None:
    """A hundred tables beside nobody, generals and loops, by turns: what else goes on here is much the same for all."""
    p95s: dict[str, list[float]] = {beside: [] for beside in BESIDE}
    for turn in range(turns):
        for beside, more in BESIDE.items():
            report = live(100, seconds, **how, **more)
            p95s[beside].append(report["p95 ms"])
            told = [f"{name} {report[name]}" for name in ("median ms", "p95 ms", "echo p95 ms", "generals' orders")]
            print(f"{turn + 1}. beside {beside}: {', '.join(told)}", flush=True)
    alone = statistics.median(p95s["nobody"])
    for beside, found in p95s.items():
        middle = statistics.median(found)
        times = middle / alone
        print(f"beside {beside}: p95 {min(found)} to {max(found)} ms, median {middle} ms, {times:.2f} times alone")


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--tables", type=int, default=0)
    words.add_argument("--seconds", type=float, default=30)
    words.add_argument("--think", type=float, default=3.0, help="seconds between two orders of a table")
    words.add_argument("--generals", type=int, default=0)
    words.add_argument("--postgres", action="store_true")
    words.add_argument("--servers", type=int, default=1)
    words.add_argument("--turns", type=int, default=0, help="beside nobody, generals and loops, so many times each")
    asked = words.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that servers and loops end with it
    if asked.turns:
        by_turns(asked.turns, asked.seconds, postgres=asked.postgres, servers=asked.servers)
        return
    if not asked.tables:
        sys.exit(0 if bars(asked.seconds) else 1)
    report = live(
        asked.tables, asked.seconds, asked.think, generals=asked.generals, postgres=asked.postgres,
        servers=asked.servers,
    )  # fmt: skip
    for name, value in report.items():
        print(f"{name}: {value}")
    sys.exit(1 if report["lost or doubled"] else 0)


if __name__ == "__main__":
    main()
