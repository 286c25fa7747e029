"""Waiting for an event for some time."""

import asyncio
from contextlib import suppress


async def wait_at_most(event: asyncio.Event, seconds: float) -> None:
    """Wait until the event is set, or until the time is over.

    Before Python 3.12 `asyncio.wait_for` loses a cancellation that comes while the event is being set: a task that
    waits in a loop then never ends, and neither does whoever cancelled it.
    """
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
