"""Rows of a file that another file of the same folder completes, by a key that both have."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.errors import DataError, RowError, at_line, describe
from core.rows.files import Row, open_rows

# The other file's rows are held in memory.
MOST_CHARACTERS = 200_000_000


def completed(rows: Iterator[Row], other: Path, by: str, there: str) -> Iterator[Row]:
    """The rows with the keys that the row of the other file has besides whose value under `there` is theirs under `by`;
    in place of a row that has none there its fault. DataError: the other file cannot be read, or is too large."""
    others: dict[str, dict[str, Any]] | None = None
    for number, row in rows:
        if isinstance(row, RowError):
            yield number, row
            continue
        others = _by_key(other, there) if others is None else others
        key = _key_of(row, by)
        if key is None or key not in others:
            yield number, RowError(f"{other.name} has no row whose {there} is {describe(key)}", f"no {by} in both")
        else:
            yield number, {**others[key], **row}


def _by_key(path: Path, by: str) -> dict[str, dict[str, Any]]:
    file = open_rows(path)
    found: dict[str, dict[str, Any]] = {}
    characters = 0
    for number, row in file.rows:
        if isinstance(row, RowError):
            raise at_line(path, number, row, file.place)
        key = _key_of(row, by)
        if key is None:
            raise at_line(path, number, f"the key {describe(by)} is missing", file.place)
        if key in found:
            raise at_line(path, number, f"the {by} {describe(row[by])} stands twice", file.place)
        found[key] = row
        characters += len(json.dumps(row))
        if characters > MOST_CHARACTERS:
            raise DataError(f"{path.name} is too large to complete another file by it: join the two by a script.")
    return found


def _key_of(row: dict[str, Any], by: str) -> str | None:
    """A number and its digits are one key."""
    value = row.get(by)
    return None if value is None or isinstance(value, list | dict) else str(value)
