"""The adjudicator's table of quotas and deadlines."""

from datetime import date

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.dateparse import parse_date
from django.views.decorators.http import require_http_methods

from annotate.access import MemberRequest, fetch_dataset
from annotate.models import Role
from annotate.tasks.limits import LimitError, limit_statuses, set_limit
from core.numbers import read_number


@require_http_methods(["GET", "HEAD", "POST"])
def work_limits(request: MemberRequest, pk: int) -> HttpResponse:
    """Set, change and remove quotas and deadlines of annotators by domain."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    if request.method == "POST":
        post = request.POST
        try:
            quota, deadline = _quota(post.get("quota", "")), _deadline(post.get("deadline", ""))
            kept = set_limit(dataset, post.get("annotator", ""), post.get("domain", ""), quota, deadline)
        except LimitError as error:
            messages.error(request, f"Not changed: {error}.")
        else:
            messages.success(request, f"Saved: {kept}." if kept else "Removed.")
        return redirect("work-limits", pk)
    annotators = dataset.memberships.filter(role=Role.ANNOTATOR, user__is_superuser=False)
    context = {
        "dataset": dataset,
        "role": Role.ADJUDICATOR,
        "tab": "assign",
        "limits": limit_statuses(dataset),
        "annotators": list(annotators.order_by("user__username").values_list("user__username", flat=True)),
        "domains": dataset.prompts.exclude(domain="").order_by("domain").values_list("domain", flat=True).distinct(),
    }
    return render(request, "tasks/limits.html", context)


def _quota(text: str) -> int | None:
    """None for an empty field. Raises LimitError for what is no number."""
    if not text.strip():
        return None
    number = read_number(text)
    if number is None:
        raise LimitError("a quota is a whole number")
    return number


def _deadline(text: str) -> date | None:
    """None for an empty field. Raises LimitError for what is no date."""
    if not text.strip():
        return None
    try:
        day = parse_date(text.strip())
    except ValueError:
        day = None
    if day is None:
        raise LimitError("a deadline is a date such as 2027-01-31")
    return day
