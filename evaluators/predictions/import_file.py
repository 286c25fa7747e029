"""Take in the predictions of an evaluator that ran elsewhere."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from django.db import transaction
from django.utils import timezone

from annotate.labels.rows import Address
from annotate.models import Dataset
from evaluators.models import Evaluator, Prediction, Run, RunItem
from evaluators.predictions.rows import Predicted, PredictionRow, read_predictions
from evaluators.runs.cases import read_segments, read_units
from evaluators.runs.create import find_or_make_evaluator
from evaluators.runs.manifest import describe_code

# Keeps `IN (...)` below the number of parameters that every database takes.
CHUNK = 500


@dataclass(frozen=True)
class ImportedPredictions:
    """The run they belong to; rows that became predictions, and rows that were there already."""

    run: Run
    created: int
    unchanged: int


@dataclass(frozen=True)
class Place:
    """The place of an address in the database, by primary keys."""

    response: int
    segment: int
    fact: int | None


def import_predictions(dataset: Dataset, path: Path, evaluator: str) -> ImportedPredictions:
    """Store each row of the file as a prediction of the evaluator's one run over the dataset; nothing is written if any
    row cannot be.

    A file may cover the dataset in part, and a later file extends the run. A prediction that is there already stays
    (unchanged); another one at its address is an error. Raises DataError, and RunError where the name is that of an
    evaluator which runs here.
    """
    rows = read_predictions(path)
    with transaction.atomic():
        run = _find_or_make_run(dataset, evaluator)
        places = places_of(dataset, {row.address[0] for row in rows})
        for row in rows:
            if row.address not in places:
                raise row.error(f"{say_address(row.address)} is not in {dataset.name}")
        new = _not_there_yet(run, rows, places)
        if new:
            _write(run, new, places)
            _note(run, path, len(new))
    return ImportedPredictions(run, created=len(new), unchanged=len(rows) - len(new))


def _find_or_make_run(dataset: Dataset, name: str) -> Run:
    """Finished from the start: nothing of it is to be worked on. Its evaluator's row stays locked."""
    evaluator = find_or_make_evaluator(name, Evaluator.IMPORTED, "", {})
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


def places_of(dataset: Dataset, indexes: Iterable[str]) -> dict[Address, Place]:
    """Everything in the responses of these indexes that can be predicted: segments, and judged facts."""
    places: dict[Address, Place] = {}
    for chunk in _chunks(sorted(indexes)):
        index_of = dict(dataset.responses.visible().filter(index__in=chunk).values_list("pk", "index"))
        segments = read_segments(list(index_of))
        for units in (segments, read_units(dataset, segments)):
            for response, index in index_of.items():
                for unit in units[response]:
                    places[index, unit.segment, unit.fact] = Place(response, unit.segment_id, unit.fact_id)
    return places


def say_address(address: Address) -> str:
    index, segment, fact = address
    of_response = f"segment {segment} of response {index!r}"
    return of_response if fact is None else f"fact {fact} of {of_response}"


def _not_there_yet(run: Run, rows: Sequence[PredictionRow], places: Mapping[Address, Place]) -> list[PredictionRow]:
    there = {
        (stored.segment_id, stored.fact_id): Predicted(stored.value, stored.score, stored.rationale)
        for stored in run.predictions.iterator()
    }
    new = []
    for row in rows:
        place = places[row.address]
        predicted = there.get((place.segment, place.fact))
        if predicted is None:
            new.append(row)
        elif predicted != row.predicted:
            raise row.error(f"{run.evaluator} has another prediction here already")
    return new


def _write(run: Run, rows: Sequence[PredictionRow], places: Mapping[Address, Place]) -> None:
    Prediction.objects.bulk_create(
        (_prediction(run, places[row.address], row.predicted) for row in rows), batch_size=CHUNK
    )
    known = set(run.items.values_list("response", flat=True))
    covered = dict.fromkeys(places[row.address].response for row in rows)
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


def _note(run: Run, path: Path, count: int) -> None:
    """Add the file to the run's manifest."""
    with path.open("rb") as file:
        content = hashlib.file_digest(file, "sha256").hexdigest()
    run.manifest["files"].append({"name": path.name, "hash": content, "predictions": count})
    run.last_prediction_at = run.finished_at = timezone.now()
    run.save(update_fields=["manifest", "last_prediction_at", "finished_at"])


def _chunks(items: Iterable[str]) -> Iterator[list[str]]:
    remaining = iter(items)
    while chunk := list(islice(remaining, CHUNK)):
        yield chunk
