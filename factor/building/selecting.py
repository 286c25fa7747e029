"""The first stage of an item: the sentence of its document (factor/selecting)."""

import asyncio
from typing import Any

from annotate.leased.shift import Question, Store
from annotate.models.leased import LeasedQuerySet
from factor.building.steps import leave_out, step_to
from factor.models import BenchmarkBuildItem
from factor.selecting.sentence import DocumentSkip, select
from llm.asker import Asker


def prepare_selecting(item: BenchmarkBuildItem) -> Question:
    """Cut the document into sentences, and draw one."""
    document, seed = item.document, f"{item.build.seed}/{item.document.key}"

    async def question(ask: Asker) -> Store:
        found = await asyncio.to_thread(select, document.text, document.title, seed)
        if isinstance(found, DocumentSkip):
            reason = BenchmarkBuildItem.Reason(found)
            return lambda held: _leave_out(reason, held)
        return lambda held: _go_on(held, start=found.start, end=found.end, sentence=found.sentence)

    return question


def _leave_out(reason: BenchmarkBuildItem.Reason, held: LeasedQuerySet[Any]) -> None:
    leave_out(reason, held)


def _go_on(held: LeasedQuerySet[Any], **brought: Any) -> None:
    step_to(BenchmarkBuildItem.Stage.GENERATE, held, **brought)
