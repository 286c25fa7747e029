"""The units of a task or response: segments (FELM), claims, or atomic facts under their sentences (FActScore)."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from annotate.database.prepared import Prepared, Slot
from annotate.facts.judged import judged_facts
from annotate.models import (
    AtomicFact,
    ClaimPassage,
    Dataset,
    ReferenceLink,
    Response,
    Scheme,
    Segment,
    SourcePassage,
    Task,
)

_responses = Prepared(
    lambda: Response.objects.visible().filter(task=Slot("task")).select_related("prompt").order_by("position")
)
_segments = Prepared(lambda: Segment.objects.filter(response__task=Slot("task")).order_by("position"))
_references = Prepared(lambda: ReferenceLink.objects.filter(response__task=Slot("task")))
_passages = Prepared(
    lambda: (
        ClaimPassage.objects.filter(claim__response__task=Slot("task"))
        .select_related("passage")
        .order_by("claim", "position")
    )
)


@dataclass(frozen=True)
class LabelUnit:
    """One address: a segment, or a fact of it. `required`: it needs a value of its own before submission. `passages`:
    those of a claim, where they were asked for."""

    segment: Segment
    fact: AtomicFact | None
    required: bool
    passages: tuple[SourcePassage, ...] = ()

    @property
    def key(self) -> str:
        """The address in a draft."""
        return unit_key(self.segment.pk, self.fact.pk if self.fact else None)

    @property
    def text(self) -> str:
        return (self.fact or self.segment).text


@dataclass(frozen=True)
class Sentence:
    """A segment with the units below it; `number` counts the sentences of a response from 1. In FActScore's scheme
    `whole` marks the sentence irrelevant as one."""

    number: int
    whole: LabelUnit
    facts: tuple[LabelUnit, ...]


@dataclass(frozen=True)
class ResponseReading:
    """A response as it is judged; `references` are the links that came with it, where they were asked for."""

    response: Response
    sentences: tuple[Sentence, ...]
    references: tuple[ReferenceLink, ...] = ()

    def units(self) -> Iterator[LabelUnit]:
        for sentence in self.sentences:
            yield sentence.whole
            yield from sentence.facts


def unit_key(segment: int, fact: int | None) -> str:
    return str(segment) if fact is None else f"{segment}.{fact}"


def readings_of(task: Task) -> list[ResponseReading]:
    """The task's responses in their order, with everything that an annotator judges in them and reads beside them."""
    responses = _responses.all(task=task.pk)
    passages = _passages.all(task=task.pk) if task.dataset.scheme == Scheme.CLAIMS else ()
    return _readings(task.dataset, responses, _segments.all(task=task.pk), _references.all(task=task.pk), passages)


def judged_readings_of(task: Task) -> list[ResponseReading]:
    """The same without reference links and passages: a submission is checked against it."""
    return _readings(task.dataset, _responses.all(task=task.pk), _segments.all(task=task.pk))


def read(dataset: Dataset, responses: Sequence[Response]) -> list[ResponseReading]:
    """The responses as they are judged, under the dataset's scheme."""
    return _readings(dataset, responses, Segment.objects.filter(response__in=responses).order_by("position"))


def read_with_passages(dataset: Dataset, responses: Sequence[Response]) -> list[ResponseReading]:
    """The same, claims with their passages."""
    segments = Segment.objects.filter(response__in=responses).order_by("position")
    passages = ClaimPassage.objects.filter(claim__response__in=responses).select_related("passage")
    return _readings(dataset, responses, segments, (), passages if dataset.scheme == Scheme.CLAIMS else ())


def passages_of(claim: Segment) -> list[SourcePassage]:
    """What the claim is judged by, in order; [] of a segment of another scheme."""
    return list(SourcePassage.objects.filter(claims__claim=claim).order_by("claims__position"))


def _readings(
    dataset: Dataset,
    responses: Sequence[Response],
    in_order: Iterable[Segment],
    links: Iterable[ReferenceLink] = (),
    of_claims: Iterable[ClaimPassage] = (),
) -> list[ResponseReading]:
    segments: defaultdict[int, list[Segment]] = defaultdict(list)
    for segment in in_order:
        segments[segment.response_id].append(segment)
    references: defaultdict[int | None, list[ReferenceLink]] = defaultdict(list)
    for link in links:
        references[link.response_id].append(link)
    passages: defaultdict[int, list[SourcePassage]] = defaultdict(list)
    for each in of_claims:
        passages[each.claim_id].append(each.passage)
    keys = [response.pk for response in responses]
    facts = judged_facts(keys) if dataset.scheme == Scheme.FACTSCORE else {}
    by_segment = dataset.scheme != Scheme.FACTSCORE
    return [
        ResponseReading(
            response,
            tuple(
                Sentence(
                    number,
                    LabelUnit(segment, None, required=by_segment, passages=tuple(passages[segment.pk])),
                    tuple(LabelUnit(segment, fact, required=True) for fact in facts.get(segment.pk, ())),
                )
                for number, segment in enumerate(segments[response.pk], start=1)
            ),
            tuple(references[response.pk]),
        )
        for response in responses
    ]
