"""A slice of ``make load``: several matches of every game at once, and a server killed while they are played."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

import load


def test_many_matches_at_once(record_property, capsys):
    report = load.live(matches=12, seconds=5, think=0.7)
    record_property("load", report)
    with capsys.disabled():
        print(f"\n    {report}")
    assert report["lost or doubled"] == 0
    assert report["refused"] == 0
    assert report["orders"] > 12


def test_nothing_is_lost_or_doubled_when_the_server_is_killed_under_load():
    report = load.killed(matches=12, kills=3, think=0.2)
    assert report["lost or doubled"] == 0
    assert report["orders acknowledged"] > 0
