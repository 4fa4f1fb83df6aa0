"""Long work lets others be heard."""

import asyncio
import threading
import time

import pytest

from ladoga.server import slices
from ladoga.server.slices import ASIDE, SLICE, Work


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
    answer, turns = asyncio.run(turns_of_others(Work().through(work())))
    assert answer == "done"
    assert turns >= 20


def test_whoever_comes_waits_for_one_piece_however_much_is_worked_out():
    steps, server = 0, Work()

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
        await asyncio.gather(*(server.through(counted()) for _ in range(20)))
        beside.cancel()
        return between

    between = asyncio.run(much())
    assert sum(between) == steps == 80
    assert max(between) <= 3


def test_long_work_goes_on_behind_short_work():
    done, server = [], Work()

    async def named(name, steps):
        await server.through(work(steps))
        done.append(name)

    async def much():
        await asyncio.gather(named("long", 200), *(named("short", 2) for _ in range(5)))

    asyncio.run(much())
    assert done == ["short"] * 5 + ["long"]


def test_what_is_worked_out_steps_aside_while_an_order_is_on_its_way(monkeypatch):
    """Nothing is worked out while an order is written, and all of it afterwards."""
    monkeypatch.setattr(slices, "ASIDE", 0.5)
    steps, server = [], Work()

    def counted():
        for _ in work(4):
            steps.append(time.perf_counter())
            yield

    async def beside_an_order():
        with server.order():
            working = asyncio.create_task(server.through(counted()))
            for _ in range(20):
                await asyncio.sleep(0)
            before = len(steps)
        await working
        return before

    assert asyncio.run(beside_an_order()) == 0
    assert len(steps) == 4
    assert not server.orders


def test_orders_that_take_long_keep_nobody_from_the_table():
    """A slow disk has an order under way all the time: each table steps aside once."""

    server = Work()

    async def beside_an_order():
        with server.order():
            began = time.perf_counter()
            async with asyncio.timeout(60):
                await server.through(work(40))
            return time.perf_counter() - began

    assert asyncio.run(beside_an_order()) >= ASIDE


def test_an_order_that_fails_is_under_way_no_more():
    server = Work()

    async def failing():
        with server.order():
            raise OSError("full")

    with pytest.raises(OSError, match="full"):
        asyncio.run(failing())
    assert not server.orders


def test_two_servers_in_one_process_do_not_wait_for_one_another():
    """Each has a loop of its own, and nothing that belongs to a loop is shared between them."""
    together = threading.Barrier(2)
    answers = []

    def serve():
        async def much(server):
            await asyncio.to_thread(together.wait, 60)
            return await asyncio.gather(*(server.through(work(20)) for _ in range(5)))

        answers.append(asyncio.run(much(Work())))

    servers = [threading.Thread(target=serve) for _ in range(2)]
    for server in servers:
        server.start()
    for server in servers:
        server.join(60)
    assert answers == [["done"] * 5] * 2
