"""Subject models ranked by an evaluator, without labels."""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.models import Role, Scheme
from evaluators.comparison.read import latest_runs
from evaluators.metrics.subjects import FEWEST_FACTS
from evaluators.models import Run
from evaluators.subjects.describe import correlate, describe_run


@require_safe
def ranking(request: MemberRequest, pk: int) -> HttpResponse:
    """?evaluator= names one with a finished run (else the last to finish), ?against= another whose scores stand beside
    its own, ?penalty=on lowers short responses."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    runs = latest_runs(dataset) if dataset.scheme == Scheme.FACTSCORE else []
    name, against = request.GET.get("evaluator", ""), request.GET.get("against", "")
    run = _named(runs, name) if name else max(runs, key=lambda run: run.pk, default=None)
    other = _named(runs, against) if against else None
    penalty = FEWEST_FACTS if request.GET.get("penalty") == "on" else None
    ranked, compared = (describe_run(each, penalty) if each else None for each in (run, other))
    page = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "ranking",
        "of_facts": dataset.scheme == Scheme.FACTSCORE,
        "runs": runs,
        "run": run,
        "other": other,
        "penalised": penalty is not None,
        "ranked": ranked,
        "others": {row["subject"]: row for row in compared["subjects"]} if compared else {},
        "correlation": correlate(ranked, compared) if ranked and compared else None,
    }
    return render(request, "subjects/ranking.html", page)


def _named(runs: list[Run], name: str) -> Run:
    """The run of the evaluator with that name; 404 without it."""
    found = next((run for run in runs if run.evaluator.name == name), None)
    if found is None:
        raise Http404("No finished run of such an evaluator.")
    return found
