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
    harmless = (harmless_text(cell) if isinstance(cell, str) else cell for cell in cells)
    csv.writer(buffer, lineterminator="\r\n").writerow(harmless)
    return buffer.getvalue().removesuffix("\r\n")


def harmless_text(text: str) -> str:
    """Whoever takes one apostrophe from before a formula, or before further apostrophes, has each text as it was."""
    return f"'{text}" if text.lstrip("'").startswith(FORMULA) else text
