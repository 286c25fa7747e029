"""CSV with a line of names, in any encoding and with any separator that spreadsheets and data frames write."""

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.errors import DataError, RowError, at_line
from core.json_limits import MOST_VALUES
from core.json_lines import LONGEST_LINE
from core.rows.cells import read_table
from core.rows.encodings import encoding_of

SEPARATORS = (",", ";", "\t", "|", "^", "~", "\x1f", "\x01")
QUOTED = re.compile(r'"[^"]*"')
# The line by which a file tells Excel its separator.
SAID = re.compile(r"\ufeff?\"?sep=([^\"\r\n])\"?\r?\n?", re.IGNORECASE)


def read_csv(path: Path, notes: list[str]) -> Iterator[tuple[int, dict[str, Any] | RowError]]:
    """The rows as name → cell, with their numbers as a spreadsheet counts them: the line of names is row 1. In place of
    a row with other than that many cells its fault.

    What had to be guessed or is left out is added to the notes. DataError where it is no CSV, or names a column twice.
    """
    # Python's own limit is lower than the longest response; it is one for the whole process.
    csv.field_size_limit(LONGEST_LINE)
    lines = _Lines(path, notes)
    yield from read_table(path, _cells(path, lines), notes)


def _cells(path: Path, lines: "_Lines") -> Iterator[tuple[int, list[str]]]:
    try:
        for cells in csv.reader(lines, delimiter=lines.separator, strict=True):
            lines.end_row()
            yield lines.row, cells
    except csv.Error as error:
        raise at_line(path, lines.row + 1, f"not CSV: {error}", "row") from None


class _Lines:
    """The lines of the file as text, each row of them within the limits of a row. row: how many rows have ended."""

    def __init__(self, path: Path, notes: list[str]) -> None:
        self._path = path
        self._text = self._decoded(encoding_of(path, notes))
        first = next(self._text, "")
        if said := SAID.fullmatch(first):
            self.separator, first = said[1], next(self._text, "")
        else:
            named = QUOTED.sub("", first)
            self.separator = max(SEPARATORS, key=named.count)
        self._first: str | None = first
        self.row = 0
        self._characters = self._separators = 0

    def end_row(self) -> None:
        self.row += 1
        self._characters = self._separators = 0

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        line = next(self._text) if self._first is None else self._first
        self._first = None
        self._characters += len(line)
        self._separators += line.count(self.separator)
        if self._characters > LONGEST_LINE:
            raise at_line(self._path, self.row + 1, f"longer than {LONGEST_LINE // 1024**2} MB", "row")
        if self._separators > MOST_VALUES:
            raise at_line(self._path, self.row + 1, f"more than {MOST_VALUES:,} cells", "row")
        return line

    def _decoded(self, encoding: str) -> Iterator[str]:
        try:
            with self._path.open(encoding=encoding, newline="") as file:
                while line := file.readline(LONGEST_LINE + 1):
                    yield line
        except UnicodeError:
            raise at_line(self._path, self.row + 1, f"not {encoding} text", "row") from None
        except OSError as error:
            raise DataError(f"{self._path.name}: it cannot be read: {error.strerror}.") from None
