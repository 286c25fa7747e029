"""The interface of a language model that can be scored, wherever it runs (FACTOR §3.1, eq. 1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


class NotScorableError(Exception):
    """Why a text has no score, in a sentence for a person; the model itself is well."""


@dataclass(frozen=True)
class ScoredToken:
    """A token of a continuation: its characters [start, end) there, and the natural logarithm of its probability given
    all that stands before it."""

    start: int
    end: int
    logprob: float


@dataclass(frozen=True)
class ScoredContinuation:
    """A continuation's tokens in order; they cover it whole. `prefix_tokens`: of the prefix so many were before it, at
    most as many as the context has left. `moved`: so many characters of the prefix's end were counted as the
    continuation's (a space that the tokenizer joins to the next word)."""

    tokens: tuple[ScoredToken, ...]
    prefix_tokens: int
    moved: int = 0

    @property
    def total(self) -> float:
        """log p(continuation | prefix)."""
        return sum(token.logprob for token in self.tokens)

    @property
    def mean(self) -> float:
        """The total by the number of tokens (docs/statistics.md, FACTOR)."""
        return self.total / len(self.tokens)


class LanguageModel(Protocol):
    """A causal language model: an endpoint's, or one with its weights in this process."""

    async def score(
        self, prefix: str, continuations: Sequence[str], context_length: int
    ) -> list[ScoredContinuation | NotScorableError]:
        """Each continuation after the prefix, which is cut on the left so that both fit into so many tokens.

        One answer a continuation, in order: NotScorableError where that one has none (such as one longer than the
        context). Raises ModelError where the model itself cannot be asked.
        """
        ...

    async def tokens(self, text: str) -> list[tuple[int, int]]:
        """The characters [start, end) of each token of the text alone, in order."""
        ...
