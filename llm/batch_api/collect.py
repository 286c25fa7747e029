"""Requests collected in place of calls, and put into batches."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from typing import Any
from uuid import uuid4

from django.db import transaction

from jobs.budget import Budget, Room, Spending
from jobs.models import JobItem
from llm.answer import Answer
from llm.asker import Asker
from llm.batch_api.errors import WaitsForBatchError
from llm.batch_api.lines import as_json, line_of
from llm.batch_api.price import batch_price
from llm.cache import known
from llm.dialects import Changes
from llm.errors import AccessRefusedError, BudgetSpentError, RequestRefusedError, UnknownPriceError
from llm.grouped import Grouped
from llm.learnt import known_changes
from llm.models import BatchedRequest, Endpoint, RequestBatch
from llm.price import most_usd
from llm.requests import Request

# What the providers take in one file, the strictest of them.
MOST_LINES = 50_000
MOST_BYTES = 100 * 1024 * 1024
MOST_COLLECTED = 50 * 1024 * 1024  # bytes of requests in a worker's memory
GROUP = 500  # rows of a statement

State = BatchedRequest.State


@dataclass(frozen=True)
class CollectedRequest:
    """most: its greatest possible spending."""

    endpoint: Endpoint
    request: Request
    most: Spending

    @property
    def file_of(self) -> tuple[int, str, str]:
        """What the requests of one file have in common."""
        return self.endpoint.pk, self.request.model, self.request.path


@dataclass
class RequestBasket:
    """The requests of one owner that have no answer. collected: those that no batch has, by their hash; waiting: the
    hashes of those that one has; failed: the hashes of those that failed for good, which their askers were told.
    is_full: there were more than it holds, and who asks again once these are in batches has the others collected."""

    owner: str
    collected: dict[str, CollectedRequest] = field(default_factory=dict)
    waiting: set[str] = field(default_factory=set)
    failed: set[str] = field(default_factory=set)
    is_full: bool = False
    _size: int = 0

    def collect(self, each: CollectedRequest) -> None:
        if each.request.hash in self.collected:
            return
        self._size += len(each.request.text)
        self.is_full = self.is_full or self._size > MOST_COLLECTED
        if not self.is_full or not self.collected:
            self.collected[each.request.hash] = each


class BatchAsker(Asker):
    """An Asker that collects what it would call for. Asking raises WaitsForBatchError then, and what the request failed
    with in a batch. Vectors are not waited for: they are called for at once."""

    def __init__(self, *args: Any, basket: RequestBasket, **options: Any) -> None:
        super().__init__(*args, **options)
        self._basket = basket
        self._rows = Grouped(partial(rows_of, basket.owner), self._database)

    async def _call(self, request: Request) -> Answer:
        row = await self._rows(request.hash)
        if row is not None and is_waiting(row):
            self._basket.waiting.add(request.hash)
        elif row is not None and row.state == State.FAILED:
            self._basket.failed.add(request.hash)
            raise (AccessRefusedError if row.concerns_all else RequestRefusedError)(row.error)
        else:
            price = batch_price(self._endpoint, self._price)
            most = Spending(request.most_tokens, most_usd(price, request))
            self._basket.collect(CollectedRequest(self._endpoint, request, most))
        raise WaitsForBatchError


def rows_of(owner: str, hashes: Sequence[str]) -> list[BatchedRequest | None]:
    """The row of each request of the owner, None where there is none; in the order given."""
    rows: dict[str, BatchedRequest] = {}
    for group in _groups(hashes):
        of_group = BatchedRequest.objects.filter(owner=owner, request_hash__in=group).select_related("batch")
        rows |= {row.request_hash: row for row in of_group.defer("request")}
    return [rows.get(key) for key in hashes]


def is_waiting(row: BatchedRequest) -> bool:
    """Whether a batch that has not ended holds the request."""
    return row.batch.state in JobItem.UNSETTLED


def forget_failures(basket: RequestBasket) -> None:
    """Those that were told: who asks again has another answer of the server."""
    _forget(basket.owner, list(basket.failed))


def _forget(owner: str, hashes: Sequence[str]) -> None:
    """The requests of batches that have ended."""
    for group in _groups(hashes):
        rows = BatchedRequest.objects.filter(owner=owner, request_hash__in=group)
        rows.exclude(batch__state__in=JobItem.UNSETTLED).delete()


@transaction.atomic
def make_batches(basket: RequestBasket, budget: Budget | None) -> tuple[list[RequestBatch], bool]:
    """Put what was collected into batches, as far as the budget holds it. The batches, to be enqueued; and whether to
    ask again at once: some answers have come meanwhile, or the basket was full.

    Call it while a lock keeps others from doing so for the same owner. Raises BudgetSpentError and UnknownPriceError
    where the budget holds none of it.
    """
    hashes = [*basket.collected, *basket.waiting]
    rows = dict(zip(hashes, rows_of(basket.owner, hashes), strict=True))
    answered = known(hashes)
    _forget(basket.owner, list(answered))
    left = {key: each for key, each in basket.collected.items() if key not in answered}
    left = {key: each for key, each in left.items() if (row := rows[key]) is None or not is_waiting(row)}
    held = _hold(list(left.values()), budget)
    batches = []
    for collected in _by_file(held):
        endpoint, model = collected[0].endpoint, collected[0].request.model
        changes = known_changes(endpoint, model)
        for part in _parts(collected, changes):
            batches.append(_make_batch(basket.owner, part, changes, rows))
    return batches, bool(answered) or (basket.is_full and bool(batches))


def _hold(wanted: Sequence[CollectedRequest], budget: Budget | None) -> list[CollectedRequest]:
    """Those that the budget has room for. Their greatest spending counts as spent until their answers are read: what is
    only held is free again when the worker goes on to other work."""
    if budget is None or not wanted:
        return list(wanted)
    rooms = budget.hold([each.most for each in wanted])
    held = [each for each, room in zip(wanted, rooms, strict=True) if room is Room.HELD]
    if not held and Room.UNPRICED in rooms:
        raise UnknownPriceError(
            f"What {wanted[0].request.model} costs is not known, so no limit in dollars can be kept to: enter its "
            "price on the page of endpoints."
        )
    if not held and Room.SPENT in rooms:
        raise BudgetSpentError(budget.reached)
    budget.settle([(each.most, each.most) for each in held])
    return held


def _by_file(collected: Sequence[CollectedRequest]) -> list[list[CollectedRequest]]:
    groups: dict[tuple[int, str, str], list[CollectedRequest]] = {}
    for each in collected:
        groups.setdefault(each.file_of, []).append(each)
    return list(groups.values())


def _parts(collected: Sequence[CollectedRequest], changes: Changes) -> Iterator[list[CollectedRequest]]:
    """Those that fit into one file each."""
    part: list[CollectedRequest] = []
    size = 0
    for each in collected:
        length = len(line_of(each.request, changes))
        if part and (len(part) == MOST_LINES or size + length > MOST_BYTES):
            yield part
            part, size = [], 0
        part.append(each)
        size += length
    if part:
        yield part


def _make_batch(
    owner: str, part: Sequence[CollectedRequest], changes: Changes, rows: dict[str, BatchedRequest | None]
) -> RequestBatch:
    first = part[0]
    prices = [each.most.usd for each in part if each.most.usd is not None]
    batch = RequestBatch.objects.create(
        name=uuid4().hex,
        owner=owner,
        endpoint=first.endpoint,
        model=first.request.model,
        path=first.request.path,
        changes=as_json(list(changes.values())),
        requests=len(part),
        held_tokens=sum(each.most.tokens for each in part),
        held_usd=sum(prices, Decimal(0)) if prices else None,
    )
    there = {row.request_hash: row.pk for row in rows.values() if row is not None}
    for group in _groups([there[each.request.hash] for each in part if each.request.hash in there]):
        BatchedRequest.objects.filter(pk__in=group).update(batch=batch, state=State.WAITING)
    BatchedRequest.objects.bulk_create(
        [
            BatchedRequest(batch=batch, owner=owner, request_hash=each.request.hash, request=each.request.content)
            for each in part
            if each.request.hash not in there
        ],
        batch_size=GROUP,
    )
    return batch


def _groups(rows: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for start in range(0, len(rows), GROUP):
        yield rows[start : start + GROUP]
