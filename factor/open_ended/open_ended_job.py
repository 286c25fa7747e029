"""A model's texts for the pairs of a study of open-ended generation, as a kind of work."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from factor.models import OpenEndedGeneration, OpenEndedStudy
from factor.open_ended.ask import prepare
from jobs.kinds import CALLS_IN_FLIGHT, AsyncJobKind, Question, Queue, WorkerContext
from llm.asker import Asker
from llm.interfaces import TEXT
from llm.price import price_of
from llm.retries import RetryPolicy


class OpenEndedJob(AsyncJobKind[OpenEndedStudy, OpenEndedGeneration, Asker]):
    """One item a text. retries: of calls; None as the settings say."""

    name = "open_ended"
    queue = Queue.LONG
    job = OpenEndedStudy
    items = OpenEndedGeneration
    key = "pair__study"
    related = ("pair__study", "pair__completion__example")

    def __init__(self, retries: RetryPolicy | None = None) -> None:
        self._retries = retries

    def load_job(self, key: int) -> OpenEndedStudy | None:
        return OpenEndedStudy.objects.select_related("endpoint").filter(pk=key).first()

    @asynccontextmanager
    async def open(self, subject: OpenEndedStudy, context: WorkerContext) -> AsyncIterator[Asker]:
        price = await context.in_database_thread(price_of, subject.endpoint, subject.reached_as)
        async with Asker(
            subject.endpoint,
            subject.reached_as,
            {"temperature": subject.temperature, "max_tokens": subject.answer_tokens},
            CALLS_IN_FLIGHT,
            context.database_thread,
            interface=TEXT,
            price=price,
            retries=self._retries,
            budget=context.budget,
        ) as ask:
            yield ask

    def prepare(self, item: OpenEndedGeneration) -> Question[Asker]:
        return prepare(item)
