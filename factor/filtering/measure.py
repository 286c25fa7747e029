"""Measuring an item's candidates: how surely each contradicts the original, and how fluent it is beside it."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from factor.filtering.decide import Decision, FilterFigures, decide
from factor.filtering.judge import Judge
from factor.filtering.nli import Inference
from factor.filtering.sentence_pairs import SentencePair, near_context
from factor.filtering.settings import FilterSettings
from factor.language_models.base import LanguageModel, NotScorableError
from llm.templates import PromptTemplate

# A figure, or why there is none.
Figure = float | str | None
MeasureContradictions = Callable[[Sequence[SentencePair]], Awaitable[list[Figure]]]
"""Of each pair the probability of a contradiction. Raises ModelError where the model itself cannot be asked."""
MeasureFluency = Callable[[str, str, Sequence[str]], Awaitable[list[Figure]]]
"""Takes the whole prefix, the original, and the candidates; of each the figure less the original's. Raises alike."""

TOO_LONG = "The two sentences are longer than the model takes."


class Filters:
    """Both filters, ready to measure. None: that one lets everything pass."""

    def __init__(
        self,
        settings: FilterSettings,
        contradictions: MeasureContradictions | None,
        fluency: MeasureFluency | None,
    ) -> None:
        self.settings = settings
        self._contradictions = contradictions
        self._fluency = fluency

    async def measure(self, prefix: str, original: str, candidates: Sequence[str]) -> list[FilterFigures]:
        """The figures of each candidate of one original, in order, all of them by both filters: thresholds can be
        swept and changed afterwards. A candidate without a figure says why; the model's own failure is a ModelError."""
        near = near_context(prefix, self.settings.near_words)
        pairs = [SentencePair(near, original, candidate) for candidate in candidates]
        nothing: list[Figure] = [None] * len(pairs)
        contradictions = await self._contradictions(pairs) if self._contradictions and pairs else nothing
        fluency = await self._fluency(prefix, original, candidates) if self._fluency and pairs else nothing
        return [_figures(*both) for both in zip(contradictions, fluency, strict=True)]

    async def filter(
        self, prefix: str, original: str, candidates: Sequence[tuple[str, str]]
    ) -> list[tuple[FilterFigures, Decision]]:
        """Of each candidate, a pair of error type and text, its figures and whether it is kept."""
        measured = await self.measure(prefix, original, [text for _, text in candidates])
        return [
            (figures, decide(figures, error_type, self.settings))
            for figures, (error_type, _) in zip(measured, candidates, strict=True)
        ]


def by_inference(model: Inference) -> MeasureContradictions:
    async def measure(pairs: Sequence[SentencePair]) -> list[Figure]:
        figures = await asyncio.to_thread(model.contradictions, pairs)
        return [TOO_LONG if figure is None else figure for figure in figures]

    return measure


def by_contradiction_judge(judge: Judge, template: PromptTemplate) -> MeasureContradictions:
    async def measure(pairs: Sequence[SentencePair]) -> list[Figure]:
        questions = (template.messages(premise=pair.premise, hypothesis=pair.hypothesis) for pair in pairs)
        return [*await asyncio.gather(*map(judge, questions))]

    return measure


def by_language_model(model: LanguageModel, context_length: int) -> MeasureFluency:
    """The mean log-probability of a token after the prefix."""

    async def measure(prefix: str, original: str, candidates: Sequence[str]) -> list[Figure]:
        first, *scored = await model.score(prefix, [original, *candidates], context_length)
        if isinstance(first, NotScorableError):
            return [f"Of the original: {first}"] * len(scored)
        return [str(score) if isinstance(score, NotScorableError) else score.mean - first.mean for score in scored]

    return measure


def by_fluency_judge(judge: Judge, template: PromptTemplate, near_words: int) -> MeasureFluency:
    async def measure(prefix: str, original: str, candidates: Sequence[str]) -> list[Figure]:
        near = near_context(prefix, near_words).strip()
        questions = (template.messages(near=near, sentence=text) for text in (original, *candidates))
        first, *judged = await asyncio.gather(*map(judge, questions))
        if isinstance(first, str):
            return [f"Of the original: {first}"] * len(judged)
        return [figure if isinstance(figure, str) else figure - first for figure in judged]

    return measure


def _figures(contradiction: Figure, fluency: Figure) -> FilterFigures:
    troubles = [figure for figure in (contradiction, fluency) if isinstance(figure, str)]
    return FilterFigures(
        None if isinstance(contradiction, str) else contradiction,
        None if isinstance(fluency, str) else fluency,
        " ".join(troubles),
    )
