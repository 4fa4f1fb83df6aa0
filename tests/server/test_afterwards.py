"""What nobody waits for gives way to what somebody waits for."""

import asyncio
import time

from ladoga.server.afterwards import CROWD, EACH, SLICE, Afterwards
from ladoga.server.limits import Turns


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
    answer, turns = asyncio.run(turns_of_others(Afterwards().through(work())))
    assert answer == "done"
    assert turns >= 20


def test_where_many_tables_wait_none_gives_way():
    async def crowd():
        afterwards = Afterwards()

        async def show(address):
            async with afterwards.turn(address):
                return await afterwards.through(work(8))

        many = 4 * CROWD
        answers, turns = await turns_of_others(asyncio.gather(*(show(f"10.0.0.{n}") for n in range(many))))
        assert answers == ["done"] * many
        assert turns < 8 * many / 2, "only the last few give way"
        assert afterwards.shown == 0

    asyncio.run(crowd())


def test_whoever_has_many_tables_waits_behind_their_own():
    async def play():
        afterwards, order = Afterwards(), []

        async def show(address):
            async with afterwards.turn(address):
                order.append(address)
                await asyncio.sleep(0.01)

        await asyncio.gather(*(show("many") for _ in range(3 * EACH)), show("one"))
        assert order.index("one") <= EACH

    asyncio.run(play())


def test_a_turn_may_end_early():
    """The next is answered before the work behind the first answer is done."""

    async def play():
        turns, order = Turns(1), []

        async def give(name):
            async with turns.one("here") as leave:
                order.append(f"{name} answered")
                leave()
                await asyncio.sleep(0.01)
                order.append(f"{name} shown")

        await asyncio.gather(give("a"), give("b"))
        return order

    assert asyncio.run(play()) == ["a answered", "b answered", "a shown", "b shown"]
