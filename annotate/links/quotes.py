"""Whether a text really says what is quoted from it.

Verbatim, up to what copying and typesetting change and no reader sees: runs of white space count as one space; curly
and straight quotation marks, the dashes and hyphens, composed and decomposed letters and typographic ligatures are
the same; soft hyphens and characters without width are nothing. Letters, their case and all other marks must agree.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from knowledge.marking import Piece

_SINGLE_QUOTES = "‘’‚‛′ʼ`"
_DOUBLE_QUOTES = "“”„‟″«»"
_DASHES = "‐‑‒–—―−﹣－"
_NOTHING = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
_LIGATURES = "ﬀﬁﬂﬃﬄﬅﬆ"
_SPACES = re.compile(" {2,}")


@dataclass(frozen=True)
class Match:
    """The characters [start, end) of the text."""

    start: int
    end: int


def find_quote(quote: str, text: str) -> Match | None:
    """Where the quote first stands in the text; None if it does not, or is blank."""
    quote = quote.strip()
    if not quote:
        return None
    if (start := _find(quote, text)) >= 0:
        return Match(start, start + len(quote))
    wanted = fold(quote)
    at = _find(wanted, fold(text)) if wanted else -1
    return _back(text, at, at + len(wanted)) if at >= 0 else None


def _find(wanted: str, text: str) -> int:
    """Where it first stands, not parting a letter from its accents; -1 if nowhere."""
    at = text.find(wanted)
    while at >= 0 and unicodedata.combining(text[at + len(wanted) : at + len(wanted) + 1] or " "):
        at = text.find(wanted, at + 1)
    return at


def mark_quotes(quotes: Iterable[str], text: str) -> list[Piece]:
    """The whole text in pieces, in order: where a quote stands is a match. Of two that overlap the later goes on."""
    found, at = [], 0
    matches = {match for quote in quotes if (match := find_quote(quote, text)) is not None}
    for match in sorted(matches, key=lambda match: (match.start, match.end)):
        start = max(match.start, at)
        if match.end <= at:
            continue
        if start > at:
            found.append(Piece(text[at:start], False))
        found.append(Piece(text[start : match.end], True))
        at = match.end
    return [*found, Piece(text[at:], False)] if at < len(text) else found


def fold(text: str) -> str:
    """The text with everything that makes no difference made equal."""
    return _SPACES.sub(" ", text.translate(_table(text))).strip()


def _table(text: str) -> Mapping[int, str]:
    """What each character of the text counts as."""
    return {ord(character): _counts_as(character) for character in set(text)}


def _counts_as(character: str) -> str:
    if character in _NOTHING:
        return ""
    if character.isspace():
        return " "
    if character in _SINGLE_QUOTES:
        return "'"
    if character in _DOUBLE_QUOTES:
        return '"'
    if character in _DASHES:
        return "-"
    return unicodedata.normalize("NFKD" if character in _LIGATURES else "NFD", character)


def _back(text: str, start: int, end: int) -> Match:
    """The characters of the text itself that the folded characters [start, end) came from."""
    table = _table(text)
    offsets: list[int] = []
    after_space = True
    for offset, character in enumerate(text):
        counts_as = table[ord(character)]
        if counts_as == " " and after_space:
            continue
        if counts_as:
            after_space = counts_as == " "
        offsets += [offset] * len(counts_as)
    return Match(offsets[start], offsets[end - 1] + 1)
