"""What each annotator said of each unit, with all that is known of it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from annotate.export.export_format import ExportTable, table_format
from annotate.export.read import CHUNK, Asked
from annotate.links.frozen import with_snapshots
from annotate.models import Edit, Label, ReferenceLink, Response, ResponseLabel, UnitMark
from core.chunks import in_chunks
from core.parquet import JSON, Columns, Row

COLUMNS: Columns = {
    "index": "string",
    "domain": "string",
    "topic": "string",
    "subject": "string",
    "prompt": "string",
    "segment": "int32",
    "fact": "int32",
    "text": "string",
    "annotator": "string",
    "value": "string",
    "error_type": "string",
    "irrelevance": "string",
    "reason": "string",
    "references": ["string"],
    "evidence": [dict.fromkeys(("source", "stance", "quote", "hash", "fetched_at"), "string")],
    "correction": "string",
    "keep": "bool",
    "keep_reason": "string",
    "flagged": "bool",
    "mark": "string",
    "mark_note": "string",
    "suggestion": "string",
    "suggestion_run": "int64",
    "suggested": "string",
    "first_value": "string",
    "comment": "string",
    "revision": "int32",
    "guideline_version": "int32",
    "submitted_at": "string",
    "created_at": "string",
    "task_seconds": "int32",
    "probability": "float64",
    "details": JSON,
}
# The last entry of a person (an assignment) on a segment or a response.
Last = dict[tuple[int, int], Any]


def annotation_rows(asked: Asked) -> Iterator[Row]:
    """A row a judgement in force, by response, segment, fact and annotator; what is not known is None."""
    for responses in in_chunks(asked.read(), CHUNK):
        yield from _rows_of(asked, responses)


def _rows_of(asked: Asked, responses: Sequence[Response]) -> Iterator[Row]:
    of_segments = {"segment__response__in": responses}
    edits: Last = _last(Edit.objects.filter(**of_segments), "segment_id")
    verdicts: Last = _last(ResponseLabel.objects.filter(response__in=responses), "response_id")
    marks = _marks(of_segments)
    labels = (
        asked.labels.filter(**of_segments)
        .select_related("segment", "fact", "guideline", "assignment__annotator", "assignment__task")
        .prefetch_related(with_snapshots())
    )
    by_key = {each.pk: each for each in responses}
    # By the names that are shown, for those of the accounts would tell of people in their order.
    for name, label in sorted(((asked.names.of(each.assignment.annotator), each) for each in labels), key=_place):
        response = by_key[label.segment.response_id]
        edit: Edit | None = edits.get((label.assignment_id, label.segment_id))
        mark = marks.get((label.assignment_id, label.segment_id, label.fact_id))
        verdict: ResponseLabel | None = verdicts.get((label.assignment_id, response.pk))
        yield {
            **_about(label, response),
            "annotator": name,
            "correction": edit and edit.text,
            "mark": mark and mark.kind,
            "mark_note": (asked.with_comments and mark and mark.note) or None,
            "keep": verdict and verdict.keep,
            "keep_reason": (verdict and verdict.reason) or None,
            "comment": (asked.with_comments and label.assignment.comment) or None,
        }


def _marks(of_segments: dict[str, Any]) -> dict[tuple[int, int, int | None], UnitMark]:
    """The last mark of each assignment on a unit that it did not take back."""
    marks = UnitMark.objects.filter(**of_segments).exclude(state=UnitMark.State.WITHDRAWN)
    return {(mark.assignment_id, mark.segment_id, mark.fact_id): mark for mark in marks.order_by("pk")}


def _last(entries: Iterable[Any], place: str) -> Last:
    return {
        (each.assignment_id, getattr(each, place)): each for each in sorted(entries, key=lambda each: each.revision)
    }


def _place(named: tuple[str, Label]) -> tuple[int, int, int, str]:
    name, label = named
    fact = label.fact.position if label.fact else -1
    return label.segment.response.position, label.segment.position, fact, name


def _about(label: Label, response: Response) -> dict[str, Any]:
    prompt, work = response.prompt, label.assignment
    links = list(label.references.all())
    return {
        "index": response.index,
        "domain": prompt.domain or None,
        "topic": prompt.topic or None,
        "subject": response.subject or None,
        "prompt": prompt.text,
        "segment": label.segment.position,
        "fact": label.fact.position if label.fact else None,
        "text": (label.fact or label.segment).text,
        "value": label.value,
        "error_type": label.error_type or None,
        "irrelevance": label.irrelevance or None,
        "reason": label.reason or None,
        "references": [link.location for link in links],
        "evidence": [_evidence(link) for link in links],
        "flagged": label.flagged,
        "suggestion": label.suggestion or None,
        "suggestion_run": label.suggestion_run,
        "suggested": label.suggested or None,
        "first_value": label.first_value or None,
        "revision": label.revision,
        "guideline_version": label.guideline.version if label.guideline else work.guideline_version,
        "submitted_at": work.submitted_at and work.submitted_at.isoformat(),
        "created_at": label.created_at.isoformat(),
        "task_seconds": work.active_seconds or None,
        "probability": label.probability,
        "details": response.details or None,
    }


def _evidence(link: ReferenceLink) -> dict[str, str | None]:
    page = link.snapshot if link.snapshot and link.snapshot.settled_at else None
    return {
        "source": link.location,
        "stance": link.stance or None,
        "quote": link.quote or None,
        "hash": page.text_hash if page else None,
        "fetched_at": page.settled_at.isoformat() if page and page.settled_at else None,
    }


FORMAT = table_format("annotations", ExportTable(COLUMNS, annotation_rows), of_people=True)
