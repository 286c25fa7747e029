"""The report on editors, for command, page and API (docs/editing.md, Figures)."""

from collections.abc import Sequence
from typing import Any

from annotate.models import Dataset
from core.caching import cached
from evaluators.editing.after import compare_support
from evaluators.editing.figures import report_on
from evaluators.editing.read import editing_runs
from evaluators.editing.similarity import by_vectors
from evaluators.predictions.read import run_state


def build_report(
    dataset: Dataset, names: Sequence[str] = (), weights: str | None = None, after: Dataset | None = None
) -> dict[str, Any]:
    """The document that `report_edits --json` prints.

    weights: the sentence-embedding model for SimAl. after: the dataset of edited responses. Raises DataError,
    NotReadyError.
    """
    report = report_on(dataset, names or None, by_vectors(weights) if weights else None)
    return {**report, "similarity": weights, "support": compare_support(dataset, after) if after else None}


def latest_report(dataset: Dataset) -> dict[str, Any] | None:
    """Of each editor's last finished run; None without one."""
    runs = editing_runs(dataset)
    state = "-".join(run_state(run) for run in runs)
    key = f"editing-{dataset.pk}-{dataset.gold_revision}-{state}"
    return cached(key, lambda: build_report(dataset)) if runs else None
