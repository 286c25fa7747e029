"""The rows of a file of predictions, in any of its forms; a row names its unit by its place or by its text."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotate.corpus.rows import LONGEST_INDEX
from annotate.labels.rows import Address, read_address
from core.errors import RowError
from core.row_fields import Fields, check_keys, filled_text, outside_index
from core.rows.files import RowFile, open_rows
from evaluators.predictions.rows import OPTIONAL, REQUIRED, Predicted, read_predicted

BY_TEXT = ("text", "value")
OPTIONAL_BY_TEXT = ("index", "score", "rationale")
COUNTS = ("segment", "fact")
# The value of a row that nobody has judged yet, as in the template of all units (template.py): it is left out.
OPEN = "open"


@dataclass(frozen=True)
class SentRow:
    """A prediction. address: None where `text` names the unit, in the response `index` or, where that is None, in any.

    text: without surplus white space; "" where only the place is given.
    """

    number: int
    address: Address | None
    index: str | None
    text: str
    predicted: Predicted


@dataclass(frozen=True)
class SentFile:
    """place: the word for a row's number. faults: of the rows that cannot be read, by their numbers. open: how many
    rows are not judged yet."""

    place: str
    rows: list[SentRow]
    faults: list[tuple[int, str]]
    open: int = 0


def read_sent(path: Path) -> SentFile:
    """Raises DataError where the file cannot be read to its end."""
    file, left_open = open_rows(path), 0
    rows: list[SentRow] = []
    faults: list[tuple[int, str]] = []
    for number, row in file.rows:
        try:
            if isinstance(row, RowError):
                raise row
            if row.get("value") == OPEN:
                left_open += 1
            else:
                rows.append(_read_row(number, _plain(row, file)))
        except RowError as error:
            faults.append((number, str(error)))
    return SentFile(file.place, rows, faults, left_open)


def same_text(text: str) -> str:
    """Texts that differ in white space only are the same."""
    return " ".join(text.split())


def _read_row(number: int, fields: Fields) -> SentRow:
    if "text" in fields and "segment" not in fields:
        check_keys(fields, BY_TEXT, OPTIONAL_BY_TEXT)
        address, index = None, outside_index(fields, LONGEST_INDEX) if "index" in fields else None
    else:
        check_keys(fields, REQUIRED, (*OPTIONAL, "text"))
        address = read_address(fields)
        index = address[0]
    text = same_text(filled_text(fields, "text")) if "text" in fields else ""
    return SentRow(number, address, index, text, read_predicted(fields))


def _plain(row: dict[str, Any], file: RowFile) -> Fields:
    """The row as one of JSON lines: of a table, columns that are empty here are left out but for the value."""
    if not file.is_table:
        return row
    cells = {name: _of_cell(name, value) if file.has_cells else _of_column(name, value) for name, value in row.items()}
    return {name: value for name, value in cells.items() if value is not None or name == "value"}


def _of_cell(name: str, cell: str) -> Any:
    if cell.strip() == "":
        return None
    try:
        return int(cell) if name in COUNTS else float(cell) if name == "score" else cell
    except ValueError:
        raise RowError(f"{name} is no number") from None


def _of_column(name: str, value: Any) -> Any:
    """Whole numbers with gaps are fractions in pandas, and gaps are NaN."""
    if isinstance(value, float) and value != value:
        return None
    return int(value) if name in COUNTS and isinstance(value, float) and value.is_integer() else value
