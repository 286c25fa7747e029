"""A model with its weights in this process. What the completions of one example have in common it reads once."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from factor.language_models.base import NotScorableError, ScoredContinuation
from factor.language_models.borders import Joined, Span, checked, first_of_continuation, join, scored
from llm.echo import LEAST_LOGPROB

Logits = NDArray[np.float32]
"""One row a token, what comes after it; one column an entry of the vocabulary."""

# Rows whose probabilities are worked out together: a whole window of them, a quarter of a million entries wide, takes
# gigabytes.
ROWS = 64

_one_at_a_time = Lock()


class Weights(Protocol):
    """beginning: what the tokenizer puts before every text by itself. opening: what stands before a text that nothing
    stands before otherwise; () where the model has no such token. longest: so many tokens it takes."""

    beginning: tuple[int, ...]
    opening: tuple[int, ...]
    longest: int

    def tokenize(self, text: str) -> tuple[list[int], list[Span]]:
        """The text's own tokens, and the characters that each has a part of."""
        ...

    def begin(self, ids: Sequence[int], rows: int) -> Logits:
        """Read a text from its beginning; the last `kept` rows."""
        ...

    def go_on(self, ids: Sequence[int]) -> Logits:
        """Go on with the text that was begun, as often as there are endings to it; all rows."""
        ...


@dataclass(frozen=True)
class LocalTokens:
    """A joined text as tokens. first: the place of the continuation's first."""

    joined: Joined
    ids: list[int]
    spans: list[Span]
    first: int


class LocalModel:
    """One example at a time, in a thread that is not the loop's. start_token: whether each text begins with what the
    tokenizer puts before texts by itself."""

    def __init__(self, weights: Weights, start_token: bool = True) -> None:
        self._weights = weights
        self._beginning = weights.beginning if start_token else ()

    async def score(
        self, prefix: str, continuations: Sequence[str], context_length: int
    ) -> list[ScoredContinuation | NotScorableError]:
        return await asyncio.to_thread(self._score, prefix, continuations, context_length)

    async def tokens(self, text: str) -> list[tuple[int, int]]:
        return await asyncio.to_thread(lambda: checked(self._weights.tokenize(text)[1], text))

    def _score(
        self, prefix: str, continuations: Sequence[str], context_length: int
    ) -> list[ScoredContinuation | NotScorableError]:
        room = min(context_length, self._weights.longest)
        outcomes: list[ScoredContinuation | NotScorableError | LocalTokens] = []
        for continuation in continuations:
            try:
                outcomes.append(self._read(join(prefix, continuation), room))
            except NotScorableError as why:
                outcomes.append(why)
        scores = iter(self._score_together([each for each in outcomes if isinstance(each, LocalTokens)], room))
        return [next(scores) if isinstance(each, LocalTokens) else each for each in outcomes]

    def _read(self, joined: Joined, room: int) -> LocalTokens:
        """Raises NotScorableError where the text cannot be read so that something stands before its continuation."""
        ids, spans = self._weights.tokenize(joined.text)
        spans = checked(spans, joined.text)
        tokens = LocalTokens(joined, ids, spans, first_of_continuation(spans, joined.border))
        count = len(ids) - tokens.first
        if not (tokens.first or self._before(tokens)):
            raise NotScorableError("Nothing stands before the completion, and the model has no token to begin with.")
        if count + max(1, len(self._beginning)) > room:
            raise NotScorableError(f"The completion has {count:,} tokens, too many for a context of {room:,}.")
        return tokens

    def _before(self, tokens: LocalTokens) -> tuple[int, ...]:
        return self._beginning or (() if tokens.first else self._weights.opening)

    def _score_together(self, texts: Sequence[LocalTokens], room: int) -> list[ScoredContinuation | NotScorableError]:
        """The longest decides how much of the prefix is cut: each is read after the same."""
        cut = max((len(self._before(text)) + len(text.ids) - room for text in texts), default=0)
        sequences, firsts, prefixes = [], [], []
        for text in texts:
            before = self._before(text)
            gone = min(max(0, cut), text.first - (0 if before else 1))
            sequences.append([*before, *text.ids[gone:]])
            firsts.append(len(before) + text.first - gone)
            prefixes.append(text.first - gone)
        with _one_at_a_time:
            logprobs = logprobs_of(self._weights, sequences, firsts)
        return [
            _scored(text.joined, text.spans[text.first :], of_text, prefix)
            for text, of_text, prefix in zip(texts, logprobs, prefixes, strict=True)
        ]


def logprobs_of(
    weights: Weights, sequences: Sequence[Sequence[int]], firsts: Sequence[int]
) -> list[NDArray[np.float64]]:
    """Of each sequence the log-probabilities of its tokens from the place `first` (1 or later) on, each given all
    before it."""
    shared = shared_length(sequences)
    if not shared:
        return [logprobs_of(weights, [each], [first])[0] for each, first in zip(sequences, firsts, strict=True)]
    shared_rows = max(1, shared - min(firsts) + 1)
    begun = weights.begin(sequences[0][:shared], shared_rows)
    of_sequences = []
    for sequence, first in zip(sequences, firsts, strict=True):
        rows = [begun, weights.go_on(sequence[shared:-1])] if len(sequence) > shared + 1 else [begun]
        logits = np.concatenate(rows) if len(rows) > 1 else begun
        logprobs = log_softmax_at(logits, sequence[shared - shared_rows + 1 :])
        of_sequences.append(logprobs[first - (shared - shared_rows + 1) :])
    return of_sequences


def shared_length(sequences: Sequence[Sequence[int]]) -> int:
    """With so many tokens all begin; each has at least one more, whose probability is what the others tell."""
    length = 0
    for column in zip(*(sequence[:-1] for sequence in sequences), strict=False):
        if len(set(column)) > 1:
            break
        length += 1
    return length


def log_softmax_at(logits: Logits, ids: Sequence[int]) -> NDArray[np.float64]:
    """In each row the log-probability of the token named for it."""
    parts = [_log_softmax_at(logits[n : n + ROWS], ids[n : n + ROWS]) for n in range(0, len(ids), ROWS)]
    return np.concatenate(parts) if parts else np.zeros(0)


def _log_softmax_at(logits: Logits, ids: Sequence[int]) -> NDArray[np.float64]:
    highest = logits.max(axis=1).astype(np.float64)
    sums = np.log(np.exp(logits - highest[:, None]).sum(axis=1, dtype=np.float64))
    chosen: NDArray[np.float64] = logits[np.arange(len(ids)), ids].astype(np.float64)
    logprobs: NDArray[np.float64] = np.maximum(chosen - highest - sums, LEAST_LOGPROB)
    return logprobs


def _scored(
    joined: Joined, spans: Sequence[Span], logprobs: NDArray[np.float64], prefix_tokens: int
) -> ScoredContinuation | NotScorableError:
    try:
        return scored(joined, spans, logprobs.tolist(), prefix_tokens)
    except NotScorableError as why:
        return why
