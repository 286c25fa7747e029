"""Responses with everybody's labels as tasks of Label Studio (labelstud.io/guide/task_format)."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice

from annotate.corpus.label_studio import UNITS
from annotate.export.export_format import ExportFormat
from annotate.export.read import CHUNK, Asked, cited_by
from annotate.judgements.units import LabelUnit, ResponseReading, read
from annotate.labels.label_studio import CONTROL, ERROR_TYPE, REASON, REFERENCES
from annotate.models import Assignment, GoldLabel, Label, Response
from annotate.models.work import LabelQuerySet
from annotate.people.names import Names
from core.json_lines import json_line

Address = tuple[int, int | None]
Results = list[dict[str, object]]


def export_label_studio(asked: Asked) -> Iterator[str]:
    """One JSON array, a task a line; an annotation each person, and one of gold, which has no `completed_by`.

    What is judged stands in `data` as `units`, for the tag Paragraphs.
    """
    responses = asked.read()
    yield "["
    before = ""
    while chunk := list(islice(responses, CHUNK)):
        labels = _labels(asked.labels, chunk)
        for response, reading in zip(chunk, read(asked.dataset, chunk), strict=True):
            yield before + json_line(_task(response, reading, labels[response.pk], asked.names))
            before = ","
    yield "]"


def _labels(readable: LabelQuerySet, responses: Sequence[Response]) -> dict[int, list[Label]]:
    """By response."""
    labels = readable.filter(segment__response__in=responses)
    of: defaultdict[int, list[Label]] = defaultdict(list)
    for label in (
        labels.select_related("segment", "assignment__annotator")
        .prefetch_related("references__document")
        .order_by("assignment", "segment__position", "fact__position", "pk")
    ):
        of[label.segment.response_id].append(label)
    return of


def _task(response: Response, reading: ResponseReading, labels: Sequence[Label], names: Names) -> dict[str, object]:
    prompt = response.prompt
    units = list(reading.units())
    place_of: dict[Address, int] = {_address(unit): place for place, unit in enumerate(units)}
    about = {"domain": prompt.domain, "source": prompt.source, "topic": prompt.topic, "subject": response.subject}
    return {
        "id": response.pk,
        "data": {
            "index": response.index,
            "prompt": prompt.text,
            "response": response.text,
            **{key: value for key, value in about.items() if value},
            "segments": [{"text": sentence.whole.text} for sentence in reading.sentences],
            UNITS: [_unit(unit) for unit in units],
        },
        "annotations": [*_annotations(labels, units, place_of, names), *_gold(response, units, place_of)],
    }


def _address(unit: LabelUnit) -> Address:
    return unit.segment.pk, unit.fact.pk if unit.fact else None


def _unit(unit: LabelUnit) -> dict[str, object]:
    fact = unit.fact.position if unit.fact else None
    return {"segment": unit.segment.position, "fact": fact, "text": unit.text}


def _annotations(
    labels: Sequence[Label], units: Sequence[LabelUnit], place_of: dict[Address, int], names: Names
) -> Results:
    """`lead_time` is that of the whole task."""
    by_assignment: defaultdict[Assignment, list[Label]] = defaultdict(list)
    for label in labels:
        by_assignment[label.assignment].append(label)
    return [
        {
            "id": assignment.pk,
            "completed_by": _person(assignment, names),
            **_times(assignment),
            "was_cancelled": False,
            "ground_truth": False,
            "result": [
                each
                for label in own
                if (place := place_of.get((label.segment_id, label.fact_id))) is not None
                for each in _results(label, [link.location for link in label.references.all()], place, units[place])
            ],
        }
        for assignment, own in by_assignment.items()
    ]


def _person(assignment: Assignment, names: Names) -> dict[str, object]:
    """The number of the account only beside its name."""
    number = {"id": assignment.annotator_id} if names.are_shown else {}
    return {**number, "username": names.of(assignment.annotator)}


def _times(assignment: Assignment) -> dict[str, object]:
    """When it was submitted, and the seconds of work, where they are known."""
    at, seconds = assignment.submitted_at, assignment.active_seconds
    return {**({"created_at": at.isoformat()} if at else {}), **({"lead_time": float(seconds)} if seconds else {})}


def _gold(response: Response, units: Sequence[LabelUnit], place_of: dict[Address, int]) -> Results:
    results = []
    for segment in response.segments.all():
        then: list[GoldLabel] = segment.gold_then  # type: ignore[attr-defined]  # set by read_responses
        for gold in then:
            if (place := place_of.get((gold.segment_id, gold.fact_id))) is not None:
                results += _results(gold, cited_by(gold), place, units[place])
    return [{"was_cancelled": False, "ground_truth": True, "result": results}] if results else []


def _results(label: Label | GoldLabel, references: list[str], place: int, unit: LabelUnit) -> Results:
    """The region of the paragraph with its value, and what else was said of it, under the same id."""
    region = {"start": str(place), "end": str(place), "startOffset": 0, "endOffset": len(unit.text)}
    contents = (
        (CONTROL, "paragraphlabels", "paragraphlabels", [label.value]),
        (ERROR_TYPE, "choices", "choices", [label.error_type] if label.error_type else []),
        (REASON, "textarea", "text", [label.reason] if label.reason else []),
        (REFERENCES, "textarea", "text", references),
    )
    return [
        {"id": f"unit-{place}", "from_name": name, "to_name": UNITS, "type": kind, "value": {**region, key: items}}
        for name, kind, key, items in contents
        if items
    ]


FORMAT = ExportFormat("labelstudio", export_label_studio, kind="json", of_people=True)
