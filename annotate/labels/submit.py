"""Turn a complete draft into labels, once and for good."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from annotate.labels.draft import draft_of, progress
from annotate.labels.judgement import Judgement
from annotate.labels.units import Reading, Unit, readings_of
from annotate.models import Assignment, Guideline, Label, ReferenceLink, Value
from annotate.tasks.places import lock


class SubmitError(ValueError):
    """It cannot be submitted as it is; the message says why. Nothing was changed."""


@transaction.atomic
def submit(assignment: Assignment, now: datetime | None = None) -> list[Label]:
    """Write the draft's judgements as labels, with the guidelines in force, and end the assignment.

    Raises SubmitError unless the annotator holds the place and every unit has a value.
    """
    assignment = lock(assignment)
    if assignment.state != Assignment.State.OPEN or assignment.task.closed_at is not None:
        raise SubmitError("Only work in progress can be submitted.")
    readings = readings_of(assignment.task)
    draft = draft_of(assignment)
    left = progress(readings, draft)
    if not left.complete:
        missing = left.total - left.done
        raise SubmitError(f"{missing} of {left.total} {'is' if missing == 1 else 'are'} still open.")
    judged = [(assignment, *judged) for reading in readings for judged in judgements(reading, draft)]
    labels = write_labels(judged, guideline_of(assignment))
    assignment.state = Assignment.State.SUBMITTED
    assignment.submitted_at = now or timezone.now()
    assignment.lease_until, assignment.draft = None, {}
    assignment.save(update_fields=["state", "submitted_at", "lease_until", "draft"])
    return labels


def judgements(reading: Reading, draft: Mapping[str, Judgement]) -> list[tuple[Unit, Judgement]]:
    """What counts of a draft: in an irrelevant sentence the sentence itself, not what was said of its facts before."""
    found = []
    for sentence in reading.sentences:
        whole = draft.get(sentence.whole.key, Judgement())
        counted = (sentence.whole,) if whole.value == Value.IRRELEVANT else (sentence.whole, *sentence.facts)
        found += [(unit, draft[unit.key]) for unit in counted if unit.key in draft and draft[unit.key].value]
    return found


def guideline_of(assignment: Assignment) -> Guideline | None:
    return assignment.task.dataset.guidelines.order_by("-version").first()


def write_labels(judged: Sequence[tuple[Assignment, Unit, Judgement]], guideline: Guideline | None) -> list[Label]:
    """First revisions: each judgement as a row of its assignment, its references as links."""
    labels = Label.objects.bulk_create(
        [
            Label(
                assignment=assignment,
                segment=unit.segment,
                fact=unit.fact,
                value=judgement.value,
                error_type=judgement.error_type,
                irrelevance=judgement.irrelevance,
                reason=judgement.reason,
                flagged=judgement.flagged,
                guideline=guideline,
            )
            for assignment, unit, judgement in judged
        ],
        batch_size=500,
    )
    ReferenceLink.objects.bulk_create(
        [
            ReferenceLink(label=label, position=position, **reference.columns())
            for label, (_, _, judgement) in zip(labels, judged, strict=True)
            for position, reference in enumerate(judgement.references)
        ],
        batch_size=500,
    )
    return labels
