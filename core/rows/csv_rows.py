"""CSV with a line of names, separated by commas, semicolons or tabs, as spreadsheets write it."""

import csv
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.errors import RowError, at_line, describe
from core.json_limits import MOST_VALUES
from core.json_lines import BYTE_ORDER_MARK, LONGEST_LINE, raw_lines

SEPARATORS = (b",", b";", b"\t")


def read_csv(path: Path) -> Iterator[tuple[int, dict[str, Any] | RowError]]:
    """The rows as name → cell, with their numbers as a spreadsheet counts them: the line of names is row 1. In place of
    a row with other than that many cells its fault. DataError where it is no CSV in UTF-8, or names a column twice."""
    # Python's own limit is lower than the longest response; it is one for the whole process.
    csv.field_size_limit(LONGEST_LINE)
    lines = _Lines(path)
    reader = csv.reader(lines, delimiter=lines.separator, strict=True)
    names: list[str] | None = None
    number = 0
    try:
        for cells in reader:
            lines.row = number = number + 1
            lines.begin_row()
            if not any(cells):
                continue
            if names is None:
                names = _names(path, cells)
            elif len(cells) == len(names):
                yield number, dict(zip(names, cells, strict=True))
            else:
                yield number, RowError(f"{len(cells)} cells, where the first row names {len(names)} columns")
    except csv.Error as error:
        raise at_line(path, number + 1, f"not CSV: {error}", "row") from None


def _names(path: Path, cells: list[str]) -> list[str]:
    names = [cell.strip() for cell in cells]
    (most, count), *_ = Counter(names).most_common(1)
    if count > 1:
        raise at_line(path, 1, f"the column {describe(most)} stands twice", "row")
    return names


class _Lines:
    """The lines of the file as text, each row of them within the limits of a row."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._raw = raw_lines(path)
        first = next(self._raw, (1, b""))[1].removeprefix(BYTE_ORDER_MARK)
        self._first: bytes | None = first
        self.separator = max(SEPARATORS, key=first.count).decode()
        self.row = 0
        self.begin_row()

    def begin_row(self) -> None:
        self._bytes = self._cells = 0

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        raw = next(self._raw)[1] if self._first is None else self._first
        self._first = None
        self._bytes += len(raw)
        self._cells += raw.count(self.separator.encode())
        if self._bytes > LONGEST_LINE:
            raise at_line(self._path, self.row + 1, f"longer than {LONGEST_LINE // 1024**2} MB", "row")
        if self._cells > MOST_VALUES:
            raise at_line(self._path, self.row + 1, f"more than {MOST_VALUES:,} cells", "row")
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            cause = "not UTF-8 text; spreadsheets call the right form “CSV UTF-8”"
            raise at_line(self._path, self.row + 1, cause, "row") from None
