"""The queue of what somebody must settle, by slice: FELM's domains, FActScore's subjects."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from annotate.cases.addresses import Address, OpenCase, tasks_to_settle
from annotate.cases.counts import cases_for_a_person, count_cases
from annotate.cases.open_wholes import OpenWhole, open_wholes
from annotate.feedback.listing import open_rows
from annotate.models import Adjudication, Dataset, Disagreement, Scheme, Segment

BATCH = 500


@dataclass(frozen=True)
class AdjudicationQueue:
    """`cases` are those of the chosen slice ("" for all) that need a person, challenged ones first; `wholes` the
    responses in it with a correction or a removal that does; `slices` counts both by slice. `unanimous` is what needs
    to be accepted only."""

    cases: tuple[OpenCase, ...]
    wholes: tuple[OpenWhole, ...]
    slices: dict[str, int]
    chosen: str
    unanimous: int

    @property
    def total(self) -> int:
        return sum(self.slices.values())

    def at(self, key: str) -> OpenCase | None:
        """The case after the one of this key ("segment" or "segment.fact"), else the first; None where all is done."""
        return self._beside(key, 1) if self._place(key) is not None else next(iter(self.cases), None)

    def before(self, key: str) -> OpenCase | None:
        """The case before the one of this key, the last one before the first. Of a key that is not in the queue, of a
        settled case for example, the first of all; None where all is done."""
        return self._beside(key, -1) if self._place(key) is not None else next(iter(self.cases), None)

    def behind(self, key: str) -> str | None:
        """The key of the case after which to go on (`at`) once the case of this key is settled: that of the case before
        it, the last one's for the first. None where it is not in the queue."""
        return self._beside(key, -1).key if self._place(key) is not None else None

    def _place(self, key: str) -> int | None:
        return next((place for place, case in enumerate(self.cases) if case.key == key), None)

    def _beside(self, key: str, steps: int) -> OpenCase:
        return self.cases[((self._place(key) or 0) + steps) % len(self.cases)]


def queue_of(dataset: Dataset, chosen: str = "") -> AdjudicationQueue:
    disputed = cases_for_a_person(dataset)
    wholes = open_wholes(tasks_to_settle(dataset))
    challenged = _challenged(dataset)
    waiting = [*challenged.values(), *(case for case in disputed if case.address not in challenged)]
    doubtful = [whole for whole in wholes if whole.needs_a_person]
    slice_of = _slices(dataset, {case.segment for case in waiting})
    slices = Counter([*(slice_of[case.segment] for case in waiting), *(_slice(dataset, each) for each in doubtful)])
    cases = [case for case in waiting if not chosen or slice_of[case.segment] == chosen]
    return AdjudicationQueue(
        cases=tuple(cases),
        wholes=tuple(each for each in doubtful if not chosen or _slice(dataset, each) == chosen),
        slices=dict(sorted(slices.items())),
        chosen=chosen,
        unanimous=count_cases(dataset).unanimous + sum(each.agreed for each in wholes),
    )


def _challenged(dataset: Dataset) -> dict[Address, OpenCase]:
    """The addresses of challenges that wait for an answer, the longest waiting first."""
    rows = open_rows(dataset)
    return {row.address: OpenCase(row.challenge.assignment.task_id, *row.address, (), challenged=True) for row in rows}


def _slices(dataset: Dataset, segments: Iterable[int]) -> dict[int, str]:
    """The slice of each of the segments (primary keys)."""
    column = "response__prompt__domain" if dataset.scheme != Scheme.FACTSCORE else "response__subject"
    keys = sorted(segments)
    slices: dict[int, str] = {}
    for start in range(0, len(keys), BATCH):
        slices |= Segment.objects.filter(pk__in=keys[start : start + BATCH]).values_list("pk", column)
    return slices


def _slice(dataset: Dataset, whole: OpenWhole) -> str:
    return whole.response.prompt.domain if dataset.scheme != Scheme.FACTSCORE else whole.response.subject


def categories_of(dataset: Dataset) -> list[tuple[str, str, int]]:
    """Causes of the dataset's disagreements, where one was given: each category, its title and its
    number of decisions, the most frequent first."""
    adjudications = Adjudication.objects.filter(segment__response__dataset=dataset).exclude(category="")
    counts = Counter(adjudications.values_list("category", flat=True))
    return [(category, Disagreement(category).label, number) for category, number in counts.most_common()]
