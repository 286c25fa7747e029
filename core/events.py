"""Waiting for an event for some time, and for the end of tasks that are given up."""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from typing import Any


async def wait_at_most(event: asyncio.Event, seconds: float) -> None:
    """Wait until the event is set, or until the time is over.

    Before Python 3.12 `asyncio.wait_for` loses a cancellation that comes while the event is being set: a task that
    waits in a loop then never ends, and neither does whoever cancelled it.
    """
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()


async def abandon(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel the tasks, and wait until all have ended."""
    abandoned = set(tasks)
    for task in abandoned:
        task.cancel()
    await asyncio.gather(*abandoned, return_exceptions=True)
