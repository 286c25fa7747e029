"""The list of runs, and the progress, calls and manifest of one (its page: evaluators/run_page/)."""

from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset, role_in
from annotate.models import Role
from evaluators.models import Evaluator, Run, RunItem, RunTag
from evaluators.runs.batch_api import in_words
from evaluators.runs.covered import covered_by
from evaluators.runs.listing import NEWEST_FIRST, list_runs, spent_by
from evaluators.runs.outside import command_of, leases_of
from evaluators.runs.progress import paid_since, progress_of
from evaluators.runs.run_job import RunJob
from jobs.models import is_worker_alive
from jobs.views import JobTexts, JobViews
from llm.models import Call
from llm.price import stored_cost

RUNS_A_PAGE = 50
ERRORS_SHOWN = 100
TEXTS = JobTexts(
    stopped="Cancelled. What it had is kept.",
    ended="The run had ended before it could be cancelled.",
    resumed="Queued again: only what is left will be done.",
    complete="Nothing of the run is left to do.",
)


@require_safe
def runs(request: MemberRequest, pk: int) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    state, name = request.GET.get("state", ""), request.GET.get("evaluator", "").strip()
    order, tag = request.GET.get("sort", NEWEST_FIRST), request.GET.get("tag", "").strip()
    archived = "archived" in request.GET
    listed = list_runs(dataset, state, name, order, tag=tag, archived=archived)
    page_of_runs = Paginator(listed, RUNS_A_PAGE).get_page(request.GET.get("page"))
    page = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "runs",
        "runs": page_of_runs,
        "spent": spent_by(list(page_of_runs)),
        "any_run": dataset.runs.filter(edits=False).exists(),
        "covered": covered_by([run for run in page_of_runs if run.evaluator.method == Evaluator.IMPORTED], dataset),
        "tags": RunTag.objects.filter(run__dataset=dataset).values_list("name", flat=True).distinct().order_by("name"),
        "tag": tag,
        "archived": archived,
        "archived_count": dataset.runs.filter(edits=False, archived_at__isnull=False).count(),
        "needs_worker": dataset.runs.active().exclude(evaluator__method=Evaluator.OUTSIDE).exists(),
        "queue": RunJob.queue,
        "worker_alive": is_worker_alive(RunJob.queue),
        "states": Run.State.choices,
        "state": state,
        "evaluator": name,
        "order": order,
    }
    return render(request, "runs/runs.html", page)


@require_safe
def run_call(request: MemberRequest, pk: int, call_pk: int) -> HttpResponse:
    """One answer that the run was given: its prompt, the responses that it was given for, and the predictions, claims
    and edits that were read from it."""
    run_row = fetch_run(request, pk)
    items = run_row.items.filter(calls=call_pk).select_related("response").order_by("position")
    read = run_row.predictions.filter(calls=call_pk).in_reading_order().select_related("segment", "fact")
    claims = run_row.extracted_claims.filter(calls=call_pk).in_reading_order()
    edits = run_row.sentence_edits.filter(calls=call_pk).select_related("segment").order_by("pk")
    if not items and not read and not claims and not edits:
        raise Http404("No such answer in this run.")
    call = Call.objects.get(pk=call_pk)
    page = {
        "run": run_row,
        "dataset": run_row.dataset,
        "role": role_in(request.user, run_row.dataset),
        "tab": "editing" if run_row.edits else "runs",
        "call": call,
        "cost": stored_cost(call),
        "is_cached": call.created_at < paid_since(run_row),
        "items": items,
        "read": read,
        "claims": claims,
        "edits": edits,
    }
    return render(request, "runs/call.html", page)


@require_safe
def run_manifest(request: MemberRequest, pk: int) -> HttpResponse:
    run_row = fetch_run(request, pk)
    download = {"Content-Disposition": f'attachment; filename="run-{run_row.pk}.json"'}
    return JsonResponse(run_row.manifest, json_dumps_params={"indent": 1, "ensure_ascii": False}, headers=download)


def fetch_run(request: MemberRequest, pk: int, to_change: bool = False) -> Run:
    known = Run.objects.select_related("dataset", "evaluator", "created_by", "batch")
    return fetch_in_dataset(request.user, known, pk, "dataset", Role.RESEARCHER, Role.ADJUDICATOR)


def _progress(request: MemberRequest, run: Run) -> dict[str, Any]:
    failing = run.items.exclude(error="").select_related("response")
    is_outside = run.is_active and run.evaluator.method == Evaluator.OUTSIDE
    return {
        "leases": leases_of(run) if is_outside else [],
        "outside_command": command_of(run, request.build_absolute_uri("/").rstrip("/")) if is_outside else "",
        "run": run,
        "waits_for": in_words(run) if run.is_active else "",
        "progress": progress_of(run),
        "failing": failing[:ERRORS_SHOWN],
        "failing_count": failing.count(),
        "left": run.items.exclude(state=RunItem.State.DONE).exists(),
    }


VIEWS = JobViews("run", "runs/progress.html", fetch_run, _progress, stop_word="cancel", texts=TEXTS)
