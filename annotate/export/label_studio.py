"""Responses with everybody's labels as tasks of Label Studio (labelstud.io/guide/task_format)."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice

from annotate.corpus.label_studio import UNITS
from annotate.export.export_format import ExportFormat
from annotate.export.read import CHUNK, LeftOut, cited_by, read_responses
from annotate.judgements.units import LabelUnit, ResponseReading, read
from annotate.labels.label_studio import CONTROL, ERROR_TYPE, REASON, REFERENCES
from annotate.models import Assignment, Dataset, GoldLabel, Label, Response
from core.json_lines import json_line

Address = tuple[int, int | None]
Results = list[dict[str, object]]


def export_label_studio(dataset: Dataset, revision: int, subject: str, left_out: LeftOut) -> Iterator[str]:
    """One JSON array, a task a line; an annotation each person, and one of gold, which has no `completed_by`.

    What is judged stands in `data` as `units`, for the tag Paragraphs. It is everybody's, and so for the command line
    alone.
    """
    responses = read_responses(dataset, revision, subject, left_out)
    yield "["
    before = ""
    while chunk := list(islice(responses, CHUNK)):
        labels = _labels(chunk)
        for response, reading in zip(chunk, read(dataset, chunk), strict=True):
            yield before + json_line(_task(response, reading, labels[response.pk]))
            before = ","
    yield "]"


def _labels(responses: Sequence[Response]) -> dict[int, list[Label]]:
    """The labels in force, by response."""
    labels = Label.objects.real().in_force().filter(segment__response__in=responses)
    of: defaultdict[int, list[Label]] = defaultdict(list)
    for label in (
        labels.select_related("segment", "assignment__annotator")
        .prefetch_related("references__document")
        .order_by("assignment", "segment__position", "fact__position", "pk")
    ):
        of[label.segment.response_id].append(label)
    return of


def _task(response: Response, reading: ResponseReading, labels: Sequence[Label]) -> dict[str, object]:
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
        "annotations": [*_annotations(labels, units, place_of), *_gold(response, units, place_of)],
    }


def _address(unit: LabelUnit) -> Address:
    return unit.segment.pk, unit.fact.pk if unit.fact else None


def _unit(unit: LabelUnit) -> dict[str, object]:
    fact = unit.fact.position if unit.fact else None
    return {"segment": unit.segment.position, "fact": fact, "text": unit.text}


def _annotations(labels: Sequence[Label], units: Sequence[LabelUnit], place_of: dict[Address, int]) -> Results:
    by_assignment: defaultdict[Assignment, list[Label]] = defaultdict(list)
    for label in labels:
        by_assignment[label.assignment].append(label)
    return [
        {
            "id": assignment.pk,
            "completed_by": {"id": assignment.annotator_id, "username": assignment.annotator.username},
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


FORMAT = ExportFormat("labelstudio", export_label_studio)
