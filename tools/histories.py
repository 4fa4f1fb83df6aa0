"""Checks histories, in Jepsen's way: what people sent and saw while servers died under them.

Several servers keep their matches in one PostgreSQL, or one server in an SQLite file. Players sit at the same tables
through different servers and give and take back orders at the same time, each writing down what it sent, what it was
answered and what it was shown. Meanwhile servers are killed, their lines to the database are cut or held up, and the
database itself is killed. Whoever loses its line comes back somewhere else and sends again what was not answered.

Afterwards the store is read: every acknowledged action is there once, under the number it was acknowledged with; orders
stand in one order; everybody who was shown a version was shown the same; and nobody is left behind.

    python tools/histories.py --kills 1000 --servers 3
    python tools/histories.py --kills 100 --sqlite
"""

import argparse
import asyncio
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import httpx
from database import Cluster
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from ladoga.kernel.game import load_game
from ladoga.server.match import Match
from ladoga.server.store import Ledger, open_store

SOURCE = Path(__file__).parents[1] / "src"
GAMES = ("leningrad-1979", "assault-stalingrad")
BROKEN = (ConnectionClosed, InvalidHandshake, InvalidMessage, OSError, EOFError, TimeoutError)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


class Line:
    """A line to the database that can be cut and held up."""

    def __init__(self, target: int) -> None:
        self.target = target
        self.port = free_port()
        self.cut = False
        self.open = asyncio.Event()
        self.open.set()
        self._writers = set()

    async def start(self) -> None:
        self.server = await asyncio.start_server(self._carry, "127.0.0.1", self.port)

    async def _carry(self, reader, writer) -> None:
        if self.cut:
            writer.transport.abort()
            return
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        self._writers |= {writer, back}
        await asyncio.gather(self._one_way(reader, back), self._one_way(there, writer))
        for end in (writer, back):
            self._writers.discard(end)
            end.transport.abort()

    async def _one_way(self, reader, writer) -> None:
        with suppress(OSError, ConnectionError):
            while data := await reader.read(65536):
                await self.open.wait()
                writer.write(data)
                await writer.drain()
        writer.transport.abort()

    async def break_for(self, seconds: float) -> None:
        self.cut = True
        for writer in list(self._writers):
            writer.transport.abort()
        await asyncio.sleep(seconds)
        self.cut = False

    async def hold_for(self, seconds: float) -> None:
        self.open.clear()
        await asyncio.sleep(seconds)
        self.open.set()

    def close(self) -> None:
        self.server.close()
        for writer in list(self._writers):
            writer.transport.abort()


class Server:
    """A server in a process of its own."""

    def __init__(self, store: str, folder: Path) -> None:
        self.store, self.port = store, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.env = {**os.environ, "PYTHONPATH": str(SOURCE), "LADOGA_HOME": str(folder)}
        self.log = folder / f"server-{self.port}.log"
        self.kills = 0
        self.process: subprocess.Popen | None = None

    async def start(self) -> None:
        words = ["serve", "--port", str(self.port), "--store", self.store, "--thinkers", "1"]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "ladoga", *words], env=self.env, stdout=subprocess.DEVNULL, stderr=log
            )
        await self.ready()

    async def ready(self) -> None:
        async with httpx.AsyncClient(timeout=5) as http:
            for _ in range(1200):
                with suppress(httpx.TransportError):
                    if (await http.get(f"{self.url}/health/ready")).status_code == 200:
                        return
                if self.process.poll() is not None:  # the database was not there when it wanted to start
                    await asyncio.sleep(0.3)
                    await self.start()
                    return
                await asyncio.sleep(0.1)
        raise RuntimeError("the server did not start")

    def kill(self) -> None:
        self.kills += 1
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()


@dataclass
class History:
    """What everybody sent and saw."""

    acknowledged: dict = field(default_factory=lambda: defaultdict(dict))
    """Match, action: the version it was acknowledged with, and the text (``None`` where it was told 'again')."""
    shown: dict = field(default_factory=lambda: defaultdict(lambda: defaultdict(set)))
    """Match, (version, audience): the fingerprints of what was shown."""
    sent: int = 0
    refused: int = 0
    broken: int = 0
    backward: int = 0
    took: list = field(default_factory=list)


class Table:
    """Where several browsers of the same person play both sides of one match after another."""

    def __init__(self, number: int, cookie: str) -> None:
        self.number, self.cookie = number, cookie
        self.matches: list[str] = []
        self._beginning = asyncio.Lock()

    async def begin(self, server) -> None:
        """Begin a match, of every game in turn."""
        game = GAMES[(self.number + len(self.matches)) % len(GAMES)]
        body = {"game": game, "seats": {"german": "me", "soviet": "me"}}
        async with httpx.AsyncClient(base_url=server.url, cookies={"ladoga": self.cookie}, timeout=20) as http:
            try:
                answer = await http.post("/api/matches", json=body)
                answer.raise_for_status()
            except httpx.HTTPError as problem:
                raise OSError(str(problem)) from None
        self.matches.append(answer.json()["id"])

    async def after(self, over: str, server) -> str:
        """The match that is played when one is over, begun by whoever comes first."""
        async with self._beginning:
            if self.matches[-1] == over:
                await self.begin(server)
        return self.matches[-1]


class Player:
    """Somebody at a table, through whichever server answers."""

    def __init__(self, table: Table, servers, history: History, rng: random.Random) -> None:
        self.table, self.servers, self.history, self.rng = table, servers, history, rng
        self.match = table.matches[-1]
        self.pending = None
        """A message that was sent and not answered."""
        self.version = -1
        self.final = None
        self._id = 0

    async def play(self, stop: asyncio.Event, think: float) -> None:
        while not stop.is_set():
            server = self.rng.choice(self.servers)
            try:
                async with self._line(server) as line:
                    over = await self._sit(line, stop, think)
                if over:
                    self.match = await self.table.after(self.match, server)
            except BROKEN:
                self.history.broken += 1
                await asyncio.sleep(self.rng.uniform(0.05, 0.4))

    def _line(self, server):
        url = f"ws://127.0.0.1:{server.port}/ws/{self.match}"
        headers = {"Cookie": f"ladoga={self.table.cookie}"}
        return connect(
            url, additional_headers=headers, max_size=None, open_timeout=5, close_timeout=1, compression=None
        )

    async def _sit(self, line, stop, think: float) -> bool:
        """Play; whether the match is over."""
        self.version = -1
        state = await self._hear(line)
        if self.pending is not None:
            await self._send(line, self.pending)
        while not stop.is_set():
            await asyncio.sleep(self.rng.uniform(0.2, 1.8) * think)
            state = await self._drain(line, state)
            if state["over"]:
                return True
            message = await self._choose(line, state)
            if message is None:
                continue
            state = await self._send(line, message) or state
        return False

    async def _hear(self, line):
        while True:
            message = json.loads(await asyncio.wait_for(line.recv(), 20))
            if message["t"] == "state":
                self._see(message)
                return message
            if message["t"] == "curtain":
                self._id += 1
                await line.send(json.dumps({"t": "ready", "id": self._id, "side": message["side"]}))
            if message["t"] == "error":
                raise OSError(message["message"])

    async def _drain(self, line, state):
        while True:
            try:
                message = json.loads(await asyncio.wait_for(line.recv(), 0.001))
            except TimeoutError:
                return state
            if message["t"] == "state":
                self._see(message)
                state = message
            if message["t"] == "curtain":
                self._id += 1
                await line.send(json.dumps({"t": "ready", "id": self._id, "side": message["side"]}))

    def _see(self, state) -> None:
        seen = json.dumps([state[key] for key in ("n", "turn", "to_move", "over", "table")], sort_keys=True)
        print_ = sha256(seen.encode()).hexdigest()[:16]
        self.history.shown[self.match][state["version"], state["audience"]].add(print_)
        if state["version"] < self.version:
            self.history.backward += 1
        self.version = state["version"]
        self.final = state["version"], state["n"]

    async def _choose(self, line, state):
        action = f"{self.rng.getrandbits(64):016x}"
        undo = state["undo"]["to"]
        if undo is not None and self.rng.random() < 0.25:
            return {"t": "undo", "action": action, "version": state["version"], "to": undo}
        offers = state["offers"]
        whole = [*offers["orders"], *(text for texts in offers["hexes"].values() for text in texts[:1])]
        units = list(offers["units"])
        if units and (not whole or self.rng.random() < 0.8):
            self._id += 1
            await line.send(json.dumps({"t": "of", "id": self._id, "units": [self.rng.choice(units)]}))
            reply = await self._reply(line, self._id)
            orders = [order["text"] for order in reply.get("orders") or []]
        else:
            orders = whole
        if not orders:
            return None
        return {"t": "order", "action": action, "version": state["version"], "text": self.rng.choice(orders)}

    async def _reply(self, line, number):
        while True:
            message = json.loads(await asyncio.wait_for(line.recv(), 30))
            if message["t"] == "state":
                self._see(message)
            if message["t"] == "reply" and message["id"] == number:
                return message

    async def _send(self, line, message):
        """Send a deed; it stays pending until it is answered."""
        self.pending = message
        self._id += 1
        self.history.sent += 1
        began = time.monotonic()
        await line.send(json.dumps({**message, "id": self._id}))
        number = self._id
        state = None
        while True:
            heard = json.loads(await asyncio.wait_for(line.recv(), 30))
            if heard["t"] == "state":
                self._see(heard)
                state = heard
            if heard["t"] == "reply" and heard["id"] == number:
                break
        self.history.took.append(time.monotonic() - began)
        if heard["ok"]:
            version = None if heard.get("again") else heard.get("version")
            self.history.acknowledged[self.match][message["action"]] = (version, message)
            self.pending = None
            while self.version < (version or 0):  # what is acknowledged is shown
                state = await self._hear(line)
        elif heard["code"] in ("disk", "closing", "server", "flood"):
            raise OSError(heard["message"])  # it may have been written: come back and send it again
        else:
            self.history.refused += 1
            self.pending = None
        return state


async def tables(servers, matches: int, players: int, history: History, seed: int):
    """So many tables, and those who play at each."""
    made = []
    async with httpx.AsyncClient(base_url=servers[0].url, timeout=60) as http:
        await http.get("/")
        for number in range(matches):
            table = Table(number, http.cookies["ladoga"])
            await table.begin(servers[0])
            for seat in range(players):
                made.append(Player(table, servers, history, random.Random(f"{seed} {number} {seat}")))
    return made


async def _some_play(history: History, more: int = 4, patience: float = 20.0) -> bool:
    """Wait until a few more orders have been acknowledged: on a busy machine servers are slow to come back."""
    before, end = _acknowledged(history), time.monotonic() + patience
    while _acknowledged(history) < before + more:
        if time.monotonic() > end:
            return False
        await asyncio.sleep(0.05)
    return True


def _acknowledged(history: History) -> int:
    return sum(len(actions) for actions in history.acknowledged.values())


async def disturb(servers, lines, cluster, kills: int, rng: random.Random, pause: float, history: History) -> dict:
    """Kill servers, cut and hold up lines, and now and then kill the database."""
    counts = {"kills": 0, "cuts": 0, "held": 0, "database kills": 0, "while nobody played": 0}
    starting = set()
    while counts["kills"] < kills:
        counts["while nobody played"] += not await _some_play(history)
        await asyncio.sleep(rng.uniform(0.0, 1.0) * pause)
        what = rng.random()
        if lines and what < 0.25:
            counts["cuts"] += 1
            await rng.choice(lines).break_for(rng.uniform(0.1, 1.5))
        elif lines and what < 0.4:
            counts["held"] += 1
            await rng.choice(lines).hold_for(rng.uniform(0.1, 2.0))
        elif cluster and what < 0.44:
            counts["database kills"] += 1
            await asyncio.to_thread(cluster.stop)
            await asyncio.to_thread(cluster.start)
        else:
            up = [server for server in servers if server not in starting]
            if len(up) > 1 or not starting:
                server = rng.choice(up)
                server.kill()
                counts["kills"] += 1
                starting.add(server)
                task = asyncio.create_task(server.start())
                task.add_done_callback(lambda _, server=server: starting.discard(server))
                server.starting = task
    for server in servers:
        if hasattr(server, "starting"):
            await server.starting
    return counts


async def settled(players, store: str) -> list:
    """Everybody comes once more and sends what was not answered; whoever does not see the last version is told of."""
    wrong = []
    for player in players:
        for server in player.servers:
            async with player._line(server) as line:
                player.version = -1
                await player._hear(line)
                if player.pending is not None:
                    await player._send(line, player.pending)
    await asyncio.sleep(0.5)
    last = {}
    for player in players:
        for server in player.servers:
            async with player._line(server) as line:
                player.version = -1
                await player._hear(line)
            seen = last.setdefault(player.match, player.final)
            if player.final != seen:
                wrong.append(f"{player.match}: {server.port} shows {player.final}, another {seen}")
    return wrong


def check(store: str, history: History, matches) -> list:
    """What is wrong with the store, by what was acknowledged and shown."""
    wrong = []
    kept = open_store(store)
    try:
        for match in matches:
            wrong += _check_match(kept, history, match)
    finally:
        kept.close()
    return wrong


def _check_match(kept, history: History, match: str) -> list:
    wrong = []
    row, live = kept.now(Ledger.match, match), kept.now(Ledger.events, match)
    events = kept.now(
        lambda ledger: ledger._rows("SELECT seq, mover, text, revision FROM events WHERE match = ? ORDER BY seq", match)
    )
    actions = dict(kept.now(lambda ledger: ledger._rows("SELECT action, revision FROM actions WHERE match = ?", match)))
    if sorted(actions.values()) != list(range(1, row.revision + 1)):
        wrong.append(f"{match}: the actions are not numbered from 1 to {row.revision}, each once")
    if [seq for seq, *_ in events] != list(range(1, len(events) + 1)):
        wrong.append(f"{match}: the events are not numbered one after another")
    orders = defaultdict(list)
    for _, mover, text, revision in events:
        if mover != "chance":
            orders[revision].append(text)
    for action, (version, message) in history.acknowledged[match].items():
        if action not in actions:
            wrong.append(f"{match}: {action} was acknowledged and is lost")
            continue
        if version is not None and version < actions[action]:
            wrong.append(f"{match}: {action} was acknowledged with {version} and stands at {actions[action]}")
        expected = [message["text"]] if message["t"] == "order" else []
        if orders.get(actions[action], []) != expected:
            wrong.append(f"{match}: {action} brought {orders.get(actions[action])}, not {expected}")
    for (version, audience), prints in history.shown[match].items():
        if len(prints) > 1:
            wrong.append(f"{match}: version {version} was shown to {audience} in {len(prints)} ways")
        if version > row.revision:
            wrong.append(f"{match}: version {version} was shown and is lost")
    game = load_game(row.game, row.overlay)
    if len(Match(row, game, live, kept.now(Ledger.seats, match)).orders) != len(live):
        wrong.append(f"{match}: does not replay")
    return wrong


async def run(
    *, kills: int, servers: int = 2, matches: int = 3, players: int = 3, think: float = 0.25, pause: float = 1.0,
    sqlite: bool = False, seed: int = 1, database_kills: bool = True,
) -> dict:  # fmt: skip
    """The whole of it: a report with everything that is wrong."""
    rng, history = random.Random(seed), History()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cluster = None if sqlite else Cluster()
        lines, running = [], []
        try:
            if sqlite:
                store = str(folder / "matches.db")
                running = [Server(store, folder)]
            else:
                store = cluster.fresh()
                lines = [Line(cluster.port) for _ in range(servers)]
                for line in lines:
                    await line.start()
                running = [Server(store.replace(f":{cluster.port}/", f":{line.port}/"), folder) for line in lines]
            await asyncio.gather(*(server.start() for server in running))
            seated = await tables(running, matches, players, history, seed)
            stop = asyncio.Event()
            playing = [asyncio.create_task(player.play(stop, think)) for player in seated]
            began = time.monotonic()
            counts = await disturb(running, lines, cluster if database_kills else None, kills, rng, pause, history)
            stop.set()
            done, late = await asyncio.wait(playing, timeout=40)
            for task in late:
                task.cancel()
            wall = time.monotonic() - began
            await asyncio.gather(*(server.ready() for server in running))
            wrong = await settled(seated, store)
            for server in running:
                server.kill()
            played = {match for player in seated for match in player.table.matches}
            wrong += await asyncio.to_thread(check, store, history, played)
            for task in done:
                if task.exception() is not None:
                    wrong.append(f"a player failed: {task.exception()!r}")
            traces = [
                trace for server in running
                for trace in server.log.read_text(errors="replace").split("Traceback (most recent call last):")[1:]
            ]  # fmt: skip
        finally:
            for server in running:
                server.kill()
            for line in lines:
                line.close()
            if cluster is not None:
                cluster.close()
    shown = sum(len(prints) for match in history.shown.values() for prints in match.values())
    return {
        **counts, "servers": len(running), "tables": matches, "matches": len(played), "players": len(seated),
        "seconds": round(wall), "sent": history.sent, "acknowledged": _acknowledged(history),
        "refused": history.refused, "lines broken": history.broken, "versions shown": shown,
        "shown backward": history.backward, "tracebacks": traces[:5], "wrong": wrong,
    }  # fmt: skip


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--kills", type=int, default=1000)
    words.add_argument("--servers", type=int, default=3)
    words.add_argument("--matches", type=int, default=6)
    words.add_argument("--players", type=int, default=3)
    words.add_argument("--pause", type=float, default=1.0, help="seconds between two disturbances")
    words.add_argument("--sqlite", action="store_true")
    words.add_argument("--seed", type=int, default=1)
    asked = words.parse_args()
    report = asyncio.run(
        run(
            kills=asked.kills, servers=asked.servers, matches=asked.matches, players=asked.players, pause=asked.pause,
            sqlite=asked.sqlite, seed=asked.seed,
        )
    )  # fmt: skip
    for name, value in report.items():
        print(f"{name}: {value}")
    sys.exit(1 if report["wrong"] or report["shown backward"] or report["tracebacks"] else 0)


if __name__ == "__main__":
    main()
