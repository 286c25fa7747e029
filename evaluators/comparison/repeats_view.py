"""The page of an evaluator's repeated runs: its F1 by run, and where the variance comes from."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.access import MemberRequest, fetch_in_dataset, role_in
from annotate.models import Role
from annotate.statistics.caption import data_of, intervals_of
from core.table_response import requested_table
from core.tables import PrintedTable, Table, with_ends
from evaluators.comparison.caption import UNDECIDED
from evaluators.comparison.documents import LevelNoise, Report, ReportEntry
from evaluators.comparison.levels import level_title
from evaluators.comparison.page_state import has_gold, requested_version
from evaluators.comparison.report import report_of, slice_of
from evaluators.comparison.slices import ALL
from evaluators.models import Run
from evaluators.runs.repeats import ask_anew_query
from stats.detection import DetectionRow

SHARES = {
    "prompt": "which prompts there are",
    "run": "a whole run better or worse than another",
    "interaction": "the same prompt answered otherwise",
}


@dataclass(frozen=True)
class RepeatedLevel:
    """The runs at a level: (run, F1, interval) each, and all together. parts: (what varies, its share, whether its
    estimate was below 0)."""

    title: str
    rows: Sequence[tuple[Run, float | None, Sequence[float] | None]]
    whole: DetectionRow
    noise: LevelNoise
    parts: Sequence[tuple[str, float, bool]]


@require_safe
def repeats(request: MemberRequest, pk: int) -> HttpResponse:
    """?gold= names a frozen version."""
    known = Run.objects.select_related("dataset", "evaluator")
    run = fetch_in_dataset(request.user, known, pk, "dataset", Role.RESEARCHER, Role.ADJUDICATOR)
    page: dict[str, Any] = {
        "dataset": run.dataset,
        "role": role_in(request.user, run.dataset),
        "tab": "runs",
        "run": run,
        "ask_anew": ask_anew_query(run),
        "has_gold": has_gold(run.dataset),
    }
    if page["has_gold"]:
        page["version"] = requested_version(request, run.dataset)
        report = report_of(run.dataset, page["version"])
        entry = next((each for each in report["evaluators"] if each["evaluator"] == run.evaluator.name), None)
        levels = list(_levels(entry, run.dataset.scheme)) if entry else []
        tables = [_table(levels, _caption(report, run.evaluator.name, levels))] if levels else []
        taken = requested_table(request, tables)
        if taken is not None:
            return taken
        page |= {"entry": entry, "levels": levels, "table": next(iter(tables), None)}
    return render(request, "runs/repeats.html", page)


def _levels(entry: ReportEntry, scheme: str) -> Iterator[RepeatedLevel]:
    runs = Run.objects.in_bulk(entry["runs"])
    wholes = {row["level"]: row for row in entry["results"] if slice_of(row) == ALL}
    for noise in entry["run_noise"]:
        figures = zip(entry["runs"], noise["figures"], noise["intervals"], strict=True)
        yield RepeatedLevel(
            level_title(noise["level"], scheme),
            [(runs[run], value, interval) for run, value, interval in figures],
            wholes[noise["level"]],
            noise,
            _parts(noise["variance_shares"] or {}, noise["set_to_zero"]),
        )


def _parts(shares: Mapping[str, float], below_zero: Sequence[str]) -> list[tuple[str, float, bool]]:
    return [(SHARES[name], share, name in below_zero) for name, share in shares.items()]


def _table(levels: Sequence[RepeatedLevel], caption: str) -> Table:
    rows = [
        row
        for level in levels
        for row in (
            *([level.title, f"run {run.pk}", *with_ends(value, interval)] for run, value, interval in level.rows),
            [
                level.title,
                "all runs",
                *with_ends(level.whole["pessimistic"]["f1"], level.whole["pessimistic_intervals"]["f1"]),
            ],
        )
    ]
    printed = PrintedTable({title: title for title in ("Level", "Run", "F1")}, caption)
    return Table("runs", "F1 by run", ("Level", "Run", "F1", "F1 low", "F1 high"), rows, printed)


def _caption(report: Report, evaluator: str, levels: Sequence[RepeatedLevel]) -> str:
    n = ", ".join(f"{level.title.lower()} {level.whole['n']:,}" for level in levels)
    return (
        f"F1 of {evaluator} by run on {data_of(report['dataset'], report['gold_version'])} (n: {n}), with "
        f"{intervals_of(report['resamples'], report['seed'])}; that of all runs together covers the runs too. "
        f"{UNDECIDED} Runs are not tested."
    )
