"""The pages of the conversation of all annotators of a task, for one of them and for adjudicators."""

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotate.access import MemberRequest, fetch_in_dataset, fetch_own_assignment
from annotate.conversation.shared import letter_of, read_shared, write_shared_message
from annotate.conversation.thread import LONGEST
from annotate.conversation.views import send
from annotate.models import Role, Task, ViewReceipt
from annotate.models.shared_conversation import is_open, is_open_to
from annotate.people.receipts import note_receipt


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def shared_conversation(request: MemberRequest, key: str) -> HttpResponse:
    """For an annotator of the task; 404 until all have submitted."""
    own = fetch_own_assignment(request.user, key, Role.ANNOTATOR)
    if not is_open_to(own):
        raise Http404("No such conversation.")
    if request.method == "POST":
        send(request, lambda text: write_shared_message(own.task, request.user, text))
        return redirect("shared-conversation", key)
    context = {
        "dataset": own.task.dataset,
        "role": Role.ANNOTATOR,
        "tab": "work",
        "assignment": own,
        "letter": letter_of(own),
        "thread": {"lines": read_shared(own.task, request.user, names_shown=False)},
        "longest": LONGEST,
    }
    return render(request, "conversation/shared.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def shared_conversation_of(request: MemberRequest, pk: int) -> HttpResponse:
    """For adjudicators; what is said here tells of labels, so the receipt of the task says who read it."""
    task = fetch_in_dataset(request.user, Task.objects.select_related("dataset"), pk, "dataset", Role.ADJUDICATOR)
    if not is_open(task.pk):
        raise Http404("No such conversation.")
    if request.method == "POST":
        send(request, lambda text: write_shared_message(task, request.user, text))
        return redirect("shared-conversation-of", pk)
    note_receipt(task.pk, request.user, ViewReceipt.What.LABELS)
    context = {
        "dataset": task.dataset,
        "role": Role.ADJUDICATOR,
        "tab": "assign",
        "task": task,
        "thread": {"lines": read_shared(task, request.user, names_shown=True)},
        "longest": LONGEST,
    }
    return render(request, "conversation/shared.html", context)
