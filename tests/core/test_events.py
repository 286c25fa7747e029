"""Waiting for an event: it comes, it does not come, the wait is cancelled while it comes. Tasks that are given up."""

import asyncio
import time

import pytest

from core.events import abandon, wait_at_most


def test_an_event_ends_the_wait():
    async def talk():
        event = asyncio.Event()
        asyncio.get_running_loop().call_soon(event.set)
        await wait_at_most(event, 60)
        return event.is_set()

    assert asyncio.run(talk())


def test_without_the_event_the_wait_ends_with_the_time():
    async def talk():
        event, began = asyncio.Event(), time.monotonic()
        await wait_at_most(event, 0.05)
        return event.is_set(), time.monotonic() - began

    is_set, seconds = asyncio.run(talk())
    assert not is_set
    assert seconds >= 0.05


@pytest.mark.parametrize("steps", range(6))
def test_a_cancellation_is_never_lost(steps):
    """The event is set, and so many steps of the loop later the task that waits again and again is cancelled."""

    async def talk():
        event = asyncio.Event()

        async def wait_again_and_again():
            while True:
                await wait_at_most(event, 60)
                event.clear()

        task = asyncio.create_task(wait_again_and_again())
        await asyncio.sleep(0.01)
        event.set()
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        ended, _ = await asyncio.wait([task], timeout=1)
        return bool(ended) and task.cancelled()

    assert asyncio.run(talk())


def test_tasks_that_are_given_up_have_ended():
    async def talk():
        async def fail():
            raise ValueError

        tasks = [asyncio.create_task(work) for work in (asyncio.sleep(60), fail())]
        await asyncio.sleep(0)
        await abandon(tasks)
        return [task.cancelled() for task in tasks], [task.done() for task in tasks]

    assert asyncio.run(talk()) == ([True, False], [True, True])
