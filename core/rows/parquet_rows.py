"""Parquet and Arrow, unpacked by a process of its own, which may take so much memory and time.

`python -m core.rows.parquet_rows PATH BYTES KIND` is that process: it writes each row as a line of JSON. A file made to
choke its reader ends that process, and no web server or worker.
"""

import json
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from core.errors import DataError, RowError, at_line
from core.json_lines import LONGEST_LINE, parse_object

MAGIC = b"PAR1"
ROOT = Path(__file__).resolve().parent.parent.parent
MEMORY_BYTES = 2 * 1024**3
CPU_SECONDS = 600
# Few: one text may stand in every row, and is written out for each.
BATCH = 8


def read_parquet(path: Path) -> Iterator[tuple[int, dict[str, Any] | RowError]]:
    """The rows as name → value, with their numbers, from 1. DataError where the file is no Parquet, or takes too much
    memory or time."""
    return _unpack(path, "Parquet")


def read_arrow(path: Path) -> Iterator[tuple[int, dict[str, Any] | RowError]]:
    """As read_parquet, of a file in Arrow's stream format, which datasets saves."""
    return _unpack(path, "Arrow")


def _unpack(path: Path, kind: str) -> Iterator[tuple[int, dict[str, Any] | RowError]]:
    command = [sys.executable, "-X", "utf8", "-m", __name__, str(path.resolve()), str(MEMORY_BYTES), kind]
    # The system's own allocator: the other ones reserve more than they use.
    environment = {"ARROW_DEFAULT_MEMORY_POOL": "system"}
    with subprocess.Popen(  # noqa: S603 - no shell, and the path is a single argument
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdout is not None  # noqa: S101 - it is a pipe
        number = 0
        try:
            while line := process.stdout.readline(LONGEST_LINE + 1):
                number += 1
                if len(line) > LONGEST_LINE:
                    raise at_line(path, number, f"longer than {LONGEST_LINE // 1024**2} MB", "row")
                yield number, _parse(line)
            finished = process.wait()
        finally:
            process.kill()
    if finished:
        raise DataError(f"{path.name}: it is no {kind} file, is damaged, or takes too much memory to unpack.")


def _parse(line: bytes) -> dict[str, Any] | RowError:
    try:
        return parse_object(line)
    except RowError as error:
        return error


def write_rows(path: Path, kind: str) -> None:
    for rows in (_parquet_batches if kind == "Parquet" else _arrow_batches)(path):
        for row in rows:
            sys.stdout.write(json.dumps(row, default=_as_text) + "\n")


# Here: only the process that unpacks loads pyarrow.
def _parquet_batches(path: Path) -> Iterator[list[dict[str, Any]]]:
    from pyarrow.parquet import ParquetFile

    for batch in ParquetFile(path).iter_batches(batch_size=BATCH, use_threads=False):
        yield batch.to_pylist()


def _arrow_batches(path: Path) -> Iterator[list[dict[str, Any]]]:
    from pyarrow import ipc, memory_map

    with memory_map(str(path)) as file, ipc.open_stream(file) as reader:
        for batch in reader:
            for start in range(0, batch.num_rows, BATCH):
                yield batch.slice(start, BATCH).to_pylist()


def _as_text(value: object) -> str:
    """Columns of bytes hold texts where their writer did not say so."""
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else str(value)


def main(path: str, memory: str, kind: str) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    with suppress(ValueError):  # macOS has no such limit
        resource.setrlimit(resource.RLIMIT_AS, (int(memory), int(memory)))
    write_rows(Path(path), kind)


if __name__ == "__main__":
    main(*sys.argv[1:])
