"""The first rows of a file or folder, for a page on which its fields are mapped."""

import json
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from annotate.corpus.checking import file_inside, open_files
from annotate.corpus.recipe import JoinedFile
from core.errors import DataError, RowError, at_line
from core.rows.folders import STATE, data_files

MOST_ROWS = 200
# They are held in memory: after so many characters no further row is read.
MOST_CHARACTERS = 5_000_000
# Files of a folder of which one is chosen.
MOST_FILES = 50


def first_rows(path: Path, name: str = "", joined: Sequence[JoinedFile] = ()) -> dict[int, dict[str, Any]]:
    """The rows as they stand in the file, by number, one at least. name, joined: of a folder, as open_files has them;
    rows that another file does not complete are passed over. DataError where another row is none."""
    file = open_files(path, name, joined)
    rows: dict[int, dict[str, Any]] = {}
    fault: RowError | None = None
    characters = 0
    for number, row in islice(file.rows, MOST_ROWS):
        if isinstance(row, RowError):
            fault = row
            if not joined:
                raise at_line(path, number, row, file.place)
            continue
        rows[number] = row
        characters += len(json.dumps(row))
        if characters > MOST_CHARACTERS:
            break
    if not rows:
        raise DataError(f"No row of {name} is completed: {fault}.")
    return rows


def file_names(path: Path) -> list[str]:
    """The files with rows of a folder that holds several; none of what the package datasets saved, which are parts of
    one. DataError: they are of several kinds."""
    if not path.is_dir() or (path / STATE).is_file():
        return []
    names = list(dict.fromkeys(file.name for file in data_files(path)))
    return names if 1 < len(names) <= MOST_FILES else []


def keys_in(folder: Path, name: str) -> list[str]:
    """The keys of the first rows of a file in the folder."""
    rows = first_rows(file_inside(folder, name)).values()
    return list(dict.fromkeys(key for row in rows for key in row))
