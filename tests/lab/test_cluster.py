"""Games on a cluster: workers come and go, the scheduler too, and the games are the same."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

import ladoga
from ladoga.kernel.errors import LadogaError
from ladoga.lab import Match, digest, simulate

pytest.importorskip("distributed")

MATCH = Match("tijvin-1941", {"german": "random", "soviet": "random"}, seed=9)
GAMES = 10
WORDS = ["simulate", "tijvin-1941", "--seed", "9"]
ENOUGH = 180


@pytest.fixture(scope="module")
def expected():
    return digest(simulate(MATCH, GAMES))


class Program:
    """A process of a cluster."""

    def __init__(self, folder, *words):
        env = {**os.environ, "PYTHONPATH": str(Path(ladoga.__file__).parents[1]), "PYTHONWARNINGS": "ignore"}
        self.log = folder / f"{words[1].rsplit('.', 1)[-1]}-{time.monotonic_ns()}.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen([sys.executable, *words], env=env, stdout=log, stderr=log, cwd=folder)

    def said(self):
        return self.log.read_text(errors="replace")

    def kill(self):
        self.process.kill()
        self.process.wait()


@pytest.fixture
def start(tmp_path):
    with ExitStack() as stack:

        def started(*words):
            program = Program(tmp_path, *words)
            stack.callback(program.kill)
            return program

        yield started


@pytest.fixture
def scheduler(start):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    where = ("--host", "127.0.0.1", "--port", str(port), "--no-dashboard")
    program = start("-m", "distributed.cli.dask_scheduler", *where)
    program.address = f"tcp://127.0.0.1:{port}"
    return program


def worker(start, scheduler):
    quiet = ("--no-nanny", "--nthreads", "1", "--no-dashboard", "--host", "127.0.0.1")
    return start("-m", "distributed.cli.dask_worker", scheduler.address, *quiet)


def until(true, *programs):
    end = time.monotonic() + ENOUGH
    while not true():
        assert time.monotonic() < end, "\n".join(program.said() for program in programs)
        time.sleep(0.05)


def done(kept):
    return len(kept.read_text().splitlines()) - 1 if kept.exists() else 0


def run(start, *words):
    return start("-m", "ladoga", *WORDS, *words)


def test_workers_come_and_go_and_the_games_are_the_same(start, scheduler, tmp_path, expected):
    kept, result = tmp_path / "kept.jsonl", tmp_path / "result.json"
    words = ("--games", str(GAMES), "--cluster", scheduler.address, "--resume", str(kept), "--json", str(result))
    playing = run(start, *words)
    until(lambda: "no worker yet" in playing.said(), playing, scheduler)
    first = worker(start, scheduler)
    until(lambda: done(kept) >= 1, playing, first)
    second = worker(start, scheduler)
    first.kill()
    assert playing.process.wait(ENOUGH) == 0, playing.said() + second.said()
    assert expected in result.read_text()
    assert "Traceback" not in playing.said()


def test_when_the_scheduler_is_gone_the_run_is_taken_up_elsewhere(start, scheduler, tmp_path, expected):
    kept, result = tmp_path / "kept.jsonl", tmp_path / "result.json"
    worker(start, scheduler)
    words = ("--games", str(GAMES), "--resume", str(kept), "--json", str(result))
    playing = run(start, *words, "--cluster", scheduler.address)
    until(lambda: done(kept) >= 1, playing, scheduler)
    scheduler.kill()
    if playing.process.wait(ENOUGH) != 0:  # else all games were done already
        assert "the scheduler is gone" in playing.said()
        assert "Traceback" not in playing.said()
        again = run(start, *words)
        assert again.process.wait(ENOUGH) == 0, again.said()
    assert expected in result.read_text()


def test_without_a_scheduler_it_says_so_in_a_line(monkeypatch):
    from ladoga.lab import cluster

    monkeypatch.setattr(cluster, "WITHIN", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(LadogaError, match="no Dask scheduler answers at tcp"):
        cluster.Cluster(f"tcp://127.0.0.1:{port}")


def test_a_worker_of_another_edition_plays_nothing():
    from ladoga.lab.cluster import _here

    assert _here(ladoga.__version__, max, (1, 2), {}) == 2
    with pytest.raises(LadogaError, match="the games would be others"):
        _here("0.0.0", max, (1, 2), {})
