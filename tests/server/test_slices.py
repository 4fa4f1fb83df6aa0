"""Long work lets others be heard."""

import asyncio
import time

from ladoga.server.slices import SLICE, through


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
