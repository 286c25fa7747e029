"""Ensembles and cascades of evaluators by quality and price."""

from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.models import GoldLabel, Role
from core.table_response import requested_table
from evaluators.charts.respond import chart_response
from evaluators.combinations.candidates import RULES, TRIGGERS
from evaluators.combinations.page_state import MOST_EVALUATORS, VIEWS, CombinationsState, read_state
from evaluators.combinations.present import RULE_NAMES, always_error, baseline_rows, chart_of, row_of, rows_of, table_of
from evaluators.combinations.read import CombinationFigures, evaluators_of, figures_of, levels_of, parts_of
from evaluators.comparison.annotators import human_f1
from evaluators.comparison.caption import data_of_scope
from evaluators.comparison.levels import level_title
from evaluators.comparison.page_state import gone_evaluators, requested_version
from evaluators.comparison.slices import ALL
from evaluators.comparison.study import ComparisonStudy, study_of, versions_of
from evaluators.predictions.prices import CURRENCIES
from evaluators.runs.repeats import repeated
from stats.selection import FOLDS

ON_A_PAGE = 40
PASSED_BY = ("only", "page")  # fields that the filter of the rows does not hand on


@require_safe
def combinations(request: MemberRequest, pk: int) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    page: dict[str, Any] = {"dataset": dataset, "role": role_in(request.user, dataset), "tab": "combinations"}
    page["has_gold"] = GoldLabel.objects.of(dataset).current().exists()
    if not page["has_gold"]:
        return render(request, "combinations/combinations.html", page)
    study = study_of(dataset, requested_version(request, dataset))
    judges = evaluators_of(study)
    page["judges"] = judges
    if not judges:
        return render(request, "combinations/combinations.html", page)
    state = _choice(request, study)
    figures = figures_of(study, state)
    rows = rows_of(figures.outcome.rows, state)
    data = data_of_scope(study, state.level, state.part.address if state.part else ALL)
    every = [*baseline_rows(figures.baselines, state), *rows]
    taken = requested_table(request, [table_of(every, state, unit_of(study), data)])
    if taken is not None:
        return taken
    human = human_of(study, state)
    page |= _figures(study, state, figures, human) | {
        "gone": gone_evaluators(request.GET, [judge.name for judge in evaluators_of(study)], ["evaluator"]),
        "kept": [(key, value) for key, values in request.GET.lists() if key not in PASSED_BY for value in values],
        "rows": Paginator(rows, ON_A_PAGE).get_page(request.GET.get("page")),
        "table": table_of(rows, state, unit_of(study), data),
    }
    return render(request, "combinations/combinations.html", page)


@require_safe
def combinations_chart(request: MemberRequest, pk: int, name: str, form: str) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    study = study_of(dataset, requested_version(request, dataset))
    if not evaluators_of(study):
        raise Http404("There is nothing to combine.")
    state = _choice(request, study)
    figures = figures_of(study, state)
    human = human_of(study, state)
    chart = chart_of(figures.outcome.rows, figures.baselines, human, state, unit_of(study))
    if chart.name != name:
        raise Http404("This page has no such chart.")
    return chart_response(request, chart, form)


def unit_of(study: ComparisonStudy) -> str:
    """The unit of a price."""
    return "fact" if study.table.of_facts else "segment"


def human_of(study: ComparisonStudy, state: CombinationsState) -> float | None:
    """One annotator's F1 against the other, over everything, by domain (FELM) or by subject (FActScore)."""
    sliced_by = "subject" if study.table.of_facts else "domain"
    if state.part is not None and state.part.slicing != sliced_by:
        return None
    return human_f1(study.dataset, state.level, state.part.name if state.part else ALL)


def _choice(request: MemberRequest, study: ComparisonStudy) -> CombinationsState:
    return read_state(request.GET, [judge.name for judge in evaluators_of(study)], parts_of(study))


def _figures(
    study: ComparisonStudy, state: CombinationsState, figures: CombinationFigures, human: float | None
) -> dict[str, Any]:
    levels = levels_of(study)
    best = figures.outcome.best
    reference = always_error(figures.baselines)
    return {
        "state": state,
        "version": study.version,
        "versions": versions_of(study.dataset),
        "repeated": repeated(study.dataset),
        "levels": [(level, level_title(level, study.dataset.scheme)) for level in levels],
        "parts": parts_of(study)[state.level],
        "rules": RULES,
        "triggers": TRIGGERS,
        "currencies": CURRENCIES,
        "ways": VIEWS,
        "most": MOST_EVALUATORS,
        "unit": unit_of(study),
        "units": figures.outcome.units,
        "count": len(figures.outcome.rows),
        "baselines": baseline_rows(figures.baselines, state),
        "best": best,
        "best_row": row_of(figures.outcome.rows[best.place], state) if best else None,
        "optimism": _optimism(figures),
        "single_row": figures.outcome.rows[best.single] if best and best.single is not None else None,
        "unpriced": [
            (judge, state.prices.get(judge.run.pk))
            for judge in study.judges
            if judge.run and judge.run.pk in figures.unknown
        ],
        "folds": FOLDS,
        "rule_names": RULE_NAMES,
        "human": human,
        "marks": [reference, human],
        "reference": reference,
        "chart": chart_of(figures.outcome.rows, figures.baselines, human, state, unit_of(study)),
    }


def _optimism(figures: CombinationFigures) -> float | None:
    """The loss of the best on data that did not choose it; None where either figure is undefined."""
    best = figures.outcome.best
    f1 = None if best is None else figures.outcome.rows[best.place].f1
    if best is None or best.held_out is None or f1 is None:
        return None
    return best.held_out - f1
