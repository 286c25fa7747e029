"""JSON in a model's answer."""

import ast
import json
import re
from itertools import islice
from typing import Any

BEGINNING = re.compile(r"[\[{]")
DECODER = json.JSONDecoder()
MOST_TRIED = 20  # beginnings that lead to nothing


def read_json(text: str) -> Any:
    """The first object or list in the text, whatever stands around it; None where there is none.

    One in Python's spelling (True, None, single quotes), which models write too, is read where the last bracket of its
    kind ends it.
    """
    for match in islice(BEGINNING.finditer(text), MOST_TRIED):
        try:
            return DECODER.raw_decode(text, match.start())[0]
        except (ValueError, RecursionError):
            found = _as_python(text[match.start() :])
            if found is not None:
                return found
    return None


def _as_python(text: str) -> Any:
    try:
        found = ast.literal_eval(text[: text.rfind("]" if text[0] == "[" else "}") + 1])
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        return None
    return found if isinstance(found, dict | list) else None
