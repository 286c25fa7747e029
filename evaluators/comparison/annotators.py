"""The human reference at any level and in any slice: the F1 of one annotator against the other.

See docs/statistics.md, Agreement between annotators.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotate.agreement.read import independent_labels
from annotate.gold.read import CHUNK, CODE
from annotate.models import Dataset
from core.caching import cached
from evaluators.comparison.documents import AnnotatorAgreement
from evaluators.comparison.levels import decisions_by_level, gold_levels
from evaluators.comparison.slices import ALL
from evaluators.comparison.study import gold_state, labels_state, table_of
from evaluators.predictions.read import NO_FACT, NO_SCORE, ROW, place_rows
from stats.arrays import Floats, Ints, known, ratio
from stats.bootstrap import Resampling, cluster_sums
from stats.detection import CORRECT, ERROR, Decisions
from stats.gold_table import GoldTable
from stats.intervals import effective_interval

# F1 by level and slice.
References = dict[tuple[str, str], float | None]

NOBODY_TWICE = "no unit was judged by two annotators"
NO_ERROR_CALLED = "neither annotator called a unit an error"


@dataclass(frozen=True)
class Annotator:
    """person: a primary key. labels: as predictions of an evaluator are stored (ROW). Columns beside gold are made when
    they are asked for: those of hundreds of annotators at once fill the memory."""

    person: int
    labels: NDArray[np.void]

    def decisions(self, table: GoldTable, level: str) -> Decisions:
        """(N,) of the level's units."""
        placed = place_rows(self.labels, table)
        decided: Decisions = decisions_by_level(table, placed.units, placed.segments)[level]
        return decided


def read_annotators(dataset: Dataset) -> list[Annotator]:
    """The independent labels of each annotator, from before any adjudication; by primary key."""
    rows = independent_labels(dataset).order_by("assignment__annotator")
    labels: dict[int, list[tuple[int, int, int, float]]] = {}
    for person, segment, fact, value in rows.values_list(
        "assignment__annotator", "segment_id", "fact_id", "value"
    ).iterator(CHUNK):
        labels.setdefault(person, []).append((segment, NO_FACT if fact is None else fact, CODE[value], NO_SCORE))
    return [Annotator(person, np.array(judged, dtype=ROW)) for person, judged in labels.items()]


def describe_annotators(
    table: GoldTable,
    annotators: Sequence[Annotator],
    level: str,
    group: Ints,
    groups: int,
    cluster: Ints,
    resampling: Resampling,
) -> list[AnnotatorAgreement]:
    """The reference in each of the groups of the level's units (`group`: the number of each unit's, -1 for none).

    Pooled over pairs of annotators: 2a/(2a+b+c), whichever of the two is called gold. Gold is not used.
    """
    correct, errors = np.zeros(len(cluster)), np.zeros(len(cluster))
    for each in annotators:
        decided = each.decisions(table, level)
        correct += decided == CORRECT
        errors += decided == ERROR
    # Of the pairs of a unit's labels: those of which neither, one and both call it an error.
    pairs = np.stack([correct * (correct - 1) / 2, correct * errors, errors * (errors - 1) / 2], axis=1)
    clusters, inside = len(resampling.strata), group >= 0
    at = cluster[inside] * groups + group[inside]
    by_cluster = cluster_sums(at, pairs[inside], clusters * groups).reshape(clusters, groups, 3)
    if not by_cluster.any():
        return [{"f1": None, "f1_interval": None, "n": 0, "undefined": {"f1": NOBODY_TWICE}} for _ in range(groups)]
    drawn = resampling.totals(by_cluster.reshape(clusters, groups * 3)).reshape(-1, groups, 3)
    return [_describe(by_cluster[:, place], drawn[:, place]) for place in range(groups)]


def _describe(by_cluster: Floats, drawn: Floats) -> AnnotatorAgreement:
    whole = by_cluster.sum(axis=0)
    value = known(_f1(whole))
    around = effective_interval(value, _f1(drawn), int(by_cluster[:, 1:].any(axis=1).sum()))
    why = NO_ERROR_CALLED if whole.any() else NOBODY_TWICE
    return {
        "f1": value,
        "f1_interval": around.ends() if around else None,
        "n": int(whole.sum()),
        "undefined": {} if value is not None else {"f1": why},
    }


def _f1(kinds: Floats) -> Floats:
    """F1 from the counts of units that neither, one and both called an error."""
    return ratio(2 * kinds[..., 2], 2 * kinds[..., 2] + kinds[..., 1])


def human_f1(dataset: Dataset, level: str, slice_name: str) -> float | None:
    """F1 of one annotator against the other in a slice of a level, pooled over pairs of annotators.

    None: no unit was labelled twice, or no unit was called an error.
    It is the positive agreement on error: 2a/(2a+b+c), whichever of the two is called gold.
    """
    return _references_of(dataset).get((level, slice_name))


def _references_of(dataset: Dataset) -> References:
    made_of = gold_state(dataset, None) + labels_state(dataset)
    key = f"human-{hashlib.sha256(made_of.encode()).hexdigest()}"
    return cached(key, lambda: _compute(dataset))


def _compute(dataset: Dataset) -> References:
    table = table_of(dataset, None)
    annotators, resampling = read_annotators(dataset), Resampling(table.strata)
    references: References = {}
    for level in gold_levels(table):
        for names, group in (((ALL,), np.zeros_like(level.slice)), (level.slices, level.slice)):
            described = describe_annotators(table, annotators, level.name, group, len(names), level.cluster, resampling)
            references |= {(level.name, name): each["f1"] for name, each in zip(names, described, strict=True)}
    return references
