"""An event loop beside the thread that has the database."""

import asyncio
import threading
from contextvars import ContextVar

import pytest

from jobs.database_thread import DatabaseThreadClosedError, run_beside_database


def test_work_runs_in_the_thread_of_the_caller():
    async def main(database_thread):
        loop = asyncio.get_running_loop()
        return threading.get_ident(), await loop.run_in_executor(database_thread, threading.get_ident)

    loop_thread, desk_thread = run_beside_database(main)
    assert desk_thread == threading.get_ident() != loop_thread


def test_what_the_work_raises_is_raised_where_it_is_awaited():
    def broken():
        raise ValueError("broken")

    async def main(database_thread):
        with pytest.raises(ValueError, match="broken"):
            await asyncio.get_running_loop().run_in_executor(database_thread, broken)
        return "went on"

    assert run_beside_database(main) == "went on"


def test_what_the_loop_raises_reaches_the_caller():
    async def main(database_thread):
        raise LookupError("lost")

    with pytest.raises(LookupError, match="lost"):
        run_beside_database(main)


def test_an_interrupted_caller_does_not_leave_the_loop_waiting():
    seen = []

    def interrupted():
        raise KeyboardInterrupt

    async def main(database_thread):
        loop = asyncio.get_running_loop()
        waiting = [loop.run_in_executor(database_thread, work) for work in (interrupted, threading.get_ident)]
        try:
            await waiting[1]
        except DatabaseThreadClosedError:
            seen.append("told")
        waiting[0].cancel()

    with pytest.raises(KeyboardInterrupt):
        run_beside_database(main)
    assert seen == ["told"]


def test_the_loop_has_the_context_of_the_caller():
    number: ContextVar[str] = ContextVar("number", default="none")
    token = number.set("abc")

    async def main(database_thread):
        return number.get()

    try:
        assert run_beside_database(main) == "abc"
    finally:
        number.reset(token)
