"""How a process that works beside the server lets others go first.

With somebody thinking on every core no core is free, and Linux puts those who wake one another (who asks, who answers,
who writes) on one core, where each waits until the other has done. A core counts as free where all that runs is idle by
its policy. Next to others of its group such a process gets next to nothing, and it may not go back: so it is idle only
where it has a group to itself, which has its share however many others there are.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path, PurePosixPath

SESSION = Path("/proc/self/autogroup")
AGAIN = 0.06
"""Seconds after which a session asks again to be nice: the system hears only ten of them a second."""
TRIES = 100


def step_aside(nice: int, *, idle: bool) -> None:
    """Let others go first. Linux shares the processor between sessions before it looks at single processes, and a
    worker has a session of its own: that has to be nice as well."""
    if hasattr(os, "nice"):
        os.nice(nice)
    if _session_is_nice(nice) and idle and shared_by_sessions():
        with suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def _session_is_nice(nice: int) -> bool:
    """Make this session nice; whether there is such a thing here."""
    for _ in range(TRIES):
        try:
            SESSION.write_text(str(nice), encoding="ascii")
            return True
        except BlockingIOError:
            time.sleep(AGAIN)
        except OSError:
            break
    return False


def shared_by_sessions(root: Path = Path("/")) -> bool:
    """Whether every session has a share of the processor here. It has none within a control group (a container, often
    a service) that has one for all that is in it."""
    try:
        enabled = (root / "proc/sys/kernel/sched_autogroup_enabled").read_text(encoding="ascii").strip() == "1"
        groups = [line.split(":", 2)[1:] for line in (root / "proc/self/cgroup").read_text().splitlines()]
    except OSError:
        return False
    for controllers, path in groups:
        within = PurePosixPath(path.lstrip("/"))
        if "cpu" in controllers.split(",") and within.name:
            return False
        unified = root / "sys/fs/cgroup"
        if not controllers and any((unified / part / "cpu.weight").exists() for part in (within, *within.parents)):
            return False
    return enabled
