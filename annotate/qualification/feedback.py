"""Feedback on a qualification: gold and its reason beside the annotator's judgements."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from annotate.judgements.units import LabelUnit, Sentence, read
from annotate.models import Assignment, Dataset, GoldLabel, Label, Response, Task, User, Value
from annotate.qualification.compare import gold_of_tasks
from annotate.qualification.status import qualification_for

Answer = TypeVar("Answer", Label, GoldLabel)


@dataclass(frozen=True)
class Lesson:
    """A unit with the annotator's value and gold's; `number` is "3" for a segment, "3.2" for a fact."""

    number: str
    unit: LabelUnit
    own: Label
    gold: GoldLabel

    @property
    def right(self) -> bool:
        """Both call it an error, or neither does."""
        return (self.own.value == Value.SUPPORTED) == (self.gold.value == Value.SUPPORTED)


@dataclass(frozen=True)
class Lessons:
    """Those of one response, in reading order."""

    response: Response
    lessons: tuple[Lesson, ...]


def lessons_of(dataset: Dataset, annotator: User) -> list[Lessons]:
    """Lessons from every qualification task that the annotator has submitted, in a handful of queries.

    Only for somebody who has finished: it tells gold.
    """
    done = Assignment.objects.filter(
        task__in=qualification_for(dataset, annotator), annotator=annotator, state=Assignment.State.SUBMITTED
    )
    own = {(label.segment_id, label.fact_id): label for label in Label.objects.filter(assignment__in=done).in_force()}
    gold = {
        (label.segment_id, label.fact_id): label
        for label in gold_of_tasks(dataset, Task.Kind.QUALIFICATION).prefetch_related("references__document")
    }
    responses = Response.objects.visible().filter(task__in=done.values("task")).order_by("task__position", "position")
    readings = read(dataset, list(responses.select_related("prompt")))
    return [Lessons(each.response, tuple(_lessons(each.sentences, own, gold))) for each in readings]


Address = tuple[int, int | None]


def _lessons(
    sentences: tuple[Sentence, ...], own: Mapping[Address, Label], gold: Mapping[Address, GoldLabel]
) -> Iterator[Lesson]:
    for number, sentence in enumerate(sentences, start=1):
        facts = [(f"{number}.{place}", unit) for place, unit in enumerate(sentence.facts, start=1)]
        for name, unit in facts or [(str(number), sentence.whole)]:
            answer, settled = _at(unit, own), _at(unit, gold)
            if answer is not None and settled is not None:
                yield Lesson(name, unit, answer, settled)


def _at(unit: LabelUnit, answers: Mapping[Address, Answer]) -> Answer | None:
    """The judgement of the unit itself, else of its sentence as a whole."""
    fact = unit.fact.pk if unit.fact else None
    return answers.get((unit.segment.pk, fact)) or answers.get((unit.segment.pk, None))
