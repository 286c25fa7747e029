"""Wait for a condition, never for a length of time: the deadline is the failure."""

import threading
import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")

LOOK_EVERY_SECONDS = 0.05
LONGEST = 900  # seconds: a busy machine fails no test, where making the tables alone may take three minutes


def wait_until(look: Callable[[], Found], what: str, seconds: float = 30) -> Found:
    """The first true thing that `look` returns; an AssertionError naming `what` after so many seconds."""
    pause = threading.Event()
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if found := look():
            return found
        pause.wait(LOOK_EVERY_SECONDS)
    raise AssertionError(f"{what}: not within {seconds:g} s")
