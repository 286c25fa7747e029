"""The queue of marked units."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset
from annotate.adjudication.decide import DecisionError
from annotate.adjudication.marks import dismiss, marks_of, set_no_claim
from annotate.models import Dataset, Role, UnitMark, ViewReceipt
from annotate.people.receipts import note_receipts

PAGE_SIZE = 25
State = UnitMark.State


@never_cache
@require_GET
def mark_list(request: MemberRequest, pk: int) -> HttpResponse:
    """Marks of annotators: open ones, the oldest first, and settled ones. Nobody is named."""
    return _marks_page(request, fetch_dataset(request.user, pk, Role.ADJUDICATOR))


def _marks_page(request: MemberRequest, dataset: Dataset, status: int = 200, **more: object) -> HttpResponse:
    settled, kind = request.GET.get("show") == "settled", request.GET.get("kind", "")
    every = marks_of(dataset)
    waiting = every.filter(state=State.OPEN)
    done = every.exclude(state=State.OPEN)
    wanted = done.order_by("-settled_at", "-pk") if settled else waiting
    if kind in UnitMark.Kind.values:
        wanted = wanted.filter(kind=kind)
    if request.GET.get("order") == "newest":
        wanted = wanted.order_by("-created_at", "-pk")
    related = wanted.select_related("segment__response__prompt", "fact", "settled_by", "assignment")
    page = Paginator(related, PAGE_SIZE).get_page(request.GET.get("page"))
    note_receipts([mark.assignment.task_id for mark in page], request.user, ViewReceipt.What.LABELS)
    context = {
        "dataset": dataset,
        "role": Role.ADJUDICATOR,
        "tab": "marks",
        "open": waiting.count(),
        "done": done.count(),
        "settled": settled,
        "kind": kind,
        "kinds": UnitMark.Kind.choices,
        "order": request.GET.get("order", ""),
        "page": page,
        **more,
    }
    return render(request, "adjudication/marks.html", context, status=status)


@require_POST
def mark_settle(request: MemberRequest, pk: int) -> HttpResponse:
    """Dismiss a mark with a reason, or make “irrelevant” the gold of its unit; what cannot be stays written."""
    marks = UnitMark.objects.select_related("assignment__task__dataset")
    mark = fetch_in_dataset(request.user, marks, pk, "assignment.task.dataset", Role.ADJUDICATOR)
    dataset, reason = mark.assignment.task.dataset, request.POST.get("reason", "")
    settle = set_no_claim if request.POST.get("action") == "no_claim" else dismiss
    try:
        settle(mark, request.user, reason)
    except DecisionError as error:
        return _marks_page(request, dataset, 422, trouble=str(error), troubled=mark.pk, reason=reason)
    messages.success(request, "Settled.")
    return redirect("marks", dataset.pk)
