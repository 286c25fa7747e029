"""The page of one example, with each model's scores of its completions (docs/statistics.md, FACTOR)."""

from dataclasses import dataclass

import numpy as np
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.access import MemberRequest, fetch_in_dataset
from factor.benchmarks.example_detail import example_detail, planned_edits
from factor.benchmarks.page import READERS, page_of
from factor.models import CompletionScore, Example, Scoring
from factor.results.names import names_of
from stats.factor import OUTCOMES, CompletionPairs, outcomes_of


@require_safe
def example(request: MemberRequest, pk: int) -> HttpResponse:
    """One example: its whole prefix, the differences of its false completions, and their plans."""
    examples = Example.objects.select_related("benchmark__dataset", "document__source")
    row = fetch_in_dataset(request.user, examples, pk, "benchmark.dataset", *READERS)
    beside = row.benchmark.examples.only("benchmark", "position")
    context = {
        "shown": example_detail(row, planned=planned_edits(row)),
        "scored": scores_of_example(row),
        "before": beside.filter(position__lt=row.position).last(),
        "after": beside.filter(position__gt=row.position).first(),
        "siblings": beside.filter(document_key=row.document_key).count() - 1 if row.document_key else 0,
        "judged_by": row.document is not None and row.document.source_id == row.benchmark.dataset.knowledge_source_id,
    }
    return render(request, "factor/example.html", {**page_of(request, row.benchmark, "examples"), **context})


@dataclass(frozen=True)
class ExampleScores:
    """`means`: the mean log-probability of a token of each completion, the true one first; None without a score.
    `likeliest`: the places whose completions have the highest one. `outcome`: stats/factor.py."""

    scoring: Scoring
    name: str
    means: list[float | None]
    likeliest: list[int]
    outcome: str


def scores_of_example(example: Example) -> list[ExampleScores]:
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
        _scores(scoring, names[scoring.pk], [means[scoring.pk].get(place) for place in places])
        for scoring in scorings
        if scoring.pk in means
    ]


def _scores(scoring: Scoring, name: str, means: list[float | None]) -> ExampleScores:
    values = np.array(means, dtype=float)
    falses = len(means) - 1
    of_one = CompletionPairs(np.zeros(falses, dtype=np.int64), np.zeros(falses, dtype=np.int64), examples=1)
    outcome = outcomes_of(of_one, values[0] - values[1:], np.zeros(1, dtype=bool))[0]
    highest = max((mean for mean in means if mean is not None), default=None)
    likeliest = [place for place, mean in enumerate(means) if mean is not None and mean == highest]
    return ExampleScores(scoring, name, means, likeliest, OUTCOMES[outcome])
