"""Lines of a CSV file that a spreadsheet may open."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

# By this first character a spreadsheet knows UTF-8; readers of files pass over it.
BYTE_ORDER_MARK = "\ufeff"
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


def flat_cell(value: object) -> object:
    """What is no single value as lines of one cell, an object as JSON; what is not known is empty."""
    if isinstance(value, list):
        return "\n".join(each if isinstance(each, str) else json.dumps(each, ensure_ascii=False) for each in value)
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    return "" if value is None else value


def csv_lines(rows: Iterable[Mapping[str, Any]], columns: Iterable[str]) -> Iterator[str]:
    """The head and the rows, without line ends."""
    names = list(columns)
    yield csv_line(names)
    for row in rows:
        yield csv_line(flat_cell(row[name]) for name in names)


def marked(lines: Iterable[str]) -> Iterator[str]:
    """The lines with their ends, the mark before the first."""
    mark = BYTE_ORDER_MARK
    for line in lines:
        yield f"{mark}{line}\n"
        mark = ""
