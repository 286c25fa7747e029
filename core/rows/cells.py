"""A table of cells, of a CSV file or a spreadsheet: its first row names the columns."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from core.errors import RowError, at_line, describe

# What pandas calls a column without a name when it reads its own file again.
NAMELESS_INDEX = re.compile(r"Unnamed: 0(\.\d+)?")


class Columns:
    """The columns that a row of names gives a table.

    A first column without a name holds the row numbers of the program that wrote the file (pandas, R): it is left out,
    and a note says so. Any other column without a name must be empty.
    """

    def __init__(self, path: Path, number: int, cells: list[str], notes: list[str]) -> None:
        """number: of the row of names. Raises DataError where a name stands twice, or there is none."""
        self._names = [cell.strip() for cell in cells]
        repeated, count = Counter(filter(None, self._names)).most_common(1)[0]
        if count > 1:
            raise at_line(path, number, f"the column {describe(repeated)} stands twice", "row")
        if len(self._names) > 1 and (not self._names[0] or NAMELESS_INDEX.fullmatch(self._names[0])):
            self._first = 1
            notes.append("the first column has no name of its own and is left out: programs write row numbers there")
        else:
            self._first = 0

    def row(self, cells: list[str]) -> dict[str, Any] | RowError:
        """The cells by name; in place of a row that has others its fault."""
        while len(cells) > len(self._names) and not cells[-1]:
            cells = cells[:-1]
        if len(cells) != len(self._names):
            return RowError(f"{len(cells)} cells, where the first row names {len(self._names)} columns")
        row: dict[str, Any] = {}
        for place in range(self._first, len(cells)):
            if self._names[place]:
                row[self._names[place]] = cells[place]
            elif cells[place].strip():
                return RowError(f"the cell {describe(cells[place])} stands in column {place + 1}, which has no name")
        return row


def read_table(
    path: Path, rows: Iterable[tuple[int, list[str]]], notes: list[str]
) -> Iterator[tuple[int, dict[str, Any] | RowError]]:
    """The rows with their numbers after the row of names; blank ones are passed over. Raises DataError as Columns."""
    columns: Columns | None = None
    for number, cells in rows:
        if not any(cell.strip() for cell in cells):
            continue
        if columns is None:
            columns = Columns(path, number, cells, notes)
        else:
            yield number, columns.row(cells)
