"""Celery's side of passes over a corpus."""

from celery import shared_task

from factor.perplexity.work import work_on


@shared_task  # type: ignore[untyped-decorator]
def work_on_perplexity(perplexity: int) -> None:
    """Score what waits in the pass (its primary key). Where several do so at once, leases keep them apart."""
    work_on(perplexity)
