"""Rows as Parquet, written while they are read, so that memory stays flat."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from core.chunks import in_chunks

ROW_GROUP = 2000  # rows of Parquet; a response with its units may have many kilobytes

Row = Mapping[str, Any]
# Names and types of a row's fields: Arrow's names of types; [type] for lists, {name: type} for objects; JSON for an
# object of any keys, which is text in Parquet.
JSON = "json"
ColumnType = str | Sequence[Any] | Mapping[str, Any]
Columns = Mapping[str, ColumnType]


def write_parquet(rows: Iterable[Row], columns: Columns) -> Iterator[bytes]:
    """The file in pieces, one after each row group."""
    # Only where it is needed: it takes some 40 MB, and where pandas is installed 45 MB more for that.
    import pyarrow as pa
    from pyarrow.parquet import ParquetWriter

    # Arrow's own allocator would keep 20 MB more.
    pa.set_memory_pool(pa.system_memory_pool())
    schema = pa.schema([(name, _arrow_type(kind)) for name, kind in columns.items()])
    of_json = [name for name, kind in columns.items() if kind == JSON]
    sink = _Sink()
    with ParquetWriter(sink, schema) as writer:
        for chunk in in_chunks(_spelled(rows, of_json), ROW_GROUP):
            writer.write_table(pa.Table.from_pylist(chunk, schema=schema))
            yield sink.take()
    yield sink.take()


def _spelled(rows: Iterable[Row], of_json: Sequence[str]) -> Iterable[Row]:
    for row in rows:
        texts = {name: json.dumps(row[name], ensure_ascii=False) for name in of_json if row[name] is not None}
        yield {**row, **texts} if texts else row


def _arrow_type(kind: ColumnType) -> Any:
    import pyarrow as pa

    if isinstance(kind, str):
        kind = "string" if kind == JSON else kind
        return pa.type_for_alias(kind)
    if isinstance(kind, Mapping):
        return pa.struct([(name, _arrow_type(within)) for name, within in kind.items()])
    return pa.list_(_arrow_type(kind[0]))


class _Sink:
    """A file that is only written to, and keeps what was not taken yet."""

    def __init__(self) -> None:
        self._waiting = bytearray()
        self._taken = 0
        self.closed = False

    def write(self, data: bytes) -> int:
        self._waiting += memoryview(data)
        return len(data)

    def tell(self) -> int:
        return self._taken + len(self._waiting)

    def take(self) -> bytes:
        data = bytes(self._waiting)
        self._waiting.clear()
        self._taken += len(data)
        return data

    def flush(self) -> None:
        """Nothing is held back."""

    def close(self) -> None:
        self.closed = True
