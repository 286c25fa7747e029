"""The first rows of a file, for a page on which its fields are mapped."""

import json
from itertools import islice
from pathlib import Path
from typing import Any

from core.errors import RowError, at_line
from core.rows.files import open_rows

MOST_ROWS = 200
# They are held in memory: after so many characters no further row is read.
MOST_CHARACTERS = 5_000_000


def first_rows(path: Path) -> list[dict[str, Any]]:
    """The rows as they stand in the file, one at least. DataError where one of them is none."""
    file = open_rows(path)
    rows: list[dict[str, Any]] = []
    characters = 0
    for number, row in islice(file.rows, MOST_ROWS):
        if isinstance(row, RowError):
            raise at_line(path, number, row, file.place)
        rows.append(row)
        characters += len(json.dumps(row))
        if characters > MOST_CHARACTERS:
            break
    return rows
