"""JSON lines. Reading is strict: every failure is one DataError that names the file, the line and the cause."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from core.errors import DataError, RowError, at_line, describe
from core.json_limits import parse_json

# Longer than any honest row (the longest published one has 13 KB), short enough to be held in memory.
LONGEST_LINE = 10 * 1024 * 1024
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
ARCHIVES = {b"PK\x03\x04": "a zip archive", b"\x1f\x8b": "a gzip archive"}


def json_line(row: Mapping[str, Any]) -> str:
    """The row as one line of JSON, readable in any language."""
    # Some readers take these three characters for the end of a line; JSON may spell them out.
    return json.dumps(row, ensure_ascii=False).translate({ord(end): f"\\u{ord(end):04x}" for end in "\x85\u2028\u2029"})


def read_objects(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a JSON-lines file with their line numbers, from 1; blank lines are passed over.

    Raises DataError for a path that is no readable file, a file without a row, a line that is too long or is not UTF-8,
    and a row that is not one JSON object with distinct keys. Memory is bounded by the longest line.
    """
    has_rows = False
    for number, row in read_lines(path):
        has_rows = True
        if isinstance(row, RowError):
            raise at_line(path, number, row)
        yield number, row
    if not has_rows:
        raise at_line(path, 1, "the file is empty")


def read_lines(path: Path) -> Iterator[tuple[int, dict[str, Any] | RowError]]:
    """As read_objects, but in place of a row that is no object its fault, and the file may be without a row."""
    for number, raw in raw_lines(path):
        line = raw.removeprefix(BYTE_ORDER_MARK) if number == 1 else raw
        if not line.strip():
            continue
        try:
            yield number, parse_object(line)
        except RowError as error:
            yield number, error
            if _archive(line):
                return


def raw_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines with their numbers, from 1.

    Raises DataError for a path that is no readable file, and for a line that is too long.
    """
    with opened(path) as file:
        number = 0
        while line := file.readline(LONGEST_LINE + 1):
            number += 1
            if len(line) > LONGEST_LINE:
                raise at_line(path, number, f"longer than {LONGEST_LINE // 1024**2} MB")
            yield number, line


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """The file for reading. Raises DataError for a path that is no readable file."""
    try:
        if not path.exists():
            raise DataError(f"{path.name}: there is no such file.")
        if not path.is_file():
            raise DataError(f"{path.name}: this is not a file.")
        with path.open("rb") as file:
            yield file
    except OSError as error:
        raise DataError(f"{path.name}: it cannot be read: {error.strerror}.") from None


def parse_object(line: bytes) -> dict[str, Any]:
    """The one JSON object that a line holds; RowError says why it does not."""
    if kind := _archive(line):
        raise RowError(f"this is {kind}, not JSON lines")
    try:
        row = parse_json(line, object_pairs_hook=distinct)
    except UnicodeDecodeError as error:
        raise RowError(f"not UTF-8 text (byte {error.start + 1} of the line)") from None
    except json.JSONDecodeError as error:
        cut = "" if line.endswith(b"\n") else "; the file may be cut off here"
        raise RowError(f"not JSON: {error.msg} (character {error.pos + 1}){cut}") from None
    except ValueError:
        # The only other complaint of Python's reader: an integer of more than 4,300 digits.
        raise RowError("a number has too many digits") from None
    if not isinstance(row, dict):
        raise RowError(f"a row must be a JSON object, not {describe(row)}")
    return row


def _archive(line: bytes) -> str:
    """The kind of archive that begins so; "" for none."""
    return next((kind for signature, kind in ARCHIVES.items() if line.startswith(signature)), "")


def distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        repeated, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise RowError(f"the key {describe(repeated)} stands twice")
    return fields
