"""A process of its own that makes, enqueues or works on jobs of a kind (tests/jobs/kinds.py)."""

import resource
from collections.abc import Callable, Mapping
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any

from tests.services.processes import kill_group, start


class Lab:
    """The process, and the calls of the functions below that it is sent."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._connection, theirs = Pipe()
        self._process = start(serve, theirs, environment=environment)
        theirs.close()

    def call(self, verb: str, *arguments: object) -> Any:
        """The result of VERBS[verb]; EOFError where it ended the process: its error is printed."""
        self._connection.send((verb, arguments))
        return self._connection.recv()

    def close(self) -> None:
        self._connection.close()
        kill_group(self._process)


def make(name: str, items: int) -> int:
    """The key of a new job of that kind."""
    from jobs.kinds import KINDS
    from tests.jobs.kinds import EXAMPLES

    made, kind = EXAMPLES[name].make(items), KINDS[name]
    rows = type(made)._default_manager.filter(pk=made.pk)
    return rows.values_list("pk" if kind.job else kind.key, flat=True).get()


def enqueue(name: str, key: int) -> bool:
    """Whether the queue was within reach."""
    from jobs.enqueue import enqueue_key
    from jobs.kinds import KINDS

    return enqueue_key(KINDS[name](), key)


def results(name: str) -> int:
    """How many results of the kind there are."""
    from tests.jobs.kinds import EXAMPLES

    return EXAMPLES[name].results()


def work(name: str, key: int, largest_file: int | None) -> None:
    """Work on it to its end, in a process of its own, which cannot write a file beyond so many bytes."""
    _setup()
    from jobs.kinds import KINDS
    from jobs.work import work_to_the_end

    if largest_file is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))
    work_to_the_end(KINDS[name](), key)


VERBS: dict[str, Callable[..., object]] = {"make": make, "enqueue": enqueue, "results": results}


def serve(connection: Connection) -> None:
    """Answer calls until the other end closes."""
    _setup()
    from django.db import connections

    while True:
        verb, arguments = connection.recv()
        connection.send(VERBS[verb](*arguments))
        connections.close_all()


def _setup() -> None:
    import django

    django.setup()
