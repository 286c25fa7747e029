"""Jobs of several datasets, of all kinds together, the newest first."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from annotate.models import Dataset
from jobs.kinds import KINDS
from jobs.models import Job
from jobs.progress import counts_by_job

ACTIVE, FINISHED, STOPPED = "active", "finished", "stopped"
STATES = (ACTIVE, FINISHED, STOPPED)


@dataclass(frozen=True)
class ListedKind:
    """dataset: the path from a job to its dataset. address: the name of the address of what it makes."""

    dataset: str
    address: str


# Adjudicators and researchers of the dataset may see these.
LISTED = {
    "run": ListedKind("dataset", "api:run"),
    "generation": ListedKind("dataset", "generation"),
    "build": ListedKind("benchmark__dataset", "build"),
    "scoring": ListedKind("benchmark__dataset", "api:scoring"),
    "perplexity": ListedKind("model__dataset", "perplexity"),
    "open_ended": ListedKind("scoring__benchmark__dataset", "open-ended-study"),
}


@dataclass(frozen=True)
class ListedJob:
    """items: all, those under way, done and failed ones."""

    kind: str
    job: Job
    dataset: int
    items: int
    leased: int
    done: int
    failed: int

    @property
    def waiting(self) -> int:
        return self.items - self.leased - self.done - self.failed

    @property
    def place(self) -> tuple[datetime, str, int]:
        """By which the list is ordered."""
        return self.job.created_at, self.kind, self.job.pk

    @property
    def state(self) -> str:
        """One of STATES."""
        if self.job.is_active:
            return ACTIVE
        return FINISHED if self.job.state == self.job.FINISHED else STOPPED


def list_jobs(
    datasets: QuerySet[Dataset],
    number: int,
    kinds: Collection[str] = (),
    state: str = "",
    before: tuple[datetime, str, int] | None = None,
) -> list[ListedJob]:
    """The newest jobs, at most `number`, of the kinds (none: all) and the state (empty: any); `before`: older than the
    job at this place. Two queries a kind."""
    wanted = [name for name in LISTED if not kinds or name in kinds]
    jobs = [each for name in wanted for each in _of_kind(name, datasets, number, state, before)]
    return sorted(jobs, key=lambda each: each.place, reverse=True)[:number]


def _of_kind(
    name: str, datasets: QuerySet[Dataset], number: int, state: str, before: tuple[datetime, str, int] | None
) -> list[ListedJob]:
    kind, path = KINDS[name], LISTED[name].dataset
    assert kind.job is not None  # noqa: S101 - LISTED holds kinds with jobs only
    jobs: QuerySet[Any] = kind.job._default_manager.filter(_in_state(kind.job, state), **{f"{path}__in": datasets})
    if before is not None:
        jobs = jobs.filter(_before(name, *before))
    jobs = jobs.select_related(path).order_by("-created_at", "-pk")[:number]
    counts = counts_by_job(kind, [job.pk for job in jobs])
    return [_listed(name, job, _dataset_of(job, path), counts.get(job.pk, {})) for job in jobs]


def find_job(datasets: QuerySet[Dataset], name: str, pk: int) -> ListedJob | None:
    """The job of the kind; None where these datasets have none of that number."""
    if name not in LISTED:
        return None
    kind, path = KINDS[name], LISTED[name].dataset
    assert kind.job is not None  # noqa: S101 - LISTED holds kinds with jobs only
    found: QuerySet[Any] = kind.job._default_manager.filter(pk=pk, **{f"{path}__in": datasets})
    job = found.select_related(path).first()
    return job and _listed(name, job, _dataset_of(job, path), counts_by_job(kind, [pk]).get(pk, {}))


def _listed(name: str, job: Job, dataset: int, counts: dict[str, Any]) -> ListedJob:
    return ListedJob(name, job, dataset, *(counts.get(each, 0) for each in ("total", "leased", "done", "failed")))


def _in_state(job: type[Job], state: str) -> Q:
    by_state = {
        ACTIVE: Q(state__in=job.ACTIVE),
        FINISHED: Q(state=job.FINISHED),
        STOPPED: ~Q(state__in=[*job.ACTIVE, job.FINISHED]),
    }
    return by_state.get(state, Q())


def _before(name: str, moment: datetime, kind: str, pk: int) -> Q:
    """Behind the place of (moment, kind, pk) in the list."""
    same_moment = Q(created_at=moment)
    if name == kind:
        return Q(created_at__lt=moment) | same_moment & Q(pk__lt=pk)
    return Q(created_at__lt=moment) | (same_moment if name < kind else Q(pk__in=[]))


def _dataset_of(job: Job, path: str) -> int:
    found: Any = job
    for step in path.split("__"):
        found = getattr(found, step)
    return int(found.pk)
