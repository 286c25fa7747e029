"""Table 4 as a chart."""

from collections.abc import Sequence

from evaluators.charts.chart import Chart
from evaluators.charts.marks import Axis, dots
from factor.open_ended.results import Results
from factor.open_ended.tables import GROUPS

SHARE = (0.0, 1.0)


def charts_of(results: Sequence[Results]) -> dict[str, Chart]:
    """By name. A row without a factual accuracy keeps its place."""
    names = [f"{each.study.scoring.model} ({each.study.pk})" for each in results]
    rows = [
        {
            "subset": GROUPS[row.name],
            "model": name,
            "accuracy": row.accuracy.value,
            "low": None if row.accuracy.interval is None else row.accuracy.interval.low,
            "high": None if row.accuracy.interval is None else row.accuracy.interval.high,
        }
        for name, each in zip(names, results, strict=True)
        for row in each.rows
    ]
    title = "Factual accuracy of what models write"
    words = "; ".join(f"{row['model']}, {row['subset']}: {_told(row['accuracy'])}" for row in rows)
    spec = dots(rows, "subset", Axis("accuracy", "factual accuracy T/(T+F)", SHARE), series="model")
    return {"accuracy": Chart("accuracy", title, f"{words}.", spec, rows)}


def _told(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"
