"""The pages of error analysis: samples of mistakes, and what came of one."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset, role_in
from annotate.models import Dataset, Role
from core.numbers import read_number
from core.table_response import requested_table
from evaluators.charts.respond import chart_response
from evaluators.errors.causes import MOST, CauseError, add_cause, causes_of
from evaluators.errors.chart import chart_of
from evaluators.errors.draw import draw_sample
from evaluators.errors.forms import MistakesDrawForm, TagForm
from evaluators.errors.results import results_of, tables_of
from evaluators.errors.settle import settle
from evaluators.errors.tag import both_have_handed_in, give_up, tagger_of
from evaluators.models import ErrorAnalysis, Mistake, Tagger
from ratings.errors import RatingError, SettleError

PER_PAGE = 25
READERS = (Role.RESEARCHER, Role.ADJUDICATOR)


@require_http_methods(["GET", "HEAD", "POST"])
def analyses(request: MemberRequest, pk: int) -> HttpResponse:
    """Every sample of the dataset's runs; the form draws another."""
    dataset = fetch_dataset(request.user, pk, *READERS)
    form = MistakesDrawForm(dataset, request.POST if request.method == "POST" else None)
    drawn = form.draw(partial(draw_sample, created_by=request.user))
    if drawn is not None:
        return redirect("error-analysis", drawn.pk)
    tags = Count("items__ratings", filter=Q(items__ratings__rater=request.user))
    listed = ErrorAnalysis.objects.filter(run__dataset=dataset).select_related(
        "run__evaluator", "version", "created_by"
    )
    page = {
        "page": Paginator(
            listed.annotate(own=tags).order_by("-created_at", "-pk").prefetch_related("taggers__who"), PER_PAGE
        ).get_page(request.GET.get("page")),
        "form": form,
        "causes": causes_of(dataset),
        "most": MOST,
    }
    return _render(request, dataset, "errors/analyses.html", page, 422 if form.is_bound else 200)


@require_POST
def cause_add(request: MemberRequest, pk: int) -> HttpResponse:
    """A cause of the dataset's own."""
    dataset = fetch_dataset(request.user, pk, *READERS)
    try:
        cause = add_cause(dataset, request.POST.get("name", ""), request.POST.get("help", ""), request.user)
    except CauseError as error:
        messages.error(request, f"Not added. {error}")
    else:
        messages.success(request, f"“{cause.name}” can be chosen from now on.")
    return redirect("error-analyses", pk)


@require_safe
def analysis(request: MemberRequest, pk: int) -> HttpResponse:
    """How far a sample is, and once both have handed in what their tags say."""
    found = fetch_analysis(request, pk)
    page: dict[str, Any] = {"analysis": found, "own": tagger_of(found, request.user), "taggers": _progress(found)}
    if both_have_handed_in(found):
        causes = causes_of(found.run.dataset)
        results = results_of(found, causes)
        answer = requested_table(request, tables := tables_of(found, results))
        if answer is not None:
            return answer
        page |= {"results": results, "causes": causes, "tables": {table.name: table for table in tables}}
        page |= {"chart": chart_of(found, results)}
    return _render(request, found.run.dataset, "errors/analysis.html", page)


@require_safe
def chart(request: MemberRequest, pk: int, name: str, form: str) -> HttpResponse:
    found = fetch_analysis(request, pk)
    if not both_have_handed_in(found):
        raise Http404("There is nothing to draw before both have handed in.")
    drawn = chart_of(found, results_of(found, causes_of(found.run.dataset)))
    if drawn.name != name:
        raise Http404("This page has no such chart.")
    return chart_response(request, drawn, form)


@require_POST
def settle_mistake(request: MemberRequest, pk: int, mistake: int) -> HttpResponse:
    """The cause where the two differ."""
    found = fetch_analysis(request, pk)
    settled = get_object_or_404(Mistake.objects.select_related("sample"), pk=mistake, sample=found)
    form = TagForm(found.run.dataset, {"cause": request.POST.get("cause", ""), "note": request.POST.get("why", "")})
    try:
        if not form.is_valid():
            raise SettleError(form.trouble)
        settle(settled, form.chosen_cause(), form.cleaned_data["note"], request.user)
    except SettleError as error:
        messages.error(request, f"Not settled. {error}")
    return redirect("error-analysis", pk)


@require_POST
def leave(request: MemberRequest, pk: int) -> HttpResponse:
    """Give one's place up; an adjudicator may free somebody else's (`tagger`)."""
    found = fetch_analysis(request, pk)
    asked = read_number(request.POST.get("tagger", ""))
    places = found.taggers.none() if asked is None else found.taggers.filter(pk=asked)
    if role_in(request.user, found.run.dataset) != Role.ADJUDICATOR:
        places = places.filter(who=request.user)
    place = places.first()
    try:
        if place is None:
            raise RatingError("There is no such place.")
        give_up(place)
    except RatingError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "The place is free; the tags that were given in it are dropped.")
    return redirect("error-analysis", pk)


def fetch_analysis(request: MemberRequest, pk: int) -> ErrorAnalysis:
    every = ErrorAnalysis.objects.select_related("run__dataset", "run__evaluator", "version", "created_by")
    return fetch_in_dataset(request.user, every, pk, "run.dataset", *READERS)


def _progress(found: ErrorAnalysis) -> list[Tagger]:
    """With the number of their tags, `tagged`."""
    taggers, tagged = list(found.taggers.select_related("who")), found.ratings_by_rater()
    for tagger in taggers:
        vars(tagger)["tagged"] = tagged.get(tagger.who_id, 0)
    return taggers


def _render(
    request: MemberRequest, dataset: Dataset, template: str, page: dict[str, Any], status: int = 200
) -> HttpResponse:
    shared = {"dataset": dataset, "role": role_in(request.user, dataset), "tab": "errors"}
    return render(request, template, {**shared, **page}, status=status)
