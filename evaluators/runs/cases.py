"""What an evaluator gets to see: responses as cases, read a group at a time."""

from collections import defaultdict
from collections.abc import Sequence

from django.db.models import Exists, OuterRef

from annotate.facts.judged import judged_facts
from annotate.models import AtomicFact, Dataset, FactSet, Response, Scheme, Segment
from annotate.models.corpus import ResponseQuerySet
from evaluators.methods.base import Case, Reference, Unit


def judgeable(dataset: Dataset) -> ResponseQuerySet:
    """The dataset's responses that have something to judge, in their order; an abstention has nothing."""
    if dataset.scheme == Scheme.FACTSCORE:
        not_judged = {"fact_set__origin": FactSet.Origin.MODEL, "segment__extra__human_facts": "empty"}
        facts = AtomicFact.objects.filter(segment__response=OuterRef("pk")).exclude(**not_judged)
        has_units = Exists(facts)
    else:
        has_units = Exists(Segment.objects.filter(response=OuterRef("pk")))
    return dataset.responses.visible().filter(has_units).order_by("position")


def read_cases(dataset: Dataset, responses: Sequence[int]) -> dict[int, Case]:
    """The responses (primary keys) as cases, in a handful of queries however many they are."""
    rows = Response.objects.filter(pk__in=responses).select_related("prompt").prefetch_related("segments", "references")
    units = read_units(dataset, responses)
    return {
        row.pk: Case(
            index=row.index,
            prompt=row.prompt.text,
            response=row.text,
            domain=row.prompt.domain,
            topic=row.prompt.topic,
            subject=row.subject,
            segments=tuple(segment.text for segment in row.segments.all()),
            units=tuple(units[row.pk]),
            references=tuple(Reference(link.url, link.content) for link in row.references.all()),
        )
        for row in rows
    }


def read_units(dataset: Dataset, responses: Sequence[int]) -> dict[int, list[Unit]]:
    """Per response its units in reading order: segments, or the judged facts under them (definitions.md §4, "oracle":
    human facts, the model's where a sentence has no human ones, an irrelevant sentence's too)."""
    units: dict[int, list[Unit]] = defaultdict(list)
    segments = Segment.objects.filter(response__in=responses).order_by("response", "position")
    facts = judged_facts(responses) if dataset.scheme == Scheme.FACTSCORE else None
    for segment in segments:
        if facts is None:
            units[segment.response_id].append(Unit(segment.pk, None, segment.position, None, segment.text))
        else:
            units[segment.response_id] += [
                Unit(segment.pk, fact.pk, segment.position, fact.position, fact.text)
                for fact in facts.get(segment.pk, [])
            ]
    return units
