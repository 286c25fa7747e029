"""A file of rows in whatever form it has, told by its content, and by its name where that decides nothing."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import RowError, at_line
from core.json_lines import BYTE_ORDER_MARK, opened, read_lines
from core.rows.csv_rows import read_csv
from core.rows.json_array import read_array
from core.rows.parquet_rows import MAGIC, read_parquet

CSV_ENDINGS = (".csv", ".tsv")
BEGINNING = 4096

# A row with its number in the file, or the fault that keeps it from being read.
Row = tuple[int, dict[str, Any] | RowError]


@dataclass(frozen=True)
class RowFile:
    """rows: read as they are asked for; DataError where the file cannot be read any further, and for one without a row.

    place: the word for a row's number, from 1: "line", or "row" (in CSV the line of names is row 1).
    has_cells: every value is a text (CSV). is_table: every row has the same columns, so some are empty.
    """

    rows: Iterator[Row]
    place: str = "line"
    has_cells: bool = False
    is_table: bool = False


def open_rows(path: Path) -> RowFile:
    """Raises DataError for a path that is no readable file."""
    beginning = _beginning(path)
    if beginning.startswith(MAGIC) or path.suffix.lower() == ".parquet":
        return RowFile(_filled(path, read_parquet(path), "row"), "row", is_table=True)
    if path.suffix.lower() in CSV_ENDINGS:
        return RowFile(_filled(path, read_csv(path), "row"), "row", has_cells=True, is_table=True)
    if beginning.removeprefix(BYTE_ORDER_MARK).lstrip().startswith(b"["):
        return RowFile(_filled(path, read_array(path), "row"), "row")
    return RowFile(_filled(path, read_lines(path), "line"))


def _beginning(path: Path) -> bytes:
    with opened(path) as file:
        return file.read(BEGINNING)


def _filled(path: Path, rows: Iterator[Row], place: str) -> Iterator[Row]:
    empty = True
    for row in rows:
        empty = False
        yield row
    if empty:
        raise at_line(path, 1, "the file is empty", place)
