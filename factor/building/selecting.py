"""The first stage of an item: the sentence of its document (factor/selecting)."""

import asyncio

from factor.building.resource import BuildResource
from factor.building.steps import leave_out, step_to
from factor.models import BenchmarkBuildItem
from factor.selecting.sentence import DocumentSkip, select
from jobs.kinds import Question, Store


def prepare_selecting(item: BenchmarkBuildItem) -> Question[BuildResource]:
    """Cut the document into sentences, and draw one."""
    document, seed = item.document, f"{item.build.seed}/{item.document.key}"

    async def question(_: BuildResource) -> Store:
        selection = await asyncio.to_thread(select, document.text, document.title, seed)
        if isinstance(selection, DocumentSkip):
            reason = BenchmarkBuildItem.Reason(selection)
            return lambda lease: leave_out(reason, lease)
        columns = {"start": selection.start, "end": selection.end, "sentence": selection.sentence}
        return lambda lease: step_to(BenchmarkBuildItem.Stage.GENERATE, lease, **columns)

    return question
