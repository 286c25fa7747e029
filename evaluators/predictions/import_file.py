"""Take in the predictions of an evaluator that ran elsewhere."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from django.db import transaction
from django.utils import timezone

from annotate.models import Dataset
from core.chunks import in_chunks
from core.errors import MOST_FAULTS, DataError, FaultsError, describe
from evaluators.models import Evaluator, Prediction, Run, RunItem
from evaluators.models.run import ARCHIVED
from evaluators.predictions.align import CHUNK, Place, align
from evaluators.predictions.inspect_log import InspectLog, InspectReader
from evaluators.predictions.origin import NOTHING_SAID, Origin, add_origin
from evaluators.predictions.rows import Predicted
from evaluators.predictions.sent_rows import NO_VALUES, SentFile, SentRow, read_sent
from evaluators.runs.build import RunError
from evaluators.runs.covered import covered_by
from evaluators.runs.create import find_or_make_evaluator
from evaluators.runs.manifest import describe_code


@dataclass(frozen=True)
class ImportedPredictions:
    """The run they belong to; rows that became predictions, rows that were there already, and those that were left
    out: the number of each in its file and why. open: rows that nobody has judged yet. passed_over: how many rows have
    a key that is none of a prediction, by the key. notes: on how the file was read, a clause each."""

    run: Run
    created: int
    unchanged: int
    left_out: list[tuple[int, str]]
    open: int = 0
    passed_over: Mapping[str, int] = field(default_factory=dict)
    notes: Sequence[str] = ()

    def in_words(self) -> str:
        """With how much of the dataset the run covers now."""
        covered = covered_by([self.run], self.run.dataset)[self.run.pk]
        created = f"{self.created:,} prediction{'' if self.created == 1 else 's'} imported"
        left_open = f", {self.open:,} row{' is' if self.open == 1 else 's are'} open" if self.open else ""
        sentences = " ".join(["", *self.reading_in_words()])
        return f"{created}, {self.unchanged:,} were there already{left_open}. The run covers {covered}.{sentences}"

    def reading_in_words(self) -> list[str]:
        """What of the file was guessed or passed over, a sentence each."""
        notes = [f"{note[0].upper()}{note[1:]}." for note in self.notes]
        return [*notes, self._passed_over_in_words()] if self.passed_over else notes

    def _passed_over_in_words(self) -> str:
        named = ", ".join(f"{describe(key)} ({rows:,} rows)" for key, rows in [*self.passed_over.items()][:MOST_FAULTS])
        return f"Passed over, as predictions have no such key: {named}."


def import_predictions(
    dataset: Dataset,
    path: Path,
    evaluator: str,
    *,
    values: Mapping[str, str] = NO_VALUES,
    partial: bool = False,
    origin: Origin = NOTHING_SAID,
) -> ImportedPredictions:
    """Store each row of the file as a prediction of the evaluator's one run over the dataset; nothing is written if any
    row cannot be. `values`: ours by those of the file. `partial`: such rows are left out, unless there is no other.

    A file may cover the dataset in part, and a later file extends the run. A prediction that is there already stays
    (unchanged); another one at its address is an error. Raises DataError, and RunError where the name is that of an
    evaluator which runs here, or that has another model than `origin` says.
    """
    return store_predictions(dataset, path, evaluator, read_sent(path, values), partial=partial, origin=origin)


def import_inspect_log(dataset: Dataset, path: Path, evaluator: str, reader: InspectReader) -> ImportedPredictions:
    """Store the scores of an eval log of inspect_ai likewise; its model and parameters are the evaluator's.

    The run's manifest keeps each log's origin, and the tokens and the price of them all.
    """
    log = reader.read(path)
    return store_predictions(dataset, path, evaluator, log.sent, log)


def store_predictions(
    dataset: Dataset,
    path: Path,
    evaluator: str,
    sent: SentFile,
    log: InspectLog | None = None,
    *,
    partial: bool = False,
    origin: Origin = NOTHING_SAID,
) -> ImportedPredictions:
    """The part of `import_predictions` that comes after the file is read."""
    if not sent.rows and not sent.faults:
        raise DataError(f"{path.name}: every row is open: put a value in place of it where the evaluator has one.")
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
        if origin.is_said:
            add_origin(run, origin)
    unchanged = len(placed) - len(new) - len(differing)
    return ImportedPredictions(run, len(new), unchanged, left_out, sent.open, sent.passed_over, sent.notes)


def _find_or_make_run(dataset: Dataset, name: str, log: InspectLog | None) -> Run:
    """Finished from the start: nothing of it is to be worked on. Its evaluator's row stays locked."""
    model, parameters = (log.model, log.parameters) if log else (_model_of_imported(name), {})
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
    if run.archived_at is not None:
        raise RunError(ARCHIVED)
    return run


def _model_of_imported(name: str) -> str:
    """The model that the imported evaluator of that name has already."""
    there = Evaluator.objects.filter(name=name, method=Evaluator.IMPORTED).values_list("model", flat=True)
    return there.first() or ""


def _not_there_yet(run: Run, placed: Mapping[Place, SentRow]) -> tuple[dict[Place, SentRow], list[tuple[int, str]]]:
    """The rows that the run does not have, and the faults of those of which it has another."""
    there = {
        (stored.segment_id, stored.fact_id): Predicted(stored.value, stored.score, stored.rationale)
        for segments in in_chunks({place.segment for place in placed}, CHUNK)
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
        (prediction_of(run, place, row.predicted) for place, row in placed.items()), batch_size=CHUNK
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


def prediction_of(run: Run, place: Place, predicted: Predicted, fallback: str = "") -> Prediction:
    return Prediction(
        run=run,
        segment_id=place.segment,
        fact_id=place.fact,
        value=predicted.value,
        unparsed=predicted.value is None,
        score=predicted.score,
        rationale=predicted.rationale,
        fallback=fallback,
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
