"""Many matches at once on one server, and a server that is killed under load.

``python tools/load.py --matches 200 --seconds 60`` plays 200 matches of all games side by side, each giving an order
every few seconds, and reports how long the server took to answer. With ``--kills 200`` the server is killed that often
at random moments, started again, and its store compared with what it had acknowledged: nothing lost, nothing twice.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from ladoga import game_ids

SOURCE = Path(__file__).parents[1] / "src"
A_PERSON = 20
"""Matches that one person begins."""


class Server:
    """A server in a process of its own, on a port of its own."""

    def __init__(self, folder: Path) -> None:
        self.db = folder / "matches.db"
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.env = {**os.environ, "PYTHONPATH": str(SOURCE), "LADOGA_HOME": str(folder)}

    def start(self) -> None:
        program = f"from ladoga.server import serve; serve('127.0.0.1', {self.port}, {str(self.db)!r})"
        self.process = subprocess.Popen([sys.executable, "-c", program], env=self.env, stdout=subprocess.DEVNULL)
        for _ in range(600):
            try:
                httpx.get(f"{self.url}/api/games", timeout=5)
                return
            except httpx.TransportError:
                time.sleep(0.05)
        raise RuntimeError("the server did not start")

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def busy(self) -> float:
        """Processor seconds it has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


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
    refused: int = 0

    async def play(self, server: Server, think: float, until: float) -> None:
        """Give orders until the time is up or the line breaks."""
        url = f"ws://127.0.0.1:{server.port}/ws/{self.match}"
        try:
            async with connect(url, additional_headers={"Cookie": f"ladoga={self.cookie}"}, max_size=None) as line:
                await self._sit(line, think, until)
        except (ConnectionClosed, InvalidHandshake, OSError, EOFError):
            return

    async def _sit(self, line, think: float, until: float) -> None:
        state, number = await self._hear(line, "state"), 0
        await asyncio.sleep(self.rng.uniform(0, think))
        while time.monotonic() < until and not state["over"]:
            number += 1
            text = await self._choose(line, state, number)
            if text is None:
                return
            self.doubtful = text
            began = time.monotonic()
            action = f"load-{self.match}-{time.monotonic_ns()}"
            await line.send(json.dumps(
                {"t": "order", "id": 2 * number + 1, "action": action, "version": state["version"], "text": text}
            ))  # fmt: skip
            reply = None
            while reply is None:
                message = json.loads(await line.recv())
                if message["t"] in ("state", "curtain"):
                    state = message
                if message["t"] == "reply" and message["id"] == 2 * number + 1:
                    reply = message
            self.took.append(time.monotonic() - began)
            if reply["ok"]:
                self.acknowledged.append(text)
            else:
                self.refused += 1
            self.doubtful = ""
            if state["t"] == "curtain":
                await line.send(json.dumps({"t": "ready", "id": 0, "side": state["side"]}))
                state = await self._hear(line, "state")
            await asyncio.sleep(self.rng.uniform(0.5, 1.5) * think)

    async def _hear(self, line, kind: str):
        while True:
            message = json.loads(await line.recv())
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
                message = json.loads(await line.recv())
                if message["t"] == "reply" and message["id"] == 2 * number:
                    break
            orders = message.get("orders") or []
            if orders:
                return self.rng.choice(orders)["text"]
        return self.rng.choice(whole) if whole else None


def seats_at(server: Server, matches: int, seed: int = 1) -> list[Seat]:
    """Begin so many matches, of every game in turn."""
    games, seats = game_ids(), []
    with ExitStack() as people:
        for number in range(matches):
            if number % A_PERSON == 0:
                person = people.enter_context(httpx.Client(base_url=server.url, timeout=60))
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
        if "flood" not in answer.text:
            raise RuntimeError(answer.text)
        time.sleep(0.3)


async def _all(server: Server, seats: list[Seat], think: float, seconds: float) -> None:
    until = time.monotonic() + seconds
    await asyncio.gather(*(seat.play(server, think, until) for seat in seats))


def live(matches: int, seconds: float, think: float) -> dict[str, float]:
    """So many matches at once: how long the answers took."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        server.start()
        try:
            seats = seats_at(server, matches)
            before, began = server.busy(), time.monotonic()
            asyncio.run(_all(server, seats, think, seconds))
            busy, wall = server.busy() - before, time.monotonic() - began
        finally:
            server.kill()
        wrong = [problem for seat in seats if (problem := differing(server.db, seat))]
    took = sorted(t for seat in seats for t in seat.took)
    return {
        "matches": matches, "orders": len(took), "orders a second": round(len(took) / wall, 1),
        "median ms": round(1000 * took[len(took) // 2], 1), "p95 ms": round(1000 * took[int(len(took) * 0.95)], 1),
        "worst ms": round(1000 * took[-1], 1), "refused": sum(seat.refused for seat in seats),
        "server busy": round(busy / wall, 2), "lost or doubled": len(wrong),
    }  # fmt: skip


def differing(db: Path, seat: Seat) -> str:
    """How the store differs from what was acknowledged; empty if it does not."""
    with closing(sqlite3.connect(db)) as store:
        query = "SELECT text FROM events WHERE match = ? AND NOT undone AND mover <> 'chance' ORDER BY seq"
        kept = [row[0] for row in store.execute(query, (seat.match,))]
    if kept == seat.acknowledged:
        return ""
    if seat.doubtful and kept == [*seat.acknowledged, seat.doubtful]:
        return ""
    return f"{seat.match}: {len(seat.acknowledged)} acknowledged, {len(kept)} kept, {kept[-3:]} {seat.doubtful!r}"


def killed(matches: int, kills: int, think: float) -> dict[str, int]:
    """A server killed so often under load; after each death its store is compared with what it promised."""
    rng = random.Random(7)
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        server.start()
        seats = seats_at(server, matches)
        try:
            for _ in range(kills):
                asyncio.run(_until_killed(server, seats, think, rng.uniform(0.2, 1.5)))
                for seat in seats:
                    problem = differing(server.db, seat)
                    wrong += [problem] if problem else []
                    if seat.doubtful and not problem:
                        _learn(server.db, seat)
                server.start()
        finally:
            server.kill()
    for problem in wrong:
        print(problem)
    return {
        "kills": kills, "matches": matches, "orders acknowledged": sum(len(seat.acknowledged) for seat in seats),
        "lost or doubled": len(wrong),
    }  # fmt: skip


def _learn(db: Path, seat: Seat) -> None:
    """What became of the order that was under way when the server died."""
    with closing(sqlite3.connect(db)) as store:
        query = "SELECT count(*) FROM events WHERE match = ? AND NOT undone AND mover <> 'chance'"
        kept = store.execute(query, (seat.match,)).fetchone()[0]
    if kept > len(seat.acknowledged):
        seat.acknowledged.append(seat.doubtful)
    seat.doubtful = ""


async def _until_killed(server: Server, seats: list[Seat], think: float, moment: float) -> None:
    playing = asyncio.gather(*(seat.play(server, think, time.monotonic() + 60) for seat in seats))
    await asyncio.sleep(moment)
    server.kill()
    await playing


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--matches", type=int, default=200)
    words.add_argument("--seconds", type=float, default=60)
    words.add_argument("--think", type=float, default=4.0, help="seconds between two orders of a match")
    words.add_argument("--kills", type=int, default=0)
    asked = words.parse_args()
    if asked.kills:
        report = killed(asked.matches, asked.kills, asked.think)
    else:
        report = live(asked.matches, asked.seconds, asked.think)
    for name, value in report.items():
        print(f"{name}: {value}")
    sys.exit(1 if report["lost or doubled"] else 0)


if __name__ == "__main__":
    main()
