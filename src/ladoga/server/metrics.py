"""What a server counts and measures of itself, as Prometheus reads it."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
HELP = {
    "orders": "Orders carried out, people's and computers'.",
    "answers": "Messages answered over sockets, by kind.",
    "refusals": "What was refused, by code.",
    "requests": "Requests answered, by status.",
    "shed": "Visitors sent away because there was too much to do.",
    "commits": "Commits of the store.",
    "answer_seconds": "From an order's arrival to its answer.",
    "store_seconds": "From an order's way to the store until it is safe.",
    "commit_seconds": "One commit of the store, with its fsync.",
    "show_seconds": "Working out and packing what everybody at a table sees.",
    "think_seconds": "A computer player's thought about one order.",
    "wait_seconds": "How long that thought waited for a worker.",
    "lag_seconds": "How late the server comes to what is due.",
}


class Histogram:
    """Durations, counted by how long they were."""

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.total = 0.0

    def add(self, seconds: float) -> None:
        """Count one."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds

    def lines(self, name: str) -> Iterator[str]:
        """As Prometheus reads it."""
        so_far = 0
        for bound, count in zip((*map(str, BOUNDS), "+Inf"), self.counts, strict=True):
            so_far += count
            yield f'{name}_bucket{{le="{bound}"}} {so_far}'
        yield f"{name}_sum {self.total:.6f}"
        yield f"{name}_count {so_far}"


class Metrics:
    """Counters, durations, and gauges that are asked when somebody wants to know."""

    def __init__(self) -> None:
        self.counters: Counter[tuple[str, str, str]] = Counter()
        self.durations: dict[str, Histogram] = {}
        self.gauges: dict[str, tuple[str, Callable[[], float]]] = {}

    def count(self, name: str, label: str = "", value: str = "", by: int = 1) -> None:
        """Count something."""
        self.counters[name, label, value] += by

    def took(self, name: str, seconds: float) -> None:
        """Count a duration."""
        if name not in self.durations:
            self.durations[name] = Histogram()
        self.durations[name].add(seconds)

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        """Count how long something takes."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.took(name, time.perf_counter() - began)

    def gauge(self, name: str, help_: str, ask: Callable[[], float]) -> None:
        """Something that is so many just now."""
        self.gauges[name] = (help_, ask)

    def text(self) -> str:
        """Everything, in Prometheus's words."""
        lines: list[str] = []
        named = ""
        for (name, label, value), count in sorted(self.counters.items()):
            if name != named:
                lines += [f"# HELP ladoga_{name}_total {HELP.get(name, name)}", f"# TYPE ladoga_{name}_total counter"]
                named = name
            lines.append(f"ladoga_{name}_total{_labels(label, value)} {count}")
        for name, histogram in sorted(self.durations.items()):
            full = f"ladoga_{name}_seconds"
            lines += [f"# HELP {full} {HELP.get(f'{name}_seconds', name)}", f"# TYPE {full} histogram"]
            lines += histogram.lines(full)
        for name, (help_, ask) in sorted(self.gauges.items()):
            lines += [f"# HELP ladoga_{name} {help_}", f"# TYPE ladoga_{name} gauge", f"ladoga_{name} {ask():g}"]
        return "\n".join(lines) + "\n"


def _labels(label: str, value: str) -> str:
    return f'{{{label}="{value}"}}' if label else ""
