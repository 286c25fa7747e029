"""A run that asks through the Batch API: its requests go in files, and it waits until they are answered."""

from collections.abc import Collection
from typing import Any

from django.db import transaction
from django.db.models import Min, Sum
from django.dispatch import receiver
from django.utils import timezone

from evaluators.models import Run, RunItem
from jobs.budget import UNHELD, Budget, RowBudget, Spending
from jobs.enqueue import enqueue
from jobs.errors import JobError
from jobs.models import Job, JobItem
from jobs.signals import item_failed, job_ended
from llm.batch_api.collect import RequestBasket, make_batches
from llm.batch_api.signals import batch_ended
from llm.models import Endpoint, RequestBatch

KEY = "batch_api"  # of the manifest
OWNER = "run "
GIVEN_UP = (Run.State.CANCELLED, Run.State.FAILED)


def describe_batch_api(endpoints: Collection[Endpoint]) -> dict[str, Any]:
    """Its entry in the manifest of a run that begins now. discount: in per cent, by the endpoint's address."""
    return {"discount": {each.base_url: each.batch_discount for each in endpoints}, "batches": []}


def basket_of(run: Run) -> RequestBasket | None:
    """None where the run calls its models."""
    return RequestBasket(f"{OWNER}{run.pk}") if KEY in run.manifest and run.reading_of_id is None else None


def batches_of(run: Run) -> Any:
    """Those that have not ended."""
    return RequestBatch.objects.unsettled().filter(owner=f"{OWNER}{run.pk}")


def send_off(run: Run, basket: RequestBasket, budget: Budget | None) -> None:
    """Put what was collected into batches. Nothing where the run has been stopped. Raises as `make_batches` does."""
    with transaction.atomic():
        if not Run.objects.active().filter(pk=run.pk).select_for_update().values_list("pk").first():
            return
        batches, again = make_batches(basket, budget)
        if again:
            _wake(run)
    for batch in batches:
        enqueue(batch)


def in_words(run: Run) -> str:
    """What the run waits for; "" where it waits for no batch."""
    batches = batches_of(run)
    sums = batches.aggregate(requests=Sum("requests"), answered=Sum("answered"), since=Min("submitted_at"))
    if not sums["requests"]:
        return ""
    requests = f"{sums['requests']:,} request{'s' * (sums['requests'] != 1)}"
    if sums["since"] is None:
        return f"{requests} on the way to the Batch API."
    since = sums["since"]
    day = f"{since:%H:%M}" if since.date() == timezone.now().date() else f"{since:%-d %B, %H:%M}"
    return f"{requests} in a batch at the server since {day} UTC, {sums['answered'] or 0:,} done."


def _wake(run: Run) -> None:
    """Let the responses go on that wait for answers."""
    run.items.filter(state=RunItem.State.WAITING).update(not_before=None)
    transaction.on_commit(lambda: enqueue(run))


def _run_of(batch: RequestBatch) -> Run | None:
    number = batch.owner.removeprefix(OWNER)
    known = Run.objects.select_related("evaluator")
    return known.filter(pk=number).first() if number != batch.owner and number.isdecimal() else None


@receiver(batch_ended)
def go_on(sender: object, batch: RequestBatch, correction: Spending, **_: Any) -> None:
    run = _run_of(batch)
    if run is None:
        return
    RowBudget(run, "", RunItem, run.shared_budgets()).settle([(UNHELD, correction)])
    _note_batch(run, batch)
    if run.is_active:
        _wake(run)


@receiver(item_failed)
def fail_run(sender: object, item: JobItem, **_: Any) -> None:
    """Without the batch the run has no answers."""
    run = _run_of(item) if isinstance(item, RequestBatch) else None
    if run is not None and isinstance(item, RequestBatch):
        back = Spending(-item.held_tokens, -item.held_usd if item.held_usd is not None else None)
        RowBudget(run, "", RunItem, run.shared_budgets()).settle([(UNHELD, back)])
        failed = RequestBatch.objects.only("error").get(pk=item.pk)
        run.stop_with(JobError(failed.error))


@receiver(job_ended)
def end_with_run(sender: object, job: Job, **_: Any) -> None:
    """Once the end is stored: a batch that has just been read waits for the run's row."""
    if isinstance(job, Run) and job.state in GIVEN_UP:
        transaction.on_commit(cancel_unwanted)


def cancel_unwanted() -> None:
    """Cancel the batches of runs that were cancelled, have failed, or are gone. One that is out of budget keeps them:
    they are paid for, and it goes on later."""
    open_batches = RequestBatch.objects.unsettled().filter(owner__startswith=OWNER, cancelled_at=None)
    owners = {int(owner.removeprefix(OWNER)): owner for owner in open_batches.values_list("owner", flat=True)}
    wanted = set(Run.objects.filter(pk__in=owners).exclude(state__in=GIVEN_UP).values_list("pk", flat=True))
    unwanted = list(open_batches.filter(owner__in=[owner for run, owner in owners.items() if run not in wanted]))
    for batch in unwanted:
        RequestBatch.objects.filter(pk=batch.pk).update(cancelled_at=timezone.now(), not_before=None)
        enqueue(batch)


def _note_batch(run: Run, batch: RequestBatch) -> None:
    """Its name at the server, into the manifest."""
    if not batch.server_id:
        return
    manifest = Run.objects.select_for_update().values_list("manifest", flat=True).get(pk=run.pk)
    noted = manifest.get(KEY)
    if noted is not None:
        entry = {"endpoint": batch.endpoint.base_url, "id": batch.server_id, "requests": batch.requests}
        run.manifest = {**manifest, KEY: {**noted, "batches": [*noted["batches"], entry]}}
        run.save(update_fields=["manifest"])
