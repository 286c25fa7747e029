"""Tables 4 and 5 of FACTOR, the texts left out, and table 4 as a chart."""

from collections.abc import Iterator, Mapping, Sequence

from core.tables import PrintedTable, Table, with_ends
from evaluators.charts import chart
from evaluators.charts.chart import Chart
from evaluators.charts.marks import Axis, dots
from factor.benchmarks.caption import benchmark_of, document_intervals
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
    """The tables under the names of the page's links; of studies of one benchmark."""
    judged = f"{_sample(results)}, with {document_intervals()}. Models are not tested."
    yield Table(
        "accuracy",
        "Factual accuracy",
        ("Model", "Subset", "Factual accuracy", "low", "high"),
        [
            [_name(each), GROUPS[row.name], *with_ends(row.accuracy.value, row.accuracy.interval)]
            for each, row in _rows(results)
        ],
        _printed(
            ("Model", "Subset", "Factual accuracy"),
            f"Factual accuracy T / (T + F) of what models write on {judged}",
            {"Factual accuracy": ("low", "high")},
        ),
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
        _printed(
            ("Model", "Subset", "Texts", *figures), f"Shares and factual accuracy of what models write on {judged}"
        ),
    )
    left_out = ("Model", "Why", "Texts", "Share of all drawn")
    yield Table(
        "left-out",
        "Texts that do not count",
        left_out,
        [
            [_name(each), FATES[fate], number, number / each.drawn]
            for each in results
            for fate, number in each.fates.items()
        ],
        _printed(left_out, f"Texts that do not count, of those that models write on {_sample(results)}."),
    )


def _sample(results: Sequence[StudyResults]) -> str:
    """The benchmark, and of each study what was drawn, for captions."""
    studies = "; ".join(
        f"{_name(each)}: n = {each.rows[-1].n:,} of {each.drawn:,} texts, {sum(each.pairs.weights):,} scored pairs, "
        f"seed {each.study.seed}{', labels so far' if each.fates.get(UNLABELLED) else ''}"
        for each in results
    )
    return f"{benchmark_of(results[0].study.scoring.benchmark)} ({studies})"


def _printed(columns: Sequence[str], caption: str, ends: Mapping[str, tuple[str, str]] | None = None) -> PrintedTable:
    return PrintedTable({name: name for name in columns}, caption, ends=ends or {})


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
