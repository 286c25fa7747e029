"""Table 4 as a chart."""

from collections.abc import Sequence

from evaluators.charts.chart import Chart
from evaluators.charts.chart import Row as ChartRow
from evaluators.charts.marks import Axis, dots
from factor.open_ended.results import Results
from factor.open_ended.tables import GROUPS
from stats.open_ended import OpenEndedRow

SHARE = (0.0, 1.0)


def charts_of(results: Sequence[Results]) -> dict[str, Chart]:
    """By name. A row without a factual accuracy keeps its place."""
    names = [f"{each.study.scoring.model} ({each.study.pk})" for each in results]
    rows = [_row(name, row) for name, each in zip(names, results, strict=True) for row in each.rows]
    title = "Factual accuracy of what models write"
    words = "; ".join(
        f"{name}, {GROUPS[row.name]}: {_told(row.accuracy.value)}"
        for name, each in zip(names, results, strict=True)
        for row in each.rows
    )
    spec = dots(rows, "subset", Axis("accuracy", "factual accuracy T/(T+F)", SHARE), series="model")
    return {"accuracy": Chart("accuracy", title, f"{words}.", spec, rows)}


def _row(model: str, row: OpenEndedRow) -> ChartRow:
    around = row.accuracy.interval
    return {
        "subset": GROUPS[row.name],
        "model": model,
        "accuracy": row.accuracy.value,
        "low": None if around is None else around.low,
        "high": None if around is None else around.high,
    }


def _told(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"
