"""One example put to a model: its completions after its prefix."""

import time
from collections.abc import Sequence

from django.db.models import F

from factor.language_models.base import LanguageModel, NotScorableError, ScoredContinuation
from factor.models import CompletionScore, Scoring, ScoringItem
from factor.retrieval.scoring_retrieval import keep_retrieved
from jobs.errors import ItemError
from jobs.kinds import Question, Store
from jobs.leases import Lease

Outcome = ScoredContinuation | NotScorableError


def prepare(item: ScoringItem) -> Question[LanguageModel]:
    """A coroutine function that scores the example and returns the function that stores its scores. `item` comes with
    its scoring and example."""
    scoring = item.scoring
    prefix = item.example.scored_prefix if scoring.with_prefix else ""
    completions = list(item.example.completions.order_by("place").values_list("pk", "text"))
    texts = [text for _, text in completions]

    async def question(model: LanguageModel) -> Store:
        begun = time.monotonic()
        try:
            outcomes = await model.score(prefix, texts, scoring.context_length)
        except NotScorableError as error:
            raise ItemError(str(error)) from None
        seconds = time.monotonic() - begun
        keys = [key for key, _ in completions]
        return lambda lease: _store(lease, keys, outcomes, seconds)

    return question


def score_row(scoring: int, completion: int, outcome: Outcome) -> CompletionScore:
    """Of a completion in a scoring (their primary keys); not stored yet."""
    if isinstance(outcome, NotScorableError):
        return CompletionScore(scoring_id=scoring, completion_id=completion, error=str(outcome))
    return CompletionScore(
        scoring_id=scoring,
        completion_id=completion,
        tokens=[[token.start, token.end, token.logprob] for token in outcome.tokens],
        total=outcome.total,
        count=len(outcome.tokens),
        prefix_tokens=outcome.prefix_tokens,
    )


def _store(lease: Lease[ScoringItem], keys: Sequence[int], outcomes: Sequence[Outcome], seconds: float) -> None:
    """All of it, or nothing where the lease was lost."""
    if not lease.finish():
        return
    scoring = lease.item.scoring_id
    rows = [score_row(scoring, key, outcome) for key, outcome in zip(keys, outcomes, strict=True)]
    CompletionScore.objects.bulk_create(rows)
    scored = zip(rows, outcomes, strict=True)
    keep_retrieved((row, outcome) for row, outcome in scored if isinstance(outcome, ScoredContinuation))
    Scoring.objects.filter(pk=scoring).update(
        scored_tokens=F("scored_tokens") + sum(row.count for row in rows), seconds=F("seconds") + seconds
    )
