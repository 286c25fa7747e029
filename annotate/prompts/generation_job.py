"""A model's answers to a dataset's prompts, as a kind of work."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from annotate.grants.endpoints import check_granted
from annotate.models import Generation, GenerationItem
from annotate.prompts.ask import prepare, sent
from annotate.prompts.take_in import take_in
from core.errors import DataError
from jobs.errors import JobError
from jobs.kinds import CALLS_IN_FLIGHT, AsyncJobKind, Question, Queue, WorkerContext
from llm.asker import Asker
from llm.price import price_of
from llm.retries import RetryPolicy


class GenerationJob(AsyncJobKind[Generation, GenerationItem, Asker]):
    """One item a prompt. retries: of calls; None as the settings say."""

    name = "generation"
    queue = Queue.LONG
    job = Generation
    items = GenerationItem
    key = "generation"
    related = ("generation__dataset", "prompt")

    def __init__(self, retries: RetryPolicy | None = None) -> None:
        self._retries = retries

    def load_job(self, key: int) -> Generation | None:
        return Generation.objects.select_related("dataset", "endpoint", "created_by").filter(pk=key).first()

    @asynccontextmanager
    async def open(self, subject: Generation, context: WorkerContext) -> AsyncIterator[Asker]:
        price = await context.in_database_thread(price_of, subject.endpoint, subject.model)
        async with Asker(
            subject.endpoint,
            subject.model,
            sent(subject.temperature, subject.answer_tokens),
            CALLS_IN_FLIGHT,
            context.database_thread,
            interface=subject.interface,
            price=price,
            retries=self._retries,
            budget=context.budget,
            permitted=partial(check_granted, subject.dataset, subject.endpoint),
        ) as ask:
            yield ask

    def prepare(self, item: GenerationItem) -> Question[Asker]:
        return prepare(item)

    def end(self, job: Generation) -> None:
        """The answers become responses, all at once."""
        try:
            take_in(job)
        except DataError as error:
            raise JobError(f"The answers are kept, but could not be taken in: {error}") from None
        job.finish()
