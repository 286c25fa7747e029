"""Reads what evaluators said into plain columns beside gold."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotate.gold.read import CHUNK, CODE
from annotate.gold.table import GoldTable
from annotate.models import Dataset
from evaluators.models import Run

# Besides the codes of values: no prediction, and one that could not be parsed.
NO_PREDICTION, NOT_PARSED = -1, -2

Said = NDArray[np.int8]


@dataclass(frozen=True)
class Predictions:
    """What one evaluator said, as codes of values, NO_PREDICTION or NOT_PARSED.

    units: of each unit of the table. segments: of each segment as a whole, where units are facts; None: of none.
    """

    units: Said
    segments: Said | None


def latest_runs(dataset: Dataset) -> list[Run]:
    """The last finished run of each evaluator, by name."""
    runs = Run.objects.finished().filter(dataset=dataset).select_related("evaluator").order_by("pk")
    latest = {run.evaluator.name: run for run in runs}
    return [latest[name] for name in sorted(latest)]


def read_predictions(run: Run, table: GoldTable) -> Predictions:
    """The run's predictions at the table's addresses, in one query; one at any other address is left out.

    A sentence that is irrelevant as a whole stands for its facts, in a prediction as in gold: facts without a
    prediction of their own take that of the sentence.
    """
    segment_row = {key: row for row, key in enumerate(table.segments.key.tolist())}
    fact_row = {key: row for row, key in enumerate(table.units.fact.tolist())}
    facts: Said = np.full(len(table.units.segment), NO_PREDICTION, dtype=np.int8)
    segments: Said = np.full(len(table.segments.key), NO_PREDICTION, dtype=np.int8)
    for segment, fact, value in run.predictions.values_list("segment_id", "fact_id", "value").iterator(CHUNK):
        code = NOT_PARSED if value is None else CODE[value]
        if fact is None and segment in segment_row:
            segments[segment_row[segment]] = code
        elif fact in fact_row:
            facts[fact_row[fact]] = code
    if not table.of_facts:
        return Predictions(segments, None)
    open_facts = (facts == NO_PREDICTION) & table.segments.irrelevant[table.units.segment]
    return Predictions(np.where(open_facts, segments[table.units.segment], facts), segments)
