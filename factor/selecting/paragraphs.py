"""Where a document's paragraphs end: no sentence goes on over that."""

import re
from collections.abc import Iterator
from itertools import pairwise

Span = tuple[int, int]

LINE = re.compile(r"[^\r\n]+")


def paragraph_spans(text: str) -> Iterator[Span]:
    """The half-open offsets of each paragraph, in order.

    Each line is one. Only in a text that was broken into lines at a greatest length, where most of the lines that
    follow another at once go on with a small letter, a blank line ends it.
    """
    lines = [match.span() for match in LINE.finditer(text) if match.group().strip()]
    if not _is_wrapped(text, lines):
        yield from lines
        return
    paragraph: Span | None = None
    for start, end in lines:
        if paragraph is not None and _follows_at_once(text, paragraph[1], start):
            paragraph = (paragraph[0], end)
            continue
        if paragraph is not None:
            yield paragraph
        paragraph = (start, end)
    if paragraph is not None:
        yield paragraph


def _is_wrapped(text: str, lines: list[Span]) -> bool:
    next_lines = [
        text[start:end].lstrip()
        for (_, before), (start, end) in pairwise(lines)
        if _follows_at_once(text, before, start)
    ]
    return sum(line[0].islower() for line in next_lines) * 2 > len(next_lines)


def _follows_at_once(text: str, end: int, start: int) -> bool:
    """Whether one line end and no blank line stands between the two places."""
    return text[end:start].replace("\r\n", "\n") in {"\n", "\r"}
