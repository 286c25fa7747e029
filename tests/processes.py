"""Processes that begin with the libraries imported: a server of multiprocessing imports them once and forks.

What is Touchstone's own is imported by each process, under an environment of its own.
"""

import os
import runpy
import signal
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TypeVar

from tests.waiting import LONGEST

Result = TypeVar("Result")
_CONTEXT = get_context("forkserver")
_CONTEXT.set_forkserver_preload(["tests.libraries"])


@dataclass(frozen=True)
class Ended:
    """What is left of a process: its exit code and what it printed."""

    returncode: int
    stdout: str
    stderr: str


class Started:
    """A process that calls a function of a module; it leads a process group of its own.

    Parameters
    ----------
    target, arguments
        What can be pickled.
    environment : its environment variables, and no others
    """

    def __init__(self, target: Callable[..., object], *arguments: object, environment: Mapping[str, str]) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self.printed = Path(self._folder.name)
        self._process = _CONTEXT.Process(target=_begin, args=(target, arguments, dict(environment), self.printed))
        self._process.start()

    def wait(self) -> Ended:
        """For its end."""
        self._process.join(LONGEST)
        assert self._process.exitcode is not None, "the process has not ended"
        with self._folder:
            return Ended(self._process.exitcode, self._read("stdout"), self._read("stderr"))

    def end(self) -> None:
        """SIGTERM to the process alone."""
        self._process.terminate()

    def kill(self) -> None:
        """SIGKILL to the process and its children at once. What it printed is printed, for a test that fails."""
        assert self._process.pid is not None
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:  # it has ended, or leads no group yet
            self._process.kill()
        ended = self.wait()
        print(ended.stdout, ended.stderr, file=sys.stderr)

    def _read(self, name: str) -> str:
        file = self.printed / name
        return file.read_text(encoding="utf-8", errors="replace") if file.exists() else ""


def run(target: Callable[..., object], *arguments: object, environment: Mapping[str, str]) -> Ended:
    """Start such a process and wait for its end."""
    return Started(target, *arguments, environment=environment).wait()


def call(name: str, *arguments: object) -> object:
    """The function of this dotted name with these arguments, once Django is set up."""
    import django
    from django.utils.module_loading import import_string

    django.setup()
    return import_string(name)(*arguments)


def run_program(program: str, *words: str) -> None:
    """As `python PROGRAM` with these words where it is a file, and as `python -m PROGRAM` where it is a module."""
    sys.argv = [program, *words]
    if program.endswith(".py"):
        runpy.run_path(program, run_name="__main__")
    else:
        runpy.run_module(program, run_name="__main__", alter_sys=True)


class Caller:
    """A process that calls functions, one after the other: to start one for each takes longer than most tests."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._connection, theirs = Pipe()
        self._process = Started(_answer_calls, theirs, environment=environment)
        theirs.close()

    def call(self, function: Callable[..., Result], *arguments: object) -> Result:
        """Its result; EOFError where it fails: that ends the process, whose error is printed when it is closed."""
        self._connection.send((function, arguments))
        result: Result = self._connection.recv()
        return result

    def close(self) -> None:
        self._connection.close()
        self._process.kill()


def _answer_calls(connection: Connection) -> None:
    import django
    from django.db import connections

    django.setup()
    while True:
        function, arguments = connection.recv()
        connection.send(function(*arguments))
        connections.close_all()


def _begin(
    target: Callable[..., object], arguments: tuple[object, ...], environment: dict[str, str], printed: Path
) -> None:
    os.setsid()
    os.environ.clear()
    os.environ.update(environment)
    for name, descriptor in (("stdout", 1), ("stderr", 2)):
        with (printed / name).open("wb") as file:
            os.dup2(file.fileno(), descriptor)
    target(*arguments)
