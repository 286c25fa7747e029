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
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import TypeVar

from tests.waiting import LONGEST

Result = TypeVar("Result")
_CONTEXT = get_context("forkserver")
_CONTEXT.set_forkserver_preload(["tests.libraries"])


def start(
    target: Callable[..., object], *arguments: object, environment: Mapping[str, str], output: Path | None = None
) -> ForkServerProcess:
    """A process that calls this function of a module; it leads a process group of its own.

    Parameters
    ----------
    target, arguments
        What can be pickled.
    environment : its environment variables, and no others
    output : path without suffix, or None
        Of the files `.out` and `.err` that get what the process prints; None prints it where the tests print.
    """
    process = _CONTEXT.Process(target=_begin, args=(target, arguments, dict(environment), output))
    process.start()
    return process


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
        self._process = start(_answer_calls, theirs, environment=environment)
        theirs.close()

    def call(self, function: Callable[..., Result], *arguments: object) -> Result:
        """Its result; EOFError where it fails: that ends the process, whose error is printed."""
        self._connection.send((function, arguments))
        result: Result = self._connection.recv()
        return result

    def close(self) -> None:
        self._connection.close()
        kill_group(self._process)


@dataclass(frozen=True)
class Ended:
    """What is left of a process: its exit code and what it printed."""

    returncode: int
    stdout: str
    stderr: str


def run(target: Callable[..., object], *arguments: object, environment: Mapping[str, str]) -> Ended:
    """Start such a process and wait for its end."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "printed"
        process = start(target, *arguments, environment=environment, output=output)
        process.join(LONGEST)
        assert process.exitcode is not None, f"{arguments} has not ended"
        printed = [output.with_suffix(suffix).read_text(encoding="utf-8") for suffix in (".out", ".err")]
    return Ended(process.exitcode, *printed)


def kill_group(process: ForkServerProcess) -> None:
    """SIGKILL to the process and its children at once."""
    assert process.pid is not None
    os.killpg(process.pid, signal.SIGKILL)
    process.join(LONGEST)


def _answer_calls(connection: Connection) -> None:
    import django
    from django.db import connections

    django.setup()
    while True:
        function, arguments = connection.recv()
        connection.send(function(*arguments))
        connections.close_all()


def _begin(
    target: Callable[..., object], arguments: tuple[object, ...], environment: dict[str, str], output: Path | None
) -> None:
    os.setsid()
    os.environ.clear()
    os.environ.update(environment)
    if output is not None:
        for suffix, descriptor in ((".out", 1), (".err", 2)):
            with output.with_suffix(suffix).open("wb") as file:
                os.dup2(file.fileno(), descriptor)
    target(*arguments)
