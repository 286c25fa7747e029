"""The page on which minimal facts are written, one pair after the other."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotate.access import MemberRequest
from core.numbers import read_number
from factor.models import OpenEndedPair, OpenEndedStudy
from factor.models.open_ended import OF_PAIR
from factor.open_ended.facts import FactError, unwritten, write_fact
from factor.open_ended.forms import FactForm
from factor.open_ended.page import fetch_study, page_of_study
from factor.open_ended.shown import shown_pair
from ratings.pages import posted_item


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def open_ended_facts(request: MemberRequest, pk: int) -> HttpResponse:
    """The next pair that lacks its fact, or the one in the query (`?at=`, its place from 1); HTMX swaps only that."""
    study = fetch_study(request, pk)
    if request.method == "POST":
        return _write(request, study)
    at = read_number(request.GET.get("at", ""))
    pair = unwritten(study).first() if at is None else study.pairs.filter(position=at - 1).first()
    return _page(request, study, pair)


def _write(request: MemberRequest, study: OpenEndedStudy) -> HttpResponse:
    pair, form = posted_item(request, study.pairs.all(), "pair", "No such pair."), FactForm(request.POST)
    try:
        if not form.is_valid():
            raise FactError("The fact is too long, or the reason to leave the pair out is not one of those here.")
        write_fact(pair, request.user, form.cleaned_data["fact"], form.cleaned_data["excluded"])
    except FactError as error:
        pair.fact, pair.excluded = request.POST.get("fact", ""), request.POST.get("excluded", "")
        return _page(request, study, pair, str(error), 422)
    if request.htmx:
        return _page(request, study, unwritten(study).first())
    return redirect("open-ended-facts", study.pk)


def _page(
    request: MemberRequest, study: OpenEndedStudy, pair: OpenEndedPair | None, trouble: str = "", status: int = 200
) -> HttpResponse:
    total = study.pairs.count()
    context = {
        "base": "ratings/item.html" if request.htmx else "factor/benchmark_base.html",
        "key": "pair",
        "item": pair,
        "shown": None if pair is None else shown_pair(pair),
        "reasons": [(word.value, word.label) for word in OF_PAIR],
        "written": total - unwritten(study).count(),
        "total": total,
        "trouble": trouble,
        # Both as they are counted for people, from 1.
        "earlier": (pair.position if pair is not None else total) or None,
        "later": pair.position + 2 if pair is not None and pair.position + 1 < total else None,
    }
    page = {**page_of_study(request, study), **context}
    return render(request, "factor/open_ended_facts.html", page, status=status)
