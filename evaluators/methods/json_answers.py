"""JSON in a model's answer."""

import ast
import json
import re
from itertools import islice
from typing import Any

from llm.completion import storable

BEGINNING = re.compile(r"[\[{]")
DECODER = json.JSONDecoder()
MOST_TRIED = 20  # beginnings that lead to nothing


def read_json(text: str) -> Any:
    """The first object or list in the text, whatever stands around it; None where there is none.

    One in Python's spelling (True, None, single quotes), which models write too, is read where it is the rest of the
    text, a fence of code aside.
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
        found = ast.literal_eval(text.strip().removesuffix("```").strip())
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        return None
    return found if isinstance(found, dict | list) else None


def texts_in(found: Any, part: str) -> list[str] | None:
    """The texts of a list, each once: its items, or the parts of this name of its items. None where it is no list of
    such."""
    if not isinstance(found, list):
        return None
    items = [item.get(part) if isinstance(item, dict) else item for item in found]
    texts = [" ".join(storable(item).split()) for item in items if isinstance(item, str)]
    return list(dict.fromkeys(filter(None, texts))) if len(texts) == len(items) else None
