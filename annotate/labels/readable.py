"""The submitted labels that somebody who does not annotate may read."""

from annotate.models import Assignment, Dataset, Label, Role
from annotate.models.work import LabelQuerySet


def readable_labels(dataset: Dataset, role: str) -> LabelQuerySet:
    """Those in force, for adjudicators; once their task is closed, for researchers, as on the page of a response."""
    labels = Label.objects.of(dataset).real().in_force().filter(assignment__state=Assignment.State.SUBMITTED)
    return labels if role == Role.ADJUDICATOR else labels.filter(assignment__task__closed_at__isnull=False)
