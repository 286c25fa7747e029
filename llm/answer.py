"""What comes back from a model, as a caller sees it."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Token:
    """A generated token. logprob: natural logarithm of its probability. top: the likeliest tokens at its place, its own
    among them if it was one, with theirs."""

    text: str
    logprob: float
    top: Mapping[str, float]


@dataclass(frozen=True)
class Answer:
    """A model's answer to one request. `call_id` is its row in the cache (llm.models.Call); `finish_reason` "length"
    means that it was cut off, "content_filter" that the endpoint would not answer. `tokens` where log-probabilities
    were asked for and given, else ()."""

    call_id: int
    text: str
    finish_reason: str
    tokens: tuple[Token, ...] = ()
