"""What each model gave the completions of one example (docs/statistics.md, FACTOR)."""

from dataclasses import dataclass

import numpy as np

from factor.models import CompletionScore, Example, Scoring
from factor.results.names import names_of
from stats.factor import OUTCOMES, CompletionPairs, outcomes_of


@dataclass(frozen=True)
class Scored:
    """`means`: the mean log-probability of a token of each completion, the true one first; None without a score.
    `likeliest`: the places whose completions have the highest one. `outcome`: stats/factor.py."""

    scoring: Scoring
    name: str
    means: list[float | None]
    likeliest: list[int]
    outcome: str


def scored(example: Example) -> list[Scored]:
    """One for each scoring that has come to the example, the oldest first."""
    scorings = example.benchmark.scorings.select_related("model", "source").order_by("pk")
    names = names_of(list(scorings))
    means: dict[int, dict[int, float]] = {}
    for score in CompletionScore.objects.filter(completion__example=example).select_related("completion"):
        of_scoring = means.setdefault(score.scoring_id, {})
        if score.total is not None:
            of_scoring[score.completion.place] = score.total / score.count
    places = [completion.place for completion in example.completions.all()]
    return [
        _scored(scoring, names[scoring.pk], [means[scoring.pk].get(place) for place in places])
        for scoring in scorings
        if scoring.pk in means
    ]


def _scored(scoring: Scoring, name: str, means: list[float | None]) -> Scored:
    values = np.array(means, dtype=float)
    falses = len(means) - 1
    of_one = CompletionPairs(np.zeros(falses, dtype=np.int64), np.zeros(falses, dtype=np.int64), examples=1)
    outcome = outcomes_of(of_one, values[0] - values[1:], np.zeros(1, dtype=bool))[0]
    highest = max((mean for mean in means if mean is not None), default=None)
    likeliest = [place for place, mean in enumerate(means) if mean is not None and mean == highest]
    return Scored(scoring, name, means, likeliest, OUTCOMES[outcome])
