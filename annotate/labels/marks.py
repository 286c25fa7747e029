"""The marks on units that come with a submission, as rows."""

from collections.abc import Mapping, Sequence

from annotate.judgements.entries import Entry, judgement_at
from annotate.judgements.units import ResponseReading, unit_key
from annotate.models import Assignment, UnitMark


def write_marks(assignment: Assignment, readings: Sequence[ResponseReading], draft: Mapping[str, Entry]) -> None:
    """A row for each mark of the draft; no statement where there is none."""
    if marks := _marks_of(assignment, readings, draft):
        UnitMark.objects.bulk_create(marks)


def rewrite_marks(assignment: Assignment, readings: Sequence[ResponseReading], draft: Mapping[str, Entry]) -> None:
    """The same for work that was submitted before: what it says no more is taken back, settled marks stay."""
    before = {_content(mark): mark for mark in assignment.marks.exclude(state=UnitMark.State.WITHDRAWN)}
    now = {_content(mark): mark for mark in _marks_of(assignment, readings, draft)}
    gone = [mark.pk for content, mark in before.items() if content not in now and mark.state == UnitMark.State.OPEN]
    UnitMark.objects.filter(pk__in=gone).update(state=UnitMark.State.WITHDRAWN)
    UnitMark.objects.bulk_create(mark for content, mark in now.items() if content not in before)


def _marks_of(
    assignment: Assignment, readings: Sequence[ResponseReading], draft: Mapping[str, Entry]
) -> list[UnitMark]:
    units = [unit for reading in readings for unit in reading.units()]
    judged = [(unit, judgement_at(draft, unit.key)) for unit in units]
    return [
        UnitMark(
            assignment=assignment,
            segment=unit.segment,
            fact=unit.fact,
            kind=judgement.mark,
            note=judgement.mark_note.strip(),
        )
        for unit, judgement in judged
        if judgement.mark
    ]


def _content(mark: UnitMark) -> tuple[str, str, str]:
    return unit_key(mark.segment_id, mark.fact_id), mark.kind, mark.note
