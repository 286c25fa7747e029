"""Whole lists in one answer, as JSON lines or Parquet: rows go out as they are read, so memory stays flat."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from api.rest.problems import Unprocessable
from api.rest.views import FIELDS, ListView
from core.chunks import in_chunks
from core.downloads import download
from core.parquet import Columns, Row, write_parquet

CHUNK = 1000  # rows of one piece of JSON lines
READ = 2000  # rows that are read at a time


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
    return download(pieces, name, request.accepted_renderer.media_type)


def write_json_lines(rows: Iterable[Row], names: list[str]) -> Iterator[bytes]:
    for chunk in in_chunks(rows, CHUNK):
        lines = (json.dumps({name: row[name] for name in names}, ensure_ascii=False, default=str) for row in chunk)
        yield "".join(f"{line}\n" for line in lines).encode()


def chosen_columns(request: Request, columns: Columns) -> Columns:
    """Those that `?fields=` names; all without it."""
    names = request.query_params.get(FIELDS)
    if names is None:
        return columns
    wanted = set(names.split(","))
    if unknown := wanted - set(columns):
        raise Unprocessable(f"There is no field {', '.join(sorted(unknown))}; there are {', '.join(columns)}.")
    return {name: kind for name, kind in columns.items() if name in wanted}
