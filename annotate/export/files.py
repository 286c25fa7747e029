"""The files of an export, in the kinds that programs read."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from annotate.export.export_format import ExportFormat, ExportTable
from annotate.export.read import Asked
from core.chunks import in_chunks
from core.csv import csv_lines, marked
from core.errors import DataError
from core.parquet import write_parquet
from core.spreadsheet import write_xlsx

LINES = 200  # of one piece


@dataclass(frozen=True)
class FileKind:
    """title: for people. is_text: whether a terminal shows it. write_table: None for a form that no table has."""

    title: str
    content_type: str
    is_text: bool
    write_table: Callable[[ExportTable, Asked], Iterator[bytes]] | None = None


def _text(lines: Iterable[str]) -> Iterator[bytes]:
    """Lines with their ends, many in a piece."""
    return ("".join(some).encode() for some in in_chunks(lines, LINES))


def _csv(table: ExportTable, asked: Asked) -> Iterator[bytes]:
    return _text(marked(csv_lines(table.rows(asked), table.columns)))


KINDS = {
    "jsonl": FileKind("JSON lines", "application/x-ndjson", is_text=True),
    "csv": FileKind("CSV", "text/csv", is_text=True, write_table=_csv),
    "xlsx": FileKind(
        "Excel",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        is_text=False,
        write_table=lambda table, asked: write_xlsx(table.rows(asked), list(table.columns)),
    ),
    "parquet": FileKind(
        "Parquet",
        "application/vnd.apache.parquet",
        is_text=False,
        write_table=lambda table, asked: write_parquet(table.rows(asked), table.columns),
    ),
    "json": FileKind("JSON", "application/json", is_text=True),
}


def kind_of(export_format: ExportFormat, kind: str) -> str:
    """The kind of file, a key of KINDS: that which is asked for, or the format's own where that is "". DataError: the
    format has no such file."""
    if kind in ("", export_format.kind) or (export_format.table and KINDS[kind].write_table):
        return kind or export_format.kind
    raise DataError(f"{export_format.name} is written as {KINDS[export_format.kind].title} alone.")


def write_file(export_format: ExportFormat, asked: Asked, kind: str) -> Iterator[bytes]:
    """The file of this kind (kind_of) in pieces."""
    if export_format.table and (write_table := KINDS[kind].write_table):
        return write_table(export_format.table, asked)
    lines = export_format.write(asked)
    return _text(marked(lines) if kind == "csv" else (f"{line}\n" for line in lines))
