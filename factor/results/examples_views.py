"""The examples behind the figures: of one scoring, or those on which two scorings disagree."""

from typing import Any

import numpy as np
from django.core.paginator import Page, Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.access import MemberRequest, fetch_in_dataset
from factor.benchmarks.page import READERS, fetch_benchmark, page_of
from factor.models import Scoring
from factor.results.cached import scores_of
from factor.results.examples import Marks, apart, judged, marks_of, of_type
from factor.results.names import names_in, names_of
from factor.results.page_state import scorings_of
from factor.results.study import TYPE_NAMES, TYPES, BenchmarkStudy, read_study
from stats.arrays import Flags, Ints
from stats.factor import OUTCOMES, RULES, WAITING

A_PAGE = 10
ORDERS = {"": "As in the benchmark", "lead": "Clearest mistakes first", "-lead": "Clearest correct first"}
WHO = {"": "Either", "one": "Only the first", "other": "Only the second"}


@require_safe
def scoring_scores(request: MemberRequest, pk: int) -> HttpResponse:
    """The scores of every completion by one model: ?outcome=, ?type=, ?rule= and ?sort= choose."""
    scorings = Scoring.objects.select_related("benchmark__dataset", "model", "source")
    scoring = fetch_in_dataset(request.user, scorings, pk, "benchmark.dataset", *READERS)
    study = read_study(scoring.benchmark)
    marks = marks_of(study, scoring, scores_of(study, [scoring])[pk], _rule(request))
    outcome, order = _one_of(OUTCOMES, request.GET.get("outcome")), _one_of(ORDERS, request.GET.get("sort"))
    is_decided = marks.outcomes != WAITING
    if outcome:
        is_decided = marks.outcomes == OUTCOMES.index(outcome)
    is_decided = is_decided & _typed(request, study, marks)
    page = _page(request, _ordered(np.flatnonzero(is_decided), marks, order))
    counts = np.bincount(marks.outcomes, minlength=len(OUTCOMES)).tolist()
    name = names_in(scoring.benchmark)[pk]
    context = {
        "scoring": scoring,
        "name": name,
        "columns": [name],
        "outcomes": [(name, count) for name, count in zip(OUTCOMES, counts, strict=True) if count],
        "outcome": outcome,
        "orders": ORDERS,
        "order": order,
        "page": page,
        "judged": judged(study, list(page), [marks]),
        **_chosen(request, study, marks.rule),
    }
    return render(request, "factor/scores.html", {**page_of(request, scoring.benchmark, "results"), **context})


@require_safe
def benchmark_disagreements(request: MemberRequest, pk: int) -> HttpResponse:
    """The examples on which ?one= and ?other= disagree; ?right= says who is right."""
    benchmark = fetch_benchmark(request, pk)
    scorings = scorings_of(benchmark)
    context: dict[str, Any] = {**page_of(request, benchmark, "results"), "scorings": scorings, "who": WHO}
    context["names"] = names_of(scorings)
    if len(scorings) > 1:
        context |= _disagreements(request, _two(request, scorings))
    return render(request, "factor/disagreements.html", context)


def _disagreements(request: MemberRequest, two: tuple[Scoring, Scoring]) -> dict[str, Any]:
    study = read_study(two[0].benchmark)
    scores, rule = scores_of(study, two), _rule(request)
    one, other = (marks_of(study, each, scores[each.pk], rule) for each in two)
    only_one, only_other = apart(one, other)
    right = _one_of(WHO, request.GET.get("right"))
    is_listed = {"": only_one | only_other, "one": only_one, "other": only_other}[right]
    # The type is that of the false completion that the one who is wrong finds likeliest.
    typed = np.where(only_one, _typed(request, study, other), _typed(request, study, one))
    page = _page(request, np.flatnonzero(is_listed & typed))
    return {
        "one": two[0],
        "other": two[1],
        "right": right,
        "only_one": int(only_one.sum()),
        "only_other": int(only_other.sum()),
        "page": page,
        "columns": ["First", "Second"],
        "judged": judged(study, list(page), [one, other]),
        **_chosen(request, study, rule),
    }


def _two(request: MemberRequest, scorings: list[Scoring]) -> tuple[Scoring, Scoring]:
    """The scorings that the link names, else the first ones. Http404: no such scoring of this benchmark."""
    by_key = {str(each.pk): each for each in scorings}
    named = [request.GET.get(name) for name in ("one", "other")]
    if any(name and name not in by_key for name in named):
        raise Http404("No such scoring of this benchmark.")
    one = by_key[named[0]] if named[0] else scorings[0]
    return one, by_key[named[1]] if named[1] else next(each for each in scorings if each != one)


def _chosen(request: MemberRequest, study: BenchmarkStudy, rule: str) -> dict[str, Any]:
    present = {TYPES[place] for place in study.pairs.type.tolist()}
    return {
        "rule": rule,
        "rules": RULES,
        "types": [(name or "none", TYPE_NAMES[name]) for name in TYPES if name in present],
        "type": request.GET.get("type", ""),
    }


def _rule(request: MemberRequest) -> str:
    return _one_of(RULES, request.GET.get("rule")) or next(iter(RULES))


def _one_of(known: Any, wanted: str | None) -> str:
    return wanted if wanted is not None and wanted in known else ""


def _typed(request: MemberRequest, study: BenchmarkStudy, marks: Marks) -> Flags:
    """The examples with the type in the link; "none": with a type that is not given."""
    wanted = request.GET.get("type", "")
    name = "" if wanted == "none" else wanted
    if not wanted or name not in TYPE_NAMES:
        return np.ones(len(study.examples), dtype=np.bool_)
    return of_type(study, marks, name)


def _ordered(places: Ints, marks: Marks, order: str) -> Ints:
    """By how far the true completion leads; those without a score last."""
    if not order:
        return places
    leads = np.array([np.nan if (lead := marks.lead(place)) is None else lead for place in places.tolist()])
    return places[np.argsort(-leads if order.startswith("-") else leads, kind="stable")]


def _page(request: MemberRequest, places: Ints) -> Page[int]:
    return Paginator(places.tolist(), A_PAGE).get_page(request.GET.get("page"))
