"""A model's texts for the pairs of a study of open-ended generation, as a kind of work."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from annotate.grants.endpoints import check_granted
from factor.models import OpenEndedGeneration, OpenEndedPair, OpenEndedStudy
from jobs.kinds import CALLS_IN_FLIGHT, AsyncJobKind, Question, Queue, Store, WorkerContext
from llm.asker import Asker
from llm.interfaces import TEXT
from llm.price import price_of
from llm.retries import RetryPolicy


class OpenEndedJob(AsyncJobKind[OpenEndedStudy, OpenEndedGeneration, Asker]):
    """An item is a text. retries: the policy of calls; None: the policy of the settings."""

    name = "open_ended"
    queue = Queue.LONG
    job = OpenEndedStudy
    items = OpenEndedGeneration
    key = "pair__study"
    related = ("pair__study", "pair__completion__example")

    def __init__(self, retries: RetryPolicy | None = None) -> None:
        self._retries = retries

    def load_job(self, key: int) -> OpenEndedStudy | None:
        return OpenEndedStudy.objects.select_related("endpoint", "scoring__benchmark__dataset").filter(pk=key).first()

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
            permitted=partial(check_granted, subject.scoring.benchmark.dataset, subject.endpoint),
        ) as ask:
            yield ask

    def prepare(self, item: OpenEndedGeneration) -> Question[Asker]:
        messages = [{"role": "user", "content": prompt_of(item.pair)}]

        async def question(ask: Asker) -> Store:
            answer = await ask(messages, item.sample)
            return lambda lease: lease.finish(text=answer.text, finish_reason=answer.finish_reason)

        return question


def prompt_of(pair: OpenEndedPair) -> str:
    """The prefix and the common beginning, cut on the left to the study's number of characters, from a whole word.

    Spaces at its end are left to the model: to most tokenizers they belong to the next word.
    """
    text = (pair.completion.example.scored_prefix + pair.common).rstrip(" ")
    most = pair.study.prompt_characters
    if len(text) <= most:
        return text
    kept = text[-most:]
    begun = not text[-most - 1].isspace()
    return re.sub(r"^\S+\s+", "", kept) if begun else kept.lstrip()
