"""Take in judgements that named annotators made elsewhere."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from django.db import transaction

from annotate.cases.close import close_those_settled_before
from annotate.judgements.judgement import CitedReference, JudgementError, UnitJudgement, check_judgement
from annotate.judgements.units import LabelUnit, read
from annotate.labels.rows import Address, LabelRow, read_labels
from annotate.labels.submit import write_labels
from annotate.models import Assignment, Dataset, Label, Response, User
from annotate.tasks.annotators import AnnotatorError, join, refuse_other_role
from annotate.tasks.create import create_tasks
from annotate.tasks.elsewhere import PlaceError, submitted_elsewhere
from core.chunks import in_chunks

# Keeps `IN (...)` below the number of parameters that SQLite takes.
CHUNK = 500

Item = TypeVar("Item")
LabelReader = Callable[[Path], Iterable[LabelRow]]


@dataclass(frozen=True)
class ImportedLabels:
    """Rows that became labels, and rows that were there already."""

    created: int
    unchanged: int


@transaction.atomic
def import_labels(dataset: Dataset, path: Path, read_rows: LabelReader = read_labels) -> ImportedLabels:
    """Store each row of the file as a submitted label; nothing is written if any row cannot be.

    People who are not there yet are created without a usable password and join as annotators; tasks and places are
    made where there are none, and tasks without an open case are closed. A file may cover a response
    only in part: the missing labels are gaps in the agreement, and a later file can extend it. A judgement that is
    there already is unchanged, even if its annotator has revised or withdrawn it since.
    Another one at its address is an error. Raises DataError.
    """
    rows = _without_duplicates(read_rows(path))
    units = _units(dataset, {row.address[0] for row in rows})
    rows = [_checked(dataset, row, units) for row in rows]
    people = _people(dataset, rows)
    new = _not_there_yet(dataset, rows, units)
    _write(dataset, new, units, people)
    return ImportedLabels(created=len(new), unchanged=len(rows) - len(new))


def _as_filed(label: Label) -> UnitJudgement:
    """The label's content as far as a file tells it."""
    references = tuple(CitedReference(link.location) for link in label.references.all())
    return UnitJudgement(label.value, label.error_type, label.reason, references)


def _without_duplicates(rows: Iterable[LabelRow]) -> list[LabelRow]:
    first: dict[tuple[Address, str], LabelRow] = {}
    for row in rows:
        if first.setdefault((row.address, row.annotator), row) is not row:
            line = first[row.address, row.annotator].line
            raise row.error(f"{row.annotator} judges this address in {row.place} {line} already")
    return list(first.values())


def _units(dataset: Dataset, indexes: Iterable[str]) -> dict[Address, LabelUnit]:
    """Everything that can be judged in the responses of these indexes."""
    units: dict[Address, LabelUnit] = {}
    for chunk in in_chunks(sorted(indexes), CHUNK):
        responses = Response.objects.visible().filter(dataset=dataset, index__in=chunk).prefetch_related("segments")
        for reading in read(dataset, list(responses)):
            for unit in reading.units():
                # The response as read, so that asking a segment for it costs no query.
                unit.segment.response = reading.response
                units[reading.response.index, unit.segment.position, unit.fact.position if unit.fact else None] = unit
    return units


def _checked(dataset: Dataset, row: LabelRow, units: Mapping[Address, LabelUnit]) -> LabelRow:
    """The row with its judgement in regular form."""
    index, segment, fact = row.address
    if row.address not in units:
        place = f"segment {segment}" if fact is None else f"fact {fact} of segment {segment}"
        raise row.error(f"there is no {place} in a response {index!r} of {dataset.name}")
    if not row.judgement.value:
        raise row.error("value is empty")
    try:
        return replace(row, judgement=check_judgement(row.judgement, dataset, whole_sentence=fact is None))
    except JudgementError as error:
        raise row.error(error) from error


def _people(dataset: Dataset, rows: Sequence[LabelRow]) -> dict[str, User]:
    """The annotators by name, created and made members where they are missing."""
    people: dict[str, User] = {}
    for row in rows:
        if row.annotator in people:
            continue
        person = User.objects.filter(username=row.annotator).first() or User.objects.create_user(row.annotator)
        try:
            refuse_other_role(dataset, person)
        except AnnotatorError as error:
            raise row.error(error) from error
        people[row.annotator] = person
    join(dataset, list(people.values()))
    return people


def _not_there_yet(dataset: Dataset, rows: Sequence[LabelRow], units: Mapping[Address, LabelUnit]) -> list[LabelRow]:
    """The rows that no label holds, in force or revised since; an error where labels hold something else only."""
    labels = Label.objects.of(dataset).filter(withdrawn=False).select_related("assignment__annotator")
    there: defaultdict[tuple[str, int, int | None], list[UnitJudgement]] = defaultdict(list)
    for label in labels.prefetch_related("references__document").iterator(chunk_size=CHUNK):
        there[label.assignment.annotator.username, label.segment_id, label.fact_id].append(_as_filed(label))
    new = []
    for row in rows:
        unit = units[row.address]
        judgements = there.get((row.annotator, unit.segment.pk, unit.fact.pk if unit.fact else None))
        if judgements is None:
            new.append(row)
        elif row.judgement not in judgements:
            raise row.error(f"{row.annotator} has another judgement here already")
    return new


def _write(
    dataset: Dataset, rows: Sequence[LabelRow], units: Mapping[Address, LabelUnit], people: Mapping[str, User]
) -> None:
    create_tasks(dataset, {units[row.address].segment.response.prompt_id for row in rows})
    task_of = dict(dataset.responses.filter(task__isnull=False).values_list("pk", "task"))
    work: dict[tuple[int, int], LabelRow] = {}
    places = []
    for row in rows:
        task = task_of.get(units[row.address].segment.response_id)
        if task is None:
            raise row.error(f"response {row.address[0]!r} has nothing to label")
        place = (task, people[row.annotator].pk)
        work.setdefault(place, row)
        places.append(place)
    assignments = _assignments(dataset, work, people)
    judged = [(assignments[place], units[row.address], row.judgement) for place, row in zip(places, rows, strict=True)]
    write_labels(judged, guideline=None)
    for tasks in in_chunks(sorted({task for task, _ in work}), CHUNK):
        close_those_settled_before(dataset, tasks)


def _assignments(
    dataset: Dataset, work: Mapping[tuple[int, int], LabelRow], people: Mapping[str, User]
) -> dict[tuple[int, int], Assignment]:
    """The submitted assignment of each (task, person); `work` holds the first row of each, for the error's line."""
    try:
        return submitted_elsewhere(dataset, [(task, people[row.annotator]) for (task, _), row in work.items()])
    except PlaceError as error:
        raise work[error.task, error.annotator.pk].error(error) from error
