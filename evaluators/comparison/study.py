"""All that figures are computed from: gold, and what each evaluator said at its addresses, in plain columns.

Reading is what takes time, so both are kept: gold under the name of its state, predictions under that name and the
run's. The names say all that the columns are made of, so a change of either is another name, and nothing has to be
thrown away.
"""

import hashlib
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TypeVar

from django.core.cache import cache
from django.db.models import Count, Max

from annotate.agreement.resampling import Resampling
from annotate.gold.read import read_gold
from annotate.gold.table import GoldTable
from annotate.models import AtomicFact, Dataset, GoldVersion, Segment
from evaluators.comparison.judges import Judge, read_judges, say_trivially
from evaluators.models import Run
from evaluators.predictions.read import Predictions, read_predictions

SECONDS_KEPT = 24 * 3600
Kept = TypeVar("Kept")


@dataclass(frozen=True)
class Study:
    """Evaluators beside gold. `version`: the frozen gold, None for gold in force; `judges`: trivial baselines first.

    `resampling`: the draws of prompts that every level, evaluator and slice shares (definitions.md §6).
    """

    dataset: Dataset
    version: GoldVersion | None
    table: GoldTable
    judges: tuple[Judge, ...]
    resampling: Resampling


def study_of(dataset: Dataset, version: GoldVersion | None, names: Collection[str] | None = None) -> Study:
    """The study of the last finished runs; `names` limits it to some evaluators and the trivial baselines.

    DataError: one of the names has no finished run over the dataset.
    """
    state = gold_state(dataset, version)
    table = table_of(dataset, version)

    def read(run: Run, table: GoldTable) -> Predictions:
        return _keep(f"predictions-{state}-{run_state(run)}", lambda: read_predictions(run, table))

    def say(method: str, table: GoldTable) -> Predictions:
        return _keep(f"predictions-{state}-{method}", lambda: say_trivially(method, table))

    judges = read_judges(dataset, table, names, read, say)
    return Study(dataset, version, table, tuple(judges), Resampling(table.strata))


def table_of(dataset: Dataset, version: GoldVersion | None) -> GoldTable:
    """Gold in force or of a frozen version, kept as long as it stands."""
    key = f"gold-{gold_state(dataset, version)}"
    return _keep(key, lambda: read_gold(dataset, version.name if version else None))


def gold_state(dataset: Dataset, version: GoldVersion | None) -> str:
    """A name for gold and the units it stands at: segments and facts are added and deleted, never changed in place."""
    rows = (
        dataset.responses.visible(),
        Segment.objects.filter(response__dataset=dataset),
        AtomicFact.objects.for_labelling().filter(segment__response__dataset=dataset),
    )
    in_force = Dataset.objects.values_list("gold_revision", flat=True).get(pk=dataset.pk)
    revision = version.revision if version else in_force
    made_of = [dataset.pk, revision, *(each.aggregate(Count("pk"), Max("pk")) for each in rows)]
    return hashlib.sha256(repr(made_of).encode()).hexdigest()[:24]


def run_state(run: Run) -> str:
    """A name for what a run has said so far: an imported one grows with every file."""
    last = run.last_prediction_at
    return f"{run.pk}-{last.timestamp() if last else ''}"


def _keep(key: str, compute: Callable[[], Kept]) -> Kept:
    kept: Kept | None = cache.get(key)
    if kept is None:
        kept = compute()
        cache.set(key, kept, SECONDS_KEPT)
    return kept
