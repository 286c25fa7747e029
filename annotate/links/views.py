"""The pages of links: all of a dataset's, one frozen page, and requests of a card that is being written."""

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotate.access import MemberRequest, fetch_dataset, fetch_own_assignment, role_in
from annotate.links.cards import card_of, words_of
from annotate.links.quotes import QuotedText, mark_quotes
from annotate.links.reach import READERS, fetch_cited
from annotate.links.requested import quotes_of, request_page
from annotate.links.table import link_page, links_of
from annotate.links.write import request_again, request_missing
from annotate.models import Assignment, RequestedPage, Role
from knowledge.fetching.addresses import canonical_url
from knowledge.fetching.errors import FetchError
from knowledge.fetching.request import snapshots_at
from knowledge.models import Snapshot


@require_http_methods(["GET", "HEAD", "POST"])
def links(request: MemberRequest, pk: int) -> HttpResponse:
    """All links of labels in force and current gold; POST asks for the pages that nobody has asked for."""
    dataset = fetch_dataset(request.user, pk, *READERS)
    if request.method == "POST":
        requested = request_missing(links_of(dataset))
        messages.success(
            request, f"Asked for the pages of {requested} links." if requested else "There was nothing to ask for."
        )
        return redirect("links", pk)
    page = link_page(dataset, request.GET.get("condition", ""), request.GET.get("sort", ""), request.GET.get("page"))
    context = {"dataset": dataset, "role": role_in(request.user, dataset), "tab": "links", **page}
    return render(request, "links/links.html", context)


@require_GET
def snapshot(request: MemberRequest, pk: int) -> HttpResponse:
    """A page of the web as it was, with its quotes marked."""
    cited = fetch_cited(request.user, pk)
    others = [other for other in snapshots_at(cited.snapshot.url) if other != cited.snapshot]
    context = {
        "dataset": cited.dataset,
        "role": cited.role,
        "tab": "links",
        **text_context(cited.snapshot, cited.quotes, cited.snapshot.settled_at),
        "words": words_of(cited.snapshot),
        "others": [(other, words_of(other)) for other in others],
        "may_fetch_again": True,
    }
    return render(request, "links/snapshot.html", context)


def text_context(snapshot: Snapshot, quotes: set[str], fetched_at: datetime | None) -> dict[str, Any]:
    """The context of a page of the web with its quotes marked. `fetched_at`: None where the reader may not know."""
    text = QuotedText(snapshot.text)
    return {
        "snapshot": snapshot,
        "fetched_at": fetched_at,
        "pieces": mark_quotes(quotes, text),
        "missing": sorted(quote for quote in quotes if text.text and not text.says(quote)),
    }


@require_POST
def snapshot_again(request: MemberRequest, pk: int) -> HttpResponse:
    """Fetch the page anew, as a snapshot of its own."""
    cited = fetch_cited(request.user, pk)
    request_again(cited.snapshot)
    messages.success(request, f"{cited.snapshot.url} will be fetched again.")
    return redirect("links", cited.dataset.pk)


@never_cache
@require_POST
def card(request: MemberRequest, key: str) -> JsonResponse:
    """Ask for the page at `url`: the `key` of the request. 422 with {"error"} for an address that is none of the web.

    The page is fetched for this assignment, and the answer is the same whether others have asked for it or not.
    """
    own = fetch_own_assignment(request.user, key, Role.ANNOTATOR)
    try:
        address = canonical_url(request.POST.get("url", ""))
    except FetchError as error:
        return JsonResponse({"error": str(error)}, status=422)
    requested = request_page(own, address)
    return JsonResponse({"key": requested.key, "state": reverse("card-state", args=[own.key, requested.key])})


@never_cache
@require_POST
def card_state(request: MemberRequest, key: str, page: str) -> JsonResponse:
    """The state of a requested page, and whether `quote` stands in it."""
    requested = _fetch_requested(fetch_own_assignment(request.user, key, Role.ANNOTATOR), page)
    return JsonResponse(card_of(requested, request.POST.get("quote", "")))


@never_cache
@require_GET
def requested_page(request: MemberRequest, key: str, page: str) -> HttpResponse:
    """The page of a card as it was fetched for the annotator, with their own quotes marked."""
    own = fetch_own_assignment(request.user, key, Role.ANNOTATOR)
    requested = _fetch_requested(own, page)
    if requested.snapshot is None:
        raise Http404("No such page.")
    context = {
        "dataset": own.task.dataset,
        "role": Role.ANNOTATOR,
        "tab": "label",
        **text_context(requested.snapshot, quotes_of(requested), requested.settled_at),
    }
    return render(request, "links/snapshot.html", context)


def _fetch_requested(own: Assignment, key: str) -> RequestedPage:
    requested = own.requested_pages.select_related("snapshot").filter(key=key).first()
    if requested is None:
        raise Http404("No such page.")
    requested.assignment = own
    return requested
