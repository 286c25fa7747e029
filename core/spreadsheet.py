"""Rows as an Excel file."""

from collections.abc import Iterable, Iterator, Sequence
from tempfile import TemporaryFile
from typing import Any

from core.csv import flat_cell
from core.errors import DataError
from core.parquet import Row

# Excel's own limit of a sheet is 1,048,576 rows; so many take some twenty seconds, which a page can wait for.
MOST_ROWS = 100_000
LONGEST_CELL = 32_767  # Excel's own limit
PIECE = 64 * 1024


def write_xlsx(rows: Iterable[Row], columns: Sequence[str]) -> Iterator[bytes]:
    """The file in pieces: one sheet, the head in its first row. A text stays a text, whatever it begins with.

    DataError before the first piece: there are too many rows, or a text is too long for a cell.
    """
    # Only where it is needed.
    from xlsxwriter import Workbook

    with TemporaryFile() as file:
        # Row by row onto the disk: memory does not grow.
        with Workbook(file, {"constant_memory": True}) as book:
            sheet, bold = book.add_worksheet(), book.add_format({"bold": True})
            sheet.freeze_panes(1, 0)
            for place, name in enumerate(columns):
                sheet.write_string(0, place, name, bold)
            for number, row in enumerate(rows, start=1):
                if number > MOST_ROWS:
                    raise DataError(f"An Excel file takes at most {MOST_ROWS:,} rows: choose CSV or Parquet.")
                for place, name in enumerate(columns):
                    _write(sheet, number, place, name, flat_cell(row[name]))
        file.seek(0)
        while piece := file.read(PIECE):
            yield piece


def _write(sheet: Any, number: int, place: int, column: str, cell: object) -> None:
    if isinstance(cell, bool):
        sheet.write_boolean(number, place, cell)
    elif isinstance(cell, int | float):
        sheet.write_number(number, place, cell)
    elif len(text := str(cell)) > LONGEST_CELL:
        raise DataError(
            f"Row {number} has {len(text):,} characters in {column}, and a cell of Excel takes {LONGEST_CELL:,}: "
            "choose CSV or Parquet."
        )
    elif text:
        sheet.write_string(number, place, text)
