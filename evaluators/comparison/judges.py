"""Who is compared: the evaluators with a finished run, and the trivial baselines, which need none."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

import numpy as np

from annotate.gold.read import CODE
from annotate.gold.table import NOT_SUPPORTED, SUPPORTED, GoldTable
from annotate.models import Dataset
from core.json_lines import DataError
from evaluators.metrics.baselines import RANDOM_SEED, random_value
from evaluators.models import Run
from evaluators.predictions.read import Predictions, Said, latest_runs, read_predictions

ALWAYS_SUPPORTED, ALWAYS_NOT_SUPPORTED, RANDOM = "always-supported", "always-not-supported", "random"
TRIVIAL = (ALWAYS_SUPPORTED, ALWAYS_NOT_SUPPORTED, RANDOM)


@dataclass(frozen=True)
class Judge:
    """A row of the comparison; `run` is None for a baseline that nobody ran."""

    name: str
    method: str
    model: str
    run: Run | None
    predictions: Predictions


# Reads what a run said at the table's addresses; says what a baseline does. The study keeps what they give.
Read = Callable[[Run, GoldTable], Predictions]
Say = Callable[[str, GoldTable], Predictions]


def read_judges(
    dataset: Dataset,
    table: GoldTable,
    names: Collection[str] | None = None,
    read: Read | None = None,
    say: Say | None = None,
) -> list[Judge]:
    """The trivial baselines, then the other evaluators by name; `names` limits the others.

    read, say: other ways to the predictions (evaluators/comparison/study.py keeps them).
    DataError: one of the names has no finished run over the dataset.
    """
    read, say = read or read_predictions, say or say_trivially
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
    judges += [Judge(name, name, "", None, say(name, table)) for name in TRIVIAL if name not in ran]
    return sorted(judges, key=lambda judge: (_place(judge.method), judge.name))


def say_trivially(method: str, table: GoldTable) -> Predictions:
    """What a trivial baseline says of every unit; it has nothing to say of whole sentences of facts."""
    count = len(table.units.segment)
    if method == RANDOM:
        units = _draw_randomly(table)
    else:
        units = np.full(count, SUPPORTED if method == ALWAYS_SUPPORTED else NOT_SUPPORTED, dtype=np.int8)
    return Predictions(units, None, np.full(count, np.nan))


def _draw_randomly(table: GoldTable) -> Said:
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
