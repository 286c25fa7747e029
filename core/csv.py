"""Lines of a CSV file that a spreadsheet may open."""

import csv
import io
from collections.abc import Iterable

# First characters by which a spreadsheet takes a cell for a formula; the wide ones it reads as the narrow ones.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def csv_line(cells: Iterable[object]) -> str:
    """One line without its end. A text that a spreadsheet would run as a formula gets an apostrophe before it; numbers
    stay numbers."""
    buffer = io.StringIO()
    # Python 3.11 quotes only those line breaks that end a line.
    csv.writer(buffer, lineterminator="\r\n").writerow(_harmless(cell) for cell in cells)
    return buffer.getvalue().removesuffix("\r\n")


def _harmless(cell: object) -> object:
    """Whoever takes one apostrophe from before a formula, or before further apostrophes, has each text as it was."""
    return f"'{cell}" if isinstance(cell, str) and cell.lstrip("'").startswith(FORMULA) else cell
