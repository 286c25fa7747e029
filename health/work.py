"""The background work of the whole site, of all kinds together, the newest first; and trying again what has ended."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Case, CharField, Exists, F, Q, QuerySet, Value, When

from jobs.enqueue import enqueue_key
from jobs.kinds import KINDS, JobKind
from jobs.models import Job, JobItem
from jobs.progress import counts_by_job

WAITING, RUNNING, FINISHED, FAILED = "waiting", "running", "finished", "failed"
STATES = {WAITING: "Waiting", RUNNING: "Running", FAILED: "Stopped or failed", FINISHED: "Finished"}
COLUMNS = ("row_pk", "of_kind", "in_state", "error", "created_at")
NO_ITEMS = {"total": 0, "done": 0, "failed": 0}


@dataclass(frozen=True)
class ListedWork:
    """A job, or a row that is work by itself. state: one of STATES. error: the reason why it stopped, or of its last
    failure. items: how many there are by COUNTS of jobs/progress.py; None of work without items."""

    kind: str
    key: int
    state: str
    error: str
    created_at: datetime
    items: Mapping[str, Any] | None
    can_retry: bool

    @property
    def title(self) -> str:
        """Its kind in words, and its number."""
        return f"{words_of(self.kind)} {self.key}"

    @property
    def state_title(self) -> str:
        return STATES[self.state]


def words_of(kind: str) -> str:
    return kind.replace("_", " ").capitalize()


def work_of_site(kinds: Collection[str], states: Collection[str]) -> QuerySet[Any, dict[str, Any]]:
    """Of these kinds in these states (none: all), in one query; for `listed`."""
    chosen = [kind for name, kind in sorted(KINDS.items()) if not kinds or name in kinds]
    first, *others = (_rows(kind, states) for kind in chosen)
    return first.union(*others, all=True).order_by("-created_at", "of_kind", "-row_pk")


def listed(rows: Sequence[dict[str, Any]]) -> list[ListedWork]:
    """The rows of a page; a query for the items of each kind of job on it."""
    jobs = {name: [row["row_pk"] for row in rows if row["of_kind"] == name] for name in KINDS if KINDS[name].job}
    counts = {name: counts_by_job(KINDS[name], keys) for name, keys in jobs.items() if keys}
    return [
        ListedWork(
            kind=(name := row["of_kind"]),
            key=row["row_pk"],
            state=row["in_state"],
            error=row["error"],
            created_at=row["created_at"],
            items=counts[name].get(row["row_pk"], NO_ITEMS) if name in counts else None,
            can_retry=row["in_state"] == FAILED and (KINDS[name].job is not None or KINDS[name].retried),
        )
        for row in rows
    ]


def retry(kind: type[JobKind[Any]], pk: int) -> bool:
    """Put a stopped job or a failed row back to work. False where it is neither, or cannot be tried again.

    Raises StartError where a job's spending leaves no room.
    """
    if kind.job:
        job = kind.job._default_manager.filter(pk=pk).first()
        if job is None or not job.resume():
            return False
        key = pk
    else:
        row = kind().same_model().filter(pk=pk)
        with transaction.atomic():
            if not kind.retried or not row.retry():
                return False
            key = row.values_list(kind.key, flat=True).get()
    return enqueue_key(kind(), key) or True


def _rows(kind: type[JobKind[Any]], states: Collection[str]) -> QuerySet[Any, dict[str, Any]]:
    rows, state = _jobs(kind, kind.job) if kind.job else _items(kind)
    named: QuerySet[Any, Any] = rows.order_by().annotate(
        row_pk=F("pk"), of_kind=Value(kind.name, output_field=CharField()), in_state=_state(state)
    )
    return (named.filter(in_state__in=states) if states else named).values(*COLUMNS)


def _jobs(kind: type[JobKind[Any]], job: type[Job]) -> tuple[QuerySet[Any], dict[str, Any]]:
    running = Exists(kind().same_key().leased())
    active = Q(state__in=job.ACTIVE)
    return job._default_manager.all(), {RUNNING: active & running, WAITING: active, FINISHED: Q(state=job.FINISHED)}


def _items(kind: type[JobKind[Any]]) -> tuple[QuerySet[Any], dict[str, Any]]:
    state = JobItem.State
    return kind().same_model().all(), {
        RUNNING: Q(state=state.LEASED),
        WAITING: Q(state=state.WAITING),
        FINISHED: Q(state=state.DONE),
    }


def _state(conditions: dict[str, Any]) -> Case:
    """The first whose condition holds; FAILED where none does."""
    whens = [When(condition, then=Value(state)) for state, condition in conditions.items()]
    return Case(*whens, default=Value(FAILED), output_field=CharField())
