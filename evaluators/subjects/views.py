"""Subject models ranked by an evaluator, without labels."""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.models import Role, Scheme
from evaluators.comparison.read import latest_runs
from evaluators.metrics.subjects import FEWEST_FACTS
from evaluators.models import Run
from evaluators.subjects.describe import describe_run


@require_safe
def ranking(request: MemberRequest, pk: int) -> HttpResponse:
    """?evaluator= names one with a finished run (else the last to finish), ?penalty=on lowers short responses."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    runs = latest_runs(dataset) if dataset.scheme == Scheme.FACTSCORE else []
    run = _chosen(runs, request.GET.get("evaluator", ""))
    penalised = request.GET.get("penalty") == "on"
    page = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "ranking",
        "of_facts": dataset.scheme == Scheme.FACTSCORE,
        "runs": runs,
        "run": run,
        "penalised": penalised,
        "ranked": describe_run(run, FEWEST_FACTS if penalised else None) if run else None,
    }
    return render(request, "subjects/ranking.html", page)


def _chosen(runs: list[Run], name: str) -> Run | None:
    """The run of the evaluator with that name; where none is named the one that finished last. 404 without it."""
    if not name:
        return max(runs, key=lambda run: run.pk, default=None)
    found = next((run for run in runs if run.evaluator.name == name), None)
    if found is None:
        raise Http404("No finished run of such an evaluator.")
    return found
