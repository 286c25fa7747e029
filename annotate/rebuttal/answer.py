"""The end of a rebuttal: each annotator answers once, by a revision or by letting theirs stand, or an adjudicator waits
no longer."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from annotate.cases.close import close_if_settled_before
from annotate.judgements.entries import Draft
from annotate.labels.submit import submit_revision
from annotate.models import Assignment, Task, User
from annotate.tasks.places import lock


class RebuttalError(ValueError):
    """It cannot be answered any more; the message says why. Nothing was changed."""


class StaleRebuttalError(RebuttalError):
    """Another page saved after this one was opened."""

    def __init__(self) -> None:
        super().__init__("Another page saved a revision in the meantime.")


@transaction.atomic
def save_revision(assignment: Assignment, draft: Draft, version: int) -> Assignment:
    """Keep the revision for later; it counts for nothing yet. Raises RebuttalError."""
    stored = {key: entry.stored() for key, entry in draft.items()}
    assignment = _awaited(assignment)
    if stored == assignment.draft:
        return assignment
    _check_version(assignment, version)
    assignment.draft, assignment.draft_version = stored, version + 1
    assignment.save(update_fields=["draft", "draft_version"])
    return assignment


@transaction.atomic
def revise(
    assignment: Assignment, draft: Draft, version: int, now: datetime | None = None, shown: int | None = None
) -> int:
    """Append the annotator's changes, and end their part; return the number of changes. `shown`: of the guidelines, as
    of `submit_revision`.

    Raises RebuttalError if the rebuttal is over or the page was stale, SubmitError if the revision is incomplete.
    """
    assignment = _awaited(assignment)
    _check_version(assignment, version)
    changed = submit_revision(assignment, draft, shown)
    _end_part(assignment, now)
    return changed


@transaction.atomic
def let_stand(assignment: Assignment, version: int, now: datetime | None = None) -> None:
    """End the annotator's part without a change; a revision in the making is dropped. Raises RebuttalError."""
    assignment = _awaited(assignment)
    _check_version(assignment, version)
    _end_part(assignment, now)


def _awaited(assignment: Assignment) -> Assignment:
    """The assignment with its task locked."""
    assignment = lock(assignment)
    if assignment.rebutted_at is not None:
        raise RebuttalError("You have already answered: only one revision is possible.")
    if not assignment.awaits_rebuttal:
        raise RebuttalError("An adjudicator has ended the rebuttal of this task.")
    return assignment


def _check_version(assignment: Assignment, version: int) -> None:
    if version != assignment.draft_version:
        raise StaleRebuttalError


def _end_part(assignment: Assignment, now: datetime | None) -> None:
    assignment.rebutted_at, assignment.draft = now or timezone.now(), {}
    assignment.draft_version += 1
    assignment.save(update_fields=["rebutted_at", "draft", "draft_version"])
    close_if_settled_before(assignment.task)


@transaction.atomic
def end_rebuttal(task: Task, who: User, now: datetime | None = None) -> bool:
    """End the task's rebuttal: the submitted labels of annotators who have not answered stand.

    False if it is over already, because the last one has answered or somebody else has ended it.
    """
    Task.objects.select_for_update().get(pk=task.pk)
    waiting = Task.objects.filter(pk=task.pk).unsettled().in_rebuttal().first()
    if waiting is None:
        return False
    waiting.rebuttal_ended_at, waiting.rebuttal_ended_by = now or timezone.now(), who
    waiting.save(update_fields=["rebuttal_ended_at", "rebuttal_ended_by"])
    close_if_settled_before(waiting)
    return True
