"""Findings kept as long as nothing they are made of has changed."""

import hashlib

from django.db.models import Count, Max

from annotate.agreement.document import Findings, find
from annotate.models import Assignment, AtomicFact, Dataset, Label, Segment, Task
from core.caching import cached


def findings_of(dataset: Dataset) -> Findings:
    return cached(_key(dataset), lambda: find(dataset))


def _key(dataset: Dataset) -> str:
    """A name for everything that the findings are made of. Labels, segments and facts are added and deleted, and never
    changed in place; tasks become known answers, and their rebuttals end."""
    tasks = Task.objects.filter(dataset=dataset)
    rows = (
        Label.objects.of(dataset),
        Assignment.objects.of(dataset).filter(state=Assignment.State.SUBMITTED),
        Segment.objects.filter(response__dataset=dataset),
        AtomicFact.objects.filter(segment__response__dataset=dataset),
    )
    made_of = [
        dataset.pk,
        dataset.name,
        dataset.error_types,
        dataset.gold_revision,
        dataset.responses.visible().count(),
        tasks.real().count(),
        tasks.aggregate(Count("rebuttal_ended_at")),
        rows[1].aggregate(Count("rebutted_at")),
        *(each.aggregate(Count("pk"), Max("pk")) for each in rows),
    ]
    return f"agreement-pages-{hashlib.sha256(repr(made_of).encode()).hexdigest()}"
