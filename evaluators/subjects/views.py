"""Subject models ranked by an evaluator, without labels."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from django.db.models import Exists, OuterRef
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.models import Dataset, Role, Scheme
from annotate.statistics.caption import data_of
from core.table_response import requested_table
from core.tables import Table
from evaluators.charts.chart import Chart
from evaluators.charts.respond import chart_response
from evaluators.comparison.judges import TRIVIAL
from evaluators.comparison.page_state import gone_evaluators, read_k
from evaluators.models import Prediction, Run
from evaluators.predictions.read import latest_runs
from evaluators.subjects.charts import ranking_chart, spread_chart
from evaluators.subjects.describe import correlate, describe_run
from evaluators.subjects.documents import EvaluatorSubjects
from evaluators.subjects.recall_rows import OF_RECALL, RecallRow, by_subject, in_order, read_order
from evaluators.subjects.tables import corrections_table, ranking_table, spread_table
from stats.estimated_factscore import FEWEST_FACTS, MOST_FACTS, SubjectRow
from stats.f1_at_k import KChoice
from stats.reference_recall import ReferenceRecall

FACTS = re.compile(r"[1-9][0-9]{0,3}")
# The columns that sort the ranking.
COLUMNS = ("subject", "rank", "estimated", *OF_RECALL)
BEST_FIRST = "rank"


@dataclass(frozen=True)
class Ranking:
    """The choice in the link: the run of the evaluator that ranks, and of another with its scores beside. k: of F1@K,
    None for the median of each domain; order: of the table."""

    run: Run
    other: Run | None
    penalty: int | None
    k: KChoice
    order: str

    @cached_property
    def ranked(self) -> EvaluatorSubjects:
        return describe_run(self.run, self.penalty, self.k)

    @cached_property
    def recall(self) -> dict[str, RecallRow]:
        """Of each subject."""
        return by_subject(self.ranked["at_k"], self.ranked["reference"])

    @property
    def reference(self) -> ReferenceRecall | None:
        return self.ranked["reference"]

    @property
    def rows(self) -> list[SubjectRow]:
        """The subjects in the chosen order."""
        return in_order(self.ranked["subjects"], self.order, self.recall)

    @cached_property
    def compared(self) -> EvaluatorSubjects | None:
        return describe_run(self.other, self.penalty) if self.other else None

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
        name = self.run.dataset.name
        yield ranking_table(self.ranked, self.rows, self.recall, name)
        yield spread_table(self.ranked, name)
        if self.ranked["corrections"]:
            yield corrections_table(self.ranked["corrections"], self.run.evaluator.name, data_of(name, None))


@require_safe
def ranking(request: MemberRequest, pk: int) -> HttpResponse:
    """?evaluator= names one with a finished run (else the last with predictions that is no baseline), ?against= another
    whose scores stand beside its own, ?penalty=on lowers responses of at most ?facts= facts, ?k= is K of F1@K, ?sort= a
    column of the table."""
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
        gone = gone_evaluators(request.GET, [run.evaluator.name for run in runs], ("evaluator", "against"))
        page |= _figures(chosen) | {"tables": tables, "gone": gone}
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
    """None where no evaluator has a finished run."""
    name, against = request.GET.get("evaluator", ""), request.GET.get("against", "")
    run = _named(runs, name) or _first_to_show(runs)
    other = _named(runs, against)
    if run is None:
        return None
    order = read_order(request.GET, COLUMNS, BEST_FIRST)
    return Ranking(run, other, _read_penalty(request), read_k(request.GET), order)


def _read_penalty(request: MemberRequest) -> int | None:
    """None where no penalty is asked for; Http404: its facts are no number."""
    if request.GET.get("penalty") != "on":
        return None
    facts = request.GET.get("facts", str(FEWEST_FACTS))
    if not FACTS.fullmatch(facts) or int(facts) > MOST_FACTS:
        raise Http404(f"A length penalty is for 1 to {MOST_FACTS:,} facts.")
    return int(facts)


def _first_to_show(runs: list[Run]) -> Run | None:
    """The last run with predictions that is no baseline; where there is none, the last of what there is."""
    predictions = Prediction.objects.filter(run=OuterRef("pk"))
    with_predictions = Run.objects.filter(Exists(predictions), pk__in=[run.pk for run in runs])
    filled = set(with_predictions.values_list("pk", flat=True))
    return max(runs, key=lambda run: (run.pk in filled, run.evaluator.method not in TRIVIAL, run.pk), default=None)


def _named(runs: list[Run], name: str) -> Run | None:
    """The run of the evaluator with that name; None without it."""
    return next((run for run in runs if run.evaluator.name == name), None)


def _figures(chosen: Ranking) -> dict[str, Any]:
    ranked, compared = chosen.ranked, chosen.compared
    corrections = ranked["corrections"]
    return {
        "run": chosen.run,
        "other": chosen.other,
        "penalised": chosen.penalty,
        "penalty_facts": chosen.penalty or FEWEST_FACTS,
        "chosen": chosen,
        "ranked": ranked,
        "others": {row["subject"]: row for row in compared["subjects"]} if compared else {},
        "correlation": correlate(ranked, compared) if compared else None,
        "charts": {name: make() for name, make in chosen.charts.items()},
        "spread": [size for size in ranked["spread"] if size["subjects"]],
        "too_large": [size for size in ranked["spread"] if not size["subjects"]],
        "corrections": corrections,
        "residuals": [row for row in corrections["subjects"] if row["residual"] is not None] if corrections else [],
    }
