"""The draft of an assignment: judged in place, saved under a version, never shown to anybody else."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from django.db import transaction
from django.utils import timezone

from annotate.judgements.entries import (
    COMMENT_KEY,
    Draft,
    Entry,
    check_other,
    correction_key,
    judgement_at,
    verdict_key,
)
from annotate.judgements.judgement import JudgementError, UnitJudgement, check_judgement
from annotate.judgements.units import LabelUnit, ResponseReading, Sentence
from annotate.labels.active import COLUMNS, NO_TIME, Worked, with_worked
from annotate.models import Assignment, Dataset, Scheme, Value
from annotate.suggestions.shown import seen_with
from annotate.tasks.places import lease_end, lock, open_assignment

# The columns that a save writes.
WRITTEN = ("draft", "draft_version", "guideline_version", *COLUMNS, "lease_until", "suggestions_seen")


class SaveOutcome(Enum):
    """The outcome of a save."""

    SAVED = "saved"
    STALE = "stale"  # another page saved first: nothing was written
    LOST = "lost"  # the place went to somebody else, or was skipped: the text was kept, but counts for nothing
    SUBMITTED = "submitted"  # submitted before: nothing was written
    CLOSED = "closed"  # the task is settled: nothing was written


@dataclass(frozen=True)
class Saved:
    """`unready`: why the saved draft could not be submitted, "" if it was or if no submission was asked for."""

    outcome: SaveOutcome
    assignment: Assignment
    unready: str = ""

    @property
    def message(self) -> str:
        """The page's message where it could not be submitted."""
        return f"Not submitted: {self.unready}"


def check_draft(dataset: Dataset, readings: Iterable[ResponseReading], entries: Mapping[str, Entry]) -> Draft:
    """The entries in their regular form, empty ones left out; JudgementError for a broken rule or unknown address."""
    check_addresses(entries, addresses_of(dataset, list(readings)))
    checked = {key: check_entry(dataset, key, entry) for key, entry in entries.items()}
    return {key: entry for key, entry in checked.items() if not entry.empty}


def check_addresses(keys: Iterable[str], known: Collection[str]) -> None:
    """Raises JudgementError for a key that is none of the task."""
    unknown = sorted(key for key in keys if key not in known)
    if unknown:
        raise JudgementError(f"{unknown[0]} is not an address of this task")


def check_entry(dataset: Dataset, key: str, entry: Entry) -> Entry:
    """The entry at the key in its regular form, or JudgementError."""
    return check_judgement(entry, dataset, "." not in key) if isinstance(entry, UnitJudgement) else check_other(entry)


def addresses_of(dataset: Dataset, readings: Iterable[ResponseReading]) -> set[str]:
    """The keys that a draft of these may have: of units, of the comment, of the sentences that can be corrected
    (FActScore) or the responses that can be removed (FELM)."""
    keys = {COMMENT_KEY}
    for reading in readings:
        keys |= {unit.key for unit in reading.units()}
        if dataset.scheme != Scheme.FACTSCORE:
            keys.add(verdict_key(reading.response.pk))
        else:
            keys |= {correction_key(sentence.whole.segment.pk) for sentence in reading.sentences}
    return keys


@transaction.atomic
def save_draft(
    assignment: Assignment,
    draft: Mapping[str, Entry],
    version: int,
    now: datetime | None = None,
    worked: Worked = NO_TIME,
    guideline: int | None = None,
) -> Saved:
    """Replace the draft if the writer had seen its latest version, and renew the lease.

    A lapsed place comes back to life while it is free. The very text that is stored already counts as saved whatever
    the version: it is a save whose answer got lost on the way. `worked` is when the page was worked on; `guideline` is
    the version of the guidelines on the page, None where it says none.
    """
    locked = lock(assignment)
    seen = seen_with(locked, draft)
    saved = take_in(locked, draft, version, now, worked, guideline)
    if saved.outcome is SaveOutcome.SAVED:
        saved.assignment.suggestions_seen = seen
    return written(saved)


def written(saved: Saved) -> Saved:
    """With what `take_in` has left to write."""
    if saved.outcome in (SaveOutcome.SAVED, SaveOutcome.LOST):
        saved.assignment.save(update_fields=WRITTEN)
    return saved


def take_in(
    assignment: Assignment,
    draft: Mapping[str, Entry],
    version: int,
    now: datetime | None = None,
    worked: Worked = NO_TIME,
    guideline: int | None = None,
) -> Saved:
    """The same on an assignment that is locked, whose fields WRITTEN are left for the caller to write."""
    if assignment.state == Assignment.State.SUBMITTED:
        return Saved(SaveOutcome.SUBMITTED, assignment)
    if assignment.task.closed_at is not None:
        return Saved(SaveOutcome.CLOSED, assignment)
    stored = {key: entry.stored() for key, entry in draft.items()}
    if version != assignment.draft_version and stored != assignment.draft:
        return Saved(SaveOutcome.STALE, assignment)
    now = now or timezone.now()
    if assignment.state == Assignment.State.OPEN:
        assignment.lease_until = lease_end(now)
    else:
        assignment = open_assignment(assignment, now)
    assignment.draft_version += stored != assignment.draft
    assignment.draft = stored
    assignment.guideline_version = assignment.guideline_version if guideline is None else guideline
    for name, value in with_worked(assignment, worked, now).items():
        setattr(assignment, name, value)
    return Saved(SaveOutcome.SAVED if assignment.state == Assignment.State.OPEN else SaveOutcome.LOST, assignment)


@dataclass(frozen=True)
class DraftProgress:
    done: int
    total: int

    @property
    def complete(self) -> bool:
        return self.done == self.total

    @property
    def percent(self) -> int:
        return 100 * self.done // self.total if self.total else 100


def progress(readings: Iterable[ResponseReading], draft: Mapping[str, Entry]) -> DraftProgress:
    required = [
        (unit, sentence) for reading in readings for sentence in reading.sentences for unit in required_units(sentence)
    ]
    done = sum(is_judged(unit, sentence, draft) for unit, sentence in required)
    return DraftProgress(done, len(required))


def required_units(sentence: Sentence) -> list[LabelUnit]:
    return [unit for unit in (sentence.whole, *sentence.facts) if unit.required]


def is_judged(unit: LabelUnit, sentence: Sentence, draft: Mapping[str, Entry]) -> bool:
    """It has a value (an irrelevant fact also its kind of irrelevance), or its whole sentence is irrelevant."""
    if judgement_at(draft, sentence.whole.key).value == Value.IRRELEVANT:
        return True
    judgement = judgement_at(draft, unit.key)
    if unit.fact is not None and judgement.value == Value.IRRELEVANT:
        return bool(judgement.irrelevance)
    return bool(judgement.value)
