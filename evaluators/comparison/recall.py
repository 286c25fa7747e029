"""The recall of subject models as evaluators estimate it: F1@K, and against lists of facts."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db.models import QuerySet

from annotate.corpus.reference_facts import reference_lists
from annotate.gold.read import CHUNK
from annotate.models import Dataset, Scheme, Value
from annotate.statistics.figures import subjects_of, why_no_k
from annotate.statistics.reference import UnitsOf, describe_reference, reference_by_table
from evaluators.comparison.covered_responses import CoveredResponses, read_responses
from evaluators.comparison.documents import RecallEstimation
from evaluators.comparison.judges import Judge
from evaluators.models import Run
from evaluators.predictions.counts import counts_by_claims
from stats.arrays import Flags
from stats.bootstrap import Resampling
from stats.f1_at_k import NO_RESPONSE, OF_SEGMENTS, KChoice, claims_of_table, describe_at_k
from stats.gold_table import GoldTable
from stats.reference_recall import ReferenceRecall

Lists = Mapping[int, Sequence[str]]


@dataclass(frozen=True)
class RecallBasis:
    """What the recall of every evaluator of a dataset rests on. lists: of facts, by response. subjects: the responses
    of each, as flags of the table's. why: why F1@K of the units that people judge is undefined, None where it is not.
    extracting: the runs (primary keys) with claims of their own, which count whatever people judge.
    """

    table: GoldTable
    k: KChoice
    lists: Lists
    subjects: Mapping[str, Flags]
    why: str | None
    extracting: Collection[int]


def read_basis(dataset: Dataset, table: GoldTable, k: KChoice, extracting: Collection[int]) -> RecallBasis:
    subjects = subjects_of(dataset, table)
    return RecallBasis(table, k, reference_lists(dataset), subjects, why_no_k(table, subjects), extracting)


def recall_of_judge(basis: RecallBasis, judge: Judge) -> RecallEstimation:
    """Over all that its last run covers; of a baseline without a run over all units."""
    if not basis.subjects:
        return {"at_k": None, "at_k_undefined": basis.why, "reference": None}
    if judge.run is not None:
        if basis.why and not basis.lists and judge.run.pk not in basis.extracting:
            return {"at_k": None, "at_k_undefined": basis.why, "reference": None}
        return recall_of_run(judge.run, read_responses(judge.run), basis.k, basis.lists, basis.subjects)
    table, names = basis.table, list(basis.subjects)
    said, resampling = judge.predictions.units.astype(np.int64), Resampling(table.strata)
    counts = claims_of_table(table, said, basis.subjects)
    return {
        "at_k": None if basis.why else describe_at_k(counts, names, basis.k, resampling),
        "at_k_undefined": basis.why,
        "reference": reference_by_table(basis.lists, table, said, counts, names, resampling),
    }


def recall_of_run(
    run: Run, covered: CoveredResponses, k: KChoice, lists: Lists, subjects: Collection[str] = ()
) -> RecallEstimation:
    """covered: what the run covers. lists: reference_lists of the dataset. subjects: those that have a row, so that
    there is no mean over subjects without them, also where the run covers none of their responses."""
    resampling, why = Resampling(covered.strata), _why_undefined(run, covered)
    names = list(dict.fromkeys((*covered.subjects, *subjects)))
    return {
        "at_k": None if why else describe_at_k(covered.claims, names, k, resampling),
        "at_k_undefined": why,
        "reference": _reference_of_run(run, covered, lists, names, resampling),
    }


def _why_undefined(run: Run, covered: CoveredResponses) -> str | None:
    """Claims that the run extracted are counted whatever people judge."""
    if not covered.subjects:
        return NO_RESPONSE
    return OF_SEGMENTS if run.dataset.scheme == Scheme.FELM and not run.extracted_claims.exists() else None


def _reference_of_run(
    run: Run, covered: CoveredResponses, lists: Lists, subjects: Sequence[str], resampling: Resampling
) -> ReferenceRecall | None:
    if not lists or not covered.subjects:
        return None
    answered = set(covered.keys[covered.responses.responding].tolist())
    units = {key: of for key, of in _units_of_run(run).items() if key in answered}
    return describe_reference(lists, units, covered.keys, covered.claims, subjects, resampling)


def _units_of_run(run: Run) -> UnitsOf:
    """What the run judged in responses whose prompt has a list: claims of its own, else the units of the dataset."""
    rows: QuerySet[Any, tuple[int, str, str | None]]
    if counts_by_claims(run):
        listed = run.extracted_claims.filter(response__prompt__reference_facts__isnull=False).order_by("pk")
        rows = listed.values_list("response_id", "text", "value")
    else:
        of_facts = run.dataset.scheme == Scheme.FACTSCORE
        judged = run.predictions.filter(
            segment__response__prompt__reference_facts__isnull=False, fact__isnull=not of_facts
        ).in_reading_order()
        rows = judged.values_list("segment__response_id", "fact__text" if of_facts else "segment__text", "value")
    units: dict[int, list[tuple[str, bool]]] = {}
    for response, text, value in rows.iterator(chunk_size=CHUNK):
        if value is not None:
            units.setdefault(response, []).append((text, value == Value.SUPPORTED))
    return units
