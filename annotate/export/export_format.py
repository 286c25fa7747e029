"""One export format: its name, and how its file is written."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from annotate.export.read import Asked
from annotate.models import Scheme
from core.json_lines import json_line
from core.parquet import Columns, Row


@dataclass(frozen=True)
class ExportTable:
    """A format with a row of named values for each thing: it can be written as every kind of file."""

    columns: Columns
    rows: Callable[[Asked], Iterator[Row]]


@dataclass(frozen=True)
class ExportFormat:
    """name: the value of `--format`.
    write: the lines of the file without line ends.
    scheme: of the datasets that it can write; None: of any.
    is_whole: no subject, filter or gold version limits it.
    table: None where it has a form of its own, as others publish it.
    kind: of the file, a key of KINDS (annotate/export/files.py); of a table unless another is asked for.
    of_people: whether it says what each annotator said.
    """

    name: str
    write: Callable[[Asked], Iterator[str]]
    scheme: Scheme | None = None
    is_whole: bool = False
    table: ExportTable | None = None
    kind: str = "jsonl"
    of_people: bool = False


def table_format(name: str, table: ExportTable, of_people: bool = False) -> ExportFormat:
    """The format of a table, an object a line unless another kind of file is asked for."""
    return ExportFormat(name, lambda asked: map(json_line, table.rows(asked)), table=table, of_people=of_people)
