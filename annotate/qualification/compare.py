"""Annotators' judgements beside gold of the same units."""

from collections.abc import Iterator
from dataclasses import dataclass

from annotate.agreement.read import align, merge, read_labels
from annotate.gold.read import CHUNK, CODE
from annotate.models import Dataset, GoldLabel, Scheme
from annotate.models.gold import GoldLabelQuerySet
from annotate.models.work import LabelQuerySet
from stats.gold_table import SUPPORTED
from stats.ratings import ValuesByRater

# Gold as one more voice; no user's name is empty.
GOLD = ""


@dataclass(frozen=True)
class ComparedUnit:
    """A unit that an annotator judged and gold settles; values are codes of stats.gold_table.VALUES."""

    annotator: str
    segment: int
    fact: int | None
    value: int
    gold: int

    @property
    def right(self) -> bool:
        """Both call it an error, or neither does (docs/statistics.md, Agreement between annotators, binary)."""
        return (self.value == SUPPORTED) == (self.gold == SUPPORTED)


def compare(dataset: Dataset, labels: LabelQuerySet, gold: GoldLabelQuerySet) -> Iterator[ComparedUnit]:
    """Every judgement in force at an address that has gold, with that gold; in no order.

    A sentence called irrelevant as a whole counts as each of its facts called so, on either side.
    """
    values, _ = read_labels(labels.in_force())
    settled: ValuesByRater = {
        (segment, fact): {GOLD: CODE[value]}
        for segment, fact, value in gold.values_list("segment_id", "fact_id", "value").iterator(CHUNK)
    }
    for (segment, fact), at_address in align(merge(values, settled), dataset.scheme == Scheme.FACTSCORE).items():
        if GOLD in at_address:
            for annotator, value in at_address.items():
                if annotator != GOLD:
                    yield ComparedUnit(annotator, segment, fact, value, at_address[GOLD])


def gold_of_tasks(dataset: Dataset, kind: str) -> GoldLabelQuerySet:
    """Gold in force in the dataset's tasks of this kind, without that of removed responses."""
    # Named one by one, for they are few: gold of all the others is not looked through.
    tasks = list(dataset.tasks.filter(kind=kind).values_list("pk", flat=True))
    return GoldLabel.objects.of(dataset).current().without_removed().filter(segment__response__task__in=tasks)
