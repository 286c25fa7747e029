"""An example and its completions from a row of the published layout, and back.

No cell is stored twice: a cell stands in `Example.extra` only where it differs from the cell that an export would
write.
"""

import re
from collections.abc import Mapping, Sequence

from core.errors import RowError, describe
from core.row_fields import check_text, parse_date
from factor.csv_format.columns import CUT, DATE, FALSE, INDEX, KEY, LONGEST, PREFIX, TRUE, TYPE, false_columns
from factor.models import Completion, Example, FactorErrorType
from knowledge.models import Document

LONGEST_KEY = 500
PIECES = re.compile(r"\w+|[^\w\s]")

Cells = Mapping[str, str]


def example_of(cells: Cells, position: int, documents: Mapping[str, Document]) -> tuple[Example, list[Completion]]:
    """The row's example and its completions, none of them saved, the true one first.

    `documents`: the known documents by key; a document's date is the example's where the row has none. A row may have
    fewer false completions than the header has columns: its last ones are then empty. RowError: a completion is empty
    or occurs twice, an error type or a date is not one.
    """
    prefix, cut = cells[PREFIX], cells.get(CUT, "")
    document = documents.get(cells.get(KEY, ""))
    dated = parse_date(cells[DATE], f"the column {describe(DATE)}") if cells.get(DATE) else None
    example = Example(
        position=position,
        document=document,
        document_key=check_text(cells.get(KEY, ""), f"the column {describe(KEY)}", LONGEST_KEY),
        dated=dated or (document.published if document else None),
        prefix=prefix,
        cut_prefix="" if cut == prefix else cut,
    )
    completions = _completions(example, cells)
    expected = cells_of(example, completions)
    example.extra = {column: cell for column, cell in cells.items() if expected.get(column, "") != cell}
    return example, completions


def cells_of(example: Example, completions: Sequence[Completion]) -> dict[str, str]:
    """The cells of an example in the known columns, by column; `completions` are in order, the true one first."""
    cells = {
        INDEX: str(example.position),
        PREFIX: example.prefix,
        KEY: example.document_key,
        TRUE: completions[0].text,
        LONGEST: f"{max(len(PIECES.findall(each.text)) for each in completions)}.0",
        CUT: example.scored_prefix,
        DATE: example.dated.isoformat() if example.dated else "",
    }
    for number, each in enumerate(completions[1:]):
        cells[FALSE.format(number)] = each.text
        cells[TYPE.format(number)] = each.error_type
    return cells


def row_of(example: Example, completions: Sequence[Completion], columns: Sequence[str]) -> list[str]:
    """The example's row in a file with these columns: as its file had it, where it came with one."""
    cells = {**cells_of(example, completions), **example.extra}
    return [cells.get(column, "") for column in columns]


def _completions(example: Example, cells: Cells) -> list[Completion]:
    falses = false_columns(list(cells))
    while len(falses) > 1 and not cells[falses[-1]].strip():
        falses.pop()
    texts: dict[str, str] = {}
    for column in (TRUE, *falses):
        text = cells[column]
        if not text.strip():
            raise RowError(f"the column {describe(column)} is empty")
        if text in texts:
            raise RowError(f"the column {describe(column)} has the same text as the column {describe(texts[text])}")
        texts[text] = column
    return [
        Completion(example=example, place=place, text=text, error_type=_error_type(cells, place - 1) if place else "")
        for place, text in enumerate(texts)
    ]


def _error_type(cells: Cells, number: int) -> str:
    column = TYPE.format(number)
    name = cells.get(column, "").strip().lower()
    if name and name not in FactorErrorType.values:
        known = ", ".join(FactorErrorType.values)
        raise RowError(f"the column {describe(column)} has {describe(cells[column])}; error types are {known}")
    return name
