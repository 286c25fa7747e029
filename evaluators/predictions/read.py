"""Reads evaluators' predictions into plain columns beside gold."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotate.gold.read import CHUNK, CODE
from annotate.models import Dataset
from evaluators.models import Run
from stats.arrays import Flags, Floats, Ints
from stats.gold_table import GoldTable

# Besides the codes of values: no prediction, and one that could not be parsed.
NO_PREDICTION, NOT_PARSED = -1, -2

Codes = NDArray[np.int8]

# A stored prediction; NO_FACT and NO_SCORE stand for null.
ROW = np.dtype([("segment", np.int64), ("fact", np.int64), ("code", np.int8), ("score", np.float64)])
NO_FACT, NO_SCORE = -1, -1.0


@dataclass(frozen=True)
class Predictions:
    """One evaluator's predictions as codes of values, NO_PREDICTION or NOT_PARSED.

    units: of each unit of the table. segments: of each segment as a whole, where units are facts; None: of none.
    scores: of each unit the probability that it is *supported*, nan where the evaluator gave none.
    """

    units: Codes
    segments: Codes | None
    scores: Floats


def latest_runs(dataset: Dataset) -> list[Run]:
    """The last finished run of each evaluator, by name."""
    runs = Run.compared(dataset).select_related("evaluator").order_by("pk")
    latest = {run.evaluator.name: run for run in runs}
    return [latest[name] for name in sorted(latest)]


def run_state(run: Run) -> str:
    """A name for the predictions of a run so far: an imported one grows with every file."""
    last = run.last_prediction_at
    return f"{run.pk}-{last.timestamp() if last else ''}"


def read_predictions(run: Run, table: GoldTable) -> Predictions:
    """The run's predictions at the table's addresses, in one query; one at any other address is left out."""
    return place_rows(_read_rows(run), table)


def place_rows(rows: NDArray[np.void], table: GoldTable) -> Predictions:
    """Judgements (ROW) at the table's addresses.

    A sentence that is irrelevant as a whole stands for its facts, in a prediction as in gold: facts without a
    prediction of their own take that of the sentence.
    """
    of_sentence = rows["fact"] == NO_FACT
    segments, segment_scores = _place(rows[of_sentence], "segment", table.segments.key)
    if not table.of_facts:
        return Predictions(segments, None, segment_scores)
    facts, scores = _place(rows[~of_sentence], "fact", table.units.fact)
    open_facts = (facts == NO_PREDICTION) & table.segments.irrelevant[table.units.segment]
    units = np.where(open_facts, segments[table.units.segment], facts)
    return Predictions(units, segments, np.where(open_facts, segment_scores[table.units.segment], scores))


def _read_rows(run: Run) -> NDArray[np.void]:
    rows = run.predictions.values_list("segment_id", "fact_id", "value", "score").iterator(CHUNK)
    packed = (
        (
            segment,
            NO_FACT if fact is None else fact,
            NOT_PARSED if value is None else CODE[value],
            NO_SCORE if score is None else score,
        )
        for segment, fact, value, score in rows
    )
    return np.fromiter(packed, dtype=ROW)


def _place(rows: NDArray[np.void], column: str, keys: Ints) -> tuple[Codes, Floats]:
    """Codes and scores at the places of the `keys`, from the rows whose `column` is one of them."""
    codes: Codes = np.full(len(keys), NO_PREDICTION, dtype=np.int8)
    scores = np.full(len(keys), np.nan)
    order = np.argsort(keys)
    nearest = np.searchsorted(keys, rows[column], sorter=order)
    inside = np.flatnonzero(nearest < len(keys))
    places = order[nearest[inside]]
    known: Flags = keys[places] == rows[column][inside]
    places, rows = places[known], rows[inside][known]
    codes[places] = rows["code"]
    scores[places] = np.where(rows["score"] == NO_SCORE, np.nan, rows["score"])
    return codes, scores
