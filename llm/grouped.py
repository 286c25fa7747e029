"""Many small pieces of database work done a group at a time."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class Grouped(Generic[Item, Result]):
    """Awaited with one item, it returns that item's result; `work` is called with groups.

    Items that arrive while one group is in work, or within `gather` seconds, make up the next group. So a busy
    loop writes few large groups and a quiet one does not wait.
    """

    def __init__(self, work: Callable[[Sequence[Item]], Sequence[Result]], thread: Executor, gather: float = 0) -> None:
        self._work = work
        self._thread = thread
        self._gather = gather
        self._waiting: list[tuple[Item, asyncio.Future[Result]]] = []
        self._worker: asyncio.Task[None] | None = None

    async def __call__(self, item: Item) -> Result:
        """Raises what `work` raised on the item's group."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Result] = loop.create_future()
        self._waiting.append((item, future))
        if self._worker is None:
            self._worker = loop.create_task(self._work_off())
        return await future

    async def finish(self) -> None:
        """Wait until nothing is left to do, also where nobody waits for the result any more."""
        if self._worker is not None:
            await self._worker

    async def _work_off(self) -> None:
        try:
            while self._waiting:
                await asyncio.sleep(self._gather)
                group, self._waiting = self._waiting, []
                await self._do(group)
        finally:
            self._worker = None

    async def _do(self, group: list[tuple[Item, "asyncio.Future[Result]"]]) -> None:
        items = [item for item, _ in group]
        outcome = asyncio.get_running_loop().run_in_executor(self._thread, self._work, items)
        await asyncio.wait([outcome])
        error = outcome.exception()
        for place, (_, future) in enumerate(group):
            if future.done():  # the caller was cancelled
                continue
            if error is None:
                future.set_result(outcome.result()[place])
            else:
                future.set_exception(error)
