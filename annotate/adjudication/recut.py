"""A response that people have labelled is cut anew: as a copy with its own segments, in the place of the earlier one.

Labels stay where they are written. The earlier response is removed by selection, with its labels, and can be brought
back; the copy takes over each label that still fits, and its annotators are asked for the others.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Max, Q

from annotate.adjudication.decide import DecisionError, check_why
from annotate.adjudication.marks import settle
from annotate.adjudication.remove import remove
from annotate.judgements.entries import verdict_key
from annotate.labels.returned import send_back, why_not_sent_back
from annotate.models import (
    Assignment,
    GoldLabel,
    Label,
    ReferenceLink,
    Response,
    ResponseLabel,
    Scheme,
    Segment,
    Segmentation,
    Signature,
    Task,
    UnitMark,
    User,
)
from annotate.segments.cutting import Span
from annotate.segments.rewrite import current_spans
from annotate.segments.untouched import lock
from jobs.models import JobItem

State = Assignment.State


@dataclass(frozen=True)
class NewSegment:
    """A span, the earlier segments that it is made of whole (none where a cut was moved or set), the labels that stay
    with it, and how many annotators are asked for theirs again."""

    span: Span
    text: str
    sources: tuple[Segment, ...]
    kept: tuple[Label, ...]
    asked: int

    @property
    def unchanged(self) -> bool:
        return len(self.sources) == 1


@dataclass(frozen=True)
class Plan:
    """`returned`: submitted work that goes back to its annotators."""

    segments: tuple[NewSegment, ...]
    returned: tuple[Assignment, ...]

    @property
    def kept(self) -> int:
        return sum(len(each.kept) for each in self.segments)

    @property
    def asked(self) -> int:
        return sum(each.asked for each in self.segments)

    @property
    def word(self) -> str:
        """By which what was shown is compared with what would be done now."""
        kept = sorted(label.pk for each in self.segments for label in each.kept)
        return ".".join(map(str, [self.asked, *kept]))


def plan(response: Response, spans: Sequence[Span]) -> Plan:
    """What stays and what goes if the response is cut at the spans. Raises DecisionError where it cannot be."""
    if why := why_not(response):
        raise DecisionError(why)
    if current_spans(response) == list(spans):
        raise DecisionError("the cuts are as before")
    segments = list(response.segments.order_by("position"))
    submitted = list(response.task.assignments.filter(state=State.SUBMITTED)) if response.task else []
    labels = Label.objects.filter(segment__response=response, assignment__in=submitted).in_force()
    said = {(each.assignment_id, each.segment_id): each for each in labels.prefetch_related("references")}
    new: list[NewSegment] = []
    lacking: set[int] = set()
    for start, end in spans:
        sources = _whole_sources(segments, (start, end))
        kept = [_fitting([said.get((each.pk, source.pk)) for source in sources]) for each in submitted]
        lacking |= {each.pk for each, label in zip(submitted, kept, strict=True) if label is None}
        stay = tuple(label for label in kept if label is not None)
        new.append(NewSegment((start, end), response.text[start:end], sources, stay, len(submitted) - len(stay)))
    return Plan(tuple(new), tuple(each for each in submitted if each.pk in lacking))


def why_not(response: Response) -> str:
    """Why a response cannot be cut anew; "" if it can."""
    task = response.task
    gold = GoldLabel.objects.filter(segment__response=response)
    signed = Signature.objects.filter(response=response, withdrawn_at__isnull=True)
    reasons = (
        (response.dataset.scheme != Scheme.FELM, "only segments of FELM's scheme can be cut anew once work has begun"),
        (response.removed_at is not None, "the response is removed"),
        (task is None or task.kind != Task.Kind.WORK, "its task is none of work proper"),
        (task is not None and task.closed_at is not None, "its task is adjudicated and closed"),
        (task is not None and task.rebuttal_at is not None, "its rebuttal has begun"),
        (gold.exists(), "gold is settled in the response, and gold is never overwritten"),
        (signed.exists(), "the response is signed"),
        (response.segments.filter(Q(start=None) | Q(end=None)).exists(), "a segment is not found in the text"),
        (_is_evaluated(response), "an evaluator is at work on the response"),
    )
    return next((why for holds, why in reasons if holds), "")


@transaction.atomic
def recut(response: Response, spans: Sequence[Span], who: User, why: str, seen: str) -> Response:
    """The response that takes the earlier one's place. `seen`: the word of the plan that the person was shown. Raises
    DecisionError, before anything is written."""
    why = check_why(why)
    response = lock(response)
    planned = plan(response, spans)
    if planned.word != seen:
        raise DecisionError("labels were changed in the meantime: look at what stays and goes once more")
    if blocked := next(filter(None, map(why_not_sent_back, planned.returned)), ""):
        raise DecisionError(blocked)
    copy = _copy(response)
    _write_segments(copy, planned, who)
    _copy_whole(response, copy)
    _settle_marks(response, planned, copy, who, why)
    _move_drafts(response, copy, planned)
    remove(response.dataset, [response.pk], who, why)
    for assignment in planned.returned:
        send_back(assignment, f"A response was cut anew: {why} Label the units that are open.", who)
    return copy


def _whole_sources(segments: Sequence[Segment], span: Span) -> tuple[Segment, ...]:
    """The segments that the span holds, where it begins and ends as they do; () where a cut stands inside of one."""
    inside = tuple(each for each in segments if span[0] <= (each.start or 0) and (each.end or 0) <= span[1])
    if inside and inside[0].start == span[0] and inside[-1].end == span[1]:
        return inside
    return ()


def _fitting(labels: Sequence[Label | None]) -> Label | None:
    """The label that holds for all the merged segments, if they have the same; the first one's reason stays."""
    first = labels[0] if labels else None
    alike = {(each.value, each.error_type, each.irrelevance) if each else None for each in labels}
    return first if len(alike) == 1 else None


def _is_evaluated(response: Response) -> bool:
    return Response.objects.filter(pk=response.pk, run_items__state__in=JobItem.UNSETTLED).exists()


def _copy(response: Response) -> Response:
    """The same response under a name of its own, at the end of the dataset."""
    others = Response.objects.filter(dataset=response.dataset_id)
    root = response.index[:450]
    number = next(each for each in range(2, 10**6) if not others.filter(index=f"{root} (cut {each})").exists())
    extra = {name: value for name, value in response.extra.items() if name != "index"}
    copy = Response.objects.get(pk=response.pk)
    copy.pk, copy.index, copy.extra = None, f"{root} (cut {number})", extra
    copy.position = 1 + (others.aggregate(last=Max("position"))["last"] or 0)
    copy._state.adding = True
    copy.save()
    return copy


def _write_segments(copy: Response, planned: Plan, who: User) -> None:
    spans = [each.span for each in planned.segments]
    Segmentation.objects.create(
        response=copy, origin=Segmentation.Origin.HUMAN, spans=[list(span) for span in spans], author=who
    )
    for position, new in enumerate(planned.segments):
        segment = Segment.objects.create(
            response=copy, position=position, text=new.text, start=new.span[0], end=new.span[1]
        )
        for label in new.kept:
            cards = list(label.references.all())
            written = label.created_at
            label.pk, label.segment, label._state.adding = None, segment, True
            label.save()
            Label.objects.filter(pk=label.pk).update(created_at=written)
            _copy_links(cards, label=label)


def _copy_whole(response: Response, copy: Response) -> None:
    """What is said of the response, and the links that came with it."""
    for verdict in ResponseLabel.objects.filter(response=response):
        verdict.pk, verdict.response, verdict._state.adding = None, copy, True
        verdict.save()
    _copy_links(list(response.references.all()), response=copy)


def _copy_links(links: Sequence[ReferenceLink], **owner: Label | Response) -> None:
    for link in links:
        link.pk, link._state.adding = None, True
        for name, value in owner.items():
            setattr(link, name, value)
    ReferenceLink.objects.bulk_create(links)


def _settle_marks(response: Response, planned: Plan, copy: Response, who: User, why: str) -> None:
    """Marks of wrong cuts are mended; any other on an unchanged segment goes along."""
    unchanged = {each.sources[0].pk: at for at, each in enumerate(planned.segments) if each.unchanged}
    segments = list(copy.segments.order_by("position"))
    for mark in UnitMark.objects.filter(segment__response=response, state=UnitMark.State.OPEN):
        at = unchanged.get(mark.segment_id)
        if mark.kind == UnitMark.Kind.NO_CLAIM and at is not None:
            UnitMark.objects.create(
                assignment_id=mark.assignment_id, segment=segments[at], kind=mark.kind, note=mark.note
            )
        else:
            settle(mark, UnitMark.State.MENDED, who, why)


def _move_drafts(response: Response, copy: Response, planned: Plan) -> None:
    """What annotators at work said of unchanged segments, and of the response, stands in their drafts at the copy."""
    segments = list(copy.segments.order_by("position"))
    keys = {str(each.sources[0].pk): str(segments[at].pk) for at, each in enumerate(planned.segments) if each.unchanged}
    keys[verdict_key(response.pk)] = verdict_key(copy.pk)
    for work in Assignment.objects.filter(task=response.task_id).exclude(state=State.SUBMITTED).exclude(draft={}):
        moved = {keys[key]: entry for key, entry in work.draft.items() if key in keys}
        if moved:
            draft, version = {**work.draft, **moved}, work.draft_version + 1
            Assignment.objects.filter(pk=work.pk).update(draft=draft, draft_version=version)
