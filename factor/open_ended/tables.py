"""Tables 4 and 5 of FACTOR, the texts left out, and table 4 as a chart."""

from collections.abc import Iterator, Sequence

from core.tables import Table, with_ends
from evaluators.charts import chart
from evaluators.charts.chart import Chart
from evaluators.charts.marks import Axis, dots
from factor.models.open_ended import LabelAnswer
from factor.open_ended.results import EXAMPLE, FAILED, UNLABELLED, StudyResults
from stats.open_ended import OpenEndedRow

GROUPS = {"right": "Right", "wrong": "Wrong", "all": "All (weighted)"}
FATES = {
    EXAMPLE: "The example is left out of all figures",
    **dict(LabelAnswer.choices),
    FAILED: "The model gave no text",
    UNLABELLED: "Not labelled yet",
}


def tables_of(results: Sequence[StudyResults]) -> Iterator[Table]:
    """The tables under the names of the page's links."""
    yield Table(
        "accuracy",
        "Factual accuracy",
        ("Model", "Subset", "Factual accuracy", "low", "high"),
        [
            [_name(each), GROUPS[row.name], *with_ends(row.accuracy.value, row.accuracy.interval)]
            for each, row in _rows(results)
        ],
    )
    figures = ("Neutral", "True", "False", "Factual accuracy")
    yield Table(
        "shares",
        "Shares and factual accuracy",
        ("Model", "Subset", "Texts", *(f"{name}{end}" for name in figures for end in ("", ", low", ", high"))),
        [
            [
                _name(each),
                GROUPS[row.name],
                row.n,
                *(
                    cell
                    for figure in (row.neutral, row.true, row.false, row.accuracy)
                    for cell in with_ends(figure.value, figure.interval)
                ),
            ]
            for each, row in _rows(results)
        ],
    )
    yield Table(
        "left-out",
        "Texts that do not count",
        ("Model", "Why", "Texts", "Share of all drawn"),
        [
            [_name(each), FATES[fate], number, number / each.drawn]
            for each in results
            for fate, number in each.fates.items()
        ],
    )


def accuracy_chart(results: Sequence[StudyResults]) -> Chart:
    """Table 4. A row without a factual accuracy keeps its place."""
    rows = [
        {
            "subset": GROUPS[row.name],
            "model": f"{each.study.scoring.model} ({each.study.pk})",
            **chart.with_ends("accuracy", row.accuracy.value, row.accuracy.interval),
        }
        for each, row in _rows(results)
    ]
    description = "; ".join(f"{row['model']}, {row['subset']}: {_text(row['accuracy'])}" for row in rows)
    spec = dots(rows, "subset", Axis("accuracy", "factual accuracy T/(T+F)", (0.0, 1.0)), series="model")
    return Chart("accuracy", "Factual accuracy of what models write", f"{description}.", spec, rows)


def _rows(results: Sequence[StudyResults]) -> Iterator[tuple[StudyResults, OpenEndedRow]]:
    for each in results:
        for row in each.rows:
            yield each, row


def _name(results: StudyResults) -> str:
    return str(results.study.scoring.model)


def _text(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"
