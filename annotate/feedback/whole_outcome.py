"""An annotator's own corrections and removals beside the settled ones: never anybody else's."""

from dataclasses import dataclass

from annotate.judgements.word_diff import DiffPiece, word_diff
from annotate.models import Assignment, Edit, GoldEdit, Removal, Response, ResponseLabel, Segment


@dataclass(frozen=True)
class EditOutcome:
    """A sentence that the annotator or gold has otherwise than it was; `own` and `gold` are their texts ("" removes
    it, the sentence itself leaves it as it was), `why` is the adjudicator's reason ("": nobody settled it)."""

    segment: Segment
    own: str
    gold: str
    why: str

    @property
    def own_diff(self) -> list[DiffPiece]:
        return word_diff(self.segment.text, self.own)

    @property
    def gold_diff(self) -> list[DiffPiece]:
        return word_diff(self.segment.text, self.gold)

    @property
    def differs(self) -> bool:
        return self.own != self.gold


@dataclass(frozen=True)
class RemovalOutcome:
    """A response that the annotator would keep or remove (`own` None: they did not say), and what was settled (None:
    it stays, and nobody had to say so)."""

    response: Response
    own: ResponseLabel | None
    settled: Removal | None

    @property
    def differs(self) -> bool:
        return (self.own is None or self.own.keep) != (self.settled is None or self.settled.keep)


def edit_outcomes(assignment: Assignment) -> list[EditOutcome]:
    """In reading order."""
    own = {edit.segment_id: edit.text for edit in Edit.objects.filter(assignment=assignment).order_by("revision")}
    current = GoldEdit.objects.current().filter(segment__response__task=assignment.task)
    gold = {edit.segment_id: edit for edit in current.select_related("adjudication")}
    segments = Segment.objects.filter(pk__in={*own, *gold}).order_by("response__position", "position")
    edits = []
    for segment in segments:
        settled = gold.get(segment.pk)
        outcome = EditOutcome(
            segment,
            own.get(segment.pk, segment.text),
            settled.text if settled else segment.text,
            settled.adjudication.why if settled else "",
        )
        if {outcome.own, outcome.gold} != {segment.text}:
            edits.append(outcome)
    return edits


def removal_outcomes(assignment: Assignment) -> list[RemovalOutcome]:
    """Responses with a verdict of the annotator or a settled one, in reading order."""
    verdicts = ResponseLabel.objects.filter(assignment=assignment).order_by("revision")
    own = {verdict.response_id: verdict for verdict in verdicts}
    in_force = Removal.objects.filter(response__task=assignment.task, superseded__isnull=True)
    settled = {each.response_id: each for each in in_force}
    responses = Response.objects.visible().filter(pk__in={*own, *settled}).order_by("position")
    return [RemovalOutcome(each, own.get(each.pk), settled.get(each.pk)) for each in responses]
