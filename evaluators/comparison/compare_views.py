"""The comparison page: which evaluator is better, in what, and whether that is sure; and the units behind it."""

from dataclasses import replace
from typing import Any

import numpy as np
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.models import Role
from core.caching import cached
from core.table_response import requested_table
from evaluators.charts.chart import Chart
from evaluators.charts.respond import chart_response
from evaluators.comparison.compare_charts import charts_of
from evaluators.comparison.compare_tables import tables_of
from evaluators.comparison.comparison_job import ComparisonJob
from evaluators.comparison.detectable import USUAL, detectable_of, pairs_among
from evaluators.comparison.documents import ComparisonFigures, DetectableDifference
from evaluators.comparison.evaluator_rows import EvaluatorRow, evaluator_rows, human_references
from evaluators.comparison.figures import FIGURE_TITLES
from evaluators.comparison.judges import ALWAYS_NOT_SUPPORTED, TRIVIAL
from evaluators.comparison.levels import level_title
from evaluators.comparison.page_state import ComparisonRequest, has_gold, read_request
from evaluators.comparison.question import FAMILIES, key_of
from evaluators.comparison.ready import ComparisonProgress, comparison_of
from evaluators.comparison.sentences import headline_of, notes_of, pair_note
from evaluators.comparison.slices import ALL
from evaluators.comparison.study import study_of, versions_of
from evaluators.comparison.unit_details import unit_details
from evaluators.comparison.units_in_cell import ORDERS, ConfusionTable, confusion_of, read_cell, units_in_cell
from evaluators.comparison.verdict_text import matrix_of, pairs_in_sentences, pairs_of, verdict_of
from evaluators.predictions.prices import prices_of
from evaluators.runs.suggestions import influential
from stats.detection import DetectionRow

UNITS_A_PAGE = 10
# So many evaluators are named in a line of the list of units; the others are counted.
MOST_NAMED = 3


@require_safe
@vary_on_headers("HX-Request")
def compare(request: MemberRequest, pk: int) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    page: dict[str, Any] = {"dataset": dataset, "role": role_in(request.user, dataset), "tab": "compare"}
    if not has_gold(dataset):
        return render(request, "comparison/compare.html", page)
    comparison = read_request(request, dataset)
    page |= {
        "comparison": comparison,
        "state": comparison.state,
        "figures": FIGURE_TITLES,
        "levels": [(level, level_title(level, dataset.scheme)) for level in comparison.levels],
        "version": comparison.version,
        "versions": versions_of(dataset),
        "gone": comparison.gone,
        "since": comparison.since,
        "influential": influential(dataset),
    }
    document = comparison_of(dataset, comparison.version, comparison.state.question, comparison.since)
    if isinstance(document, ComparisonProgress):
        page |= {"progress": document, "queue": ComparisonJob.queue.value}
    else:
        figures = _figures(comparison, document)
        table = requested_table(request, figures["tables"].values())
        if table is not None:
            return table
        page |= figures
    part = request.htmx and not request.htmx.history_restore_request
    return render(request, f"comparison/compare.html{'#compare' if part else ''}", page)


@require_safe
def compare_smallest(request: MemberRequest, pk: int) -> HttpResponse:
    """The smallest difference that the data can show: a sentence from a simulation, loaded after the page."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    comparison = read_request(request, dataset)
    page = {"dataset": dataset, "state": comparison.state, "smallest": _smallest(comparison)}
    return render(request, "comparison/smallest.html", page)


@require_safe
def compare_chart(request: MemberRequest, pk: int, name: str, form: str) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    comparison = read_request(request, dataset)
    document = comparison_of(dataset, comparison.version, comparison.state.question, comparison.since)
    if isinstance(document, ComparisonProgress):
        raise Http404("The figures are not there yet.")
    chart = next((chart for chart in _charts(comparison, document) if chart.name == name), None)
    if chart is None:
        raise Http404("There is no such chart of this.")
    return chart_response(request, chart, form)


def _lines(comparison: ComparisonRequest, document: ComparisonFigures) -> list[EvaluatorRow]:
    runs = [run for run in comparison.runs if run.evaluator.name in comparison.state.evaluators]
    return evaluator_rows(document, prices_of(runs))


def _figures(comparison: ComparisonRequest, document: ComparisonFigures) -> dict[str, Any]:
    """The context of the page from the document."""
    state, lines, pairs = comparison.state, _lines(comparison, document), pairs_of(document)
    people = human_references(document, state.figure)
    trivial = next(line.whole["pessimistic"][state.figure] for line in lines if line.method == ALWAYS_NOT_SUPPORTED)
    compared = [line for line in lines if line.rank is not None or line.method == ALWAYS_NOT_SUPPORTED]
    confusion = _opened(comparison)
    verdict, sentences = verdict_of(lines, pairs, state.figure), pairs_in_sentences(lines, pairs)
    charts = {chart.name: chart for chart in _charts(comparison, document)}
    noise_unmeasured = [line for line in lines if line.noise_unmeasured]
    return {
        "lines": lines,
        "people": people,
        "verdict": verdict,
        "headline": headline_of(verdict, state),
        "notes": notes_of(verdict, sentences, noise_unmeasured),
        "sentences": sentences,
        "all_pairs": [(pair, pair_note(pair)) for pair in sentences],
        "compared": compared,
        "noise_unmeasured": noise_unmeasured,
        "matrix": matrix_of(compared, pairs) if state.every_pair else None,
        "sides": {line.name: line.run or line.method for line in compared},
        "family": FAMILIES[state.question.family],
        "chosen_after": bool(state.slices) or len(state.evaluators) < len(comparison.known),
        "tables": {table.name: table for table in tables_of(lines, pairs, people, state, document)},
        "charts": charts,
        "more_charts": {
            first: [chart for name, chart in charts.items() if name.startswith(f"{first}-")]
            for first in ("slices", "price")
        },
        "confusion": confusion,
        "opened": _results(lines, confusion),
        "trivial": trivial,
        "marks": [trivial, people[ALL].f1 if people else None],
    }


def _charts(comparison: ComparisonRequest, document: ComparisonFigures) -> list[Chart]:
    """Kept like the document: specifications take longer to make than the rest of the page."""
    since = comparison.since.timestamp() if comparison.since else ""
    key = f"charts-{key_of(comparison.dataset, comparison.version, comparison.state.question)}-{since}"
    people = human_references(document, comparison.state.figure)
    return cached(key, lambda: charts_of(_lines(comparison, document), people, comparison.state))


def _opened(comparison: ComparisonRequest) -> ConfusionTable | None:
    """The confusion table that the link opens; None where it opens none, or one that is not there."""
    if comparison.state.opened is None:
        return None
    name, slice = comparison.state.opened
    study = study_of(comparison.dataset, comparison.version, comparison.state.evaluators)
    judge = next((judge for judge in study.judges if judge.name == name), None)
    if judge is None or (slice and slice not in comparison.state.shown_slices):
        return None
    return confusion_of(study, comparison.state, judge, slice)


def _results(lines: list[EvaluatorRow], confusion: ConfusionTable | None) -> DetectionRow | None:
    """The figures that follow from the open confusion table."""
    if confusion is None:
        return None
    line = next(line for line in lines if line.name == confusion.evaluator)
    return line.results.get(confusion.slice or ALL)


def _smallest(comparison: ComparisonRequest) -> DetectableDifference | None:
    """The smallest difference of F1 that the data could show, or why there is none (stats/power.py); None where
    it is not known of this choice."""
    state = comparison.state
    if state.figure != "f1" or len(state.slices) > 1:
        return None
    slice = state.slices[0] if state.slices else ALL
    by = None if state.by.only_recall else state.by.name
    rates = replace(USUAL, comparisons=pairs_among(len(state.evaluators)))
    results = detectable_of(comparison.dataset, comparison.version, by, rates)["results"]
    return next((row for row in results if (row["level"], row["slice"]) == (state.level, slice)), None)


@require_safe
def compare_units(request: MemberRequest, pk: int) -> HttpResponse:
    """The units in a cell of a confusion table: each in its response, with gold and each evaluator's answer."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    comparison, cell = read_request(request, dataset), read_cell(request.GET)
    study = study_of(dataset, comparison.version, comparison.state.evaluators)
    if cell.of and cell.of not in {judge.name for judge in study.judges}:
        cell = replace(cell, of="", answer="")
    if cell.slice and cell.slice not in comparison.state.all_slices:
        cell = replace(cell, slice="")
    evaluators = [judge for judge in study.judges if judge.method not in TRIVIAL]
    named = [cell.of] if cell.of else [judge.name for judge in evaluators[:MOST_NAMED]]
    units = units_in_cell(study, comparison.state, cell, evaluators)
    page_of_units = Paginator(units, UNITS_A_PAGE).get_page(request.GET.get("page"))
    page = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "compare",
        "state": comparison.state,
        "cell": cell,
        "orders": ORDERS,
        "domains": comparison.domains,
        "page": page_of_units,
        "units": unit_details(
            study, comparison.state.level, np.asarray(page_of_units.object_list, dtype=np.int64), evaluators, named
        ),
        "version": comparison.version,
        "gone": comparison.gone,
    }
    return render(request, "comparison/units.html", page)
