"""Lines of a CSV file that a spreadsheet may open."""

import csv
import io
from collections.abc import Iterable

# First characters by which a spreadsheet takes a cell for a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_line(cells: Iterable[object]) -> str:
    """One line without its end. A text that a spreadsheet would run as a formula gets an apostrophe before it."""
    buffer = io.StringIO()
    # Python 3.11 quotes only those line breaks that end a line.
    csv.writer(buffer, lineterminator="\r\n").writerow(_harmless(cell) for cell in cells)
    return buffer.getvalue().removesuffix("\r\n")


def _harmless(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell
