"""Files in a bucket of an S3-compatible store, for the extra "s3": several machines share them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError
from storages.backends.s3 import S3Storage


@contextmanager
def _as_os_error(name: str) -> Iterator[None]:
    """A store that cannot be reached, or refuses, is what a disk that fails is."""
    try:
        yield
    except (BotoCoreError, ClientError) as error:
        raise OSError(None, f"the bucket: {error}", name) from error


class BucketStorage(S3Storage):  # type: ignore[misc]
    """A name that is taken is never written again."""

    def _open(self, name: str, mode: str = "rb") -> Any:
        with _as_os_error(name):
            return super()._open(name, mode)

    def _save(self, name: str, content: Any) -> str:
        with _as_os_error(name):
            return str(super()._save(name, content))

    def exists(self, name: str) -> bool:
        with _as_os_error(name):
            return bool(super().exists(name))

    def delete(self, name: str) -> None:
        with _as_os_error(name):
            super().delete(name)
