"""The pages of runs: the list, and one run with its progress and predictions."""

from collections.abc import Iterator
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Prefetch
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset, role_in
from annotate.models import Role
from evaluators.models import Evaluator, Prediction, Run, RunItem
from evaluators.runs.listed_predictions import predictions_of
from evaluators.runs.listing import NEWEST_FIRST, list_runs, spent_by
from evaluators.runs.progress import progress_of
from evaluators.runs.run_job import RunJob
from jobs.models import is_worker_alive
from jobs.views import JobTexts, JobViews
from llm.models import Call

RUNS_A_PAGE = 50
PREDICTIONS_A_PAGE = 25
ERRORS_SHOWN = 100
TEXTS = JobTexts(
    stopped="Cancelled. What it had is kept.",
    ended="The run had ended before it could be cancelled.",
    resumed="Queued again: only what is left will be done.",
    complete="Nothing of the run is left to do.",
)
SHOWN = {"": "All", "errors": "Judged an error", "unparsed": "Unparsed", "disagreeing": "Against gold"}


@require_safe
def runs(request: MemberRequest, pk: int) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    state, name = request.GET.get("state", ""), request.GET.get("evaluator", "").strip()
    order = request.GET.get("sort", NEWEST_FIRST)
    page_of_runs = Paginator(list_runs(dataset, state, name, order), RUNS_A_PAGE).get_page(request.GET.get("page"))
    page = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "runs",
        "runs": page_of_runs,
        "spent": spent_by(list(page_of_runs)),
        "any_run": dataset.runs.exists(),
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
def run(request: MemberRequest, pk: int) -> HttpResponse:
    run_row = _fetch(request, pk)
    page: dict[str, Any] = {"dataset": run_row.dataset, "role": role_in(request.user, run_row.dataset), "tab": "runs"}
    page["entries"] = list(flatten(run_row.manifest))
    page["has_answers"] = "profile" in run_row.evaluator.parameters and "bundle" not in run_row.manifest
    return render(
        request, "runs/run.html", page | VIEWS.progress_context(request, run_row) | _predictions(request, run_row)
    )


@require_safe
def run_predictions(request: MemberRequest, pk: int) -> HttpResponse:
    """The part of the page with the run's predictions."""
    return render(request, "runs/run.html#predictions", _predictions(request, _fetch(request, pk)))


@require_safe
def run_call(request: MemberRequest, pk: int, call_pk: int) -> HttpResponse:
    """One answer that the run used: its prompt, and the predictions from it."""
    run_row = _fetch(request, pk)
    read = run_row.predictions.filter(calls=call_pk).in_reading_order().select_related("segment", "fact")
    if not read:
        raise Http404("No such answer in this run.")
    page = {"run": run_row, "dataset": run_row.dataset, "role": role_in(request.user, run_row.dataset), "tab": "runs"}
    return render(request, "runs/call.html", page | {"call": Call.objects.get(pk=call_pk), "read": read})


@require_safe
def run_manifest(request: MemberRequest, pk: int) -> HttpResponse:
    run_row = _fetch(request, pk)
    download = {"Content-Disposition": f'attachment; filename="run-{run_row.pk}.json"'}
    return JsonResponse(run_row.manifest, json_dumps_params={"indent": 1, "ensure_ascii": False}, headers=download)


def flatten(manifest: dict[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    """A manifest's entries, those of an entry named "outer inner"."""
    for name, value in manifest.items():
        if isinstance(value, dict):
            yield from flatten(value, f"{path}{name} ")
        else:
            yield f"{path}{name}", "–" if value in (None, "") else value


def _fetch(request: MemberRequest, pk: int, to_change: bool = False) -> Run:
    known = Run.objects.select_related("dataset", "evaluator", "created_by")
    return fetch_in_dataset(request.user, known, pk, "dataset", Role.RESEARCHER, Role.ADJUDICATOR)


def _progress(request: MemberRequest, run: Run) -> dict[str, Any]:
    failing = run.items.exclude(error="").select_related("response")
    return {
        "run": run,
        "progress": progress_of(run),
        "failing": failing[:ERRORS_SHOWN],
        "failing_count": failing.count(),
        "left": run.items.exclude(state=RunItem.State.DONE).exists(),
    }


VIEWS = JobViews("run", "runs/progress.html", _fetch, _progress, stop_word="cancel", texts=TEXTS)


def _predictions(request: MemberRequest, run: Run) -> dict[str, Any]:
    wanted = request.GET.get("show", "")
    wanted = wanted if wanted in SHOWN else ""
    return {
        "run": run,
        "show": wanted,
        "shown": SHOWN,
        "predictions": _page_of_predictions(run, wanted, request.GET.get("page")),
    }


def _page_of_predictions(run: Run, wanted: str, number: str | None) -> Page[Prediction]:
    answers = Prefetch("calls", Call.objects.defer("request"))
    read = (
        predictions_of(run, wanted).with_gold().in_reading_order().select_related("segment__response__prompt", "fact")
    )
    return Paginator(read.prefetch_related(answers), PREDICTIONS_A_PAGE).get_page(number)
