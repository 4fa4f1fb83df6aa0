"""Long work lets others be heard."""

import asyncio
import time

import pytest

from ladoga.server import slices
from ladoga.server.slices import ASIDE, SLICE, orders, through


def work(steps=40):
    for _ in range(steps):
        time.sleep(SLICE)
        yield
    return "done"


async def turns_of_others(during):
    """How often somebody else is heard meanwhile."""
    turns = 0

    async def other():
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    beside = asyncio.create_task(other())
    answer = await during
    beside.cancel()
    return answer, turns


def test_long_work_goes_on_in_slices():
    """Others are heard after every millisecond or so, and the answer is the same."""
    answer, turns = asyncio.run(turns_of_others(through(work())))
    assert answer == "done"
    assert turns >= 20


def test_whoever_comes_waits_for_one_piece_however_much_is_worked_out():
    steps = 0

    def counted():
        nonlocal steps
        for _ in work(4):
            steps += 1
            yield

    async def much():
        between = []

        async def other():
            while True:
                before = steps
                await asyncio.sleep(0)
                between.append(steps - before)

        beside = asyncio.create_task(other())
        await asyncio.gather(*(through(counted()) for _ in range(20)))
        beside.cancel()
        return between

    between = asyncio.run(much())
    assert sum(between) == steps == 80
    assert max(between) <= 3


def test_long_work_goes_on_behind_short_work():
    done = []

    async def named(name, steps):
        await through(work(steps))
        done.append(name)

    async def much():
        await asyncio.gather(named("long", 200), *(named("short", 2) for _ in range(5)))

    asyncio.run(much())
    assert done == ["short"] * 5 + ["long"]


def test_what_is_worked_out_steps_aside_while_an_order_is_on_its_way(monkeypatch):
    """Nothing is worked out while an order is written, and all of it afterwards."""
    monkeypatch.setattr(slices, "ASIDE", 0.5)
    steps = []

    def counted():
        for _ in work(4):
            steps.append(time.perf_counter())
            yield

    async def beside_an_order():
        with orders.one():
            working = asyncio.create_task(through(counted()))
            for _ in range(20):
                await asyncio.sleep(0)
            before = len(steps)
        await working
        return before

    assert asyncio.run(beside_an_order()) == 0
    assert len(steps) == 4
    assert not orders


def test_orders_that_take_long_keep_nobody_from_the_table():
    """A slow disk has an order under way all the time: each table steps aside once."""

    async def beside_an_order():
        with orders.one():
            began = time.perf_counter()
            async with asyncio.timeout(60):
                await through(work(40))
            return time.perf_counter() - began

    assert asyncio.run(beside_an_order()) >= ASIDE


def test_an_order_that_fails_is_under_way_no_more():
    async def failing():
        with orders.one():
            raise OSError("full")

    with pytest.raises(OSError, match="full"):
        asyncio.run(failing())
    assert not orders
