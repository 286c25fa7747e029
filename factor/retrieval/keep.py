"""Keeping under which passages completions were scored."""

from collections.abc import Iterable

from factor.language_models.base import ScoredContinuation
from factor.models import CompletionScore, Retrieved
from factor.retrieval.model import RetrievedScored


def keep_retrieved(scores: Iterable[tuple[CompletionScore, ScoredContinuation]]) -> None:
    """Store of each score (which is in the database) what was retrieved for it; nothing of one without retrieval."""
    Retrieved.objects.bulk_create(
        Retrieved(score=score, strides=[[under.first, under.passage] for under in scored.under])
        for score, scored in scores
        if isinstance(scored, RetrievedScored)
    )
