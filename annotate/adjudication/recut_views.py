"""The page that mends the cut of a marked unit: the editor, what stays and goes, and then the change."""

from collections.abc import Sequence

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotate.access import MemberRequest, fetch_in_dataset
from annotate.adjudication.decide import DecisionError
from annotate.adjudication.recut import plan, recut, why_not
from annotate.models import Response, Role, UnitMark
from annotate.segments.cutting import CutError, Span, closed, joined, separator_for
from annotate.segments.rewrite import current_spans
from annotate.segments.sent import read_spans
from audit.models import Action
from audit.record import record


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def mark_mend(request: MemberRequest, pk: int) -> HttpResponse:
    """A post shows what would stay and go; one with `seen`, what was shown, cuts the response."""
    marks = UnitMark.objects.select_related("assignment__task__dataset")
    mark = fetch_in_dataset(request.user, marks, pk, "assignment.task.dataset", Role.ADJUDICATOR)
    response = Response.objects.select_related("dataset", "prompt", "task").get(segments=mark.segment_id)
    if request.method != "POST":
        return _page(request, mark, response)
    spans: list[Span] = []
    try:
        spans = read_spans(request.POST, response.text)
        if "seen" not in request.POST:
            return _page(request, mark, response, planned=plan(response, spans), sent=[list(each) for each in spans])
        with transaction.atomic():
            recut(response, spans, request.user, request.POST.get("reason", ""), request.POST["seen"])
            record(request, Action.RESPONSES_REMOVED, response.dataset, detail="1 response, cut anew")
    except (CutError, DecisionError) as error:
        return _page(request, mark, response, 422, own=spans, trouble=str(error))
    messages.success(request, "The response is cut anew.")
    return redirect("marks", response.dataset_id)


def _page(
    request: MemberRequest,
    mark: UnitMark,
    response: Response,
    status: int = 200,
    own: Sequence[Span] = (),
    **more: object,
) -> HttpResponse:
    fixed = why_not(response)
    spans = [] if fixed else own or closed(response.text, current_spans(response))
    context = {
        "dataset": response.dataset,
        "role": Role.ADJUDICATOR,
        "tab": "marks",
        "mark": mark,
        "response": response,
        "fixed": fixed,
        "pieces": request.POST.get("pieces") or joined(response.text, spans),
        "separator": separator_for(response.text),
        "page": {
            "kind": "segments",
            "text": response.text,
            "spans": spans,
            "refused": bool(own),
            "mirror": f"touchstone.recut.{request.user.pk}.{response.pk}",
        },
        **more,
    }
    return render(request, "adjudication/recut.html", context, status=status)
