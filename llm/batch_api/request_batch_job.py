"""Batches of requests, as a kind of work: submitted, polled with growing pauses, and read."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from django.utils import timezone

from jobs.budget import UNHELD, Spending
from jobs.errors import ItemError, PostponedError
from jobs.kinds import Queue, SyncJobKind
from jobs.leases import Lease
from llm.batch_api.errors import BatchFaultError, ServerAwayError, sentence_of
from llm.batch_api.lines import VERSION, changes_in, line_of, request_of
from llm.batch_api.read import end_batch, read_results
from llm.faults import Fault
from llm.models import BatchedRequest, RequestBatch

if TYPE_CHECKING:  # with openai, which takes a second to import
    from llm.batch_api.server import BatchAtServer, BatchServer

# Between two looks a tenth of the time since the batch was submitted.
SHORTEST_PAUSE, LONGEST_PAUSE = timedelta(seconds=10), timedelta(minutes=10)
RETRY = timedelta(seconds=30)
# The server promises its answers within a day.
LONGEST = timedelta(days=3)
TOO_MANY_REQUESTS = 429
NOT_OFFERED = frozenset({404, 405, 501})
ENDED = frozenset({"completed", "expired", "cancelled"})
CANCELLED = frozenset({"cancelling", *ENDED})
# Words of a server that would take the file later: it holds too many requests for now.
FULL = ("token_limit", "enqueued", "rate limit", "rate_limit")
NO_FILE = "it names no file of results"


class PassingError(ItemError):
    """The server may do it later."""

    retry = True

    def __init__(self, message: str, delay: timedelta) -> None:
        super().__init__(message)
        self.delay = delay


class RequestBatchJob(SyncJobKind[RequestBatch]):
    """One batch an item; each step is stored before the next. Whoever asked sends what failed again, as part of a new
    batch."""

    name = "request_batch"
    queue = Queue.SHORT
    items = RequestBatch
    related = ("endpoint",)
    retried = False

    def on_failure(self, item: RequestBatch) -> None:
        """Its requests are free for another batch; without a word of it they are too, once it has failed."""
        item.lines.all().delete()

    def execute(self, lease: Lease[RequestBatch]) -> None:
        batch = lease.item
        try:
            _step_of(batch)(lease)
        except BatchFaultError as error:
            raise _error_of(batch, error) from None
        except ServerAwayError as error:
            said = f"The server at {batch.endpoint.base_url} gives no answer that can be read: {error}"
            raise _away(batch, sentence_of(batch.endpoint, said)) from None


def _step_of(batch: RequestBatch) -> Callable[[Lease[RequestBatch]], None]:
    if not batch.file:
        return _drop if batch.cancelled_at else _upload
    if not batch.server_id:
        return _create
    return _cancel if batch.cancelled_at and batch.status not in CANCELLED else _look


def _drop(lease: Lease[RequestBatch]) -> None:
    """Nothing has been submitted."""
    end_batch(lease, UNHELD)


def _upload(lease: Lease[RequestBatch]) -> None:
    """A file that is uploaded twice costs nothing: the work on it is what is paid for."""
    batch = lease.item
    with TemporaryDirectory() as folder:
        file = Path(folder) / f"{batch.name}.jsonl"
        _write_lines(batch, file)
        name = _ask(batch, lambda server: server.upload(file))
    lease.advance(file=name)


def _write_lines(batch: RequestBatch, file: Path) -> None:
    with file.open("wb") as into:
        for row in batch.lines.filter(state=BatchedRequest.State.WAITING).order_by("pk").iterator():
            into.write(line_of(request_of(row.request), changes_in(batch.changes, row.changes)))


def _create(lease: Lease[RequestBatch]) -> None:
    """Where a worker was lost after it, the batch is there: it is found by its file, and not paid twice."""
    batch = lease.item
    there = _find(batch)
    if there is None and batch.cancelled_at:
        _drop(lease)
        return
    if there is None:
        there = _ask(batch, lambda server: server.create(batch.file, f"{VERSION}{batch.path}", batch.name))
    lease.advance(server_id=there.id, status=there.status, submitted_at=timezone.now())


def _find(batch: RequestBatch) -> "BatchAtServer | None":
    """None also where the server lists no batches."""
    try:
        found: BatchAtServer | None = _ask(batch, lambda server: server.find(batch.file, batch.name))
    except BatchFaultError as error:
        if error.fault.status not in NOT_OFFERED:
            raise
        return None
    return found


def _cancel(lease: Lease[RequestBatch]) -> None:
    """What the server has done by then is paid for, and read."""
    batch = lease.item
    try:
        there = _ask(batch, lambda server: server.cancel(batch.server_id))
    except BatchFaultError as error:
        if error.fault.status == TOO_MANY_REQUESTS or error.fault.status >= 500:
            raise
        # It has ended meanwhile, or the server cancels none.
        there = _ask(batch, lambda server: server.look(batch.server_id))
    status = "cancelling" if there.status not in ENDED else there.status
    lease.advance(status=status)


def _look(lease: Lease[RequestBatch]) -> None:
    batch = lease.item
    there = _ask(batch, lambda server: server.look(batch.server_id))
    batch.status, batch.answered, batch.refused = there.status, there.answered, there.refused
    if there.status == "failed":
        _not_taken(lease, there)
    elif there.status == "completed" and not there.files:
        raise ServerAwayError(NO_FILE)
    elif there.status in ENDED:
        end_batch(lease, _read(batch, there.files))
    else:
        lease.advance(
            status=there.status,
            answered=there.answered,
            refused=there.refused,
            not_before=timezone.now() + _pause(batch),
        )


def _not_taken(lease: Lease[RequestBatch], there: "BatchAtServer") -> None:
    """The server has not begun: it looks at the file after it has taken it."""
    errors = there.errors.get("data") or there.errors if isinstance(there.errors, dict) else there.errors
    fault = Fault(400, {"errors": errors}, {})
    if lease.item.cancelled_at:
        _drop(lease)
    elif any(word in fault.words.lower() for word in FULL) and timezone.now() - lease.item.created_at < LONGEST:
        later = timezone.now() + LONGEST_PAUSE
        lease.advance(file="", server_id="", status="", submitted_at=None, not_before=later)
    else:
        said = f"The server at {lease.item.endpoint.base_url} did not take a batch: {fault.message}"
        raise ItemError(sentence_of(lease.item.endpoint, said))


def _read(batch: RequestBatch, files: tuple[str, ...]) -> Spending:
    with TemporaryDirectory() as folder:
        paths = [Path(folder) / str(number) for number, _ in enumerate(files)]
        for file, path in zip(files, paths, strict=True):
            _ask(batch, lambda server, file=file, path=path: server.download(file, path))  # type: ignore[misc]
        return read_results(batch, paths)


def _ask(batch: RequestBatch, question: Callable[["BatchServer"], Awaitable[Any]]) -> Any:
    from llm.batch_api.server import BatchServer

    async def ask() -> Any:
        async with BatchServer(batch.endpoint) as server:
            return await question(server)

    return asyncio.run(ask())


def _pause(batch: RequestBatch) -> timedelta:
    since = timezone.now() - (batch.submitted_at or timezone.now())
    return min(max(since / 10, SHORTEST_PAUSE), LONGEST_PAUSE)


def _error_of(batch: RequestBatch, error: BatchFaultError) -> Exception:
    fault, address = error.fault, batch.endpoint.base_url
    if fault.status in NOT_OFFERED and not batch.server_id:
        return ItemError(
            f"The server at {address} has no Batch API: it answered {fault.status} at {error.path}. Start the run "
            "without it: what is answered is kept."
        )
    said = f"The server at {address} answered {fault.status} at {error.path}: {fault.message}"
    said = sentence_of(batch.endpoint, said)
    return _away(batch, said, fault.wait) if fault.may_pass else ItemError(said)


def _away(batch: RequestBatch, said: str, wait: float | None = None) -> Exception:
    """A batch that is being worked on is waited for, whatever its server says meanwhile."""
    asked = timedelta(seconds=wait or 0)
    if batch.submitted_at is None:
        return PassingError(said, max(RETRY, asked))
    if timezone.now() - batch.submitted_at > LONGEST:
        return ItemError(said)
    return PostponedError(max(_pause(batch), asked))
