"""What nobody waits for gives way to what somebody waits for."""

import asyncio
import threading
import time

from ladoga.server.afterwards import SLICE, Afterwards
from ladoga.server.store import open_store


def test_long_work_goes_on_in_slices(tmp_path):
    """Others are heard after every millisecond or so, and the answer is the same."""
    store = open_store(tmp_path / "store.db")
    turns = []

    def work():
        for _ in range(40):
            time.sleep(SLICE)
            yield
        return "done"

    async def both():
        async def other():
            while True:
                turns.append(time.monotonic())
                await asyncio.sleep(0)

        beside = asyncio.create_task(other())
        answer = await Afterwards(store).through(work())
        beside.cancel()
        return answer

    assert asyncio.run(both()) == "done"
    assert len(turns) >= 20
    store.close()


def test_it_waits_for_what_is_being_written_but_not_for_ever(tmp_path):
    store = open_store(tmp_path / "store.db")
    held, go, seen = threading.Event(), threading.Event(), []

    def slow(ledger):
        held.set()
        go.wait(10)

    async def both():
        writing = asyncio.create_task(store.write(slow))
        while not held.is_set():
            await asyncio.sleep(0.001)
        began = time.monotonic()
        async with Afterwards(store).turn():
            seen.append((writing.done(), time.monotonic() - began))
        go.set()
        async with Afterwards(store).turn():
            await store.quiet(10)
            seen.append((store._under_way, 0.0))
        await writing

    asyncio.run(both())
    assert seen[0][0] is False, "a disk that hangs does not hold up what is shown"
    assert seen[0][1] > 0.001
    assert seen[1][0] == 0
    store.close()


def test_one_table_after_another(tmp_path):
    store = open_store(tmp_path / "store.db")
    order = []

    async def all_of_them():
        afterwards = Afterwards(store)

        async def show(name):
            async with afterwards.turn():
                order.append(name)
                await asyncio.sleep(0.001)
                order.append(name)

        await asyncio.gather(*map(show, "abc"))
        assert order == [name for name in "abc" for _ in range(2)]
        order.clear()
        await asyncio.gather(*map(show, "abcdefgh"))
        assert sorted(order) == sorted("abcdefgh" * 2)
        assert order.index("h") < 8, "whoever comes into a crowd does not wait for it"
        assert afterwards.waiting == 0

    asyncio.run(all_of_them())
    store.close()
