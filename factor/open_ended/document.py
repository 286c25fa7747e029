"""The results of studies as one document of plain values: unrounded, None where something is undefined."""

from collections.abc import Sequence
from typing import Any

from factor.open_ended.progress import summary_of
from factor.open_ended.results import StudyResults
from stats.open_ended import FIGURES, AccuracyDifference, OpenEndedRow


def document_of(
    dataset: str, benchmark: str, results: Sequence[StudyResults], differences: Sequence[AccuracyDifference]
) -> dict[str, Any]:
    """The document of `open_ended_report --json` (docs/commands.md)."""
    return {
        "dataset": dataset,
        "benchmark": benchmark,
        "studies": [_study(each) for each in results],
        "differences": [
            {
                "studies": [results[place].study.pk for place in each.places],
                "accuracy": each.difference,
                "interval": each.interval.ends() if each.interval else None,
            }
            for each in differences
        ],
    }


def _study(results: StudyResults) -> dict[str, Any]:
    study, pairs, (right, wrong) = results.study, results.pairs, results.weights
    return {
        "study": study.pk,
        "model": str(study.scoring.model),
        "seed": study.seed,
        "raters": study.raters,
        "complete": summary_of(study).complete,
        "pairs": {"right": len(pairs.right), "wrong": len(pairs.wrong), "unscored": len(pairs.unscored)},
        "weights": {"right": right, "wrong": wrong},
        "drawn": results.drawn,
        "not_counted": results.fates,
        "rows": {row.name: _row(row) for row in results.rows},
        "agreement": _agreement(results),
    }


def _row(row: OpenEndedRow) -> dict[str, Any]:
    figures: dict[str, Any] = {"n": row.n}
    for name in FIGURES:
        figure = getattr(row, name)
        figures[name] = figure.value
        figures[f"{name}_interval"] = figure.interval.ends() if figure.interval else None
    return figures


def _agreement(results: StudyResults) -> dict[str, Any] | None:
    if results.agreement is None:
        return None
    figures: dict[str, Any] = {"n": results.twice}
    for name, figure in results.agreement.items():
        figures |= {name: figure.value, f"{name}_interval": figure.interval.ends() if figure.interval else None}
    return figures
