"""An annotator skips a task, saying why, and may take it up again while it has a free place."""

from datetime import datetime

from django.db import transaction

from annotate.judgements.entries import COMMENT_KEY, Comment, draft_of
from annotate.judgements.judgement import check_text
from annotate.models import Assignment
from annotate.tasks.places import free_place, lock, open_assignment

State = Assignment.State


class SkipError(ValueError):
    """It cannot be skipped; the message says why. Nothing was changed."""


@transaction.atomic
def skip(assignment: Assignment, reason: str) -> Assignment:
    """Free the place for somebody else; the draft is kept.

    Raises SkipError, and JudgementError for a reason that no database can keep.
    """
    reason = check_text(reason.strip(), "reason")
    if not reason:
        raise SkipError("Enter a reason for the adjudicator.")
    assignment = lock(assignment)
    if assignment.state != State.OPEN or assignment.task.closed_at is not None:
        raise SkipError("Only work in progress can be skipped.")
    if assignment.is_returned:
        raise SkipError("You have already submitted this task: submit it again, or keep your answers.")
    assignment.state, assignment.lease_until, assignment.skip_reason = State.SKIPPED, None, reason
    assignment.comment = comment_of(assignment)
    assignment.save(update_fields=["state", "lease_until", "skip_reason", "comment"])
    return assignment


@transaction.atomic
def take_up(assignment: Assignment, now: datetime | None = None) -> Assignment:
    """Go on with a task that was skipped; where its places are all held it stays skipped."""
    assignment = lock(assignment)
    if assignment.state != State.SKIPPED or assignment.task.closed_at is not None:
        return assignment
    place = free_place(assignment.task)
    if place is None:
        return assignment
    assignment.state, assignment.place, assignment.skip_reason = State.RESERVED, place, ""
    assignment.save(update_fields=["state", "place", "skip_reason"])
    return open_assignment(assignment, now)


def comment_of(assignment: Assignment) -> str:
    """The draft's comment to the adjudicator."""
    comment = draft_of(assignment).get(COMMENT_KEY)
    return comment.text if isinstance(comment, Comment) else ""
