"""The recall of subject models as evaluators estimate it: F1@K, and against lists of facts."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from django.db.models import QuerySet

from annotate.gold.read import CHUNK
from annotate.models import Value
from annotate.statistics.reference import UnitsOf, describe_reference, reference_by_table
from evaluators.comparison.covered_responses import CoveredResponses, read_responses
from evaluators.comparison.documents import RecallEstimation
from evaluators.comparison.judges import Judge
from evaluators.models import Run
from stats.arrays import number
from stats.bootstrap import Resampling
from stats.f1_at_k import claims_of_table, describe_at_k
from stats.gold_table import GoldTable
from stats.reference_recall import ReferenceRecall

Lists = Mapping[int, Sequence[str]]


def recall_of_judge(table: GoldTable, judge: Judge, k: int | None, lists: Lists) -> RecallEstimation:
    """Over all that its last run covers; of a baseline without a run over all units.

    k: of F1@K, None for the median of each domain. lists: reference_lists of the dataset.
    """
    if judge.run is not None:
        return recall_of_run(judge.run, read_responses(judge.run), k, lists)
    names, subject = number(table.responses.subject)
    subjects = {name: (subject == place) & ~table.responses.removed for place, name in enumerate(names)}
    said, resampling = judge.predictions.units.astype(np.int64), Resampling(table.strata)
    counts = claims_of_table(table, said, subjects)
    return {
        "at_k": describe_at_k(counts, names, k, resampling),
        "reference": reference_by_table(lists, table, said, counts, names, resampling),
    }


def recall_of_run(run: Run, covered: CoveredResponses, k: int | None, lists: Lists) -> RecallEstimation:
    """covered: what the run covers; the others as of recall_of_judge."""
    resampling = Resampling(covered.strata)
    return {
        "at_k": describe_at_k(covered.claims, covered.subjects, k, resampling),
        "reference": _reference_of_run(run, covered, lists, resampling),
    }


def _reference_of_run(
    run: Run, covered: CoveredResponses, lists: Lists, resampling: Resampling
) -> ReferenceRecall | None:
    if not lists:
        return None
    answered = set(covered.keys[covered.responses.responding].tolist())
    units = {key: of for key, of in _units_of_run(run).items() if key in answered}
    return describe_reference(lists, units, covered.keys, covered.claims, covered.subjects, resampling)


def _units_of_run(run: Run) -> UnitsOf:
    """What the run judged in responses whose prompt has a list: claims of its own, else facts."""
    rows: QuerySet[Any, tuple[int, str, str | None]]
    if run.extracted_claims.exists():
        listed = run.extracted_claims.filter(response__prompt__reference_facts__isnull=False).order_by("pk")
        rows = listed.values_list("response_id", "text", "value")
    else:
        judged = run.predictions.filter(segment__response__prompt__reference_facts__isnull=False, fact__isnull=False)
        rows = judged.in_reading_order().values_list("segment__response_id", "fact__text", "value")
    units: dict[int, list[tuple[str, bool]]] = {}
    for response, text, value in rows.iterator(chunk_size=CHUNK):
        if value is not None:
            units.setdefault(response, []).append((text, value == Value.SUPPORTED))
    return units
