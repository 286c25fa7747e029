"""A JSON array of objects, one at a time: it takes the memory of its longest object, however long it is."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.errors import RowError, at_line
from core.json_lines import LONGEST_LINE, opened, parse_object

CHUNK = 1024**2
# A whole text, the beginning of one whose end is not read yet, or a sign that the array is built of.
TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|["\[\]{},]', re.DOTALL)


def read_array(path: Path) -> Iterator[tuple[int, dict[str, Any] | RowError]]:
    """The objects with their numbers, from 1, or in an object's place its fault. DataError where the array is not
    closed, holds an object that is too long, or is not the only thing in the file."""
    number = 0
    for number, element in enumerate(_elements(path), 1):
        try:
            # The line's end says that the object is whole.
            yield number, parse_object(element + b"\n")
        except RowError as error:
            yield number, error


def _elements(path: Path) -> Iterator[bytes]:
    """The bytes of each element; none for an empty array."""
    with opened(path) as file:
        yield from _scan(path, iter(lambda: file.read(CHUNK), b""))


def _scan(path: Path, chunks: Iterator[bytes]) -> Iterator[bytes]:
    buffer, at, start, depth, number = b"", 0, 0, 0, 1
    for chunk in chunks:
        buffer, at, start = buffer[start:] + chunk, at - start, 0
        for token in TOKEN.finditer(buffer, at):
            sign = token[0]
            if sign == b'"':
                at = token.start()
                break
            at = token.end()
            if sign in b"[{":
                depth += 1
                start = at if depth == 1 else start
            elif sign == b"," and depth == 1:
                yield buffer[start : at - 1]
                start, number = at, number + 1
            elif sign in b"]}":
                depth -= 1
                if depth == 0:
                    last = buffer[start : at - 1]
                    if last.strip() or number > 1:
                        yield last
                    if buffer[at:].strip() or any(rest.strip() for rest in chunks):
                        raise at_line(path, number, "something stands behind the end of the array", "row")
                    return
        else:
            at = len(buffer)
        if len(buffer) - start > LONGEST_LINE:
            raise at_line(path, number, f"longer than {LONGEST_LINE // 1024**2} MB", "row")
    raise at_line(path, number, "the array has no end; the file may be cut off here", "row")
