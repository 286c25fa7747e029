"""A file of rows in whatever form it has, told by its content, and by its name where that decides nothing; or a folder
of such files."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import RowError, at_line
from core.json_lines import BYTE_ORDER_MARK, opened, read_lines
from core.rows.csv_rows import read_csv
from core.rows.folders import ARROW, data_files
from core.rows.json_array import read_array
from core.rows.parquet_rows import MAGIC, read_arrow, read_parquet

CSV_ENDINGS = (".csv", ".tsv")
BEGINNING = 4096

# A row with its number in the file, or the fault that keeps it from being read.
Row = tuple[int, dict[str, Any] | RowError]


@dataclass(frozen=True)
class RowFile:
    """rows: read as they are asked for; DataError where the file cannot be read any further, and for one without a row.

    place: the word for a row's number, from 1: "line", or "row" (in CSV the line of names is row 1).
    has_cells: every value is a text (CSV). is_table: every row has the same columns, so some are empty.
    kind: json-lines, json, csv, parquet or folder.
    """

    rows: Iterator[Row]
    kind: str
    place: str = "line"
    has_cells: bool = False
    is_table: bool = False


def open_rows(path: Path, key: str = "") -> RowFile:
    """key: that of the one JSON object that the file is, where it holds the rows; "": they stand by themselves. Raises
    DataError for a path that is no readable file."""
    if _is_folder(path):
        return _open_folder(path, key)
    beginning = _beginning(path)
    if beginning.startswith(MAGIC) or path.suffix.lower() == ".parquet":
        return RowFile(_filled(path, read_parquet(path), "row"), "parquet", "row", is_table=True)
    if path.suffix.lower() == ARROW:
        return RowFile(_filled(path, read_arrow(path), "row"), "folder", "row", is_table=True)
    if path.suffix.lower() in CSV_ENDINGS:
        return RowFile(_filled(path, read_csv(path), "row"), "csv", "row", has_cells=True, is_table=True)
    if key or beginning.removeprefix(BYTE_ORDER_MARK).lstrip().startswith(b"["):
        return RowFile(_filled(path, read_array(path, key), "row"), "json", "row")
    return RowFile(_filled(path, read_lines(path), "line"), "json-lines")


def _is_folder(path: Path) -> bool:
    """False for a path that no disk takes: opening it says why."""
    try:
        return path.is_dir()
    except OSError:
        return False


def _open_folder(folder: Path, key: str) -> RowFile:
    """The rows of its files one after another, numbered through."""
    files = data_files(folder)
    first = open_rows(files[0], key)

    def rows() -> Iterator[Row]:
        number = 0
        for path in files:
            for _, row in open_rows(path, key).rows:
                number += 1
                yield number, row

    return RowFile(rows(), "folder", "row", first.has_cells, first.is_table)


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
