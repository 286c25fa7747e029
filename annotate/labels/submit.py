"""Turn a complete draft into labels, once and for good; a revision appends to them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeAlias

from django.db import transaction
from django.utils import timezone
from django.utils.text import Truncator

from annotate.cases.close import close_if_settled_before
from annotate.cases.differing import open_rebuttal
from annotate.database.prepared import Prepared, PreparedInsert, PreparedUpdate, Slot
from annotate.judgements.entries import (
    Correction,
    Draft,
    Entry,
    ResponseVerdict,
    correction_key,
    draft_of,
    judgement_at,
    verdict_key,
)
from annotate.judgements.judgement import UnitJudgement
from annotate.judgements.units import LabelUnit, ResponseReading, judged_readings_of, unit_key
from annotate.labels.active import NO_TIME, Worked
from annotate.labels.draft import WRITTEN, Saved, SaveOutcome, progress, take_in, written
from annotate.labels.marks import rewrite_marks, write_marks
from annotate.labels.signals import work_submitted
from annotate.labels.skip import comment_of
from annotate.labels.submitted import submitted_draft
from annotate.links.write import write_links
from annotate.models import (
    Assignment,
    AssignmentEvent,
    Dataset,
    Edit,
    Guideline,
    Label,
    ReferenceLink,
    ResponseLabel,
    Scheme,
    Value,
)
from annotate.models.corpus import visible
from annotate.suggestions.recorded import NOTHING, Says, columns_of, suggestions_to_record
from annotate.tasks.places import lock

# The columns of the locked assignment that a submission writes.
ENDED = ("state", "submitted_at", "comment", *WRITTEN)

_ended = PreparedUpdate(lambda: Assignment.objects.filter(pk=Slot("pk")), *ENDED)
_labels = PreparedInsert(Label)
_guideline = Prepared(lambda: Guideline.objects.filter(dataset=Slot("dataset")).order_by("-version")[:1])
_version = Prepared(lambda: Guideline.objects.filter(dataset=Slot("dataset"), version=Slot("version")))

# A judgement at its address, and whose it is.
Judged: TypeAlias = tuple[Assignment, LabelUnit, UnitJudgement]


class SubmitError(ValueError):
    """It cannot be submitted as it is; the message says why. Nothing was changed."""


@transaction.atomic
def submit(assignment: Assignment, now: datetime | None = None) -> list[Label]:
    """Write the draft's entries as labels, edits and response labels, with the guidelines that its page showed, and end
    the assignment.

    Raises SubmitError unless the annotator holds the place, every unit has a value, every error what the dataset
    requires, and every removal a reason.
    """
    return _submit(_at_hand(assignment), now or timezone.now())


@transaction.atomic
def save_and_submit(
    assignment: Assignment,
    read_draft: Callable[[Sequence[ResponseReading]], Draft],
    version: int,
    worked: Worked = NO_TIME,
    guideline: int | None = None,
) -> Saved:
    """Save a draft (`save_draft`) and submit it, all in one transaction; what cannot be submitted is saved still.

    `read_draft` gives the draft of the readings; its errors leave everything as it was.
    """
    work, now = _at_hand(assignment), timezone.now()
    saved = take_in(work.assignment, read_draft(work.readings), version, now, worked, guideline)
    if saved.outcome is SaveOutcome.SAVED:
        try:
            _submit(replace(work, assignment=saved.assignment), now)
            return saved
        except SubmitError as error:  # it looks before it writes
            saved = replace(saved, unready=str(error))
    return written(saved)


@dataclass(frozen=True)
class _Work:
    """A locked assignment with the responses to judge."""

    assignment: Assignment
    readings: list[ResponseReading]


def _at_hand(assignment: Assignment) -> _Work:
    return _Work(lock(assignment), judged_readings_of(assignment.task))


def _submit(work: _Work, now: datetime) -> list[Label]:
    """Raises SubmitError before anything is written."""
    assignment, readings = work.assignment, work.readings
    if assignment.state != Assignment.State.OPEN or assignment.task.closed_at is not None:
        raise SubmitError("Only work in progress can be submitted.")
    draft = draft_of(assignment)
    check_complete(readings, draft)
    judged = [(assignment, *judged) for reading in readings for judged in judgements(reading, draft)]
    again = assignment.is_returned
    check_errors(_changed_judgements(work, draft) if again else judged)
    assignment.state = Assignment.State.SUBMITTED
    assignment.submitted_at = now
    assignment.comment = comment_of(assignment)
    assignment.lease_until, assignment.draft = None, {}
    _ended.run({name: getattr(assignment, name) for name in ENDED}, pk=assignment.pk)
    if again:
        labels = _submit_again(work, draft)
    else:
        guideline = shown_guideline(assignment, assignment.guideline_version)
        labels = write_labels(judged, guideline, says=suggestions_to_record(assignment))
        write_others(assignment, readings, draft, {}, revision=0)
        write_marks(assignment, readings, draft)
    if assignment.task.dataset.tells_submissions:
        work_submitted.send(Assignment, assignment=assignment)
    open_rebuttal(assignment.task, now)
    close_if_settled_before(assignment.task)
    return labels


@transaction.atomic
def submit_revision(assignment: Assignment, draft: Draft, shown: int | None = None) -> int:
    """Append the next revision of whatever a submitted assignment now says otherwise; return how much that is.

    `shown` is the version of the guidelines on its page, 0 if there were none, None for the one in force.
    `draft` is all that the annotator says now, checked (annotate/labels/draft.py, check_draft); what it says as before
    gets no row. Where a sentence was judged by its facts and is now as a whole, or the other way round, a row takes
    back each label that no longer holds. Raises SubmitError if it is incomplete.
    """
    work = _at_hand(assignment)
    assignment, readings = work.assignment, work.readings
    if assignment.state != Assignment.State.SUBMITTED or assignment.task.closed_at is not None:
        raise SubmitError("Only submitted work in an open task can be revised.")
    check_complete(readings, draft)
    check_errors(_changed_judgements(work, draft))
    return _append_revision(work, draft, shown)


def _submit_again(work: _Work, draft: Draft) -> list[Label]:
    """The labels in force after the revision. As long as the annotator took it back by themselves, before anybody acted
    on it, it is as independent as the first submission was."""
    assignment = work.assignment
    events = AssignmentEvent.objects.filter(task=assignment.task_id, annotator=assignment.annotator_id)
    if (
        _append_revision(work, draft, assignment.guideline_version, suggestions_to_record(assignment))
        and not events.filter(what=AssignmentEvent.What.SENT_BACK).exists()
    ):
        assignment.independent_revision = _next_revision(assignment) - 1
        assignment.save(update_fields=["independent_revision"])
    who, what = assignment.annotator, AssignmentEvent.What.REVISED
    AssignmentEvent.objects.create(task=assignment.task, annotator=who, what=what, who=who)
    return list(assignment.labels.in_force())


def _changed_judgements(work: _Work, draft: Draft) -> list[Judged]:
    """What the draft says otherwise than the labels in force."""
    before = submitted_draft(work.assignment)
    return [
        (work.assignment, unit, judgement)
        for reading in work.readings
        for unit, judgement in judgements(reading, draft)
        if unit.key not in before or _content(judgement) != _content(before[unit.key])
    ]


def _append_revision(work: _Work, draft: Draft, shown: int | None, says: Says = NOTHING) -> int:
    """Append the next revision of whatever the draft says otherwise; return how much that is."""
    assignment, readings = work.assignment, work.readings
    before, changed = submitted_draft(assignment), _changed_judgements(work, draft)
    judged = [pair for reading in readings for pair in judgements(reading, draft)]
    revision, guideline = _next_revision(assignment), shown_guideline(assignment, shown)
    taken_back = _take_back(work, {unit.key for unit, _ in judged}, revision, guideline)
    write_labels(changed, guideline, revision, says)
    rewrite_marks(assignment, readings, draft)
    return taken_back + len(changed) + write_others(assignment, readings, draft, before, revision)


def check_complete(readings: Sequence[ResponseReading], draft: Mapping[str, Entry]) -> None:
    """Raises SubmitError for a unit without a value and for a removal without a reason."""
    left = progress(readings, draft)
    if not left.complete:
        missing = left.total - left.done
        raise SubmitError(f"{missing} of {left.total} {'is' if missing == 1 else 'are'} still open.")
    verdicts = [entry for entry in draft.values() if isinstance(entry, ResponseVerdict)]
    if any(not verdict.keep and not verdict.reason.strip() for verdict in verdicts):
        raise SubmitError("Enter a reason for removing the response.")


def check_errors(judged: Sequence[Judged]) -> None:
    """Raises SubmitError for an error without the type or the reason that its dataset requires."""
    lacking = [
        (unit, needs)
        for assignment, unit, judgement in judged
        if (needs := needs_of(judgement, assignment.task.dataset))
    ]
    if lacking:
        unit, needs = lacking[0]
        others = f", and so do {len(lacking) - 1} other errors" if len(lacking) > 1 else ""
        raise SubmitError(f"The error “{Truncator(unit.text).chars(60)}” needs {' and '.join(needs)}{others}.")


def needs_of(judgement: UnitJudgement, dataset: Dataset) -> list[str]:
    """What an error lacks before it can be submitted."""
    if judgement.value != Value.NOT_SUPPORTED:
        return []
    no_type = dataset.scheme == Scheme.FELM and dataset.type_required and not judgement.error_type
    no_reason = dataset.reason_required and not judgement.reason.strip()
    return [*(["a type"] if no_type else []), *(["a reason"] if no_reason else [])]


def _content(entry: Entry) -> Entry:
    """The annotator's judgement: the snapshots of its links were taken after it, and a mark is no part of the label."""
    if not isinstance(entry, UnitJudgement):
        return entry
    cards = tuple(replace(card, snapshot=None) for card in entry.references)
    return replace(entry, references=cards, mark="", mark_note="")


def _next_revision(assignment: Assignment) -> int:
    rows = (assignment.labels, assignment.edits, assignment.response_labels)
    return 1 + max((revision for each in rows for revision in each.values_list("revision", flat=True)), default=-1)


def _take_back(work: _Work, judged: set[str], revision: int, guideline: Guideline | None) -> int:
    """Withdraw the labels at addresses (draft keys) that are judged no more; return how many. Those in
    removed responses stay."""
    labels = work.assignment.labels.in_force().filter(visible("segment__response__"))
    gone = [label for label in labels if unit_key(label.segment_id, label.fact_id) not in judged]
    Label.objects.bulk_create(
        Label(
            assignment=work.assignment,
            segment_id=label.segment_id,
            fact_id=label.fact_id,
            value=label.value,
            error_type=label.error_type,
            irrelevance=label.irrelevance,
            guideline=guideline,
            revision=revision,
            withdrawn=True,
        )
        for label in gone
    )
    return len(gone)


def judgements(reading: ResponseReading, draft: Mapping[str, Entry]) -> list[tuple[LabelUnit, UnitJudgement]]:
    """The entries of a draft that count: of an irrelevant sentence its own, not earlier ones of its facts."""
    judged = []
    for sentence in reading.sentences:
        whole = judgement_at(draft, sentence.whole.key)
        counted = (sentence.whole,) if whole.value == Value.IRRELEVANT else (sentence.whole, *sentence.facts)
        pairs = [(unit, judgement_at(draft, unit.key)) for unit in counted]
        judged += [(unit, judgement) for unit, judgement in pairs if judgement.value]
    return judged


def guideline_of(assignment: Assignment) -> Guideline | None:
    """The dataset's guidelines in force; None without any."""
    return _guideline.first(dataset=assignment.task.dataset_id)


def shown_guideline(assignment: Assignment, version: int | None) -> Guideline | None:
    """The guidelines on a page: that version, those in force where the page did not say; None without any."""
    if version is None:
        return guideline_of(assignment)
    return _version.first(dataset=assignment.task.dataset_id, version=version)


def write_labels(
    judged: Sequence[Judged], guideline: Guideline | None, revision: int = 0, says: Says = NOTHING
) -> list[Label]:
    """Each judgement as a row of its assignment, its references as links. says: suggestions to record with them."""
    labels = [
        Label(
            assignment=assignment,
            segment=unit.segment,
            fact=unit.fact,
            value=judgement.value,
            error_type=judgement.error_type,
            irrelevance=judgement.irrelevance,
            reason=judgement.reason,
            flagged=judgement.flagged,
            guideline=guideline,
            revision=revision,
            **columns_of(assignment, unit.key, judgement.value, says),
        )
        for assignment, unit, judgement in judged
    ]
    _labels.run(labels)
    write_links(
        ReferenceLink(label=label, position=position, **reference.columns())
        for label, (_, _, judgement) in zip(labels, judged, strict=True)
        for position, reference in enumerate(judgement.references)
    )
    return labels


def write_others(
    assignment: Assignment,
    readings: Sequence[ResponseReading],
    draft: Mapping[str, Entry],
    before: Mapping[str, Entry],
    revision: int,
) -> int:
    """The corrections and verdicts that differ from those before, as rows of that revision; return how many.

    One taken back is a row that says so: the sentence as it was, the response kept.
    """
    edits: list[Edit] = []
    verdicts: list[ResponseLabel] = []
    row = {"assignment": assignment, "revision": revision}
    for reading in readings:
        verdict = _changed(draft, before, verdict_key(reading.response.pk), ResponseVerdict(keep=True))
        if isinstance(verdict, ResponseVerdict):
            reason = verdict.reason.strip()
            verdicts.append(ResponseLabel(response=reading.response, keep=verdict.keep, reason=reason, **row))
        for sentence in reading.sentences:
            segment = sentence.whole.segment
            correction = _changed(draft, before, correction_key(segment.pk), Correction(segment.text))
            if isinstance(correction, Correction):
                edits.append(Edit(segment=segment, text=correction.text, **row))
    Edit.objects.bulk_create(edits)
    ResponseLabel.objects.bulk_create(verdicts)
    return len(edits) + len(verdicts)


def _changed(draft: Mapping[str, Entry], before: Mapping[str, Entry], key: str, nothing: Entry) -> Entry | None:
    """The entry there now, if it differs from the one before; `nothing` if it was withdrawn."""
    if draft.get(key) == before.get(key):
        return None
    return draft.get(key, nothing)
