"""Take in the predictions of an evaluator that ran elsewhere."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from django.db import transaction
from django.utils import timezone

from annotate.models import Dataset
from core.errors import MOST_FAULTS, FaultsError
from evaluators.models import Evaluator, Prediction, Run, RunItem
from evaluators.predictions.align import CHUNK, Place, align, chunks
from evaluators.predictions.inspect_log import InspectLog, InspectReader
from evaluators.predictions.rows import Predicted
from evaluators.predictions.sent_rows import SentFile, SentRow, read_sent
from evaluators.runs.create import find_or_make_evaluator
from evaluators.runs.manifest import describe_code


@dataclass(frozen=True)
class ImportedPredictions:
    """The run they belong to; rows that became predictions, rows that were there already, and those that were left
    out: the number of each in its file and why."""

    run: Run
    created: int
    unchanged: int
    left_out: list[tuple[int, str]]


def import_predictions(dataset: Dataset, path: Path, evaluator: str, *, partial: bool = False) -> ImportedPredictions:
    """Store each row of the file as a prediction of the evaluator's one run over the dataset; nothing is written if any
    row cannot be. `partial`: such rows are left out, unless there is no other.

    A file may cover the dataset in part, and a later file extends the run. A prediction that is there already stays
    (unchanged); another one at its address is an error. Raises DataError, and RunError where the name is that of an
    evaluator which runs here.
    """
    return _store(dataset, path, evaluator, read_sent(path), partial=partial)


def import_inspect_log(dataset: Dataset, path: Path, evaluator: str, reader: InspectReader) -> ImportedPredictions:
    """Store the scores of an eval log of inspect_ai likewise; its model and parameters are the evaluator's.

    The run's manifest keeps each log's origin, and the tokens and the price of them all.
    """
    log = reader.read(path)
    return _store(dataset, path, evaluator, log.sent, log)


def _store(
    dataset: Dataset,
    path: Path,
    evaluator: str,
    sent: SentFile,
    log: InspectLog | None = None,
    *,
    partial: bool = False,
) -> ImportedPredictions:
    with transaction.atomic():
        run = _find_or_make_run(dataset, evaluator, log)
        placed, not_aligned = align(dataset, sent.rows)
        new, differing = _not_there_yet(run, placed)
        left_out = sorted([*sent.faults, *not_aligned, *differing])
        if left_out and (not partial or len(differing) == len(placed)):
            raise FaultsError(path.name, sent.place, tuple(left_out[:MOST_FAULTS]))
        if new:
            _write(run, new)
            _note(run, path, len(new), log)
    unchanged = len(placed) - len(new) - len(differing)
    return ImportedPredictions(run, created=len(new), unchanged=unchanged, left_out=left_out)


def _find_or_make_run(dataset: Dataset, name: str, log: InspectLog | None) -> Run:
    """Finished from the start: nothing of it is to be worked on. Its evaluator's row stays locked."""
    model, parameters = (log.model, log.parameters) if log else ("", {})
    evaluator = find_or_make_evaluator(name, Evaluator.IMPORTED, model, parameters)
    now = timezone.now()
    manifest = {
        "method": Evaluator.IMPORTED,
        "dataset": {"name": dataset.name, "scheme": dataset.scheme},
        "gold": {"revision": dataset.gold_revision},
        "code": describe_code(),
        "files": [],
    }
    run, _ = evaluator.runs.get_or_create(
        dataset=dataset, defaults={"state": Run.State.FINISHED, "manifest": manifest, "finished_at": now}
    )
    return run


def _not_there_yet(run: Run, placed: Mapping[Place, SentRow]) -> tuple[dict[Place, SentRow], list[tuple[int, str]]]:
    """The rows that the run does not have, and the faults of those of which it has another."""
    there = {
        (stored.segment_id, stored.fact_id): Predicted(stored.value, stored.score, stored.rationale)
        for segments in chunks({place.segment for place in placed})
        for stored in run.predictions.filter(segment__in=segments)
    }
    new, differing = {}, []
    for place, row in placed.items():
        predicted = there.get((place.segment, place.fact))
        if predicted is None:
            new[place] = row
        elif predicted != row.predicted:
            differing.append((row.number, f"{run.evaluator} has another prediction here already"))
    return new, differing


def _write(run: Run, placed: Mapping[Place, SentRow]) -> None:
    Prediction.objects.bulk_create(
        (_prediction(run, place, row.predicted) for place, row in placed.items()), batch_size=CHUNK
    )
    known = set(run.items.values_list("response", flat=True))
    covered = dict.fromkeys(place.response for place in placed)
    RunItem.objects.bulk_create(
        (
            RunItem(run=run, response_id=response, position=position, state=RunItem.State.DONE)
            for position, response in enumerate((new for new in covered if new not in known), start=len(known))
        ),
        batch_size=CHUNK,
    )


def _prediction(run: Run, place: Place, predicted: Predicted) -> Prediction:
    return Prediction(
        run=run,
        segment_id=place.segment,
        fact_id=place.fact,
        value=predicted.value,
        unparsed=predicted.value is None,
        score=predicted.score,
        rationale=predicted.rationale,
    )


def _note(run: Run, path: Path, count: int, log: InspectLog | None) -> None:
    """Add the file to the run's manifest, and what a log tells of its origin and spending."""
    with path.open("rb") as file:
        content = hashlib.file_digest(file, "sha256").hexdigest()
    run.manifest["files"].append({"name": path.name, "hash": content, "predictions": count})
    if log is not None:
        before = run.manifest.get("inspect", {"logs": [], "tokens": 0, "cost_usd": 0.0})
        costs = (before["cost_usd"], log.origin["cost_usd"])
        run.manifest["inspect"] = {
            "logs": [*before["logs"], log.origin],
            "tokens": before["tokens"] + log.origin["tokens"],
            "cost_usd": None if None in costs else sum(costs),
        }
    run.last_prediction_at = run.finished_at = timezone.now()
    run.save(update_fields=["manifest", "last_prediction_at", "finished_at"])
