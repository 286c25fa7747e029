"""The manager's pages, for adjudicators: oversight, the work in a table and for pay, quality, the receipt of a task."""

from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset
from annotate.labels.returned import why_not_sent_back
from annotate.models import Assignment, Dataset, Role, Task
from annotate.models.shared_conversation import is_open
from annotate.oversight.effort import efforts_of, total
from annotate.oversight.quality import quality_of, weeks_of
from annotate.oversight.stuck import stuck_in
from annotate.oversight.work import pay_lines, work_page
from annotate.tasks.places import lapse_expired
from core.downloads import download_csv


@require_GET
def oversight(request: MemberRequest, pk: int) -> HttpResponse:
    """Each person's work, time and cost; and stuck work."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    lapse_expired(dataset)
    efforts = efforts_of(dataset)
    more = {"efforts": efforts, "total": total(efforts), "stuck": stuck_in(dataset)}
    return render(request, "oversight/oversight.html", _context(dataset, **more))


@require_GET
def oversight_work(request: MemberRequest, pk: int) -> HttpResponse:
    """Every place in a table; HTMX swaps only that."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    query = request.GET
    table = work_page(
        dataset, query.get("person", ""), query.get("state", ""), query.get("sort", ""), query.get("page")
    )
    template = "oversight/work.html#table" if request.htmx else "oversight/work.html"
    return render(request, template, _context(dataset, **table))


@require_GET
def oversight_pay(request: MemberRequest, pk: int) -> StreamingHttpResponse:
    """The work as CSV, for paying people."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    return download_csv(pay_lines(dataset), f"work-{dataset.pk}.csv")


@require_GET
def quality(request: MemberRequest, pk: int) -> HttpResponse:
    """The quality of each annotator, and their admission to real work."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    return render(
        request,
        "oversight/quality.html",
        _context(dataset, people=quality_of(dataset), weeks=weeks_of(dataset), tab="quality"),
    )


@require_GET
def receipt(request: MemberRequest, pk: int) -> HttpResponse:
    """The annotators of a task, and the receipts of its views."""
    task = fetch_in_dataset(request.user, Task.objects.select_related("dataset"), pk, "dataset", Role.ADJUDICATOR)
    places = task.assignments.select_related("annotator", "task").defer(*Assignment.LARGE).order_by("opened_at", "pk")
    more = {
        "task": task,
        "places": places,
        "shared_conversation": is_open(task.pk),
        "can_go_back": {place.pk for place in places if not why_not_sent_back(place)},
        "events": task.events.select_related("annotator", "other", "who").order_by("pk"),
        "receipts": task.receipts.select_related("who").order_by("first_at", "pk"),
        "responses": task.responses.select_related("prompt").order_by("position"),
        "states": Assignment.State,
    }
    return render(request, "oversight/receipt.html", _context(task.dataset, **more))


def _context(dataset: Dataset, **more: object) -> dict[str, object]:
    return {"dataset": dataset, "role": Role.ADJUDICATOR, "tab": "oversight", **more}
