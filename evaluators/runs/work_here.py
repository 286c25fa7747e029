"""A run worked on to its end in this process, with the batches that it waits for."""

from functools import partial

from evaluators.models import Run
from evaluators.runs.batch_api import batches_of
from evaluators.runs.run_job import RunJob
from jobs.work import sweep_expired, work_on, work_to_the_end
from llm.batch_api.request_batch_job import RequestBatchJob


def work_here(run: Run) -> None:
    """Return once the run has ended, by any process."""
    work_to_the_end(RunJob(), run.pk, partial(_work_on_batches, run))


def _work_on_batches(run: Run) -> None:
    for batch in batches_of(run):
        sweep_expired(RequestBatchJob().all_items(batch.pk))
        work_on(RequestBatchJob(), batch.pk)
