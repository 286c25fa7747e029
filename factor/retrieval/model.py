"""In-context retrieval over a language model: the best passage before the input, another every few tokens.

At each stride (every `stride` tokens of what is scored) a query of the last `query_tokens` tokens is looked up, and the
passage that comes first is put before the prefix; the tokens of the stride are scored after passage, prefix and what
stands before them. The input is cut between passage and prefix, at the prefix's left, so that all of it fits.

The tokens of a stride depend on nothing that comes after them. So a passage's input is run once with each whole
continuation for which it was found at any stride, and of its probabilities those of these strides are taken: equal to a
run of every stride by itself, at the price of one input for each *different* passage. Continuations of one prefix share
the first query, and so the first passage's input. Before one passage's run the prefix is cut at the same place for all
continuations: it leaves room for the longest of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from factor.language_models.base import LanguageModel, NotScorableError, ScoredContinuation
from factor.language_models.tokens import Span, tokens_of
from factor.retrieval.strides import StridePlan, plan

# Ram et al. (2023): so many tokens of the passage at most.
PASSAGE_TOKENS = 256
# The passage takes at most one of so many parts of the context.
PARTS = 4
# Of the prefix so many characters for each token of the context are looked at: more than ever fit.
MOST_CHARACTERS = 12
# Tokens for a beginning-of-text token and for tokens that change where passage and prefix meet.
MARGIN = 4


@dataclass(frozen=True)
class RetrievedPassage:
    """A passage's primary key, and the text that is put before the input."""

    key: int
    text: str


class Passages(Protocol):
    async def best(self, query: str) -> RetrievedPassage | None:
        """The first passage for the query; None where nothing is found."""
        ...


@dataclass(frozen=True)
class Under:
    """The tokens from the number `first` on were scored under this passage (its primary key), None: under none."""

    first: int
    passage: int | None


@dataclass(frozen=True)
class RetrievedScored(ScoredContinuation):
    """As Scored; `prefix_tokens` counts the passage too. `under`: the strides in order."""

    under: tuple[Under, ...] = ()


@dataclass(frozen=True)
class RetrievingModel:
    """A LanguageModel of a LanguageModel and the passages that it may look up."""

    model: LanguageModel
    passages: Passages
    stride: int = 8
    query_tokens: int = 32
    passage_tokens: int = PASSAGE_TOKENS

    async def tokens(self, text: str) -> list[Span]:
        return await self.model.tokens(text)

    async def score(
        self, prefix: str, continuations: Sequence[str], context_length: int
    ) -> list[ScoredContinuation | NotScorableError]:
        prefix = prefix[-MOST_CHARACTERS * context_length :]
        try:
            spans = await tokens_of(self.model, prefix, context_length)
        except NotScorableError as why:
            return [why] * len(continuations)
        planned = [await self._plan(prefix, spans, each) for each in continuations]
        plans = {number: each for number, each in enumerate(planned) if isinstance(each, StridePlan)}
        passages = await self._look_up(list(plans.values()))
        longest = max((each.tokens for each in plans.values()), default=0)
        scored: dict[tuple[int, int | None], ScoredContinuation | NotScorableError] = {}
        # In the order of their first use: the input of the first stride, which all share, comes first.
        for passage in {_key(each): each for each in passages.values()}.values():
            own = [n for n, each in plans.items() if any(passages[stride.query] == passage for stride in each.strides)]
            before = await self._before(passage, prefix, spans, longest, context_length)
            answers = await self.model.score(before, [continuations[n] for n in own], context_length)
            scored.update({(n, _key(passage)): answer for n, answer in zip(own, answers, strict=True)})
        return [
            _joined(n, each, passages, scored) if isinstance(each, StridePlan) else each
            for n, each in enumerate(planned)
        ]

    async def _plan(self, prefix: str, spans: Sequence[Span], continuation: str) -> StridePlan | NotScorableError:
        try:
            return await plan(self.model, prefix, spans, continuation, self.stride, self.query_tokens)
        except NotScorableError as why:
            return why

    async def _look_up(self, plans: Sequence[StridePlan]) -> dict[str, RetrievedPassage | None]:
        """The passage of each query; the queries in order: the first strides first."""
        queries = {stride.query: None for each in plans for stride in each.strides[:1]}
        queries |= {stride.query: None for each in plans for stride in each.strides}
        return {query: await self.passages.best(query) for query in queries}

    async def _before(
        self, passage: RetrievedPassage | None, prefix: str, spans: Sequence[Span], longest: int, context_length: int
    ) -> str:
        """The passage, cut on the right, and as much of the prefix's end as the context has left beside the longest
        continuation. Without a passage the model cuts the prefix by itself."""
        if passage is None:
            return prefix
        passage_spans = await tokens_of(self.model, passage.text, context_length)
        most = min(self.passage_tokens, context_length // PARTS)
        text = passage.text if len(passage_spans) <= most else passage.text[: passage_spans[most - 1][1]] + "\n"
        room = max(0, context_length - MARGIN - min(len(passage_spans), most) - longest)
        if len(spans) > room:
            prefix = prefix[spans[-room][0] :] if room else ""
        return text + prefix


def _key(passage: RetrievedPassage | None) -> int | None:
    return None if passage is None else passage.key


def _joined(
    number: int,
    plan: StridePlan,
    passages: dict[str, RetrievedPassage | None],
    scored: dict[tuple[int, int | None], ScoredContinuation | NotScorableError],
) -> ScoredContinuation | NotScorableError:
    """The continuation's tokens, each from the run under its stride's passage."""
    keys = [_key(passages[stride.query]) for stride in plan.strides]
    if not keys:
        return NotScorableError("The completion has no tokens.")
    runs: dict[int | None, ScoredContinuation] = {}
    for key in keys:
        run = scored[number, key]
        if isinstance(run, NotScorableError):
            return run
        runs[key] = run
    first = runs[keys[0]]
    if any(_spans(run) != _spans(first) for run in runs.values()):
        return NotScorableError("The tokens of the completion are not the same after every passage.")
    strides = [plan.stride_at(token.start) for token in first.tokens]
    under = [Under(n, keys[own]) for n, own in enumerate(strides) if n == 0 or own != strides[n - 1]]
    tokens = tuple(runs[keys[own]].tokens[n] for n, own in enumerate(strides))
    return RetrievedScored(tokens, first.prefix_tokens, first.moved, tuple(under))


def _spans(run: ScoredContinuation) -> list[Span]:
    """Where the tokens stand in the continuation, whatever of the prefix the first takes with it."""
    return [(max(0, token.start), token.end) for token in run.tokens]
