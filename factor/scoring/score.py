"""One example put to a model: its completions after its prefix."""

import time
from collections.abc import Sequence
from dataclasses import replace

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
    leads = [_leading_spaces(text) for _, text in completions]
    texts = [text[lead:] for (_, text), lead in zip(completions, leads, strict=True)]

    async def question(model: LanguageModel) -> Store:
        begun = time.monotonic()
        try:
            scored = await model.score(prefix, texts, scoring.context_length)
            outcomes = [_moved(outcome, lead) for outcome, lead in zip(scored, leads, strict=True)]
        except NotScorableError as error:
            raise ItemError(str(error)) from None
        seconds = time.monotonic() - begun
        keys = [key for key, _ in completions]
        return lambda lease: _store(lease, keys, outcomes, seconds)

    return question


def _leading_spaces(text: str) -> int:
    """The spaces at the beginning of a completion, which are not scored, as in the published code; 0 where it is
    nothing else."""
    return len(text) - len(text.lstrip(" ")) if text.strip(" ") else 0


def _moved(outcome: Outcome, lead: int) -> Outcome:
    """The tokens at their characters in the completion with its leading spaces, which go to the first."""
    if not lead or isinstance(outcome, NotScorableError):
        return outcome
    tokens = tuple(
        replace(token, start=token.start and token.start + lead, end=token.end + lead) for token in outcome.tokens
    )
    return replace(outcome, tokens=tokens)


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
