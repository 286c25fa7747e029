"""The stored part of a page, and the regular form of its text."""

import hashlib
import re
from dataclasses import dataclass

_BREAKS = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
# Characters that no database keeps and nobody reads: controls but tab and line feed, and halves of characters.
_UNREADABLE = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff\ufeff]")
_BLANKS_AT_END = re.compile(r"[^\S\n]+$", re.MULTILINE)
_EMPTY_LINES = re.compile(r"\n{3,}")


@dataclass(frozen=True)
class PageContent:
    """`title` and `published`: from the page itself, "" where it does not give them."""

    title: str
    published: str
    text: str


def tidy(text: str) -> str:
    """The text with one kind of line end, at most one empty line in a row, and nothing unreadable."""
    text = _UNREADABLE.sub("", _BREAKS.sub("\n", text))
    return _EMPTY_LINES.sub("\n\n", _BLANKS_AT_END.sub("", text)).strip("\n")


def one_line(text: str | None) -> str:
    """The text in one line; "" for None."""
    return " ".join(tidy(text or "").split())


def hash_of(text: str) -> str:
    """The SHA-256 of the text in UTF-8, as hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()
