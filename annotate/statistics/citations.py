"""Sentences with a citation (FActScore §3.5). Plain text in.

A citation is a mark as search engines with a language model print it: one or more numbers of up to three digits in
square brackets, such as [1], [2][3], [1, 4], [2–5] or [^1^]. A year, [1998], is none. A mark that opens a sentence
belongs to the one before it in the same response, since cutting at the full stop parts "… in 1950. [1] He …" so.
"""

import re
from collections.abc import Iterable

_NUMBER = r"\^?\d{1,3}\^?"
_MARK = rf"\[\s*{_NUMBER}(?:\s*[,;–-]\s*{_NUMBER})*\s*\]"
MARK = re.compile(_MARK)
OPENING = re.compile(rf"\s*(?:{_MARK}\s*)+")


def cited(sentences: Iterable[tuple[int, str]]) -> list[bool]:
    """Whether each sentence is cited; sentences in reading order, as (number of its response, text)."""
    marks: list[bool] = []
    previous: int | None = None
    for response, text in sentences:
        opening = OPENING.match(text) if response == previous else None
        if opening:
            marks[-1] = True
        marks.append(bool(MARK.search(text, opening.end() if opening else 0)))
        previous = response
    return marks
