"""The pages of error analysis: samples of mistakes, and the results of one."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset, role_in
from annotate.models import Dataset, Role
from core.errors import not_saved
from core.numbers import read_number
from core.table_response import requested_table
from evaluators.charts.respond import requested_chart
from evaluators.errors.causes import MOST, CauseError, add_cause, causes_of
from evaluators.errors.draw import draw_sample
from evaluators.errors.forms import MistakesDrawForm, TagForm
from evaluators.errors.results import results_of
from evaluators.errors.tables import chart_of, tables_of
from evaluators.errors.tag import give_up, settle, tagger_of
from evaluators.models import ErrorAnalysis, Mistake, Tagger
from ratings.errors import RatingError, SettleError
from ratings.progress import with_counts

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
    samples = ErrorAnalysis.objects.filter(run__dataset=dataset).prefetch_related("taggers__who")
    samples = with_counts(samples.select_related("run__evaluator", "version", "created_by"), request.user)
    page = {
        "page": Paginator(samples.order_by("-created_at", "-pk"), PER_PAGE).get_page(request.GET.get("page")),
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
        messages.success(request, f"“{cause.name}” is added.")
    return redirect("error-analyses", pk)


@require_safe
def analysis(request: MemberRequest, pk: int) -> HttpResponse:
    """The progress of a sample, and its results once both have handed in."""
    sample = fetch_analysis(request, pk)
    page: dict[str, Any] = {"analysis": sample, "own": tagger_of(sample, request.user), "taggers": _progress(sample)}
    if sample.is_complete():
        causes = causes_of(sample.run.dataset)
        results = results_of(sample, causes)
        tables = tables_of(sample, results)
        page |= {"results": results, "causes": causes, "tables": {each.name: each for each in tables}}
        page |= {"chart": chart_of(sample, results)}
        table = requested_table(request, tables)
        if table is not None:
            return table
    return _render(request, sample.run.dataset, "errors/analysis.html", page)


@require_safe
def chart(request: MemberRequest, pk: int, name: str, form: str) -> HttpResponse:
    sample = fetch_analysis(request, pk)
    charts = [chart_of(sample, results_of(sample, causes_of(sample.run.dataset)))] if sample.is_complete() else []
    return requested_chart(request, charts, name, form)


@require_POST
def settle_mistake(request: MemberRequest, pk: int, mistake: int) -> HttpResponse:
    """The cause of a mistake that the two tagged differently."""
    sample = fetch_analysis(request, pk)
    item = get_object_or_404(Mistake.objects.select_related("sample"), pk=mistake, sample=sample)
    form = TagForm(sample.run.dataset, {"cause": request.POST.get("cause", ""), "note": request.POST.get("why", "")})
    try:
        answers = form.checked()
        settle(item, answers["cause"], answers["note"], request.user)
    except (RatingError, SettleError) as error:
        messages.error(request, not_saved(error))
    return redirect("error-analysis", pk)


@require_POST
def leave(request: MemberRequest, pk: int) -> HttpResponse:
    """Give up the place (`tagger`); an adjudicator may free the place of another person."""
    sample = fetch_analysis(request, pk)
    key = read_number(request.POST.get("tagger", ""))
    places = sample.taggers.none() if key is None else sample.taggers.filter(pk=key)
    if role_in(request.user, sample.run.dataset) != Role.ADJUDICATOR:
        places = places.filter(who=request.user)
    place = places.first()
    try:
        if place is None:
            raise RatingError("There is no such place.")
        give_up(place)
    except RatingError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "Left. The tags are deleted.")
    return redirect("error-analysis", pk)


def fetch_analysis(request: MemberRequest, pk: int) -> ErrorAnalysis:
    samples = ErrorAnalysis.objects.select_related("run__dataset", "run__evaluator", "version", "created_by")
    return fetch_in_dataset(request.user, samples, pk, "run.dataset", *READERS)


def _progress(sample: ErrorAnalysis) -> list[Tagger]:
    """The taggers with the number of their tags, `tagged`."""
    taggers, tagged = list(sample.taggers.select_related("who")), sample.ratings_by_rater()
    for tagger in taggers:
        vars(tagger)["tagged"] = tagged.get(tagger.who_id, 0)
    return taggers


def _render(
    request: MemberRequest, dataset: Dataset, template: str, page: dict[str, Any], status: int = 200
) -> HttpResponse:
    shared = {"dataset": dataset, "role": role_in(request.user, dataset), "tab": "errors"}
    return render(request, template, {**shared, **page}, status=status)
