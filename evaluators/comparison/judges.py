"""The judges that are compared: the evaluators with a finished run, and the trivial baselines, which need none."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

import numpy as np

from annotate.gold.read import CODE
from annotate.models import Dataset
from core.errors import DataError
from evaluators.comparison.documents import RepeatedRuns
from evaluators.comparison.levels import decisions_by_level
from evaluators.models import Run
from evaluators.predictions.read import Codes, Predictions, read_predictions
from evaluators.runs.repeats import RunSet, run_sets
from stats.baselines import RANDOM_SEED, random_value
from stats.detection import Decisions, DetectionRow
from stats.gold_table import NOT_SUPPORTED, SUPPORTED, GoldTable

ALWAYS_SUPPORTED, ALWAYS_NOT_SUPPORTED, RANDOM = "always-supported", "always-not-supported", "random"
TRIVIAL = (ALWAYS_SUPPORTED, ALWAYS_NOT_SUPPORTED, RANDOM)


@dataclass(frozen=True)
class Judge:
    """A row of the comparison.

    run: the last one, None for a baseline without a run; predictions: its own. runs: all its repeats, itself among
    them, each with its predictions in `repeats`; both empty without a run. same_as: the evaluator that this one is
    under another name. unmeasured: why the noise between runs is not known, "" where it is or there is none.
    """

    name: str
    method: str
    model: str
    run: Run | None
    predictions: Predictions
    runs: tuple[Run, ...] = ()
    repeats: tuple[Predictions, ...] = ()
    same_as: str = ""
    unmeasured: str = ""


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
    sets = run_sets(dataset)
    missing = sorted(set(names or ()) - {each.latest.evaluator.name for each in sets} - set(TRIVIAL))
    if missing:
        raise DataError(f"{dataset.name} has no finished run of an evaluator {missing[0]!r}.")
    judges = [
        _judge(each, table, read)
        for each in sets
        if names is None or each.latest.evaluator.name in names or each.latest.evaluator.method in TRIVIAL
    ]
    ran = {judge.method for judge in judges}
    judges += [Judge(name, name, "", None, baseline(name, table)) for name in TRIVIAL if name not in ran]
    return sorted(judges, key=lambda judge: (_place(judge.method), judge.name))


def _judge(runs: RunSet, table: GoldTable, read: ReadRun) -> Judge:
    run, evaluator = runs.latest, runs.latest.evaluator
    by_run = {each: read(each, table) for each in runs.runs}
    return Judge(
        evaluator.name,
        evaluator.method,
        evaluator.model,
        run,
        by_run[run],
        runs.runs,
        tuple(by_run.values()),
        runs.same_as,
        runs.unmeasured,
    )


def decisions_of_runs(table: GoldTable, judge: Judge) -> Mapping[str, Decisions]:
    """The decisions (N,) at each level; (R, N) of several runs."""
    of_runs = [decisions_by_level(table, each.units, each.segments) for each in judge.repeats or (judge.predictions,)]
    if len(of_runs) == 1:
        return of_runs[0]
    return {level: np.stack([each[level] for each in of_runs]) for level in of_runs[0]}


def describe_repeats(judge: Judge) -> RepeatedRuns:
    return {
        "runs": [run.pk for run in judge.runs],
        "run_noise_unmeasured": judge.unmeasured or None,
        "same_as": judge.same_as or None,
    }


def rows_of_judge(judge: Judge, rows: list[DetectionRow]) -> list[DetectionRow]:
    """Its results; of an evaluator under another name with the reason why it has no rank: it would be a rival of
    itself."""
    if not judge.same_as:
        return rows
    return [{**row, "unranked": same_as_reason(judge.same_as)} for row in rows]


def same_as_reason(name: str) -> str:
    """The reason why the evaluator of that name under another name has no rank."""
    return f"the same as {name}: its runs are repeats of that one"


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
