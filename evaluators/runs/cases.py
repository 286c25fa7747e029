"""Responses as cases for evaluators, read a group at a time."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from django.db.models import Exists, OuterRef, QuerySet

from annotate.facts.judged import judged_facts, segments_without_facts
from annotate.models import AtomicFact, Dataset, FactSet, Response, Scheme, Segment, SubjectSample
from annotate.models.corpus import ResponseQuerySet
from evaluators.fact_generation.storage import FactOrigin, read_generated
from evaluators.methods.base import Case, Unit
from evaluators.methods.factscore_facts import FILE, JUDGED
from evaluators.runs.references import Evidence, read_evidence, read_passages, read_references


def judgeable(dataset: Dataset, kind: str = JUDGED) -> ResponseQuerySet:
    """The dataset's responses that have something to judge, in their order; an abstention has nothing.

    kind: of the facts (evaluators/methods/factscore_facts.py); generated ones are made in the run, of every response
    with sentences.
    """
    if kind == FILE:
        has_units = Exists(facts_of_file().filter(segment__response=OuterRef("pk")))
    elif dataset.scheme == Scheme.FACTSCORE and kind == JUDGED:
        # As a subquery: most segments have no such key, and a condition on a missing key is neither true nor false.
        without = segments_without_facts()
        facts = AtomicFact.objects.for_labelling().filter(segment__response=OuterRef("pk"))
        facts = facts.exclude(fact_set__origin=FactSet.Origin.MODEL, segment__in=without)
        has_units = Exists(facts)
    else:
        has_units = Exists(Segment.objects.filter(response=OuterRef("pk")))
    return dataset.responses.visible().filter(has_units).order_by("position")


def read_cases(
    dataset: Dataset, responses: Sequence[int], generated: FactOrigin | None = None, kind: str = JUDGED
) -> dict[int, Case]:
    """The responses (primary keys) as cases, in a handful of queries however many they are.

    kind: of the facts that are the units. generated: the units are the facts that were generated so, or where none were
    yet the sentences to make them of.
    """
    segments = read_segments(responses)
    if generated:
        units: Mapping[int, list[Unit]] = read_generated(generated, segments)
    else:
        units = read_facts_of_file(segments) if kind == FILE else read_units(dataset, segments)
    samples = _read_samples(responses)
    references = read_references(responses)
    evidence = _read_evidence(dataset, responses)
    of_claims = dataset.scheme == Scheme.CLAIMS
    columns = ("pk", "index", "text", "subject", "prompt__text", "prompt__domain", "prompt__topic")
    return {
        pk: Case(
            index=index,
            prompt=prompt,
            response=text,
            domain=domain,
            topic=topic,
            subject=subject,
            segments=tuple(segment.text for segment in segments[pk]),
            units=tuple(units[pk]),
            references=tuple(references[pk]),
            samples=tuple(samples[pk]),
            evidence=evidence.get(pk, {}),
            of_claims=of_claims,
        )
        for pk, index, text, subject, prompt, domain, topic in Response.objects.filter(pk__in=responses).values_list(
            *columns
        )
    }


def _read_evidence(dataset: Dataset, responses: Sequence[int]) -> Mapping[int, Evidence]:
    """Per response what people cite at facts, or what its claims are judged by."""
    if dataset.scheme == Scheme.CLAIMS:
        return read_passages(responses)
    return read_evidence(responses) if dataset.scheme == Scheme.FACTSCORE else {}


def read_segments(responses: Sequence[int]) -> dict[int, list[Unit]]:
    """Per response its segments in their order, as units."""
    segments: dict[int, list[Unit]] = defaultdict(list)
    rows = Segment.objects.filter(response__in=responses).order_by("response", "position")
    for response, pk, position, text in rows.values_list("response", "pk", "position", "text"):
        segments[response].append(Unit(pk, None, position, None, text))
    return segments


def read_units(dataset: Dataset, segments: dict[int, list[Unit]]) -> dict[int, list[Unit]]:
    """Per response its judged units: its segments, or the judged facts under them (docs/statistics.md, FActScore of
    a subject model, "oracle": human facts, the model's where a sentence has no human ones, an irrelevant sentence's
    too)."""
    if dataset.scheme != Scheme.FACTSCORE:
        return segments
    facts = judged_facts(list(segments))
    return {
        response: [
            Unit(segment.segment_id, fact.pk, segment.segment, fact.position, fact.text)
            for segment in below
            for fact in facts.get(segment.segment_id, ())
        ]
        for response, below in segments.items()
    }


def facts_of_file() -> QuerySet[AtomicFact]:
    """A model's facts that came with the dataset's file; those that a model proposed here name it."""
    return AtomicFact.objects.filter(fact_set__origin=FactSet.Origin.MODEL, fact_set__model="")


def read_facts_of_file(segments: Mapping[int, list[Unit]]) -> dict[int, list[Unit]]:
    """Per response the facts that its file came with, of irrelevant sentences too, in reading order."""
    units: dict[int, list[Unit]] = {response: [] for response in segments}
    facts = facts_of_file().filter(segment__response__in=segments).order_by("segment__position", "position")
    columns = ("segment__response", "segment", "pk", "segment__position", "position", "text")
    for response, *unit in facts.values_list(*columns):
        units[response].append(Unit(*unit))
    return units


def _read_samples(responses: Sequence[int]) -> dict[int, list[str]]:
    samples: dict[int, list[str]] = defaultdict(list)
    rows = SubjectSample.objects.filter(response__in=responses).order_by("response", "position")
    for response, text in rows.values_list("response", "text"):
        samples[response].append(text)
    return samples
