"""The draft of an assignment: judged in place, saved under a version, never shown to anybody else."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from django.db import transaction

from annotate.labels.judgement import Judgement, JudgementError, check_judgement
from annotate.labels.units import Reading, Sentence, Unit
from annotate.models import Assignment, Dataset, Value
from annotate.tasks.places import lock, open_assignment

Draft = dict[str, Judgement]


class Outcome(Enum):
    """What became of a save."""

    SAVED = "saved"
    STALE = "stale"  # another page saved first: nothing was written
    LOST = "lost"  # the place went to somebody else: the text was kept, but counts for nothing
    SUBMITTED = "submitted"  # submitted before: nothing was written
    CLOSED = "closed"  # the task is settled: nothing was written


@dataclass(frozen=True)
class Saved:
    outcome: Outcome
    assignment: Assignment


def draft_of(assignment: Assignment) -> Draft:
    return {key: Judgement.from_stored(stored) for key, stored in assignment.draft.items()}


def check_draft(dataset: Dataset, readings: Iterable[Reading], entries: Mapping[str, Judgement]) -> Draft:
    """The entries in their regular form, empty ones left out; JudgementError for a broken rule or unknown address."""
    whole = {unit.key: unit.fact is None for reading in readings for unit in reading.units()}
    unknown = next((key for key in entries if key not in whole), None)
    if unknown is not None:
        raise JudgementError(f"{unknown} is not an address of this task")
    checked = {key: check_judgement(entry, dataset, whole[key]) for key, entry in entries.items()}
    return {key: entry for key, entry in checked.items() if not entry.empty}


@transaction.atomic
def save_draft(assignment: Assignment, draft: Draft, version: int, now: datetime | None = None) -> Saved:
    """Replace the draft if the writer had seen its latest version, and renew the lease.

    A lapsed place comes back to life while it is free. The very text that is stored already counts as saved whatever
    the version: it is a save whose answer got lost on the way.
    """
    assignment = lock(assignment)
    if assignment.state == Assignment.State.SUBMITTED:
        return Saved(Outcome.SUBMITTED, assignment)
    if assignment.task.closed_at is not None:
        return Saved(Outcome.CLOSED, assignment)
    stored = {key: entry.stored() for key, entry in draft.items()}
    if version != assignment.draft_version and stored != assignment.draft:
        return Saved(Outcome.STALE, assignment)
    assignment = open_assignment(assignment, now)
    if stored != assignment.draft:
        assignment.draft = stored
        assignment.draft_version += 1
        assignment.save(update_fields=["draft", "draft_version"])
    lost = assignment.state == Assignment.State.LAPSED
    return Saved(Outcome.LOST if lost else Outcome.SAVED, assignment)


@dataclass(frozen=True)
class Progress:
    done: int
    total: int

    @property
    def complete(self) -> bool:
        return self.done == self.total

    @property
    def percent(self) -> int:
        return 100 * self.done // self.total if self.total else 100


def progress(readings: Iterable[Reading], draft: Mapping[str, Judgement]) -> Progress:
    required = [
        (unit, sentence) for reading in readings for sentence in reading.sentences for unit in required_units(sentence)
    ]
    done = sum(is_judged(unit, sentence, draft) for unit, sentence in required)
    return Progress(done, len(required))


def required_units(sentence: Sentence) -> list[Unit]:
    return [unit for unit in (sentence.whole, *sentence.facts) if unit.required]


def is_judged(unit: Unit, sentence: Sentence, draft: Mapping[str, Judgement]) -> bool:
    """It has a value, or its whole sentence is irrelevant."""
    nothing = Judgement()
    whole = draft.get(sentence.whole.key, nothing).value
    return bool(draft.get(unit.key, nothing).value) or whole == Value.IRRELEVANT
