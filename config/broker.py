"""The embedded message queue: kombu's transport over files, each of which appears whole.

kombu 5.7 opens a file before it locks and writes it. A worker that looks in between reads an empty file and ends.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import LOCK_EX, LOCK_SH, flock
from pathlib import Path
from time import monotonic_ns
from typing import Any
from uuid import uuid4

from kombu.exceptions import ChannelError
from kombu.transport import filesystem
from kombu.utils.json import dumps


class Channel(filesystem.Channel):
    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:  # type: ignore[override]
        """Write the message under a name that no worker looks for, then rename it."""
        name = f"{monotonic_ns() // 1_000_000}_{uuid4()}.{queue}.msg"
        part = Path(self.data_folder_out, f"{name}.part")
        try:
            part.write_text(dumps(payload), encoding="utf-8")  # type: ignore[no-untyped-call]
            part.rename(part.with_suffix(""))
        except OSError as error:
            raise ChannelError(f"Cannot add file {name} to {self.data_folder_out}") from error

    def get_table(self, exchange: str) -> list[filesystem.exchange_queue_t]:
        with self._lock_tables(LOCK_SH):
            table: list[filesystem.exchange_queue_t] = super().get_table(exchange)  # type: ignore[no-untyped-call]
        return table

    def _queue_bind(self, exchange: str, routing_key: str, pattern: str, queue: str) -> None:
        with self._lock_tables(LOCK_EX):
            super()._queue_bind(exchange, routing_key, pattern, queue)  # type: ignore[no-untyped-call]

    def _delete(self, queue: str, exchange: str, routing_key: str, pattern: str, *args: Any, **kwargs: Any) -> None:
        with self._lock_tables(LOCK_EX):
            super()._delete(queue, exchange, routing_key, pattern, *args, **kwargs)  # type: ignore[no-untyped-call]

    @contextmanager
    def _lock_tables(self, kind: int) -> Iterator[None]:
        """The tables of which queue is bound to which exchange; the lock ends with its file."""
        with (self.control_folder / "lock").open("w") as file:
            flock(file, kind)
            yield


class Transport(filesystem.Transport):
    Channel = Channel
