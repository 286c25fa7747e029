"""The charts of subject models: FActScore's figures 2, 3, 4 and 5."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from evaluators.charts.chart import Chart, Row, name_of_part
from evaluators.charts.encodings import Axis, distinct
from evaluators.charts.marks import dots, facets, scatter
from evaluators.charts.references import ReferenceLine, named_upright_rules
from evaluators.charts.theme import MOST_LABELS
from evaluators.subjects.documents import EstimateRow, EvaluatorSubjects, GroupRow
from evaluators.subjects.measured import ends
from stats.prompt_subsets import Spread

SUPPORTED = Axis("share", "share of supported facts", (0.0, 1.0))


def precision_chart(name: str, title: str, rows: Sequence[GroupRow], what: str) -> Chart:
    """Figure 2: shares by class or place, a series a subject (rows of measured.grouped)."""
    spec = dots(rows, "name", SUPPORTED, series="subject")
    return Chart(name, title, f"Share of supported facts {what}. {_in_words(rows)}", spec, rows)


def trade_off_charts(estimates: Sequence[EstimateRow], human: float | None) -> dict[str, Callable[[], Chart]]:
    """Makers of figure 3, by name: how well each evaluator finds the errors, against how far its estimate of the score
    is off. Points that are too many for their labels have a drawing a subject, with the same axes.

    human: the F1 of one annotator against the other.
    """
    rows = [_trade_off(row) for row in estimates if row["f1"] is not None and row["bias"] is not None]
    parts: list[Sequence[Row]] = [rows] if rows else []
    if len(rows) > MOST_LABELS:
        own = [[row for row in rows if row["subject"] == subject] for subject in distinct(rows, "subject")]
        parts = [part for each in own for part in facets(each, "evaluator")]
    titles = _titles(parts)
    return {
        name_of_part("trade-off", place): partial(
            _trade_off_chart, name_of_part("trade-off", place), *each, rows, human
        )
        for place, each in enumerate(zip(titles, parts, strict=True), 1)
    }


def _trade_off(row: EstimateRow) -> Row:
    return {
        "evaluator": f"{row['evaluator']} (trivial)" if row["baseline"] else row["evaluator"],
        "subject": row["subject"],
        "f1": row["f1"],
        **ends(row["f1_interval"], "f1_"),
        "bias": row["bias"],
        **ends(row["bias_interval"], "bias_"),
        "error_rate": row["error_rate"],
    }


def _titles(parts: Sequence[Sequence[Row]]) -> list[str]:
    """The title of each drawing, with its subject, and its number where the subject has several."""
    title = "F1micro against error rate"
    if len(parts) < 2:
        return [title] * len(parts)
    owners = [part[0]["subject"] for part in parts]
    numbers = [owners[: place + 1].count(owner) for place, owner in enumerate(owners)]
    return [
        f"{title}, {owner}" + (f", {number} of {owners.count(owner)}" if owners.count(owner) > 1 else "")
        for owner, number in zip(owners, numbers, strict=True)
    ]


def _trade_off_chart(name: str, title: str, rows: Sequence[Row], every: Sequence[Row], human: float | None) -> Chart:
    """every: the rows of all drawings, which frame the axes of each."""
    people = [] if human is None else [human]
    x, y = (
        Axis("f1", "F1micro: how well it finds the errors", _domain(every, ("f1", "f1_low", "f1_high"), *people)),
        Axis(
            "bias", "bias of the estimated score", _domain(every, ("bias", "bias_low", "bias_high"), 0.0), format="+~g"
        ),
    )
    level = [ReferenceLine("no error in the estimate", 0.0)]
    of_subjects = "subject" if len(every) <= MOST_LABELS else None
    label, series = ("evaluator", of_subjects) if len(rows) <= MOST_LABELS else (None, "evaluator")
    drawn = scatter(rows, x, y, label=label, series=series, references=level)
    spec = _with_whiskers(drawn, ("f1_low", "f1_high"), ("bias_low", "bias_high"))
    rules = [rule.to_dict(validate=False) for rule in named_upright_rules(x, [ReferenceLine("people", human, "human")])]
    layers = [{part: rule[part] for part in ("data", "mark", "encoding")} for rule in rules]
    data = {name: values for rule in rules for name, values in rule["datasets"].items()}
    spec = {**spec, "layer": [*layers, *spec["layer"]], "datasets": {**spec["datasets"], **data}}
    points = "; ".join(
        f"{row['evaluator']} on {row['subject']}: F1micro {row['f1']:.3f}, error rate {row['error_rate']:.3f}"
        for row in rows
    )
    description = (
        "Each evaluator by its F1micro, to the right the better, and by the bias of its estimated FActScore: its "
        f"distance from the dashed line is the error rate. {points}."
        + ("" if human is None else f" One annotator against the other: F1 {human:.3f}.")
    )
    return Chart(name, title, description, spec, rows)


def _domain(rows: Sequence[Row], columns: Sequence[str], *more: float) -> tuple[float, float]:
    """The ends of an axis that shows the columns, and the values `more`, with a margin."""
    values = [*more, *(float(row[column]) for row in rows for column in columns if row[column] is not None)]
    margin = 0.05 * (max(values) - min(values)) or 0.1
    return min(values) - margin, max(values) + margin


def ranking_chart(ranked: EvaluatorSubjects, other: EvaluatorSubjects | None = None) -> Chart:
    """Figure 4: the subjects by estimated score, the best first; beside it by another evaluator."""
    rows: list[Row] = [
        {
            "subject": row["subject"],
            "evaluator": each["evaluator"],
            "estimated": row["estimated"],
            **ends(row["interval"]),
        }
        for each in ([ranked, other] if other else [ranked])
        for row in each["subjects"]
        if row["estimated"] is not None
    ]
    axis = Axis("estimated", "estimated FActScore", (0.0, 1.0))
    spec = dots(rows, "subject", axis, series="evaluator" if other else None)
    points = "; ".join(
        f"{row['subject']} {row['estimated']:.3f}" for row in rows if row["evaluator"] == ranked["evaluator"]
    )
    description = (
        f"The subject models by the FActScore that {ranked['evaluator']} estimates, from best to worst: {points}."
    )
    return Chart("ranking", "Ranking of the subjects", description, spec, rows)


def spread_chart(spread: Sequence[Spread]) -> Chart:
    """Figure 5: mean score and one standard deviation to each side, over random subsets of the prompts."""
    rows: list[Row] = [
        {
            "subject": row["subject"],
            "prompts": f"{size['size']} prompts",
            "mean": row["mean"],
            "low": None if row["deviation"] is None else row["mean"] - row["deviation"],
            "high": None if row["deviation"] is None else row["mean"] + row["deviation"],
            "deviation": row["deviation"],
        }
        for size in spread
        for row in size["subjects"]
        if row["mean"] is not None
    ]
    spec = dots(rows, "subject", Axis("mean", "FActScore, mean and standard deviation", (0.0, 1.0)), series="prompts")
    points = "; ".join(
        f"{row['subject']} with {row['prompts']} {row['mean']:.3f} ± {row['deviation']:.3f}"
        for row in rows
        if row["deviation"] is not None
    )
    description = f"Mean FActScore over random subsets of the prompts, with one standard deviation. {points}."
    return Chart("spread", "Spread over random subsets of the prompts", description, spec, rows)


def _in_words(rows: Sequence[Row]) -> str:
    subjects = dict.fromkeys(row["subject"] for row in rows)
    return " ".join(
        f"{subject}: {', '.join(_point(row) for row in rows if row['subject'] == subject)}." for subject in subjects
    )


def _point(row: Row) -> str:
    return f"{row['name']} {'undefined' if row['share'] is None else format(row['share'], '.3f')}"


def _with_whiskers(spec: dict[str, Any], x_ends: tuple[str, str], y_ends: tuple[str, str]) -> dict[str, Any]:
    """The scatter with the intervals of both axes under its points."""
    points = next(layer for layer in spec["layer"] if layer["mark"]["type"] == "point")
    encoding = {channel: each for channel, each in points["encoding"].items() if channel != "shape"}
    whiskers = [
        {
            **points,
            "mark": {"type": "rule", "strokeWidth": 1, "opacity": 0.6},
            "encoding": {**encoding, axis: {**encoding[axis], "field": low}, f"{axis}2": {"field": high}},
        }
        for axis, (low, high) in (("x", x_ends), ("y", y_ends))
    ]
    return {**spec, "layer": [*whiskers, *spec["layer"]]}
