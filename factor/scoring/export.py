"""The scores of a scoring as JSON lines: first the model and the settings, then a line a completion."""

from collections.abc import Iterator
from typing import Any

from core.json_lines import json_line
from factor.models import CompletionScore, Scoring

MODEL = ("name", "family", "parameters", "reached_by", "reached_as")
HOW = ("context_length", "with_prefix", "start_token")
RETRIEVAL = ("stride", "query_tokens")


def export_scores(scoring: Scoring) -> Iterator[str]:
    """Lines without their ends; completions without a row (their example failed, or waits) are left out."""
    yield json_line(head_of(scoring))
    scores = scoring.scores.select_related("completion__example")
    for score in scores.order_by("completion__example__position", "completion__place").iterator(chunk_size=500):
        yield json_line(_row(score))


def head_of(scoring: Scoring) -> dict[str, Any]:
    model = {name: getattr(scoring.model, name) for name in MODEL}
    retrieval = None
    if scoring.source is not None:
        retrieval = {"source": scoring.source.name, **{name: getattr(scoring, name) for name in RETRIEVAL}}
    return {
        "benchmark": scoring.benchmark.name,
        "model": {**model, "cutoff": scoring.model.cutoff and scoring.model.cutoff.isoformat()},
        **{name: getattr(scoring, name) for name in HOW},
        "retrieval": retrieval,
    }


def _row(score: CompletionScore) -> dict[str, Any]:
    completion = score.completion
    where = {"example": completion.example.position, "place": completion.place, "text": completion.text}
    if score.total is None:
        return {**where, "error": score.error}
    return {**where, "prefix_tokens": score.prefix_tokens, "tokens": score.tokens}
