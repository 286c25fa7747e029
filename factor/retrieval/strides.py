"""The strides of a continuation and their queries (FACTOR §4.3)."""

from collections.abc import Sequence
from dataclasses import dataclass

from factor.language_models.base import LanguageModel
from factor.language_models.tokens import Span


@dataclass(frozen=True)
class Stride:
    """From the character `start` of the continuation on (below 0: in the prefix's end, which its first token takes
    with it), until the next begins, its tokens are scored under what `query` finds."""

    start: int
    query: str


@dataclass(frozen=True)
class StridePlan:
    """A continuation's strides in order, and how many tokens it has."""

    strides: tuple[Stride, ...]
    tokens: int

    def stride_at(self, start: int) -> int:
        """The number of the stride that a token belongs to which begins at that character of the continuation."""
        begun = sum(1 for stride in self.strides if stride.start <= start)
        return max(0, begun - 1)


async def plan(
    model: LanguageModel, prefix: str, prefix_tokens: Sequence[Span], continuation: str, stride: int, query_tokens: int
) -> StridePlan:
    """A stride begins at every `stride`-th token of the continuation; its query is the last `query_tokens` tokens of
    prefix and continuation before it, fewer where there are no more.

    `prefix_tokens`: the places of the prefix's tokens.
    """
    # Twice as many as a query takes: that the text begins in the middle changes at most the first few.
    tail = prefix[prefix_tokens[-2 * query_tokens][0] :] if len(prefix_tokens) > 2 * query_tokens else prefix
    text = tail + continuation
    spans = await model.tokens(text)
    own = [place for place, (_, end) in enumerate(spans) if end > len(tail)]
    return StridePlan(
        tuple(
            Stride(spans[place][0] - len(tail), text[spans[max(0, place - query_tokens)][0] : spans[place][0]])
            for place in own[::stride]
        ),
        len(own),
    )
