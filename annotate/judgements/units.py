"""The units of a task or response: segments (FELM), or atomic facts under their sentences (FActScore)."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from annotate.database.prepared import Prepared, Slot
from annotate.facts.judged import judged_facts
from annotate.models import AtomicFact, Dataset, ReferenceLink, Response, Scheme, Segment, Task

_responses = Prepared(
    lambda: Response.objects.visible().filter(task=Slot("task")).select_related("prompt").order_by("position")
)
_segments = Prepared(lambda: Segment.objects.filter(response__task=Slot("task")).order_by("position"))
_references = Prepared(lambda: ReferenceLink.objects.filter(response__task=Slot("task")))


@dataclass(frozen=True)
class LabelUnit:
    """One address: a segment, or a fact of it. `required`: it needs a value of its own before submission."""

    segment: Segment
    fact: AtomicFact | None
    required: bool

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
    return _readings(task.dataset, responses, _segments.all(task=task.pk), _references.all(task=task.pk))


def judged_readings_of(task: Task) -> list[ResponseReading]:
    """The same without the reference links: a submission is checked against it."""
    return _readings(task.dataset, _responses.all(task=task.pk), _segments.all(task=task.pk))


def read(dataset: Dataset, responses: Sequence[Response]) -> list[ResponseReading]:
    """The responses as they are judged, under the dataset's scheme."""
    return _readings(dataset, responses, Segment.objects.filter(response__in=responses).order_by("position"))


def _readings(
    dataset: Dataset,
    responses: Sequence[Response],
    in_order: Iterable[Segment],
    links: Iterable[ReferenceLink] = (),
) -> list[ResponseReading]:
    segments: defaultdict[int, list[Segment]] = defaultdict(list)
    for segment in in_order:
        segments[segment.response_id].append(segment)
    references: defaultdict[int | None, list[ReferenceLink]] = defaultdict(list)
    for link in links:
        references[link.response_id].append(link)
    keys = [response.pk for response in responses]
    facts = judged_facts(keys) if dataset.scheme == Scheme.FACTSCORE else {}
    by_segment = dataset.scheme == Scheme.FELM
    return [
        ResponseReading(
            response,
            tuple(
                Sentence(
                    number,
                    LabelUnit(segment, None, required=by_segment),
                    tuple(LabelUnit(segment, fact, required=True) for fact in facts.get(segment.pk, ())),
                )
                for number, segment in enumerate(segments[response.pk], start=1)
            ),
            tuple(references[response.pk]),
        )
        for response in responses
    ]
