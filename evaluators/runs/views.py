"""The pages of runs."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from annotate.access import fetch_dataset, fetch_in_dataset, role_in
from annotate.models import Role
from evaluators.models import Run


def runs(request: HttpRequest, pk: int) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    page = {"dataset": dataset, "role": role_in(request.user, dataset), "tab": "runs"}
    return render(request, "runs/runs.html", page)


def run_new(request: HttpRequest, pk: int) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    page = {"dataset": dataset, "role": role_in(request.user, dataset), "tab": "runs"}
    return render(request, "runs/new.html", page)


def run(request: HttpRequest, pk: int) -> HttpResponse:
    shown = fetch_in_dataset(request.user, Run.objects.all(), pk, "dataset", Role.RESEARCHER, Role.ADJUDICATOR)
    page = {"dataset": shown.dataset, "run": shown, "role": role_in(request.user, shown.dataset), "tab": "runs"}
    return render(request, "runs/run.html", page)
