"""Celery's side of a snapshot. What is lost is found again by the sweep that goes with a worker's heartbeat."""

from celery import shared_task

from knowledge.fetching.freeze import freeze
from knowledge.fetching.waiting import knock_for_waiting


@shared_task  # type: ignore[untyped-decorator]
def fetch_snapshot(snapshot: int) -> None:
    """Freeze the snapshot (its primary key) if it still waits; then there is room for the next knock."""
    freeze(snapshot)
    knock_for_waiting()
