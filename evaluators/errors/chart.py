"""The shares of the causes as a chart."""

from evaluators.charts.chart import Chart
from evaluators.charts.marks import Axis, bars
from evaluators.errors.results import Results
from evaluators.models import ErrorAnalysis


def chart_of(analysis: ErrorAnalysis, results: Results) -> Chart:
    """A bar a cause, the largest first, with the interval of its share."""
    ordered = sorted(results.shares, key=lambda row: -row.every.count)
    rows = [
        {
            "cause": row.name,
            "share": row.every.share,
            "low": row.every.interval.low if row.every.interval else None,
            "high": row.every.interval.high if row.every.interval else None,
            "mistakes": row.every.count,
            "of": row.every.n,
        }
        for row in ordered
    ]
    said = "; ".join(f"{row.name}: {row.every.count} of {row.every.n}" for row in ordered)
    return Chart(
        name="causes",
        title="Why it is wrong",
        description=f"Shares of the causes of {analysis.run.evaluator.name}'s mistakes, the largest first. {said}.",
        spec=bars(rows, "cause", Axis("share", "Share of the sample", domain=(0, 1), format="%")),
        rows=rows,
    )
