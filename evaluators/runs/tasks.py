"""Celery's side of runs."""

from celery import shared_task

from evaluators.models import Run
from evaluators.runs.work import work_on


@shared_task  # type: ignore[untyped-decorator]
def work_on_run(run: int) -> None:
    """Work on the run (its primary key), if it still wants that and nobody does.

    Two knocks that come at the same moment may both start: leases keep their items apart.
    """
    wanted = Run.objects.active().select_related("evaluator", "dataset").filter(pk=run).first()
    if wanted is not None and not wanted.items.leased().exists():
        work_on(wanted)
