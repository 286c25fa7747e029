"""The segments of a response that a file gives, with what it says of them without naming them."""

from collections.abc import Sequence
from dataclasses import replace

from annotate.corpus.aligning import align
from annotate.corpus.languages import count_words
from annotate.corpus.locate import Span, locate
from annotate.corpus.released_sentences import RELEASED, REPAIRED, SPLITTERS
from annotate.corpus.rows import FactRow, ResponseRow, SegmentRow

# The `extra` of the segment that holds the claims of no sentence: the whole response.
NOT_ALIGNED = {"claims": "not aligned"}
# A response of more words than this that is one segment was hardly cut where its sentences end.
LONGEST_UNCUT = 60


def segments_of(row: ResponseRow, profile: str = REPAIRED) -> Sequence[SegmentRow]:
    """Those of the row, or where it gives none the sentences of its text as the profile cuts it, with the claims and
    spans that belong to them. Claims that belong to none stand under one more segment, the whole response."""
    if row.segments is not None:
        return row.segments
    sentences = [SegmentRow(each) for each in _cut(row, profile)]
    if row.claims:
        return _with_claims(sentences, row)
    return _with_spans(sentences, row) if row.spans or row.elsewhere else sentences


def is_uncut(text: str, segments: int) -> bool:
    """Whether a response of so many segments needs a look: it is a single one, and too long for it."""
    return segments == 1 and count_words(text) > LONGEST_UNCUT


def uncut_words(row: ResponseRow, profile: str) -> int:
    """The words of a response without segments that stays a single one though it is too long for it, else 0."""
    if row.segments is not None or not is_uncut(row.text, 1):
        return 0
    return count_words(row.text) if is_uncut(row.text, len(_cut(row, profile))) else 0


def _cut(row: ResponseRow, profile: str) -> list[str]:
    """A row that names its language is cut by it, but for the released code, which knows English alone."""
    return SPLITTERS[row.language if row.language and profile != RELEASED else profile](row.text)


def _with_claims(sentences: Sequence[SegmentRow], row: ResponseRow) -> list[SegmentRow]:
    places = align([claim.text for claim in row.claims], [sentence.text for sentence in sentences])
    facts: dict[int | None, list[FactRow]] = {}
    for claim, place in zip(row.claims, places, strict=True):
        facts.setdefault(place, []).append(claim)
    found = [replace(sentence, human_facts=tuple(facts.get(place, ()))) for place, sentence in enumerate(sentences)]
    if None in facts:
        found.append(SegmentRow(row.text, human_facts=tuple(facts[None]), extra=NOT_ALIGNED))
    return found


def _with_spans(sentences: Sequence[SegmentRow], row: ResponseRow) -> list[SegmentRow]:
    places = locate(row.text, [sentence.text for sentence in sentences])
    return [_with_span(sentence, at, row) for sentence, at in zip(sentences, places, strict=True)]


def _with_span(sentence: SegmentRow, at: Span | None, row: ResponseRow) -> SegmentRow:
    """The sentence with the judgement of the first span in it that has one; what is said of each is kept."""
    spans = [span for span in row.spans if at is not None and span.start < at[1] and at[0] < span.end]
    if not spans:
        return replace(sentence, judged=row.elsewhere)
    judged = next((span.judged for span in spans if span.judged), None)
    return replace(sentence, judged=judged, extra={"spans": [dict(span.extra) for span in spans]})
