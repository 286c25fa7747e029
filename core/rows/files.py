"""A file of rows in whatever form it has, told by its content, and by its name where that decides nothing; or a folder
of such files."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.errors import RowError, at_line
from core.json_lines import BYTE_ORDER_MARK, opened, read_lines
from core.rows.csv_rows import read_csv
from core.rows.encodings import UTF_16_MARKS
from core.rows.folders import ARROW_ENDINGS, data_files
from core.rows.json_array import read_array, wrapper_of
from core.rows.uima import is_cas, read_cas
from core.rows.unpacking import ARROW_MAGIC, PARQUET_MAGIC, read_arrow, read_parquet, read_spreadsheet

CSV_ENDINGS = (".csv", ".tsv", ".tab", ".psv", ".txt")
SPREADSHEET_ENDINGS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
BEGINNING = 4096

# A row with its number in the file, or the fault that keeps it from being read.
Row = tuple[int, dict[str, Any] | RowError]


@dataclass(frozen=True)
class RowFile:
    """rows: read as they are asked for; DataError where the file cannot be read any further, and for one without a row.

    place: the word for a row's number, from 1: "line", or "row" (in CSV the line of names is row 1).
    has_cells: every value is a text (CSV, spreadsheets). is_table: every row has the same columns, so some are empty.
    kind: json-lines, json, csv, spreadsheet, parquet, arrow or folder. notes: one clause each on what was guessed or is
    left out; whole once the rows are read.
    """

    rows: Iterator[Row]
    kind: str
    place: str = "line"
    has_cells: bool = False
    is_table: bool = False
    notes: list[str] = field(default_factory=list)


def open_rows(path: Path, key: str = "") -> RowFile:
    """key: that of the one JSON object that the file is, where it holds the rows; "": they stand by themselves. Raises
    DataError for a path that is no readable file."""
    if _is_folder(path):
        return _open_folder(path, key)
    beginning, ending, notes = _beginning(path), path.suffix.lower(), list[str]()

    def table(kind: str, rows: Iterator[Row], has_cells: bool = False) -> RowFile:
        return RowFile(_filled(path, rows, "row"), kind, "row", has_cells, is_table=True, notes=notes)

    if beginning.startswith(PARQUET_MAGIC) or ending == ".parquet":
        return table("parquet", read_parquet(path, notes))
    if beginning.startswith(ARROW_MAGIC) or ending in ARROW_ENDINGS:
        return table("arrow", read_arrow(path, notes))
    if ending in SPREADSHEET_ENDINGS:
        return table("spreadsheet", read_spreadsheet(path, notes), has_cells=True)
    if ending in CSV_ENDINGS or beginning.startswith(UTF_16_MARKS):
        return table("csv", read_csv(path, notes), has_cells=True)
    if key or beginning.removeprefix(BYTE_ORDER_MARK).lstrip().startswith(b"["):
        return RowFile(_filled(path, read_array(path, key), "row"), "json", "row")
    if is_cas(beginning):
        return RowFile(read_cas(path), "json", "row", notes=notes)
    if wrapper := wrapper_of(path, beginning):
        notes.append(f"the rows are read that stand under the key {wrapper}")
        return RowFile(_filled(path, read_array(path, wrapper), "row"), "json", "row", notes=notes)
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
    notes: list[str] = []

    def rows() -> Iterator[Row]:
        number = 0
        for path in files:
            file = open_rows(path, key)
            for _, row in file.rows:
                number += 1
                yield number, row
            notes.extend(note for note in file.notes if note not in notes)

    return RowFile(rows(), "folder", "row", first.has_cells, first.is_table, notes)


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
