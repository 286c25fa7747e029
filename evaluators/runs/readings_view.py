"""The page of a run's answers under each protocol profile, and the button that reads them again."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotate.access import MemberRequest, fetch_in_dataset, role_in
from annotate.models import Role
from evaluators.methods.base import PROFILES
from evaluators.methods.parameters import profile_title
from evaluators.models import Run
from evaluators.runs.build import RunError
from evaluators.runs.reading import read_again
from evaluators.runs.readings import page_of_differing, readings_of
from evaluators.runs.run_job import RunJob
from jobs.enqueue import enqueue
from jobs.models import is_worker_alive
from llm.errors import ModelError


@require_safe
def readings(request: MemberRequest, pk: int) -> HttpResponse:
    run = _fetch(request, pk)
    source_run = run.reading_of or run
    profile_readings = readings_of(source_run) if "profile" in source_run.evaluator.parameters else []
    page, differing = page_of_differing(profile_readings, request.GET.get("page"))
    context = {
        "dataset": run.dataset,
        "role": role_in(request.user, run.dataset),
        "tab": "runs",
        "asked": source_run,
        "readings": profile_readings,
        "differing": differing,
        "pages": page,
        "unread_profiles": [
            (profile, profile_title(profile, source_run.evaluator.method))
            for profile in PROFILES
            if profile not in {each.profile for each in profile_readings}
        ],
        "active": any(each.run.is_active for each in profile_readings),
        "queue": RunJob.queue,
        "worker_alive": is_worker_alive(RunJob.queue),
    }
    return render(request, "runs/readings.html", context)


@require_POST
def run_read_again(request: MemberRequest, pk: int) -> HttpResponse:
    run = _fetch(request, pk)
    try:
        new = read_again(run, request.POST.get("profile", ""), request.user)
    except (RunError, ModelError) as error:
        messages.error(request, str(error))
    else:
        if new.created:
            enqueue(new.run)
            messages.success(request, "Parsing the answers again, without calls.")
    return redirect("run-readings", pk)


def _fetch(request: MemberRequest, pk: int) -> Run:
    known = Run.objects.select_related("dataset", "evaluator", "reading_of__evaluator", "reading_of__dataset")
    return fetch_in_dataset(request.user, known, pk, "dataset", Role.RESEARCHER, Role.ADJUDICATOR)
