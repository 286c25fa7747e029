"""A run worked on to its end in this process, with the batches that it waits for."""

from collections.abc import Callable

from evaluators.models import Run
from evaluators.runs.batch_api import batches_of, in_words
from evaluators.runs.run_job import RunJob
from jobs.work import sweep_expired, work_on, work_to_the_end
from llm.batch_api.request_batch_job import RequestBatchJob


def work_here(run: Run, tell: Callable[[str], object]) -> None:
    """Return once the run has ended, by any process. tell: is called with what it waits for, when that changes."""
    told = ""

    def work_on_batches() -> None:
        nonlocal told
        for batch in batches_of(run):
            sweep_expired(RequestBatchJob().all_items(batch.pk))
            work_on(RequestBatchJob(), batch.pk)
        waits_for = in_words(run)
        if waits_for and waits_for != told:
            tell(waits_for)
        told = waits_for

    work_to_the_end(RunJob(), run.pk, work_on_batches)
