"""Scoring a corpus's documents in this process."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import Any
from uuid import uuid4

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from annotate.leased.settle import finish
from annotate.leased.shift import Shift, Store
from annotate.models.leased import LeasedQuerySet
from factor.language_models.base import LanguageModel, NotScorableError
from factor.language_models.open import at_once, open_language_model
from factor.models import Perplexity, PerplexityItem
from factor.perplexity.score import DocumentScore, score_document
from jobs.budget import RowBudget
from jobs.database_thread import DatabaseThread, run_beside_database
from jobs.errors import ItemError
from llm.errors import ModelError
from llm.retries import RetryPolicy
from llm.weights import NotReadyError


def work_on(pk: int, retries: RetryPolicy | None = None) -> None:
    """Score every document that waits in the pass (its primary key).

    Any number of processes may do so at once. What an interruption leaves is given back, and what a killed process
    held is free again when its leases have run out. A model that cannot be asked stops it, with the reason, and so does
    a budget that the next call could exceed.
    """
    perplexity = Perplexity.objects.select_related("model__endpoint", "source").get(pk=pk)
    owner = uuid4().hex
    try:
        _work_a_shift(perplexity, owner, retries)
    except (ModelError, NotReadyError) as error:
        Perplexity.objects.under_way().filter(pk=pk).update(state=Perplexity.State.STOPPED, error=str(error))
    finally:
        PerplexityItem.objects.held_by(owner).free()
    end(perplexity)


def end(perplexity: Perplexity) -> None:
    """Finish it where nothing is left to be done."""
    if not perplexity.items.unsettled().exists():
        under_way = Perplexity.objects.under_way().filter(pk=perplexity.pk)
        under_way.update(state=Perplexity.State.FINISHED, finished_at=timezone.now())


class Scorer:
    """Scores the documents of one owner, and measures the time that goes by until each is stored."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def prepare(self, item: PerplexityItem) -> Callable[[LanguageModel], Awaitable[Store]]:
        """What scores the document and returns what stores its sums. `item` comes with its pass and document."""
        text, context_length = item.document.text, item.perplexity.context_length

        async def question(model: LanguageModel) -> Store:
            try:
                found = await score_document(model, text, context_length)
            except NotScorableError as error:
                raise ItemError(str(error)) from None
            return lambda held: self._store(item.perplexity_id, held, found)

        return question

    def _store(self, perplexity: int, held: LeasedQuerySet[Any], found: DocumentScore) -> None:
        now = time.monotonic()
        with transaction.atomic():
            if finish(held, **asdict(found)):
                Perplexity.objects.filter(pk=perplexity).update(
                    scored_tokens=F("scored_tokens") + found.count, seconds=F("seconds") + (now - self._last)
                )
        self._last = now


def _work_a_shift(perplexity: Perplexity, owner: str, retries: RetryPolicy | None) -> None:
    waiting = PerplexityItem.objects.to_score().filter(perplexity=perplexity)
    budget = RowBudget(perplexity, owner, perplexity.items.leased())

    async def work(database_thread: DatabaseThread) -> None:
        async with open_language_model(
            perplexity.model, database_thread, context_length=perplexity.context_length, retries=retries, budget=budget
        ) as model:
            rows, hands = waiting.select_related("perplexity", "document"), at_once(perplexity.model)
            await Shift(rows, Scorer().prepare, owner, database_thread, hands).work(model)

    if waiting.exists():
        run_beside_database(work)
