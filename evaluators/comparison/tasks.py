"""Celery's side of a large comparison."""

from celery import shared_task

from evaluators.comparison.work import work_on


@shared_task  # type: ignore[untyped-decorator]
def compute_comparison(comparison: int) -> None:
    """Compute the comparison (its primary key), if it still waits."""
    work_on(comparison)
