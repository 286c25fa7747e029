"""The submitted entries of an annotator, as they wrote them."""

from dataclasses import replace

from annotate.judgements.entries import (
    COMMENT_KEY,
    Comment,
    Correction,
    Draft,
    ResponseVerdict,
    correction_key,
    judgement_at,
    verdict_key,
)
from annotate.judgements.judgement import CitedReference, UnitJudgement
from annotate.judgements.units import unit_key
from annotate.models import Assignment, Label, UnitMark


def judgement_of(label: Label) -> UnitJudgement:
    """The label's content, as a draft holds it."""
    references = tuple(CitedReference.from_link(link) for link in label.references.all())
    return UnitJudgement(label.value, label.error_type, label.reason, references, label.irrelevance, label.flagged)


def submitted_draft(assignment: Assignment) -> Draft:
    """All labels in their last revision, by draft key; a withdrawn one is the row that withdraws it."""
    labels = assignment.labels.in_force().prefetch_related("references")
    draft: Draft = {unit_key(label.segment_id, label.fact_id): judgement_of(label) for label in labels}
    for mark in assignment.marks.exclude(state=UnitMark.State.WITHDRAWN):
        key = unit_key(mark.segment_id, mark.fact_id)
        draft[key] = replace(judgement_at(draft, key), mark=mark.kind, mark_note=mark.note)
    for edit in assignment.edits.order_by("revision"):
        draft[correction_key(edit.segment_id)] = Correction(edit.text)
    for verdict in assignment.response_labels.order_by("revision"):
        draft[verdict_key(verdict.response_id)] = ResponseVerdict(verdict.keep, verdict.reason)
    if assignment.comment:
        draft[COMMENT_KEY] = Comment(assignment.comment)
    return draft
