"""Counters of what all processes of a machine do, for Prometheus (docs/deploy.md, Metrics).

With METRICS_ADDRESS each process adds to files of its own in DATA_DIR/counters, and `manage.py metrics` sums them up.
Without it a process counts in its memory, and nobody asks. A file belongs to a slot, not to a process: the next process
to take the slot goes on with its numbers, so that no counter falls and the files stay as few as processes were at once.
"""

import os
from collections.abc import Iterator
from fcntl import LOCK_EX, LOCK_NB, flock
from io import TextIOWrapper
from itertools import count
from pathlib import Path

from django.conf import settings
from prometheus_client import Counter, Histogram, values

SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Slots:
    """Called, it returns the number of the slot that this process holds: no other living process of the machine has it,
    in whichever container. A process that was forked takes one of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process = 0
        self._number = 0
        self._lock: TextIOWrapper | None = None

    def __call__(self) -> int:
        if self._process != os.getpid():
            self._number, self._lock = next(self._free())
            self._process = os.getpid()
        return self._number

    def _free(self) -> Iterator[tuple[int, TextIOWrapper]]:
        """The lowest one. A lock ends with its process; what was taken over from a parent stays the parent's."""
        for number in count():
            file = (self._folder / f"{number}.lock").open("w")
            try:
                flock(file, LOCK_EX | LOCK_NB)
            except BlockingIOError:
                file.close()
            else:
                yield number, file


def counters_folder() -> Path:
    folder: Path = settings.DATA_DIR / "counters"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


if settings.METRICS_ADDRESS is not None:
    # The library looks there when a counter begins.
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(counters_folder())
    values.ValueClass = values.MultiProcessValue(Slots(counters_folder()))  # type: ignore[no-untyped-call]

REQUESTS = Counter("touchstone_requests", "Requests answered, by the name of the view.", ["view", "status"])
REQUEST_SECONDS = Histogram("touchstone_request_seconds", "Time until the answer.", ["view"], buckets=SECONDS)
SAVES = Counter("touchstone_saves", "Saves of drafts by their outcome; stale: another page saved first.", ["outcome"])
CALLS = Counter("touchstone_calls", "Questions to models: answered, cached or failed.", ["endpoint", "model", "result"])
CALL_SECONDS = Histogram("touchstone_call_seconds", "Time of an answered call.", ["endpoint", "model"], buckets=SECONDS)
TOKENS = Counter("touchstone_tokens", "Tokens of answered calls.", ["endpoint", "model", "part"])
USD = Counter("touchstone_usd", "Price of answered calls in US dollars, where it is known.", ["endpoint", "model"])
