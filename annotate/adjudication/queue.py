"""The queue of what somebody must settle, by slice: FELM's domains, FActScore's subjects."""

from collections import Counter
from dataclasses import dataclass

from annotate.adjudication.addresses import Case, Standing, open_cases
from annotate.models import Adjudication, Dataset, Disagreement, Scheme, Segment


@dataclass(frozen=True)
class Queue:
    """`cases` are those of the chosen slice ("" for all) that need a person; `slices` counts them by slice."""

    cases: tuple[Case, ...]
    slices: dict[str, int]
    chosen: str
    unanimous: int

    @property
    def total(self) -> int:
        return sum(self.slices.values())

    def at(self, key: str) -> Case | None:
        """The case after the one of this key ("segment" or "segment.fact"), else the first; None where all is done."""
        keys = [case.key for case in self.cases]
        place = keys.index(key) + 1 if key in keys else 0
        return self.cases[place % len(keys)] if keys else None


def queue_of(dataset: Dataset, chosen: str = "") -> Queue:
    cases = open_cases(dataset)
    waiting = [case for case in cases if case.standing != Standing.UNANIMOUS]
    column = "response__prompt__domain" if dataset.scheme == Scheme.FELM else "response__subject"
    of_dataset = Segment.objects.filter(response__dataset=dataset)
    slice_of: dict[int, str] = dict(of_dataset.values_list("pk", column)) if waiting else {}
    slices = Counter(slice_of[case.segment] for case in waiting)
    kept = [case for case in waiting if not chosen or slice_of[case.segment] == chosen]
    return Queue(tuple(kept), dict(sorted(slices.items())), chosen, len(cases) - len(waiting))


def categories_of(dataset: Dataset) -> list[tuple[str, int]]:
    """What the disagreements of the dataset were about, as far as somebody said so: each category's words and number of
    decisions, the most frequent first."""
    said = Adjudication.objects.filter(segment__response__dataset=dataset).exclude(category="")
    counts = Counter(said.values_list("category", flat=True))
    return [(Disagreement(category).label, number) for category, number in counts.most_common()]
