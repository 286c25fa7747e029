"""Stored answers and vectors that may go: old ones, or the oldest of too many, that no run cites."""

from datetime import datetime

from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast, Length

from core.uncited import to_prune, uncited
from llm.models import Call, Embedding


def answers_to_prune(before: datetime | None, most_bytes: int | None) -> QuerySet[Call]:
    """Whoever asks the same again pays again. before: made earlier; most_bytes: of text that stays; None: no limit."""
    request, answer, tokens, echoed = (
        Length(Cast(column, TextField())) for column in ("request", "answer", "tokens", "echoed")
    )
    size = request + answer + tokens + echoed
    return to_prune(uncited(Call.objects.all()), size, before, most_bytes)


def vectors_to_prune(before: datetime | None, most_bytes: int | None) -> QuerySet[Embedding]:
    return to_prune(uncited(Embedding.objects.all()), Length("vector"), before, most_bytes)
