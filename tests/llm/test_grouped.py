"""Database work done in groups: nothing lost, nothing doubled, errors where they belong."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from llm.grouped import Grouped


@pytest.fixture
def thread():
    with ThreadPoolExecutor(max_workers=1) as executor:
        yield executor


def test_what_arrives_together_is_one_group(thread):
    groups = []

    def double(items):
        groups.append(list(items))
        return [2 * item for item in items]

    async def talk():
        grouped = Grouped(double, thread)
        return await asyncio.gather(*(grouped(item) for item in range(5)))

    assert asyncio.run(talk()) == [0, 2, 4, 6, 8]
    assert groups == [[0, 1, 2, 3, 4]]


def test_what_arrives_during_a_group_is_the_next(thread):
    groups = []

    async def talk():
        loop = asyncio.get_running_loop()
        later = []

        def work(items):
            if not groups:
                # Two more arrive while the first is in work: the loop adds them before this thread goes on.
                async def arrive():
                    later.extend(asyncio.create_task(grouped(item)) for item in ("b", "c"))
                    await asyncio.sleep(0)

                asyncio.run_coroutine_threadsafe(arrive(), loop).result()
            groups.append(list(items))
            return items

        grouped = Grouped(work, thread)
        await grouped("a")
        await asyncio.gather(*later)

    asyncio.run(talk())
    assert groups == [["a"], ["b", "c"]]


def test_an_error_reaches_everyone_of_its_group_and_the_next_group_goes_on(thread):
    def work(items):
        if "bad" in items:
            raise ValueError("cannot store bad")
        return items

    async def talk():
        grouped = Grouped(work, thread)
        first = await asyncio.gather(grouped("good"), grouped("bad"), return_exceptions=True)
        return first, await grouped("good")

    first, second = asyncio.run(talk())
    assert [str(error) for error in first] == ["cannot store bad", "cannot store bad"]
    assert second == "good"


def test_work_is_done_although_nobody_waits_any_more(thread):
    done = []

    def work(items):
        done.extend(items)
        return items

    async def talk():
        grouped = Grouped(work, thread, gather=0.01)
        waiting = asyncio.create_task(grouped("paid for"))
        await asyncio.sleep(0)
        waiting.cancel()
        await grouped.finish()

    asyncio.run(talk())
    assert done == ["paid for"]
