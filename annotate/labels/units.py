"""What there is to judge in a task or response: segments (FELM), or atomic facts under their sentences (FActScore)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from annotate.facts.judged import judged_facts
from annotate.models import AtomicFact, Dataset, Response, Scheme, Segment, Task


@dataclass(frozen=True)
class Unit:
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
    """A segment with the units below it. In FActScore's scheme `whole` marks the sentence irrelevant as one."""

    whole: Unit
    facts: tuple[Unit, ...]


@dataclass(frozen=True)
class Reading:
    """A response as it is judged."""

    response: Response
    sentences: tuple[Sentence, ...]

    def units(self) -> Iterator[Unit]:
        for sentence in self.sentences:
            yield sentence.whole
            yield from sentence.facts


def unit_key(segment: int, fact: int | None) -> str:
    return str(segment) if fact is None else f"{segment}.{fact}"


def readings_of(task: Task) -> list[Reading]:
    """The task's responses in their order, with everything that an annotator judges in them and reads beside them."""
    responses = task.responses.visible().select_related("prompt").prefetch_related("references")
    return read(task.dataset, list(responses))


def units_of(task: Task) -> list[Reading]:
    """The same with what is judged, and nothing else."""
    return read(task.dataset, list(task.responses.visible()))


def read(dataset: Dataset, responses: Sequence[Response]) -> list[Reading]:
    """The responses as they are judged, under the dataset's scheme."""
    keys = [response.pk for response in responses]
    segments: dict[int, list[Segment]] = {key: [] for key in keys}
    for segment in Segment.objects.filter(response__in=keys).order_by("response_id", "position"):
        segments[segment.response_id].append(segment)
    facts = judged_facts(keys) if dataset.scheme == Scheme.FACTSCORE else {}
    by_segment = dataset.scheme == Scheme.FELM
    return [
        Reading(
            response,
            tuple(
                Sentence(
                    Unit(segment, None, required=by_segment),
                    tuple(Unit(segment, fact, required=True) for fact in facts.get(segment.pk, ())),
                )
                for segment in segments[response.pk]
            ),
        )
        for response in responses
    ]
