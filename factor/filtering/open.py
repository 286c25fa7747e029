"""The filters of some settings, ready to measure in one event loop."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from concurrent.futures import Executor
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

from annotate.grants.endpoints import check_granted, find_granted
from annotate.models import Dataset
from factor.filtering.judge import ANSWER_TOKENS, CONTRADICTION, FLUENCY, Judge, judge_by
from factor.filtering.measure import (
    Filters,
    MeasureContradictions,
    MeasureFluency,
    by_contradiction_judge,
    by_fluency_judge,
    by_inference,
    by_language_model,
)
from factor.filtering.nli import find_nli_weights, load_nli
from factor.filtering.ready import language_model_named
from factor.filtering.settings import JUDGE, MODEL, WEIGHTS, ContradictionFilter, FilterSettings, FluencyFilter
from factor.language_models.open import open_language_model
from jobs.budget import Budget
from jobs.kinds import CALLS_IN_FLIGHT
from llm.asker import Asker
from llm.price import price_of
from llm.retries import RetryPolicy
from llm.templates import PromptTemplate


@asynccontextmanager
async def open_filters(
    settings: FilterSettings,
    dataset: Dataset,
    database: Executor,
    templates: Mapping[str, PromptTemplate],
    *,
    retries: RetryPolicy | None = None,
    budget: Budget | None = None,
) -> AsyncIterator[Filters]:
    """database: does the work on the database (jobs.database_thread). templates: those of judges, by their names in
    prompt sets. budget: of a judge's calls.

    Raises NotReadyError (llm/weights.py) where a model is missing or cannot measure; ready.py checks that beforehand.
    """
    async with AsyncExitStack() as stack:
        opening = _Opening(stack, dataset, database, templates, retries, budget)
        contradictions = await opening.contradictions(settings.contradiction)
        fluency = await opening.fluency(settings.fluency, settings.near_words)
        yield Filters(settings, contradictions, fluency)


class _Opening:
    def __init__(
        self,
        stack: AsyncExitStack,
        dataset: Dataset,
        database: Executor,
        templates: Mapping[str, PromptTemplate],
        retries: RetryPolicy | None,
        budget: Budget | None,
    ) -> None:
        self._stack = stack
        self._dataset = dataset
        self._database = database
        self._templates = templates
        self._retries = retries
        self._budget = budget
        self._loop = asyncio.get_running_loop()

    async def contradictions(self, settings: ContradictionFilter) -> MeasureContradictions | None:
        if settings.by == WEIGHTS:
            folder = find_nli_weights(settings.weights, "contradiction.weights")
            return by_inference(await asyncio.to_thread(load_nli, folder))
        if settings.by != JUDGE:
            return None
        return by_contradiction_judge(await self._judge(settings), self._templates[CONTRADICTION])

    async def fluency(self, settings: FluencyFilter, near_words: int) -> MeasureFluency | None:
        if settings.by == MODEL:
            model = await self._loop.run_in_executor(
                self._database, language_model_named, self._dataset, settings.model
            )
            opened = open_language_model(
                model,
                self._database,
                context_length=settings.context_length,
                retries=self._retries,
                budget=self._budget,
            )
            return by_language_model(await self._stack.enter_async_context(opened), settings.context_length)
        if settings.by != JUDGE:
            return None
        return by_fluency_judge(await self._judge(settings), self._templates[FLUENCY], near_words)

    async def _judge(self, settings: ContradictionFilter | FluencyFilter) -> Judge:
        endpoint = await self._loop.run_in_executor(self._database, find_granted, self._dataset, settings.endpoint)
        price = await self._loop.run_in_executor(self._database, price_of, endpoint, settings.model)
        asker = Asker(
            endpoint,
            settings.model,
            {"temperature": 0.0, "max_tokens": ANSWER_TOKENS},
            CALLS_IN_FLIGHT,
            self._database,
            interface=settings.interface,
            price=price,
            retries=self._retries,
            budget=self._budget,
            permitted=partial(check_granted, self._dataset, endpoint),
        )
        return judge_by(await self._stack.enter_async_context(asker), logprobs=settings.logprobs)
