"""The judged atomic facts of a segment (docs/commands.md, Addresses)."""

from collections import defaultdict
from collections.abc import Sequence

from django.db.models import Exists, OuterRef, QuerySet

from annotate.models import AtomicFact, Dataset, FactSet, Segment


def has_no_facts(segment: Segment) -> bool:
    """Whether people found no fact in the segment, `human-atomic-facts` being [] and not null.

    The import says so in the segment's `extra` (annotate/corpus/factscore.py). One that is not relevant keeps its model
    facts all the same (docs/statistics.md, FActScore of a subject model).
    """
    return bool(segment.extra.get("human_facts") == "empty" and segment.relevant)


def segments_without_facts() -> QuerySet[Segment]:
    """Responses whose `has_no_facts` is true."""
    return Segment.objects.filter(extra__human_facts="empty", relevant=True)


def model_proposed() -> Exists:
    """Whether a row's response has a set of facts that a model proposed, an empty one too.
    Only then can people have split or merged anything (docs/statistics.md, Sizes)."""
    return Exists(FactSet.objects.filter(response=OuterRef("response"), origin=FactSet.Origin.MODEL))


def judged_facts(responses: Sequence[int]) -> dict[int, list[AtomicFact]]:
    """Per segment of the responses (primary keys) its human facts, or its model facts where it has no human ones.

    Segments without a fact to judge are left out, and so is what people have not finished writing.
    """
    written: dict[str, defaultdict[int, list[AtomicFact]]] = {origin: defaultdict(list) for origin in FactSet.Origin}
    facts = AtomicFact.objects.for_labelling().filter(segment__response__in=responses)
    facts = facts.select_related("fact_set", "segment")
    for fact in facts.order_by("segment", "position"):
        if fact.fact_set.origin == FactSet.Origin.HUMAN or not has_no_facts(fact.segment):
            written[fact.fact_set.origin][fact.segment_id].append(fact)
    return {**written[FactSet.Origin.MODEL], **written[FactSet.Origin.HUMAN]}


def judged_addresses(dataset: Dataset) -> dict[int, list[tuple[int, int]]]:
    """The same facts for the whole dataset as (primary key, position), per segment: for figures over many of them."""
    facts = AtomicFact.objects.for_labelling().filter(segment__response__dataset=dataset)
    facts = facts.order_by("segment", "position")
    without = segments_without_facts().filter(response__dataset=dataset)
    of_model = facts.filter(fact_set__origin=FactSet.Origin.MODEL).exclude(segment__in=without)
    of_people = facts.filter(fact_set__origin=FactSet.Origin.HUMAN)
    return {**_by_segment(of_model), **_by_segment(of_people)}


def _by_segment(facts: QuerySet[AtomicFact]) -> dict[int, list[tuple[int, int]]]:
    written: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for segment, fact, position in facts.values_list("segment_id", "pk", "position"):
        written[segment].append((fact, position))
    return written
