"""Slices of ``make load`` and ``make kills``: several tables at once beside an echo, histories of killed servers."""

import asyncio
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import histories
import load


def alone(work):
    """Run in a thread of its own: the browser tests leave a running event loop in theirs."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(work).result()


def test_many_tables_at_once(record_property, capsys):
    report = alone(lambda: load.live(8, 4, 0.7))
    record_property("load", report)
    with capsys.disabled():
        print(f"\n    {report}")
    assert report["lost or doubled"] == 0
    assert report["refused"] == 0
    assert report["orders"] > 8


def test_loops_go_on_until_nobody_needs_them():
    with load.looping(2, idle=True) as loops:
        time.sleep(0.5)
        assert [loop.poll() for loop in loops] == [None, None]
    assert [loop.returncode for loop in loops] == [-signal.SIGKILL] * 2


def checked(**how):
    return alone(lambda: asyncio.run(histories.run(**how)))


def test_when_a_match_is_over_its_table_begins_one_more():
    async def evening():
        table, begun = histories.Table(0, "cookie"), []

        async def begin(server):
            await asyncio.sleep(0.01)
            begun.append(server)
            table.matches.append(f"match {len(begun)}")

        table.begin = begin
        await table.begin("first")
        return await asyncio.gather(*(table.after("match 1", server) for server in "abc")), begun

    assert alone(lambda: asyncio.run(evening())) == (["match 2"] * 3, ["first", "a"]), "whoever comes first begins it"


def test_what_was_acknowledged_stands_when_servers_die_and_lines_break(cluster, record_property):
    report = checked(kills=3, servers=2, matches=2, players=3, pause=0.6, seed=3)
    record_property("histories", report)
    assert report["wrong"] == []
    assert report["shown backward"] == 0
    assert report["acknowledged"] > 10
    assert report["while nobody played"] < report["kills"]
    assert report["tracebacks"] == []


def test_what_was_acknowledged_stands_when_the_only_server_dies():
    report = checked(kills=2, matches=2, players=2, pause=0.6, sqlite=True, seed=4)
    assert report["wrong"] == []
    assert report["acknowledged"] > 5
    assert report["tracebacks"] == []
