"""Which pairs of true and false completion a model got right, and which wrong (FACTOR eq. 2)."""

from collections import defaultdict
from dataclasses import dataclass, field

from django.db.models import Exists, F, OuterRef

from factor.models import CompletionScore, Exclusion, Scoring


@dataclass
class Pairs:
    """Primary keys of the false completions, in the order of the benchmark.

    right: the mean log-probability of the true one is the higher; wrong: it is not, a tie included. unscored: one
    of them has no score.
    """

    right: list[int] = field(default_factory=list)
    wrong: list[int] = field(default_factory=list)
    unscored: list[int] = field(default_factory=list)


def pairs_of(scoring: Scoring) -> Pairs:
    """All pairs of the scored benchmark but those of examples that figures leave out."""
    left_out = Exclusion.objects.in_force().filter(example=OuterRef("completion__example"))
    scores = CompletionScore.objects.filter(~Exists(left_out), scoring=scoring).values_list(
        "completion__example", "completion__place", "completion", "total", "count"
    )
    means: dict[int, list[tuple[int, float | None]]] = defaultdict(list)
    in_order = scores.order_by(F("completion__example__position"), F("completion__place"))
    for example, place, completion, total, count in in_order:
        mean = None if total is None else total / count
        means[example].append((0 if place == 0 else completion, mean))
    found = Pairs()
    for completions in means.values():
        _sort(found, completions)
    return found


def _sort(found: Pairs, completions: list[tuple[int, float | None]]) -> None:
    """Of one example: (0, mean) is its true completion, (primary key, mean) each false one."""
    true = dict(completions).get(0)
    for completion, false in completions:
        if not completion:
            continue
        if true is None or false is None:
            found.unscored.append(completion)
        else:
            (found.right if true > false else found.wrong).append(completion)
