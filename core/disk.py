"""A disk that is full, and what goes on without it."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager

SENTENCE = "The server's disk is full"


def is_full(error: BaseException | None) -> bool:
    """Whether it says that the disk, or a quota of it, is full."""
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)


@contextmanager
def unless_full() -> Iterator[None]:
    """For what is only kept to be faster: left out where the disk is full."""
    try:
        yield
    except OSError as error:
        if not is_full(error):
            raise
