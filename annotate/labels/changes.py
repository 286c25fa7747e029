"""Saves what changed on the page, and nothing else: the way of every few key strokes, so it asks for little.

Of the task's texts nothing is read. A key that the draft holds already was checked when it came; only a new one is
looked up.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from django.utils import timezone

from annotate.database.prepared import Prepared, PreparedUpdate, Slot
from annotate.judgements.entries import COMMENT_KEY, Draft, Entry, correction_key, draft_of, verdict_key
from annotate.judgements.judgement import JudgementError, UnitJudgement
from annotate.judgements.page_keys import PageKeys
from annotate.judgements.units import ResponseReading, unit_key
from annotate.labels.active import NO_TIME, Worked, with_worked
from annotate.labels.draft import (
    WRITTEN,
    Saved,
    SaveOutcome,
    addresses_of,
    check_addresses,
    check_entry,
    save_draft,
)
from annotate.models import Assignment, AtomicFact, Dataset, Scheme, Segment, Task
from annotate.models.corpus import visible
from annotate.suggestions.shown import seen_with
from annotate.tasks.places import lease_end
from knowledge.models import Document

# The columns on which a save depends: they must be as they were read.
SEEN = ("draft_version", "lease_until", "active_seconds")

# No Slot stands for None; an open place has a lease.
_held = PreparedUpdate(
    lambda: Assignment.objects.filter(
        pk=Slot("pk"),
        state=Assignment.State.OPEN,
        task__in=Task.objects.filter(pk=Slot("task")).unsettled(),
        **{name: Slot(name) for name in SEEN},
    ),
    *WRITTEN,
)
_segments = Prepared(
    lambda: Segment.objects.filter(visible("response__"), response__task=Slot("task")).only("response").order_by()
)
_facts = Prepared(
    lambda: AtomicFact.objects.for_labelling().filter(segment__response__task=Slot("task")).only("segment").order_by()
)

# An entry by its key; None takes it back.
Changes = Mapping[str, Entry | None]


def check_changes(assignment: Assignment, sent: Changes, readings: Sequence[ResponseReading] | None = None) -> Changes:
    """The changes in regular form; JudgementError for a broken rule, an unknown address or an unknown source.

    `sent` goes by the page's keys, the answer by those of the draft. `readings`: those of the task, where somebody has
    them already.
    """
    dataset = assignment.task.dataset
    draft_key = _read_keys(assignment, sent, readings)
    changes = {draft_key[key]: entry for key, entry in sent.items()}
    checked = {key: entry and check_entry(dataset, key, entry) for key, entry in changes.items()}
    check_sources(dataset, checked.values())
    return {key: None if entry is None or entry.empty else entry for key, entry in checked.items()}


def save_changes(
    assignment: Assignment,
    changes: Changes,
    version: int,
    worked: Worked = NO_TIME,
    now: datetime | None = None,
    guideline: int | None = None,
) -> Saved:
    """Write the changes over the draft of that version; outcomes as of `save_draft`.

    Mostly this is one statement that holds by its own conditions: the place is still held, the task open, the version
    the one that the page had seen. Where it finds nothing to write, the place is locked and looked at in full.
    """
    now = now or timezone.now()
    draft = merged(draft_of(assignment), changes)
    if assignment.draft_version == version and _write(assignment, draft, worked, now, guideline):
        return Saved(SaveOutcome.SAVED, assignment)
    return save_draft(assignment, draft, version, now, worked, guideline)


def merged(draft: Draft, changes: Changes) -> Draft:
    both = {**draft, **changes}
    return {key: entry for key, entry in both.items() if entry is not None}


def _write(assignment: Assignment, draft: Draft, worked: Worked, now: datetime, guideline: int | None) -> bool:
    """Whether the draft could be written at once; the assignment is then as stored."""
    stored = {key: entry.stored() for key, entry in draft.items()}
    new = {
        "draft": stored,
        "draft_version": assignment.draft_version + (stored != assignment.draft),
        "guideline_version": assignment.guideline_version if guideline is None else guideline,
        "lease_until": lease_end(now),
        "suggestions_seen": seen_with(assignment, draft),
        **with_worked(assignment, worked, now),
    }
    seen = {name: getattr(assignment, name) for name in SEEN}
    if not _held.run(new, pk=assignment.pk, task=assignment.task_id, **seen):
        return False
    for name, value in new.items():
        setattr(assignment, name, value)
    return True


def _read_keys(
    assignment: Assignment, sent: Iterable[str], readings: Sequence[ResponseReading] | None
) -> dict[str, str]:
    """The draft's key for each of the page's; JudgementError for one of no address."""
    keys, sent = PageKeys(assignment), set(sent)
    known = keys.read([COMMENT_KEY, *assignment.draft])
    if sent - known.keys():
        task = assignment.task
        known |= keys.read(_addresses(task) if readings is None else addresses_of(task.dataset, readings))
    check_addresses(sent, known)
    return known


def _addresses(task: Task) -> set[str]:
    """The keys that a draft of the task may have."""
    by_segment = task.dataset.scheme != Scheme.FACTSCORE
    segments = {segment.pk: segment.response_id for segment in _segments.all(task=task.pk)}
    known = set()
    for segment, response in segments.items():
        known |= {unit_key(segment, None), verdict_key(response) if by_segment else correction_key(segment)}
    if not by_segment:
        facts = _facts.all(task=task.pk)
        known |= {unit_key(fact.segment_id, fact.pk) for fact in facts if fact.segment_id in segments}
    return known


def check_sources(dataset: Dataset, entries: Iterable[Entry | None]) -> None:
    """Raises JudgementError unless each cited document belongs to the dataset's knowledge source."""
    cited = {card for entry in entries if isinstance(entry, UnitJudgement) for card in entry.references}
    documents = {card.document for card in cited if card.document is not None}
    if documents:
        known = Document.objects.visible().filter(pk__in=documents, source=dataset.knowledge_source_id)
        if known.count() != len(documents):
            raise JudgementError("a reference cites a document that the knowledge source does not have")
