"""The pages of segments: a dataset's responses by how they were cut, and the editor of one response's segments."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset, role_in
from annotate.models import Proposal, Response, Role, Segmentation
from annotate.proposals.pages import ask_context, proposal_context, propose_from, show_progress, stop_proposals
from annotate.proposals.segment_listing import ORIGINS, count_origins, responses_with_origin
from annotate.segments.cutting import CutError, Span, closed, joined, separator_for
from annotate.segments.rewrite import StaleSegmentsError, current_spans, in_force, restore, rewrite
from annotate.segments.sent import read_spans
from annotate.segments.untouched import FixedError, why_fixed
from core.errors import not_saved
from core.numbers import read_number

PER_PAGE = 50
KIND = Proposal.Kind.SEGMENTS


@require_safe
def segments(request: MemberRequest, pk: int) -> HttpResponse:
    """The dataset's responses, each with how it was cut."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR, Role.RESEARCHER)
    origin, domain = request.GET.get("origin", ""), request.GET.get("domain", "")
    responses = responses_with_origin(dataset)
    if origin in ORIGINS:
        responses = responses.filter(Q(cut_by=origin))
    if domain:
        responses = responses.filter(prompt__domain=domain)
    counts, pages = count_origins(dataset), Paginator(responses, PER_PAGE)
    if not domain:
        pages.count = counts.get(origin, sum(counts.values()))
    domains = dataset.prompts.exclude(domain="").order_by("domain").values_list("domain", flat=True).distinct()
    role = role_in(request.user, dataset)
    context = {
        "dataset": dataset,
        "role": role,
        "tab": "segments",
        "origins": ORIGINS,
        "origin": origin,
        "domains": domains,
        "domain": domain,
        "counts": counts,
        "page": pages.get_page(request.GET.get("page")),
        **proposal_context(dataset, KIND),
        **ask_context(request, dataset, role),
    }
    return render(request, "segments/segments.html", context)


@require_safe
def segments_progress(request: MemberRequest, pk: int) -> HttpResponse:
    """The part of the page that proposals at work renew."""
    return show_progress(request, fetch_dataset(request.user, pk, Role.ADJUDICATOR, Role.RESEARCHER), KIND)


@require_POST
def segments_propose(request: MemberRequest, pk: int) -> HttpResponse:
    """Let a model cut the responses that were ticked, or all of math and recommendations."""
    return propose_from(request, fetch_dataset(request.user, pk, Role.ADJUDICATOR), KIND, "segments")


@require_POST
def segments_stop(request: MemberRequest, pk: int) -> HttpResponse:
    """Ask the model nothing more."""
    return stop_proposals(request, fetch_dataset(request.user, pk, Role.ADJUDICATOR), KIND)


@require_http_methods(["GET", "HEAD", "POST"])
def segments_edit(request: MemberRequest, pk: int) -> HttpResponse:
    """The editor, and its save: a response that was refused comes back with what its author did."""
    visible = Response.objects.visible().select_related("dataset", "prompt", "task")
    response = fetch_in_dataset(request.user, visible, pk, "dataset", Role.ADJUDICATOR)
    if request.method != "POST":
        return _show(request, response)
    spans = None
    try:
        spans = read_spans(request.POST, response.text)
        changed = rewrite(
            response, spans, Segmentation.Origin.HUMAN, author=request.user, seen=_seen(request.POST.get("seen", ""))
        )
    except StaleSegmentsError as error:
        return _show(request, response, f"{not_saved(error)} Your own segments are below.", spans, 409)
    except (FixedError, CutError) as error:
        return _show(request, response, not_saved(error), spans, 422)
    messages.success(request, "Saved." if changed else "No changes.")
    return redirect("segments-edit", pk)


@require_POST
def segments_restore(request: MemberRequest, pk: int) -> HttpResponse:
    """Cut the response again as it was at an earlier time."""
    rows = Segmentation.objects.select_related("response__dataset")
    segmentation = fetch_in_dataset(request.user, rows, pk, "response.dataset", Role.ADJUDICATOR)
    try:
        restored = restore(segmentation, request.user)
    except FixedError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "Restored." if restored else "No changes.")
    return redirect("segments-edit", segmentation.response_id)


def _seen(sent: str) -> int:
    """The segmentation that the page had seen; one that cannot be is none that is in force."""
    number = read_number(sent)
    return -1 if number is None else number


def _show(
    request: MemberRequest, response: Response, error: str = "", own: list[Span] | None = None, status: int = 200
) -> HttpResponse:
    fixed = why_fixed(response, KIND)
    spans: list[Span] = []
    try:
        spans = own or closed(response.text, current_spans(response))
    except FixedError as reason:
        fixed = fixed or str(reason)
    context: dict[str, Any] = {
        "dataset": response.dataset,
        "role": role_in(request.user, response.dataset),
        "tab": "segments",
        "response": response,
        "fixed": fixed,
        "error": error,
        "seen": in_force(response),
        "pieces": request.POST.get("pieces") or joined(response.text, spans),
        "separator": separator_for(response.text),
        "history": response.segmentations.select_related("author").order_by("-pk"),
        "page": {
            "kind": "segments",
            "text": response.text,
            "spans": spans,
            "refused": own is not None,
            "mirror": f"touchstone.segments.{request.user.pk}.{response.pk}",
        },
    }
    return render(request, "segments/edit.html", context, status=status)
