"""Celery's side of a release. What is lost is found by the sweep that goes with a worker's heartbeat."""

from celery import shared_task

from annotate.release.releases import work_on


@shared_task  # type: ignore[untyped-decorator]
def make_release(release: int) -> None:
    """Make the release (its primary key), if nobody does yet."""
    work_on(release)
