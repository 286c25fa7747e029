"""The page of a rebuttal: each unit as the annotator judges it, the others' evidence beside its sentence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from annotate.judgements.entries import Entry, ResponseVerdict
from annotate.judgements.page_keys import PageKeys
from annotate.judgements.units import ResponseReading
from annotate.labels.workbench import UnitRow, panels
from annotate.models import Assignment, Response
from annotate.rebuttal.evidence import Card, evidence_of_others


@dataclass(frozen=True)
class SentenceRows:
    """A sentence: the rows of its units, the first being the sentence itself, and the others' citations for it."""

    rows: tuple[UnitRow, ...]
    evidence: Sequence[Card]

    @property
    def whole(self) -> UnitRow:
        return self.rows[0]


@dataclass(frozen=True)
class ResponseSheet:
    """A response of the task."""

    response: Response
    key: str
    verdict: ResponseVerdict | None
    passages: tuple[SentenceRows, ...]


def sheets_of(
    assignment: Assignment, readings: Sequence[ResponseReading], draft: Mapping[str, Entry]
) -> list[ResponseSheet]:
    evidence = evidence_of_others(assignment)
    return [
        ResponseSheet(
            panel.response,
            panel.key,
            panel.verdict,
            tuple(
                SentenceRows(tuple(rows), evidence.get(segment, ()))
                for segment, rows in groupby(panel.rows, key=lambda row: row.unit.segment.pk)
            ),
        )
        for panel in panels(assignment.task.dataset, readings, draft, PageKeys(assignment))
    ]
