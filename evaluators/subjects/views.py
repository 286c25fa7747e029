"""Subject models ranked by an evaluator, without labels."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.models import Dataset, Role, Scheme
from core.table_response import requested_table
from core.tables import Table
from evaluators.charts.chart import Chart
from evaluators.charts.respond import chart_response
from evaluators.comparison.judges import TRIVIAL
from evaluators.models import Run
from evaluators.predictions.read import latest_runs
from evaluators.subjects.charts import ranking_chart, spread_chart
from evaluators.subjects.describe import correlate, describe_run
from evaluators.subjects.documents import EvaluatorSubjects
from evaluators.subjects.tables import corrections_table, ranking_table, spread_table
from stats.estimated_factscore import FEWEST_FACTS


@dataclass(frozen=True)
class Ranking:
    """The choice in the link: the run of the evaluator that ranks, and of another with its scores beside."""

    run: Run
    other: Run | None
    penalised: bool

    @cached_property
    def ranked(self) -> EvaluatorSubjects:
        return describe_run(self.run, self._penalty)

    @cached_property
    def compared(self) -> EvaluatorSubjects | None:
        return describe_run(self.other, self._penalty) if self.other else None

    @property
    def _penalty(self) -> int | None:
        return FEWEST_FACTS if self.penalised else None

    @property
    def charts(self) -> dict[str, Callable[[], Chart]]:
        """Makers of the charts that have a figure, by name."""
        drawn: dict[str, Callable[[], Chart]] = {}
        if any(row["estimated"] is not None for row in self.ranked["subjects"]):
            drawn["ranking"] = partial(ranking_chart, self.ranked, self.compared)
        if any(size["subjects"] for size in self.ranked["spread"]):
            drawn["spread"] = partial(spread_chart, self.ranked["spread"])
        return drawn

    def tables(self) -> Iterable[Table]:
        yield ranking_table(self.ranked)
        yield spread_table(self.ranked["spread"])
        if self.ranked["corrections"]:
            yield corrections_table(self.ranked["corrections"])


@require_safe
def ranking(request: MemberRequest, pk: int) -> HttpResponse:
    """?evaluator= names one with a finished run (else the last that is no baseline), ?against= another whose scores
    stand beside its own, ?penalty=on lowers short responses."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    runs = _runs(dataset)
    page: dict[str, Any] = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "ranking",
        "of_facts": dataset.scheme == Scheme.FACTSCORE,
        "runs": runs,
    }
    chosen = _read(request, runs)
    if chosen is not None:
        tables = {table.name: table for table in chosen.tables()}
        if (taken := requested_table(request, tables.values())) is not None:
            return taken
        page |= _figures(chosen) | {"tables": tables}
    return render(request, "subjects/ranking.html", page)


@require_safe
def ranking_chart_file(request: MemberRequest, pk: int, name: str, form: str) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    chosen = _read(request, _runs(dataset))
    charts = chosen.charts if chosen else {}
    if name not in charts:
        raise Http404("This page has no such chart.")
    return chart_response(request, charts[name](), form)


def _runs(dataset: Dataset) -> list[Run]:
    return latest_runs(dataset) if dataset.scheme == Scheme.FACTSCORE else []


def _read(request: MemberRequest, runs: list[Run]) -> Ranking | None:
    """None where no evaluator has a finished run. Http404: none of the name that is asked for."""
    name, against = request.GET.get("evaluator", ""), request.GET.get("against", "")
    run = _named(runs, name) if name else max(runs, key=_promise, default=None)
    other = _named(runs, against) if against else None
    return Ranking(run, other, request.GET.get("penalty") == "on") if run else None


def _promise(run: Run) -> tuple[bool, int]:
    """The order of runs: the first one to look at has the largest value."""
    return run.evaluator.method not in TRIVIAL, run.pk


def _named(runs: list[Run], name: str) -> Run:
    """The run of the evaluator with that name; 404 without it."""
    named_run = next((run for run in runs if run.evaluator.name == name), None)
    if named_run is None:
        raise Http404("No finished run of such an evaluator.")
    return named_run


def _figures(chosen: Ranking) -> dict[str, Any]:
    ranked, compared = chosen.ranked, chosen.compared
    corrections = ranked["corrections"]
    return {
        "run": chosen.run,
        "other": chosen.other,
        "penalised": chosen.penalised,
        "ranked": ranked,
        "others": {row["subject"]: row for row in compared["subjects"]} if compared else {},
        "correlation": correlate(ranked, compared) if compared else None,
        "charts": {name: make() for name, make in chosen.charts.items()},
        "spread": [size for size in ranked["spread"] if size["subjects"]],
        "too_large": [size for size in ranked["spread"] if not size["subjects"]],
        "corrections": corrections,
        "residuals": [row for row in corrections["subjects"] if row["residual"] is not None] if corrections else [],
    }
