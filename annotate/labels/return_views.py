"""Requests that give submitted work back to its annotator, or let it stand after all."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from annotate.access import MemberRequest, fetch_in_dataset, fetch_own_assignment
from annotate.judgements.judgement import JudgementError
from annotate.labels.returned import ReturnError, send_back, take_back
from annotate.models import Assignment, Role
from annotate.tasks.places import keep_submission
from core.requests import redirect_back

ASSIGNMENTS = Assignment.objects.select_related("task__dataset", "annotator")


@require_POST
def send_work_back(request: MemberRequest, pk: int) -> HttpResponse:
    """Send submitted work back to its annotator with a note."""
    assignment = fetch_in_dataset(request.user, ASSIGNMENTS.all(), pk, "task.dataset", Role.ADJUDICATOR)
    try:
        send_back(assignment, request.POST.get("note", ""), request.user)
    except (ReturnError, JudgementError) as error:
        messages.error(request, f"Not sent back: {error}.")
    else:
        messages.success(request, f"Sent back to {assignment.annotator}. The labels stay until they submit again.")
    return redirect_back(request, "receipt", assignment.task_id)


@require_POST
def end_return(request: MemberRequest, pk: int) -> HttpResponse:
    """Let the submitted labels stand, though their annotator has not submitted again."""
    assignment = fetch_in_dataset(request.user, ASSIGNMENTS.all(), pk, "task.dataset", Role.ADJUDICATOR)
    if keep_submission(assignment, request.user):
        messages.success(request, f"The submitted labels of {assignment.annotator} stay.")
    else:
        messages.warning(request, "The task was already submitted again.")
    return redirect_back(request, "receipt", assignment.task_id)


@require_POST
def take_work_back(request: MemberRequest, key: str) -> HttpResponse:
    """The annotator goes on with what they submitted."""
    own = fetch_own_assignment(request.user, key, Role.ANNOTATOR)
    try:
        take_back(own)
    except ReturnError as error:
        messages.error(request, f"Not taken back: {error}.")
    else:
        messages.success(request, "Taken back. Submit the task again after your changes.")
    return redirect("assignment", key)


@require_POST
def keep_work(request: MemberRequest, key: str) -> HttpResponse:
    """The annotator lets stand what they submitted before."""
    own = fetch_own_assignment(request.user, key, Role.ANNOTATOR)
    if keep_submission(own, request.user):
        messages.success(request, "Your submitted answers stay.")
    return redirect("assignment", key)
