"""What a cluster costs and brings: the same games on one worker and on two, in processor time.

    python tools/cluster.py [GAMES]

A Dask scheduler and its workers are started here, each a process of its own. Processor seconds do not depend on what
else the machine does; the last column is how long the games would take where every worker has a core to itself.
"""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import ladoga
from ladoga.lab import Match, digest, simulate
from ladoga.lab.cluster import Cluster

MATCH = Match("leningrad-1979", {"german": "random", "soviet": "random"}, seed=3)


@contextmanager
def program(*words: str) -> Iterator[None]:
    """A process of a cluster."""
    env = {**os.environ, "PYTHONPATH": str(Path(ladoga.__file__).parents[1]), "PYTHONWARNINGS": "ignore"}
    quiet = subprocess.DEVNULL
    process = subprocess.Popen([sys.executable, "-m", *words], env=env, stdout=quiet, stderr=quiet)
    try:
        yield
    finally:
        process.kill()
        process.wait()


def measured(workers: int, games: int) -> tuple[list[float], float, float, str]:
    """Processor seconds of each worker, of the scheduler and of whoever asked, and what was played."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    where = f"tcp://127.0.0.1:{port}"
    scheduler = ("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard")
    worker = ("distributed.cli.dask_worker", where, "--nthreads", "1", "--no-nanny", "--no-dashboard")
    with program(*scheduler):
        time.sleep(5)
        cluster = Cluster(where)
        if workers == 1:
            with program(*worker):
                return _played(cluster, workers, games)
        with program(*worker), program(*worker):
            return _played(cluster, workers, games)


def _played(cluster: Cluster, workers: int, games: int) -> tuple[list[float], float, float, str]:
    client = cluster._client
    while cluster.workers < workers:
        time.sleep(0.2)
    list(simulate(MATCH, 2 * workers, executor=cluster))  # data is read once
    before = client.run(time.process_time), client.run_on_scheduler(time.process_time), time.process_time()
    played = list(simulate(MATCH, games, executor=cluster, chunk=10))
    after = client.run(time.process_time), client.run_on_scheduler(time.process_time), time.process_time()
    cluster.shutdown()
    busy = [after[0][name] - before[0][name] for name in before[0]]
    return busy, after[1] - before[1], after[2] - before[2], digest(played)


def main() -> None:
    """The table."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    list(simulate(MATCH, 2))
    began = time.process_time()
    alone = digest(simulate(MATCH, games))
    took = time.process_time() - began
    print(f"{games} games here, without a cluster: {took:.1f} s")
    print("| workers | processor s of each | scheduler | who asked | games a second, each worker on a core |")
    for workers in (1, 2):
        busy, scheduler, asked, found = measured(workers, games)
        assert found == alone, "the games are the same everywhere"
        each = ", ".join(f"{one:.1f}" for one in busy)
        print(f"| {workers} | {each} | {scheduler:.1f} | {asked:.1f} | {games / max(busy):.2f} |", flush=True)


if __name__ == "__main__":
    main()
