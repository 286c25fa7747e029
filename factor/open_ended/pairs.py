"""Which pairs of true and false completion a model got right, and which wrong (FACTOR eq. 2)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from factor.models import Completion, CompletionScore, Example, Scoring


@dataclass
class Pairs:
    """Primary keys of the false completions, in the order of the benchmark.

    right: the mean log-probability of the true one is the higher; wrong: it is not, a tie included. unscored: one
    of them has no score, whether the model gave none, failed on the example or was not asked.
    """

    right: list[int] = field(default_factory=list)
    wrong: list[int] = field(default_factory=list)
    unscored: list[int] = field(default_factory=list)

    @property
    def weights(self) -> tuple[int, int]:
        """How many are right, and how many wrong."""
        return len(self.right), len(self.wrong)


def pairs_of(scoring: Scoring) -> Pairs:
    """All pairs of the scored benchmark but those of examples that figures leave out at the moment; two queries."""
    counted = Example.objects.filter(benchmark=scoring.benchmark_id).counted()
    completions = Completion.objects.filter(example__in=counted)
    in_order = completions.order_by("example__position", "place").values_list("example", "place", "pk")
    means = _means(scoring)
    found, true = Pairs(), dict[int, float | None]()
    for example, place, completion in in_order:
        mean = means.get(completion)
        if place == 0:
            true[example] = mean
        else:
            _sort(found, completion, true.get(example), mean)
    return found


def _means(scoring: Scoring) -> Mapping[int, float | None]:
    """The mean log-probability of a token, by the completion's primary key."""
    rows = CompletionScore.objects.filter(scoring=scoring).values_list("completion", "total", "count")
    return {completion: None if total is None else total / count for completion, total, count in rows}


def _sort(found: Pairs, completion: int, true: float | None, false: float | None) -> None:
    if true is None or false is None:
        found.unscored.append(completion)
    else:
        (found.right if true > false else found.wrong).append(completion)
