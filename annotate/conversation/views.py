"""The pages of conversations: an annotator's own, and an adjudicator's with all annotators of a task."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotate.access import MemberRequest, fetch_in_dataset, fetch_own_assignment
from annotate.conversation.thread import LONGEST, MessageError, read_as_adjudicator, read_as_annotator, write_message
from annotate.judgements.judgement import JudgementError
from annotate.models import Assignment, Role, Task
from core.numbers import read_number


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def conversation(request: MemberRequest, key: str) -> HttpResponse:
    """The annotator's conversation with the adjudicators about one task."""
    own = fetch_own_assignment(request.user, key, Role.ANNOTATOR)
    if request.method == "POST":
        _write(request, own)
        return redirect("conversation", key)
    responses = own.task.responses.select_related("prompt").order_by("position")
    context = {
        "dataset": own.task.dataset,
        "role": Role.ANNOTATOR,
        "tab": "work",
        "assignment": own,
        "thread": read_as_annotator(own),
        "heading": next((each.heading for each in responses[:1]), ""),
        "longest": LONGEST,
    }
    return render(request, "conversation/conversation.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def conversations(request: MemberRequest, pk: int) -> HttpResponse:
    """For adjudicators: the conversations with each annotator of a task; `assignment` is the one that is written to."""
    task = fetch_in_dataset(request.user, Task.objects.select_related("dataset"), pk, "dataset", Role.ADJUDICATOR)
    if request.method == "POST":
        number = read_number(request.POST.get("assignment", "")) or 0
        assignment = task.assignments.filter(pk=number).first()
        if assignment is None:
            messages.error(request, "Not sent: choose an annotator of this task.")
        else:
            _write(request, assignment)
        return redirect("conversations", pk)
    context = {
        "dataset": task.dataset,
        "role": Role.ADJUDICATOR,
        "tab": "assign",
        "task": task,
        "threads": read_as_adjudicator(task),
        "longest": LONGEST,
    }
    return render(request, "conversation/conversations.html", context)


def _write(request: MemberRequest, assignment: Assignment) -> None:
    send(request, lambda text: write_message(assignment, request.user, text))


def send(request: MemberRequest, write: Callable[[str], object]) -> None:
    """Write the text of the form, and say on the next page what came of it."""
    try:
        write(request.POST.get("text", ""))
    except (MessageError, JudgementError) as error:
        messages.error(request, f"Not sent: {error}.")
    else:
        messages.success(request, "Sent.")
