"""A server in its process: how it is, how it ends, and what it says when there is trouble."""

import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

import ladoga
from ladoga.server.store import Ledger, open_store

from .serving import Guest, Table

FEW = 280
"""Descriptors of a server that has hardly any."""


class Served:
    """``ladoga serve`` in a process of its own."""

    def __init__(self, folder, *words, few=False):
        self.db = folder / "matches.db"
        with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as two:
            self.port, self.figures = one.getsockname()[1], two.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        env = {**os.environ, "PYTHONPATH": str(Path(ladoga.__file__).parents[1]), "LADOGA_HOME": str(folder)}
        self.log = folder / "log"
        command = [
            sys.executable, "-m", "ladoga", "serve", "--port", str(self.port), "--store", str(self.db), "--json-logs",
            "--metrics", f"127.0.0.1:{self.figures}", *words,
        ]  # fmt: skip
        limit = (lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (FEW, FEW))) if few else None
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(command, env=env, stdout=log, stderr=log, preexec_fn=limit)
        for _ in range(600):
            try:
                httpx.get(f"{self.url}/health/ready", timeout=5)
                return
            except httpx.TransportError:
                time.sleep(0.05)
        raise AssertionError(self.log.read_text())

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(20)


@pytest.fixture
def served(tmp_path):
    running = []

    def start(*words, **more):
        running.append(Served(tmp_path, *words, **more))
        return running[-1]

    yield start
    for server in running:
        server.end()


def an_order(table):
    unit = next(iter(table.state()["offers"]["units"]))
    return table.ask("of", units=[unit])["orders"][0]["text"]


def test_asked_to_stop_it_tells_the_tables_writes_everything_and_goes(served):
    server = served()
    guest = Guest(server)
    match = guest.begin(german="me", soviet="me")["id"]
    table = Table(guest, match)
    table.hear("state")
    assert table.give(an_order(table))["ok"]
    state, text = table.state(), an_order(table)
    server.process.send_signal(signal.SIGTERM)
    table.ws.send(json.dumps(
        {"t": "order", "id": 99, "action": "the-last-one", "version": state["version"], "text": text}
    ))  # fmt: skip
    with pytest.raises(ConnectionClosed) as closed:
        table.hear("nothing more", timeout=60)
    assert closed.value.rcvd.code == 1012
    assert "closing" in table.last
    replies = [message for message in table.heard if message["t"] == "reply" and message["id"] == 99]
    assert server.process.wait(20) == 0
    guest.close()
    store = open_store(server.db)
    kept = store.now(Ledger.count, match)
    store.close()
    assert kept == state["n"] + sum(reply["ok"] for reply in replies)
    assert all(reply["ok"] or reply["code"] == "closing" for reply in replies)
    assert "Traceback" not in server.log.read_text()


def test_it_tells_how_it_is(served):
    server = served()
    guest = Guest(server)
    table = Table(guest, guest.begin(german="me", soviet="me")["id"])
    table.hear("state")
    assert table.give(an_order(table))["ok"]
    assert guest.http.get("/health").json() == {"live": True, "ready": True, "why": ""}
    assert guest.http.get("/metrics").status_code == 404, "figures have an address of their own"
    told = httpx.get(f"http://127.0.0.1:{server.figures}/metrics").text
    figures = dict(line.rsplit(" ", 1) for line in told.splitlines() if not line.startswith("#"))
    assert float(figures["ladoga_orders_total"]) == 1
    assert float(figures["ladoga_answer_seconds_count"]) == 1
    assert float(figures["ladoga_sockets_now"]) == 1
    assert float(figures["ladoga_tables_watched"]) == 1
    for name in ("commit_seconds_sum", "store_seconds_sum", "show_seconds_sum", "thinking_waiting", "writes_waiting"):
        assert f"ladoga_{name}" in figures
    for line in told.splitlines():
        assert re.fullmatch(r"# (HELP|TYPE) \w+ .+|[a-z_]+(\{\w+=\"[^\"]*\"\})? [\d.e+-]+", line), line
    table.close(), guest.close()


def test_out_of_descriptors_it_says_so_once_and_those_who_play_go_on(served):
    server = served(few=True)
    guest = Guest(server)
    table = Table(guest, guest.begin(german="me", soviet="me")["id"])
    table.hear("state")
    crowd = []
    try:
        for _ in range(400):
            line = socket.socket()
            line.settimeout(2)
            try:
                line.connect(("127.0.0.1", server.port))
            except OSError:
                line.close()
                continue
            crowd.append(line)
        assert table.give(an_order(table))["ok"]
    finally:
        for line in crowd:
            line.close()
    log = server.log.read_text()
    assert len(log) < 10_000
    assert log.count("Traceback") == 0
    for _ in range(100):
        try:
            if guest.http.get("/health/live").status_code == 200:
                break
        except httpx.TransportError:
            pass
        time.sleep(0.1)
    else:
        raise AssertionError("it did not recover")
    table.close(), guest.close()


def test_logs_are_json_lines_with_request_and_match(served, tmp_path):
    server = served()
    guest = Guest(server)
    match = guest.begin(german="me", soviet="me")["id"]
    store = open_store(server.db)
    store.now(Ledger.add, match, "action-bad", 0, [("soviet", "fly to the moon")])
    store.close()
    server.process.kill()
    server.process.wait()
    again = served()
    guest.running = again
    guest.http.base_url = again.url
    assert guest.http.get("/api/matches").json()["matches"] == []
    lines = [json.loads(line) for line in again.log.read_text().splitlines() if line.startswith("{")]
    told = next(line for line in lines if match in line["message"])
    assert told["level"] == "warning"
    assert told["path"] == "/api/matches"
    assert len(told["request"]) == 8
    guest.close()
