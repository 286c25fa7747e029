"""The charts of the page of thresholds, by name: of the chosen evaluator, or of all evaluators on the page."""

from collections.abc import Callable, Sequence

from evaluators.charts.chart import Chart, Row, with_ends
from evaluators.charts.marks import Axis, ReferenceLine, lines
from evaluators.comparison.judges import ALWAYS_NOT_SUPPORTED
from evaluators.thresholds.describe import DescribedScores
from stats.arrays import Floats, known

UNIT = (0.0, 1.0)


def precision_recall(described: Sequence[DescribedScores], human: float | None) -> Chart:
    rows = [
        {"evaluator": each.name, "threshold": threshold, "recall": recall, "precision": precision}
        for each in described
        for threshold, recall, precision in _points(each, each.curve.recall, each.curve.precision)
    ]
    trivial = ReferenceLine(f"always not supported {_text(described[0].prevalence)}", described[0].prevalence)
    areas = "; ".join(f"{each.name} {_text(each.average_precision)}" for each in described)
    return Chart(
        "precision-recall",
        "Precision against recall",
        f"One curve for each evaluator, from its strictest threshold on the left to its most lenient on the right. "
        f"Average precision: {areas}. The dashed rule is the share of errors, what calling everything an error gives.",
        lines(
            rows,
            Axis("recall", "Recall: the share of errors found", UNIT),
            Axis("precision", "Precision: the share of alarms that were right", UNIT),
            "evaluator",
            references=[trivial],
        ),
        rows,
    )


def roc(described: Sequence[DescribedScores], human: float | None) -> Chart:
    rows: list[Row] = []
    for each in described:
        rows.append({"evaluator": each.name, "threshold": None, "false_alarms": 0.0, "recall": 0.0})
        rows += [
            {"evaluator": each.name, "threshold": threshold, "false_alarms": alarms, "recall": recall}
            for threshold, alarms, recall in _points(each, each.curve.false_alarms, each.curve.recall)
        ]
    areas = "; ".join(f"{each.name} {_text(each.area_under_roc)}" for each in described)
    return Chart(
        "roc",
        "ROC: errors found against false alarms",
        f"One curve for each evaluator. Area under it: {areas}. The diagonal, area 0.5, is what a coin gives.",
        lines(
            rows,
            Axis("false_alarms", "Share of correct units called errors", UNIT),
            Axis("recall", "Share of errors found", UNIT),
            "evaluator",
            identity=True,
        ),
        rows,
    )


def f1_by_threshold(described: Sequence[DescribedScores], human: float | None) -> Chart:
    first = described[0]
    rows = [
        {"evaluator": first.name, "threshold": threshold, "f1": f1} for threshold, f1 in _points(first, first.curve.f1)
    ]
    trivial = first.trivial[ALWAYS_NOT_SUPPORTED]
    used, chosen = first.used_threshold, first.threshold.chosen if first.threshold else None
    return Chart(
        "f1-by-threshold",
        "F1 at every threshold",
        f"F1 of {first.name} on all its scored units if those with a score up to the threshold were called errors. "
        f"It is highest at {_text(chosen)}; the evaluator's own threshold is {_text(used)}. "
        f"Calling everything an error gives {_text(trivial)}.",
        lines(
            rows,
            Axis("threshold", "Threshold on the score", UNIT),
            Axis("f1", "F1 of errors", UNIT),
            "evaluator",
            references=[
                ReferenceLine(f"always not supported {_text(trivial)}", trivial),
                ReferenceLine(f"between annotators {_text(human)}", human, "human"),
            ],
            upright=[
                ReferenceLine(f"used: {_text(used)}", used),
                ReferenceLine(f"best here: {_text(chosen)}", chosen, "human"),
            ],
        ),
        rows,
    )


def reliability(described: Sequence[DescribedScores], human: float | None) -> Chart:
    first = described[0]
    rows = [
        {
            "evaluator": first.name,
            "units": each.units,
            "lowest": each.lowest,
            "highest": each.highest,
            "score": each.score,
            **with_ends("supported", each.supported, each.interval),
        }
        for each in first.reliability.bins
    ]
    return Chart(
        "reliability",
        "Reliability: are the scores probabilities?",
        f"The scored units of {first.name} in {len(rows)} bins of rising scores. Each point is a bin: its mean "
        f"score, and the share of its units that gold supports, with its 95 % interval. On the diagonal a score is a "
        f"probability. Expected calibration error {_text(first.calibration_error)}.",
        lines(
            rows,
            Axis("score", "Mean score of the bin", UNIT),
            Axis("supported", "Share supported in gold", UNIT),
            "evaluator",
            ("low", "high"),
            points=True,
            identity=True,
        ),
        rows,
    )


def risk_coverage(described: Sequence[DescribedScores], human: float | None) -> Chart:
    rows = [
        {"evaluator": each.name, "coverage": coverage, "risk": risk, "confidence": confidence}
        for each in described
        for coverage, risk, confidence in zip(
            each.risk.coverage.tolist(), each.risk.risk.tolist(), each.risk.confidence.tolist(), strict=True
        )
    ]
    prevalence = described[0].prevalence
    return Chart(
        "risk-coverage",
        "Risk against coverage",
        "For each evaluator the share judged wrongly among its most confident decisions, from few of them on the left "
        f"to all on the right. The dashed rule, {_text(prevalence)}, is the risk of calling everything supported.",
        lines(
            rows,
            Axis("coverage", "Share of units, the most confident first", UNIT),
            Axis("risk", "Share of them judged wrongly", (0, _ceiling(rows, prevalence))),
            "evaluator",
            references=[ReferenceLine(f"always supported {_text(prevalence)}", prevalence)],
        ),
        rows,
    )


CHARTS: dict[str, Callable[[Sequence[DescribedScores], float | None], Chart]] = {
    "precision-recall": precision_recall,
    "roc": roc,
    "f1-by-threshold": f1_by_threshold,
    "reliability": reliability,
    "risk-coverage": risk_coverage,
}


def _points(scores: DescribedScores, *columns: Floats) -> list[tuple[float | None, ...]]:
    """The thresholds with the values of the columns at them, None where undefined."""
    values = (scores.curve.threshold, *columns)
    return [tuple(known(value) for value in point) for point in zip(*values, strict=True)]


def _ceiling(rows: Sequence[Row], prevalence: float | None) -> float:
    """The next tenth above all that is drawn."""
    highest = max([row["risk"] for row in rows] + [prevalence or 0.0])
    return min(1.0, (int(highest * 10) + 1) / 10)


def _text(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"
