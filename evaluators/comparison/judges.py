"""The judges that are compared: the evaluators with a finished run, and the trivial baselines, which need none."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

import numpy as np

from annotate.gold.read import CODE
from annotate.models import Dataset
from core.errors import DataError
from evaluators.models import Run
from evaluators.predictions.read import Codes, Predictions, latest_runs, read_predictions
from stats.baselines import RANDOM_SEED, random_value
from stats.gold_table import NOT_SUPPORTED, SUPPORTED, GoldTable

ALWAYS_SUPPORTED, ALWAYS_NOT_SUPPORTED, RANDOM = "always-supported", "always-not-supported", "random"
TRIVIAL = (ALWAYS_SUPPORTED, ALWAYS_NOT_SUPPORTED, RANDOM)


@dataclass(frozen=True)
class Judge:
    """A row of the comparison; `run` is None for a baseline without a run."""

    name: str
    method: str
    model: str
    run: Run | None
    predictions: Predictions


# The predictions of a run, or of a baseline, at the table's addresses. The study keeps them in the cache.
ReadRun = Callable[[Run, GoldTable], Predictions]
ReadBaseline = Callable[[str, GoldTable], Predictions]


def read_judges(
    dataset: Dataset,
    table: GoldTable,
    names: Collection[str] | None = None,
    read: ReadRun | None = None,
    baseline: ReadBaseline | None = None,
) -> list[Judge]:
    """The trivial baselines, then the other evaluators by name; `names` limits the others.

    read, baseline: other ways to the predictions (study.py keeps them in the cache).
    DataError: one of the names has no finished run over the dataset.
    """
    read, baseline = read or read_predictions, baseline or baseline_predictions
    runs = latest_runs(dataset)
    missing = sorted(set(names or ()) - {run.evaluator.name for run in runs} - set(TRIVIAL))
    if missing:
        raise DataError(f"{dataset.name} has no finished run of an evaluator {missing[0]!r}.")
    judges = [
        Judge(run.evaluator.name, run.evaluator.method, run.evaluator.model, run, read(run, table))
        for run in runs
        if names is None or run.evaluator.name in names or run.evaluator.method in TRIVIAL
    ]
    ran = {judge.method for judge in judges}
    judges += [Judge(name, name, "", None, baseline(name, table)) for name in TRIVIAL if name not in ran]
    return sorted(judges, key=lambda judge: (_place(judge.method), judge.name))


def baseline_predictions(method: str, table: GoldTable) -> Predictions:
    """The answer of a trivial baseline for every unit; it has none for whole sentences of facts."""
    count = len(table.units.segment)
    if method == RANDOM:
        units = _draw_randomly(table)
    else:
        units = np.full(count, SUPPORTED if method == ALWAYS_SUPPORTED else NOT_SUPPORTED, dtype=np.int8)
    return Predictions(units, None, np.full(count, np.nan))


def _draw_randomly(table: GoldTable) -> Codes:
    index = table.responses.index[table.response_of_unit].tolist()
    segment = table.segments.position[table.units.segment].tolist()
    position = table.units.position.tolist()
    drawn = (
        CODE[random_value(RANDOM_SEED, index, segment, None if fact < 0 else fact)]
        for index, segment, fact in zip(index, segment, position, strict=True)
    )
    return np.fromiter(drawn, dtype=np.int8)


def _place(method: str) -> int:
    return TRIVIAL.index(method) if method in TRIVIAL else len(TRIVIAL)
