"""Workers that are killed cost no game, no traceback, and leave no process."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import ladoga
from ladoga.lab import Match, simulate
from ladoga.lab.crew import Crew, Died
from ladoga.lab.simulate import digest

PLAYED = Match("assault-stalingrad", {"german": "random", "soviet": "random"}, seed=5)


def _killed_once(path):
    if not os.path.exists(path):
        Path(path).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "done"


def _killed_always():
    os.kill(os.getpid(), signal.SIGKILL)


def test_killed_workers_cost_no_game(tmp_path):
    expected = digest(simulate(PLAYED, 4))
    with Crew(2) as crew:
        assert crew.submit(_killed_once, str(tmp_path / "mark")).result(60) == "done"
        killed, played = 0, []
        for one in simulate(PLAYED, 4, executor=crew):
            played.append(one)
            if killed < 2:
                os.kill(crew.processes[0], signal.SIGKILL)
                killed += 1
    assert digest(played) == expected
    assert not any(one.error for one in played)


def test_what_kills_everybody_is_told_and_the_rest_goes_on():
    with Crew(1) as crew:
        fatal, fine = crew.submit(_killed_always), crew.submit(pow, 2, 5)
        with pytest.raises(Died, match="3 workers died"):
            fatal.result(60)
        assert fine.result(60) == 32
        with pytest.raises(ZeroDivisionError):
            crew.submit(divmod, 1, 0).result(60)


def _children(pid):
    listed = subprocess.run(["ps", "-eo", "pid,ppid,pgid"], capture_output=True, text=True, check=True).stdout
    rows = [tuple(map(int, line.split())) for line in listed.splitlines()[1:]]
    return [row[0] for row in rows if row[2] == pid and row[0] != pid]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_run_that_is_ended_leaves_no_process_and_keeps_what_it_has(tmp_path, number):
    kept = tmp_path / "kept.jsonl"
    words = ["simulate", "assault-stalingrad", "--games", "5000", "--workers", "2", "--resume", str(kept)]
    env = {**os.environ, "PYTHONPATH": str(Path(ladoga.__file__).parents[1])}
    run = subprocess.Popen(
        [sys.executable, "-m", "ladoga", *words], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip
    end = time.monotonic() + 90
    while not kept.exists() or kept.read_text().count("\n") < 3:
        assert time.monotonic() < end
        assert run.poll() is None
        time.sleep(0.1)
    assert _children(run.pid)
    run.send_signal(number)
    _, errors = run.communicate(timeout=30)
    assert "Traceback" not in errors
    while _children(run.pid):
        assert time.monotonic() < end
        time.sleep(0.1)
