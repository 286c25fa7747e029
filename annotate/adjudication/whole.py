"""Decisions on a sentence or a response as a whole: its corrected text, and whether it stays."""

from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet

from annotate.adjudication.decide import DecisionError, check_seen, check_storable, check_why
from annotate.cases.close import close_task_of
from annotate.cases.order import in_review_order
from annotate.judgements.word_diff import DiffPiece, word_diff
from annotate.models import (
    Adjudication,
    Assignment,
    Edit,
    GoldEdit,
    Removal,
    Response,
    ResponseLabel,
    Segment,
    Task,
    User,
)


@dataclass(frozen=True)
class EditedSentence:
    """A sentence that somebody corrected: each annotator's text (the sentence itself where one left it as it was) in an
    order that names nobody, and the settled one (None: not settled). `complete`: its annotators are done, so that no
    other text comes."""

    segment: Segment
    versions: tuple[str, ...]
    gold: GoldEdit | None
    complete: bool

    @property
    def agreed(self) -> bool:
        return self.complete and len(set(self.versions)) == 1

    @property
    def may_be_settled(self) -> bool:
        return self.complete or self.gold is not None

    @property
    def diffs(self) -> list[tuple[str, list[DiffPiece]]]:
        """Each different version with its changes."""
        return [(text, word_diff(self.segment.text, text)) for text in dict.fromkeys(self.versions)]

    @property
    def choices(self) -> list[tuple[str, list[DiffPiece]]]:
        """The same, and the sentence as it is, for the adjudicator who settles its text."""
        text = self.segment.text
        return self.diffs if text in self.versions else [*self.diffs, (text, word_diff(text, text))]

    @property
    def gold_diff(self) -> list[DiffPiece]:
        return word_diff(self.segment.text, self.gold.text) if self.gold else []


def edited_sentences(response: Response) -> list[EditedSentence]:
    """Those of the response that at least one annotator corrected, in reading order."""
    texts: dict[int, dict[int, str]] = {}
    edits = Edit.objects.filter(segment__response=response, assignment__in=_done(response))
    for edit in edits.order_by("revision"):
        texts.setdefault(edit.segment_id, {})[edit.assignment_id] = edit.text
    if not texts:
        return []
    places = in_review_order(_done(response).order_by("place").values_list("pk", flat=True), response.pk)
    complete = is_labelled(response)
    gold = {each.segment_id: each for each in GoldEdit.objects.current().filter(segment__response=response)}
    sentences = []
    for segment in response.segments.filter(pk__in=texts):
        versions = tuple(texts[segment.pk].get(place, segment.text) for place in places)
        if any(version != segment.text for version in versions):
            sentences.append(EditedSentence(segment, versions, gold.get(segment.pk), complete))
    return sentences


def is_labelled(response: Response) -> bool:
    """All its annotators have submitted, and no rebuttal is open."""
    return Task.objects.filter(responses=response).labelled().exists()


def _done(response: Response) -> QuerySet[Assignment]:
    """The work that counts: submitted, and not on known answers."""
    return Assignment.objects.real().filter(task__responses=response, state=Assignment.State.SUBMITTED)


@transaction.atomic
def settle_edit(segment_key: int, who: User, text: str, why: str, seen: str | None = None) -> GoldEdit:
    """Make this the sentence's correction ("" removes the sentence, its own text leaves it as it is).

    `seen` is as `sign` has it. Raises DecisionError for a missing reason, for a text or reason that no database can
    keep, if anything of the response was decided since it was seen, and for a sentence that has no settled correction
    and whose annotators are not done: another's correction would never be read.
    """
    segment = Segment.objects.select_related("response__dataset", "response__task").get(pk=segment_key)
    text = check_storable(text.strip(), "correction")
    why = check_why(why)
    revision = segment.response.dataset.next_gold_revision()
    check_seen(segment.response, seen)
    settled = GoldEdit.objects.current().filter(segment=segment)
    if not settled.exists() and not is_labelled(segment.response):
        raise DecisionError("its annotators have not finished")
    segment.response.withdraw_signatures()
    guideline = segment.response.dataset.guidelines.order_by("-version").first()
    decision = Adjudication.objects.create(segment=segment, who=who, why=why, guideline=guideline)
    edit = write_edit(segment, text, decision, revision)
    close_task_of(segment.response)
    return edit


def carry_over_edits(response: Response, who: User, why: str, revision: int) -> int:
    """Settle the corrections that all annotators agree on; return their number."""
    agreed = [each for each in edited_sentences(response) if each.agreed and each.gold is None]
    for each in agreed:
        decision = Adjudication.objects.create(segment=each.segment, who=who, why=why)
        write_edit(each.segment, each.versions[0], decision, revision)
    return len(agreed)


def write_edit(segment: Segment, text: str, decision: Adjudication, revision: int) -> GoldEdit:
    """The sentence's correction from the revision on, in place of one that is there. It checks nothing."""
    GoldEdit.objects.current().filter(segment=segment).update(superseded=revision)
    return GoldEdit.objects.create(segment=segment, text=text, adjudication=decision, revision=revision)


@dataclass(frozen=True)
class RemovalStatus:
    """Annotators' verdicts on a whole response (the last of each, in an order that names nobody), and the decision."""

    verdicts: tuple[ResponseLabel, ...]
    settled: Removal | None

    @property
    def disputed(self) -> bool:
        """Somebody would remove it, and nobody has settled that."""
        return self.settled is None and any(not verdict.keep for verdict in self.verdicts)


def removal_status_of(response: Response) -> RemovalStatus:
    last_verdicts: dict[int, ResponseLabel] = {}
    verdicts = response.response_labels.filter(assignment__in=_done(response))
    for verdict in verdicts.order_by("assignment__place", "revision"):
        last_verdicts[verdict.assignment_id] = verdict
    settled = response.removals.filter(superseded__isnull=True).select_related("who").first()
    return RemovalStatus(tuple(in_review_order(last_verdicts.values(), response.pk)), settled)


@transaction.atomic
def settle_removal(response: Response, who: User, keep: bool, why: str, seen: str | None = None) -> Removal:
    """Keep the response in the dataset or take it out: gold is exported, frozen and evaluated without it then.

    `seen` is as `sign` has it. Raises DecisionError for a missing reason, for one that no database can keep, and if
    anything of the response was decided since it was seen.
    """
    why = check_why(why)
    revision = response.dataset.next_gold_revision()
    check_seen(response, seen)
    response.withdraw_signatures()
    response.removals.filter(superseded__isnull=True).update(superseded=revision)
    removal = Removal.objects.create(response=response, keep=keep, who=who, why=why, revision=revision)
    close_task_of(response)
    return removal
