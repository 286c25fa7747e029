"""Submitted work that goes back to its annotator: sent back by an adjudicator with a note, or taken back by themselves.

The labels stay. The annotator goes on from them, and a second submission appends what has changed as a revision.
"""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from annotate.judgements.judgement import check_text
from annotate.labels.submitted import submitted_draft
from annotate.models import (
    Adjudication,
    Assignment,
    AssignmentEvent,
    GoldLabel,
    Removal,
    Signature,
    Task,
    User,
    ViewReceipt,
)
from annotate.tasks.places import lease_end, lock

State = Assignment.State
What = AssignmentEvent.What
Kind = Task.Kind
RETURNS = (What.SENT_BACK, What.TAKEN_BACK)


class ReturnError(ValueError):
    """It cannot go back; the message says why. Nothing was changed."""


@transaction.atomic
def send_back(assignment: Assignment, note: str, who: User, now: datetime | None = None) -> Assignment:
    """Give submitted work back to its annotator with a note. Raises ReturnError, and JudgementError for a note that no
    database can keep."""
    note = check_text(note.strip(), "note")
    if not note:
        raise ReturnError("write a note for the annotator")
    assignment = lock(assignment)
    if why := why_not_sent_back(assignment):
        raise ReturnError(why)
    return _reopen(assignment, What.SENT_BACK, who, note, now)


@transaction.atomic
def take_back(assignment: Assignment, now: datetime | None = None) -> Assignment:
    """Let the annotator go on with what they submitted, while nobody has acted on it. Raises ReturnError."""
    assignment = lock(assignment)
    if not may_take_back(assignment):
        raise ReturnError("somebody has already worked on it")
    return _reopen(assignment, What.TAKEN_BACK, assignment.annotator, "", now)


def why_not_sent_back(assignment: Assignment) -> str:
    """Why it cannot be sent back; "" if it can."""
    task = assignment.task
    if assignment.state != State.SUBMITTED:
        return "only submitted work can be sent back"
    if task.kind != Kind.WORK:
        return "work on known answers counts as it was submitted"
    if task.closed_at is not None:
        return "the task is adjudicated and closed"
    return "its rebuttal has begun, where it can be revised" if task.rebuttal_at is not None else ""


def may_take_back(assignment: Assignment) -> bool:
    """Whether the annotator may take it back: it is submitted, and nobody has acted on it.

    On a hidden control nobody ever acts, so it can be taken back as new work can. A qualification counts as it was
    submitted, for its answers are told afterwards.
    """
    task = assignment.task
    if assignment.state != State.SUBMITTED or task.kind == Kind.QUALIFICATION:
        return False
    if task.kind == Kind.CONTROL and (task.known_since is None or _since(assignment) >= task.known_since):
        return True
    return task.kind == Kind.WORK and not is_acted_on(assignment)


def is_acted_on(assignment: Assignment) -> bool:
    """Whether anybody has acted on the task since the assignment was submitted: another annotator submitted it or its
    rebuttal began, somebody opened its labels, wrote to all of its annotators, decided a unit, removed or signed a
    response, or it closed."""
    task, at = assignment.task, _since(assignment)
    if task.closed_at is not None or task.rebuttal_at is not None:
        return True
    decided = {"segment__response__task": task, "created_at__gte": at}
    acts = (
        task.assignments.exclude(pk=assignment.pk).filter(state=State.SUBMITTED, submitted_at__gte=at),
        task.receipts.filter(what=ViewReceipt.What.LABELS, last_at__gte=at).exclude(who=assignment.annotator_id),
        task.shared_messages.all(),
        GoldLabel.objects.filter(**decided),
        Adjudication.objects.filter(**decided),
        Removal.objects.filter(response__task=task, created_at__gte=at),
        Signature.objects.filter(response__task=task, created_at__gte=at),
    )
    return any(act.exists() for act in acts)


def last_return(assignment: Assignment) -> AssignmentEvent | None:
    """How a returned assignment came back to its annotator; None where it is not returned."""
    if not assignment.is_returned:
        return None
    return AssignmentEvent.objects.filter(
        task=assignment.task_id, annotator=assignment.annotator_id, what__in=RETURNS
    ).last()


def _since(assignment: Assignment) -> datetime:
    """When it was submitted. Only of submitted work, which has a time."""
    assert assignment.submitted_at is not None  # noqa: S101 - a constraint of the database
    return assignment.submitted_at


def _reopen(assignment: Assignment, what: What, who: User, note: str, now: datetime | None) -> Assignment:
    draft = submitted_draft(assignment)
    assignment.state, assignment.lease_until = State.OPEN, lease_end(now or timezone.now())
    assignment.draft = {key: entry.stored() for key, entry in draft.items()}
    assignment.draft_version += 1
    assignment.save(update_fields=["state", "lease_until", "draft", "draft_version"])
    AssignmentEvent.objects.create(task=assignment.task, annotator=assignment.annotator, what=what, who=who, note=note)
    return assignment
