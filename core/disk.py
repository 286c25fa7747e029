"""A disk that is full: files that are whole or not there, and what goes on without one."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.core.files.base import File
from django.core.files.storage import FileSystemStorage

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


class WholeFileStorage(FileSystemStorage):
    """Files that people upload: what could not be written whole is taken away again."""

    def _save(self, name: str, content: "File[bytes]") -> str:
        is_new = not self.exists(name)
        try:
            return super()._save(name, content)  # type: ignore[misc, no-any-return]
        except OSError:
            if is_new:
                with suppress(OSError):
                    self.delete(name)
            raise
