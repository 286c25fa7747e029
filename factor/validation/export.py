"""Every rating of a sample as CSV."""

from collections.abc import Iterator, Sequence

from core.csv import csv_line
from factor.validation.outcome import VerdictOf
from factor.validation.read import Judged

COLUMNS = (
    "example",
    "place",
    "original",
    "completion",
    "generated_type",
    "role",
    "who",
    "non_factual",
    "fluent",
    "self_consistent",
    "error_type",
    "note",
)


def export_lines(judged: Sequence[Judged]) -> Iterator[str]:
    """The header, then a line a rating and one for a settlement; examples count from 1."""
    yield csv_line(COLUMNS)
    for each in judged:
        for verdict in each.verdicts:
            yield _line(each, "rater", verdict)
        if each.settled is not None:
            yield _line(each, "adjudicator", each.settled)


def _line(judged: Judged, role: str, verdict: VerdictOf) -> str:
    numbers = (int(verdict.non_factual), int(verdict.fluent), int(verdict.self_consistent))
    of_completion = (judged.position + 1, judged.place, judged.true, judged.text, judged.generated)
    return csv_line((*of_completion, role, verdict.who, *numbers, verdict.error_type, verdict.note))
