"""The page "Subject models": their scores by gold, and the quality of evaluators' estimates."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.models import Dataset, GoldLabel, GoldVersion, Role, Scheme
from annotate.statistics.caption import data_of
from core.table_response import requested_table
from core.tables import Table
from evaluators.charts.chart import Chart
from evaluators.charts.respond import chart_response
from evaluators.comparison.annotators import human_f1
from evaluators.comparison.documents import Report
from evaluators.comparison.page_state import read_k
from evaluators.comparison.report import report_of
from evaluators.comparison.slices import ALL
from evaluators.subjects.charts import precision_chart, trade_off_charts
from evaluators.subjects.documents import (
    ContraryPair,
    EstimateRow,
    GroupRow,
    MeanEstimate,
    MeasuredSubject,
    SubjectStats,
)
from evaluators.subjects.measured import (
    contrary_pairs,
    estimates_of,
    grouped,
    means_over_subjects,
    measured_subjects,
    reach_of,
    stats_of,
)
from evaluators.subjects.recall_rows import OF_RECALL, RecallRow, by_subject, in_order, read_order
from evaluators.subjects.tables import (
    contrary_table,
    estimates_table,
    grouped_table,
    means_table,
    recall_table,
    subjects_table,
)
from stats.f1_at_k import KChoice
from stats.reference_recall import ReferenceRecall

CONTRARY_SHOWN = 5
# The columns that sort the table of subjects.
COLUMNS = ("subject", "factscore", *OF_RECALL)
HIGHEST_FIRST = "-factscore"
# Figure 2: name of the chart, grouping of `dataset_stats`, title, grouping in words.
FIGURE_2 = (
    (
        "frequency",
        "by_frequency",
        "By how often the topic occurs",
        "by how often the topic occurs in the world's texts",
    ),
    ("nationality", "by_nationality", "By the topic's nationality", "by the topic's nationality"),
    ("position", "by_position", "By the place of the fact in the response", "by the fact's place in the response"),
    ("sentence", "by_sentence", "By sentence", "by the number of the sentence in the response"),
)


@dataclass(frozen=True)
class SubjectModelsPage:
    """The choice in the link. responding: shares over the prompts that were responded to; subject: "" for all; k: of
    F1@K, None for the median of each domain; order: of the table of subjects."""

    dataset: Dataset
    version: GoldVersion | None
    responding: bool
    subject: str
    k: KChoice = None
    order: str = HIGHEST_FIRST

    @cached_property
    def stats(self) -> SubjectStats:
        return stats_of(self.dataset, self.version, self.k)

    @cached_property
    def recall(self) -> dict[str, RecallRow]:
        """Of each subject by gold."""
        return by_subject(self.stats["at_k"], self.stats["reference"])

    @property
    def recall_rows(self) -> list[RecallRow]:
        """The subjects by gold in the chosen order, where there are no facts; highest F1@K first."""
        wanted = [row for name, row in self.recall.items() if self.subject in ("", name)]
        return in_order(wanted, "-f1" if "factscore" in self.order else self.order, self.recall)

    @cached_property
    def recall_by_evaluator(self) -> dict[str, dict[str, RecallRow]]:
        """Of each subject as each evaluator estimates it."""
        return {each["evaluator"]: by_subject(each["at_k"], each["reference"]) for each in self.report["evaluators"]}

    @property
    def reference(self) -> ReferenceRecall | None:
        return self.stats["reference"]

    @property
    def rows(self) -> list[MeasuredSubject]:
        """The chosen subjects in the chosen order."""
        return in_order(self.subjects, self.order, self.recall)

    @cached_property
    def subjects(self) -> list[MeasuredSubject]:
        return [each for each in measured_subjects(self.stats) if self.subject in ("", each["subject"])]

    @cached_property
    def report(self) -> Report:
        return report_of(self.dataset, self.version, self.k)

    @cached_property
    def estimates(self) -> list[EstimateRow]:
        return estimates_of(self.report, self.subject)

    @cached_property
    def means(self) -> list[MeanEstimate]:
        """The means over all subjects; none where one is chosen, or there is only one."""
        return [] if self.subject else means_over_subjects(self.report)

    @cached_property
    def human(self) -> float | None:
        """The F1 of one annotator against the other, on the facts of the chosen subjects."""
        return human_f1(self.dataset, "fact", self.subject or ALL)

    @cached_property
    def contrary(self) -> list[ContraryPair]:
        return contrary_pairs(self.estimates)

    def shares(self, grouping: str) -> list[GroupRow]:
        """The rows of a grouping; classes of topics over all prompts, or over those that were responded to."""
        classes = grouping in ("by_frequency", "by_nationality")
        return grouped(
            self.subjects, "precision", f"{grouping}_responding" if classes and self.responding else grouping
        )

    @property
    def charts(self) -> dict[str, Callable[[], Chart]]:
        """Makers of the charts that have a figure, by name."""
        drawn: dict[str, Callable[[], Chart]] = {}
        for name, grouping, title, what in FIGURE_2:
            if rows := self.shares(grouping):
                drawn[name] = partial(precision_chart, name, title, rows, what)
        return drawn | self.trade_offs

    @property
    def trade_offs(self) -> dict[str, Callable[[], Chart]]:
        return trade_off_charts(self.estimates, self.human)

    @property
    def data(self) -> str:
        """The dataset and its gold, as captions name them."""
        return data_of(self.dataset.name, self.version.name if self.version else None)

    def tables(self) -> Iterable[Table]:
        data = self.data
        yield subjects_table(self.rows, self.stats["common_prompts"], self.recall, data)
        for name, grouping, title, by in FIGURE_2:
            yield grouped_table(name, title, self.shares(grouping), f"Share of supported facts {by}", data)
        yield grouped_table(
            "sentences",
            "sentences without an error",
            grouped(self.subjects, "precision", "sentences_by_frequency"),
            "Share of sentences without an error by how often the topic occurs",
            data,
        )
        citations = grouped(self.subjects, "citations", "cited_by_support")
        yield grouped_table("citations", "citations", citations, "Share of sentences with a citation by support", data)
        yield means_table(self.means, data)
        yield estimates_table(self.estimates, self.recall_by_evaluator, data)
        yield contrary_table(self.contrary, data)


@require_safe
def subject_models(request: MemberRequest, pk: int) -> HttpResponse:
    """?gold= names a frozen version, ?subject= one subject model, ?over=responding leaves abstentions out, ?k= is K of
    F1@K, ?sort= a column of the subjects."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    page: dict[str, Any] = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "subject-models",
        "of_facts": dataset.scheme == Scheme.FACTSCORE,
        "has_gold": GoldLabel.objects.of(dataset).current().exists(),
    }
    if page["has_gold"] and not page["of_facts"]:
        chosen = read_page(request, dataset)
        table = recall_table(chosen.recall_rows, chosen.data)
        if (taken := requested_table(request, [table])) is not None:
            return taken
        page |= {"chosen": chosen, "table": table, "units": "claims", "versions": _versions(dataset)}
    elif page["has_gold"]:
        chosen = read_page(request, dataset)
        tables = {table.name: table for table in chosen.tables()}
        if (taken := requested_table(request, tables.values())) is not None:
            return taken
        page |= _figures(chosen) | {"tables": tables, "charts": {name: make() for name, make in chosen.charts.items()}}
    return render(request, "subjects/models.html", page)


@require_safe
def subject_models_chart(request: MemberRequest, pk: int, name: str, form: str) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    charts = read_page(request, dataset).charts if dataset.scheme == Scheme.FACTSCORE else {}
    if name not in charts:
        raise Http404("This page has no such chart.")
    return chart_response(request, charts[name](), form)


def read_page(request: MemberRequest, dataset: Dataset) -> SubjectModelsPage:
    """The choice in the query string. Http404: no such version of gold, no such subject, or no such K."""
    name = request.GET.get("gold", "")
    version = dataset.gold_versions.filter(name=name).first() if name else None
    subject = request.GET.get("subject", "")
    if name and version is None:
        raise Http404("No such version of gold.")
    if subject and not dataset.responses.visible().filter(subject=subject).exists():
        raise Http404("No such subject model.")
    order = read_order(request.GET, COLUMNS, HIGHEST_FIRST)
    responding = request.GET.get("over") == "responding"
    return SubjectModelsPage(dataset, version, responding, subject, read_k(request.GET), order)


def _versions(dataset: Dataset) -> QuerySet[GoldVersion]:
    return dataset.gold_versions.order_by("-created_at")


def _figures(page: SubjectModelsPage) -> dict[str, Any]:
    measured = [each["subject"] for each in measured_subjects(page.stats)]
    without = [each["subject"] for each in page.stats["subjects"] if each["factscore"] is None]
    citations = grouped(page.subjects, "citations", "cited_by_support")
    reach = reach_of(page.estimates)
    return {
        "chosen": page,
        "figure_2": [name for name, *_ in FIGURE_2],
        "versions": _versions(page.dataset),
        "measured": measured,
        "without": without,
        "common": page.stats["common_prompts"],
        "sentences": grouped(page.subjects, "precision", "sentences_by_frequency"),
        "citations": citations,
        "support": grouped(page.subjects, "citations", "support_by_citation"),
        "any_cited": any(row["share"] for row in citations),
        "trade_offs": list(page.trade_offs),
        "contrary": page.contrary[:CONTRARY_SHOWN],
        "zero": [0.0],
        "least": -reach,
        "most": reach,
    }
