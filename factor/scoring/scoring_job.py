"""A language model's pass over a benchmark, as a kind of work."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from factor.language_models.base import LanguageModel
from factor.language_models.open import at_once, open_language_model
from factor.models import Scoring, ScoringItem
from factor.retrieval.scoring_retrieval import with_retrieval
from factor.scoring.score import prepare
from jobs.kinds import AsyncJobKind, Question, Queue, WorkerContext
from llm.retries import RetryPolicy


class ScoringJob(AsyncJobKind[Scoring, ScoringItem, LanguageModel]):
    """One item an example. retries: of calls; None as the settings say."""

    name = "scoring"
    queue = Queue.LONG
    job = Scoring
    items = ScoringItem
    key = "scoring"
    related = ("scoring", "example")

    def __init__(self, retries: RetryPolicy | None = None) -> None:
        self._retries = retries

    def load_job(self, key: int) -> Scoring | None:
        scorings = Scoring.objects.select_related("model__endpoint", "benchmark", "source")
        return scorings.filter(pk=key).first()

    def concurrency_of(self, subject: Scoring) -> int:
        return at_once(subject.model)

    @asynccontextmanager
    async def open(self, subject: Scoring, context: WorkerContext) -> AsyncIterator[LanguageModel]:
        async with open_language_model(
            subject.model,
            context.database_thread,
            context_length=subject.context_length,
            start_token=subject.start_token,
            retries=self._retries,
            budget=context.budget,
        ) as model:
            yield await context.in_database_thread(with_retrieval, subject, model, context.database_thread)

    def prepare(self, item: ScoringItem) -> Question[LanguageModel]:
        return prepare(item)
