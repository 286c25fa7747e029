"""The comparison page: who is better, in what, and whether that is sure; and the units behind each figure."""

from typing import Any

from django.core.cache import cache
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.models import Role
from core.table_response import asked_table
from evaluators.charts.chart import Chart
from evaluators.charts.respond import chart_response
from evaluators.comparison.asked import versions_of
from evaluators.comparison.compare import Line, lines_of, people_of
from evaluators.comparison.compare_asked import Asked, ask, has_gold
from evaluators.comparison.compare_charts import charts_of
from evaluators.comparison.compare_tables import tables_of
from evaluators.comparison.confusion import Confusion, confusion_of
from evaluators.comparison.detectable import detectable_of
from evaluators.comparison.judges import ALWAYS_NOT_SUPPORTED
from evaluators.comparison.keys import key_of
from evaluators.comparison.leaderboard import LEVELS, Document
from evaluators.comparison.page_state import FIGURES
from evaluators.comparison.prices import prices_of
from evaluators.comparison.ready import Progress, comparison_of
from evaluators.comparison.slices import ALL
from evaluators.comparison.study import SECONDS_KEPT, study_of
from evaluators.comparison.verdict_text import answer_of, matrix_of, pairs_of, told_pairs

# A larger table of pairs is shown when it is asked for.
MOST_IN_MATRIX = 12


@require_safe
@vary_on_headers("HX-Request")
def compare(request: MemberRequest, pk: int) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    page: dict[str, Any] = {"dataset": dataset, "role": role_in(request.user, dataset), "tab": "compare"}
    if not has_gold(dataset):
        return render(request, "comparison/compare.html", page)
    asked = ask(request, dataset)
    page |= {
        "asked": asked,
        "chosen": asked.chosen,
        "figures": FIGURES,
        "levels": [(level, LEVELS[level]) for level in asked.levels],
        "versions": versions_of(dataset),
    }
    found = comparison_of(dataset, asked.version, asked.chosen.question)
    if isinstance(found, Progress):
        page["progress"] = found
    else:
        figures = _figures(asked, found)
        table = asked_table(request, figures["tables"].values())
        if table is not None:
            return table
        page |= figures
    part = request.htmx and not request.htmx.history_restore_request
    return render(request, f"comparison/compare.html{'#compare' if part else ''}", page)


@require_safe
def compare_smallest(request: MemberRequest, pk: int) -> HttpResponse:
    """A sentence of the page that takes a simulation, and comes after the rest: what the data could show."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    asked = ask(request, dataset)
    page = {"dataset": dataset, "chosen": asked.chosen, "smallest": _smallest(asked)}
    return render(request, "comparison/smallest.html", page)


@require_safe
def compare_chart(request: MemberRequest, pk: int, name: str, form: str) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    asked = ask(request, dataset)
    found = comparison_of(dataset, asked.version, asked.chosen.question)
    if isinstance(found, Progress):
        raise Http404("The figures are not there yet.")
    chart = next((chart for chart in _charts(asked, found) if chart.name == name), None)
    if chart is None:
        raise Http404("There is no such chart of this.")
    return chart_response(request, chart, form)


def _lines(asked: Asked, document: Document) -> list[Line]:
    runs = [run for run in asked.runs if run.evaluator.name in asked.chosen.evaluators]
    return lines_of(document, prices_of(runs))


def _figures(asked: Asked, document: Document) -> dict[str, Any]:
    """What the page shows of the document."""
    chosen, lines, pairs = asked.chosen, _lines(asked, document), pairs_of(document)
    people = people_of(document, chosen.figure)
    trivial = next(line.whole[chosen.figure] for line in lines if line.method == ALWAYS_NOT_SUPPORTED)
    confusion = _opened(asked)
    return {
        "lines": lines,
        "people": people,
        "answer": answer_of(lines, pairs),
        "told": told_pairs(lines, pairs),
        "matrix": matrix_of(lines, pairs) if chosen.every_pair or len(lines) <= MOST_IN_MATRIX else None,
        "tables": {table.name: table for table in tables_of(lines, pairs, people, chosen)},
        "charts": _charts(asked, document),
        "confusion": confusion,
        "opened": _results(lines, confusion),
        "trivial": trivial,
        "marks": [trivial, people[ALL].f1 if people else None],
    }


def _charts(asked: Asked, document: Document) -> list[Chart]:
    """Kept like the document: specifications take longer to make than the rest of the page."""
    key = f"charts-{key_of(asked.dataset, asked.version, asked.chosen.question)}"
    kept: list[Chart] | None = cache.get(key)
    if kept is None:
        kept = charts_of(_lines(asked, document), people_of(document, asked.chosen.figure), asked.chosen)
        cache.set(key, kept, SECONDS_KEPT)
    return kept


def _opened(asked: Asked) -> Confusion | None:
    """The confusion table that the link opens; None where it opens none, or one that is not there."""
    if asked.chosen.opened is None:
        return None
    name, slice = asked.chosen.opened
    study = study_of(asked.dataset, asked.version, asked.chosen.evaluators)
    judge = next((judge for judge in study.judges if judge.name == name), None)
    if judge is None or (slice and slice not in asked.chosen.shown_slices):
        return None
    return confusion_of(study, asked.chosen, judge, slice)


def _results(lines: list[Line], confusion: Confusion | None) -> Document | None:
    """The figures that follow from the open confusion table."""
    if confusion is None:
        return None
    line = next(line for line in lines if line.name == confusion.evaluator)
    return line.results.get(confusion.slice or ALL)


def _smallest(asked: Asked) -> Document | None:
    """The smallest difference of F1 that the data could show, or why there is none (metrics/detectable.py); None where
    it is not known of this choice."""
    chosen = asked.chosen
    if chosen.figure != "f1" or len(chosen.slices) > 1:
        return None
    slice = chosen.slices[0] if chosen.slices else ALL
    by = None if chosen.by.only_recall else chosen.by.name
    results = detectable_of(asked.dataset, asked.version, by)["results"]
    return next((row for row in results if (row["level"], row["slice"]) == (chosen.level, slice)), None)
