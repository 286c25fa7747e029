"""The page of thresholds: what an evaluator's scores are worth, and where to cut them."""

from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.models import Dataset, GoldLabel, Role
from core.table_response import requested_table
from core.tables import Table
from evaluators.charts.respond import chart_response
from evaluators.comparison.annotators import human_f1
from evaluators.comparison.levels import LEVELS, responses_by_level
from evaluators.comparison.page_state import requested_version
from evaluators.comparison.study import ComparisonStudy, study_of
from evaluators.thresholds.charts import CHARTS
from evaluators.thresholds.describe import Described, describe_scores
from evaluators.thresholds.page_state import MOST_EVALUATORS, ThresholdsState, parts_to_choose, read_state
from evaluators.thresholds.read import with_scores
from evaluators.thresholds.tables import scores_table, thresholds_table


@dataclass(frozen=True)
class ThresholdsPage:
    """names: the evaluators with scores. described: the chosen one, then those beside it that have scores here."""

    study: ComparisonStudy
    names: list[str]
    state: ThresholdsState
    described: list[Described]
    human: float | None


@require_safe
def thresholds(request: MemberRequest, pk: int) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    page: dict[str, Any] = {"dataset": dataset, "role": role_in(request.user, dataset), "tab": "thresholds"}
    page["has_gold"] = GoldLabel.objects.of(dataset).current().exists()
    found = _page_of(request, dataset) if page["has_gold"] else None
    if found is None:
        return render(request, "thresholds/thresholds.html", page)
    tables = [scores_table(found.described), thresholds_table(found.described, found.human)]
    return requested_table(request, tables) or render(
        request, "thresholds/thresholds.html", page | _context(found, tables)
    )


@require_safe
def thresholds_chart(request: MemberRequest, pk: int, name: str, form: str) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    found = _page_of(request, dataset)
    if name not in CHARTS or found is None or not _has_units(found):
        raise Http404("This page has no such chart.")
    return chart_response(request, CHARTS[name](found.described, found.human), form)


def _page_of(request: MemberRequest, dataset: Dataset) -> ThresholdsPage | None:
    """None: no evaluator gave scores."""
    study = study_of(dataset, requested_version(request, dataset))
    scored = with_scores(study.judges)
    if not scored:
        return None
    state = read_state(request.GET, list(scored), study.table)
    first, *others = (describe_scores(study, *scored[name], state.scope) for name in (state.evaluator, *state.beside))
    agreement = state.agreement_slice
    human = None if agreement is None else human_f1(dataset, state.scope.level, agreement)
    return ThresholdsPage(
        study, list(scored), state, [first, *(each for each in others if len(each.scores.units.score))], human
    )


def _context(found: ThresholdsPage, tables: list[Table]) -> dict[str, Any]:
    first, state = found.described[0], found.state
    return {
        "state": state,
        "names": found.names,
        "most": MOST_EVALUATORS,
        "levels": [(level, LEVELS[level]) for level in responses_by_level(found.study.table)],
        "parts": parts_to_choose(found.study.table, state.scope.level),
        "version": found.study.version,
        "versions": found.study.dataset.gold_versions.order_by("-created_at"),
        "first": first,
        "described": found.described,
        "tables": tables,
        "human": found.human,
        "charts": [make(found.described, found.human) for make in CHARTS.values()] if _has_units(found) else [],
    }


def _has_units(found: ThresholdsPage) -> bool:
    return bool(len(found.described[0].scores.units.score))
