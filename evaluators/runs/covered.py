"""How much of a dataset a run says something about: "40 of 4,426 units"."""

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Count

from annotate.facts.judged import segments_without_facts
from annotate.models import AtomicFact, Dataset, FactSet, Scheme, Segment
from evaluators.models import Run


@dataclass(frozen=True)
class CoveredUnits:
    """covered: predictions of the run, unparsed ones too. units: all judged units of the dataset."""

    covered: int
    units: int

    def __str__(self) -> str:
        return f"{self.covered:,} of {self.units:,} unit{'' if self.units == 1 else 's'}"


def count_units(dataset: Dataset) -> int:
    """The units that an evaluator can judge: segments, or judged facts (annotate/facts/judged.py)."""
    visible = dataset.responses.visible().values("pk")
    if dataset.scheme != Scheme.FACTSCORE:
        return Segment.objects.filter(response__in=visible).count()
    facts = AtomicFact.objects.for_labelling().filter(segment__response__in=visible)
    of_people = facts.filter(fact_set__origin=FactSet.Origin.HUMAN)
    of_model = facts.filter(fact_set__origin=FactSet.Origin.MODEL)
    left = of_model.exclude(segment__in=segments_without_facts()).exclude(segment__in=of_people.values("segment"))
    return of_people.count() + left.count()


def covered_by(runs: Collection[Run], dataset: Dataset) -> dict[int, CoveredUnits]:
    """By the run's key, in a handful of queries; {} without runs."""
    if not runs:
        return {}
    units = count_units(dataset)
    counted = Run.objects.filter(pk__in=[run.pk for run in runs]).annotate(said=Count("predictions"))
    return {pk: CoveredUnits(said, units) for pk, said in counted.order_by().values_list("pk", "said")}
