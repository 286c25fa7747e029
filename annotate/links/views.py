"""The pages of links: all of a dataset's, one frozen page, and requests of a card that is being written."""

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotate.access import MemberRequest, fetch_dataset, fetch_own_assignment, role_in
from annotate.links.cards import card_of, words_of
from annotate.links.quotes import QuotedText, mark_quotes
from annotate.links.reach import READERS, fetch_cited, has_cited
from annotate.links.table import link_page, links_of
from annotate.links.write import request_again, request_missing
from annotate.models import Role
from knowledge.fetching.addresses import canonical_url
from knowledge.fetching.errors import FetchError
from knowledge.fetching.request import snapshots_at, snapshots_of


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
    text, quotes = QuotedText(cited.snapshot.text), set(cited.quotes)
    others = [other for other in snapshots_at(cited.snapshot.url) if other != cited.snapshot]
    context = {
        "dataset": cited.dataset,
        "role": cited.role,
        "tab": "links",
        "snapshot": cited.snapshot,
        "words": words_of(cited.snapshot, cited.dated),
        "dated": cited.dated,
        "others": [(other, words_of(other, cited.dated)) for other in others],
        "pieces": mark_quotes(quotes, text),
        "missing": sorted(quote for quote in quotes if text.text and not text.says(quote)),
        "may_fetch_again": cited.role in READERS,
    }
    return render(request, "links/snapshot.html", context)


@require_POST
def snapshot_again(request: MemberRequest, pk: int) -> HttpResponse:
    """Fetch the page anew, as a snapshot of its own."""
    cited = fetch_cited(request.user, pk)
    dataset = fetch_dataset(request.user, cited.dataset.pk, *READERS)
    request_again(cited.snapshot)
    messages.success(request, f"{cited.snapshot.url} will be fetched again.")
    return redirect("links", dataset.pk)


@never_cache
@require_POST
def card(request: MemberRequest, key: str) -> JsonResponse:
    """Ask for the page at `url`: its state, and whether `quote` stands in it. 422 with {"error"} for an address that is
    none of the web.

    Nobody can look without asking, nor learn since when it is frozen before work of their own that cites it is
    submitted: both would tell what others cite.
    """
    fetch_own_assignment(request.user, key, Role.ANNOTATOR)
    try:
        address = canonical_url(request.POST.get("url", ""))
    except FetchError as error:
        return JsonResponse({"error": str(error)}, status=422)
    snapshot = snapshots_of([address])[address]
    return JsonResponse(card_of(snapshot, request.POST.get("quote", ""), has_cited(request.user, snapshot)))
