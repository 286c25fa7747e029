"""The pages on which language models are scored on a benchmark: start, watch, stop, go on."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotate.access import MemberRequest, fetch_in_dataset
from factor.benchmarks.page import READERS, fetch_benchmark, page_of
from factor.models import Benchmark, ScoredModel, Scoring
from factor.scoring.forms import ScoredModelForm, ScoreForm
from factor.scoring.progress import listed, progress_of
from factor.scoring.start import start
from jobs.enqueue import enqueue
from jobs.errors import StartError
from jobs.views import JobViews
from llm.price import is_priced

PER_PAGE = 25
SHOWN = 20


@require_safe
def scorings(request: MemberRequest, pk: int) -> HttpResponse:
    """The scorings of a benchmark, and the form that starts another."""
    benchmark = fetch_benchmark(request, pk)
    return _page(request, benchmark, ScoreForm(benchmark.dataset), ScoredModelForm(benchmark.dataset))


@require_POST
def scoring_start(request: MemberRequest, pk: int) -> HttpResponse:
    """Score a model on a benchmark."""
    benchmark = fetch_benchmark(request, pk)
    form = ScoreForm(benchmark.dataset, request.POST)
    if form.is_valid():
        fields = form.cleaned_data
        try:
            scoring = start(benchmark, fields["model"], form.wish, request.user, fields["limit"], form.limits())
        except StartError as error:
            form.add_error(None, str(error))
        else:
            enqueue(scoring)
            return redirect("scoring", scoring.pk)
    return _page(request, benchmark, form, ScoredModelForm(benchmark.dataset), 422)


@require_POST
def scored_model_add(request: MemberRequest, pk: int) -> HttpResponse:
    """Add a language model to the benchmark's dataset."""
    benchmark = fetch_benchmark(request, pk)
    form = ScoredModelForm(benchmark.dataset, request.POST)
    if form.is_valid():
        messages.success(request, f"{form.save()} can be scored now.")
        return redirect("scorings", pk)
    return _page(request, benchmark, ScoreForm(benchmark.dataset), form, 422)


@require_safe
def scoring(request: MemberRequest, pk: int) -> HttpResponse:
    """One scoring: its progress, its rate, and the completions without a score."""
    scoring_row = _fetch(request, pk, False)
    context = {**page_of(request, scoring_row.benchmark, "scorings"), **VIEWS.progress_context(request, scoring_row)}
    return render(request, "factor/scoring.html", context)


def _fetch(request: MemberRequest, pk: int, to_change: bool) -> Scoring:
    """Every reader of a scoring may change it."""
    scorings = Scoring.objects.select_related("benchmark__dataset", "model__endpoint", "source", "created_by")
    return fetch_in_dataset(request.user, scorings, pk, "benchmark.dataset", *READERS)


def _page(
    request: MemberRequest, benchmark: Benchmark, form: ScoreForm, model_form: ScoredModelForm, status: int = 200
) -> HttpResponse:
    models = list(benchmark.dataset.scored_models.select_related("endpoint"))
    context = {
        **page_of(request, benchmark, "scorings"),
        "page": Paginator(listed(benchmark), PER_PAGE).get_page(request.GET.get("page")),
        "models": models,
        "reachable": any(model.reached_by != ScoredModel.Reached.ELSEWHERE for model in models),
        "form": form,
        "model_form": model_form,
    }
    return render(request, "factor/scorings.html", context, status=status)


def _progress(request: MemberRequest, scoring: Scoring) -> dict[str, Any]:
    failed = scoring.items.failed().select_related("example")
    unscored = scoring.scores.filter(total=None).select_related("completion__example")
    endpoint = scoring.model.endpoint
    return {
        "scoring": scoring,
        "progress": progress_of(scoring),
        "failures": failed[:SHOWN],
        "unscored": unscored.order_by("completion__example__position", "completion__place")[:SHOWN],
        "priced": endpoint is not None and is_priced(endpoint, scoring.model.reached_as),
    }


VIEWS = JobViews("scoring", "factor/scoring_progress.html", _fetch, _progress)
