"""The statistics page: the sizes of a dataset, beside what the papers print of theirs."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from annotate.access import fetch_dataset, role_in
from annotate.models import Role


def statistics(request: HttpRequest, pk: int) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    page = {"dataset": dataset, "role": role_in(request.user, dataset), "tab": "statistics"}
    return render(request, "statistics/statistics.html", page)
