"""Whole lists as JSON lines and Parquet, in flat memory."""

import io
import json
import tracemalloc
from collections.abc import Callable, Iterable, Iterator

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from api.rest.streams import write_json_lines
from core.parquet import ROW_GROUP, Columns, Row, write_parquet

COLUMNS: Columns = {"id": "int64", "text": "string", "facts": [{"text": "string"}]}
SCHEMA = pa.schema([("id", pa.int64()), ("text", pa.string()), ("facts", pa.list_(pa.struct([("text", pa.string())])))])


def some_rows(count: int) -> Iterator[Row]:
    for number in range(count):
        yield {"id": number, "text": f"number {number} " * 5, "facts": [{"text": f"{number} is odd"}] * (number % 3)}


def as_lines(rows: Iterable[Row]) -> Iterator[bytes]:
    return write_json_lines(rows, list(COLUMNS))


def as_parquet(rows: Iterable[Row]) -> Iterator[bytes]:
    return write_parquet(rows, COLUMNS)


@pytest.mark.parametrize("count", [0, 1, ROW_GROUP, 2 * ROW_GROUP + 1])
def test_parquet_holds_every_row_in_groups(count: int) -> None:
    file = pq.ParquetFile(io.BytesIO(b"".join(as_parquet(some_rows(count)))))
    assert file.num_row_groups == -(-count // ROW_GROUP)
    assert file.schema_arrow == SCHEMA
    assert file.read().to_pylist() == list(some_rows(count))


@pytest.mark.parametrize("count", [0, 1, 2500])
def test_json_lines_hold_every_row(count: int) -> None:
    lines = b"".join(as_lines(some_rows(count))).decode().splitlines()
    assert [json.loads(line) for line in lines] == list(some_rows(count))


@pytest.mark.parametrize("write", [as_lines, as_parquet])
def test_five_times_as_many_rows_take_no_more_memory(write: Callable[[Iterable[Row]], Iterator[bytes]]) -> None:
    peak_of(write, ROW_GROUP)  # loads the code
    few, many = (peak_of(write, groups * ROW_GROUP) for groups in (2, 10))
    assert many < 1.2 * few


def peak_of(write: Callable[[Iterable[Row]], Iterator[bytes]], count: int) -> int:
    """The most bytes at a time, of Python and of Arrow."""
    tracemalloc.start()
    most = 0
    for _ in write(some_rows(count)):
        most = max(most, pa.total_allocated_bytes())
    peak = tracemalloc.get_traced_memory()[1] + most
    tracemalloc.stop()
    return peak
