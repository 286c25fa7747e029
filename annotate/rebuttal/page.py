"""The pages of a rebuttal: the sentences that differ as they are judged, with the others' evidence for each."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.urls import reverse

from annotate.cases.differing import differing_segments
from annotate.judgements.entries import COMMENT_KEY, Draft, Entry, draft_of
from annotate.judgements.page_keys import PageKeys
from annotate.judgements.units import ResponseReading
from annotate.labels.changes import Changes, merged
from annotate.labels.contexts import AssignmentPage, assignment_page_of, bench_context, page_context
from annotate.labels.draft import addresses_of
from annotate.labels.own_work import waiting_rebuttals
from annotate.labels.submitted import submitted_draft
from annotate.models import Assignment
from annotate.rebuttal.evidence import Card, evidence_of_others


@dataclass(frozen=True)
class Revision:
    """What an annotator may revise: the sentences that differ, by primary key, and the readings with these alone.

    `draft` are the entries there, those submitted until something was revised; `kept` are those elsewhere.
    """

    segments: set[int]
    readings: list[ResponseReading]
    draft: Draft
    kept: Draft

    def with_changes(self, changes: Changes) -> "Revision":
        return replace(self, draft=merged(self.draft, changes))

    @property
    def whole(self) -> Draft:
        """All that the annotator says with it."""
        return {**self.kept, **self.draft}


@dataclass(frozen=True)
class EvidenceOfSentence:
    """The others' citations for a sentence that differs; `key` is the page's for the sentence."""

    number: int
    key: str
    cards: list[Card]


@dataclass(frozen=True)
class RebuttalPlace:
    """Where a rebuttal stands among the `waiting` ones of its annotator: its `number` from 1, and the key of the
    following one, None without any other. `untouched` are those in which nothing was revised yet."""

    number: int
    waiting: int
    following: str | None
    untouched: int


def revision_at_hand(own: Assignment, readings: list[ResponseReading]) -> Revision:
    """`readings` are those of the task."""
    segments = differing_segments(own.task)
    differing = [
        replace(reading, sentences=tuple(each for each in reading.sentences if each.whole.segment.pk in segments))
        for reading in readings
    ]
    known = addresses_of(own.task.dataset, differing) - {COMMENT_KEY}
    submitted = submitted_draft(own)
    written = draft_of(own) or submitted
    return Revision(
        segments,
        differing,
        {key: entry for key, entry in written.items() if key in known},
        {key: entry for key, entry in submitted.items() if key not in known},
    )


def rebuttal_bench(own: Assignment) -> dict[str, Any]:
    """The context of the workbench of a rebuttal."""
    page = assignment_page_of(own)
    revision = revision_at_hand(own, page.readings)
    addresses = {
        "save": reverse("rebuttal-save", args=[own.key]),
        "compare": reverse("rebuttal-compare", args=[own.key]),
        "revising": bool(own.draft),
    }
    bench = bench_context(own, replace(page, readings=revision.readings), revision.draft, rebuttal=True, **addresses)
    return {**bench, **_shared(own, page, revision, revision.kept)}


def rebuttal_form(own: Assignment, page: AssignmentPage, revision: Revision) -> dict[str, Any]:
    """The context of its plain form, which needs no script."""
    return _shared(own, page, revision, revision.whole)


def _shared(own: Assignment, page: AssignmentPage, revision: Revision, entries: Mapping[str, Entry]) -> dict[str, Any]:
    """`entries` are written into the page; those of its script are not."""
    return {
        **page_context(own, page, entries, tab="label"),
        "rebuttal": _place_of(own),
        "differing": revision.segments,
        "sentences": sum(len(reading.sentences) for reading in page.readings),
        "others": _others(own, revision),
    }


def _others(own: Assignment, revision: Revision) -> list[EvidenceOfSentence]:
    evidence, keys = evidence_of_others(own), PageKeys(own)
    return [
        EvidenceOfSentence(sentence.number, keys.of(sentence.whole.key), evidence.get(sentence.whole.segment.pk, []))
        for reading in revision.readings
        for sentence in reading.sentences
    ]


def _place_of(own: Assignment) -> RebuttalPlace:
    waiting = waiting_rebuttals(own.task.dataset, own.annotator)
    keys = list(waiting.values_list("key", flat=True))
    at = keys.index(own.key) if own.key in keys else 0
    following = keys[(at + 1) % len(keys)] if len(keys) > 1 else None
    return RebuttalPlace(at + 1, len(keys), following, waiting.untouched().count())
