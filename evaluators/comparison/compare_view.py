"""The comparison page: who is better, in what, and whether that is sure; and the units behind each figure."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.models import Dataset, GoldLabel, Role
from evaluators.charts.respond import chart_response
from evaluators.comparison.asked import asked_version, versions_of
from evaluators.comparison.behind import ORDERS, read_cell, units_behind
from evaluators.comparison.board import LEVELS, Choice
from evaluators.comparison.chosen import FIGURES, Chosen, read_chosen
from evaluators.comparison.compare import Line, judges_of, level_of, measure
from evaluators.comparison.compare_charts import charts_of
from evaluators.comparison.compare_tables import tables_of
from evaluators.comparison.confusion import Confusion, confusion_of
from evaluators.comparison.human import human_f1
from evaluators.comparison.judges import TRIVIAL
from evaluators.comparison.levels import responses_by_level
from evaluators.comparison.prices import prices_of
from evaluators.comparison.read import latest_runs
from evaluators.comparison.shown import show_units
from evaluators.comparison.slices import slicings
from evaluators.comparison.study import Study, study_of
from evaluators.tables.respond import asked_table

UNITS_A_PAGE = 10


@dataclass(frozen=True)
class Asked:
    """What a request is about, read and checked."""

    study: Study
    chosen: Chosen
    known: list[str]
    levels: list[str]
    slicings: list[tuple[str, str]]


@require_safe
@vary_on_headers("HX-Request")
def compare(request: MemberRequest, pk: int) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    page: dict[str, Any] = {"dataset": dataset, "role": role_in(request.user, dataset), "tab": "compare"}
    if not _has_gold(dataset):
        return render(request, "comparison/compare.html", page)
    asked = _ask(request, dataset)
    lines = _lines(asked)
    table = asked_table(request, tables_of(lines, asked.chosen))
    if table is not None:
        return table
    page |= _page(asked, lines, dataset)
    part = request.htmx and not request.htmx.history_restore_request
    return render(request, f"comparison/compare.html{'#compare' if part else ''}", page)


@require_safe
def compare_chart(request: MemberRequest, pk: int, name: str, form: str) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    asked = _ask(request, dataset)
    charts = charts_of(_lines(asked), asked.chosen, _human(dataset, asked.chosen))
    chart = next((chart for chart in charts if chart.name == name), None)
    if chart is None:
        raise Http404("There is no such chart of this.")
    return chart_response(request, chart, form)


@require_safe
def compare_units(request: MemberRequest, pk: int) -> HttpResponse:
    """The units behind a cell of a confusion table: each in its response, with gold and what everybody said of it."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    asked, cell = _ask(request, dataset), read_cell(request.GET)
    study, chosen = asked.study, asked.chosen
    judges = judges_of(study, chosen)
    if cell.of and cell.of not in {judge.name for judge in judges}:
        raise Http404("No finished run of such an evaluator.")
    if cell.slice and cell.slice not in level_of(study, chosen).slices:
        raise Http404("No such slice.")
    evaluators = [judge for judge in judges if judge.method not in TRIVIAL]
    found = units_behind(study, chosen, cell, judges)
    shown = Paginator(found, UNITS_A_PAGE).get_page(request.GET.get("page"))
    page = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "compare",
        "chosen": chosen,
        "cell": cell,
        "orders": ORDERS,
        "domains": list(dict.fromkeys(study.table.prompts.domain.tolist())),
        "page": shown,
        "units": show_units(study, chosen.level, np.asarray(shown.object_list, dtype=np.int64), evaluators),
        "version": study.version,
    }
    return render(request, "comparison/units.html", page)


def _ask(request: MemberRequest, dataset: Dataset) -> Asked:
    """Http404: there is no gold, so there is nothing to compare with."""
    if not _has_gold(dataset):
        raise Http404("There is no gold to compare with.")
    known = [run.evaluator.name for run in latest_runs(dataset) if run.evaluator.method not in TRIVIAL]
    study = study_of(dataset, asked_version(request, dataset))
    parted = slicings(study.table)
    levels = [level for level in LEVELS if level in responses_by_level(study.table)]
    chosen = read_chosen(request.GET, known, levels, parted)
    named = [(name, slicing.title) for name, slicing in parted.items() if chosen.level in slicing.of]
    return Asked(study, chosen, known, levels, named)


def _has_gold(dataset: Dataset) -> bool:
    return GoldLabel.objects.of(dataset).current().exists()


def _lines(asked: Asked) -> list[Line]:
    return measure(asked.study, asked.chosen, prices_of(judges_of(asked.study, asked.chosen)))


def _human(dataset: Dataset, chosen: Chosen) -> float | None:
    """One annotator's F1 against another's; None for other figures, and for slices that agreement is not given by."""
    if chosen.figure != "f1" or len(chosen.slices) > 1:
        return None
    if chosen.slices and chosen.by.name not in ("domain", "subject"):
        return None
    return human_f1(dataset, Choice(chosen.level, (*chosen.slices, "all")[0], "", ""))


def _page(asked: Asked, lines: list[Line], dataset: Dataset) -> dict[str, Any]:
    chosen = asked.chosen
    human = _human(dataset, chosen)
    return {
        "asked": asked,
        "chosen": chosen,
        "lines": lines,
        "human": human,
        "figures": FIGURES,
        "levels": [(level, LEVELS[level]) for level in asked.levels],
        "versions": versions_of(dataset),
        "version": asked.study.version,
        "tables": {table.name: table for table in tables_of(lines, chosen)},
        "charts": charts_of(lines, chosen, human),
        "confusion": _opened(asked),
    }


def _opened(asked: Asked) -> Confusion | None:
    """The confusion table that the link opens; None where it opens none, or one that is not there."""
    if asked.chosen.opened is None:
        return None
    name, slice = asked.chosen.opened
    judge = next((judge for judge in judges_of(asked.study, asked.chosen) if judge.name == name), None)
    if judge is None or (slice and slice not in asked.chosen.shown_slices):
        return None
    return confusion_of(asked.study, asked.chosen, judge, slice)
