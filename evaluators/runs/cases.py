"""Responses as cases for evaluators, read a group at a time."""

from collections import defaultdict
from collections.abc import Sequence

from django.db.models import Exists, OuterRef

from annotate.facts.judged import judged_facts, segments_without_facts
from annotate.models import AtomicFact, Dataset, FactSet, Response, Scheme, Segment, SubjectSample
from annotate.models.corpus import ResponseQuerySet
from evaluators.fact_generation.storage import FactOrigin, read_generated
from evaluators.methods.base import Case, Unit
from evaluators.runs.references import read_evidence, read_references


def judgeable(dataset: Dataset, generating: bool = False) -> ResponseQuerySet:
    """The dataset's responses that have something to judge, in their order; an abstention has nothing.

    generating: the facts are made in the run, of every response with sentences.
    """
    if dataset.scheme == Scheme.FACTSCORE and not generating:
        # As a subquery: most segments have no such key, and a condition on a missing key is neither true nor false.
        without = segments_without_facts()
        facts = AtomicFact.objects.for_labelling().filter(segment__response=OuterRef("pk"))
        facts = facts.exclude(fact_set__origin=FactSet.Origin.MODEL, segment__in=without)
        has_units = Exists(facts)
    else:
        has_units = Exists(Segment.objects.filter(response=OuterRef("pk")))
    return dataset.responses.visible().filter(has_units).order_by("position")


def read_cases(dataset: Dataset, responses: Sequence[int], generated: FactOrigin | None = None) -> dict[int, Case]:
    """The responses (primary keys) as cases, in a handful of queries however many they are.

    generated: the units are the facts that were generated so, or where none were yet the sentences to make them of.
    """
    segments = read_segments(responses)
    units = read_generated(generated, segments) if generated else read_units(dataset, segments)
    samples = _read_samples(responses)
    references = read_references(responses)
    evidence = read_evidence(responses) if dataset.scheme == Scheme.FACTSCORE else {}
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
        )
        for pk, index, text, subject, prompt, domain, topic in Response.objects.filter(pk__in=responses).values_list(
            *columns
        )
    }


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


def _read_samples(responses: Sequence[int]) -> dict[int, list[str]]:
    samples: dict[int, list[str]] = defaultdict(list)
    rows = SubjectSample.objects.filter(response__in=responses).order_by("response", "position")
    for response, text in rows.values_list("response", "text"):
        samples[response].append(text)
    return samples
