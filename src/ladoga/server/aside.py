"""How a process that works beside the server lets others go first."""

from __future__ import annotations

import os
import time
from pathlib import Path

SESSION = Path("/proc/self/autogroup")
AGAIN = 0.06
"""Seconds after which a session asks again to be nice: the system hears only ten of them a second."""
TRIES = 100


def step_aside(nice: int) -> None:
    """Let others go first. Linux shares the processor between sessions before it looks at single processes, and a
    worker has a session of its own: that has to be nice as well."""
    if hasattr(os, "nice"):
        os.nice(nice)
    _make_session_nice(nice)


def _make_session_nice(nice: int) -> None:
    for _ in range(TRIES):
        try:
            SESSION.write_text(str(nice), encoding="ascii")
            return
        except BlockingIOError:
            time.sleep(AGAIN)
        except OSError:
            return
