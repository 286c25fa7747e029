"""The page of two evaluators as the board grows."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.models import Dataset, Role
from annotate.statistics.caption import data_of
from core.table_response import requested_table
from core.tables import PrintedTable, Table
from evaluators.charts.chart import Chart, Row
from evaluators.charts.marks import Axis, ReferenceLine, lines
from evaluators.charts.respond import requested_chart
from evaluators.comparison.caption import UNDECIDED
from evaluators.comparison.growing import RunningComparison, running_comparison
from evaluators.comparison.page_state import ComparisonRequest, has_gold, read_request
from evaluators.comparison.study import study_of, versions_of
from evaluators.runs.repeats import repeated
from stats.curves import spread

COLUMNS = ("prompts", "mean", "low", "high")
# Printed titles.
TITLES = {"prompts": "Prompts", "mean": "Mean difference"}
# Points of the drawing; the table to take away has all.
POINTS = 200
# An error counts as so many correct units.
WEIGHTS = (1, 2, 5, 10)
# The form's own fields; it hands on the others, which are the comparison's.
OWN_FIELDS = ("one", "other", "weight", "gold")


@require_safe
def growing(request: MemberRequest, pk: int) -> HttpResponse:
    """The query is that of the comparison page, with `one` and `other`; its level counts, and all units of it."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    page: dict[str, Any] = {"dataset": dataset, "role": role_in(request.user, dataset), "tab": "compare"}
    page["has_gold"] = has_gold(dataset)
    if not page["has_gold"]:
        return render(request, "comparison/growing.html", page)
    comparison = read_request(request, dataset)
    page |= {"names": comparison.known, "state": comparison.state, "version": comparison.version}
    page["gone"] = comparison.gone
    page |= {"versions": versions_of(dataset), "weights": WEIGHTS, "repeated": repeated(dataset)}
    page["kept"] = [(key, value) for key, values in request.GET.lists() if key not in OWN_FIELDS for value in values]
    running = _running(request, comparison)
    if running is None:
        return render(request, "comparison/growing.html", page)
    page["same"] = running["one"] if request.GET.get("other") == running["one"] else None
    table = _table(running, comparison.state.level_title)
    page |= {
        "running": running,
        "last": running["running"][-1] if running["running"] else None,
        "table": table,
        "charts": _charts(running),
    }
    return requested_table(request, [table]) or render(request, "comparison/growing.html", page)


@require_safe
def growing_chart(request: MemberRequest, pk: int, name: str, form: str) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    return requested_chart(request, _charts_of(request, dataset), name, form)


def _charts_of(request: MemberRequest, dataset: Dataset) -> list[Chart]:
    running = _running(request, read_request(request, dataset))
    return [] if running is None else _charts(running)


def _running(request: MemberRequest, comparison: ComparisonRequest) -> RunningComparison | None:
    """The pair of the link where it is there, else the first two evaluators; None where there are not two."""
    known = comparison.known
    if len(known) < 2:
        return None
    one = request.GET.get("one", "")
    one = one if one in known else known[0]
    other = request.GET.get("other", "")
    other = other if other in known and other != one else next(name for name in known if name != one)
    study = study_of(comparison.dataset, comparison.version, (one, other))
    weight = request.GET.get("weight", "")
    error_weight = float(weight) if weight in map(str, WEIGHTS) else 1.0
    return running_comparison(study, one, other, comparison.state.level, error_weight)


def _table(running: RunningComparison, level: str) -> Table:
    rows = [[each[name] for name in COLUMNS] for each in running["running"]]  # type: ignore[literal-required]
    weight = running["error_weight"]
    weighted = "" if weight == 1 else f" Within a prompt an error counts as {weight:g} correct units."
    data = data_of(running["dataset"], running["gold_version"])
    caption = (
        f"Accuracy of {running['one']} less that of {running['other']}, mean over the prompts in the order of their "
        f"first gold, on {data}, {level.lower()} (n = {running['n']:,}), with the "
        f"{100 * running['probability']:g} % interval that holds at all times together. {UNDECIDED}{weighted}"
    )
    printed = PrintedTable(TITLES, caption, ends={"mean": ("low", "high")})
    return Table("growing", "the difference after each prompt", COLUMNS, rows, printed)


def _charts(running: RunningComparison) -> list[Chart]:
    points = running["running"]
    if not points:
        return []
    rows: list[Row] = [{"figure": "difference", **points[place]} for place in spread(len(points), POINTS).tolist()]
    at = running["excluded_at"]
    spec = lines(
        rows,
        Axis("prompts", "Prompts with gold", (0.0, float(len(points))), format=",d"),
        Axis("mean", "Difference of accuracy", (-1.0, 1.0)),
        "figure",
        ("low", "high"),
        references=[ReferenceLine("no difference", 0.0)],
        upright=[ReferenceLine(f"leaves out 0: {at}", float(at), "human")] if at else [],
    )
    end = f"From prompt {at} on it leaves out 0." if at else "It never leaves out 0."
    text = (
        f"The mean accuracy of {running['one']} less that of {running['other']} after each prompt, and the interval "
        f"that holds at all times together. {end}"
    )
    return [Chart("growing", "The difference after each prompt", text, spec, rows)]
