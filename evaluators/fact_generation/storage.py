"""Facts that were generated inside a run, kept so that every evaluator that would generate the same shares them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.db import transaction

from annotate.models import AtomicFact, FactSet
from evaluators.methods.base import Case, Unit


@dataclass(frozen=True)
class FactOrigin:
    """The generator of facts: the model, and the hash of all other settings (evaluators/fact_generation/writer.py)."""

    model: str
    hash: str


def read_generated(generated: FactOrigin, segments: Mapping[int, list[Unit]]) -> dict[int, list[Unit]]:
    """Per response (primary key) its generated facts as units, in reading order; its segments where it has none yet.

    A response whose sentences state nothing has facts all the same: an empty list.
    """
    sets = FactSet.objects.filter(
        response__in=segments, origin=FactSet.Origin.GENERATED, model=generated.model, prompt_hash=generated.hash
    )
    written: dict[int, list[Unit]] = {response: [] for response in sets.values_list("response", flat=True)}
    facts = AtomicFact.objects.filter(fact_set__in=sets).order_by("segment__position", "position")
    columns = ("fact_set__response", "segment", "pk", "segment__position", "position", "text")
    for response, *unit in facts.values_list(*columns):
        written[response].append(Unit(*unit))
    return {response: written.get(response, below) for response, below in segments.items()}


def needs_facts(case: Case) -> bool:
    """Whether the units are still the sentences that facts are to be made of."""
    return any(unit.fact_id is None for unit in case.units)


@transaction.atomic
def keep_facts(response: int, generated: FactOrigin, case: Case, facts: Sequence[Sequence[str]]) -> Case:
    """The case with the facts (one list for each of its sentences) as its units, stored.

    Where another worker stored its own first, theirs are taken.
    """
    fact_set, new = FactSet.objects.get_or_create(
        response_id=response, origin=FactSet.Origin.GENERATED, model=generated.model, prompt_hash=generated.hash
    )
    if new:
        AtomicFact.objects.bulk_create(
            AtomicFact(fact_set=fact_set, segment_id=segment.segment_id, position=position, text=text)
            for segment, texts in zip(case.units, facts, strict=True)
            for position, text in enumerate(texts)
        )
    [units] = read_generated(generated, {response: list(case.units)}).values()
    return replace(case, units=tuple(units))
