"""A server whose database comes later, goes, and comes back."""

import os
import socket
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

import httpx
import pytest
from database import Cluster

import ladoga

from .serving import Guest, Table

ENOUGH = 120
"""Seconds for what takes two on a machine that has nothing else to do."""


class Served:
    """``ladoga serve`` on a database, in a process of its own."""

    def __init__(self, folder, store, *words):
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = folder / "log"
        env = {**os.environ, "PYTHONPATH": str(Path(ladoga.__file__).parents[1]), "LADOGA_HOME": str(folder)}
        command = [sys.executable, "-m", "ladoga", "serve", "--port", str(self.port), "--store", store, *words]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(command, env=env, stdout=log, stderr=log)

    def ready(self):
        """What it says about being ready; nothing while it does not answer."""
        with suppress(httpx.TransportError):
            return httpx.get(f"{self.url}/health/ready", timeout=10).status_code
        return None

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(20)


def until(true):
    end = time.monotonic() + ENOUGH
    while not true():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.1)


@pytest.fixture
def own_cluster(cluster):
    """A database that a test may stop without disturbing others."""
    with closing(Cluster()) as own:
        yield own


def an_order(table):
    unit = next(iter(table.state()["offers"]["units"]))
    return table.ask("of", units=[unit])["orders"][0]["text"]


def test_a_server_waits_for_its_database_and_goes_on_when_it_comes_back(own_cluster, tmp_path):
    store = own_cluster.fresh()
    own_cluster.stop()
    with closing(Served(tmp_path, store, "--wait", str(ENOUGH))) as server:
        until(lambda: "does not answer yet" in server.log.read_text())
        assert server.process.poll() is None
        own_cluster.start()
        until(lambda: server.ready() == 200)
        guest = Guest(server)
        table = Table(guest, guest.begin(german="me", soviet="me")["id"])
        table.hear("state")
        assert table.give(an_order(table))["ok"]
        own_cluster.stop()
        until(lambda: server.ready() == 503)
        own_cluster.start()
        until(lambda: server.ready() == 200)
        assert table.give(an_order(table))["ok"]
        said = server.log.read_text()
        assert said.count("does not answer yet") == 1, "one clear line"
        assert "Traceback" not in said
        table.close(), guest.close()


@pytest.mark.parametrize(("wait", "name"), [("0.1", "ladoga_1"), ("600", "no_such_database")])
def test_it_does_not_wait_for_ever_nor_for_one_that_refuses_it(own_cluster, tmp_path, wait, name):
    store = own_cluster.address(name)
    if name == "ladoga_1":
        own_cluster.stop()
    with closing(Served(tmp_path, store, "--wait", wait)) as server:
        assert server.process.wait(ENOUGH) != 0
        *_, last = server.log.read_text().strip().splitlines()
        assert "matches cannot be kept there" in last
        assert ("waiting for up to 0 seconds" in server.log.read_text()) == (wait == "0.1")
        assert "Traceback" not in server.log.read_text()
