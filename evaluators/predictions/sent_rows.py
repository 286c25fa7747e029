"""The rows of a file of predictions, in any of its forms; a row names its unit by its place or by its text."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from annotate.corpus.rows import LONGEST_INDEX
from annotate.labels.rows import Address, read_address
from core.errors import RowError
from core.row_fields import DECIMAL_COMMA, Fields, check_keys, filled_text, outside_index
from core.rows.files import RowFile, open_rows
from evaluators.predictions.rows import OPTIONAL, REQUIRED, Predicted, SaidValues, read_predicted

BY_TEXT = ("text", "value")
OPTIONAL_BY_TEXT = ("index", "score", "rationale")
COUNTS = ("segment", "fact")
KEYS = {*REQUIRED, *OPTIONAL, "text"}
NO_VALUES: Mapping[str, str] = MappingProxyType({})
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
    rows are not judged yet. passed_over: how many rows have a key that is none of a prediction, by the key. notes: on
    how the file was read (core/rows/files.py)."""

    place: str
    rows: list[SentRow]
    faults: list[tuple[int, str]]
    open: int = 0
    passed_over: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)


def read_sent(path: Path, values: Mapping[str, str] = NO_VALUES) -> SentFile:
    """values: ours by those of the file, where it has others. Raises DataError where the file cannot be read to its
    end, or lacks one of these."""
    file, left_open, said = open_rows(path), 0, SaidValues(values)
    rows: list[SentRow] = []
    passed_over: Counter[str] = Counter()
    faults: list[tuple[int, str]] = []
    for number, row in file.rows:
        try:
            if isinstance(row, RowError):
                raise row
            if row.get("value") == OPEN:
                left_open += 1
            else:
                fields = _plain(row, file)
                passed_over.update(fields.keys() - KEYS)
                rows.append(_read_row(number, {name: fields[name] for name in fields if name in KEYS}, said))
        except RowError as error:
            faults.append((number, str(error)))
    said.check_used(path)
    return SentFile(file.place, rows, faults, left_open, passed_over, file.notes)


def same_text(text: str) -> str:
    """Texts that differ in white space only are the same."""
    return " ".join(text.split())


def _read_row(number: int, fields: Fields, said: SaidValues) -> SentRow:
    if "text" in fields and "segment" not in fields:
        check_keys(fields, BY_TEXT, OPTIONAL_BY_TEXT)
        address, index = None, outside_index(fields, LONGEST_INDEX) if "index" in fields else None
    else:
        check_keys(fields, REQUIRED, (*OPTIONAL, "text"))
        address = read_address(fields)
        index = address[0]
    text = same_text(filled_text(fields, "text")) if "text" in fields else ""
    return SentRow(number, address, index, text, read_predicted({**fields, "value": said.translate(fields["value"])}))


def _plain(row: dict[str, Any], file: RowFile) -> Fields:
    """The row as one of JSON lines: of a table, columns that are empty here are left out but for the value."""
    if not file.is_table:
        return row
    cells = {name: _of_cell(name, value) if file.has_cells else _of_column(name, value) for name, value in row.items()}
    return {name: value for name, value in cells.items() if value is not None or name == "value"}


def _of_cell(name: str, cell: str) -> Any:
    if cell.strip() == "":
        return None
    if name == "score" and DECIMAL_COMMA.fullmatch(cell.strip()):
        return cell.replace(",", ".")
    try:
        return int(cell) if name in COUNTS else cell
    except ValueError:
        raise RowError(f"{name} is no number") from None


def _of_column(name: str, value: Any) -> Any:
    """Whole numbers with gaps are fractions in pandas, and gaps are NaN."""
    if isinstance(value, float) and value != value:
        return None
    return int(value) if name in COUNTS and isinstance(value, float) and value.is_integer() else value
