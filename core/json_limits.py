"""JSON from outside, parsed within limits: what it would take of memory is counted before anything is built.

One value takes some 60 to 300 bytes once it is parsed, where two characters write it: ten megabytes of `[]` take half a
gigabyte. So the values are counted first: every comma, bracket and colon outside a text begins at most one.
"""

import json
import re
from typing import Any

from core.errors import RowError

MOST_VALUES = 200_000  # of a row or a request; the longest published row has 2,000
MOST_IN_DOCUMENT = 1_000_000  # of a document that holds a whole report
DEEPEST = 50  # brackets within one another
# Without escapes. An open text is taken to the end: each byte is looked at once, whatever comes.
TEXT = re.compile('"[^"]*"?')
NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


def parse_json(data: bytes | str, most: int = MOST_VALUES, **hooks: Any) -> Any:
    """What the JSON stands for; `hooks` are those of `json.loads`.

    Raises RowError where it holds more than `most` values or is nested too deeply, UnicodeDecodeError,
    json.JSONDecodeError, and ValueError for a number of too many digits.
    """
    count_values(data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data, most)
    try:
        return json.loads(data if isinstance(data, str) else data.decode("utf-8"), **hooks)
    except RecursionError:
        raise RowError("brackets are nested too deeply") from None


def count_values(data: bytes, most: int = MOST_VALUES) -> int:
    """How many values it holds at most. Raises RowError where these are more than `most`, or nested too deeply."""
    if _signs(data) <= most and data.count(b"[") + data.count(b"{") <= DEEPEST:
        return _signs(data)
    # As text of one byte a character: bytes that are joined take 80 for each piece.
    plain = data.replace(rb"\\", b"").replace(rb"\"", b"").decode("latin-1")
    structure = TEXT.sub("", plain).encode("latin-1")
    if (values := _signs(structure)) > most:
        raise RowError(f"more than {most:,} values")
    depth = 0
    for bracket in structure.translate(None, NO_BRACKETS):
        depth += 1 if bracket in b"[{" else -1
        if depth > DEEPEST:
            raise RowError("brackets are nested too deeply")
    return values


def _signs(data: bytes) -> int:
    return 1 + sum(data.count(sign) for sign in (b",", b"[", b"{", b":"))
