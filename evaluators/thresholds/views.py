"""The page of thresholds: the figures of an evaluator's scores, and the choice of a threshold."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.models import Dataset, GoldLabel, Role
from core.table_response import requested_table
from core.tables import Table
from evaluators.charts.respond import requested_chart
from evaluators.comparison.annotators import human_f1
from evaluators.comparison.caption import data_of_scope
from evaluators.comparison.levels import level_title, responses_by_level
from evaluators.comparison.page_state import gone_evaluators, requested_version
from evaluators.comparison.study import ComparisonStudy, study_of
from evaluators.runs.repeats import repeated
from evaluators.thresholds.charts import CHARTS
from evaluators.thresholds.describe import DescribedScores, describe_scores
from evaluators.thresholds.page_state import MOST_EVALUATORS, ThresholdsState, parts_to_choose, read_state
from evaluators.thresholds.read import with_scores
from evaluators.thresholds.tables import LOSS_TITLES, scores_table, thresholds_table


@dataclass(frozen=True)
class ThresholdsPage:
    """names: the evaluators with scores. described: the chosen one, then those beside it that have scores here. gone:
    what the link names and is not there, in words."""

    study: ComparisonStudy
    names: list[str]
    state: ThresholdsState
    described: list[DescribedScores]
    human: float | None
    gone: Sequence[str]

    @property
    def has_units(self) -> bool:
        """The chosen evaluator has scored units here."""
        return bool(len(self.described[0].scores.units.score))


@require_safe
def thresholds(request: MemberRequest, pk: int) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    has_gold = GoldLabel.objects.of(dataset).current().exists()
    context: dict[str, Any] = {"dataset": dataset, "role": role_in(request.user, dataset), "tab": "thresholds"}
    context["has_gold"] = has_gold
    page = _page_of(request, dataset) if has_gold else None
    if page is None:
        return render(request, "thresholds/thresholds.html", context)
    data = data_of_scope(page.study, page.state.scope.level, page.state.scope.slice)
    tables = [scores_table(page.described, data), thresholds_table(page.described, page.human, data)]
    context |= _context(page, tables) | {"repeated": repeated(dataset)}
    return requested_table(request, tables) or render(request, "thresholds/thresholds.html", context)


@require_safe
def thresholds_chart(request: MemberRequest, pk: int, name: str, form: str) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    page = _page_of(request, dataset)
    draw = CHARTS.get(name) if page is not None and page.has_units else None
    charts = [draw(page.described, page.human)] if page is not None and draw is not None else []
    return requested_chart(request, charts, name, form)


def _page_of(request: MemberRequest, dataset: Dataset) -> ThresholdsPage | None:
    """The figures of the page; None: no evaluator gave scores."""
    study = study_of(dataset, requested_version(request, dataset))
    scored = with_scores(study.judges)
    if not scored:
        return None
    state = read_state(request.GET, list(scored), study.table)
    first, *others = (describe_scores(study, *scored[name], state.scope) for name in (state.evaluator, *state.beside))
    agreement = state.agreement_slice
    gone = gone_evaluators(request.GET, scored, ("evaluator", "beside"))
    human = None if agreement is None else human_f1(dataset, state.scope.level, agreement)
    return ThresholdsPage(
        study, list(scored), state, [first, *(each for each in others if len(each.scores.units.score))], human, gone
    )


def _context(page: ThresholdsPage, tables: list[Table]) -> dict[str, Any]:
    first, state = page.described[0], page.state
    return {
        "state": state,
        "names": page.names,
        "gone": page.gone,
        "most": MOST_EVALUATORS,
        "levels": [
            (level, level_title(level, page.study.dataset.scheme)) for level in responses_by_level(page.study.table)
        ],
        "parts": parts_to_choose(page.study.table, state.scope.level),
        "version": page.study.version,
        "versions": page.study.dataset.gold_versions.order_by("-created_at"),
        "first": first,
        "described": page.described,
        "loss_titles": LOSS_TITLES,
        "tables": tables,
        "human": page.human,
        "charts": [draw(page.described, page.human) for draw in CHARTS.values()] if page.has_units else [],
    }
