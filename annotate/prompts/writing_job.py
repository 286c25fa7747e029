"""The writing of prompts by a model after drafted ones, as a kind of work."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from annotate.corpus.rows import PromptRow
from annotate.grants.endpoints import check_granted
from annotate.models import CollectedPrompt, PromptWriting
from annotate.prompts.collect import collect
from annotate.prompts.write import WritingTemplates, WrittenPrompts, write
from annotate.prompts.writings import drafted_in, templates_of
from jobs.errors import ItemError
from jobs.kinds import AsyncJobKind, Question, Queue, Store, WorkerContext
from jobs.leases import Lease
from llm.asker import Asker
from llm.price import price_of
from llm.retries import RetryPolicy
from llm.templates import PromptError

SENT = {"temperature": 0.7, "max_tokens": 1024}


class WritingJob(AsyncJobKind[PromptWriting, PromptWriting, Asker]):
    """Nothing is collected before all prompts are written. retries: of calls; None as the settings say."""

    name = "prompt_writing"
    queue = Queue.SHORT
    items = PromptWriting
    related = ("dataset", "endpoint")
    concurrency = 1

    def __init__(self, retries: RetryPolicy | None = None) -> None:
        self._retries = retries

    @asynccontextmanager
    async def open(self, subject: PromptWriting, context: WorkerContext) -> AsyncIterator[Asker]:
        price = await context.in_database_thread(price_of, subject.endpoint, subject.model)
        async with Asker(
            subject.endpoint,
            subject.model,
            SENT,
            1,
            context.database_thread,
            price=price,
            retries=self._retries,
            budget=context.budget,
            permitted=partial(check_granted, subject.dataset, subject.endpoint),
        ) as ask:
            yield ask

    def prepare(self, item: PromptWriting) -> Question[Asker]:
        drafted = drafted_in(item.dataset, item.domain)
        templates = _templates_of(item)
        taken = list(item.dataset.collected_prompts.values_list("text", flat=True))

        async def question(ask: Asker) -> Store:
            if not drafted:
                raise ItemError("the drafted prompts are gone.")
            written = await write(ask, templates, drafted, taken, item.wanted, item.seed, item.domain)
            return lambda lease: _store(lease, written, templates.request.hash)

        return question


def _templates_of(writing: PromptWriting) -> WritingTemplates:
    """Raises ItemError where the prompt set is there no more."""
    try:
        return templates_of(writing.dataset, writing.prompt_set)
    except PromptError as error:
        raise ItemError(str(error)) from error


def _store(lease: Lease[PromptWriting], written: WrittenPrompts, prompt_hash: str) -> None:
    writing = lease.item
    if lease.finish(prompts=written.prompts, refused=written.refused, prompt_hash=prompt_hash):
        rows = [PromptRow(text, domain=writing.domain, source=writing.model) for text in written.prompts]
        collect(writing.dataset, rows, CollectedPrompt.Origin.MODEL)
