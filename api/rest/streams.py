"""Whole lists in one answer, as JSON lines or Parquet: rows go out as they are read, so memory stays flat."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from api.rest.problems import Unprocessable
from api.rest.views import FIELDS, ListView
from core.chunks import in_chunks

CHUNK = 1000  # rows of one piece of JSON lines
READ = 2000  # rows that are read at a time
ROW_GROUP = 2000  # rows of Parquet; a response with its units may have many kilobytes

Row = Mapping[str, Any]
# Names and types of a row's fields: Arrow's names of types; [type] for lists, {name: type} for objects.
ColumnType = str | Sequence[Any] | Mapping[str, Any]
Columns = Mapping[str, ColumnType]


class JsonLinesRenderer(JSONRenderer):
    """Names the media type; it renders the errors, rows are written by `stream_rows`."""

    media_type = "application/x-ndjson"
    format = "jsonl"


class ParquetRenderer(JSONRenderer):
    """Names the media type; it renders the errors, rows are written by `stream_rows`."""

    media_type = "application/vnd.apache.parquet"
    format = "parquet"


class StreamedListView(ListView):
    """A list in pages that is also read whole: by the header Accept, or by `?format=jsonl` or `?format=parquet`.

    `columns`: names and types of the fields of a row.
    """

    renderer_classes = [JSONRenderer, JsonLinesRenderer, ParquetRenderer]
    columns: Columns

    def plain_rows(self, rows: Any) -> Iterable[Row]:
        """Each of `rows()` as a mapping from the names of `columns` to plain values, read in chunks."""
        shape = self.serializer_class(context={"request": self.request, "view": self})
        return map(shape.to_representation, rows.order_by("pk").iterator(chunk_size=READ))

    def get(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponseBase:  # type: ignore[override]
        if is_stream(request):
            return stream_rows(request, self.plain_rows(self.rows()), self.columns)
        return super().get(request, *args, **kwargs)


def is_stream(request: Request) -> bool:
    return request.accepted_renderer.format in (JsonLinesRenderer.format, ParquetRenderer.format)


def stream_rows(request: Request, rows: Iterable[Row], columns: Columns) -> StreamingHttpResponse:
    """The rows in the form that the request asks for (`is_stream`), each with the columns of `?fields=`.

    rows: best an iterator over a queryset's `iterator(chunk_size=…)`; read once. A value that does not fit its type
    ends the answer before its end.
    """
    wanted = chosen_columns(request, columns)
    if request.accepted_renderer.format == ParquetRenderer.format:
        pieces = write_parquet(rows, wanted)
    else:
        pieces = write_json_lines(rows, list(wanted))
    # The header by which the audit log knows that data leave.
    name = f"{request.path.rstrip('/').rpartition('/')[2]}.{request.accepted_renderer.format}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingHttpResponse(pieces, content_type=request.accepted_renderer.media_type, headers=headers)


def write_json_lines(rows: Iterable[Row], names: list[str]) -> Iterator[bytes]:
    for chunk in in_chunks(rows, CHUNK):
        lines = (json.dumps({name: row[name] for name in names}, ensure_ascii=False, default=str) for row in chunk)
        yield "".join(f"{line}\n" for line in lines).encode()


def write_parquet(rows: Iterable[Row], columns: Columns) -> Iterator[bytes]:
    """The file in pieces, one after each row group."""
    # Only where it is needed: it takes some 40 MB, and where pandas is installed 45 MB more for that.
    import pyarrow as pa
    from pyarrow.parquet import ParquetWriter

    # Arrow's own allocator would keep 20 MB more.
    pa.set_memory_pool(pa.system_memory_pool())
    schema = pa.schema([(name, _arrow_type(kind)) for name, kind in columns.items()])
    sink = _Sink()
    with ParquetWriter(sink, schema) as writer:
        for chunk in in_chunks(rows, ROW_GROUP):
            writer.write_table(pa.Table.from_pylist(chunk, schema=schema))
            yield sink.take()
    yield sink.take()


def _arrow_type(kind: ColumnType) -> Any:
    import pyarrow as pa

    if isinstance(kind, str):
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


def chosen_columns(request: Request, columns: Columns) -> Columns:
    """Those that `?fields=` names; all without it."""
    names = request.query_params.get(FIELDS)
    if names is None:
        return columns
    wanted = set(names.split(","))
    if unknown := wanted - set(columns):
        raise Unprocessable(f"There is no field {', '.join(sorted(unknown))}; there are {', '.join(columns)}.")
    return {name: kind for name, kind in columns.items() if name in wanted}
