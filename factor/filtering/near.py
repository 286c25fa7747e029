"""The near context: what stands directly before a sentence (FACTOR §3.2.3: t_near)."""

import re
from collections.abc import Iterator

_WORD = re.compile(r"\S+")


def near_context(prefix: str, words: int) -> str:
    """The prefix's last words, up to its very end and as they are written; "" where there are to be none."""
    starts = [word.start() for word in _WORD.finditer(prefix)][-words:] if words else []
    return prefix[starts[0] :] if starts else ""


def shortened(near: str) -> Iterator[str]:
    """The near context, then without its first word, and so on; at last ""."""
    for word in _WORD.finditer(near):
        yield near[word.start() :]
    yield ""
