"""The pairs of true and false completion that a model got right, and those it got wrong (FACTOR eq. 2)."""

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
        """The numbers of right and of wrong pairs."""
        return len(self.right), len(self.wrong)


def pairs_of(scoring: Scoring) -> Pairs:
    """All pairs of the scored benchmark but those of examples that figures leave out at the moment; two queries."""
    counted = Example.objects.filter(benchmark=scoring.benchmark_id).counted()
    completions = Completion.objects.filter(example__in=counted)
    in_order = completions.order_by("example__position", "place").values_list("example", "place", "pk")
    means = _means(scoring)
    pairs, true = Pairs(), dict[int, float | None]()
    for example, place, completion in in_order:
        mean = means.get(completion)
        if place == 0:
            true[example] = mean
        else:
            _sort(pairs, completion, true.get(example), mean)
    return pairs


def _means(scoring: Scoring) -> Mapping[int, float | None]:
    """The mean log-probability of a token, by the completion's primary key."""
    rows = CompletionScore.objects.filter(scoring=scoring).values_list("completion", "total", "count")
    return {completion: None if total is None else total / count for completion, total, count in rows}


def _sort(pairs: Pairs, completion: int, true: float | None, false: float | None) -> None:
    if true is None or false is None:
        pairs.unscored.append(completion)
    else:
        (pairs.right if true > false else pairs.wrong).append(completion)
