"""An event loop beside the thread that has the database.

Django's ORM belongs to one thread, calls to models to an event loop. The loop gets a thread of its own, and the
thread of the caller becomes its desk: it does the database work, one piece after the other, over the connection it has.
"""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from queue import SimpleQueue
from threading import Lock
from typing import Any, ParamSpec, TypeVar

Given = ParamSpec("Given")
Result = TypeVar("Result")


class DeskClosedError(RuntimeError):
    """The thread that has the database has gone, because it was interrupted."""


class Desk(Executor):
    """Runs what is submitted in the thread that calls `serve`."""

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
                future.set_exception(DeskClosedError())
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
        """Do what is submitted until the desk is closed; what waits then is refused."""
        while (work := self._work.get()) is not None:
            work()

    def close(self) -> None:
        """Refuse what is submitted from now on; `serve` ends."""
        with self._lock:
            self._closed = True
            self._work.put(None)


def run_beside_database(main: Callable[[Desk], Coroutine[Any, Any, Result]]) -> Result:
    """Run the coroutine on an event loop of its own; what it submits to the desk runs in this thread."""
    desk = Desk()
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="loop") as thread:
        ended = thread.submit(lambda: asyncio.run(main(desk)))
        ended.add_done_callback(lambda _: desk.close())
        try:
            desk.serve()
        finally:  # interrupted or not: what still waits is told so
            desk.close()
            desk.serve()
        return ended.result()
