"""The columns of the published layout, their misspelt and their unnamed one too, and two of our own."""

from collections.abc import Sequence

from core.errors import RowError, describe

INDEX = ""
PREFIX = "full_prefix"
KEY = "doc_id"
TRUE = "completion"
FALSE = "contradiction_{}"
LONGEST = "longest_completions"
CUT = "turncated_prefixes"
# Data without a column in the published layout.
TYPE = "error_type_{}"
DATE = "date"

# So many false completions the published files have, and their authors' scorer reads.
PUBLISHED_FALSE = 3


def columns_for(most: int, types: bool, dates: bool) -> list[str]:
    """The header of a benchmark that was made here, whose examples have up to `most` false completions."""
    falses = range(max(most, PUBLISHED_FALSE))
    own = [*(TYPE.format(each) for each in falses if types), *([DATE] if dates else [])]
    return [INDEX, PREFIX, KEY, TRUE, *(FALSE.format(each) for each in falses), LONGEST, CUT, *own]


def false_columns(columns: Sequence[str]) -> list[str]:
    """The columns of false completions, from 0 to the first that is missing."""
    there = set(columns)
    names: list[str] = []
    while (column := FALSE.format(len(names))) in there:
        names.append(column)
    return names


def check_columns(columns: Sequence[str]) -> None:
    """RowError: a column is missing or appears twice."""
    for column in columns:
        if columns.count(column) > 1:
            raise RowError(f"the column {describe(column)} appears twice")
    for column in (PREFIX, TRUE, FALSE.format(0)):
        if column not in columns:
            raise RowError(f"the column {describe(column)} is missing")
    names = false_columns(columns)
    numbered = [each for each in columns if each.startswith(FALSE.format("")) and each not in names]
    if any(each.removeprefix(FALSE.format("")).isdecimal() for each in numbered):
        raise RowError(f"the column {describe(FALSE.format(len(names)))} is missing before {describe(numbered[0])}")
