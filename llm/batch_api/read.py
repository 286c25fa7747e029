"""What a batch has brought: answers into the cache, and what is asked again or has failed."""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from django.db import transaction
from django.db.models import F

from jobs.budget import NOTHING, Spending, Sum
from jobs.leases import Lease
from llm.batch_api.errors import sentence_of
from llm.batch_api.lines import LineOutcome, ResultLine, as_json, changes_in, outcome_of, read_lines
from llm.batch_api.price import batch_price
from llm.batch_api.signals import batch_ended
from llm.cache import Record, store
from llm.call_counts import CallCounts
from llm.learnt import keep_changes
from llm.models import BatchedRequest, Endpoint, RequestBatch
from llm.price import cost_of_call, counted_usd, price_of
from llm.requests import Request

GROUP = 200  # lines that are stored together
MOST_ATTEMPTS = 3  # batches that a request is in, where it is refused for a cause that may pass, or never worked on
NEVER_DONE = "The Batch API has not worked on the request in {attempts} batches."

State = BatchedRequest.State


def read_results(batch: RequestBatch, files: Sequence[Path]) -> Spending:
    """Store what the files of results and errors say; what the answered requests took. Done twice, it is as if done
    once."""
    took = Sum()
    for file in files:
        lines = read_lines(file)
        while group := list(islice(lines, GROUP)):
            for spending in _keep(batch, group):
                took.add(spending)
    return Spending(took.tokens, took.usd)


@transaction.atomic
def _keep(batch: RequestBatch, lines: Sequence[ResultLine]) -> list[Spending]:
    rows = {row.request_hash: row for row in batch.lines.filter(request_hash__in=[line.key for line in lines])}
    outcomes = [
        (row, outcome_of(line, row, changes_in(batch.changes, row.changes)))
        for line in lines
        if (row := rows.get(line.key)) is not None
    ]
    price = batch_price(batch.endpoint, price_of(batch.endpoint, batch.model))
    counts = CallCounts(batch.endpoint.name, batch.model)
    records: list[Record] = []
    spent: list[Spending] = []
    for row, outcome in outcomes:
        if outcome.completion is None:
            _put_off(row, outcome, batch.endpoint)
            continue
        row.state = State.ANSWERED
        request, completion = Request(**row.request), outcome.completion
        prompt, answered = completion.prompt_tokens, completion.completion_tokens
        cost, counted = cost_of_call(price, completion), counted_usd(price, completion)
        counts.spent(prompt, answered, cost.known_usd)
        tokens = request.most_tokens if prompt is None else prompt + (answered or 0)
        records.append(Record(batch.endpoint, request, completion, cost, counted))
        spent.append(Spending(tokens, counted))
    store(records)
    learnt = {change.key: change for _, outcome in outcomes for change in outcome.learnt}
    keep_changes(batch.endpoint, batch.model, list(learnt.values()))
    rows_read = [row for row, _ in outcomes]
    BatchedRequest.objects.bulk_update(rows_read, ["state", "changes", "error", "concerns_all"], batch_size=GROUP)
    return spent


def _put_off(row: BatchedRequest, outcome: LineOutcome, endpoint: Endpoint) -> None:
    row.error, row.concerns_all = sentence_of(endpoint, outcome.error), outcome.concerns_all
    row.state = State.AGAIN if outcome.again else State.FAILED
    if outcome.own:
        row.changes = as_json(outcome.own)


def end_batch(lease: Lease[RequestBatch], took: Spending) -> None:
    """Settle the batch. What was not answered is sent again, unless it was too often or the owner wants it no more."""
    batch = lease.item
    with transaction.atomic():
        held = Spending(batch.held_tokens, batch.held_usd)
        if not lease.finish(
            status=batch.status, answered=batch.answered, refused=batch.refused, held_tokens=0, held_usd=None
        ):
            return
        _settle_lines(batch)
        correction = Spending(took.tokens - held.tokens, (took.usd or NOTHING) - (held.usd or NOTHING))
        batch_ended.send(RequestBatch, batch=batch, correction=correction)


def _settle_lines(batch: RequestBatch) -> None:
    batch.lines.filter(state=State.ANSWERED).delete()
    if batch.cancelled_at is not None:
        batch.lines.all().delete()
        return
    again = batch.lines.filter(state__in=[State.WAITING, State.AGAIN])
    too_often = again.filter(attempts__gte=MOST_ATTEMPTS)
    too_often.filter(error="").update(error=NEVER_DONE.format(attempts=MOST_ATTEMPTS))
    too_often.update(state=State.FAILED)
    again.update(state=State.AGAIN, attempts=F("attempts") + 1, error="")
