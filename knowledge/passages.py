"""Cutting a document into passages."""

import re

WORD = re.compile(r"\S+")


def cut(text: str, words: int) -> list[str]:
    """The text as consecutive passages of at most so many white-space words, each verbatim; none for a blank text."""
    spans = [match.span() for match in WORD.finditer(text)]
    groups = (spans[start : start + words] for start in range(0, len(spans), words))
    return [text[group[0][0] : group[-1][1]] for group in groups]
