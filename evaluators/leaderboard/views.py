"""The page of the leaderboard."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.models import Dataset, GoldLabel, GoldVersion, Removal, Role
from annotate.statistics.caption import data_of
from core.table_response import requested_table
from evaluators.comparison.caption import caption_of_report
from evaluators.comparison.comparison_job import ComparisonJob
from evaluators.comparison.documents import ComparisonFigures, Report
from evaluators.comparison.evaluator_rows import evaluator_rows
from evaluators.comparison.levels import ESTIMATES, level_title
from evaluators.comparison.page_state import read_k, read_since, requested_version
from evaluators.comparison.question import question_of
from evaluators.comparison.ready import ComparisonProgress, comparison_of, leaderboard_of
from evaluators.comparison.slices import ALL, SOURCE_OF_GOLD
from evaluators.comparison.study import versions_of
from evaluators.comparison.verdict_text import Standing, pairs_of, standings_of
from evaluators.leaderboard.rows import (
    LeaderboardRow,
    LeaderboardState,
    columns_of,
    leaderboard_table,
    levels_of,
    reach_of,
    read_leaderboard_state,
    reference_of,
    rows_of,
    slices_of,
)
from evaluators.models import Run
from evaluators.runs.listing import Spent
from evaluators.runs.repeats import repeated
from evaluators.runs.suggestions import influential
from evaluators.subjects.documents import MeanEstimate
from evaluators.subjects.measured import means_over_subjects
from evaluators.subjects.tables import means_table


@require_safe
@vary_on_headers("HX-Request")
def leaderboard(request: MemberRequest, pk: int) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    page: dict[str, Any] = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "leaderboard",
        "has_gold": GoldLabel.objects.of(dataset).current().exists(),
        "has_run": Run.compared(dataset).exists(),
        "active_runs": Run.objects.active().filter(dataset=dataset, edits=False).count(),
    }
    if page["has_gold"]:
        version = requested_version(request, dataset)
        since = page["since"] = read_since(request.GET)
        report = leaderboard_of(dataset, version, read_k(request.GET), since)
        if isinstance(report, ComparisonProgress):
            page |= {"progress": report, "queue": ComparisonJob.queue.value}
        else:
            page |= _leaderboard(request, dataset, report, version)
            table = requested_table(request, [page["table"], page["means_table"]])
            if table is not None:
                return table
        page |= {"version": version, "versions": versions_of(dataset), "removed": _removed(dataset, version)}
        page |= {"repeated": repeated(dataset), "influential": influential(dataset)}
    part = request.htmx and not request.htmx.history_restore_request
    return render(request, f"comparison/leaderboard.html{'#leaderboard' if part else ''}", page)


def _removed(dataset: Dataset, version: GoldVersion | None) -> int:
    """The number of responses that experts had removed by then: no figure counts them."""
    return Removal.objects.removed(version.revision if version else None).filter(response__dataset=dataset).count()


def _leaderboard(
    request: MemberRequest, dataset: Dataset, report: Report, version: GoldVersion | None
) -> dict[str, Any]:
    state = read_leaderboard_state(request.GET, report, request.GET.getlist("column"), read_k(request.GET))
    rows = rows_of(report, state)
    slices = slices_of(report, state.level)
    found = _comparison(dataset, version, state, slices, read_since(request.GET))
    document = None if isinstance(found, ComparisonProgress) else found
    standings = _standings(document) if document else {}
    human = document["human"][ALL]["f1"] if document else None
    reference = reference_of(report, state)
    reach = reach_of(rows) if state.level == ESTIMATES else 0.0
    means = _means(report, rows, state)
    return {
        "means": means,
        "means_table": means_table(means, data_of(dataset.name, version.name if version else None)),
        "state": state,
        "rows": rows,
        "standings": standings,
        "ranks_pending": isinstance(found, ComparisonProgress),
        "all_columns": columns_of(report["evaluators"]),
        "table": leaderboard_table(rows, state, standings, _caption(report, rows, state)),
        "noise_unmeasured": [row for row in rows if row.entry["run_noise_unmeasured"]],
        "any_evaluator": any(not row.baseline for row in rows),
        "levels": [(level, level_title(level, dataset.scheme)) for level in levels_of(report)],
        "slices": slices,
        "chosen": state,
        "reference": reference,
        "human": human,
        "marks": [reference, human],
        "zero": [0.0],
        "least": -reach,
        "most": reach,
    }


def _means(report: Report, rows: Sequence[LeaderboardRow], state: LeaderboardState) -> list[MeanEstimate]:
    """The means over subjects of the evaluators in the rows; none where a subject is chosen, or there is only one."""
    shown = {row.name for row in rows}
    found = means_over_subjects(report) if (state.level, state.slice) == (ESTIMATES, ALL) else []
    return [each for each in found if each["evaluator"] in shown]


def _caption(report: Report, rows: Sequence[LeaderboardRow], state: LeaderboardState) -> str:
    n = None if state.of_subjects or not rows else rows[0].figures["n"]
    of_k = f", {state.k_in_words}" if state.has_k else ""
    of_slice = f", {state.slice}" if state.slice != ALL else ""
    return caption_of_report(report, state.title_in_sentence + of_slice + of_k, n)


def _comparison(
    dataset: Dataset,
    version: GoldVersion | None,
    state: LeaderboardState,
    slices: Sequence[str],
    since: datetime | None,
) -> ComparisonFigures | ComparisonProgress | None:
    """The comparison over the same units, with ranks and people; None of figures of subject models, which have none.
    slices: all of the level in the report."""
    if state.of_subjects:
        return None
    of_state = () if state.slice == ALL else (state.slice,)
    usual = question_of(dataset, level=state.level, slices=of_state)
    # Every level is parted by the source of its gold, also where no response has a domain or subject.
    question = replace(usual, slicing=SOURCE_OF_GOLD) if list(slices) == [ALL] else usual
    return comparison_of(dataset, version, question, since)


def _standings(document: ComparisonFigures) -> dict[str, Standing]:
    """Empty where nothing is ranked."""
    lines = evaluator_rows(document, {each["run"]: Spent() for each in document["evaluators"] if each["run"]})
    return standings_of(lines, pairs_of(document), document["question"]["figure"])
