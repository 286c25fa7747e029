"""Whether a text contains a quote.

Verbatim, up to what copying and typesetting change and no reader sees: runs of white space count as one space; curly
and straight quotation marks, the dashes and hyphens, composed and decomposed letters and typographic ligatures are
the same; soft hyphens and characters without width are nothing. Letters, their case and all other marks must agree.
"""

import re
import unicodedata
from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from knowledge.marking import MarkedText

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


class QuotedText:
    """A text that quotes are looked up in. It is folded once at most: a long one takes a tenth of a second."""

    def __init__(self, text: str) -> None:
        self.text = text

    def says(self, quote: str) -> bool:
        """Whether the quote stands in the text; False if it is blank."""
        return self._find_as_it_is(quote) is not None or self._find_folded(quote) is not None

    def find(self, quote: str) -> Match | None:
        """Where the quote first stands in the text; None if it does not, or is blank. Takes longer than `says`."""
        match = self._find_as_it_is(quote)
        if match is None and (folded := self._find_folded(quote)) is not None:
            return Match(self._offsets[folded.start], self._offsets[folded.end - 1] + 1)
        return match

    def _find_as_it_is(self, quote: str) -> Match | None:
        return _find(quote.strip(), self.text)

    def _find_folded(self, quote: str) -> Match | None:
        return _find(fold(quote), self._folded)

    @cached_property
    def _folded(self) -> str:
        return fold(self.text)

    @cached_property
    def _offsets(self) -> "array[int]":
        """For each folded character the place in the text of the one that it came from."""
        table = _table(self.text)
        offsets = array("I")
        after_space = True
        for offset, character in enumerate(self.text):
            counts_as = table[ord(character)]
            if counts_as == " " and after_space:
                continue
            if counts_as:
                after_space = counts_as == " "
            offsets.extend([offset] * len(counts_as))
        return offsets


def _find(wanted: str, text: str) -> Match | None:
    """Where it first stands, not parting a letter from its accents; None if nowhere, or if it is empty."""
    at = text.find(wanted) if wanted else -1
    while at >= 0 and unicodedata.combining(text[at + len(wanted) : at + len(wanted) + 1] or " "):
        at = text.find(wanted, at + 1)
    return Match(at, at + len(wanted)) if at >= 0 else None


def mark_quotes(quotes: Iterable[str], quoted: QuotedText) -> list[MarkedText]:
    """The whole text in pieces, in order: where a quote stands is a match. Of two that overlap the later goes on."""
    text = quoted.text
    pieces, at = [], 0
    matches = {match for quote in quotes if (match := quoted.find(quote)) is not None}
    for match in sorted(matches, key=lambda match: (match.start, match.end)):
        start = max(match.start, at)
        if match.end <= at:
            continue
        if start > at:
            pieces.append(MarkedText(text[at:start], False))
        pieces.append(MarkedText(text[start : match.end], True))
        at = match.end
    return [*pieces, MarkedText(text[at:], False)] if at < len(text) else pieces


def fold(text: str) -> str:
    """The text with everything that makes no difference made equal."""
    return _SPACES.sub(" ", text.translate(_table(text))).strip()


def _table(text: str) -> Mapping[int, str]:
    """The folded form of each character of the text."""
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
