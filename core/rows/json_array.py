"""A JSON array of objects, one at a time: it takes the memory of its longest object, however long it is.

The array is the whole file, or stands under a key of the one object that the file is.
"""

import json
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from core.errors import DataError, RowError, at_line, describe
from core.json_lines import LONGEST_LINE, opened, parse_object, raw_lines

CHUNK = 1024**2
# A whole text, the beginning of one whose end is not read yet, or a sign that the array is built of.
TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|["\[\]{},]', re.DOTALL)

# Keys under which programs write the rows of a whole file, such as the API of Hugging Face and `pandas.to_json`.
WRAPPERS = ("data", "rows", "examples", "instances", "items", "records", "samples")
# An object with one of these is itself a row.
OF_A_ROW = {"prompt", "input", "question", "response", "output", "answer"}


def wrapper_of(path: Path, beginning: bytes) -> str:
    """The key of the one object that the file is, where rows stand under it; "": the file is JSON lines, or nothing is
    known. beginning: the first bytes of the file."""
    if not beginning.lstrip().startswith(b"{"):
        return ""
    key = _wrapper_in(beginning)
    return "" if not key or _is_json_lines(path) else key


def _wrapper_in(beginning: bytes) -> str:
    depth, last = 0, ""
    for token in TOKEN.finditer(beginning):
        sign = token[0]
        if sign == b"[" and depth == 1 and last in WRAPPERS and beginning[token.end() :].lstrip().startswith(b"{"):
            return last
        if sign in b"[{":
            depth += 1
        elif sign in b"]}":
            depth -= 1
        elif sign != b"," and depth == 1:
            last = sign[1:-1].decode("utf-8", "replace")
            if last in OF_A_ROW:
                return ""
    return ""


def _is_json_lines(path: Path) -> bool:
    """Whether the first line is an object, and others follow."""
    lines = (line for _, line in raw_lines(path) if line.strip())
    first, second = next(lines, b""), next(lines, b"")
    try:
        return bool(second) and bool(parse_object(first))
    except RowError:
        return False


def read_array(path: Path, key: str = "") -> Iterator[tuple[int, dict[str, Any] | RowError]]:
    """key: where in the file's object the array stands; "": it is the file.

    The objects with their numbers, from 1, or in an object's place its fault. DataError where the array is not
    closed, holds an object that is too long, or is not the only thing in the file."""
    number = 0
    for number, element in enumerate(_elements(path, key), 1):
        try:
            # The line's end says that the object is whole.
            yield number, parse_object(element + b"\n")
        except RowError as error:
            yield number, error


def _elements(path: Path, key: str) -> Iterator[bytes]:
    """The bytes of each element; none for an empty array."""
    with opened(path) as file:
        chunks = iter(lambda: file.read(CHUNK), b"")
        yield from _scan_within(path, chunks, key) if key else _scan(path, chunks)


def _scan_within(path: Path, chunks: Iterator[bytes], key: str) -> Iterator[bytes]:
    """The elements of the array under the key; what stands around it is passed over."""
    wanted = json.dumps(key, ensure_ascii=False).encode()
    buffer, at, depth, last, begun = b"", 0, 0, b"", False
    for chunk in chunks:
        buffer, at = buffer[at:] + chunk, 0
        for token in TOKEN.finditer(buffer):
            sign = token[0]
            if sign == b'"':
                break
            at = token.end()
            if sign == b"[" and depth == 1 and last == wanted:
                # The rest of the object is not read: an array that is whole is enough.
                yield from _scan(path, chain([b"[" + buffer[at:]], chunks), alone=False)
                return
            if sign in b"[{":
                if not begun and sign == b"[":
                    raise DataError(f"{path.name} is a JSON array, and no object with the key {describe(key)}.")
                depth, begun = depth + 1, True
            elif sign in b"]}":
                depth -= 1
            elif sign != b"," and depth == 1:
                last = sign
        if len(buffer) - at > LONGEST_LINE:
            break
    raise DataError(f"{path.name}: there is no list under the key {describe(key)}.")


def _scan(path: Path, chunks: Iterator[bytes], alone: bool = True) -> Iterator[bytes]:
    """alone: nothing stands behind the array."""
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
                    if alone and (buffer[at:].strip() or any(rest.strip() for rest in chunks)):
                        raise at_line(path, number, "something stands behind the end of the array", "row")
                    return
        else:
            at = len(buffer)
        if len(buffer) - start > LONGEST_LINE:
            raise at_line(path, number, f"longer than {LONGEST_LINE // 1024**2} MB", "row")
    raise at_line(path, number, "the array has no end; the file may be cut off here", "row")
