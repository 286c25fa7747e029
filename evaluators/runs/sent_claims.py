"""Claims that an outside evaluator extracts by itself, as it sends them: read like those of a method of this site."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotate.models import Segment
from core.errors import RowError
from evaluators.methods.base import Case, Claim

Spans = Sequence[tuple[int, int, int]]
"""Number, start and end of each segment of a response whose place in its text is known."""


@dataclass(frozen=True)
class SentClaim:
    """A claim in the program's own words, with its verdict.

    value: None where its output could not be parsed. segment: the number of the segment that it was taken from; span:
    instead of it the characters of the response, half-open. None of both: of the response as a whole.
    """

    text: str
    value: str | None
    score: float | None = None
    rationale: str = ""
    segment: int | None = None
    span: tuple[int, int] | None = None


def read_spans(responses: Sequence[int]) -> dict[int, list[tuple[int, int, int]]]:
    """By the keys of the responses, in reading order."""
    spans: dict[int, list[tuple[int, int, int]]] = {response: [] for response in responses}
    rows = Segment.objects.filter(response__in=responses).order_by("response", "position")
    for response, position, start, end in rows.values_list("response", "position", "start", "end"):
        if start is not None and end is not None:
            spans[response].append((position, start, end))
    return spans


def read_claims(case: Case, sent: Sequence[SentClaim], spans: Spans) -> list[Claim]:
    """The claims as a method gives them. Raises RowError where a span is not in the response."""
    return [
        Claim(each.text, each.value, each.score, each.rationale, segment=_segment_of(case, each, spans))
        for each in sent
    ]


def _segment_of(case: Case, claim: SentClaim, spans: Spans) -> int | None:
    """Of a span the segment that shares most characters with it, the first of several; None where none does."""
    if claim.span is None:
        return claim.segment
    start, end = claim.span
    if end > len(case.response):
        raise RowError(
            f"Response {case.index!r} has {len(case.response)} characters, and a claim was taken from {start} to {end}."
        )
    shared = {position: min(end, ends) - max(start, starts) for position, starts, ends in spans}
    most = max(shared, key=lambda position: shared[position], default=None)
    return most if most is not None and shared[most] > 0 else None
