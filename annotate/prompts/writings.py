"""Prompts that a model writes after drafted ones: started, worked on by a worker, found again where one was lost."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.db import transaction
from django.db.models import Count
from django.utils import timezone

from annotate.corpus.rows import PromptRow
from annotate.leased.knocking import knock_for
from annotate.leased.leases import free_expired
from annotate.leased.progress import PATIENCE
from annotate.leased.settle import fail_all, finish
from annotate.leased.shift import Question, Shift, Store
from annotate.leased.waiting import work_until
from annotate.models import CollectedPrompt, Dataset, PromptWriting, Scheme, User
from annotate.models.leased import LeasedQuerySet
from annotate.prompts.collect import collect
from annotate.prompts.write import Written, write
from jobs.database_thread import DatabaseThread, run_beside_database
from jobs.errors import ItemError, StartError
from llm.asker import Asker
from llm.errors import ModelError
from llm.models import Endpoint
from llm.price import price_of
from llm.retries import RetryPolicy

SENT = {"temperature": 0.7, "max_tokens": 1024}


def drafted_in(dataset: Dataset, domain: str) -> list[str]:
    """The dataset's prompts of the domain that people drafted, in order."""
    drafted = dataset.collected_prompts.filter(domain=domain, origin=CollectedPrompt.Origin.FILE)
    return list(drafted.order_by("position").values_list("text", flat=True))


def domains_drafted(dataset: Dataset) -> dict[str, int]:
    """The domains of the prompts that people drafted, each with their number; "": without one."""
    drafted = dataset.collected_prompts.filter(origin=CollectedPrompt.Origin.FILE)
    return dict(drafted.order_by("domain").values_list("domain").annotate(Count("pk")))


def start_writing(
    dataset: Dataset, endpoint: Endpoint, model: str, wanted: int, seed: int, domain: str = "", by: User | None = None
) -> PromptWriting:
    """Let the model write `wanted` more prompts of the domain after those that were drafted. Raises StartError."""
    if dataset.scheme != Scheme.FELM:
        raise StartError(f"{dataset} asks for lives: draw its entities instead.")
    if not drafted_in(dataset, domain):
        of = f" of the domain {domain}" if domain else ""
        raise StartError(f"There is no drafted prompt{of} to begin with: import a few.")
    return PromptWriting.objects.create(
        dataset=dataset, endpoint=endpoint, model=model, wanted=wanted, seed=seed, domain=domain, created_by=by
    )


def work_on_writing(pk: int, retries: RetryPolicy | None = None) -> None:
    """Have the prompts of the writing (its primary key) written and collected, unless somebody else does.

    Nothing is collected before all are written. What goes wrong is kept in the row.
    """
    mine = PromptWriting.objects.filter(pk=pk)
    writing = mine.select_related("endpoint").get()
    price = price_of(writing.endpoint, writing.model)
    owner = uuid4().hex

    async def work(database_thread: DatabaseThread) -> None:
        async with Asker(
            writing.endpoint, writing.model, SENT, 1, database_thread, price=price, retries=retries
        ) as ask:
            await Shift(mine.waiting().select_related("dataset"), prepare, owner, database_thread).work(ask)

    try:
        run_beside_database(work)
    except ModelError as error:
        fail_all(mine.unsettled(), str(error))
    finally:
        PromptWriting.objects.held_by(owner).free()


def prepare(writing: PromptWriting) -> Question:
    """What asks the model and returns what collects its prompts. `writing` comes with its dataset."""
    drafted = drafted_in(writing.dataset, writing.domain)
    taken = list(writing.dataset.collected_prompts.values_list("text", flat=True))

    async def question(ask: Asker) -> Store:
        if not drafted:
            raise ItemError("the drafted prompts are gone.")
        written = await write(ask, drafted, taken, writing.wanted, writing.seed, writing.domain)
        return lambda held: _store(held, writing, written)

    return question


@transaction.atomic
def _store(held: LeasedQuerySet[Any], writing: PromptWriting, written: Written) -> None:
    if finish(held, prompts=written.prompts, refused=written.refused):
        rows = [PromptRow(text, domain=writing.domain, source=writing.model) for text in written.prompts]
        collect(writing.dataset, rows, CollectedPrompt.Origin.MODEL)


def write_to_the_end(writing: PromptWriting) -> None:
    """Work on it until it is settled, whoever does it; the row is refreshed."""
    unsettled = PromptWriting.objects.unsettled().filter(pk=writing.pk)

    def work() -> None:
        free_expired(PromptWriting.objects.all())
        work_on_writing(writing.pk)

    work_until(lambda: not unsettled.exists(), work)
    writing.refresh_from_db()


def knock_for_writing(writing: int) -> bool:
    """Tell the workers of the writing (its primary key); False where the queue is out of reach."""
    from annotate.prompts.tasks import work_on_prompt_writing

    if not knock_for(work_on_prompt_writing, writing):
        return False
    PromptWriting.objects.filter(pk=writing).update(knocked_at=timezone.now())
    return True


def is_unheard(writing: PromptWriting) -> bool:
    """Whether it has waited for a while: no worker lives, or all are busy."""
    since = writing.knocked_at or writing.created_at
    return writing.state == PromptWriting.State.WAITING and since < timezone.now() - PATIENCE


def sweep_writings() -> list[int]:
    """Free expired leases, and knock for what waits; their keys."""
    free_expired(PromptWriting.objects.all())
    patience = timezone.now() - timedelta(seconds=settings.RUN_LEASE_SECONDS)
    left = PromptWriting.objects.waiting().exclude(knocked_at__gte=patience)
    return [writing for writing in list(left.values_list("pk", flat=True)) if knock_for_writing(writing)]
