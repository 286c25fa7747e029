"""The interval of the figure against the labels spent."""

from collections.abc import Sequence

from evaluators.charts.chart import Chart, with_ends
from evaluators.charts.marks import Axis, lines
from evaluators.label_next.estimate import RoundEstimate


def width_chart(name: str, title: str, rounds: Sequence[RoundEstimate]) -> Chart:
    """A point for each of the rounds whose labels are all there."""
    rows = [
        {
            "evaluator": name,
            "labels": each.labels,
            "prompts": each.prompts,
            **with_ends("value", each.estimate.value, each.estimate.interval),
        }
        for each in rounds
        if each.estimate is not None
    ]
    return Chart(
        "interval-by-labels",
        f"{title} against labels spent",
        f"{title} of {name} as estimated after each round, with its 95 % interval. "
        + "; ".join(f"{row['labels']} labels: {_text(row)}" for row in rows),
        lines(
            rows,
            Axis("labels", "Labels spent: units of drawn prompts"),
            Axis("value", title, (0.0, 1.0)),
            "evaluator",
            ("low", "high"),
            points=True,
        ),
        rows,
    )


def _text(row: dict[str, object]) -> str:
    value, low, high = (row[column] for column in ("value", "low", "high"))
    if value is None:
        return "undefined"
    return f"{value:.3f}" if low is None else f"{value:.3f} ({low:.3f} to {high:.3f})"
