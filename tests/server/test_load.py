"""A slice of ``make load``: several matches of every game at once, and a server killed while they are played."""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

import load


def alone(work, **how):
    """Run in a thread of its own: the browser tests leave a running event loop in theirs."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: work(**how)).result()


def test_many_matches_at_once(record_property, capsys):
    report = alone(load.live, matches=12, seconds=5, think=0.7)
    record_property("load", report)
    with capsys.disabled():
        print(f"\n    {report}")
    assert report["lost or doubled"] == 0
    assert report["refused"] == 0
    assert report["orders"] > 12


def test_nothing_is_lost_or_doubled_when_the_server_is_killed_under_load():
    report = alone(load.killed, matches=12, kills=3, think=0.2)
    assert report["lost or doubled"] == 0
    assert report["orders acknowledged"] > 0
