"""The answer of a model."""

from collections.abc import Mapping
from dataclasses import dataclass

STOPPED = "stop"
CUT_OFF = "length"
REFUSED = "content_filter"
UNREADABLE = "unreadable"
# Why an "answer" ended that is none: its server failed on the way.
BROKEN_OFF = frozenset({"error", "network_error", "server_error", "insufficient_system_resource", "abort", "aborted"})


@dataclass(frozen=True)
class Token:
    """A generated token. logprob: natural logarithm of its probability. top: the likeliest tokens at its place, its own
    among them if it was one, with theirs."""

    text: str
    logprob: float
    top: Mapping[str, float]


@dataclass(frozen=True)
class EchoedToken:
    """A token of the text that was sent: its characters [start, end) there. Tokens that share a character all include
    it.

    logprob: given the text before it; None for the first token, and where the server's value was no number.
    """

    start: int
    end: int
    logprob: float | None


@dataclass(frozen=True)
class Answer:
    """A model's answer to one request. `call_id` is its row in the cache (llm.models.Call).

    text: what it said, without its thought (llm/thoughts.py). `finish_reason` says why it ended: CUT_OFF at the longest
    answer or in its thought, REFUSED by the model or a filter, UNREADABLE where it came in a form that nothing could be
    read from. `tokens` of the text where log-probabilities were asked for and given, else (). `echoed`: where the text
    that was sent was asked back, its tokens; () where the server's cannot be laid over it. `adapted`: what was sent
    otherwise than asked (llm/dialects.py), in words. is_missing: it was refused, could not be read, or ended before
    anything was said: no rule may read a verdict from it.
    """

    call_id: int
    text: str
    finish_reason: str
    tokens: tuple[Token, ...] = ()
    echoed: tuple[EchoedToken, ...] = ()
    thought: str = ""
    adapted: tuple[str, ...] = ()
    is_missing: bool = False
