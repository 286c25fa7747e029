"""The pairs that filters compare: an original sentence and a candidate, in the same context."""

import re
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class SentencePair:
    """near: the text directly before both, with the white space between (near_context)."""

    near: str
    original: str
    candidate: str

    @property
    def premise(self) -> str:
        return self.near + self.original

    @property
    def hypothesis(self) -> str:
        return self.near + self.candidate


_WORD = re.compile(r"\S+")


def near_context(prefix: str, words: int) -> str:
    """The prefix's last words, up to its very end and as they are written; "" where there are to be none."""
    starts = [match.start() for match in _WORD.finditer(prefix)][-words:] if words else []
    return prefix[starts[0] :] if starts else ""


def shortened(near: str) -> Iterator[str]:
    """The near context, then without its first word, and so on; at last ""."""
    for match in _WORD.finditer(near):
        yield near[match.start() :]
    yield ""
