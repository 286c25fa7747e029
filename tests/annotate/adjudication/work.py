"""Judged work at hand: what Ada, Ben and others said, one value an address, without going through the pages."""

from collections.abc import Mapping

from django.utils import timezone

from annotate.models import Assignment, AtomicFact, Label, ReferenceLink, Response, Segment, Task, User
from tests.factories import make_person

Unit = Segment | AtomicFact


def make_task(response: Response, wants: int = 2) -> Task:
    dataset = response.dataset
    task = Task.objects.create(dataset=dataset, position=dataset.tasks.count(), wants=wants)
    Response.objects.filter(pk=response.pk).update(task=task)
    return task


def judge(task: Task, person: User | str, values: Mapping[Unit, str]) -> Assignment:
    """The person's submitted work; a value may be "value", "value/type" or "value/type/reason"."""
    if isinstance(person, str):
        person = make_person(person)
    assignment = Assignment.objects.create(
        task=task, annotator=person, place=task.assignments.count(), state="submitted", submitted_at=timezone.now()
    )
    for unit, given_value in values.items():
        value, error_type, reason = (*given_value.split("/"), "", "")[:3]
        label = Label.objects.create(
            assignment=assignment,
            segment=unit if isinstance(unit, Segment) else unit.segment,
            fact=unit if isinstance(unit, AtomicFact) else None,
            value=value,
            error_type=error_type,
            reason=reason,
        )
        if reason:
            ReferenceLink.objects.create(label=label, position=0, url=f"https://{person.username}.example")
    return assignment
