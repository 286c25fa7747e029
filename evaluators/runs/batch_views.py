"""The pages of batches: start one, follow it, stop it, go on with it."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset, role_in
from annotate.models import Dataset, Role
from evaluators.methods import METHODS
from evaluators.methods.parameters import ParameterError
from evaluators.models import Run, RunBatch
from evaluators.runs.batches import create_batch, given_to, pairs_of, resume_batch, runs_of, stop_batch
from evaluators.runs.estimate import Total, estimate_all
from evaluators.runs.forms import ENDPOINT, BatchForm
from evaluators.runs.listing import spent_by
from evaluators.runs.new_run import fitting, limit_of, models_at
from evaluators.runs.run_job import RunJob
from jobs.enqueue import enqueue
from jobs.errors import StartError
from jobs.forms import LimitsForm
from jobs.models import is_worker_alive
from llm.errors import ModelError

SHOWN_BATCHES = 20
FAULTS = (StartError, ModelError, ParameterError)


@require_http_methods(["GET", "HEAD", "POST"])
def batch_new(request: MemberRequest, pk: int) -> HttpResponse:
    """The form that starts several runs, and the batches so far."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    form = _form(request, dataset)
    if request.method == "POST" and form.is_valid() and (begun := _start(request, dataset, form)):
        return redirect("batch", begun.pk)
    chosen = str(form[ENDPOINT].value() or "")
    page = _page(request, dataset) | {
        "form": form,
        "methods": fitting(METHODS, dataset),
        **models_at(dataset, form.endpoints, chosen),
        "chosen": form.chosen_models,
        "batches": dataset.run_batches.select_related("created_by")[:SHOWN_BATCHES],
    }
    return render(request, "runs/batch_new.html", page, status=422 if form.errors else 200)


@require_safe
def batch_estimate(request: MemberRequest, pk: int) -> HttpResponse:
    """The estimate of the form as it stands: of each run and of all together."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    form = BatchForm(dataset, fitting(METHODS, dataset), request.GET)
    total: Total | None = None
    trouble = ""
    if form.is_valid():
        try:
            pairs = pairs_of(form.cleaned_data["methods"], form.chosen_models)
            given = given_to(pairs, form.parameters(), form.search)
            total = estimate_all(dataset, pairs, given, form.cleaned_data["limit"], form.cleaned_data["batch_api"])
        except FAULTS as error:
            trouble = str(error)
    return render(request, "runs/batch_new.html#estimate", {"total": total, "trouble": trouble})


@require_safe
def batch(request: MemberRequest, pk: int) -> HttpResponse:
    """All runs of the batch; for HTMX the part that changes."""
    batch_row = _fetch(request, pk)
    context = _page(request, batch_row.dataset) | _progress(batch_row)
    response = render(request, f"runs/batch.html{'#progress' if request.htmx else ''}", context)
    if request.htmx and not context["active"]:
        response["HX-Refresh"] = "true"
    return response


@require_POST
def batch_stop(request: MemberRequest, pk: int) -> HttpResponse:
    stopped = stop_batch(_fetch(request, pk))
    messages.success(request, f"{stopped} run{'s'[: stopped != 1]} cancelled. What they had is kept.")
    return redirect("batch", pk)


@require_POST
def batch_resume(request: MemberRequest, pk: int) -> HttpResponse:
    """Go on with what is left, under the limits that are sent or its own."""
    batch_row = _fetch(request, pk)
    form = LimitsForm(request.POST)
    try:
        if not form.is_valid():
            raise StartError("A limit is a number above 0.")
        resumed = resume_batch(batch_row, form.limits())
    except StartError as error:
        messages.error(request, str(error))
    else:
        for run in resumed:
            enqueue(run)
        messages.success(request, f"{len(resumed)} run{'s'[: len(resumed) != 1]} queued again.")
    return redirect("batch", pk)


def _fetch(request: MemberRequest, pk: int) -> RunBatch:
    known = RunBatch.objects.select_related("dataset", "created_by")
    return fetch_in_dataset(request.user, known, pk, "dataset", Role.RESEARCHER, Role.ADJUDICATOR)


def _form(request: MemberRequest, dataset: Dataset) -> BatchForm:
    posted = request.POST if request.method == "POST" else None
    begun = {"methods": request.GET.getlist("methods"), "models": "\n".join(request.GET.getlist("models"))}
    return BatchForm(dataset, fitting(METHODS, dataset), posted, initial=begun)


def _start(request: MemberRequest, dataset: Dataset, form: BatchForm) -> RunBatch | None:
    """Queue the runs; None where there can be no such batch, and the form says why."""
    cleaned = form.cleaned_data
    try:
        new = create_batch(
            dataset,
            cleaned["methods"],
            form.chosen_models,
            parameters=form.parameters(),
            search=form.search,
            name=cleaned["name"],
            limit=limit_of(request, cleaned["limit"]),
            limits=form.limits(),
            force=cleaned["force"],
            batch_api=cleaned["batch_api"],
            created_by=request.user,
        )
    except FAULTS as error:
        form.add_error(None, str(error))
        return None
    if new.known:
        messages.info(request, f"{len(new.known)} of the runs already exist and are shown with the others.")
    queued = [enqueue(run) for run in new.begun]
    if not all(queued):
        messages.warning(request, "The queue is not available: the runs start when a worker finds them.")
    return new.batch


def _page(request: MemberRequest, dataset: Dataset) -> dict[str, Any]:
    return {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "runs",
        "queue": RunJob.queue,
        "worker_alive": is_worker_alive(RunJob.queue),
    }


def _progress(batch_row: RunBatch) -> dict[str, Any]:
    runs = list(runs_of(batch_row))
    own = [run for run in runs if run.batch_id == batch_row.pk]
    return {
        "batch": batch_row,
        "runs": runs,
        "spent": spent_by(runs),
        "active": any(run.is_active for run in own),
        "finished": sum(run.state == Run.State.FINISHED for run in runs),
        "left": any(not run.is_active and run.state != Run.State.FINISHED for run in own),
        "limits": LimitsForm.of(batch_row),
    }
