"""The page of a rebuttal: each unit as the annotator judges it, the others' evidence beside its sentence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from annotate.judgements.entries import Entry, Verdict
from annotate.judgements.units import Reading
from annotate.labels.workbench import Row, panels
from annotate.models import Assignment, Response
from annotate.rebuttal.evidence import Card, evidence_of_others


@dataclass(frozen=True)
class Passage:
    """A sentence: the rows of its units, the first being the sentence itself, and what the others cite for it."""

    rows: tuple[Row, ...]
    evidence: Sequence[Card]

    @property
    def whole(self) -> Row:
        return self.rows[0]


@dataclass(frozen=True)
class Sheet:
    """A response of the task."""

    response: Response
    key: str
    verdict: Verdict | None
    passages: tuple[Passage, ...]


def sheets_of(assignment: Assignment, readings: Sequence[Reading], draft: Mapping[str, Entry]) -> list[Sheet]:
    evidence = evidence_of_others(assignment)
    return [
        Sheet(
            panel.response,
            panel.key,
            panel.verdict,
            tuple(
                Passage(tuple(rows), evidence.get(segment, ()))
                for segment, rows in groupby(panel.rows, key=lambda row: row.unit.segment.pk)
            ),
        )
        for panel in panels(assignment.task.dataset, readings, draft)
    ]
