"""The report as a table for spreadsheets."""

from collections.abc import Iterator
from typing import Any

from core.csv import csv_line
from evaluators.comparison.leaderboard import Document, slice_of

COLUMNS = (
    "evaluator",
    "run",
    "method",
    "model",
    "level",
    "slice",
    "n",
    "predicted",
    "unparsed",
    "missing",
    "coverage",
    "tp",
    "fp",
    "fn",
    "tn",
    "precision",
    "recall",
    "f1",
    "f1_low",
    "f1_high",
    "f1_worst",
    "f1_best",
    "macro_f1",
    "balanced_accuracy",
    "balanced_accuracy_low",
    "balanced_accuracy_high",
    "balanced_accuracy_worst",
    "balanced_accuracy_best",
    "tokens",
    "cost_usd",
    "seconds",
)


def report_as_csv(report: Document) -> Iterator[str]:
    """The header, then a line an evaluator, level and slice. A cell is empty where the figure is undefined; a name that
    a spreadsheet would run as a formula gets an apostrophe before it."""
    yield csv_line(COLUMNS)
    for entry in report["evaluators"]:
        for result in entry["results"]:
            yield csv_line(_cells(entry, result))


def _cells(entry: Document, result: Document) -> list[Any]:
    known = {**entry, **result, "slice": slice_of(result)}
    for figure in ("f1", "balanced_accuracy"):
        known[f"{figure}_low"], known[f"{figure}_high"] = result[f"{figure}_interval"] or (None, None)
        known[f"{figure}_worst"], known[f"{figure}_best"] = result[f"{figure}_bounds"] or (None, None)
    return [known[column] for column in COLUMNS]
