"""A benchmark's file, checked as CSV: every failure is one DataError that names the file, the line and the cause."""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.errors import DataError, RowError, at_line, describe
from core.json_lines import ARCHIVES
from core.row_fields import check_text
from factor.csv_format.columns import check_columns
from factor.csv_format.style import MARK, Style, style_of

# A prefix is a whole document's; Python's reader stops at 131,072 characters by default.
LONGEST_CELL = 10_000_000


@dataclass(frozen=True)
class BenchmarkFile:
    """The rows of a file in order: of each the line where it begins, from 1, and its cells in the order of `columns`.

    `style` is None where the file is written in none of the usual ways.
    """

    columns: list[str]
    rows: list[tuple[int, list[str]]]
    style: Style | None


def read_file(path: Path) -> BenchmarkFile:
    """DataError for a file that is not readable CSV in UTF-8, or has no row, a bad header, or a row of other length."""
    text = _text(path)
    lines = list(_lines(path, text.removeprefix(MARK)))
    if len(lines) < 2:
        raise at_line(path, 1, "there is no example after the header" if lines else "the file is empty")
    columns = lines[0][1]
    _check(path, lines)
    return BenchmarkFile(columns, lines[1:], style_of(text, [cells for _, cells in lines]))


def _text(path: Path) -> str:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DataError(f"{path.name}: it cannot be read: {error.strerror}.") from None
    for signature, kind in ARCHIVES.items():
        if data.startswith(signature):
            raise at_line(path, 1, f"this is {kind}, not CSV")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        byte = error.start - data.rfind(b"\n", 0, error.start)
        raise at_line(path, line, f"not UTF-8 text (byte {byte} of the line)") from None


def _lines(path: Path, text: str) -> Iterator[tuple[int, list[str]]]:
    """Each row with the line where it begins; blank lines are passed over."""
    csv.field_size_limit(LONGEST_CELL)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    begins = 1
    try:
        for cells in reader:
            if cells:
                yield begins, cells
            begins = reader.line_num + 1
    except csv.Error as error:
        raise at_line(path, begins, f"the row that begins here is not CSV: {error}") from None


def _check(path: Path, lines: list[tuple[int, list[str]]]) -> None:
    columns = lines[0][1]
    for line, cells in lines:
        try:
            if cells == columns and cells is not columns:
                raise RowError("the header is repeated here")
            if len(cells) != len(columns):
                raise RowError(f"the row has {len(cells)} cells, the header {len(columns)}")
            for column, cell in zip(columns, cells, strict=True):
                check_text(cell, f"the column {describe(column)}")
            if cells is columns:
                check_columns(columns)
        except RowError as error:
            raise at_line(path, line, error) from None
