"""An event loop beside the thread that has the database.

Django's ORM belongs to one thread, calls to models to an event loop. The loop gets a thread of its own, and the
thread of the caller becomes its database thread: it does the database work, one piece after the other, over the
connection it has.
"""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextvars import copy_context
from queue import SimpleQueue
from threading import Lock
from typing import Any, ParamSpec, TypeVar, TypeVarTuple

Given = ParamSpec("Given")
Result = TypeVar("Result")
Arguments = TypeVarTuple("Arguments")


class DatabaseThreadClosedError(RuntimeError):
    """The thread that has the database has gone, because it was interrupted."""


class DatabaseThread(Executor):
    """An executor whose work is done in the thread that calls `serve`."""

    def __init__(self) -> None:
        self._work: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._closed = False
        self._lock = Lock()

    def submit(self, fn: Callable[Given, Result], /, *args: Given.args, **kwargs: Given.kwargs) -> Future[Result]:
        future: Future[Result] = Future()

        def work() -> None:
            if not future.set_running_or_notify_cancel():
                return
            if self._closed:
                future.set_exception(DatabaseThreadClosedError())
                return
            try:
                future.set_result(fn(*args, **kwargs))
            except Exception as error:  # noqa: BLE001 - it is raised where the result is awaited
                future.set_exception(error)

        with self._lock:
            if not self._closed:
                self._work.put(work)
                return future
        work()
        return future

    def serve(self) -> None:
        """Do submitted work until the database thread is closed; work that waits then is refused."""
        while (work := self._work.get()) is not None:
            work()

    def close(self) -> None:
        """Refuse work that is submitted from now on; `serve` ends."""
        with self._lock:
            self._closed = True
            self._work.put(None)


def run_beside_database(main: Callable[[DatabaseThread], Coroutine[Any, Any, Result]]) -> Result:
    """Run the coroutine on an event loop of its own, in a copy of this thread's context; its work for the database runs
    in this thread."""
    database_thread = DatabaseThread()
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="loop") as thread:
        ended = thread.submit(copy_context().run, lambda: asyncio.run(main(database_thread)))
        ended.add_done_callback(lambda _: database_thread.close())
        try:
            database_thread.serve()
        finally:  # interrupted or not: waiting work is refused
            database_thread.close()
            database_thread.serve()
        return ended.result()


async def in_database_thread(
    database_thread: DatabaseThread, work: Callable[[*Arguments], Result], *arguments: *Arguments
) -> Result:
    """The result of the work, done in the thread that has the database."""
    return await asyncio.get_running_loop().run_in_executor(database_thread, work, *arguments)
