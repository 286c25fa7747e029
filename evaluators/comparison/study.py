"""All that figures are computed from: gold, and the predictions of each evaluator at its addresses, in plain columns.

Reading is what takes time, so both are kept: gold under the name of its state, predictions under that name and the
run's. The names say all that the columns are made of, so a change of either is another name, and nothing has to be
thrown away.
"""

import hashlib
from collections.abc import Collection
from dataclasses import dataclass

from django.conf import settings
from django.db.models import Count, Max, QuerySet

from annotate.gold.read import read_gold
from annotate.models import AtomicFact, Dataset, GoldVersion, Label, Segment
from core.caching import cached
from core.errors import DataError
from evaluators.comparison.judges import Judge, baseline_predictions, read_judges
from evaluators.models import Run
from evaluators.predictions.read import Predictions, read_predictions, run_state
from stats.bootstrap import Resampling
from stats.gold_table import GoldTable

# Counted up where stored figures change their meaning or their form; those of an older version are not used.
FIGURES_VERSION = 9


@dataclass(frozen=True)
class ComparisonStudy:
    """Evaluators beside gold. `version`: the frozen gold, None for gold in force; `judges`: trivial baselines first.

    `resampling`: the draws of prompts that every level, evaluator and slice shares (docs/statistics.md, Intervals and
    tests).
    """

    dataset: Dataset
    version: GoldVersion | None
    table: GoldTable
    judges: tuple[Judge, ...]
    resampling: Resampling


def study_of(dataset: Dataset, version: GoldVersion | None, names: Collection[str] | None = None) -> ComparisonStudy:
    """The study of the last finished runs; `names` limits it to some evaluators and the trivial baselines.

    DataError: one of the names has no finished run over the dataset.
    """
    state = gold_state(dataset, version)
    table = table_of(dataset, version)

    def read(run: Run, table: GoldTable) -> Predictions:
        return predictions_kept(run, table, state)

    def baseline(method: str, table: GoldTable) -> Predictions:
        return baseline_kept(method, table, state)

    judges = read_judges(dataset, table, names, read, baseline)
    return ComparisonStudy(dataset, version, table, tuple(judges), Resampling(table.strata))


def predictions_kept(run: Run, table: GoldTable, state: str) -> Predictions:
    """A run's predictions at the addresses of the table whose name is `state` (gold_state)."""
    return cached(f"predictions-{state}-{run_state(run)}", lambda: read_predictions(run, table))


def baseline_kept(method: str, table: GoldTable, state: str) -> Predictions:
    """Those of a trivial baseline likewise."""
    return cached(f"predictions-{state}-{method}", lambda: baseline_predictions(method, table))


def table_of(dataset: Dataset, version: GoldVersion | None) -> GoldTable:
    """Gold in force or of a frozen version, kept as long as it stands."""
    key = f"gold-{gold_state(dataset, version)}"
    return cached(key, lambda: read_gold(dataset, version.name if version else None))


def gold_state(dataset: Dataset, version: GoldVersion | None) -> str:
    """A name for gold, the units it stands at, and the reference lists: segments and facts are added and deleted, never
    changed in place."""
    rows = (
        dataset.responses.visible(),
        Segment.objects.filter(response__dataset=dataset),
        AtomicFact.objects.for_labelling().filter(segment__response__dataset=dataset),
    )
    counted = Dataset.objects.values_list("gold_revision", "lists_revision")
    in_force, lists_revision = counted.get(pk=dataset.pk)
    revision = version.revision if version else in_force
    made_of = [
        FIGURES_VERSION,
        settings.LEAST_COVERAGE,
        dataset.pk,
        revision,
        lists_revision,
        *(each.aggregate(Count("pk"), Max("pk")) for each in rows),
    ]
    return hashlib.sha256(repr(made_of).encode()).hexdigest()[:24]


def labels_state(dataset: Dataset) -> str:
    """A name for what annotators have labelled so far: labels are only ever added."""
    return repr(Label.objects.of(dataset).real().aggregate(Count("pk"), Max("pk")))


def find_version(dataset: Dataset, name: str | None) -> GoldVersion | None:
    """The frozen gold of that name, None for gold in force where there is no name. DataError: no such version."""
    if not name:
        return None
    version = versions_of(dataset).filter(name=name).first()
    if version is None:
        raise DataError(f"{dataset} has no gold version {name!r}.")
    return version


def versions_of(dataset: Dataset) -> "QuerySet[GoldVersion]":
    """The newest first."""
    return dataset.gold_versions.order_by("-created_at")
