"""A language model's pass over a sample of a corpus, as a kind of work."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field

from django.db.models import F

from factor.language_models.base import LanguageModel, NotScorableError
from factor.language_models.open import at_once, open_language_model
from factor.models import Perplexity, PerplexityItem
from factor.perplexity.score import DocumentScore, score_document
from jobs.errors import ItemError
from jobs.kinds import AsyncJobKind, Question, Queue, Store, WorkerContext
from jobs.leases import Lease
from llm.retries import RetryPolicy


@dataclass
class TimedModel:
    """A model that was opened. last: when its latest document was stored, in seconds of the monotonic clock."""

    model: LanguageModel
    last: float = field(default_factory=time.monotonic)

    def store(self, lease: Lease[PerplexityItem], score: DocumentScore) -> None:
        """Store the sums of a document, and the time since the one before."""
        now = time.monotonic()
        if lease.finish(**asdict(score)):
            Perplexity.objects.filter(pk=lease.item.perplexity_id).update(
                scored_tokens=F("scored_tokens") + score.count, seconds=F("seconds") + (now - self.last)
            )
        self.last = now


class PerplexityJob(AsyncJobKind[Perplexity, PerplexityItem, TimedModel]):
    """One item a document. retries: of calls; None as the settings say."""

    name = "perplexity"
    queue = Queue.LONG
    job = Perplexity
    items = PerplexityItem
    key = "perplexity"
    related = ("perplexity", "document")

    def __init__(self, retries: RetryPolicy | None = None) -> None:
        self._retries = retries

    def load_job(self, key: int) -> Perplexity | None:
        return Perplexity.objects.select_related("model__endpoint", "source").filter(pk=key).first()

    def concurrency_of(self, subject: Perplexity) -> int:
        return at_once(subject.model)

    @asynccontextmanager
    async def open(self, subject: Perplexity, context: WorkerContext) -> AsyncIterator[TimedModel]:
        async with open_language_model(
            subject.model,
            context.database_thread,
            context_length=subject.context_length,
            retries=self._retries,
            budget=context.budget,
        ) as model:
            yield TimedModel(model)

    def prepare(self, item: PerplexityItem) -> Question[TimedModel]:
        text, context_length = item.document.text, item.perplexity.context_length

        async def question(timed: TimedModel) -> Store:
            try:
                score = await score_document(timed.model, text, context_length)
            except NotScorableError as error:
                raise ItemError(str(error)) from None
            return lambda lease: timed.store(lease, score)

        return question
