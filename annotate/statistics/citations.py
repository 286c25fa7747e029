"""Sentences with a citation (FActScore §3.5). Plain text in.

A citation is a mark as search engines with a language model print it: one or more numbers of up to three digits in
square brackets, such as [1], [2][3], [1, 4], [2–5] or [^1^]. A year, [1998], is none. A mark that opens a sentence
belongs to the one before it in the same response, since cutting at the full stop parts "… in 1950. [1] He …" so.

Published sentences lack the marks of their response. So each sentence is found in the response, marks left aside, and a
mark between two sentences belongs to the first.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence

from annotate.corpus.locate import Span, locate

_NUMBER = r"\^?\d{1,3}\^?"
_MARK = rf"\[\s*{_NUMBER}(?:\s*[,;–-]\s*{_NUMBER})*\s*\]"
MARK = re.compile(_MARK)
OPENING = re.compile(rf"\s*(?:{_MARK}\s*)+")


def cited(response: str, sentences: Sequence[str]) -> list[bool | None]:
    """Whether each sentence of the response is cited; None: the response has marks, and the sentence is not found in
    it and has none of its own."""
    own = _cited_by_own_marks(sentences)
    marks = [mark.start() for mark in MARK.finditer(response)]
    if not marks:
        return [*own]
    plain = _without_marks(response)
    spans = locate(plain, [_without_marks(sentence).strip() for sentence in sentences])
    found = _cited_in(plain, marks, spans)
    return [mine or there for mine, there in zip(own, found, strict=True)]


def _cited_by_own_marks(sentences: Sequence[str]) -> list[bool]:
    marks: list[bool] = []
    for text in sentences:
        opening = OPENING.match(text) if marks else None
        if opening:
            marks[-1] = True
        marks.append(bool(MARK.search(text, opening.end() if opening else 0)))
    return marks


def _without_marks(text: str) -> str:
    """The text with spaces in place of its marks: offsets stay."""
    return MARK.sub(lambda mark: " " * len(mark.group()), text)


def _cited_in(plain: str, marks: Sequence[int], spans: Sequence[Span | None]) -> list[bool | None]:
    """Whether a mark stands in each sentence's span or right behind it; None for a sentence without a span."""
    places = [place for place, span in enumerate(spans) if span is not None]
    located = [span for span in spans if span is not None]
    flags = [None if span is None else False for span in spans]
    for mark in marks:
        before = bisect_right(located, (mark, len(plain))) - 1
        if before >= 0 and not plain[located[before][1] : mark].strip():
            flags[places[before]] = True
        elif located and not plain[: located[0][0]].strip() and before < 0:
            flags[places[0]] = True  # it opens the response
    return flags
