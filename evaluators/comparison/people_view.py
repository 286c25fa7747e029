"""The page of people and evaluators on the same targets, and its part on the comparison page."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.models import Role
from annotate.people.names import names_for
from annotate.statistics.caption import data_of, intervals_of
from core.table_response import requested_table
from core.tables import Cell, PrintedTable, Table, with_ends
from evaluators.comparison.comparison_job import ComparisonJob
from evaluators.comparison.levels import level_title
from evaluators.comparison.page_state import ComparisonRequest, has_gold, read_request
from evaluators.comparison.people import EvaluatorBesidePeople, PeopleFigures
from evaluators.comparison.question import PeopleQuestion
from evaluators.comparison.ready import ComparisonProgress, people_of
from evaluators.runs.repeats import repeated
from stats.alternative_annotator import FALSE_DISCOVERIES, FEWEST_ANNOTATORS, FEWEST_UNITS
from stats.bootstrap import Interval


@require_safe
@vary_on_headers("HX-Request")
def compare_people(request: MemberRequest, pk: int) -> HttpResponse:
    """The query is that of the comparison page; its evaluators and its level count, and all units of the level."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    role = role_in(request.user, dataset)
    page: dict[str, Any] = {"dataset": dataset, "role": role, "tab": "compare"}
    if not has_gold(dataset):
        return render(request, "comparison/people.html", page)
    comparison = read_request(request, dataset)
    state = comparison.state
    question = PeopleQuestion(state.level, state.evaluators)
    figures = people_of(dataset, comparison.version, question, names_for(role, dataset), comparison.since)
    page |= {"state": state, "gone": comparison.gone, "since": comparison.since}
    if isinstance(figures, ComparisonProgress):
        page |= {"progress": figures, "queue": ComparisonJob.queue.value}
    else:
        page |= _figures(comparison, figures)
        table = requested_table(request, [page["table"]])
        if table is not None:
            return table
    part = request.htmx and not request.htmx.history_restore_request
    return render(request, f"comparison/people.html{'#people' if part else ''}", page)


def _figures(comparison: ComparisonRequest, figures: PeopleFigures) -> dict[str, Any]:
    """The context of the page from the figures."""
    return {
        # Scores are of the smallest units.
        "scored": comparison.state.level == comparison.levels[0],
        "repeated": repeated(comparison.dataset),
        "people": figures,
        "rows": [
            {**row, "outcomes": list(zip(row["winning_rate"] or (), row["replaces"] or (), strict=True))}
            for row in sorted(figures["evaluators"], key=_best_first)
        ],
        "fewest_annotators": FEWEST_ANNOTATORS,
        "fewest_units": FEWEST_UNITS,
        "table": _table(figures, _caption(comparison, figures)),
    }


def _best_first(row: EvaluatorBesidePeople) -> tuple[bool, bool, float, str]:
    return row["baseline"], row["f1"] is None, -(row["f1"] or 0.0), row["evaluator"]


def _caption(comparison: ComparisonRequest, figures: PeopleFigures) -> str:
    data = data_of(comparison.dataset.name, comparison.version.name if comparison.version else None)
    level = level_title(figures["level"], comparison.dataset.scheme).lower()
    rates = (
        f" Advantage and winning rates ω by ε: alternative annotator test, Benjamini–Yekutieli over annotators, "
        f"rate {FALSE_DISCOVERIES:.2f}."
    )
    return (
        f"F1 of people, each left out in turn, and of evaluators against what most of the other annotators say, on "
        f"{data}, {level} (n = {figures['n']:,} labels), with {intervals_of()}.{rates if _is_tested(figures) else ''}"
    )


def _is_tested(figures: PeopleFigures) -> bool:
    return any(row["winning_rate"] for row in figures["evaluators"])


def _table(figures: PeopleFigures, caption: str) -> Table:
    """caption: of the printed table."""
    columns = ("evaluator", "n", *_ends_of("f1"), *_ends_of("difference"), *_ends_of("uncertain_f1"), "advantage")
    rates = tuple(f"winning_rate_at_{epsilon:.2f}" for epsilon in figures["epsilons"])
    soft = (*_ends_of("soft_distance"), *_ends_of("soft_difference"))
    blank: list[Cell] = [None] * (len(rates) + 1)
    people: list[Cell] = [
        "people",
        figures["n"],
        *with_ends(figures["f1"], _interval(figures["f1_interval"])),
        *[None] * 6,
        *blank,
        *with_ends(figures["soft_distance"], _interval(figures["soft_distance_interval"])),
        *[None] * 3,
    ]
    rows: list[list[Cell]] = [
        [
            row["evaluator"],
            figures["n"],
            *with_ends(row["f1"], _interval(row["f1_interval"])),
            *with_ends(row["difference"], _interval(row["difference_interval"])),
            *with_ends(row["uncertain_f1"], _interval(row["uncertain_f1_interval"])),
            *([row["advantage"], *row["winning_rate"]] if row["winning_rate"] else blank),
            *with_ends(row["soft_distance"], _interval(row["soft_distance_interval"])),
            *with_ends(row["soft_difference"], _interval(row["soft_difference_interval"])),
        ]
        for row in figures["evaluators"]
    ]
    kept = {"evaluator": "Evaluator", "f1": "F1", "difference": "Difference from people", "advantage": "Advantage"}
    kept |= {rate: f"ω at ε = {epsilon:.2f}" for rate, epsilon in zip(rates, figures["epsilons"], strict=True)}
    titles = {
        "uncertain_f1": "F1 corrected for annotators' errors",
        "soft_distance": "Distance from the share of annotators",
        "soft_difference": "Its difference from people",
    }
    printed = PrintedTable(kept, caption, titles=titles, optional=("advantage", *rates))
    every = (*columns, *rates, *soft)
    return Table("people", "people and evaluators on the same targets", every, [people, *rows], printed)


def _ends_of(name: str) -> tuple[str, str, str]:
    return name, f"{name}_low", f"{name}_high"


def _interval(ends: list[float] | None) -> Interval | None:
    return Interval(ends[0], ends[1], 0) if ends else None
